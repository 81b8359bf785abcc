/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table that shaders/blur/pixels.glsl uses to convert code values to linear light
 * and back. */
#pragma once

#include "shaders/blur/light.h"

#include <glib.h>

G_BEGIN_DECLS

/* Fills in @table, LIGHT_TABLE_SIZE floats (shaders/blur/light.h). @light: as in
 * GpuBlurSettings. */
void gpu_blur_light_make_table (const gfloat * light, gfloat * table);

G_END_DECLS
