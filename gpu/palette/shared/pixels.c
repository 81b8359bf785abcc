/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pixels.h"
#include "shaders.h"

#define NO_COMPONENT 4

/* Of four pixels, and of sixteen that are written as Y'CbCr, for
 * gpu_palette_run_sliced(). */
#define QUAD_NS 500
#define BLOCK_NS 1500

/* Of a pixel of which light is looked at, in two frames. */
#define LUMA_NS 200

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

/* Of every shader that includes pixels.glsl. */
typedef GpuPaletteApplyPush Push;

G_STATIC_ASSERT (sizeof (GpuPaletteApplyYuvPush) == sizeof (Push)
    && sizeof (GpuPaletteApplyIndexPush) == sizeof (Push)
    && sizeof (GpuPaletteBinMarkPush) == sizeof (Push)
    && sizeof (GpuPaletteCountPush) == sizeof (Push)
    && sizeof (GpuPaletteSceneLumaPush) == sizeof (Push));

/* @is_part: the binding begins where the first row that is bound does, or less than
 * what parts are aligned to before. */
static void
fill_planes (const GpuFrameInfo * info, gboolean is_part, guint32 * offset,
    guint32 * stride)
{
  for (guint i = 0; i < GPU_MAX_PLANES; i++) {
    offset[i] = info->offset[i] / 4;
    stride[i] = info->stride[i] / 4;
  }
  if (is_part && gpu_palette_rows_of_frame (info))
    offset[0] %= GPU_BUFFER_PART_ALIGNMENT / 4;
}

static Push
push_of (const GpuPalettePixels * pixels, gboolean are_parts)
{
  const GpuFrameInfo *in = pixels->in;
  Push push = {
    .width = in->width,.height = in->height,.recount = pixels->recounts,
    .is_interlaced = in->is_interlaced
  };

  fill_planes (in, are_parts, push.in_offset, push.in_stride);
  if (pixels->out)
    fill_planes (pixels->out, are_parts, push.out_offset, push.out_stride);
  return push;
}

/* What a dispatch over pixels goes over. */
typedef struct
{
  GpuPaletteRows rows;
  guint n_rows;                 /* of items: with two fields, each of which has its own
                                   last one, they may be more than by step alone */
  guint ns;                     /* of an item, see gpu_palette_run_over_rows() */
} Items;

/* All but what items are. */
static GpuPaletteRows
rows_of (const GpuPalettePixels * pixels)
{
  const GpuFrameInfo *out = pixels->out;

  return (GpuPaletteRows) {
    .width = pixels->in->width,.height = pixels->in->height,.arrays =
        pixels->arrays,.frames = { gpu_palette_rows_of_frame (pixels->in),
      out ? gpu_palette_rows_of_frame (out) : NULL
    }
  };
}

static gboolean
run_over_items (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPalettePixels * pixels, const Items * items, GError ** error)
{
  const GpuPaletteRows *rows = &items->rows;
  GpuDispatch with_push = *dispatch;
  const Push push = push_of (pixels, gpu_palette_run_takes_parts (run, rows,
          dispatch->buffers));

  with_push.push = &push;
  return gpu_palette_run_over_rows (run, &with_push, rows,
      rows->items * items->n_rows, items->ns, error);
}

/* What the shaders take at once is four pixels of a row; where chroma is written,
 * eight columns of two rows, and up to three rows more above and below them, of
 * two fields. */
gboolean
gpu_palette_run_over_pixels (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPalettePixels * pixels, GError ** error)
{
  const GpuFrameInfo *out = pixels->out;
  Items items = {.rows = rows_of (pixels),.ns = QUAD_NS };
  GpuPaletteRows *rows = &items.rows;

  rows->items = (rows->width + 3) / 4;
  rows->step = 1;
  items.n_rows = rows->height;
  if (out && gpu_pixels_get_format (out->pixels)->is_yuv) {
    rows->items = (rows->width + 7) / 8;
    rows->step = 2;
    rows->halo = 3;
    items.n_rows = gpu_frame_info_plane_height (out, 1);
    items.ns = BLOCK_NS;
  }
  return run_over_items (run, dispatch, pixels, &items, error);
}

gboolean
gpu_palette_run_over_blocks (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPalettePixels * pixels, const GpuPalettePixelBlocks * blocks,
    GError ** error)
{
  Items items = {
    .rows = rows_of (pixels),.n_rows = blocks->rows,.ns = LUMA_NS
  };

  items.rows.items = 256 * blocks->columns;
  items.rows.step = 1 << blocks->shift;
  return run_over_items (run, dispatch, pixels, &items, error);
}
