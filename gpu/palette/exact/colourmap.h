/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/palette/map.h"

G_BEGIN_DECLS

/* By colour: counts them, has a solver find what each becomes, and looks every
 * pixel's up. Of quality EXACT, or what tuning says. */
extern const GpuPaletteMapType gpu_palette_colour_map;

G_END_DECLS
