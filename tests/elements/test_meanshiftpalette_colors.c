/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette with a number of colours as an element: its bytes against the
 * oracle, what the number takes the place of, and what it does not go with. */
#include "element_fixture.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "palette_element_fixture.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <gst/controller/gstdirectcontrolbinding.h>
#include <gst/controller/gstinterpolationcontrolsource.h>

#define WIDTH 48
#define HEIGHT 28
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

#define INTERVAL (40 * GST_MSECOND)

/* What an element and the oracle are shown. */
typedef struct
{
  GstHarness *h;
  ReferenceTemporal *temporal;
  guint8 *picture;
  guint seed;                   /* of the noise in the last frame */
  GstClockTime pts;             /* of the last frame */
  GstClockTime counted;         /* that of the last one that was looked at */
} Film;

static Film *
film_new (const gchar * description)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (description);
  film->temporal = reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  film->picture = generated_picture_new ("blobs", WIDTH, HEIGHT, 1);
  film->pts = 10 * GST_SECOND;
  film->counted = GST_CLOCK_TIME_NONE;
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
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
  for (gsize i = 0; i < N_BYTES; i++)
    if (i % 4 < 3)
      film->picture[i] = CLAMP (film->picture[i] + codes, 0, 255);
}

static void
set (Film * film, const gchar * property, const gchar * value)
{
  g_test_message ("%s=%s", property, value);
  gst_util_set_object_arg (G_OBJECT (film->h->element), property, value);
}

/* The noise of the last frame once more, in a frame @interval behind it. */
static GstBuffer *
same_frame (Film * film, GstClockTime interval, guint8 ** picture)
{
  GstBuffer *buffer;

  *picture = palette_noisy_new (film->picture, N_PIXELS, film->seed);
  buffer = palette_frame (*picture, N_BYTES);
  GST_BUFFER_PTS (buffer) = film->pts += interval;
  return buffer;
}

static GstBuffer *
next_frame (Film * film, GstClockTime interval, guint8 ** picture)
{
  film->seed++;
  return same_frame (film, interval, picture);
}

/* --- comparing --- */

/* What the properties ask for, but for a palette. */
static ReferenceTemporalSettings
settings_of (Film * film)
{
  GObject *element = G_OBJECT (film->h->element);
  ReferenceTemporalSettings settings = {
    .palette = palette_settings (film->h->element),
    .bin_capacity = REFERENCE_LIVE_CAPACITY,
  };

  g_object_get (element, "stability", &settings.stability,
      "scene-cut-threshold", &settings.scene_cut_threshold, "hold",
      &settings.hold, "colors", &settings.colors, NULL);
  return settings;
}

/* 0: nobody knows. Those that pass, or fail, or are of another quality do not count. */
static GstClockTime
take_interval (Film * film)
{
  GstClockTime before = film->counted;

  film->counted = film->pts;
  return GST_CLOCK_TIME_IS_VALID (before) ? film->pts - before : 0;
}

/* What becomes of @buffer, a frame of @picture. */
static void
check (Film * film, const ReferenceTemporalSettings * settings,
    const guint8 * picture, GstBuffer * buffer)
{
  const ReferencePicture input = { picture, WIDTH, HEIGHT };
  g_autofree guint8 *expected = g_malloc (N_BYTES);
  GstBuffer *out = gst_harness_push_and_pull (film->h, buffer);
  ReferenceTemporalStats stats;

  g_assert_nonnull (out);
  reference_temporal_frame (film->temporal, settings, take_interval (film),
      &input, expected, &stats);
  palette_assert_bytes (out, expected, N_BYTES);
  gst_buffer_unref (out);
  if (settings->colors > 0) {
    g_assert_cmpuint (fixture_stat (film->h->element, "modes"), ==,
        stats.n_held + stats.n_strays);
    g_assert_cmpint (palette_was_solved (film->h->element), ==,
        !stats.is_settled);
  }
}

static void
show_as (Film * film, const ReferenceTemporalSettings * settings,
    GstClockTime interval)
{
  g_autofree guint8 *picture = NULL;
  GstBuffer *buffer = next_frame (film, interval, &picture);

  check (film, settings, picture, buffer);
}

static void
show (Film * film, guint n)
{
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint i = 0; i < n; i++)
    show_as (film, &settings, INTERVAL);
}

/* The last frame once more. */
static void
show_unchanged (Film * film, const ReferenceTemporalSettings * settings)
{
  g_autofree guint8 *picture = NULL;
  GstBuffer *buffer = same_frame (film, INTERVAL, &picture);

  check (film, settings, picture, buffer);
}

/* --- frame by frame --- */

/* How far modes go depends on the time, but with a scene cut. */
static void
test_frames (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette colors=1", "meanshiftpalette colors=8",
    "meanshiftpalette colors=256", "meanshiftpalette colors=8 stability=0",
    "meanshiftpalette colors=16 weighting=palette transfer=linear"
  };
  static const GstClockTime intervals[] = { 40, 15, 400, 40, 2000, 40 };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);
    const ReferenceTemporalSettings settings = settings_of (film);

    g_test_message ("%s", elements[i]);
    for (guint k = 0; k < G_N_ELEMENTS (intervals); k++) {
      lighten (film, k == 4 ? 30 : 0);
      show_as (film, &settings, intervals[k] * GST_MSECOND);
      g_assert_cmpuint (fixture_stat (film->h->element, "modes"), <=,
          settings.colors);
    }
  }
}

static void
test_change_while_playing (void)
{
  static const gchar *const values[][2] = {
    {"colors", "8"}, {"colors", "16"}, {"colors", "0"}, {"colors", "256"},
    {"colors", "3"}, {"stability", "0"}, {"colors", "5"}, {"colors", "0"},
    {"stability", "1"}, {"colors", "1"}, {"hold", "true"}, {"colors", "6"},
    {"hold", "false"}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    set (film, values[i][0], values[i][1]);
    lighten (film, i % 2 == 0 ? 4 : -4);
    show (film, 3);
  }
}

/* A number for each frame, one every INTERVAL. */
static void
control (Film * film, const guint * colors, guint n)
{
  GstObject *element = GST_OBJECT (film->h->element);
  GstControlSource *source = gst_interpolation_control_source_new ();

  for (guint i = 0; i < n; i++)
    gst_timed_value_control_source_set (GST_TIMED_VALUE_CONTROL_SOURCE
        (source), i * INTERVAL, colors[i]);
  gst_object_add_control_binding (element,
      gst_direct_control_binding_new_absolute (element, "colors", source));
  gst_object_unref (source);
}

static void
test_controller (void)
{
  static const guint colors[] = { 0, 8, 8, 256, 256, 3, 3, 3, 0, 0, 1 };
  const guint n = G_N_ELEMENTS (colors);
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  ReferenceTemporalSettings settings = settings_of (film);

  control (film, colors, n);
  film->pts = 0;
  for (guint i = 0; i < n; i++) {
    settings.colors = colors[i];
    show_as (film, &settings, i == 0 ? 0 : INTERVAL);
  }
}

/* --- in place of the radius --- */

/* It is as if it were always the same. */
static void
test_radius (void)
{
  static const gdouble radii[] = { 0.02, 0.3, 0, 1.7, 0.001, 0.02 };
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");
  const ReferenceTemporalSettings settings = settings_of (film);

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    show_as (film, &settings, INTERVAL);
    g_object_set (film->h->element, "radius", radii[i], NULL);
    show_unchanged (film, &settings);
    show_as (film, &settings, INTERVAL);
  }
}

/* Another one makes a first frame. The default is 2 here, and 1 without a number. */
static void
test_chroma (void)
{
  static const gchar *const values[][2] = {
    {"chroma", "1"}, {"chroma", "2"}, {"chroma", "0"}, {"colors", "0"},
    {"chroma", "3"}, {"colors", "16"}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");

  show (film, 3);
  for (guint i = 0; i < G_N_ELEMENTS (values); i++) {
    set (film, values[i][0], values[i][1]);
    show (film, 3);
  }
}

static void
assert_passes (Film * film, gboolean passes)
{
  g_autofree guint8 *picture = NULL;
  GstBuffer *buffer = next_frame (film, INTERVAL, &picture);

  g_assert_cmpint (fixture_passes (film->h, buffer), ==, passes);
}

/* 0 hands frames on, but not where there is a number; nothing is known of frames
 * before those that passed. */
static void
test_radius_0 (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette radius=0");

  for (guint i = 0; i < 3; i++) {
    assert_passes (film, TRUE);
    set (film, "colors", "8");
    reference_temporal_forget_modes (film->temporal);
    show (film, 3);
    set (film, "colors", "0");
  }
  set (film, "colors", "4");
  set (film, "palette", "<0x102030>");
  assert_passes (film, TRUE);
  set (film, "palette", "<>");
  assert_passes (film, FALSE);
}

/* --- what it does not go with --- */

/* Beside a palette it means nothing, not even where it changes. */
static void
test_palette (void)
{
  g_autoptr (Film) film = film_new
      ("meanshiftpalette colors=2 palette=<0xe02010,0x20c040,0x8090a0>");
  ReferenceTemporalSettings settings = settings_of (film);

  settings.colors = 0;
  settings.n_colours = 3;
  settings.colours[0] = 0xe02010;
  settings.colours[1] = 0x20c040;
  settings.colours[2] = 0x8090a0;
  for (guint i = 0; i < 3; i++) {
    show_as (film, &settings, INTERVAL);
    g_object_set (film->h->element, "colors", 64 * i, NULL);
    show_unchanged (film, &settings);
    show_as (film, &settings, INTERVAL);
  }
  set (film, "palette", "<>");
  show (film, 2);
}

static void
show_exact (Film * film)
{
  const ReferencePaletteSettings settings = palette_settings (film->h->element);
  g_autofree guint8 *picture = NULL;
  GstBuffer *buffer = next_frame (film, INTERVAL, &picture);
  g_autofree guint8 *expected = g_malloc (N_BYTES);

  reference_palette (&settings, picture, WIDTH, HEIGHT, expected, NULL);
  buffer = gst_harness_push_and_pull (film->h, buffer);
  g_assert_nonnull (buffer);
  palette_assert_bytes (buffer, expected, N_BYTES);
  gst_buffer_unref (buffer);
}

/* To `exact` the number means nothing, at the start and later. */
static void
test_exact (void)
{
  g_autoptr (Film) film =
      film_new ("meanshiftpalette quality=exact radius=0.1 colors=8");

  show_exact (film);
  set (film, "colors", "0");
  show_exact (film);
  set (film, "colors", "8");
  show_exact (film);
  set (film, "quality", "live");
  reference_temporal_reset (film->temporal);
  show (film, 2);
  set (film, "quality", "exact");
  show_exact (film);
  set (film, "radius", "0");
  g_assert_true (fixture_passes (film->h,
          fixture_frame ("RGBA", WIDTH, HEIGHT, 1)));
  g_assert_cmpuint (fixture_take_messages (film->h->element,
          GST_MESSAGE_ERROR), ==, 0);
}

/* --- what it costs --- */

static void
show_numbers (Film * film)
{
  static const gchar *const numbers[] = { "8", "16", "0", "16", "8" };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    set (film, "colors", numbers[i]);
    show (film, 3);
  }
}

/* Once all was used, nothing is made for another number. */
static void
test_nothing_is_made (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  guint made;

  gpu_hooks_install (device);
  show_numbers (film);
  made = gpu_hooks_get_made ();
  g_assert_cmpuint (made, >, 0);
  show_numbers (film);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}

/* --- the property --- */

static void
test_property (void)
{
  const guint live = GST_PARAM_CONTROLLABLE | GST_PARAM_MUTABLE_PLAYING;
  g_autoptr (GstElement) element = gst_object_ref_sink (fixture_make
      ("meanshiftpalette"));
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
      (element), "colors");
  guint colors;

  g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->minimum, ==, 0);
  g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->maximum, ==, 256);
  g_assert_cmpuint (spec->flags & live, ==, live);
  g_object_get (element, "colors", &colors, NULL);
  g_assert_cmpuint (colors, ==, 0);
  g_object_set (element, "colors", 256, NULL);
  g_object_get (element, "colors", &colors, NULL);
  g_assert_cmpuint (colors, ==, 256);
  fixture_check_refused (element, "colors", "257");
  g_object_get (element, "colors", &colors, NULL);
  g_assert_cmpuint (colors, ==, 256);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  fixture_share_device ();
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-colors/" name, test)
  ADD ("frames", test_frames);
  ADD ("change-while-playing", test_change_while_playing);
  ADD ("controller", test_controller);
  ADD ("radius", test_radius);
  ADD ("chroma", test_chroma);
  ADD ("radius-0", test_radius_0);
  ADD ("palette", test_palette);
  ADD ("exact", test_exact);
  ADD ("nothing-is-made", test_nothing_is_made);
  ADD ("property", test_property);
  return fixture_run ();
}
