/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "frame.h"
#include "gpu/core/rounding.h"

#include <string.h>

#define BLOCK_SIZE 16

/* Divides @n by 2^@times and rounds up. */
static guint
halve (guint n, guint times)
{
  return (n >> times) + ((n & ((1u << times) - 1)) != 0);
}

static const GpuPixelFormat *
format_of (const GpuFrameInfo * info)
{
  return gpu_pixels_get_format (info->pixels);
}

static gboolean
is_palette (const GpuFrameInfo * info, guint plane)
{
  return format_of (info)->grouping == GPU_INDEXED && plane == 1;
}

guint
gpu_frame_info_plane_width (const GpuFrameInfo * info, guint plane)
{
  return is_palette (info, plane) ? 1 : halve (info->width,
      format_of (info)->shift_x[plane]);
}

guint
gpu_frame_info_plane_height (const GpuFrameInfo * info, guint plane)
{
  guint shift = format_of (info)->shift_y[plane];

  if (is_palette (info, plane))
    return 256;
  if (!info->is_interlaced)
    return halve (info->height, shift);
  return halve (halve (info->height, 1), shift) + halve (info->height / 2,
      shift);
}

guint
gpu_frame_info_count_fields (const GpuFrameInfo * info)
{
  return MIN (info->height, 2);
}

void
gpu_frame_info_get_field (const GpuFrameInfo * info, guint i,
    GpuFrameInfo * field)
{
  *field = *info;
  field->is_interlaced = FALSE;
  field->height = (info->height + 1 - i) / 2;
  for (guint plane = 0; plane < format_of (info)->n_planes; plane++) {
    /* Both fields share the palette. */
    if (is_palette (info, plane))
      continue;
    field->offset[plane] += i * info->stride[plane];
    field->stride[plane] *= 2;
  }
}

GpuFrame
gpu_frame_get_field (const GpuFrame * frame, guint i)
{
  GpuFrame field = *frame;

  gpu_frame_info_get_field (&frame->info, i, &field.info);
  return field;
}

void
gpu_frame_info_init (GpuFrameInfo * info, GpuPixels pixels, guint width,
    guint height)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  memset (info, 0, sizeof *info);
  info->pixels = pixels;
  info->width = width;
  info->height = height;
  for (guint i = 0; i < format->n_planes; i++) {
    gsize row = (gsize) gpu_frame_info_plane_width (info, i)
        * gpu_pixel_format_get_size (format, i);
    gsize rows = gpu_frame_info_plane_height (info, i);

    /* GStreamer rounds the height of formats with fewer rows of chroma up to a multiple
     * of 2. */
    if (gpu_pixel_format_has_fewer_rows (format))
      rows = ROUND_UP ((gsize) height, 2) >> format->shift_y[i];
    info->offset[i] = info->size;
    info->stride[i] = ROUND_UP (row, 4);
    info->size += info->stride[i] * rows;
  }
}

gboolean
gpu_frame_info_is_alike (const GpuFrameInfo * a, const GpuFrameInfo * b)
{
  return a->pixels == b->pixels && a->width == b->width
      && a->height == b->height && a->is_interlaced == b->is_interlaced;
}

gboolean
gpu_frame_info_is_in_blocks (const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = format_of (info);

  for (guint i = 0; i < format->n_planes; i++) {
    const guint size = gpu_pixel_format_get_size (format, i);

    if (BLOCK_SIZE % size || info->offset[i] % BLOCK_SIZE
        || info->stride[i] % BLOCK_SIZE
        || gpu_frame_info_plane_width (info, i) * size % BLOCK_SIZE)
      return FALSE;
  }
  return TRUE;
}

/* Sets @end to the end of the plane in bytes. Returns FALSE if that overflows, or if
 * rows overlap. */
static gboolean
get_plane_end (const GpuFrameInfo * info, guint plane, gsize * end)
{
  gsize row;

  return g_size_checked_mul (&row, gpu_frame_info_plane_width (info, plane),
      gpu_pixel_format_get_size (format_of (info), plane))
      && info->stride[plane] >= row
      && g_size_checked_mul (end, info->stride[plane],
      gpu_frame_info_plane_height (info, plane))
      && g_size_checked_add (end, *end, info->offset[plane]);
}

gboolean
gpu_frame_info_is_usable (const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = format_of (info);
  gsize end[GPU_MAX_PLANES];

  for (guint i = 0; i < format->n_planes; i++) {
    if (info->offset[i] % 4 || info->stride[i] % 4
        || !get_plane_end (info, i, &end[i]) || end[i] > info->size)
      return FALSE;
    for (guint j = 0; j < i; j++)
      if (info->offset[i] < end[j] && info->offset[j] < end[i])
        return FALSE;
  }
  return TRUE;
}
