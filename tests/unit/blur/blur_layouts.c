/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_layouts.h"

#include "gpu_fixture.h"

/* Between rows, whose last word is filled up with 0, and between planes, nothing
 * is written. */
static void
check_gaps (const GpuFrameInfo * info, const guint8 * out)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  gsize at = 0;

  for (guint i = 0; i < format->n_planes; i++)
    for (guint y = 0; y < gpu_frame_info_plane_height (info, i); y++) {
      gsize row = info->offset[i] + (gsize) y * info->stride[i];
      guint bytes = gpu_frame_info_plane_width (info, i)
          * gpu_pixel_format_get_size (format, i);

      while (at < row)
        g_assert_cmpuint (out[at++], ==, 0xa5);
      for (at += bytes; at % 4; at++)
        g_assert_cmpuint (out[at], ==, 0);
    }
  while (at < info->size)
    g_assert_cmpuint (out[at++], ==, 0xa5);
}

/* Samples of one layout in another. */
static guint8 *
lay_out (const GpuFrameInfo * from, const guint8 * in, const GpuFrameInfo * to)
{
  guint8 *out = g_malloc0 (to->size);

  for (guint i = 0; i < gpu_pixels_get_format (to->pixels)->n_planes; i++) {
    g_autofree guint8 *samples = g_malloc (from->size);

    gpu_fixture_unpack (from, i, in, samples);
    gpu_fixture_pack (to, i, samples, out);
  }
  return out;
}

/* With @gap bytes more between rows. */
static GpuFrameInfo
pad (const GpuFrameInfo * tight, guint gap)
{
  GpuFrameInfo info = *tight;

  info.size = 8;
  for (guint i = 0; i < gpu_pixels_get_format (tight->pixels)->n_planes; i++) {
    info.offset[i] = info.size;
    info.stride[i] += gap + 4 * i;
    info.size += info.stride[i] * gpu_frame_info_plane_height (tight, i) + 60;
  }
  return info;
}

void
check_padded (Fixture * fixture, const Case * c)
{
  GpuFrameInfo tight, in_info, out_info;
  g_autofree guint8 *in = NULL, *tight_in = NULL, *tight_out = NULL;
  g_autofree guint8 *out = NULL, *samples = NULL, *expected = NULL;

  gpu_frame_info_init (&tight, c->pixels, c->width, c->height);
  in_info = pad (&tight, 24);
  out_info = pad (&tight, 48);
  in = make_frame (&in_info, 5);
  tight_in = lay_out (&in_info, in, &tight);
  tight_out = blur_frame (fixture, &tight, tight_in, &c->settings);
  out = blur_prepared (fixture, &in_info, in, &out_info, &c->settings);
  check_gaps (&out_info, out);
  samples = lay_out (&out_info, out, &tight);
  expected = lay_out (&tight, tight_out, &tight);
  g_assert_cmpmem (samples, tight.size, expected, tight.size);
}

GpuFrameInfo
interlaced_info (GpuPixels pixels, guint width, guint height)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, width, height);
  info.is_interlaced = TRUE;
  info.size = 0;
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++) {
    info.offset[i] = info.size;
    info.size += info.stride[i] * gpu_frame_info_plane_height (&info, i);
  }
  return info;
}

void
check_interlaced (Fixture * fixture, const Case * c)
{
  const GpuFrameInfo info = interlaced_info (c->pixels, c->width, c->height);

  check_layout (fixture, c, &info);
}
