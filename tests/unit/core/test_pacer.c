/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How much goes into a dispatch and a submission: by made-up timings, and by a
 * stream's. */
#include "affine.h"
#include "gpu/core/stream/slot.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"

#define MS 1e6

static const GpuCost taps = { "taps", 10 };
static const GpuCost colours = { "colours", 1000 };

static gdouble
dispatch_ns (GpuPacer * pacer, const GpuCost * cost, gdouble ns)
{
  return gpu_pacer_get_dispatch (pacer, cost) * ns;
}

/* A submission with one dispatch of as many units as may be, of @ns each. */
static void
submit_one (GpuPacer * pacer, const GpuCost * cost, gdouble ns)
{
  guint64 units = gpu_pacer_get_dispatch (pacer, cost);
  guint64 total = units * ns;

  gpu_pacer_begin (pacer, FALSE);
  gpu_pacer_measured (pacer, cost->key, units, total, total);
  gpu_pacer_learn (pacer, &pacer->aims, total);
}

/* Until something is measured, what is stated holds. */
static void
test_stated (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &colours), ==, 20000);
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, &colours), ==, 50000);
  gpu_pacer_learn (&pacer, &pacer.aims, 0);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
}

/* One item may be longer than anything is to be. */
static void
test_dear (void)
{
  const GpuCost picture = { "picture", 1e9 };
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &picture), ==, 1);
  g_assert_true (gpu_pacer_take (&pacer, &picture, 1));
  g_assert_false (gpu_pacer_take (&pacer, &taps, 1));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, &taps), ==, 1);
}

static void
test_submissions (void)
{
  const GpuCost unknown = { NULL, 1 };
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  g_assert_true (gpu_pacer_take (&pacer, &taps, 2000000));
  g_assert_true (gpu_pacer_take (&pacer, &colours, 20000));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, &colours), ==, 10000);
  g_assert_false (gpu_pacer_take (&pacer, &unknown, 10000001));
  g_assert_true (gpu_pacer_take (&pacer, &unknown, 10000000));
  g_assert_false (gpu_pacer_take (&pacer, &unknown, 1));
  gpu_pacer_begin (&pacer, FALSE);
  g_assert_true (gpu_pacer_take (&pacer, &unknown, 1));
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, &taps), ==, 4999999);
}

static void
test_shared (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  gpu_pacer_begin (&pacer, TRUE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 500000);
  g_assert_cmpuint (gpu_pacer_get_rest (&pacer, &taps), ==, 1000000);
  gpu_pacer_begin (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
}

/* Devices that are faster and slower than was stated: dispatches come to be as
 * long as they should, and none is too long on the way to that. */
static void
test_learns (void)
{
  static const gdouble ns[] = { 0.01, 1, 9, 11, 100, 3000 };

  for (guint i = 0; i < G_N_ELEMENTS (ns); i++) {
    GpuPacer pacer;

    gpu_pacer_init (&pacer, FALSE);
    for (guint k = 0; k < 12; k++) {
      submit_one (&pacer, &taps, ns[i]);
      if (ns[i] < taps.ns)
        g_assert_cmpfloat (dispatch_ns (&pacer, &taps, ns[i]), <, 40 * MS);
    }
    g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, &taps, ns[i]),
        20 * MS, MS);
    /* Others are as they were. */
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &colours), ==, 20000);
  }
}

/* What came in between, a pipeline's compilation or another program, does not
 * keep dispatches short. */
static void
test_hiccup (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  for (guint i = 0; i < 5; i++)
    submit_one (&pacer, &taps, 10);
  submit_one (&pacer, &taps, 5000);
  g_assert_cmpfloat (dispatch_ns (&pacer, &taps, 10), >, 4.9 * MS);
  submit_one (&pacer, &taps, 10);
  submit_one (&pacer, &taps, 10);
  g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, &taps, 10), 20 * MS, MS);
}

/* A dispatch that found little to do, however often, makes none too long that
 * does not. */
static void
test_luck (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  submit_one (&pacer, &taps, 10);
  submit_one (&pacer, &taps, 0.1);
  g_assert_cmpfloat (dispatch_ns (&pacer, &taps, 10), <, 50 * MS);
  /* Nothing that a clock can tell. */
  for (guint i = 0; i < 10; i++)
    submit_one (&pacer, &taps, 0);
  g_assert_cmpfloat (dispatch_ns (&pacer, &taps, 10), <, 50 * MS);
}

/* Where what was stated was measured, data that is cheap for long does not
 * make dispatches too long for data that is not. What does not depend on data is
 * as cheap as it is. */
static void
test_cheap_data (void)
{
  const GpuCost tests = { "tests", 10, TRUE };
  GpuPacer pacer;

  gpu_pacer_init (&pacer, TRUE);
  for (guint i = 0; i < 100; i++) {
    submit_one (&pacer, &tests, 0.1);
    submit_one (&pacer, &taps, 0.1);
  }
  g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, &tests, 10), 50 * MS,
      MS);
  g_assert_cmpfloat_with_epsilon (dispatch_ns (&pacer, &taps, 0.1), 20 * MS,
      MS);
}

/* Work that was measured to be short ends no submission, however long it was thought to be, or
 * may become by its data, unless together it may take too long; its dispatches are not longer
 * for that. Once it is measured to be long, it ends submissions again. */
static void
check_short (gboolean is_slow)
{
  const GpuCost tests = { "tests", 10, TRUE };
  GpuPacer pacer;

  gpu_pacer_init (&pacer, is_slow);
  gpu_pacer_begin (&pacer, TRUE);
  g_assert_true (gpu_pacer_take (&pacer, &taps, 500000));
  g_assert_true (gpu_pacer_take (&pacer, &tests, 500000));
  g_assert_false (gpu_pacer_take (&pacer, &taps, 1));
  gpu_pacer_measured (&pacer, taps.key, 500000, 0, 0);
  gpu_pacer_learn (&pacer, &pacer.aims, 0);
  g_assert_cmpfloat (gpu_pacer_estimate (&pacer, &taps, 500000), ==, 5 * MS);
  gpu_pacer_measured (&pacer, taps.key, 500000, 1000, 1000);
  gpu_pacer_measured (&pacer, tests.key, 500000, 1000, 1000);
  gpu_pacer_learn (&pacer, &pacer.aims, 2000);
  gpu_pacer_begin (&pacer, TRUE);
  for (guint i = 0; i < 25; i++) {
    g_assert_true (gpu_pacer_take (&pacer, &taps, 500000));
    g_assert_true (gpu_pacer_take (&pacer, &tests, 500000));
  }
  g_assert_false (gpu_pacer_take (&pacer, &taps, 500000));
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 500000);
  gpu_pacer_measured (&pacer, taps.key, 500000, 3 * MS, 3 * MS);
  gpu_pacer_learn (&pacer, &pacer.aims, 3 * MS);
  gpu_pacer_begin (&pacer, TRUE);
  for (guint i = 0; i < 3; i++)
    g_assert_true (gpu_pacer_take (&pacer, &taps, 500000));
  g_assert_false (gpu_pacer_take (&pacer, &taps, 500000));
}

static void
test_short (void)
{
  check_short (FALSE);
  check_short (TRUE);
}

/* A few items take as long as a dispatch takes to begin, which says nothing
 * of many. */
static void
test_few_items (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
  for (guint i = 0; i < 100; i++) {
    gpu_pacer_measured (&pacer, taps.key, 5, 0.1 * MS, 0.1 * MS);
    gpu_pacer_learn (&pacer, &pacer.aims, 3 * MS);
  }
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
  /* But many of them that make a long submission do. */
  for (guint i = 0; i < 1000; i++)
    gpu_pacer_measured (&pacer, taps.key, 5, 0.1 * MS, 0.1 * MS);
  gpu_pacer_learn (&pacer, &pacer.aims, 100 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 500000);
}

/* A submission was long for something else. */
static void
test_bystander (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  for (guint i = 0; i < 10; i++) {
    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
    gpu_pacer_measured (&pacer, taps.key, 100000, 10 * MS, 10 * MS);
    gpu_pacer_measured (&pacer, colours.key, 1000, 190 * MS, 190 * MS);
    gpu_pacer_learn (&pacer, &pacer.aims, 200 * MS);
  }
  gpu_pacer_measured (&pacer, taps.key, 1000000, 20 * MS, 10 * MS);
  gpu_pacer_learn (&pacer, &pacer.aims, 60 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 1000000);
}

/* What is looked at was recorded before other streams came. */
static void
test_aims_of_its_own (void)
{
  GpuPacer pacer;
  GpuPacerAims aims;

  gpu_pacer_init (&pacer, FALSE);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
  aims = pacer.aims;
  gpu_pacer_begin (&pacer, TRUE);
  gpu_pacer_measured (&pacer, taps.key, 1000000, 18 * MS, 18 * MS);
  gpu_pacer_learn (&pacer, &aims, 40 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 500000);
  gpu_pacer_measured (&pacer, taps.key, 1000000, 18 * MS, 18 * MS);
  gpu_pacer_learn (&pacer, &pacer.aims, 40 * MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 277777);
}

/* More kinds of work than are remembered: old ones begin anew. */
static void
test_many_costs (void)
{
  gchar keys[GPU_PACER_COSTS];
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  submit_one (&pacer, &taps, 1);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 4000000);
  for (guint i = 0; i < G_N_ELEMENTS (keys); i++) {
    const GpuCost cost = { &keys[i], 20 };

    g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &cost), ==, 1000000);
  }
  gpu_pacer_measured (&pacer, taps.key, 1, MS, MS);
  gpu_pacer_learn (&pacer, &pacer.aims, MS);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &taps), ==, 2000000);
}

/* What is stated otherwise is another cost. */
static void
test_stated_anew (void)
{
  const GpuCost others = { taps.key, 40 };
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  submit_one (&pacer, &taps, 1);
  g_assert_cmpuint (gpu_pacer_get_dispatch (&pacer, &others), ==, 500000);
}

static guint
count_looks (GpuPacer * pacer)
{
  guint n = 0;

  while (gpu_pacer_begin (pacer, FALSE))
    n++;
  return n;
}

/* What takes long is looked into command by command, for a while. */
static void
test_looks_where_long (void)
{
  GpuPacer pacer;

  gpu_pacer_init (&pacer, FALSE);
  for (guint i = 0; i < 100; i++) {
    g_assert_false (gpu_pacer_begin (&pacer, FALSE));
    gpu_pacer_take (&pacer, &taps, 100);
    gpu_pacer_learn (&pacer, &pacer.aims, MS);
  }
  gpu_pacer_learn (&pacer, &pacer.aims, 21 * MS);
  g_assert_cmpuint (count_looks (&pacer), >=, 8);
  /* Whether or not it took what was thought. */
  gpu_pacer_take (&pacer, &taps, 4000000);
  gpu_pacer_learn (&pacer, &pacer.aims, 40 * MS);
  g_assert_cmpuint (count_looks (&pacer), >=, 8);
}

/* So is what is thought to take long and does not, until that is known; but not
 * where it cannot be known, for it is too short to be measured. */
static void
test_looks_where_unknown (void)
{
  GpuPacer pacer;
  guint looks = 0;

  gpu_pacer_init (&pacer, FALSE);
  for (guint i = 0; i < 1000; i++) {
    looks += gpu_pacer_begin (&pacer, FALSE);
    gpu_pacer_take (&pacer, &taps, 3000000);
    gpu_pacer_measured (&pacer, taps.key, 3000000, 1000, 1000);
    gpu_pacer_learn (&pacer, &pacer.aims, 1000);
  }
  g_assert_cmpuint (looks, >=, 8);
  g_assert_cmpuint (looks, <, 100);

  for (guint i = 0; i < 20; i++) {
    gboolean is_timed = gpu_pacer_begin (&pacer, FALSE);

    gpu_pacer_take (&pacer, &colours, 30000);
    if (is_timed)
      gpu_pacer_measured (&pacer, colours.key, 30000, MS, MS);
    gpu_pacer_learn (&pacer, &pacer.aims, MS);
  }
  g_assert_cmpfloat_with_epsilon (gpu_pacer_estimate (&pacer, &colours, 30000),
      MS, MS / 10);
  for (guint i = 0; i < 100; i++) {
    count_looks (&pacer);
    gpu_pacer_take (&pacer, &colours, 30000);
    g_assert_false (gpu_pacer_begin (&pacer, FALSE));
  }
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

/* As if the device had timestamps of one ns, and were fast. */
static Fixture *
setup_clock (guint n_slots)
{
  Fixture *fixture = setup (n_slots);

  if (fixture->device->info.timestamp_period == 0)
    return fixture;
  fixture->device->info.timestamp_period = 1;
  fixture->device->timestamp_mask = G_MAXUINT64;
  fixture->device->queries_wait = FALSE;
  fixture->device->vk.vkGetQueryPoolResults = make_ticks;
  fixture->stream->pacer.is_slow = FALSE;
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
record_units (Fixture * fixture, const GpuCost * cost, guint64 units)
{
  g_assert_true (gpu_stream_pace (fixture->stream, cost, units, NULL));
  gpu_stream_measure (fixture->stream, cost, units);
  record_affine (fixture);
}

/* Nobody waits for these submissions; they teach when their slots are needed
 * again. */
static void
test_frames_in_flight (void)
{
  Fixture *fixture = setup_clock (3);

  command_ms = 5;
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps),
        ==, 2000000);
    begin_timed (fixture);
    record_units (fixture, &taps, 1000000);
    /* Of no known cost. */
    record_affine (fixture);
    submit (fixture->stream, NULL);
  }
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps),
      ==, has_clock (fixture) ? 4000000 : 2000000);
  wait_idle (fixture->stream);
  teardown (fixture);
}

static void
test_no_timestamps (void)
{
  Fixture *fixture = setup (1);

  fixture->device->info.timestamp_period = 0;
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (fixture->device, 1);
  forget_submitters (fixture->device);
  for (guint i = 0; i < 5; i++) {
    begin (fixture->stream);
    gpu_stream_stage (fixture->stream, "stage");
    record_units (fixture, &taps, 1);
    submit (fixture->stream, NULL);
    wait_idle (fixture->stream);
    gpu_stream_measured (fixture->stream, &colours, 1000000000, "stage");
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps),
        ==, 2000000);
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream,
            &colours), ==, 20000);
  }
  teardown (fixture);
}

/* What only the device could count. */
static void
test_measured_afterwards (void)
{
  Fixture *fixture = setup_clock (1);

  command_ms = 10;
  begin_timed (fixture);
  gpu_stream_stage (fixture->stream, "walk");
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps),
      ==, 2000000);
  for (guint i = 0; i < 3; i++)
    record_affine (fixture);
  gpu_stream_stage (fixture->stream, "rest");
  record_affine (fixture);
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  gpu_stream_measured (fixture->stream, &taps, 5000000, "walk");
  gpu_stream_measured (fixture->stream, &colours, 1, "nothing of that name");
  /* What was timed in part tells nothing. (That was long: now all would be.) */
  fixture->stream->pacer.looks = 0;
  begin (fixture->stream);
  gpu_stream_stage (fixture->stream, "before");
  record_affine (fixture);
  gpu_stream_stage (fixture->stream, "walk");
  for (guint i = 0; i < 2; i++) {
    record_affine (fixture);
    gpu_stream_time_commands (fixture->stream);
  }
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  gpu_stream_measured (fixture->stream, &taps, 1000000000, "walk");
  if (has_clock (fixture))
    g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps),
        ==, 3333333);
  teardown (fixture);
}

/* Long work is submitted piece by piece, in its stage, and no more than one
 * piece is on its way. */
static void
test_pieces (void)
{
  const GpuCost unknown = { NULL, 1 };
  Fixture *fixture = setup (3);
  guint64 serial;

  begin (fixture->stream);
  serial = gpu_stream_get_serial (fixture->stream);
  g_assert_true (gpu_stream_pace (fixture->stream, &unknown, 40 * MS, NULL));
  record_step (fixture, fixture->stream, 1, 0);
  g_assert_cmpuint (gpu_stream_get_serial (fixture->stream), ==, serial);
  gpu_stream_stage (fixture->stream, "stage");
  g_assert_true (gpu_stream_pace (fixture->stream, &unknown, 40 * MS, NULL));
  g_assert_cmpuint (gpu_stream_get_serial (fixture->stream), ==, serial + 1);
  g_assert_cmpstr (gpu_stream_get_stage (fixture->stream), ==, "stage");
  g_assert_cmpuint (host_word (fixture, 0), ==, affine_step (0, 1));
  g_assert_cmpuint (gpu_stream_get_units_left (fixture->stream, &unknown), ==,
      10 * MS);
  gpu_stream_abandon (fixture->stream);
  teardown (fixture);
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
  const GpuCost unknown = { NULL, 1 };
  Fixture *fixture = setup (2);
  g_autoptr (GError) error = NULL;

  begin (fixture->stream);
  gpu_stream_set_cancel (fixture->stream, is_unwanted, NULL);
  g_assert_true (gpu_stream_pace (fixture->stream, &unknown, 40 * MS, &error));
  g_assert_false (gpu_stream_pace (fixture->stream, &unknown, 40 * MS, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
  teardown (fixture);
}

/* --- several streams --- */

/* What is submitted stays new, however slow the machine. */
static guint64
taps_of_new_submission (GpuStream * stream)
{
  guint64 units;

  begin (stream);
  units = gpu_stream_get_units_left (stream, &taps);
  g_assert_true (gpu_stream_pace (stream, &taps, 1, NULL));
  submit (stream, NULL);
  gpu_stream_get_device (stream)->submitters[0].time += 10 * G_USEC_PER_SEC;
  return units;
}

/* Nobody makes room for what was not paced: a copy for who maps a frame. */
static void
test_copies (void)
{
  Fixture *fixture = setup (2);
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
  teardown (fixture);
}

/* Nor for a stream that is gone, but for the one before it. */
static void
test_gone (void)
{
  Fixture *fixture = setup (2);
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
  teardown (fixture);
}

/* A submission that was recorded when the device was the stream's own is not
 * too long because it no longer is. */
static void
test_others_come (void)
{
  Fixture *fixture = setup_clock (2);
  GpuStream *other = new_stream (fixture->device, 1);

  command_ms = 8;
  forget_submitters (fixture->device);
  begin_timed (fixture);
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps), ==,
      2000000);
  /* As if it were dearer than stated. */
  record_units (fixture, &taps, 400000);
  submit (fixture->stream, NULL);
  taps_of_new_submission (other);
  begin (fixture->stream);
  wait_idle (fixture->stream);
  g_assert_cmpuint (gpu_stream_get_dispatch_units (fixture->stream, &taps), ==,
      500000);
  gpu_stream_abandon (fixture->stream);
  gpu_stream_unref (other);
  teardown (fixture);
}

/* Streams that have work make each other's submissions shorter; one that had
 * some once does not. */
static void
test_streams (void)
{
  Fixture *fixture = setup (2);
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
  teardown (fixture);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pacer/stated", test_stated);
  g_test_add_func ("/pacer/dear", test_dear);
  g_test_add_func ("/pacer/submissions", test_submissions);
  g_test_add_func ("/pacer/shared", test_shared);
  g_test_add_func ("/pacer/learns", test_learns);
  g_test_add_func ("/pacer/hiccup", test_hiccup);
  g_test_add_func ("/pacer/luck", test_luck);
  g_test_add_func ("/pacer/cheap-data", test_cheap_data);
  g_test_add_func ("/pacer/short", test_short);
  g_test_add_func ("/pacer/few-items", test_few_items);
  g_test_add_func ("/pacer/bystander", test_bystander);
  g_test_add_func ("/pacer/aims-of-its-own", test_aims_of_its_own);
  g_test_add_func ("/pacer/many-costs", test_many_costs);
  g_test_add_func ("/pacer/stated-anew", test_stated_anew);
  g_test_add_func ("/pacer/looks-where-long", test_looks_where_long);
  g_test_add_func ("/pacer/looks-where-unknown", test_looks_where_unknown);
  gpu_fixture_add_test ("/pacer/frames-in-flight", test_frames_in_flight);
  gpu_fixture_add_test ("/pacer/no-timestamps", test_no_timestamps);
  gpu_fixture_add_test ("/pacer/measured-afterwards", test_measured_afterwards);
  gpu_fixture_add_test ("/pacer/pieces", test_pieces);
  gpu_fixture_add_test ("/pacer/cancelled", test_cancelled);
  gpu_fixture_add_test ("/pacer/copies", test_copies);
  gpu_fixture_add_test ("/pacer/gone", test_gone);
  gpu_fixture_add_test ("/pacer/others-come", test_others_come);
  gpu_fixture_add_test ("/pacer/streams", test_streams);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
