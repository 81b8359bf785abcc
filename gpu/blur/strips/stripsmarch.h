/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the dispatches of strips (shaders/blur/strips/strips.comp). */
#pragma once

#include "stripskernels.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The family's private struct. */
typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBlurStripsKernels *kernels;
  GpuBuffer *weights;           /* padded, of both axes of each plane */
} GpuBlurStrips;

/* The least rows of a section, without the rows above and below that its sums need. */
#define GPU_BLUR_STRIPS_MIN_SECTION 32

/* Whether edges are mirrored or wrapped. */
gboolean gpu_blur_strips_are_periodic (const GpuBlurSettings * settings);

/* As record() of a family (family.h). @sets: the kernels of each plane. Planes that one
 * dispatch processes together are one stage. */
gboolean gpu_blur_strips_march (GpuBlurStrips * strips,
    GpuBlurStripsSet * const *sets, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
