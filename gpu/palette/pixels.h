/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels over the pixels of a frame. */
#pragma once

#include "run.h"

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

/* Records @kernel over all pixels of a frame, with the push constants of
 * pixels.glsl. @out: NULL where nothing is written. */
gboolean gpu_palette_run_over_pixels (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, const GpuFrameInfo * in,
    const GpuFrameInfo * out, gboolean recount, GError ** error);

/* The same, with a workgroup for each of so many blocks of a frame. */
void gpu_palette_run_by_block (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, const GpuFrameInfo * in,
    guint n_blocks);

G_END_DECLS
