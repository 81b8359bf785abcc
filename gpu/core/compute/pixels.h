/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs kernels that read or write the pixels of a frame with the code in
 * shaders/core/pixels/. It supports formats with 8-bit samples: R'G'B' and grey in one plane,
 * NV12 and I420. */
#pragma once

#include "slicer.h"
#include "gpu/core/frame/format.h"
#include "shaders/core/pixels/format.h"

G_BEGIN_DECLS

/* Returns whether these shaders support frames in the format @pixels. */
gboolean gpu_pixels_are_supported (GpuPixels pixels);

/* Writes the specialization constants for shaders that include load.glsl or write.glsl to
 * @constants: FORMAT_CONSTANTS words. @device: where they run. @yuv: encoding
 * of the input and the output; its values do not matter if neither has luma. */
void gpu_pixels_get_constants (GpuDevice * device, GpuPixels in, GpuPixels out, const GpuYuv * yuv,
    guint32 * constants);

/* The buffers of a dispatch that contain pixels. */
typedef struct
{
  const GpuFrameInfo *in;       /* binding 0: layout of the input frame, or size of the
                                   input array */
  const GpuFrameInfo *out;      /* binding 1: layout of the output frame; NULL: no
                                   frame is written */
  guint arrays;                 /* bit i is set: binding i is an array by pixel
                                   (PIXELS_ROW_WORDS) */
  guint halo;                   /* rows of pixels that are also read above and below; not
                                   if the output is subsampled */
  guint least_alpha;            /* pixels with less get TRANSPARENT */
} GpuPixelsBound;

/* Records @dispatch over all pixels of a frame. The push constants begin with
 * PIXELS_PUSH (format.h), which this function fills in; the caller sets the others.
 * @dispatch->push may be NULL: the others are 0. */
void gpu_pixels_run (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuPixelsBound * pixels);

/* A grid of square blocks that covers a frame. */
typedef struct
{
  guint shift;                  /* log2 of the block size in pixels */
  guint columns, rows;          /* size of the grid in blocks */
} GpuPixelBlocks;

/* Like gpu_pixels_run(), but with 256 items (one workgroup) per block. */
void gpu_pixels_run_over_blocks (const GpuSlicer * slicer,
    const GpuDispatch * dispatch, const GpuPixelsBound * pixels,
    const GpuPixelBlocks * blocks);

G_END_DECLS
