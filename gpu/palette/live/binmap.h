/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/palette/map.h"

G_BEGIN_DECLS

/* By bin of Oklab: weighs the bins that occur, and sends each uphill to a
 * summit of their density (docs/internals/live.md). Of quality LIVE. */
extern const GpuPaletteMapType gpu_palette_bin_map;

G_END_DECLS
