/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Converts frames of any format to the pixels that an engine reads, and back. */
#pragma once

#include "slicer.h"
#include "gpu/core/frame/frame.h"
#include "shaders/core/pixels/convert.h"

G_BEGIN_DECLS

/* A conversion in one direction. The caller sets all members but @kernels.
 *
 * CONVERT_MOVED: the formats have the same components with the same subsampling. Codes with the
 * same number of bits stay as they are; others are scaled and rounded. Alpha of chroma planes
 * is the mean of that of the pixels that share a sample. */
typedef struct
{
  guint kind;                   /* what the engine reads: CONVERT_… */
  gboolean is_decoding;         /* from frames to pixels of the engine, which lie in one plane;
                                   FALSE: to frames, or CONVERT_MOVED */
  GpuPixels from, to;           /* CONVERT_CODES and CONVERT_CURVED to frames: @from is the
                                   format that alpha is taken from */
  GpuYuv yuv;                   /* of the frames; does not matter to R'G'B' */
  GpuKernel *kernels[GPU_MAX_PLANES];   /* by plane of @to; not owned */
} GpuConversion;

/* Requests the kernels. Errors: those of gpu_kernel_request(). */
gboolean gpu_conversion_request (GpuConversion * conversion,
    GpuDevice * device, GError ** error);

/* Frames of one size, in different buffers. All of them are interlaced, or none; of interlaced
 * ones each field is converted for itself. */
typedef struct
{
  const GpuFrame *from, *to;    /* of the formats of the conversion */
  const GpuFrame *pixels;       /* CONVERT_CODES and CONVERT_CURVED to frames: RGBx, which is
                                   converted; else NULL */
  GpuBuffer *table;             /* of the kind (convert.h of the shaders), or NULL */
} GpuConversionFrames;

/* Records the conversion of @frames, whose kernels were requested. Errors: the stream keeps
 * the first one. */
void gpu_conversion_record (const GpuConversion * conversion,
    const GpuSlicer * slicer, const GpuConversionFrames * frames);

G_END_DECLS
