/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "samples.h"

/* The bits of a sample. */
typedef struct
{
  gsize bit;                    /* the first one, in the frame */
  guint bits;
} Place;

static gboolean
is_paired (const GpuPixelFormat * format, guint c)
{
  return format->grouping == GPU_PAIRS && c == 0;
}

static guint
divide (guint n, guint shift)
{
  return (n + (1u << shift) - 1) >> shift;
}

guint
samples_get_columns (const GpuFrameInfo * info, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  if (format->place[c] < 0)
    return 0;
  return is_paired (format, c) ? info->width
      : divide (info->width, format->shift_x[format->place[c] / 4]);
}

guint
samples_get_rows (const GpuFrameInfo * info, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);

  return format->place[c] < 0 ? 0
      : divide (info->height, format->shift_y[format->place[c] / 4]);
}

static guint
get_bits (const GpuPixelFormat * format, guint c)
{
  return format->sample == SAMPLE_TENS && c == SAMPLES_ALPHA ? 2
      : gpu_pixel_format_get_code_bits (format);
}

guint
samples_get_largest (GpuPixels pixels, guint c)
{
  return (1u << get_bits (gpu_pixels_get_format (pixels), c)) - 1;
}

static Place
find_place (const GpuFrameInfo * info, guint c, guint x, guint y)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint plane = format->place[c] / 4, index = format->place[c] % 4;
  gsize byte = info->offset[plane] + y * info->stride[plane];
  Place place = {.bits = get_bits (format, c)};

  if (format->sample == SAMPLE_TENS) {
    place.bit = 8 * (byte + 4 * x) + 10 * index;
    return place;
  }
  byte += is_paired (format, c) ? 2 * x + index
      : (x * format->components[plane] + index) * SAMPLE_SIZE (format->sample);
  place.bit = 8 * byte + SAMPLE_LOW_BITS (format->sample);
  return place;
}

static guint
get_code (const guint8 * frame, const Place * place)
{
  guint code = 0;

  for (guint i = 0; i < place->bits; i++)
    code |= (frame[(place->bit + i) / 8] >> (place->bit + i) % 8 & 1u) << i;
  return code;
}

guint
samples_get (const GpuFrameInfo * info, const guint8 * frame, guint c, guint x,
    guint y)
{
  const Place place = find_place (info, c, x, y);

  return get_code (frame, &place);
}

guint
samples_get_low_bits (const GpuFrameInfo * info, const guint8 * frame, guint c,
    guint x, guint y)
{
  guint n = SAMPLE_LOW_BITS (gpu_pixels_get_format (info->pixels)->sample);
  Place place = find_place (info, c, x, y);

  place.bit -= n;
  place.bits = n;
  return get_code (frame, &place);
}

void
samples_set (const GpuFrameInfo * info, guint8 * frame, guint c, guint x,
    guint y, guint code)
{
  const Place place = find_place (info, c, x, y);

  for (guint i = 0; i < place.bits; i++) {
    guint8 *byte = &frame[(place.bit + i) / 8];
    guint shift = (place.bit + i) % 8;

    *byte = (*byte & ~(1u << shift)) | (code >> i & 1) << shift;
  }
}

guint
samples_scale (GpuPixels from, GpuPixels to, guint c, guint code)
{
  gdouble share = (gdouble) code / samples_get_largest (from, c);

  return share * samples_get_largest (to, c) + 0.5;
}

#define PADDING 4

void
samples_pad (GpuFrameInfo * info)
{
  gsize end = 8;

  for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++) {
    info->stride[i] += PADDING;
    info->offset[i] = end;
    end += info->stride[i] * gpu_frame_info_plane_height (info, i);
  }
  info->size = end;
}

void
samples_check_padding (const GpuFrameInfo * info, const guint8 * frame)
{
  for (guint i = 0; i < gpu_pixels_get_format (info->pixels)->n_planes; i++)
    for (guint y = 0; y < gpu_frame_info_plane_height (info, i); y++)
      for (guint k = 1; k <= PADDING; k++)
        g_assert_cmpuint (frame[info->offset[i] + (y + 1) * info->stride[i] -
                k], ==, 0xa5);
}
