/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much goes into a dispatch and a submission: by made-up timings, and by a
 * stream's. */
#include "affine.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "tests.h"

#define MS 1e6

/* Kinds of work. Units are of 10 ns until something is measured. */
static const gchar taps[] = "taps", colours[] = "colours";

static void
init (GpuPacer * pacer)
{
  gpu_pacer_init (pacer, GPU_DEVICE_DISCRETE);
  pacer->first_ns = 10;
}

/* The time of a dispatch with as many units as may be, of @ns each. */
static gdouble
dispatch_ns (GpuPacer * pacer, const gchar * work, gdouble ns)
{
  return gpu_pacer_get_dispatch (pacer, work) * ns;
}

/* A submission of @units of taps, in one dispatch, and of @others ns. */
static void
submit_units (GpuPacer * pacer, guint64 units, gdouble ns, gdouble others)
{
  gpu_pacer_get_dispatch (pacer, taps);
  gpu_pacer_measured (pacer, taps, units, ns);
  gpu_pacer_learn (pacer, &pacer->aims, ns + others);
}

/* A submission with one dispatch of as many units as may be, of @ns each. */
static void
submit_one (GpuPacer * pacer, gdouble ns)
{
  guint64 units = gpu_pacer_get_dispatch (pacer, taps);

  gpu_pacer_begin (pacer, FALSE);
  submit_units (pacer, units, units * ns, 0);
}

/* Until something is measured, all work counts the same, as is right for devices of that
 * class; one item may be longer than anything is to be. */
TEST (unknown)
{
  static const GpuDeviceKind kinds[] =
      { GPU_DEVICE_CPU, GPU_DEVICE_OTHER, GPU_DEVICE_INTEGRATED,
    GPU_DEVICE_DISCRETE
  };
  guint64 before = 1;
  GpuPacer pacer;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    gpu_pacer_init (&pacer, kinds[i]);
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), >=, before);
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==,
        gpu_pacer_get_dispatch (&pacer, NULL));
    before = gpu_pacer_get_dispatch (&pacer, taps);
  }
  init (&pacer);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, colours), ==, 5000000);
  gpu_pacer_learn (&pacer, &pacer.aims, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  pacer.first_ns = 1e9;
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, "picture"), ==, 1);
  g_assert_true (gpu_pacer_take (&pacer, "picture", 1));
  g_assert_false (gpu_pacer_take (&pacer, taps, 1));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, taps), ==, 1);
}

TEST (submissions)
{
  GpuPacer pacer;

  init (&pacer);
  g_assert_true (gpu_pacer_take (&pacer, taps, 2000000));
  g_assert_true (gpu_pacer_take (&pacer, colours, 2000000));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, colours), ==, 1000000);
  g_assert_false (gpu_pacer_take (&pacer, NULL, 1000001));
  g_assert_true (gpu_pacer_take (&pacer, NULL, 1000000));
  g_assert_false (gpu_pacer_take (&pacer, NULL, 1));
  gpu_pacer_begin (&pacer, FALSE);
  g_assert_true (gpu_pacer_take (&pacer, NULL, 1));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, taps), ==, 4999999);
}

TEST (shared)
{
  GpuPacer pacer;

  init (&pacer);
  gpu_pacer_begin (&pacer, TRUE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 500000);
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, taps), ==, 1000000);
  gpu_pacer_begin (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
}

/* Devices that are faster and slower than was thought: dispatches come to be as
 * long as they should, and none is too long on the way to that. */
TEST (learns)
{
  static const gdouble ns[] = { 0.01, 1, 9, 11, 100, 3000 };

  for (guint i = 0; i < G_N_ELEMENTS (ns); i++) {
    GpuPacer pacer;

    init (&pacer);
    for (guint k = 0; k < 12; k++) {
      submit_one (&pacer, ns[i]);
      if (ns[i] < 10)
        g_assert_cmpfloat (dispatch_ns (&pacer, taps, ns[i]), <, 40 * MS);
    }
    g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, taps, ns[i]), 20 * MS,
        MS);
    /* Others are as they were. */
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, colours), ==, 2000000);
  }
}

/* What came in between, a pipeline's compilation or another program, does not
 * keep dispatches short. */
TEST (hiccup)
{
  GpuPacer pacer;

  init (&pacer);
  for (guint i = 0; i < 5; i++)
    submit_one (&pacer, 10);
  submit_one (&pacer, 5000);
  g_assert_cmpfloat (dispatch_ns (&pacer, taps, 10), >, 4.9 * MS);
  submit_one (&pacer, 10);
  submit_one (&pacer, 10);
  g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, taps, 10), 20 * MS, MS);
}

/* A CPU device compiles a kernel in its first dispatch. That makes no dispatch shorter, until
 * the next one is as long. */
TEST (compilation)
{
  GpuPacer pacer;
  guint64 units;

  gpu_pacer_init (&pacer, GPU_DEVICE_CPU);
  units = gpu_pacer_get_dispatch (&pacer, taps);
  submit_units (&pacer, 1000, 200 * MS, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, units);
  submit_units (&pacer, 1000, 200 * MS, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), <, units / 2);
}

/* A dispatch that found little to do, however often, makes none too long that
 * does not. */
TEST (luck)
{
  GpuPacer pacer;

  init (&pacer);
  submit_one (&pacer, 10);
  submit_one (&pacer, 0.1);
  g_assert_cmpfloat (dispatch_ns (&pacer, taps, 10), <, 50 * MS);
  /* Nothing that a clock can tell. */
  for (guint i = 0; i < 10; i++)
    submit_one (&pacer, 0);
  g_assert_cmpfloat (dispatch_ns (&pacer, taps, 10), <, 50 * MS);
}

/* Work that was measured to be short ends no submission, unless together it may take 250 ms by
 * what its dispatches are planned for; these are not longer for that. Once it is measured to be
 * long, it ends submissions again. */
TEST (short)
{
  GpuPacer pacer;

  init (&pacer);
  g_assert_true (gpu_pacer_take (&pacer, taps, 2000000));
  submit_units (&pacer, 2000000, 0, 0);
  g_assert_cmpfloat (gpu_pacer_estimate (&pacer, taps, 2000000), ==, 20 * MS);
  submit_units (&pacer, 2000000, 1000, 0);
  gpu_pacer_begin (&pacer, FALSE);
  for (guint i = 0; i < 12; i++)
    g_assert_true (gpu_pacer_take (&pacer, taps, 2000000));
  g_assert_false (gpu_pacer_take (&pacer, taps, 2000000));
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  submit_units (&pacer, 2000000, 15 * MS, 0);
  gpu_pacer_begin (&pacer, FALSE);
  for (guint i = 0; i < 3; i++)
    g_assert_true (gpu_pacer_take (&pacer, taps, 2000000));
  g_assert_false (gpu_pacer_take (&pacer, taps, 2000000));
}

/* A few items take as long as a dispatch takes to begin, which says nothing
 * of many. */
TEST (few_items)
{
  GpuPacer pacer;

  init (&pacer);
  for (guint i = 0; i < 100; i++)
    submit_units (&pacer, 5, 0.1 * MS, 3 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  /* But many of them that make a long submission do. */
  for (guint i = 0; i < 1000; i++)
    gpu_pacer_measured (&pacer, taps, 5, 0.1 * MS);
  gpu_pacer_learn (&pacer, &pacer.aims, 100 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 500000);
}

/* A submission was long for something else. */
TEST (bystander)
{
  GpuPacer pacer;

  init (&pacer);
  for (guint i = 0; i < 10; i++) {
    submit_units (&pacer, 100000, 10 * MS, 190 * MS);
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  }
  submit_units (&pacer, 1000000, 20 * MS, 40 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 1000000);
}

/* What is looked at was recorded before other streams came. */
TEST (aims_of_its_own)
{
  GpuPacer pacer;
  GpuPacerAims aims;

  init (&pacer);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  aims = pacer.aims;
  gpu_pacer_begin (&pacer, TRUE);
  gpu_pacer_measured (&pacer, taps, 1000000, 18 * MS);
  gpu_pacer_learn (&pacer, &aims, 40 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 500000);
  submit_units (&pacer, 1000000, 18 * MS, 22 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 277777);
}

/* Units that are told of later, as only the device knew them. */
TEST (units_later)
{
  GpuPacer pacer;

  init (&pacer);
  gpu_pacer_get_dispatch (&pacer, taps);
  for (guint i = 0; i < 3; i++)
    submit_units (&pacer, 0, 10 * MS, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
  submit_units (&pacer, 5000000, 0, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 3333333);
}

/* The time of a frame that failed before it told its units is not that of the next. */
TEST (units_never)
{
  const GpuPacerAims aims = { 20 * MS, 50 * MS };
  GpuPacer pacer;
  guint64 units;

  init (&pacer);
  submit_units (&pacer, 1000, 10 * MS, 0);
  units = gpu_pacer_get_dispatch (&pacer, taps);
  gpu_pacer_measured (&pacer, taps, 0, 900 * MS);
  gpu_pacer_learn (&pacer, &aims, 900 * MS);
  gpu_pacer_forget_unreported (&pacer);
  submit_units (&pacer, 1000, 10 * MS, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), >=, units);
}

/* More kinds of work than are remembered: old ones begin anew. */
TEST (many_kinds)
{
  gchar keys[GPU_PACER_KINDS];
  GpuPacer pacer;

  init (&pacer);
  submit_one (&pacer, 1);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 4000000);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &keys[i]), ==, 2000000);
  gpu_pacer_measured (&pacer, taps, 1, MS);
  gpu_pacer_learn (&pacer, &pacer.aims, MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, taps), ==, 2000000);
}

static guint
count_looks (GpuPacer * pacer)
{
  guint n = 0;

  while (gpu_pacer_begin (pacer, FALSE))
    n++;
  return n;
}

/* What is new, takes long or is cut is looked into command by command, for a while. */
TEST (looks)
{
  GpuPacer pacer;

  init (&pacer);
  g_assert_cmpuint (count_looks (&pacer), ==, 0);
  for (guint i = 0; i < 2; i++) {
    gpu_pacer_take (&pacer, i == 0 ? taps : colours, 100);
    g_assert_cmpuint (count_looks (&pacer), >=, 8);
  }
  for (guint i = 0; i < 100; i++) {
    g_assert_false (gpu_pacer_begin (&pacer, FALSE));
    gpu_pacer_take (&pacer, taps, 4000000);
    gpu_pacer_learn (&pacer, &pacer.aims, MS);
  }
  gpu_pacer_learn (&pacer, &pacer.aims, 21 * MS);
  g_assert_cmpuint (count_looks (&pacer), >=, 8);
  gpu_pacer_take (&pacer, taps, 4000000);
  g_assert_false (gpu_pacer_take (&pacer, taps, 4000000));
  g_assert_cmpuint (count_looks (&pacer), >=, 8);
}

/* --- a stream's --- */

/* What was submitted is of a long time ago. */
static void
forget_submitters (GpuDevice * device)
{
  for (guint i = 0; i < G_N_ELEMENTS (device->submitters); i++)
    device->submitters[i].time = 0;
}

/* Commands of this many ms one after the other, whatever they are. */
static guint command_ms;

static VkResult VKAPI_CALL
make_ticks (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  guint64 *ticks = data;

  for (guint i = 0; i < n; i++)
    ticks[i] = i * command_ms * (guint64) MS;
  return VK_SUCCESS;
}

/* As if the device had timestamps of one ns. */
static Fixture *
setup_clock (guint n_slots)
{
  Fixture *fixture = setup (n_slots);

  fixture->stream->pacer.first_ns = 10;
  if (fixture->device->info.timestamp_period == 0)
    return fixture;
  fixture->device->info.timestamp_period = 1;
  fixture->device->timestamp_mask = G_MAXUINT64;
  fixture->device->queries_wait = FALSE;
  fixture->device->vk.vkGetQueryPoolResults = make_ticks;
  return fixture;
}

static gboolean
has_clock (Fixture * fixture)
{
  return fixture->device->info.timestamp_period > 0;
}

/* A submission that teaches. */
static void
begin_timed (Fixture * fixture)
{
  begin (fixture->stream);
  gpu_stream_time_commands (fixture->stream);
}

static void
record_affine (Fixture * fixture)
{
  affine_record (fixture->stream, fixture->kernel, fixture->work, N, 1);
}

static void
record_units (Fixture * fixture, const gchar * work, guint64 units)
{
  gpu_stream_pace (fixture->stream, work, units);
  record_affine (fixture);
}

/* Nobody waits for these submissions; they teach when their slots are needed
 * again. */
static void
test_frames_in_flight (void)
{
  g_autoptr (Fixture) fixture = setup_clock (3);

  command_ms = 5;
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps),
        ==, 2000000);
    begin_timed (fixture);
    record_units (fixture, taps, 1000000);
    /* Of no known work. */
    record_affine (fixture);
    submit (fixture->stream, NULL);
  }
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps),
      ==, has_clock (fixture) ? 4000000 : 2000000);
  wait_idle (fixture->stream);
}

static void
test_no_timestamps (void)
{
  g_autoptr (Fixture) fixture = setup (1);

  fixture->device->info.timestamp_period = 0;
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (fixture->device, 1);
  fixture->stream->pacer.first_ns = 10;
  forget_submitters (fixture->device);
  for (guint i = 0; i < 5; i++) {
    begin (fixture->stream);
    gpu_stream_stage (fixture->stream, "stage");
    record_units (fixture, taps, 1);
    submit (fixture->stream, NULL);
    wait_idle (fixture->stream);
    gpu_stream_measured (fixture->stream, taps, 1000000000);
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps),
        ==, 2000000);
  }
}

/* What only the device could count. */
static void
test_measured_afterwards (void)
{
  g_autoptr (Fixture) fixture = setup_clock (1);

  command_ms = 10;
  begin_timed (fixture);
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps),
      ==, 2000000);
  for (guint i = 0; i < 3; i++) {
    gpu_stream_measure (fixture->stream, taps, 0);
    record_affine (fixture);
  }
  record_affine (fixture);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  gpu_stream_measured (fixture->stream, taps, 5000000);
  if (has_clock (fixture))
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps),
        ==, 3333333);
}

/* Long work is submitted piece by piece, in its stage, and no more than one
 * piece is on its way. */
static void
test_pieces (void)
{
  g_autoptr (Fixture) fixture = setup (3);
  guint64 serial;

  fixture->stream->pacer.first_ns = 1;
  begin (fixture->stream);
  serial = gpu_stream_get_serial (fixture->stream);
  gpu_stream_pace (fixture->stream, NULL, 40 * MS);
  record_step (fixture, fixture->stream, 1, 0);
  g_assert_cmpuint (gpu_stream_get_serial (fixture->stream), ==, serial);
  gpu_stream_stage (fixture->stream, "stage");
  gpu_stream_pace (fixture->stream, NULL, 40 * MS);
  g_assert_cmpuint (gpu_stream_get_serial (fixture->stream), ==, serial + 1);
  g_assert_cmpstr (gpu_stream_get_stage (fixture->stream), ==, "stage");
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 1));
  g_assert_cmpuint (gpu_stream_get_units_left (fixture->stream, NULL), ==,
      10 * MS);
  gpu_stream_abandon (fixture->stream);
}

/* Who is not wanted any more goes on to no further piece. */

static gboolean
is_unwanted (gpointer data)
{
  return TRUE;
}

static void
test_cancelled (void)
{
  g_autoptr (Fixture) fixture = setup (2);

  fixture->stream->pacer.first_ns = 1;
  begin (fixture->stream);
  gpu_stream_set_hooks (fixture->stream, &(GpuStreamHooks) {is_unwanted});
  gpu_stream_pace (fixture->stream, NULL, 40 * MS);
  OK (gpu_stream_check (fixture->stream, &error));
  gpu_stream_pace (fixture->stream, NULL, 40 * MS);
  FAILS (GPU_ERROR_CANCELLED, gpu_stream_check (fixture->stream, &error));
  /* What is recorded now does nothing, and submitting fails for the same reason. */
  gpu_stream_stage (fixture->stream, "unwanted");
  record_affine (fixture);
  g_assert_false (gpu_stream_go_on (fixture->stream, NULL));
  FAILS (GPU_ERROR_CANCELLED, gpu_stream_submit (fixture->stream, NULL,
          &error));
}

/* --- several streams --- */

/* What is submitted stays new, however slow the machine. */
static guint64
taps_of_new_submission (GpuStream * stream)
{
  guint64 units;

  stream->pacer.first_ns = 10;
  begin (stream);
  units = gpu_stream_get_units_left (stream, taps);
  gpu_stream_pace (stream, taps, 1);
  submit (stream, NULL);
  gpu_stream_get_device (stream)->submitters[0].time += 10 * G_USEC_PER_SEC;
  return units;
}

/* Nobody makes room for what was not paced: a copy for who maps a frame. */
static void
test_copies (void)
{
  g_autoptr (Fixture) fixture = setup (2);
  GpuStream *other = new_stream (fixture->device, 1);

  forget_submitters (fixture->device);
  for (guint i = 0; i < 3; i++) {
    begin (other);
    record_step (fixture, other, 1, 0);
    submit (other, NULL);
    g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 5000000);
  }
  gpu_stream_unref (other);
  wait_idle (fixture->stream);
}

/* Nor for a stream that is gone, but for the one before it. */
static void
test_gone (void)
{
  g_autoptr (Fixture) fixture = setup (2);
  GpuStream *older = new_stream (fixture->device, 1);
  GpuStream *newer = new_stream (fixture->device, 1);

  forget_submitters (fixture->device);
  taps_of_new_submission (older);
  taps_of_new_submission (newer);
  gpu_stream_unref (newer);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 1000000);
  gpu_stream_unref (older);
  g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 5000000);
  wait_idle (fixture->stream);
}

/* A submission that was recorded when the device was the stream's own is not
 * too long because it no longer is. */
static void
test_others_come (void)
{
  g_autoptr (Fixture) fixture = setup_clock (2);
  g_autoptr (GpuStream) other = new_stream (fixture->device, 1);

  command_ms = 8;
  forget_submitters (fixture->device);
  begin_timed (fixture);
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps), ==,
      2000000);
  /* As if it took longer than was thought. */
  record_units (fixture, taps, 400000);
  submit (fixture->stream, NULL);
  taps_of_new_submission (other);
  begin (fixture->stream);
  wait_idle (fixture->stream);
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, taps), ==,
      500000);
  gpu_stream_abandon (fixture->stream);
}

/* Streams that have work make each other's submissions shorter; one that had
 * some once does not. */
static void
test_streams (void)
{
  g_autoptr (Fixture) fixture = setup (2);
  GpuDevice *device = fixture->device;
  GpuStream *others[] = { new_stream (device, 1), new_stream (device, 1) };

  forget_submitters (device);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 5000000);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpuint (taps_of_new_submission (others[i]), ==, 1000000);
    /* Again and again: the other one counts all the same. */
    for (guint k = 0; k < 3; k++)
      g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 1000000);
  }
  forget_submitters (device);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (taps_of_new_submission (fixture->stream), ==, 5000000);
  for (guint i = 0; i < 2; i++)
    gpu_stream_unref (others[i]);
  wait_idle (fixture->stream);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/pacer/", g_test_add_func);
  gpu_fixture_add_test ("/pacer/frames-in-flight", test_frames_in_flight);
  gpu_fixture_add_test ("/pacer/no-timestamps", test_no_timestamps);
  gpu_fixture_add_test ("/pacer/measured-afterwards", test_measured_afterwards);
  gpu_fixture_add_test ("/pacer/pieces", test_pieces);
  gpu_fixture_add_test ("/pacer/cancelled", test_cancelled);
  gpu_fixture_add_test ("/pacer/copies", test_copies);
  gpu_fixture_add_test ("/pacer/gone", test_gone);
  gpu_fixture_add_test ("/pacer/others-come", test_others_come);
  gpu_fixture_add_test ("/pacer/streams", test_streams);
  return gpu_fixture_run_tests ();
}
