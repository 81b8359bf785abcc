/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "affine.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"

#include <string.h>

/* --- the sums --- */

static const GpuTickClock nanoseconds = {.mask = G_MAXUINT64, .period = 1};

static void
test_sums (void)
{
  static const GpuStageRecord records[] = {
    {"rows", 2}, {"columns", 1}, {"columns", 1, TRUE}, {"rows", 5},
  };
  static const guint64 ticks[] = { 1000, 1010, 1030, 1040, 1045 };
  static const GpuTickClock slow = {.mask = G_MAXUINT64, .period = 2.5};
  GpuTimings timings = { 0 };
  guint64 first_tick = 0;

  gpu_timings_add (&timings, records, 4, ticks, &slow, &first_tick);
  g_assert_cmpuint (timings.submissions, ==, 1);
  g_assert_cmpuint (timings.n_stages, ==, 2);
  g_assert_cmpstr (timings.stages[0].name, ==, "rows");
  g_assert_cmpuint (timings.stages[0].count, ==, 2);
  g_assert_cmpuint (timings.stages[0].dispatches, ==, 7);
  g_assert_cmpuint (timings.stages[0].total, ==, 25 + 12);
  g_assert_cmpuint (timings.stages[0].longest, ==, 25);
  g_assert_cmpstr (timings.stages[1].name, ==, "columns");
  g_assert_cmpuint (timings.stages[1].count, ==, 1);
  g_assert_cmpuint (timings.stages[1].dispatches, ==, 2);
  g_assert_cmpuint (timings.stages[1].total, ==, 75);
  g_assert_cmpuint (timings.stages[1].longest, ==, 50);
  g_assert_cmpuint (timings.longest_dispatch, ==, 50);
  g_assert_cmpuint (timings.span, ==, 112);
  g_assert_cmpuint (timings.longest_submission, ==, 112);
}

/* From the first submission of a frame to the last, gaps included. */
static void
test_span (void)
{
  static const GpuStageRecord records[] = { {"solve", 1}, {"apply", 1} };
  static const guint64 ticks[][3] = {
    {100, 110, 150}, {1000, 1200, 1210}, {2000, 2001, 2002},
  };
  GpuTimings timings = { 0 };
  guint64 first_tick = 0;

  for (guint i = 0; i < 3; i++)
    gpu_timings_add (&timings, records, 2, ticks[i], &nanoseconds, &first_tick);
  g_assert_cmpuint (timings.submissions, ==, 3);
  g_assert_cmpuint (timings.span, ==, 2002 - 100);
  g_assert_cmpuint (timings.longest_submission, ==, 210);
  g_assert_cmpuint (timings.stages[0].total, ==, 10 + 200 + 1);
  g_assert_cmpuint (timings.stages[0].longest, ==, 200);
  g_assert_cmpuint (timings.stages[1].count, ==, 3);
}

/* What transfer queues copy is added, as it was before if it was not timed. */
static void
test_copies (void)
{
  static const GpuStageRecord records[] = { {"blur", 1} };
  static const guint64 ticks[] = { 100, 150 }, upload = 20, download = 30;
  GpuTimings before = { 0 }, now = { 0 };
  guint64 first_tick = 0;

  gpu_timings_add_copy (&before, "upload", &upload);
  gpu_timings_add (&before, records, 1, ticks, &nanoseconds, &first_tick);
  gpu_timings_add_copy (&before, "download", &download);
  gpu_timings_fill_in (&before, &now);
  g_assert_cmpstr (before.stages[0].name, ==, "upload");
  g_assert_cmpuint (before.stages[0].total, ==, 20);
  g_assert_cmpuint (before.span, ==, 20 + 50 + 30);
  g_assert_cmpuint (before.longest_submission, ==, 50);

  gpu_timings_add_copy (&now, "upload", NULL);
  gpu_timings_add (&now, records, 1, ticks, &nanoseconds, &first_tick);
  gpu_timings_fill_in (&now, &before);
  g_assert_cmpuint (now.stages[0].longest, ==, 20);
  g_assert_cmpuint (now.span, ==, 20 + 50);
}

/* Counters of fewer than 64 bits run over. */
static void
test_overflow (void)
{
  static const GpuStageRecord records[] = { {"stage", 1} };
  static const guint64 ticks[][2] = {
    {0xffffffff0, 0xffffffff8}, {0xffffffffc, 0x4}, {0x10, 0x20}
  };
  static const GpuTickClock narrow = {.mask = 0xfffffffff, .period = 1};
  GpuTimings timings = { 0 };
  guint64 first_tick = 0;

  for (guint i = 0; i < 3; i++)
    gpu_timings_add (&timings, records, 1, ticks[i], &narrow, &first_tick);
  g_assert_cmpuint (timings.stages[0].total, ==, 8 + 8 + 16);
  g_assert_cmpuint (timings.longest_submission, ==, 16);
  g_assert_cmpuint (timings.span, ==, 0x30);
}

static void
test_many_names (void)
{
  static const GpuTickClock none = { 0 };
  GpuStageRecord records[GPU_MAX_STAGES + 5];
  gchar names[GPU_MAX_STAGES + 5][8];
  GpuTimings timings = { 0 };
  guint64 first_tick = 0;

  for (guint i = 0; i < G_N_ELEMENTS (records); i++) {
    g_snprintf (names[i], sizeof names[i], "%u", i);
    records[i].name = names[i];
    records[i].dispatches = 1;
  }
  for (guint i = 0; i < 2; i++)
    gpu_timings_add (&timings, records, G_N_ELEMENTS (records), NULL, &none,
        &first_tick);
  g_assert_cmpuint (timings.n_stages, ==, GPU_MAX_STAGES);
  for (guint i = 0; i < GPU_MAX_STAGES; i++) {
    g_assert_cmpstr (timings.stages[i].name, ==, names[i]);
    g_assert_cmpuint (timings.stages[i].dispatches, ==,
        i < GPU_MAX_STAGES - 1 ? 2 : 12);
  }
  g_assert_cmpuint (timings.span, ==, 0);
}

/* Only what lies between two timestamps is known; what was not timed is as it was
 * before, if it ever was. */
static void
test_in_part (void)
{
  static const GpuStageRecord timed[] = { {"rows", 1}, {"columns", 1} };
  static const guint64 all_ticks[] = { 0, 30, 100 };
  static const GpuStageRecord records[] = {
    {"new", 1}, {"rows", 2,.is_joined = TRUE}, {"columns", 1},
    {"rows", 3}, {"columns", 1,.is_joined = TRUE},
  };
  static const guint64 ticks[] = { 1000, 1010, 1030, 1070 };
  GpuTimings before = { 0 }, timings = { 0 };
  guint64 first_tick = 0;

  gpu_timings_add (&before, timed, 2, all_ticks, &nanoseconds, &first_tick);
  gpu_timings_add (&timings, records, 5, ticks, &nanoseconds, &first_tick);
  gpu_timings_add (&timings, &records[3], 1, &ticks[1], &nanoseconds,
      &first_tick);
  g_assert_cmpuint (timings.longest_dispatch, ==, 20);
  gpu_timings_fill_in (&timings, &before);
  g_assert_cmpuint (timings.n_stages, ==, 3);
  g_assert_cmpuint (timings.stages[0].total, ==, 0);
  g_assert_cmpuint (timings.stages[1].dispatches, ==, 8);
  g_assert_cmpuint (timings.stages[1].total, ==, 30);
  g_assert_cmpuint (timings.stages[2].total, ==, 70);
  g_assert_cmpuint (timings.stages[2].longest, ==, 70);
  g_assert_cmpuint (timings.longest_dispatch, ==, 70);
  g_assert_cmpuint (timings.longest_submission, ==, 70);
}

/* --- as a stream reports them --- */

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuKernel *kernel;
  GpuBuffer *buffer;
} Fixture;

static void
setup (Fixture * fixture, gboolean has_timestamps)
{
  g_autoptr (GError) error = NULL;

  fixture->device = gpu_fixture_open_another ();
  if (!has_timestamps)
    fixture->device->info.timestamp_period = 0;
  fixture->stream = gpu_stream_new (fixture->device, 3, "test", &error);
  g_assert_no_error (error);
  fixture->kernel = affine_kernel_get (fixture->device);
  fixture->buffer = gpu_buffer_new (fixture->device, GPU_BUFFER_DEVICE,
      4096 * 4, "test", &error);
  g_assert_no_error (error);
}

static void
teardown (Fixture * fixture)
{
  gpu_stream_unref (fixture->stream);
  gpu_buffer_unref (fixture->buffer);
  gpu_device_unref (fixture->device);
}

static void
record_stage (Fixture * fixture, const gchar * name, guint dispatches)
{
  gpu_stream_stage (fixture->stream, name);
  for (guint i = 0; i < dispatches; i++) {
    affine_record (fixture->stream, fixture->kernel, fixture->buffer, 4096, i);
  }
}

static void
begin (Fixture * fixture)
{
  g_assert_true (gpu_stream_begin (fixture->stream, NULL));
}

static void
submit (Fixture * fixture)
{
  g_assert_true (gpu_stream_submit (fixture->stream, NULL, NULL));
}

static void
check_frames (gboolean has_timestamps)
{
  Fixture fixture;
  GpuTimings timings;
  guint64 newest;

  setup (&fixture, has_timestamps);
  if (fixture.device->info.timestamp_period == 0)
    g_assert_true (fixture.stream->slots[0].queries == VK_NULL_HANDLE);
  gpu_stream_get_timings (fixture.stream, &timings);
  g_assert_cmpuint (timings.submissions, ==, 0);
  for (guint frame = 1; frame <= 5; frame++) {
    gpu_stream_time_next_frame (fixture.stream);
    gpu_stream_next_frame (fixture.stream);
    for (guint i = 0; i < frame; i++) {
      begin (&fixture);
      /* Work that comes before any name counts. */
      gpu_stream_fill (fixture.stream, fixture.buffer, 0, 4096 * 4, i);
      record_stage (&fixture, "rows", 2);
      record_stage (&fixture, "columns", 1);
      record_stage (&fixture, "rows", 3);
      submit (&fixture);
    }
  }
  g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  gpu_stream_get_timings (fixture.stream, &timings);
  g_assert_cmpuint (timings.frame, ==, 5);
  g_assert_cmpuint (gpu_stream_get_frame_time (fixture.stream, &newest), ==,
      timings.span);
  g_assert_cmpuint (newest, ==, 5);
  g_assert_cmpuint (timings.submissions, ==, 5);
  g_assert_cmpuint (timings.n_stages, ==, 3);
  g_assert_cmpstr (timings.stages[0].name, ==, "unnamed");
  g_assert_cmpstr (timings.stages[1].name, ==, "rows");
  g_assert_cmpuint (timings.stages[1].count, ==, 10);
  g_assert_cmpuint (timings.stages[1].dispatches, ==, 25);
  g_assert_cmpstr (timings.stages[2].name, ==, "columns");
  g_assert_cmpuint (timings.stages[2].dispatches, ==, 5);

  if (has_timestamps && fixture.device->info.timestamp_period > 0) {
    guint64 sum = 0;

    for (guint i = 0; i < timings.n_stages; i++) {
      sum += timings.stages[i].total;
      g_assert_cmpuint (timings.stages[i].longest, <=, timings.stages[i].total);
    }
    g_assert_cmpuint (timings.stages[1].total, >, 0);
    /* Sums round down stage by stage. */
    g_assert_cmpuint (timings.span + 20, >=, sum);
    g_assert_cmpuint (timings.longest_submission, <=, timings.span);
    g_assert_cmpuint (timings.longest_submission, >, 0);
  } else {
    g_assert_cmpuint (timings.span, ==, 0);
    g_assert_cmpuint (timings.stages[1].total, ==, 0);
  }
  teardown (&fixture);
}

static void
test_frames (void)
{
  check_frames (TRUE);
}

/* Each dispatch, fill and copy is timed alone, under its stage's name; a stage
 * goes on counting as one. */
static void
test_parts (void)
{
  Fixture fixture;
  GpuTimings frame;

  setup (&fixture, TRUE);
  gpu_stream_next_frame (fixture.stream);
  for (guint i = 1; i <= 2; i++) {
    GpuSlot *slot;

    begin (&fixture);
    g_assert_null (gpu_stream_get_stage (fixture.stream));
    gpu_stream_stage (fixture.stream, "stage");
    gpu_stream_fill (fixture.stream, fixture.buffer, 0, 4096 * 4, 0);
    record_stage (&fixture, "rows", 3 * i);
    g_assert_cmpstr (gpu_stream_get_stage (fixture.stream), ==, "rows");
    gpu_stream_copy (fixture.stream, fixture.buffer, 0, fixture.buffer, 4096,
        4096);
    slot = fixture.stream->recording;
    g_assert_cmpuint (slot->n_records, ==, 1 + 3 * i + 1);
    submit (&fixture);
  }
  g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  gpu_stream_get_timings (fixture.stream, &frame);
  g_assert_cmpuint (frame.stages[1].count, ==, 2);
  g_assert_cmpuint (frame.stages[1].dispatches, ==, 9);
  if (fixture.device->info.timestamp_period > 0) {
    g_assert_cmpuint (frame.stages[1].longest, <, frame.stages[1].total);
    g_assert_cmpuint (frame.longest_dispatch, >=, frame.stages[1].longest);
    g_assert_cmpuint (frame.longest_dispatch, <, frame.longest_submission);
  }
  teardown (&fixture);
}

/* A frame in several submissions is told of when the last of them is done, and then
 * all of it. */
static void
test_split (void)
{
  Fixture fixture;
  GpuTimings timings;

  setup (&fixture, TRUE);
  for (guint frame = 1; frame <= 3; frame++) {
    gpu_stream_time_next_frame (fixture.stream);
    gpu_stream_next_frame (fixture.stream);
    begin (&fixture);
    for (guint part = 1; part < frame; part++) {
      record_stage (&fixture, "rows", part);
      g_assert_true (gpu_stream_go_on (fixture.stream, NULL));
      gpu_stream_get_timings (fixture.stream, &timings);
      g_assert_cmpuint (timings.frame, ==, frame - 1);
      g_assert_cmpuint (timings.submissions, ==, frame - 1);
    }
    record_stage (&fixture, "rows", frame);
    submit (&fixture);
    g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  }
  gpu_stream_get_timings (fixture.stream, &timings);
  g_assert_cmpuint (timings.frame, ==, 3);
  g_assert_cmpuint (timings.submissions, ==, 3);
  g_assert_cmpuint (timings.n_stages, ==, 1);
  g_assert_cmpuint (timings.stages[0].count, ==, 3);
  g_assert_cmpuint (timings.stages[0].dispatches, ==, 1 + 2 + 3);
  if (fixture.device->info.timestamp_period > 0) {
    g_assert_cmpuint (timings.stages[0].total, >, timings.stages[0].longest);
    g_assert_cmpuint (timings.span, >=, timings.stages[0].total);
    g_assert_cmpuint (timings.span, >, timings.longest_submission);
  }
  teardown (&fixture);
}

/* Timed from a command on, which may be the first of a stage that is open. */
static void
test_from_now_on (void)
{
  Fixture fixture;
  GpuTimings timings;

  setup (&fixture, TRUE);
  begin (&fixture);
  record_stage (&fixture, "before", 2);
  gpu_stream_stage (fixture.stream, "behind");
  gpu_stream_time_commands (fixture.stream);
  record_stage (&fixture, "behind", 2);
  submit (&fixture);
  g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  gpu_stream_get_timings (fixture.stream, &timings);
  g_assert_cmpuint (timings.n_stages, ==, 2);
  g_assert_true (timings.stages[0].is_in_part);
  g_assert_cmpuint (timings.stages[0].total, ==, 0);
  g_assert_false (timings.stages[1].is_in_part);
  if (fixture.device->info.timestamp_period > 0)
    g_assert_cmpuint (timings.stages[1].total, >, 0);
  teardown (&fixture);
}

static void
test_no_timestamps (void)
{
  check_frames (FALSE);
}

/* Stages that a slot has no room for run on under the last name. */
static void
test_many_stages (void)
{
  Fixture fixture;
  GpuTimings timings;

  setup (&fixture, TRUE);
  gpu_stream_next_frame (fixture.stream);
  for (guint i = 0; i < 2; i++) {
    begin (&fixture);
    for (guint k = 1; k < GPU_MAX_RECORDS; k++)
      gpu_stream_stage (fixture.stream, "many");
    record_stage (&fixture, "last", 1);
    for (guint k = 0; k < 10; k++)
      record_stage (&fixture, "too many", 1);
    submit (&fixture);
    g_assert_true (gpu_stream_wait_idle (fixture.stream, NULL));
  }
  gpu_stream_get_timings (fixture.stream, &timings);
  g_assert_cmpuint (timings.submissions, ==, 2);
  g_assert_cmpuint (timings.n_stages, ==, 2);
  g_assert_cmpuint (timings.stages[0].count, ==, 2 * (GPU_MAX_RECORDS - 1));
  g_assert_cmpstr (timings.stages[1].name, ==, "last");
  g_assert_cmpuint (timings.stages[1].count, ==, 2);
  g_assert_cmpuint (timings.stages[1].dispatches, ==, 22);
  teardown (&fixture);
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/timings/sums", test_sums);
  g_test_add_func ("/timings/span", test_span);
  g_test_add_func ("/timings/copies", test_copies);
  g_test_add_func ("/timings/overflow", test_overflow);
  g_test_add_func ("/timings/many-names", test_many_names);
  g_test_add_func ("/timings/in-part", test_in_part);
  gpu_fixture_add_test ("/timings/frames", test_frames);
  gpu_fixture_add_test ("/timings/parts", test_parts);
  gpu_fixture_add_test ("/timings/split", test_split);
  gpu_fixture_add_test ("/timings/from-now-on", test_from_now_on);
  gpu_fixture_add_test ("/timings/no-timestamps", test_no_timestamps);
  gpu_fixture_add_test ("/timings/many-stages", test_many_stages);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
