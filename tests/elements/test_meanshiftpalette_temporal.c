/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette from frame to frame as an element: its bytes against the oracle, the time
 * between frames, what begins anew, and palettes that are kept or given. */
#include "gpu_hooks.h"
#include "palette_film.h"
#include "reference_live.h"

/* --- frame by frame --- */

/* It is what one gets. */
static void
test_default (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = {
    .palette = {.radius = 0.02},
    .bin_capacity = REFERENCE_LIVE_CAPACITY,
    .stability = 0.5,
    .scene_cut_threshold = 0.05,
    .format = film->format
  };

  for (guint i = 0; i < 9; i++) {
    if (i == 5)
      film_lighten (film, 20);
    film_show_as (film, &settings, INTERVAL);
    fixture_check_stat (film->h->element, "waits-for-solver", 0);
  }
  /* The first one of either scene is as any other. */
  g_assert_cmpuint (film->n_steadied, ==, 7);
  g_assert_cmpuint (film->n_cuts, ==, 1);
}

/* Time stamps count where they go forward, else durations. */
static void
test_intervals (void)
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
static void
test_at_rest (void)
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

static void
test_gaps (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  film_check_gaps (film);
}

/* Those that come too late are none: time goes by from the one before them. */
static void
test_late (void)
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

static void
test_change_while_playing (void)
{
  static const struct
  {
    gdouble stability, threshold;
    gint light;
    guint n_cuts;
  } parts[] = {
    {0.5, 0.05, 0, 0}, {0.1, 0.05, 8, 0}, {1, 0.02, -8, 1}, {0, 0.02, 0, 0},
    {0.3, 0, 40, 0}, {0.3, 0.05, -40, 1}, {0.5, 1, 60, 0}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_test_message ("part %u", i);
    g_object_set (film->h->element, "stability", parts[i].stability,
        "scene-cut-threshold", parts[i].threshold, NULL);
    film_lighten (film, parts[i].light);
    film->n_cuts = film->n_steadied = 0;
    film_show (film, 4);
    g_assert_cmpuint (film->n_cuts, ==, parts[i].n_cuts);
    if (parts[i].stability > 0)
      g_assert_cmpuint (film->n_steadied, >=, 3);
  }
}

static void
test_controller (void)
{
  static const gdouble stabilities[] =
      { 0.5, 0.5, 0.5, 1, 1, 0.25, 0.25, 0.125, 0.125 };
  static const gdouble thresholds[] = { 0, 0.5, 0, 0.5, 0, 0, 0.125, 0.5, 0 };
  const guint n = G_N_ELEMENTS (stabilities);
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  ReferenceTemporalSettings settings = film_settings (film);

  film_control (film, "stability", stabilities, n);
  film_control (film, "scene-cut-threshold", thresholds, n);
  for (guint i = 0; i < n; i++) {
    settings.stability = stabilities[i];
    settings.scene_cut_threshold = thresholds[i];
    film_lighten (film, i == 6 ? 50 : 0);
    film_show_as (film, &settings, i == 0 ? 0 : INTERVAL);
  }
  g_assert_cmpuint (film->n_cuts, ==, 1);
}

/* --- what begins anew, and what does not --- */

static void
test_begins_anew (void)
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
static void
test_keeps_modes (void)
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
    {"stability", "0.5"}, {"min-frequency", "2"}, {"min-frequency", "1"}
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
static void
test_made_with_caps (void)
{
  /* The device keeps pipelines. */
  count_made ("meanshiftpalette");
  g_assert_cmpuint (count_made ("meanshiftpalette"), >,
      count_made ("meanshiftpalette stability=0"));
}

/* Once all was used, nothing is made for another value of a property. */
static void
test_nothing_is_made (void)
{
  film_check_nothing_is_made ("meanshiftpalette", show_with_all);
}

/* --- palettes that are kept or given --- */

static void
begin_again (Film * film)
{
  film_begin_stream (film);
  reference_temporal_reset (film->temporal);
}

/* It stays as it is in frames that get lighter and darker, and in another scene. Where nothing
 * is known of a frame before, the next one's is kept. */
static void
test_hold (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette", "meanshiftpalette stability=0",
    "meanshiftpalette hold=true", "meanshiftpalette hold=true stability=0"
  };
  static const FilmStep steps[] = {
    {NULL, NULL, 0, 2}, {"radius", "0.03", 0, 1}, {"hold", "true", 0, 1},
    {NULL, NULL, 8, 1}, {NULL, NULL, -16, 1}, {NULL, NULL, 68, 2},
    {NULL, NULL, -60, 1}, {"hold", "false", 0, 2}, {"hold", "true", 8, 2}
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    g_test_message ("%s", elements[i]);
    film_run (film, steps, G_N_ELEMENTS (steps));
    begin_again (film);
    film_run (film, steps, G_N_ELEMENTS (steps));
  }
}

/* Every fourth frame has a palette of its own, a scene cut, and a new stream, from
 * where on frames are counted anew. */
static void
test_update_interval (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette update-interval=4 stability=0",
    "meanshiftpalette update-interval=4"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    g_test_message ("%s", elements[i]);
    film_show (film, 6);
    film_lighten (film, 40);
    film_show (film, 5);
    begin_again (film);
    film_show (film, 5);
    film_set (film, "update-interval", "1");
    film_show (film, 3);
  }
}

#define PURE "<0xe02010,0x20c040,0x2030d0,0x808080>"

/* Whatever happens between two frames, colours become those of the palette. */
static void
test_palette (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette", "meanshiftpalette stability=0",
    "meanshiftpalette update-interval=3 hold=true"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    g_test_message ("%s", elements[i]);
    film_set (film, "palette", PURE);
    film_show (film, 3);
    begin_again (film);
    film_show (film, 3);
    film_restart (film);
    reference_temporal_reset (film->temporal);
    film_show (film, 3);
    set_format (film);
    film_show (film, 3);
    film_set (film, "transfer", "linear");
    reference_temporal_reset (film->temporal);
    film_show (film, 3);
  }
}

/* Another one, or none any more, counts from the next frame on. */
static void
test_other_palette (void)
{
  static const FilmStep steps[] = {
    {NULL, NULL, 0, 2}, {"palette", PURE, 0, 2},
    {"palette", "<0x20c040>", 0, 1}, {"palette", "<0x808080>", 8, 2},
    {"palette", "<>", -8, 2}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GString) blues = g_string_new ("<0x000000");

  for (guint i = 0; i < 2; i++)
    film_run (film, steps, G_N_ELEMENTS (steps));
  /* As many colours as a palette may have. */
  for (guint i = 1; i < 256; i++)
    g_string_append_printf (blues, ",0x%06x", i);
  g_string_append (blues, ">");
  film_set (film, "palette", blues->str);
  film_show (film, 2);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/meanshiftpalette-temporal/");
  fixture_share_device ();
  fixture_add ("default", test_default);
  fixture_add ("intervals", test_intervals);
  fixture_add ("at-rest", test_at_rest);
  fixture_add ("gaps", test_gaps);
  fixture_add ("late", test_late);
  fixture_add ("change-while-playing", test_change_while_playing);
  fixture_add ("controller", test_controller);
  fixture_add ("begins-anew", test_begins_anew);
  fixture_add ("keeps-modes", test_keeps_modes);
  fixture_add ("made-with-caps", test_made_with_caps);
  fixture_add ("nothing-is-made", test_nothing_is_made);
  fixture_add ("hold", test_hold);
  fixture_add ("update-interval", test_update_interval);
  fixture_add ("palette", test_palette);
  fixture_add ("other-palette", test_other_palette);
  return fixture_run ();
}
