/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats against GStreamer's. */
#include "gpu/core/frame/frame.h"

#include <gst/video/video.h>

/* Returns GStreamer's description of @format, or NULL. */
static const GstVideoFormatInfo *
find_known (const GpuPixelFormat * format)
{
  GstVideoFormat known = gst_video_format_from_string (format->name);

  return known == GST_VIDEO_FORMAT_UNKNOWN ? NULL
      : gst_video_format_get_info (known);
}

/* GStreamer rounds the height of these up to a multiple of 2, for no reason that they
 * have. */
static gboolean
is_rounded (const gchar * name)
{
  return g_str_has_prefix (name, "I422_");
}

static void
test_layouts (void)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 2}, {3, 1}, {5, 3}, {17, 9}, {6, 1001}, {33, 34}, {1921, 1081}
  };

  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++) {
    const GstVideoFormatInfo *known = find_known (gpu_pixels_get_format (i));

    for (guint s = 0; known && s < G_N_ELEMENTS (sizes); s++) {
      GstVideoInfo video;
      GpuFrameInfo info;

      if (is_rounded (known->name) && sizes[s][1] % 2)
        continue;
      g_test_message ("%s %u x %u", known->name, sizes[s][0], sizes[s][1]);
      gst_video_info_set_format (&video, known->format, sizes[s][0],
          sizes[s][1]);
      gpu_frame_info_init (&info, i, sizes[s][0], sizes[s][1]);
      g_assert_cmpuint (info.size, ==, video.size);
      for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES (&video); plane++) {
        g_assert_cmpuint (info.offset[plane], ==, video.offset[plane]);
        g_assert_cmpint (info.stride[plane], ==, video.stride[plane]);
      }
      g_assert_true (gpu_frame_info_is_usable (&info));
    }
  }
}

/* Where the first sample of a component begins in the pixels of its plane, in bits. */
static guint
bit_of_place (const GpuPixelFormat * format, guint place)
{
  if (format->sample == SAMPLE_TENS)
    return 10 * place;
  return place % 4 * SAMPLE_SIZE (format->sample) * 8
      + SAMPLE_LOW_BITS (format->sample);
}

static guint
bits_of_component (const GpuPixelFormat * format, guint c)
{
  return format->sample == SAMPLE_TENS && c == 3 ? 2
      : SAMPLE_CODE_BITS (format->sample);
}

static void
check_component (const GpuPixelFormat * format,
    const GstVideoFormatInfo * known, guint c)
{
  guint place = format->place[c], plane = place / 4;

  g_assert_cmpuint (plane, ==, known->plane[c]);
  g_assert_cmpuint (bit_of_place (format, place), ==,
      8 * known->poffset[c] + known->shift[c]);
  g_assert_cmpuint (bits_of_component (format, c), ==, known->depth[c]);
  if (format->grouping == GPU_PAIRS && c == 0) {
    g_assert_cmpuint (known->pixel_stride[c], ==, 2);
    g_assert_cmpuint (known->w_sub[c], ==, 0);
  } else {
    g_assert_cmpuint (gpu_pixel_format_get_size (format, plane), ==,
        known->pixel_stride[c]);
    g_assert_cmpuint (format->shift_x[plane], ==, known->w_sub[c]);
  }
  g_assert_cmpuint (format->shift_y[plane], ==, known->h_sub[c]);
}

static void
test_components (void)
{
  guint n = 0;

  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++) {
    const GpuPixelFormat *format = gpu_pixels_get_format (i);
    const GstVideoFormatInfo *known = find_known (format);

    if (!known || format->grouping == GPU_INDEXED)
      continue;
    g_test_message ("%s", format->name);
    n++;
    g_assert_cmpint (format->model, ==,
        GST_VIDEO_FORMAT_INFO_IS_RGB (known) ? GPU_MODEL_RGB
        : GST_VIDEO_FORMAT_INFO_IS_GRAY (known) ? GPU_MODEL_GREY
        : GPU_MODEL_YUV);
    g_assert_cmpuint (format->n_planes, ==, known->n_planes);
    g_assert_cmpint (format->alpha >= 0, ==,
        GST_VIDEO_FORMAT_INFO_HAS_ALPHA (known) != 0);
    g_assert_cmpint (format->unused >= 0, ==,
        strchr (format->name, 'x') != NULL);
    for (guint c = 0; c < known->n_components; c++)
      check_component (format, known, c);
  }
  g_assert_cmpuint (n, ==, 50);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/formats/layouts", test_layouts);
  g_test_add_func ("/formats/components", test_components);
  return g_test_run ();
}
