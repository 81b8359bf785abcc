/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the passes of a method for each plane, as short dispatches. */
#pragma once

#include "readymethod.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The largest number of weights of an axis, and of both axes of all planes. */
#define GPU_BLUR_AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define GPU_BLUR_PASSES_WEIGHTS (2 * GPU_BLUR_MAX_PLANES * GPU_BLUR_AXIS_WEIGHTS)

/* The family's private struct. */
typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GPtrArray *ready;             /* Ready of passes.c */
  GpuBuffer *weights;           /* GPU_BLUR_PASSES_WEIGHTS floats */
  GpuBuffer *middle;            /* row sums */
} GpuBlurPasses;

/* As record() of a family (family.h). @method must be built for the settings of
 * @recording. */
void gpu_blur_passes_record (GpuBlurPasses * passes,
    GpuBlurReadyMethod * method, const GpuBlurRecording * recording);

G_END_DECLS
