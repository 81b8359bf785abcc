/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is traced: a line for each wait, build, allocation and submission; and what a
 * stream counts of these. */
#include "affine.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "stream_fixture.h"
#include "test_shaders.h"
#include "tests.h"

#define MS 1000000

/* --- lines --- */

static GMutex lock;
static GPtrArray *lines;        /* with the lock */
static gboolean is_wanted = TRUE;

static gboolean
ask (gpointer wanted)
{
  return *(gboolean *) wanted;
}

static void
keep_line (const gchar * line, gpointer data)
{
  g_mutex_lock (&lock);
  g_ptr_array_add (lines, g_strdup (line));
  g_mutex_unlock (&lock);
}

static const GpuTracer tracer = { ask, keep_line, &is_wanted };

/* How many lines are like @pattern, a regular expression for all of a line behind the
 * time. */
static guint
count_lines (const gchar * what, const gchar * pattern)
{
  g_autofree gchar *whole = g_strdup_printf ("^%s [0-9]+\\.[0-9]{3} ms, %s$",
      what, pattern);
  guint n = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < lines->len; i++)
    n += g_regex_match_simple (whole, g_ptr_array_index (lines, i), 0, 0);
  g_mutex_unlock (&lock);
  return n;
}

static guint
count_all (void)
{
  return count_lines ("[a-z]+", ".+: .+");
}

/* From now on; what was traced before is forgotten. */
static void
trace_into_lines (void)
{
  gpu_trace_set (NULL);
  is_wanted = TRUE;
  g_ptr_array_set_size (lines, 0);
  gpu_trace_set (&tracer);
}

static void
end (Fixture * fixture)
{
  gpu_trace_set (NULL);
  teardown (fixture);
}

/* Nothing is done before somebody waits for it. */
GPU_HOOK_RETURNS (not_ready, VK_NOT_READY, VkDevice device, VkFence fence);

static void
submit_step (Fixture * fixture, GpuTicket * ticket)
{
  gpu_stream_next_frame (fixture->stream);
  do_step (fixture, 1, 0, ticket);
}

static gboolean
allow_building (gpointer is_held)
{
  if (*(gboolean *) is_held)
    gpu_hooks_allow_builds ();
  *(gboolean *) is_held = FALSE;
  return TRUE;
}

/* Builds a kernel, unless it is there, after this thread has begun to wait for it. */
static void
build (GpuDevice * device, guint32 constant)
{
  gboolean is_held = TRUE;
  GpuKernel *kernel;

  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  kernel =
      OK (gpu_kernel_request (device, &gpu_shader_affine, &constant, 1,
          GPU_KERNEL_SOON, &error));
  g_assert_true (gpu_kernel_wait (kernel, allow_building, &is_held, NULL));
  allow_building (&is_held);
  gpu_hooks_leave_builds (device);
}

/* --- tests --- */

TEST (waits)
{
  Fixture *fixture = setup (2);
  GpuTicket ticket = { NULL, 0 };

  fixture->device->vk.vkGetFenceStatus = not_ready;
  trace_into_lines ();
  for (guint i = 0; i < 3; i++)
    submit_step (fixture, NULL);
  /* The fixture had one before. */
  g_assert_cmpuint (count_lines ("wait",
          "stream test, submission 2 of frame 1: "
          "frame 3 needs a slot, and none of 2 is free"), ==, 1);
  wait_idle (fixture->stream);
  g_assert_cmpuint (count_lines ("wait",
          "stream test, submission 4 of frame 3: "
          "the caller needs all of it to be done"), ==, 1);
  submit_step (fixture, &ticket);
  g_assert_true (gpu_ticket_wait_because (&ticket, "because of this", NULL));
  g_assert_cmpuint (count_lines ("wait",
          "stream test, submission 5 of frame 4: " "because of this"), ==, 1);
  /* What is known to be done is not waited for. */
  g_assert_true (gpu_ticket_wait_because (&ticket, "because of this", NULL));
  submit_step (fixture, &ticket);
  g_assert_true (gpu_ticket_wait (&ticket, NULL));
  g_assert_cmpuint (count_lines ("wait", ".*"), ==, 4);
  gpu_ticket_clear (&ticket);
  submit_step (fixture, NULL);
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  g_assert_cmpuint (count_lines ("wait",
          "stream test, submission 7 of frame 6: "
          "the stream goes: its work must be done first"), ==, 1);
  end (fixture);
}

GPU_HOOK_RETURNS (ready, VK_SUCCESS, VkDevice device, VkFence fence);

/* What is done is only not known to be: nobody waits. */
TEST (no_wait)
{
  Fixture *fixture = setup (1);

  trace_into_lines ();
  submit_step (fixture, NULL);
  fixture->device->vk.vkGetFenceStatus = ready;
  wait_idle (fixture->stream);
  g_assert_cmpuint (count_lines ("wait", ".*"), ==, 0);
  end (fixture);
}

TEST (submissions)
{
  Fixture *fixture = setup (2);

  trace_into_lines ();
  submit_step (fixture, NULL);
  submit_step (fixture, NULL);
  begin (fixture->stream);
  gpu_stream_abandon (fixture->stream);
  g_assert_cmpuint (count_lines ("submit",
          "stream test, submission 2 of frame 1: all is recorded"), ==, 1);
  g_assert_cmpuint (count_lines ("submit", ".*"), ==, 2);
  wait_idle (fixture->stream);
  end (fixture);
}

TEST (allocations)
{
  Fixture *fixture = setup (1);
  GpuBuffer *small, *large;

  trace_into_lines ();
  small = new_buffer (fixture->device, GPU_BUFFER_DEVICE, 4096);
  g_assert_cmpuint (count_lines ("allocate",
          "buffer test, 16384 bytes of device memory: not within a frame"), ==,
      1);
  gpu_stream_next_frame (fixture->stream);
  begin (fixture->stream);
  /* More than is left of any block. */
  large = new_buffer (fixture->device, GPU_BUFFER_HOST, 80 << 18);
  gpu_stream_abandon (fixture->stream);
  g_assert_cmpuint (count_lines ("allocate",
          "buffer test, 83886080 bytes of host memory: within frame 1 of test"),
      ==, 1);
  g_assert_cmpuint (count_lines ("allocate",
          "83886080 bytes of host memory from "
          "the driver: no block has 83886080 bytes left"), ==, 1);
  gpu_buffer_unref (small);
  gpu_buffer_unref (large);
  gpu_stream_unref (new_stream (fixture->device, 3));
  g_assert_cmpuint (count_lines ("allocate", "stream test, 3 slots: it is new"),
      ==, 1);
  end (fixture);
}

/* Descriptors of a recording that has more dispatches than any. */
TEST (growth)
{
  Fixture *fixture = setup (1);
  GpuBuffer *other = new_buffer (fixture->device, GPU_BUFFER_DEVICE, N);

  trace_into_lines ();
  gpu_stream_next_frame (fixture->stream);
  begin (fixture->stream);
  for (guint i = 0; i < 129; i++) {
    affine_record (fixture->stream, fixture->kernel,
        i % 2 ? other : fixture->work, N, 1);
  }
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (count_lines ("allocate",
          "64 more sets of descriptors: within frame 1 of test"), ==, 1);
  gpu_buffer_unref (other);
  end (fixture);
}

TEST (builds)
{
  Fixture *fixture = setup (1);
  GpuStreamCounts counts;
  const guint32 in_background = 3;

  trace_into_lines ();
  build (fixture->device, 1);
  g_assert_cmpuint (count_lines ("wait", "kernel affine: not within a frame"),
      ==, 1);
  gpu_stream_next_frame (fixture->stream);
  begin (fixture->stream);
  build (fixture->device, 2);
  /* That is there now. */
  build (fixture->device, 2);
  g_assert_nonnull (gpu_kernel_request (fixture->device, &gpu_shader_affine,
          &in_background, 1, GPU_KERNEL_LATER, NULL));
  gpu_kernels_wait (fixture->device);
  gpu_stream_abandon (fixture->stream);
  build (fixture->device, 4);
  g_assert_cmpuint (count_lines ("wait", "kernel affine: within frame 1 of "
          "test"), ==, 1);
  g_assert_cmpuint (count_lines ("build",
          "kernel affine: a later frame may need it"), ==, 1);
  g_assert_cmpuint (count_lines ("build",
          "kernel affine: the next frame needs it"), ==, 3);
  g_assert_cmpuint (count_lines ("build", ".*"), ==, 4);
  g_assert_cmpuint (count_lines ("wait",
          "builds: the caller needs all that was requested"), ==, 1);
  gpu_stream_get_counts (fixture->stream, &counts);
  g_assert_cmpuint (counts.builds, ==, 1);
  end (fixture);
}

/* A build counts for the recording that its thread began last and has not ended,
 * whichever of them ends first. Without a tracer, too. */
TEST (nested)
{
  Fixture *fixture = setup (1);
  GpuStream *other = new_stream (fixture->device, 1);
  GpuStreamCounts counts;

  begin (fixture->stream);
  begin (other);
  build (fixture->device, 1);
  gpu_stream_abandon (fixture->stream);
  build (fixture->device, 2);
  submit (other, NULL);
  build (fixture->device, 3);
  begin (fixture->stream);
  begin (other);
  gpu_stream_abandon (other);
  build (fixture->device, 4);
  submit (fixture->stream, NULL);
  gpu_stream_get_counts (other, &counts);
  g_assert_cmpuint (counts.builds, ==, 2);
  gpu_stream_get_counts (fixture->stream, &counts);
  g_assert_cmpuint (counts.builds, ==, 1);
  gpu_stream_unref (other);
  wait_idle (fixture->stream);
  end (fixture);
}

/* Why a frame is cut in two, and how often the rest waited for that. */
TEST (parts)
{
  const gchar *pacer = "stream test, submission 2 of frame 1: pacer: 40\\.0 ms "
      "recorded, 30\\.0 ms more exceed 50 ms";
  const gchar *part = "stream test, submission 3 of frame 1: the rest of the "
      "frame depends on what is found so far";
  Fixture *fixture = setup (3);
  GpuStream *stream = fixture->stream;
  GpuStreamCounts counts;

  fixture->device->vk.vkGetFenceStatus = not_ready;
  stream->pacer.first_ns = 1;
  trace_into_lines ();
  gpu_stream_next_frame (stream);
  begin (stream);
  gpu_stream_pace (stream, NULL, 40 * MS);
  gpu_stream_get_counts (stream, &counts);
  g_assert_cmpuint (counts.pacer_waits, ==, 0);
  record_step (fixture, stream, 1, 0);
  gpu_stream_pace (stream, NULL, 30 * MS);
  gpu_stream_get_counts (stream, &counts);
  g_assert_cmpuint (counts.pacer_waits, ==, 1);
  g_assert_cmpuint (counts.part_waits, ==, 0);
  record_step (fixture, stream, 1, 0);
  g_assert_true (gpu_stream_go_on (stream, NULL));
  gpu_stream_get_counts (stream, &counts);
  g_assert_cmpuint (counts.pacer_waits, ==, 1);
  g_assert_cmpuint (counts.part_waits, ==, 1);
  g_assert_cmpuint (counts.slot_waits, ==, 0);
  submit (stream, NULL);
  g_assert_cmpuint (count_lines ("submit", pacer), ==, 1);
  g_assert_cmpuint (count_lines ("wait", pacer), ==, 1);
  g_assert_cmpuint (count_lines ("submit", part), ==, 1);
  g_assert_cmpuint (count_lines ("wait", part), ==, 1);
  g_assert_cmpuint (count_lines ("submit", ".*: all is recorded"), ==, 1);
  wait_idle (stream);
  end (fixture);
}

/* Before there is a stream. */
TEST (opening)
{
  GpuDevice *device;

  trace_into_lines ();
  device = gpu_fixture_open_another ();
  gpu_trace_set (NULL);
  g_assert_cmpuint (count_lines ("build",
          "kernel subgroup_probe: the device is " "opened and tried out"), ==,
      1);
  g_assert_cmpuint (count_lines ("wait",
          "device .*: the device is opened and tried out"), ==, 1);
  gpu_device_unref (device);
}

/* Nothing is written, and nothing formatted, for nobody. */
TEST (off)
{
  Fixture *fixture = setup (1);

  trace_into_lines ();
  is_wanted = FALSE;
  g_assert_false (gpu_trace_is_on ());
  g_assert_cmpint (gpu_trace_begin (), ==, 0);
  g_assert_null (gpu_trace_reason ("%d", 1));
  submit_step (fixture, NULL);
  is_wanted = TRUE;
  gpu_trace_set (NULL);
  g_assert_false (gpu_trace_is_on ());
  g_assert_cmpint (gpu_trace_begin (), ==, 0);
  build (fixture->device, 1);
  gpu_buffer_unref (new_buffer (fixture->device, GPU_BUFFER_DEVICE, N));
  wait_idle (fixture->stream);
  g_assert_cmpuint (count_all (), ==, 0);
  g_assert_cmpuint (lines->len, ==, 0);
  /* Every line is as the others. */
  gpu_trace_set (&tracer);
  submit_step (fixture, NULL);
  wait_idle (fixture->stream);
  g_assert_cmpuint (count_all (), >, 0);
  g_assert_cmpuint (count_all (), ==, lines->len);
  end (fixture);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  lines = g_ptr_array_new_with_free_func (g_free);
  tests_add ("/trace/", gpu_fixture_add_test);
  result = g_test_run ();
  g_ptr_array_unref (lines);
  gpu_fixture_close ();
  return result;
}
