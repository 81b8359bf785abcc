/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels over the pixels of a frame. */
#pragma once

#include "run.h"
#include "gpu/core/frame/yuv.h"

G_BEGIN_DECLS

/* Of one configuration. */
typedef struct
{
  GpuDevice *device;            /* not referenced */
  GpuPixels in, out;
  guint width, height;
  GpuYuv yuv;                   /* zeroed where neither is I420 or NV12 */
} GpuPaletteFormat;

/* Specialization constants of shaders that include packed.glsl or yuv.glsl. */
#define GPU_PALETTE_PACKED_CONSTANTS 11
#define GPU_PALETTE_PIXEL_CONSTANTS \
    (GPU_PALETTE_PACKED_CONSTANTS + 2 + GPU_YUV_CONSTANTS)
void gpu_palette_pixel_constants (const GpuPaletteFormat * format,
    guint32 * constants);

/* What of the buffers of a kernel has pixels. */
typedef struct
{
  const GpuFrameInfo *in, *out; /* of bindings 0 and 1; @in also where an array is
                                   there in its place, @out NULL where nothing is
                                   written */
  guint arrays;                 /* bits of bindings: a word for each pixel */
} GpuPalettePixels;

/* Records @kernel over all pixels of a frame, with the push constants of
 * pixels.glsl. */
gboolean gpu_palette_run_over_pixels (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers,
    const GpuPalettePixels * pixels, gboolean recount, GError ** error);

/* The same, with 256 items for each block of the frame, of @columns in a row and a
 * side of 2^@shift pixels. */
gboolean gpu_palette_run_over_blocks (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers,
    const GpuPalettePixels * pixels, guint columns, guint rows, guint shift,
    GError ** error);

G_END_DECLS
