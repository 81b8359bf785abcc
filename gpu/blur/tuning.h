/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests and benchmarks can force, and ask. Not for users of blur.h. */
#pragma once

#include "settings.h"

G_BEGIN_DECLS

typedef struct _GpuBlur GpuBlur;

typedef enum
{
  GPU_BLUR_PYRAMID_GROUPS = 1,  /* the default on GPUs (pyramidrecord.h) */
  GPU_BLUR_PYRAMID_WALKS,       /* the default on CPU devices; Gaussians
                                   that are too wide for it go up by the other kind */
} GpuBlurPyramidKind;

/* 0: the default is used. */
typedef struct
{
  GpuBlurPyramidKind pyramid;
} GpuBlurTuning;

/* Call this before the first preparation. @tuning is copied. */
void gpu_blur_set_tuning (GpuBlur * blur, const GpuBlurTuning * tuning);

/* Whether the method of @settings, which is not AUTO, can do them on frames like @info, in a
 * format that families read (working.h). */
gboolean gpu_blur_reaches (GpuBlur * blur, const GpuBlurSettings * settings,
    const GpuFrameInfo * info);

G_END_DECLS
