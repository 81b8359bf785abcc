/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests and benchmarks may force on a blur. Not for users of blur.h. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GpuBlur GpuBlur;

typedef enum
{
  GPU_BLUR_PYRAMID_GROUPS = 1,  /* what GPUs have */
  GPU_BLUR_PYRAMID_WALKS,       /* what CPU devices have (pyramidwalk.h), but for
                                   Gaussians that are too wide for it */
} GpuBlurPyramidKind;

/* Whatever is 0 is chosen. */
typedef struct
{
  GpuBlurPyramidKind pyramid;
} GpuBlurTuning;

/* To be called before anything is prepared. @tuning is copied. */
void gpu_blur_set_tuning (GpuBlur * blur, const GpuBlurTuning * tuning);

G_END_DECLS
