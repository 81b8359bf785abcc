/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From code values to light and back, as shaders/blur/pixels.glsl looks it up. */
#pragma once

#include "shaders/blur/light.h"

#include <glib.h>

G_BEGIN_DECLS

/* @light: as in GpuBlurSettings. @table: LIGHT_TABLE_SIZE. */
void gpu_blur_light_make_table (const gfloat * light, gfloat * table);

G_END_DECLS
