/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions, tiles and cells as the words that shaders read (shaders/blur/regions/shared.h). Each
 * function returns a new array of guint32. */
#pragma once

#include "regionatlas.h"

G_BEGIN_DECLS

/* @atlas: where the regions to blur lie; NULL: where they lie in the frame. The size is that of
 * the frame. */
GArray *gpu_region_tables_make_regions (const GArray * regions,
    const GpuRegionAtlas * atlas, guint width, guint height);

/* The number of mask words of a tile. */
guint gpu_region_tables_count_masks (const GArray * regions);

/* The tiles of a frame of this size that must be painted: those that regions meet with their
 * feather, or if @is_inverted, those that other pixels than those of the regions meet. Region 0
 * is then the rest. First come those that regions of action 0, 1 and 2 own, then those that
 * none does; @counts, PAINT_SEARCH + 1 numbers, are set to the number of each. */
GArray *gpu_region_tables_make_tiles (const GArray * regions,
    gboolean is_inverted, guint width, guint height, guint * counts);

/* @n: the number of regions. */
GArray *gpu_region_tables_make_atlas_tiles (const GpuRegionAtlas * atlas,
    guint n);
GArray *gpu_region_tables_make_cells (const GpuRegionAtlas * atlas, guint n);

G_END_DECLS
