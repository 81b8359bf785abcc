/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pyramid on GPUs (shaders/blur/pyramid/pyramid_down_*, pyramid_blur, pyramid_up): groups
 * share what they load, and each step is a dispatch. */
#pragma once

#include "pyramidpass.h"

G_BEGIN_DECLS

gboolean gpu_blur_step_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* With the Gaussian along rows, on the coarsest level. */
gboolean gpu_blur_step_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* The Gaussian down columns. */
gboolean gpu_blur_step_blur_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

gboolean gpu_blur_step_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step, GError ** error);

G_END_DECLS
