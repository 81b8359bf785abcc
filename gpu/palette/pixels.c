/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pixels.h"

#define NO_COMPONENT 4

/* Of four pixels, and of sixteen that are written as Y'CbCr, for
 * gpu_palette_run_sliced(). */
#define QUAD_NS 500
#define BLOCK_NS 1500

static guint32
position (gint component)
{
  return component < 0 ? NO_COMPONENT : component;
}

void
gpu_palette_pixel_constants (const GpuPaletteFormat * format,
    guint32 * constants)
{
  const GpuPixelFormat *in = gpu_pixels_get_format (format->in);
  const GpuPixelFormat *out = gpu_pixels_get_format (format->out);
  const guint32 values[] = {
    in->components[0], in->red, in->green, in->blue, position (in->alpha),
    out->components[0], out->red, out->green, out->blue,
    position (out->alpha), position (out->unused),
    in->n_planes == 2, out->n_planes == 2
  };

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    constants[i] = values[i];
  gpu_yuv_get_constants (&format->yuv, constants + G_N_ELEMENTS (values));
}

typedef struct
{
  guint n;
  guint ns;                     /* each, about */
} Items;

/* What the shaders take at once: four pixels of a row; where chroma is
 * written, eight columns of two rows. */
static Items
items_of (const GpuFrameInfo * in, const GpuFrameInfo * out)
{
  if (out && gpu_pixels_get_format (out->pixels)->is_yuv)
    return (Items) {
    (out->width + 7) / 8 * gpu_frame_info_plane_height (out, 1), BLOCK_NS};
  return (Items) {
  (in->width + 3) / 4 * in->height, QUAD_NS};
}

static void
fill_planes (const GpuFrameInfo * info, guint32 * offset, guint32 * stride)
{
  for (guint i = 0; i < GPU_MAX_PLANES; i++) {
    offset[i] = info->offset[i] / 4;
    stride[i] = info->stride[i] / 4;
  }
}

/* As pixels.glsl has it. */
typedef struct
{
  guint32 range[2];
  guint32 width, height;
  guint32 recount;
  guint32 is_interlaced;
  guint32 in_offset[GPU_MAX_PLANES], in_stride[GPU_MAX_PLANES];
  guint32 out_offset[GPU_MAX_PLANES], out_stride[GPU_MAX_PLANES];
} Push;

static Push
push_of (const GpuFrameInfo * in)
{
  Push push = {
    .width = in->width,.height = in->height,.is_interlaced = in->is_interlaced
  };

  fill_planes (in, push.in_offset, push.in_stride);
  return push;
}

gboolean
gpu_palette_run_over_pixels (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, const GpuFrameInfo * in,
    const GpuFrameInfo * out, gboolean recount, GError ** error)
{
  Push push = push_of (in);
  Items items = items_of (in, out);

  push.recount = recount;
  if (out)
    fill_planes (out, push.out_offset, push.out_stride);
  return gpu_palette_run_sliced (run, kernel, buffers, n_buffers, push.range,
      sizeof push, items.n, items.ns, error);
}

void
gpu_palette_run_by_block (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, const GpuFrameInfo * in,
    guint n_blocks)
{
  Push push = push_of (in);

  gpu_stream_dispatch (run->stream, kernel, buffers, n_buffers, &push,
      sizeof push, n_blocks, 1, 1);
}
