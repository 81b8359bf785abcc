/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pyramid on CPU devices (shaders/blur/pyramid/pyramid_walk*). A thread walks along an
 * axis, loads each sample once and uses no shared memory. The last two dispatches combine
 * steps: one reduces rows, blurs them and scales them up to the frame's width; the other
 * blurs columns and scales them up. The functions with a @step are steps of
 * GpuBlurPyramidPassStep. */
#pragma once

#include "pyramidpass.h"

G_BEGIN_DECLS

/* Reduces columns. */
void gpu_blur_walk_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step);

/* Reduces rows. If the step up is walked, the last such step also blurs them and scales them
 * up. */
void gpu_blur_walk_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step);

/* Blurs columns and scales them up to the frame. */
void gpu_blur_walk_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step);

G_END_DECLS
