/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "format.h"

#define RGB_BYTES GPU_MODEL_RGB, GPU_SAMPLE_BYTE
#define YUV_BYTES GPU_MODEL_YUV, GPU_SAMPLE_BYTE
#define GREY_BYTES GPU_MODEL_GREY, GPU_SAMPLE_BYTE
#define RGB_HALVES GPU_MODEL_RGB, GPU_SAMPLE_HALF
#define RGB_FLOATS GPU_MODEL_RGB, GPU_SAMPLE_FLOAT

/* Columns: name, model, sample, number of planes, components and shift per plane; then
 * the index of red, green, blue, alpha and unused in plane 0; is_indexed. */
/* *INDENT-OFF* */
static const GpuPixelFormat formats[GPU_N_PIXELS] = {
  [GPU_PIXELS_RGBA] = { "RGBA", RGB_BYTES, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1 },
  [GPU_PIXELS_BGRA] = { "BGRA", RGB_BYTES, 1, { 4 }, { 0 }, 2, 1, 0, 3, -1 },
  [GPU_PIXELS_ARGB] = { "ARGB", RGB_BYTES, 1, { 4 }, { 0 }, 1, 2, 3, 0, -1 },
  [GPU_PIXELS_ABGR] = { "ABGR", RGB_BYTES, 1, { 4 }, { 0 }, 3, 2, 1, 0, -1 },
  [GPU_PIXELS_RGBX] = { "RGBx", RGB_BYTES, 1, { 4 }, { 0 }, 0, 1, 2, -1, 3 },
  [GPU_PIXELS_BGRX] = { "BGRx", RGB_BYTES, 1, { 4 }, { 0 }, 2, 1, 0, -1, 3 },
  [GPU_PIXELS_XRGB] = { "xRGB", RGB_BYTES, 1, { 4 }, { 0 }, 1, 2, 3, -1, 0 },
  [GPU_PIXELS_XBGR] = { "xBGR", RGB_BYTES, 1, { 4 }, { 0 }, 3, 2, 1, -1, 0 },
  [GPU_PIXELS_RGB] = { "RGB", RGB_BYTES, 1, { 3 }, { 0 }, 0, 1, 2, -1, -1 },
  [GPU_PIXELS_BGR] = { "BGR", RGB_BYTES, 1, { 3 }, { 0 }, 2, 1, 0, -1, -1 },
  [GPU_PIXELS_NV12] =
      { "NV12", YUV_BYTES, 2, { 1, 2 }, { 0, 1 }, -1, -1, -1, -1, -1 },
  [GPU_PIXELS_I420] =
      { "I420", YUV_BYTES, 3, { 1, 1, 1 }, { 0, 1, 1 }, -1, -1, -1, -1, -1 },
  [GPU_PIXELS_GRAY8] = { "GRAY8", GREY_BYTES, 1, { 1 }, { 0 }, 0, 0, 0, -1, -1 },
  [GPU_PIXELS_RGB8P] =
      { "RGB8P", RGB_BYTES, 2, { 1, 4 }, { 0, 0 }, -1, -1, -1, -1, -1, TRUE },
  [GPU_PIXELS_RGBA16F] = { "RGBA16F", RGB_HALVES, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1 },
  [GPU_PIXELS_RGBA32F] = { "RGBA32F", RGB_FLOATS, 1, { 4 }, { 0 }, 0, 1, 2, 3, -1 },
};
/* *INDENT-ON* */

const GpuPixelFormat *
gpu_pixels_get_format (GpuPixels pixels)
{
  return &formats[pixels];
}

guint
gpu_pixel_format_get_size (const GpuPixelFormat * format, guint plane)
{
  return format->components[plane] * SAMPLE_SIZE (format->sample);
}

guint
gpu_pixel_format_get_code_bits (const GpuPixelFormat * format)
{
  return SAMPLE_CODE_BITS (format->sample);
}

gboolean
gpu_pixel_format_is_subsampled (const GpuPixelFormat * format)
{
  for (guint i = 0; i < format->n_planes; i++)
    if (format->shift[i] > 0)
      return TRUE;
  return FALSE;
}

guint
gpu_pixel_format_get_black (const GpuPixelFormat * format, guint plane,
    gboolean full_range)
{
  guint of_bytes = plane > 0 ? 128 : full_range ? 0 : 16;

  guint bits = gpu_pixel_format_get_code_bits (format);

  if (format->model == GPU_MODEL_RGB || bits == 0)
    return 0;
  return of_bytes << (bits - 8);
}
