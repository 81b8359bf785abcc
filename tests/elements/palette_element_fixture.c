/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_element_fixture.h"
#include "element_fixture.h"

GstBuffer *
palette_frame (const guint8 * rgba, gsize n_bytes)
{
  return gst_buffer_new_wrapped (g_memdup2 (rgba, n_bytes), n_bytes);
}

guint8 *
palette_noisy_new (const guint8 * rgba, gsize n_pixels, guint32 seed)
{
  guint8 *noisy = g_memdup2 (rgba, 4 * n_pixels);
  GRand *random = g_rand_new_with_seed (seed);

  for (gsize i = 0; i < 4 * n_pixels; i++) {
    const gint noise = g_rand_int_range (random, -2, 3)
        + g_rand_int_range (random, -2, 3);

    if (i % 4 < 3)
      noisy[i] = CLAMP (rgba[i] + noise, 0, 255);
  }
  g_rand_free (random);
  return noisy;
}

void
palette_assert_bytes (GstBuffer * buffer, const guint8 * expected,
    gsize n_bytes)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  g_assert_cmpmem (map.data, map.size, expected, n_bytes);
  gst_buffer_unmap (buffer, &map);
}

ReferencePaletteSettings
palette_settings (GstElement * element)
{
  ReferencePaletteSettings settings = {.walks = REFERENCE_WALKS_SHORTCUT};
  gint weighting, transfer;

  g_object_get (element, "radius", &settings.radius, "chroma",
      &settings.chroma, "iteration-limit", &settings.iteration_limit,
      "min-frequency", &settings.min_frequency, "weighting", &weighting,
      "transfer", &transfer, NULL);
  settings.weighting = weighting;
  settings.transfer = transfer == 2 ? REFERENCE_TRANSFER_LINEAR
      : REFERENCE_TRANSFER_SRGB;
  return settings;
}

gboolean
palette_was_solved (GstElement * element)
{
  g_autoptr (GstStructure) stats = NULL;
  gboolean solved = FALSE;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, "solved", &solved));
  return solved;
}

GstCaps *
palette_negotiate (const gchar * description, const gchar * in,
    const gchar * downstream)
{
  GstHarness *h = fixture_harness (description);
  GstCaps *caps = gst_caps_from_string (in);
  GstBuffer *frame;
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  frame = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (frame, 0, 0, info.size);
  gst_harness_set_sink_caps_str (h, downstream);
  gst_harness_set_src_caps (h, caps);
  fixture_show (h, frame);
  caps = gst_pad_get_current_caps (h->sinkpad);
  fixture_harness_free (h);
  return caps;
}

gdouble
palette_decode_bt709 (gdouble code)
{
  return gst_video_transfer_function_decode (GST_VIDEO_TRANSFER_BT709, code);
}
