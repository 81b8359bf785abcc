/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of any format as linear light in floats, and back. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/frame/format.h"
#include "gpu/core/stream/stream.h"
#include "shaders/blur/transfer.h"

G_BEGIN_DECLS

/* How the codes of frames and linear light relate. */
typedef struct
{
  GpuYuv yuv;                   /* of formats with luma */
  gfloat tables[TRANSFER_TABLE_SIZE];   /* see shaders/blur/transfer.h */
} GpuBlurTransfer;

/* Maps a component of R'G'B' to light or back, both in 0…1. Never decreases. */
typedef gdouble (*GpuBlurTransferFunction) (gdouble value,
    gconstpointer data);

/* Fills in @transfer. @data is passed to both functions, which are only used during the
 * call. */
void gpu_blur_transfer_init (GpuBlurTransfer * transfer, const GpuYuv * yuv,
    GpuBlurTransferFunction decode, GpuBlurTransferFunction encode,
    gconstpointer data);

/* Returns the format of light for frames of the format @pixels: of halves for 8 bits, else of
 * floats, so that errors are below those of the codes; with alpha if @pixels has it. */
GpuPixels gpu_blur_transfer_choose (GpuPixels pixels);

/* The kernels for one format and encoding. */
typedef struct
{
  GpuYuv yuv;
  GpuKernel *enter;             /* not owned */
  GpuKernel *leave[GPU_MAX_PLANES];     /* by plane; not owned */
} GpuBlurTransferKernels;

/* Fills in @kernels for frames of the format @pixels, and requests them. Errors: those of
 * gpu_kernel_request(). */
gboolean gpu_blur_transfer_request (GpuBlurTransferKernels * kernels,
    GpuDevice * device, GpuPixels pixels, const GpuYuv * yuv, GError ** error);

/* Records the conversion of the input of @frames, which is progressive, to the output, a frame
 * of the same size in its format of light. @tables: a buffer with GpuBlurTransfer.tables. */
void gpu_blur_transfer_enter (const GpuBlurTransferKernels * kernels,
    GpuBuffer * tables, GpuStream * stream, const GpuFrames * frames);

/* The same from light to codes. */
void gpu_blur_transfer_leave (const GpuBlurTransferKernels * kernels,
    GpuBuffer * tables, GpuStream * stream, const GpuFrames * frames);

G_END_DECLS
