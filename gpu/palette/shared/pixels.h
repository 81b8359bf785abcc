/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels over the pixels of a frame. */
#pragma once

#include "run.h"
#include "gpu/palette/format.h"

G_BEGIN_DECLS

/* Specialization constants of shaders that include packed.glsl or yuv.glsl. */
#define GPU_PALETTE_PACKED_CONSTANTS 11
#define GPU_PALETTE_PIXEL_CONSTANTS \
    (GPU_PALETTE_PACKED_CONSTANTS + 2 + GPU_YUV_CONSTANTS)
void gpu_palette_pixel_constants (const GpuPaletteFormat * format,
    guint32 * constants);

/* What of the buffers of a dispatch has pixels. */
typedef struct
{
  const GpuFrameInfo *in, *out; /* of bindings 0 and 1; @in also where an array is
                                   there in its place, @out NULL where nothing is
                                   written */
  guint arrays;                 /* bits of bindings: a word for each pixel */
  gboolean recounts;            /* all pixels are taken to have changed */
} GpuPalettePixels;

/* Records @dispatch over all pixels of a frame, with the push constants of
 * pixels.glsl. */
gboolean gpu_palette_run_over_pixels (GpuPaletteRun * run,
    const GpuDispatch * dispatch, const GpuPalettePixels * pixels,
    GError ** error);

/* How a frame is cut into blocks. */
typedef struct
{
  guint shift;                  /* log2 of their side */
  guint columns, rows;
} GpuPalettePixelBlocks;

/* The same, with 256 items for each of @blocks. */
gboolean gpu_palette_run_over_blocks (GpuPaletteRun * run,
    const GpuDispatch * dispatch, const GpuPalettePixels * pixels,
    const GpuPalettePixelBlocks * blocks, GError ** error);

G_END_DECLS
