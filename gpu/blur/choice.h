/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The choice of a method: what runs settings on frames best, and what runs them now. */
#pragma once

#include "methods.h"

G_BEGIN_DECLS

/* The method that runs if the requested one cannot do the settings. It can do all. */
#define GPU_BLUR_STAND_IN GPU_BLUR_SEPARABLE

/* Returns the best task for @settings and @info, which the task points to. Its method is that
 * of @settings, or STAND_IN if that method cannot do them. For AUTO it is the first that can
 * do them in a list for the class of device, which thresholds of the radius, the format and the
 * size of frames put in order. It is the same whenever it is asked for. */
GpuBlurTask gpu_blur_choose (GpuBlurFamilies * families,
    const GpuBlurSettings * settings, const GpuFrameInfo * info);

/* Whether another method than the best may run while kernels of the best are built. That
 * changes pixels only by the errors of methods, so not with a bilateral filter, whose methods
 * differ by more. */
gboolean gpu_blur_may_run_another (const GpuBlurSettings * settings);

/* Returns the task that runs now: @best; or, if kernels of it are not built, the first of the
 * list whose kernels are, or else the first whose kernels are built soon. */
GpuBlurTask gpu_blur_choose_now (GpuBlurFamilies * families,
    const GpuBlurTask * best);

/* Logs which methods AUTO has chosen, and why. Tells of frames that are too large for a
 * method that would run on smaller ones. */
void gpu_blur_log_choice (GpuBlurFamilies * families,
    const GpuBlurTask * best, const GpuBlurTask * now);

G_END_DECLS
