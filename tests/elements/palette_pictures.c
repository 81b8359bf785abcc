/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palette_pictures.h"
#include "generated.h"

#include <string.h>

static void
video_info (GstVideoInfo * info, const gchar * format)
{
  gst_video_info_set_format (info, gst_video_format_from_string (format),
      WIDTH, HEIGHT);
}

/* Copies between tightly packed RGBA and a frame. A component that one of them lacks is not
 * changed. */
static void
convert (GstBuffer * buffer, const gchar * format, guint8 * rgba,
    gboolean to_frame)
{
  GstVideoInfo info;
  GstVideoFrame frame;
  guint n;

  video_info (&info, format);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer,
          to_frame ? GST_MAP_WRITE : GST_MAP_READ));
  n = GST_VIDEO_FRAME_N_COMPONENTS (&frame);
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 0; x < WIDTH; x++)
      for (guint c = 0; c < n; c++) {
        guint8 *sample = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, c)
            + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, c);
        guint8 *tight = rgba + 4 * (y * WIDTH + x) + c;

        if (to_frame)
          *sample = *tight;
        else
          *tight = *sample;
      }
  gst_video_frame_unmap (&frame);
}

GstBuffer *
palette_picture_to_frame (const gchar * format, guint8 * rgba)
{
  GstVideoInfo info;
  GstBuffer *buffer;

  video_info (&info, format);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_buffer_memset (buffer, 0, 0xff, info.size);
  convert (buffer, format, rgba, TRUE);
  return buffer;
}

guint8 *
palette_picture_filter (GstHarness * h, const gchar * in, const gchar * out,
    guint8 * rgba)
{
  GstBuffer *buffer =
      gst_harness_push_and_pull (h, palette_picture_to_frame (in, rgba));
  guint8 *result = g_malloc (4 * N_PIXELS);

  g_assert_nonnull (buffer);
  memset (result, 0xff, 4 * N_PIXELS);
  convert (buffer, out, result, FALSE);
  gst_buffer_unref (buffer);
  return result;
}

guint8 *
palette_picture_oracle (const guint8 * rgba,
    const ReferencePaletteSettings * settings, ReferencePaletteStats * stats)
{
  guint8 *result = g_malloc (4 * N_PIXELS);

  reference_palette (settings, rgba, WIDTH, HEIGHT, result, stats);
  return result;
}

void
palette_picture_assert_same (const guint8 * result, const guint8 * expected)
{
  g_assert_cmpmem (result, 4 * N_PIXELS, expected, 4 * N_PIXELS);
}

gboolean
palette_picture_has_alpha (const gchar * format)
{
  return strchr (format, 'A') != NULL;
}

guint8 *
palette_picture_new (const gchar * format, guint seed)
{
  guint8 *rgba =
      generated_picture_new (palette_picture_has_alpha (format) ? "alpha-noise"
      : "noise", WIDTH, HEIGHT, seed);

  return rgba;
}
