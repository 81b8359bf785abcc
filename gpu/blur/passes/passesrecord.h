/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Records the passes of a method: plane by plane, in short dispatches. */
#pragma once

#include "readymethod.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* Weights of an axis at most, and of both axes of all planes. */
#define GPU_BLUR_AXIS_WEIGHTS (GPU_BLUR_MAX_RADIUS + 1)
#define GPU_BLUR_PASSES_WEIGHTS (2 * GPU_MAX_PLANES * GPU_BLUR_AXIS_WEIGHTS)

/* The family, as its files see it. */
typedef struct
{
  GpuBlurFamily family;
  GpuDevice *device;
  GpuBuilder *builder;
  GPtrArray *ready;             /* of passes.c; until the end, a builder may be
                                   about to write to them */
  GpuBuffer *weights;           /* GPU_BLUR_PASSES_WEIGHTS floats */
  GpuBuffer *middle;
} GpuBlurPasses;

/* As record() of a family, with @method, which is built for the settings of
 * @recording. */
gboolean gpu_blur_passes_record (GpuBlurPasses * passes,
    GpuBlurReadyMethod * method, const GpuBlurRecording * recording,
    GError ** error);

G_END_DECLS
