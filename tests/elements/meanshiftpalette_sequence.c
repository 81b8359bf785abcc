/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "meanshiftpalette_sequence.h"
#include "gpu_hooks.h"
#include "palette_pictures.h"

#include <string.h>

/* --- from frame to frame --- */

/* Checks what stats say about solved colours. */
static void
check_reuse (GstElement * element, gboolean is_first, gboolean was_solved)
{
  guint64 colours = fixture_stat (element, "colors");
  guint64 solved = fixture_stat (element, "solved-colors");

  g_assert_cmpuint (fixture_stat (element, "reused-colors"), ==,
      colours - solved);
  g_assert_cmpuint (solved, <=, was_solved ? colours : 0);
  if (is_first) {
    g_assert_cmpuint (solved, ==, colours);
    g_assert_cmpuint (fixture_stat (element, "added"), ==, colours);
  } else if (!was_solved)
    g_assert_cmpuint (fixture_stat (element, "added")
        + fixture_stat (element, "removed"), ==, 0);
}

/* Each frame has the same output as if it came alone, whether it differs a little, a lot or
 * not at all from the frame before. Unchanged colours are not solved again. */
static void
test_sequence (void)
{
  static const struct
  {
    guint seed, changed;        /* picture; pixels turned to grey */
    gboolean solved;
  } frames[] = {
    {1, 0, TRUE}, {1, 0, FALSE}, {1, 5, TRUE}, {1, 5, FALSE}, {2, 0, TRUE},
    {1, 0, TRUE},
  };
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  ReferencePaletteSettings settings = {.radius = 0.1,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  fixture_set_caps (h, "RGBx", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    g_autofree guint8 *rgba = palette_picture_new ("RGBx", frames[i].seed);
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;
    ReferencePaletteStats stats;

    memset (rgba, 0x80, frames[i].changed * 4);
    for (guint k = 0; k < N_PIXELS; k++)
      rgba[4 * k + 3] = 255;
    expected = palette_picture_oracle (rgba, &settings, &stats);
    result = palette_picture_filter (h, "RGBx", "RGBx", rgba);
    palette_picture_assert_same (result, expected);
    g_assert_cmpint (palette_was_solved (h->element), ==, frames[i].solved);
    g_assert_cmpuint (fixture_stat (h->element, "colors"), ==, stats.n_colours);
    g_assert_cmpuint (fixture_stat (h->element, "modes"), ==,
        stats.n_output_colours);
    check_reuse (h->element, i == 0, frames[i].solved);
  }
  fixture_harness_free (h);
}

/* --- a film that goes on --- */

/* Changes a property or the caps, or flushes, before one frame in eight. */
static void
disturb (GstHarness * h, GRand * random, const gchar ** format)
{
  static const gdouble radii[] = { 0.05, 0.1 };
  static const gchar *const opaque[] = { "RGBx", "BGRx", "RGB" };

  switch (g_rand_int_range (random, 0, 40)) {
    case 0:
      g_object_set (h->element, "radius", radii[g_rand_int_range (random, 0,
                  G_N_ELEMENTS (radii))], NULL);
      break;
    case 1:
      gst_util_set_object_arg (G_OBJECT (h->element), "weighting",
          g_rand_boolean (random) ? "palette" : "frequency");
      break;
    case 2:
      g_object_set (h->element, "min-frequency",
          (guint) g_rand_int_range (random, 1, 4), NULL);
      break;
    case 3:
      *format = opaque[g_rand_int_range (random, 0, G_N_ELEMENTS (opaque))];
      fixture_set_caps (h, *format, WIDTH, HEIGHT);
      break;
    case 4:
      fixture_flush (h);
      break;
  }
}

/* Gives some pixels a similar colour, or the colour of another pixel. */
static void
edit (GRand * random, guint8 * rgba)
{
  guint n = g_rand_int_range (random, 0, 12);

  for (guint i = 0; i < n; i++) {
    guint8 *pixel = rgba + 4 * g_rand_int_range (random, 0, N_PIXELS);

    if (i & 1)
      memcpy (pixel, rgba + 4 * g_rand_int_range (random, 0, N_PIXELS), 4);
    else
      pixel[g_rand_int_range (random, 0, 3)] ^= g_rand_int_range (random, 1, 8);
  }
}

/* Each frame has the same output as if it came alone, whatever is known from earlier frames.
 * For some frames only a part of the colours is solved. */
static void
test_edits (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  GstHarness *h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.05");
  const gchar *format = "RGBx";
  g_autofree guint8 *rgba = palette_picture_new (format, 1);
  guint n_partly = 0;

  fixture_set_caps (h, format, WIDTH, HEIGHT);
  for (guint i = 0; i < 25; i++) {
    g_autofree guint8 *expected = NULL;
    g_autofree guint8 *result = NULL;
    ReferencePaletteSettings settings;
    guint64 solved;

    edit (random, rgba);
    disturb (h, random, &format);
    settings = palette_settings (h->element);
    settings.walks = REFERENCE_WALKS_SHORTCUT;
    expected = palette_picture_oracle (rgba, &settings, NULL);
    result = palette_picture_filter (h, format, format, rgba);
    palette_picture_assert_same (result, expected);
    solved = fixture_stat (h->element, "solved-colors");
    n_partly += solved > 0 && solved < fixture_stat (h->element, "colors");
  }
  g_assert_cmpuint (n_partly, >, 10);
  fixture_harness_free (h);
}

/* New caps that describe the same frames cause no solving, and create no Vulkan object. Caps
 * that change the meaning of codes do. */
static void
test_caps_of_same_frames (void)
{
  static const struct
  {
    const gchar *fields;
    gboolean solved;
  } caps[] = {
    {"framerate=25/1, colorimetry=sRGB", TRUE},
    {"framerate=30/1, colorimetry=sRGB", FALSE},
    {"framerate=30/1, colorimetry=sRGB, pixel-aspect-ratio=4/3", FALSE},
    {"framerate=30/1, colorimetry=1:1:5:1, pixel-aspect-ratio=4/3", TRUE},
  };
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact radius=0.1");
  g_autofree guint8 *rgba = palette_picture_new ("RGB", 1);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  gpu_hooks_install (device);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    g_autofree gchar *all = g_strdup_printf ("video/x-raw, format=RGB, "
        "width=%u, height=%u, %s", WIDTH, HEIGHT, caps[i].fields);
    guint made = gpu_hooks_get_made ();

    gst_harness_set_src_caps (h, gst_caps_from_string (all));
    /* The staging and output pools fill up within the first frames. */
    for (guint k = 0; k < 6; k++) {
      g_free (palette_picture_filter (h, "RGB", "RGB", rgba));
      g_assert_cmpint (palette_was_solved (h->element), ==,
          caps[i].solved && k == 0);
    }
    if (!caps[i].solved)
      g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  }
  gpu_hooks_remove (device);
  fixture_harness_free (h);
}

void
meanshiftpalette_sequence_add_tests (void)
{
  fixture_add ("/meanshiftpalette/sequence", test_sequence);
  fixture_add ("/meanshiftpalette/edits", test_edits);
  fixture_add ("/meanshiftpalette/caps-of-same-frames",
      test_caps_of_same_frames);
}
