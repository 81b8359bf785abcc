/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a blur is expected to take, by method: what auto goes by. */
#pragma once

#include "levels.h"
#include "stripskernels.h"

G_BEGIN_DECLS

typedef struct
{
  GpuBlurMethod method;         /* that reaches what follows */
  const GpuBlurSettings *settings;
  const GpuFrameInfo *info;
  const GpuBlurLevels *levels;  /* of a pyramid, by plane */
  GpuBlurStripsShape strips[GPU_MAX_PLANES];
} GpuBlurCandidate;

/* ms, on a device of the kind that @device is: good for comparing, whatever device it
 * is. G_MAXDOUBLE of methods that are the fastest nowhere. */
gdouble gpu_blur_cost (GpuDevice * device, const GpuBlurCandidate * candidate);

G_END_DECLS
