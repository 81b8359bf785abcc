/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette from frame to frame as an element: its bytes against the oracle with
 * every property, the time between frames, and what begins anew. */
#include "gpu/core/device/vulkan.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "palette_film.h"
#include "reference_live.h"

/* --- frame by frame --- */

/* These are the defaults. No result is waited for, nor does a frame so small take several
 * submissions, which the device's clock might say otherwise of: it has none here. */
TEST (defaults)
{
  GpuDeviceInfo *info = &fixture_device ()->info;
  const gdouble period = info->timestamp_period;
  g_autoptr (Film) film = NULL;
  ReferenceTemporalSettings settings = {
    .palette = {.radius = 0.02},
    .bin_capacity = REFERENCE_LIVE_CAPACITY,
    .max_shift = 2,
    .stability = 0.5,
    .coherence = 0.25,
    .scene_cut_threshold = 0.05
  };

  info->timestamp_period = 0;
  film = film_new ("meanshiftpalette");
  settings.format = film->format;
  for (guint i = 0; i < 9; i++) {
    if (i == 5)
      film_lighten (film, 20);
    film_show_as (film, &settings, INTERVAL);
    fixture_check_stat (film->h->element, "waits-for-solver", 0);
  }
  info->timestamp_period = period;
  /* The first one of either scene is as any other. */
  g_assert_cmpuint (film->n_steadied, ==, 7);
  g_assert_cmpuint (film->n_cuts, ==, 1);
}

/* Time stamps count where they go forward, else durations. */
TEST (intervals)
{
  static const struct
  {
    GstClockTime pts, duration, interval;
  } frames[] = {
    {1000, 30, 1},              /* the first one */
    {1040, 30, 40}, {1057, GST_CLOCK_TIME_NONE, 17}, {1157, 30, 100},
    {1163, 30, 6}, {4000, 30, 2837}, {4040, 30, 40},
    {GST_CLOCK_TIME_NONE, 70, 70}, {GST_CLOCK_TIME_NONE, 8, 8},
    {4080, 90, 90}, {4100, 90, 20},
    {2000, 50, 50}, {2040, 50, 40}, {2040, 10, 10},
    {GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE, 0},
    {2080, GST_CLOCK_TIME_NONE, 0}, {2080, GST_CLOCK_TIME_NONE, 0},
    {1500, GST_CLOCK_TIME_NONE, 0}, {1600, GST_CLOCK_TIME_NONE, 100}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = film_settings (film);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree guint8 *picture = film_next_picture (film);
    GstBuffer *buffer = film_frame_of (film, picture, frames[i].pts);

    g_test_message ("frame %u", i);
    if (GST_CLOCK_TIME_IS_VALID (frames[i].pts))
      GST_BUFFER_PTS (buffer) *= GST_MSECOND;
    if (GST_CLOCK_TIME_IS_VALID (frames[i].duration))
      GST_BUFFER_DURATION (buffer) = frames[i].duration * GST_MSECOND;
    film_check (film, &settings, frames[i].interval == 0 ? GST_SECOND / 30
        : frames[i].interval * GST_MSECOND, picture, buffer);
  }
}

/* A film that stands still goes on until it is settled. */
TEST (at_rest)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = film_settings (film);

  for (guint scene = 0; scene < 2; scene++) {
    film_show (film, 2);
    for (guint i = 0; palette_was_solved (film->h->element); i++) {
      film->seed--;
      film_show_as (film, &settings, INTERVAL);
      g_assert_cmpuint (i, <, 64);
    }
    film->seed--;
    film_show_as (film, &settings, INTERVAL);
  }
}

/* Without stability a frame as the one before is settled at once. */
TEST (unchanged)
{
  static const guint seeds[] = { 1, 1, 1, 2, 2, 1 };
  g_autoptr (Film) film = film_new ("meanshiftpalette stability=0");

  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++) {
    film->seed = seeds[i] - 1;
    film_show (film, 1);
    g_assert_cmpint (palette_was_solved (film->h->element), ==, i == 0
        || seeds[i] != seeds[i - 1]);
  }
}

/* Those that come too late are none: time goes by from the one before them. */
TEST (late)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = film_settings (film);

  film_show (film, 4);
  gst_harness_push_upstream_event (film->h, gst_event_new_qos
      (GST_QOS_TYPE_UNDERFLOW, 0.5, INTERVAL, film->pts));
  for (guint i = 1; i <= 2; i++) {
    g_autofree guint8 *late = film_next_picture (film);

    fixture_push (film->h, film_frame_of (film, late, film->pts + i * INTERVAL),
        GST_FLOW_OK);
    g_assert_null (gst_harness_try_pull (film->h));
  }
  film_show_as (film, &settings, 3 * INTERVAL);
  film_show (film, 3);
}

/* --- properties that change --- */

/* Every property between two frames, with some others. */
TEST (change_while_playing)
{
#define PURE "<0xe02010,0x20c040,0x2030d0,0x808080>"
  static const FilmStep steps[] = {
    {NULL, NULL, 0, 2}, {"radius", "0.05", 0, 2}, {"chroma", "3", 0, 2},
    {"weighting", "palette", 4, 2}, {"min-frequency", "5", 0, 2},
    {"history", "3", -4, 4}, {"min-frequency", "1", 0, 2},
    /* Chroma 0 is 2 with a number of colours, and 1 without. */
    {"colors", "8", 4, 3}, {"chroma", "0", 0, 2}, {"radius", "0.3", 0, 2},
    {"colors", "256", -4, 3}, {"history", "1", 0, 1}, {"colors", "3", 4, 3},
    {"hold", "true", 8, 2}, {"colors", "6", -4, 3}, {"hold", "false", 4, 3},
    {"stability", "0", -4, 3}, {"colors", "0", 4, 3}, {"radius", "0.02", 0, 2},
    {"hold", "true", 0, 1}, {NULL, NULL, 68, 2}, {"hold", "false", -68, 2},
    {"update-interval", "4", 8, 6}, {"stability", "1", 0, 5},
    {"update-interval", "1", 0, 2}, {"palette", PURE, 0, 2},
    /* Beside a palette a number means nothing. */
    {"colors", "2", 0, 2}, {"palette", "<0x20c040>", 0, 1},
    {"palette", "<0x808080>", 8, 2}, {"palette", "<>", -8, 2},
    {"colors", "0", 0, 2}, {"weighting", "frequency", 0, 2},
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  film_run (film, steps, G_N_ELEMENTS (steps));
}

/* `exact` has fewer, and takes turns with `live`. */
TEST (change_of_exact)
{
  static const FilmStep steps[] = {
    {NULL, NULL, 0, 1}, {"radius", "0.3", 0, 1}, {"radius", "0.1", 0, 1},
    {"weighting", "palette", 0, 1}, {"weighting", "frequency", 4, 1},
    {"iteration-limit", "3", 0, 1}, {"iteration-limit", "0", 0, 1},
    {"chroma", "3", 0, 1}, {"chroma", "0", 0, 1}, {"colors", "8", 0, 1},
    {"stability", "1", 0, 1}, {"transfer", "linear", 0, 1},
    {"transfer", "srgb", 0, 1},
  };

  g_autoptr (Film) film =
      film_new ("meanshiftpalette quality=exact radius=0.02");

  film_run (film, steps, G_N_ELEMENTS (steps));
  fixture_set (film->h->element, "quality", "live");
  reference_temporal_reset (film->temporal);
  film_show (film, 2);
  fixture_set (film->h->element, "quality", "exact");
  film_show (film, 1);
}

/* Cuts are as the threshold has it. */
TEST (cuts)
{
  static const struct
  {
    gdouble stability, threshold;
    gint light;
    guint n_cuts;
    gboolean swaps_hues;
  } parts[] = {
    {0.5, 0.05, 0, 0}, {0.1, 0.05, 8, 0}, {1, 0.02, -8, 1}, {0, 0.02, 0, 0},
    {0.3, 0, 40, 0}, {0.3, 0.05, -40, 1}, {0.5, 1, 60, 0},
    {0.5, 1, 0, 0, TRUE}, {0.5, 0.05, 0, 1, TRUE}, {0.5, 0, 0, 0, TRUE}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_test_message ("part %u", i);
    g_object_set (film->h->element, "stability", parts[i].stability,
        "scene-cut-threshold", parts[i].threshold, NULL);
    film_lighten (film, parts[i].light);
    if (parts[i].swaps_hues)
      generated_swap (film->picture, film->width * film->height, 0, 2);
    film->n_cuts = film->n_steadied = 0;
    film_show (film, 4);
    g_assert_cmpuint (film->n_cuts, ==, parts[i].n_cuts);
    if (parts[i].stability > 0)
      g_assert_cmpuint (film->n_steadied, >=, 3);
  }
}

/* Each frame has the values of its time. */
TEST (controller)
{
  static const gdouble stabilities[] =
      { 0.5, 0.5, 0.5, 1, 1, 0.25, 0.25, 0.125, 0.125, 0.5, 0.5 };
  static const gdouble thresholds[] =
      { 0, 0.5, 0, 0.5, 0, 0, 0.125, 0.5, 0, 0, 0 };
  static const gdouble colors[] = { 0, 8, 8, 256, 256, 3, 3, 3, 0, 0, 1 };
  const guint n = G_N_ELEMENTS (colors);
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  ReferenceTemporalSettings settings = film_settings (film);

  film_control (film, "stability", stabilities, n);
  film_control (film, "scene-cut-threshold", thresholds, n);
  film_control (film, "colors", colors, n);
  for (guint i = 0; i < n; i++) {
    settings.stability = stabilities[i];
    settings.scene_cut_threshold = thresholds[i];
    settings.colors = colors[i];
    film_lighten (film, i == 6 ? 50 : 0);
    film_show_as (film, &settings, i == 0 ? 0 : INTERVAL);
  }
  g_assert_cmpuint (film->n_cuts, ==, 1);
}

static void
assert_passes (Film * film, gboolean passes)
{
  g_autofree guint8 *picture = film_next_picture (film);

  g_assert_cmpint (fixture_passes (film->h, film_frame_of (film, picture,
              film->pts += INTERVAL)), ==, passes);
}

/* Radius 0 hands frames on, but not where there is a number of colours; nothing is known
 * of frames before those that passed. */
TEST (radius_0)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette radius=0");

  for (guint i = 0; i < 3; i++) {
    assert_passes (film, TRUE);
    film_set (film, "colors", "8");
    reference_temporal_forget_modes (film->temporal);
    film_show (film, 3);
    film_set (film, "colors", "0");
  }
  film_set (film, "colors", "4");
  film_set (film, "palette", "<0x102030>");
  assert_passes (film, TRUE);
  film_set (film, "palette", "<>");
  assert_passes (film, FALSE);
}

/* --- what begins anew, and what does not --- */

TEST (begins_anew)
{
  static void (*const begin[]) (Film *) = {
    film_flush, film_begin_stream, film_restart, film_set_linear
  };

  for (guint i = 0; i < G_N_ELEMENTS (begin); i++) {
    g_autoptr (Film) film = film_new ("meanshiftpalette");

    g_test_message ("way %u", i);
    film_show (film, 4);
    begin[i] (film);
    reference_temporal_reset (film->temporal);
    film->n_steadied = 0;
    film_show (film, 1);
    g_assert_cmpuint (film->n_steadied, ==, 0);
    film_show (film, 3);
    g_assert_cmpuint (film->n_steadied, ==, 3);
  }
}

static void
set_size (Film * film)
{
  film_set_formats (film, "RGBA", "RGBA", WIDTH + 7, HEIGHT - 5);
}

static void
set_format (Film * film)
{
  film_set_formats (film, "RGBx", "RGBx", WIDTH, HEIGHT);
}

static void
set_format_out (Film * film)
{
  film_set_formats (film, "RGBA", "RGBx", WIDTH, HEIGHT);
}

static void
set_radius (Film * film)
{
  g_object_set (film->h->element, "radius", 0.03, NULL);
}

static void
set_weighting (Film * film)
{
  fixture_set (film->h->element, "weighting", "palette");
}

static void
set_framerate (Film * film)
{
  GstCaps *caps = fixture_caps ("RGBA", WIDTH, HEIGHT);

  gst_caps_set_simple (caps, "framerate", GST_TYPE_FRACTION, 50, 1,
      "pixel-aspect-ratio", GST_TYPE_FRACTION, 4, 3, NULL);
  gst_harness_set_caps (film->h, gst_caps_ref (caps), caps);
}

static void
set_segment (Film * film)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
}

/* What is shown with another quality does not count, nor the time it took. */
static void
show_exact (Film * film)
{
  g_autofree guint8 *picture = film_next_picture (film);

  fixture_set (film->h->element, "quality", "exact");
  g_object_set (film->h->element, "iteration-limit", 1, NULL);
  fixture_show (film->h, film_frame_of (film, picture,
          film->pts + INTERVAL / 4));
  fixture_set (film->h->element, "quality", "live");
}

/* Modes stay: not even the first frame is as one by itself. Whether pixels keep
 * theirs is the oracle's to know. */
TEST (keeps_modes)
{
  static void (*const change[]) (Film *) = {
    set_size, set_format, set_format_out, set_radius, set_weighting,
    set_framerate, set_segment, show_exact
  };

  for (guint i = 0; i < G_N_ELEMENTS (change); i++) {
    g_autoptr (Film) film = film_new ("meanshiftpalette");

    g_test_message ("way %u", i);
    film_show (film, 4);
    change[i] (film);
    film->n_steadied = 0;
    film_show (film, 4);
    g_assert_cmpuint (film->n_steadied, ==, 4);
  }
}

/* --- what it costs --- */

static void
show_with_all (Film * film)
{
  static const gchar *const values[][2] = {
    {"stability", "1"}, {"stability", "0"}, {"stability", "0.5"},
    {"scene-cut-threshold", "0"}, {"scene-cut-threshold", "0.01"},
    {"hold", "true"}, {"hold", "false"}, {"update-interval", "3"},
    {"update-interval", "1"}, {"palette", "<0x102030, 0xc0a080>"},
    {"palette", "<0x405060>"}, {"stability", "0"}, {"palette", "<>"},
    {"stability", "0.5"}, {"min-frequency", "2"}, {"min-frequency", "1"},
    {"colors", "8"}, {"colors", "16"}, {"colors", "0"}
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autofree guint8 *picture = film_next_picture (film);

    fixture_set (film->h->element, values[i][0], values[i][1]);
    fixture_show (film->h, film_frame_of (film, picture, film->pts +=
            INTERVAL));
  }
}

/* What caps alone make of an element that no frame has come to. */
static guint
count_made (const gchar * description)
{
  GpuDevice *device = fixture_device ();
  GstHarness *h;
  guint made;

  gpu_hooks_install (device);
  h = fixture_harness (description);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  made = gpu_hooks_get_made ();
  fixture_harness_free (h);
  gpu_hooks_remove (device);
  return made;
}

/* What stability needs is there before the first frame. */
TEST (made_with_caps)
{
  /* The device keeps pipelines. */
  count_made ("meanshiftpalette");
  g_assert_cmpuint (count_made ("meanshiftpalette"), >,
      count_made ("meanshiftpalette stability=0 max-shift=0 coherence=0"));
}

/* Once all was used, nothing is made for another value of a property. */
TEST (nothing_is_made)
{
  film_check_nothing_is_made ("meanshiftpalette", show_with_all);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-temporal/")
