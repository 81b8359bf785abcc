/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/palette/map.h"

G_BEGIN_DECLS

/* The map of quality LIVE, by bin of Oklab: every occupied bin follows the density
 * uphill to a summit (docs/internals/live.md). */
extern const GpuPaletteMapType gpu_palette_bin_map;

G_END_DECLS
