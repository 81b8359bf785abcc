/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "affine.h"
#include "gpu/core/stream/ring.h"
#include "gpu_fixture.h"
#include "stream_fixture.h"
#include "tests.h"

/* --- the sums --- */

static const GpuTickClock nanoseconds = {.mask = G_MAXUINT64, .period = 1};

static void
assert_timings (const GpuTimings * timings, const GpuTimings * expected)
{
  g_assert_cmpuint (timings->submissions, ==, expected->submissions);
  g_assert_cmpuint (timings->span, ==, expected->span);
  g_assert_cmpuint (timings->longest_dispatch, ==, expected->longest_dispatch);
  g_assert_cmpuint (timings->longest_submission, ==,
      expected->longest_submission);
  g_assert_cmpuint (timings->n_stages, ==, expected->n_stages);
  for (guint i = 0; i < expected->n_stages; i++) {
    const GpuStageTime *stage = &timings->stages[i];

    g_assert_cmpstr (stage->name, ==, expected->stages[i].name);
    g_assert_cmpuint (stage->count, ==, expected->stages[i].count);
    g_assert_cmpuint (stage->dispatches, ==, expected->stages[i].dispatches);
    g_assert_cmpuint (stage->total, ==, expected->stages[i].total);
    g_assert_cmpuint (stage->longest, ==, expected->stages[i].longest);
  }
}

/* Submissions of a frame with the same records, and what is said of the frame. */
typedef struct
{
  const gchar *name;
  GpuStageRecord records[4];
  guint n_records;
  GpuTickClock clock;
  guint64 ticks[3][5];
  GpuTimings expected;
} Sums;

static const Sums sums[] = {
  /* By name, and a stage goes on counting as one. */
  {"sums", {{"rows", 2}, {"columns", 1}, {"columns", 1, TRUE}, {"rows", 5}}, 4,
      {G_MAXUINT64, 2.5}, {{1000, 1010, 1030, 1040, 1045}},
      {.submissions = 1, .span = 112, .longest_dispatch = 50,
        .longest_submission = 112, .n_stages = 2, .stages = {
          {"rows", 2, 7, .total = 25 + 12, .longest = 25},
          {"columns", 1, 2, .total = 75, .longest = 50},
        }}},
  /* From the first submission of a frame to the last, gaps included. */
  {"span", {{"solve", 1}, {"apply", 1}}, 2, {G_MAXUINT64, 1},
      {{100, 110, 150}, {1000, 1200, 1210}, {2000, 2001, 2002}},
      {.submissions = 3, .span = 2002 - 100, .longest_dispatch = 200,
        .longest_submission = 210, .n_stages = 2, .stages = {
          {"solve", 3, 3, .total = 10 + 200 + 1, .longest = 200},
          {"apply", 3, 3, .total = 40 + 10 + 1, .longest = 40},
        }}},
  /* Counters of fewer than 64 bits run over. */
  {"overflow", {{"stage", 1}}, 1, {0xfffffffff, 1},
      {{0xffffffff0, 0xffffffff8}, {0xffffffffc, 0x4}, {0x10, 0x20}},
      {.submissions = 3, .span = 0x30, .longest_dispatch = 16,
        .longest_submission = 16, .n_stages = 1, .stages = {
          {"stage", 3, 3, .total = 8 + 8 + 16, .longest = 16},
        }}},
};

static void
test_sums (gconstpointer data)
{
  const Sums *row = data;
  GpuTimings timings = { 0 };
  guint64 first_tick = 0;

  for (guint i = 0; i < row->expected.submissions; i++)
    gpu_timings_add (&timings, row->records, row->n_records, row->ticks[i],
        &row->clock, &first_tick);
  assert_timings (&timings, &row->expected);
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

static Fixture *
setup_timed (gboolean has_timestamps)
{
  Fixture *fixture = setup (1);

  if (!has_timestamps)
    fixture->device->info.timestamp_period = 0;
  gpu_stream_unref (fixture->stream);
  fixture->stream = new_stream (fixture->device, 3);
  return fixture;
}

static gboolean
has_clock (Fixture * fixture)
{
  return fixture->device->info.timestamp_period > 0;
}

static void
record_stage (Fixture * fixture, const gchar * name, guint dispatches)
{
  gpu_stream_stage (fixture->stream, name);
  for (guint i = 0; i < dispatches; i++)
    affine_record (fixture->stream, fixture->kernel, fixture->work, N, i);
}

static void
assert_stage (const GpuTimings * timings, guint i, const gchar * name,
    guint count, guint dispatches)
{
  g_assert_cmpstr (timings->stages[i].name, ==, name);
  g_assert_cmpuint (timings->stages[i].count, ==, count);
  g_assert_cmpuint (timings->stages[i].dispatches, ==, dispatches);
}

/* Submits, and waits for all. */
static void
finish (Fixture * fixture, GpuTimings * timings)
{
  submit (fixture->stream, NULL);
  wait_idle (fixture->stream);
  gpu_stream_get_timings (fixture->stream, timings);
}

static void
check_frames (gboolean has_timestamps)
{
  g_autoptr (Fixture) fixture = setup_timed (has_timestamps);
  GpuStream *stream = fixture->stream;
  GpuTimings timings;
  guint64 sum = 0;

  g_assert_true (has_clock (fixture)
      || stream->slots[0].queries == VK_NULL_HANDLE);
  gpu_stream_get_timings (stream, &timings);
  g_assert_cmpuint (timings.submissions, ==, 0);
  for (guint frame = 1; frame <= 5; frame++) {
    gpu_stream_time_next_frame (stream);
    gpu_stream_next_frame (stream);
    for (guint i = 0; i < frame; i++) {
      begin (stream);
      /* Work that comes before any name counts. */
      gpu_stream_fill (stream, fixture->work, 0, N * 4, i);
      record_stage (fixture, "rows", 2);
      record_stage (fixture, "columns", 1);
      record_stage (fixture, "rows", 3);
      submit (stream, NULL);
    }
  }
  wait_idle (stream);
  gpu_stream_get_timings (stream, &timings);
  g_assert_cmpuint (timings.frame, ==, 5);
  g_assert_cmpuint (timings.submissions, ==, 5);
  g_assert_cmpuint (timings.n_stages, ==, 3);
  g_assert_cmpstr (timings.stages[0].name, ==, "unnamed");
  assert_stage (&timings, 1, "rows", 10, 25);
  assert_stage (&timings, 2, "columns", 5, 5);

  for (guint i = 0; i < timings.n_stages; i++) {
    sum += timings.stages[i].total;
    g_assert_cmpuint (timings.stages[i].longest, <=, timings.stages[i].total);
  }
  /* Sums round down stage by stage. */
  g_assert_cmpuint (timings.span + 20, >=, sum);
  g_assert_cmpuint (timings.longest_submission, <=, timings.span);
  g_assert_cmpint (timings.span > 0, ==, has_clock (fixture));
  g_assert_cmpint (timings.stages[1].total > 0, ==, has_clock (fixture));
  g_assert_cmpint (timings.longest_submission > 0, ==, has_clock (fixture));
}

TEST (frames)
{
  check_frames (TRUE);
}

TEST (no_timestamps)
{
  check_frames (FALSE);
}

/* Each dispatch, fill and copy is timed alone, under its stage's name; a stage
 * goes on counting as one. */
TEST (parts)
{
  g_autoptr (Fixture) fixture = setup_timed (TRUE);
  GpuStream *stream = fixture->stream;
  GpuTimings frame;

  gpu_stream_next_frame (stream);
  for (guint i = 1; i <= 2; i++) {
    begin (stream);
    g_assert_null (gpu_stream_get_stage (stream));
    gpu_stream_stage (stream, "stage");
    gpu_stream_fill (stream, fixture->work, 0, N * 4, 0);
    record_stage (fixture, "rows", 3 * i);
    g_assert_cmpstr (gpu_stream_get_stage (stream), ==, "rows");
    gpu_stream_copy (stream, fixture->work, 0, fixture->host, 0, 16);
    g_assert_cmpuint (stream->recording->n_records, ==, 1 + 3 * i + 1);
    submit (stream, NULL);
  }
  wait_idle (stream);
  gpu_stream_get_timings (stream, &frame);
  assert_stage (&frame, 1, "rows", 2, 9);
  if (has_clock (fixture)) {
    g_assert_cmpuint (frame.stages[1].longest, <, frame.stages[1].total);
    g_assert_cmpuint (frame.longest_dispatch, >=, frame.stages[1].longest);
    g_assert_cmpuint (frame.longest_dispatch, <, frame.longest_submission);
  }
}

/* A frame in several submissions is told of when the last of them is done, and then
 * all of it. */
TEST (split)
{
  g_autoptr (Fixture) fixture = setup_timed (TRUE);
  GpuTimings timings;

  for (guint frame = 1; frame <= 3; frame++) {
    gpu_stream_time_next_frame (fixture->stream);
    gpu_stream_next_frame (fixture->stream);
    begin (fixture->stream);
    for (guint part = 1; part < frame; part++) {
      record_stage (fixture, "rows", part);
      OK (gpu_stream_go_on (fixture->stream, &error));
      gpu_stream_get_timings (fixture->stream, &timings);
      g_assert_cmpuint (timings.frame, ==, frame - 1);
      g_assert_cmpuint (timings.submissions, ==, frame - 1);
    }
    record_stage (fixture, "rows", frame);
    finish (fixture, &timings);
  }
  g_assert_cmpuint (timings.frame, ==, 3);
  g_assert_cmpuint (timings.submissions, ==, 3);
  g_assert_cmpuint (timings.n_stages, ==, 1);
  assert_stage (&timings, 0, "rows", 3, 1 + 2 + 3);
  if (has_clock (fixture)) {
    g_assert_cmpuint (timings.stages[0].total, >, timings.stages[0].longest);
    g_assert_cmpuint (timings.span, >=, timings.stages[0].total);
    g_assert_cmpuint (timings.span, >, timings.longest_submission);
  }
}

/* Timed from a command on, which may be the first of a stage that is open. */
TEST (from_now_on)
{
  g_autoptr (Fixture) fixture = setup_timed (TRUE);
  GpuTimings timings;

  begin (fixture->stream);
  record_stage (fixture, "before", 2);
  gpu_stream_stage (fixture->stream, "behind");
  gpu_stream_time_commands (fixture->stream);
  record_stage (fixture, "behind", 2);
  finish (fixture, &timings);
  g_assert_cmpuint (timings.n_stages, ==, 2);
  g_assert_true (timings.stages[0].is_in_part);
  g_assert_cmpuint (timings.stages[0].total, ==, 0);
  g_assert_false (timings.stages[1].is_in_part);
  g_assert_cmpint (timings.stages[1].total > 0, ==, has_clock (fixture));
}

/* Stages that a slot has no room for run on under the last name. */
TEST (many_stages)
{
  g_autoptr (Fixture) fixture = setup_timed (TRUE);
  GpuTimings timings;

  gpu_stream_next_frame (fixture->stream);
  for (guint i = 0; i < 2; i++) {
    begin (fixture->stream);
    for (guint k = 1; k < GPU_MAX_RECORDS; k++)
      gpu_stream_stage (fixture->stream, "many");
    record_stage (fixture, "last", 1);
    for (guint k = 0; k < 10; k++)
      record_stage (fixture, "too many", 1);
    finish (fixture, &timings);
  }
  g_assert_cmpuint (timings.submissions, ==, 2);
  g_assert_cmpuint (timings.n_stages, ==, 2);
  g_assert_cmpuint (timings.stages[0].count, ==, 2 * (GPU_MAX_RECORDS - 1));
  assert_stage (&timings, 1, "last", 2, 22);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++) {
    g_autofree gchar *path = g_strdup_printf ("/timings/%s", sums[i].name);

    g_test_add_data_func (path, &sums[i], test_sums);
  }
  g_test_add_func ("/timings/copies", test_copies);
  g_test_add_func ("/timings/many-names", test_many_names);
  g_test_add_func ("/timings/in-part", test_in_part);
  tests_add ("/timings/", gpu_fixture_add_test);
  return gpu_fixture_run_tests ();
}
