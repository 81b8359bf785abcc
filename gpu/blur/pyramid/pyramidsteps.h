/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pyramid on GPUs (shaders/blur/pyramid/pyramid_down_*, pyramid_blur, pyramid_up).
 * Groups share loaded samples in shared memory, and each step along an axis is a dispatch
 * of its own. All functions are steps of GpuBlurPyramidPassStep. */
#pragma once

#include "pyramidpass.h"

G_BEGIN_DECLS

/* Reduces columns. */
gboolean gpu_blur_step_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* Reduces rows, and on the coarsest level also blurs them. */
gboolean gpu_blur_step_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* Blurs columns of the coarsest level. */
gboolean gpu_blur_step_blur_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* Scales the coarsest level up to the frame. */
gboolean gpu_blur_step_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step, GError ** error);

G_END_DECLS
