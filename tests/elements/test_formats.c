/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of pixel formats against GStreamer's. */
#include "gpu/core/frame/frame.h"
#include "gst/memory/gstgpuframe.h"
#include "tests.h"

#include <gst/video/video.h>
#include <string.h>

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

TEST (layouts)
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

/* Sets a component to its largest code in each pixel of plane @place / 4. */
static void
fill_component (const GpuPixelFormat * format, const GpuFrameInfo * info,
    guint c, guint8 * frame)
{
  guint plane = format->place[c] / 4, index = format->place[c] % 4;
  guint pixel = gpu_pixel_format_get_size (format, plane);
  gsize samples = format->grouping == GPU_PAIRS && c == 0 ? 2 : 1;

  for (guint y = 0; y < gpu_frame_info_plane_height (info, plane); y++)
    for (guint x = 0; x < gpu_frame_info_plane_width (info, plane); x++) {
      guint8 *to = frame + info->offset[plane] + y * info->stride[plane]
          + x * pixel;

      if (format->sample == SAMPLE_TENS)
        *(guint32 *) to |= (c == 3 ? 3u : 1023u) << 10 * index;
      else
        for (gsize i = 0; i < samples; i++)
          memset (to + (index + 2 * i) * SAMPLE_SIZE (format->sample), 0xff,
              SAMPLE_SIZE (format->sample));
    }
}

/* GStreamer reads the frame, as its descriptions are not right for every format: it says
 * nothing about components that share a word, and swaps Cb and Cr of VYUY. */
static void
check_place (const GpuPixelFormat * format, const GstVideoFormatInfo * known,
    GpuPixels pixels, guint c)
{
  gboolean is_deep = GST_VIDEO_FORMAT_INFO_BITS
      (gst_video_format_get_info (known->unpack_format)) > 8;
  GpuFrameInfo info;
  gpointer planes[GST_VIDEO_MAX_PLANES];
  gint strides[GST_VIDEO_MAX_PLANES];
  guint16 unpacked[4 * 16];
  g_autofree guint8 *frame = NULL;

  gpu_frame_info_init (&info, pixels, 16, 4);
  frame = g_malloc0 (info.size);
  fill_component (format, &info, c, frame);
  for (guint i = 0; i < format->n_planes; i++) {
    planes[i] = frame + info.offset[i];
    strides[i] = info.stride[i];
  }
  known->unpack_func (known, GST_VIDEO_PACK_FLAG_NONE, unpacked, planes,
      strides, 0, 0, 16);
  for (guint i = 0; i < known->n_components; i++) {
    guint at = i == 3 ? 0 : i + 1;      /* alpha comes first */
    guint code = is_deep ? unpacked[4 * 5 + at] >> 8
        : ((guint8 *) unpacked)[4 * 5 + at];

    /* Two bits of alpha become the highest of eight. */
    g_assert_cmpuint (i == c ? code & 0xc0 : code, ==, i == c ? 0xc0 : 0);
  }
}

static guint
bits_of_component (const GpuPixelFormat * format, guint c)
{
  return format->sample == SAMPLE_TENS && c == 3 ? 2
      : SAMPLE_CODE_BITS (format->sample);
}

static void
check_component (const GpuPixelFormat * format,
    const GstVideoFormatInfo * known, GpuPixels pixels, guint c)
{
  guint place = format->place[c], plane = place / 4;

  check_place (format, known, pixels, c);
  g_assert_cmpuint (plane, ==, known->plane[c]);
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

TEST (components)
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
      check_component (format, known, i, c);
  }
  g_assert_cmpuint (n, ==, 49);
}

/* Each GstVideoFormat is found, or known not to be in the table. */
TEST (find)
{
  guint n = 0;

  for (guint format = 0; format < 300; format++) {
    GpuPixels pixels;

    if (!gst_gpu_formats_find (format, &pixels))
      continue;
    n++;
    g_assert_cmpstr (gpu_pixels_get_format (pixels)->name, ==,
        gst_video_format_to_string (format));
  }
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
    n -= find_known (gpu_pixels_get_format (i)) != NULL;
  g_assert_cmpuint (n, ==, 0);
}

static gboolean
is_any (GpuPixels pixels)
{
  return TRUE;
}

static gboolean
is_rgba (GpuPixels pixels)
{
  return pixels == GPU_PIXELS_RGBA;
}

/* Pipelines ask for caps very often: their text is parsed once. */
TEST (caps_made_once)
{
  g_autoptr (GstCaps) any = gst_gpu_formats_get_caps (is_any);
  g_autoptr (GstCaps) rgba = gst_gpu_formats_get_caps (is_rgba);
  g_autoptr (GstCaps) again = gst_gpu_formats_get_caps (is_any);

  g_assert_true (again == any);
  g_assert_true (gst_caps_can_intersect (any, rgba));
  g_assert_false (gst_caps_is_equal (any, rgba));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  tests_add ("/formats/", g_test_add_func);
  return g_test_run ();
}
