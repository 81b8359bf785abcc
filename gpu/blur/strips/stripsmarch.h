/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records strips: one dispatch, in which a group marches down a strip of columns, a few
 * outputs a thread along either axis, row sums in a ring in shared memory
 * (shaders/blur/strips/strips.comp). */
#pragma once

#include "stripskernels.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The family, as its files see it. */
typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBlurStripsKernels *kernels;
  GpuBuffer *weights;           /* padded, of both axes of each plane */
} GpuBlurStrips;

/* Rows of a section of small frames, besides those above and below it. */
#define GPU_BLUR_STRIPS_MIN_SECTION 32

/* Whether edges are mirrored or wrapped. */
gboolean gpu_blur_strips_are_periodic (const GpuBlurSettings * settings);

/* As record() of a family, with the kernels of @sets, by plane. Planes that are done
 * together are one stage. */
gboolean gpu_blur_strips_march (GpuBlurStrips * strips,
    GpuBlurStripsSet * const *sets, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
