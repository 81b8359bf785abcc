/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette with quality=live as an element: its bytes against the
 * oracle, from frame to frame, and what is known of frames that nobody waits
 * for. */
#include "element_fixture.h"
#include "generated.h"
#include "gpu/core/device/vulkan.h"
#include "palette_element_fixture.h"
#include "reference_live.h"

#include <string.h>

#define WIDTH 64
#define HEIGHT 36
#define N_BYTES (4 * WIDTH * HEIGHT)

/* What becomes of @rgba, which is looked at: the frame is done then. */
static void
check_frame (GstHarness * h, const ReferencePaletteSettings * settings,
    const guint8 * rgba, gboolean is_live)
{
  g_autofree guint8 *expected = g_malloc (N_BYTES);
  GstBuffer *out = gst_harness_push_and_pull (h, palette_frame (rgba, N_BYTES));
  ReferenceLiveStats live;
  ReferencePaletteStats exact;

  if (is_live)
    reference_live (settings, rgba, WIDTH, HEIGHT, expected, &live);
  else
    reference_palette (settings, rgba, WIDTH, HEIGHT, expected, &exact);
  palette_assert_bytes (out, expected, N_BYTES);
  gst_buffer_unref (out);
  fixture_check_stat (h->element, "cells", is_live ? live.n_bins : 0);
  fixture_check_stat (h->element, "colors", is_live ? 0 : exact.n_colours);
  fixture_check_stat (h->element, "modes",
      is_live ? live.n_output_colours : exact.n_output_colours);
}

/* It is what one gets, and no result is waited for. Nor does a frame so small take
 * several submissions, which the device's clock might say otherwise of: it has none
 * here. */
static void
test_default (void)
{
  GpuDeviceInfo *info = &fixture_device ()->info;
  const gdouble period = info->timestamp_period;
  const ReferencePaletteSettings settings = {.radius = 0.02};
  GstHarness *h;

  info->timestamp_period = 0;
  h = fixture_harness ("meanshiftpalette");
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < 4; i++) {
    g_autofree guint8 *rgba =
        generated_picture_new (i % 2 ? "alpha-noise" : "blobs", WIDTH, HEIGHT,
        i);

    check_frame (h, &settings, rgba, TRUE);
    fixture_check_stat (h->element, "waits-for-solver", 0);
  }
  fixture_harness_free (h);
  info->timestamp_period = period;
}

/* All that means something to it, between two frames. */
static void
test_change_while_playing (void)
{
  static const struct
  {
    const gchar *property, *value;
  } changes[] = {
    {"radius", "0.05"}, {"weighting", "palette"}, {"transfer", "linear"},
    {"quality", "exact"}, {"quality", "live"}, {"radius", "0.1"},
    {"weighting", "frequency"}, {"quality", "exact"}, {"transfer", "srgb"},
    {"quality", "live"}, {"iteration-limit", "1"}
  };
  g_autoptr (Harness) h =
      fixture_play ("meanshiftpalette stability=0", "RGBA", WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", WIDTH, HEIGHT, 1);

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    ReferencePaletteSettings settings;
    gint quality;

    fixture_set (h->element, changes[i].property, changes[i].value);
    g_object_get (h->element, "quality", &quality, NULL);
    settings = palette_settings (h->element);
    g_test_message ("%s=%s", changes[i].property, changes[i].value);
    check_frame (h, &settings, rgba, quality == 1);
  }
}

/* A frame like the one before is not solved again. */
static void
test_unchanged (void)
{
  static const guint seeds[] = { 1, 1, 1, 2, 2, 1 };
  GstHarness *h = fixture_harness ("meanshiftpalette radius=0.03 stability=0");
  const ReferencePaletteSettings settings = {.radius = 0.03};

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < G_N_ELEMENTS (seeds); i++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("blobs", WIDTH, HEIGHT, seeds[i]);

    check_frame (h, &settings, rgba, TRUE);
    g_assert_cmpint (palette_was_solved (h->element), ==, i == 0
        || seeds[i] != seeds[i - 1]);
  }
  fixture_harness_free (h);
}

/* What is known of the last frame stays known when the element stops, and when
 * frames of other caps come. */
static void
test_last_report (void)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");
    const ReferencePaletteSettings settings = {.radius = 0.02};
    g_autofree guint8 *rgba = generated_picture_new ("blobs", WIDTH, HEIGHT, 1);
    g_autofree guint8 *expected = g_malloc (N_BYTES);
    ReferenceLiveStats stats;
    GstBuffer *out;

    fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
    out = gst_harness_push_and_pull (h, palette_frame (rgba, N_BYTES));
    reference_live (&settings, rgba, WIDTH, HEIGHT, expected, &stats);
    palette_assert_bytes (out, expected, N_BYTES);
    gst_buffer_unref (out);
    if (i == 0)
      gst_element_set_state (h->element, GST_STATE_READY);
    else
      fixture_set_caps (h, "RGBA", WIDTH, 2 * HEIGHT);
    fixture_check_stat (h->element, "cells", stats.n_bins);
    fixture_check_stat (h->element, "modes", stats.n_output_colours);
  }
}

/* Radius 0 hands frames on, whatever the quality; where another format is
 * wanted, it keeps their colours. */
static void
test_radius_0 (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette radius=0", "meanshiftpalette radius=0 quality=exact"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Harness) h = fixture_harness (elements[i]);
    g_autofree guint8 *rgba =
        generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 5);
    GstBuffer *in = palette_frame (rgba, N_BYTES), *out;

    fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
    out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
    g_assert_true (out == in);
    gst_buffer_unref (out);
    gst_harness_set_caps (h, fixture_caps ("RGBA", WIDTH, HEIGHT),
        fixture_caps ("BGRA", WIDTH, HEIGHT));
    out = gst_harness_push_and_pull (h, in);
    for (guint k = 0; k < N_BYTES; k += 4) {
      guint8 red = rgba[k];

      rgba[k] = rgba[k + 2];
      rgba[k + 2] = red;
    }
    palette_assert_bytes (out, rgba, N_BYTES);
    gst_buffer_unref (out);
  }
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/meanshiftpalette-live/");
  fixture_share_device ();
  fixture_add ("default", test_default);
  fixture_add ("change-while-playing", test_change_while_playing);
  fixture_add ("unchanged", test_unchanged);
  fixture_add ("last-report", test_last_report);
  fixture_add ("radius-0", test_radius_0);
  return fixture_run ();
}
