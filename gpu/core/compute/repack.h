/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Moves the samples of frames to another format. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Moves samples between two formats that have the same components with the same subsampling.
 * Codes with the same number of bits stay as they are; others are scaled and rounded. Alpha of
 * chroma planes is the mean of that of the pixels that share a sample. */
typedef struct
{
  GpuPixels from, to;
  GpuKernel *kernels[GPU_MAX_PLANES];   /* one for each plane of @to; not owned */
} GpuRepack;

/* Fills in @repack and requests its kernels. Errors: those of gpu_kernel_request(). */
gboolean gpu_repack_request (GpuRepack * repack, GpuDevice * device,
    GpuPixels from, GpuPixels to, GpuKernelUrgency urgency, GError ** error);

/* Records the move from @in to @out, two progressive frames of the formats and of one size, in
 * different buffers. */
void gpu_repack_record (const GpuRepack * repack, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out);

G_END_DECLS
