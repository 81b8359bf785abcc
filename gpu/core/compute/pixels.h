/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Kernels that go over the pixels of a frame and read or write colours, by the shaders of
 * shaders/core/pixels/: they take samples of 8 bits, in any format of gpu/core/frame/ but
 * that RGB8P is written by a shader of its own. */
#pragma once

#include "slicer.h"
#include "gpu/core/frame/yuv.h"
#include "shaders/core/pixels/constants.h"

G_BEGIN_DECLS

/* Whether these shaders read and write frames of @pixels. */
gboolean gpu_pixels_are_supported (GpuPixels pixels);

/* Specialization constants of shaders that include load.glsl, write.glsl or
 * write_yuv.glsl: PIXELS_CONSTANTS words. @yuv: of both, where one has luma. */
void gpu_pixels_get_constants (GpuPixels in, GpuPixels out, const GpuYuv * yuv,
    guint32 * constants);

/* A shader made twice: for formats of one plane, and for subsampled ones. */
typedef struct
{
  const GpuShader *packed, *subsampled;
} GpuPixelShaders;

/* The one of @shaders for frames of @pixels. */
const GpuShader *gpu_pixels_choose_shader (const GpuPixelShaders * shaders,
    GpuPixels pixels);

/* Which buffers of a dispatch have pixels. */
typedef struct
{
  const GpuFrameInfo *in;       /* of binding 0: the frame that is read, or the size
                                   of an array in its place */
  const GpuFrameInfo *out;      /* of binding 1; NULL: no frame is written */
  guint arrays;                 /* bit i: binding i has a word for each pixel */
} GpuPixelsBound;

/* Records @dispatch over all pixels of a frame. Its push constants begin with those of
 * constants.h, which are filled in here; the rest is the caller's, who passes NULL where
 * there are none. Errors: those of gpu_slicer_run_over_rows(). */
gboolean gpu_pixels_run (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuPixelsBound * pixels,
    GError ** error);

/* How a frame is cut into blocks. */
typedef struct
{
  guint shift;                  /* log2 of their side */
  guint columns, rows;
} GpuPixelBlocks;

/* The same, with 256 items for each of @blocks. */
gboolean gpu_pixels_run_over_blocks (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuPixelsBound * pixels,
    const GpuPixelBlocks * blocks, GError ** error);

G_END_DECLS
