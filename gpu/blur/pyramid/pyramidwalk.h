/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The pyramid on CPU devices (shaders/blur/pyramid/pyramid_walk*): threads that walk along an
 * axis load each sample once and share nothing. All from the last step along rows on is
 * two dispatches: rows go down, are blurred and go up to the frame's width, then columns
 * are blurred and go up. */
#pragma once

#include "pyramidpass.h"

G_BEGIN_DECLS

/* Whether these levels can be walked: Gaussians that are left to do on levels of next to no
 * samples may be too wide. */
gboolean gpu_blur_walk_reaches (const GpuBlurLevels * levels);

gboolean gpu_blur_walk_down_columns (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

/* The last step along rows. */
gboolean gpu_blur_walk_along_rows (GpuBlurPyramidPasses * passes,
    GpuBlurPyramidPass * pass, guint step, GError ** error);

gboolean gpu_blur_walk_up (GpuBlurPyramidPasses * passes, GpuBlurPyramidPass * pass,
    guint step, GError ** error);

G_END_DECLS
