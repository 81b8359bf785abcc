/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/palette/map.h"

G_BEGIN_DECLS

/* The map of quality EXACT, by colour: counts colours, lets a solver find the output
 * colour of each, and looks up that of every pixel. Tuning may set another solver. */
extern const GpuPaletteMapType gpu_palette_colour_map;

G_END_DECLS
