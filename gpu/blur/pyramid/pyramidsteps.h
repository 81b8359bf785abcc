/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pyramid on GPUs (shaders/blur/pyramid/pyramid_down, pyramid_up): a dispatch for each
 * step down, and one that blurs the coarsest level and scales it up. Groups compute tiles, and
 * share in shared memory what neighbours need. All functions are steps of
 * GpuBlurPyramidPassStep. */
#pragma once

#include "pyramidpass.h"

G_BEGIN_DECLS

/* Reduces both axes. */
void gpu_blur_step_down (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step);

/* Blurs the coarsest level along @along (GpuBlurLevelsAxis), whose kernel is too wide for the
 * step up. */
void gpu_blur_step_blur (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint along);

/* Blurs the coarsest level along each axis that was not blurred before, and scales it up to
 * the frame. */
void gpu_blur_step_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step);

G_END_DECLS
