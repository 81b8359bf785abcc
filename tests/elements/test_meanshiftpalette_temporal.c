/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette with stability as an element: its bytes against the oracle,
 * the time between frames, and what begins anew. */
#include "element_fixture.h"
#include "generated.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu_hooks.h"
#include "palette_element_fixture.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>
#include <string.h>

#define WIDTH 64
#define HEIGHT 36

#define INTERVAL (40 * GST_MSECOND)

/* What an element and the oracle are shown. */
typedef struct
{
  GstHarness *h;
  ReferenceTemporal *temporal;
  guint format;                 /* the oracle's number of it */
  guint width, height;
  guint8 *picture;
  guint seed;                   /* of the noise in the last frame */
  GstClockTime pts;             /* of the last frame */
  guint n_steadied;             /* frames that stability made others */
  guint n_cuts;
} Film;

static gsize
n_pixels (Film * film)
{
  return (gsize) film->width * film->height;
}

/* From now on frames are of this kind, with about the colours of those before. */
static void
set_formats (Film * film, const gchar * in, const gchar * out, guint width,
    guint height)
{
  gst_harness_set_caps (film->h, fixture_caps (in, width, height),
      fixture_caps (out, width, height));
  film->format = gst_video_format_from_string (in) << 8
      | gst_video_format_from_string (out);
  film->width = width;
  film->height = height;
  g_free (film->picture);
  film->picture = generated_picture_new ("blobs", width, height, 1);
}

static Film *
film_new (const gchar * description)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (description);
  film->temporal = reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  film->pts = 10 * GST_SECOND;
  set_formats (film, "RGBA", "RGBA", WIDTH, HEIGHT);
  return film;
}

static void
film_free (Film * film)
{
  fixture_harness_free (film->h);
  reference_temporal_free (film->temporal);
  g_free (film->picture);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

static void
lighten (Film * film, gint codes)
{
  for (gsize i = 0; i < 4 * n_pixels (film); i++)
    if (i % 4 < 3)
      film->picture[i] = CLAMP (film->picture[i] + codes, 0, 255);
}

/* --- comparing --- */

/* What the properties ask for. */
static ReferenceTemporalSettings
settings_of (Film * film)
{
  ReferenceTemporalSettings settings = {
    .palette = palette_settings (film->h->element),
    .bin_capacity = REFERENCE_LIVE_CAPACITY,
    .format = film->format
  };

  g_object_get (film->h->element, "stability", &settings.stability,
      "scene-cut-threshold", &settings.scene_cut_threshold, NULL);
  return settings;
}

/* Whether without stability another frame would have come of @picture. */
static gboolean
is_steadied (Film * film, const ReferenceTemporalSettings * settings,
    const guint8 * picture, const guint8 * expected)
{
  g_autofree guint8 *live = g_malloc (4 * n_pixels (film));

  reference_live (&settings->palette, picture, film->width, film->height, live,
      NULL);
  return memcmp (live, expected, 4 * n_pixels (film)) != 0;
}

/* What becomes of @buffer, a frame of @picture, @interval behind the one before. */
static void
check (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval, const guint8 * picture, GstBuffer * buffer)
{
  const ReferencePicture input = { picture, film->width, film->height };
  g_autofree guint8 *expected = g_malloc (4 * n_pixels (film));
  GstBuffer *out = gst_harness_push_and_pull (film->h, buffer);
  ReferenceTemporalStats stats;

  g_assert_nonnull (out);
  reference_temporal_frame (film->temporal, settings, interval, &input,
      expected, &stats);
  palette_assert_bytes (out, expected, 4 * n_pixels (film));
  gst_buffer_unref (out);
  if (settings->stability > 0) {
    g_assert_cmpuint (fixture_stat (film->h->element, "cells"), ==,
        stats.n_bins);
    g_assert_cmpuint (fixture_stat (film->h->element, "modes"), ==,
        stats.n_held + stats.n_strays);
    g_assert_cmpint (palette_was_solved (film->h->element), ==,
        !stats.is_settled);
  }
  film->n_steadied += is_steadied (film, settings, picture, expected);
  film->n_cuts += stats.is_cut;
}

/* The noise of the last frame once more. */
static guint8 *
same_picture (Film * film)
{
  return palette_noisy_new (film->picture, n_pixels (film), film->seed);
}

static guint8 *
next_picture (Film * film)
{
  film->seed++;
  return same_picture (film);
}

static GstBuffer *
frame_at (Film * film, const guint8 * picture, GstClockTime pts)
{
  GstBuffer *buffer = palette_frame (picture, 4 * n_pixels (film));

  GST_BUFFER_PTS (buffer) = pts;
  return buffer;
}

/* The next frame, @interval behind the last one by its time stamp. */
static void
show_at (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval)
{
  g_autofree guint8 *picture = next_picture (film);

  film->pts += interval;
  check (film, settings, interval, picture, frame_at (film, picture,
          film->pts));
}

static void
show (Film * film, guint n)
{
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint i = 0; i < n; i++)
    show_at (film, &settings, INTERVAL);
}

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
      lighten (film, 20);
    show_at (film, &settings, INTERVAL);
    g_assert_cmpuint (fixture_stat (film->h->element,
            "waits-for-solver"), ==, 0);
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
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree guint8 *picture = next_picture (film);
    GstBuffer *buffer = frame_at (film, picture, frames[i].pts);

    g_test_message ("frame %u", i);
    if (GST_CLOCK_TIME_IS_VALID (frames[i].pts))
      GST_BUFFER_PTS (buffer) *= GST_MSECOND;
    if (GST_CLOCK_TIME_IS_VALID (frames[i].duration))
      GST_BUFFER_DURATION (buffer) = frames[i].duration * GST_MSECOND;
    check (film, &settings, frames[i].interval == 0 ? GST_SECOND / 30
        : frames[i].interval * GST_MSECOND, picture, buffer);
  }
}

/* A film that stands still goes on until it is settled. */
static void
test_at_rest (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint scene = 0; scene < 2; scene++) {
    show (film, 2);
    for (guint i = 0; palette_was_solved (film->h->element); i++) {
      film->seed--;
      show_at (film, &settings, INTERVAL);
      g_assert_cmpuint (i, <, 64);
    }
    film->seed--;
    show_at (film, &settings, INTERVAL);
  }
}

/* Frames that only say that nothing changed are frames. */
static void
test_gaps (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint i = 0; i < 6; i++) {
    g_autofree guint8 *picture = next_picture (film);
    GstBuffer *buffer = frame_at (film, picture, film->pts += INTERVAL);

    if (i % 2 == 1)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    check (film, &settings, INTERVAL, picture, buffer);
  }
}

/* Those that come too late are none: time goes by from the one before them. */
static void
test_late (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  const ReferenceTemporalSettings settings = settings_of (film);

  show (film, 4);
  gst_harness_push_upstream_event (film->h, gst_event_new_qos
      (GST_QOS_TYPE_UNDERFLOW, 0.5, INTERVAL, film->pts));
  for (guint i = 1; i <= 2; i++) {
    g_autofree guint8 *late = next_picture (film);

    g_assert_cmpint (gst_harness_push (film->h, frame_at (film, late,
                film->pts + i * INTERVAL)), ==, GST_FLOW_OK);
    g_assert_null (gst_harness_try_pull (film->h));
  }
  show_at (film, &settings, 3 * INTERVAL);
  show (film, 3);
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
    lighten (film, parts[i].light);
    film->n_cuts = film->n_steadied = 0;
    show (film, 4);
    g_assert_cmpuint (film->n_cuts, ==, parts[i].n_cuts);
    if (parts[i].stability > 0)
      g_assert_cmpuint (film->n_steadied, >=, 3);
  }
}

/* Drives a property whose range is 0…1: @n values, one every INTERVAL. */
static void
control (Film * film, const gchar * property, const gdouble * values, guint n)
{
  GstObject *element = GST_OBJECT (film->h->element);
  GstControlSource *source = gst_interpolation_control_source_new ();

  for (guint i = 0; i < n; i++)
    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE
        (source), i * INTERVAL, values[i]);
  gst_object_add_control_binding (element,
      gst_direct_control_binding_new (element, property, source));
  gst_object_unref (source);
}

static void
test_controller (void)
{
  static const gdouble stabilities[] =
      { 0.5, 0.5, 0.5, 1, 1, 0.25, 0.25, 0.125, 0.125 };
  static const gdouble thresholds[] = { 0, 0.5, 0, 0.5, 0, 0, 0.125, 0.5, 0 };
  const guint n = G_N_ELEMENTS (stabilities);
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  ReferenceTemporalSettings settings = settings_of (film);

  control (film, "stability", stabilities, n);
  control (film, "scene-cut-threshold", thresholds, n);
  film->pts = 0;
  for (guint i = 0; i < n; i++) {
    settings.stability = stabilities[i];
    settings.scene_cut_threshold = thresholds[i];
    lighten (film, i == 6 ? 50 : 0);
    show_at (film, &settings, i == 0 ? 0 : INTERVAL);
  }
  g_assert_cmpuint (film->n_cuts, ==, 1);
}

/* --- what begins anew, and what does not --- */

static void
flush (Film * film)
{
  fixture_flush (film->h);
}

static void
begin_stream (Film * film)
{
  gst_harness_push_event (film->h, gst_event_new_stream_start ("another"));
}

static void
restart (Film * film)
{
  fixture_restart (film->h);
  set_formats (film, "RGBA", "RGBA", WIDTH, HEIGHT);
}

static void
set_transfer (Film * film)
{
  gst_util_set_object_arg (G_OBJECT (film->h->element), "transfer", "linear");
}

static void
test_begins_anew (void)
{
  static void (*const begin[]) (Film *) = {
    flush, begin_stream, restart, set_transfer
  };

  for (guint i = 0; i < G_N_ELEMENTS (begin); i++) {
    g_autoptr (Film) film = film_new ("meanshiftpalette");

    g_test_message ("way %u", i);
    show (film, 4);
    begin[i] (film);
    reference_temporal_reset (film->temporal);
    film->n_steadied = 0;
    show (film, 1);
    g_assert_cmpuint (film->n_steadied, ==, 0);
    show (film, 3);
    g_assert_cmpuint (film->n_steadied, ==, 3);
  }
}

static void
set_size (Film * film)
{
  set_formats (film, "RGBA", "RGBA", WIDTH + 7, HEIGHT - 5);
}

static void
set_format (Film * film)
{
  set_formats (film, "RGBx", "RGBx", WIDTH, HEIGHT);
}

static void
set_format_out (Film * film)
{
  set_formats (film, "RGBA", "RGBx", WIDTH, HEIGHT);
}

static void
set_radius (Film * film)
{
  g_object_set (film->h->element, "radius", 0.03, NULL);
}

static void
set_weighting (Film * film)
{
  gst_util_set_object_arg (G_OBJECT (film->h->element), "weighting", "palette");
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
  g_autofree guint8 *picture = next_picture (film);

  gst_util_set_object_arg (G_OBJECT (film->h->element), "quality", "exact");
  g_object_set (film->h->element, "iteration-limit", 1, NULL);
  gst_buffer_unref (gst_harness_push_and_pull (film->h, frame_at (film,
              picture, film->pts + INTERVAL / 4)));
  gst_util_set_object_arg (G_OBJECT (film->h->element), "quality", "live");
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
    show (film, 4);
    change[i] (film);
    film->n_steadied = 0;
    show (film, 4);
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
    g_autofree guint8 *picture = next_picture (film);

    gst_util_set_object_arg (G_OBJECT (film->h->element), values[i][0],
        values[i][1]);
    gst_buffer_unref (gst_harness_push_and_pull (film->h, frame_at (film,
                picture, film->pts += INTERVAL)));
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
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  guint made;

  gpu_hooks_install (device);
  show_with_all (film);
  /* What was requested and never waited for. */
  gpu_kernels_wait (device);
  made = gpu_hooks_get_made ();
  g_assert_cmpuint (made, >, 0);
  show_with_all (film);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}

/* --- properties --- */

static void
test_properties (void)
{
  static const struct
  {
    const gchar *name;
    gdouble value;
  } properties[] = {
    {"stability", 0.5}, {"scene-cut-threshold", 0.05}
  };
  g_autoptr (GstElement) element = gst_object_ref_sink (fixture_make
      ("meanshiftpalette"));

  for (guint i = 0; i < G_N_ELEMENTS (properties); i++) {
    const gchar *name = properties[i].name;
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
        (element), name);
    gdouble value;

    g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (spec)->minimum, ==, 0);
    g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (spec)->maximum, ==, 1);
    g_assert_cmpfloat (G_PARAM_SPEC_DOUBLE (spec)->default_value, ==,
        properties[i].value);
    g_assert_true (spec->flags & GST_PARAM_CONTROLLABLE);
    g_assert_true (spec->flags & GST_PARAM_MUTABLE_PLAYING);
    g_object_get (element, name, &value, NULL);
    g_assert_cmpfloat (value, ==, properties[i].value);
    g_object_set (element, name, 0.25, NULL);
    g_object_get (element, name, &value, NULL);
    g_assert_cmpfloat (value, ==, 0.25);
  }
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  fixture_share_device ();
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-temporal/" name, test)
  ADD ("default", test_default);
  ADD ("intervals", test_intervals);
  ADD ("at-rest", test_at_rest);
  ADD ("gaps", test_gaps);
  ADD ("late", test_late);
  ADD ("change-while-playing", test_change_while_playing);
  ADD ("controller", test_controller);
  ADD ("begins-anew", test_begins_anew);
  ADD ("keeps-modes", test_keeps_modes);
  ADD ("made-with-caps", test_made_with_caps);
  ADD ("nothing-is-made", test_nothing_is_made);
  ADD ("properties", test_properties);
  return fixture_run ();
}
