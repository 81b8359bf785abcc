/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What shaders read of the regions of a frame (shaders/blur/regions/shared.h), as words of one
 * buffer. */
#pragma once

#include "regionatlas.h"

G_BEGIN_DECLS

/* The tiles of a frame that must be painted, by the regions that may have their pixels. */
typedef enum
{
  /* The actions of GpuRegionAction: a region with that action has all of them. */
  GPU_REGION_TILES_OF_ONE = PAINT_SEARCH,       /* one region, or none */
  GPU_REGION_TILES_OF_SEVERAL,
  GPU_REGION_N_TILES
} GpuRegionTiles;

typedef struct
{
  GArray *words;                /* guint32; regions come first */
  gboolean has_one_owner;       /* region 0 has all pixels of the frame; there are no words
                                   of tiles */
  struct
  {
    guint n;
    guint first_word;
    guint masks;                /* words of masks behind each */
  } tiles[GPU_REGION_N_TILES];
  guint atlas_tiles, cells;     /* first words */
} GpuRegionTables;

/* Fills in @tables for a frame of this size. @regions: sorted. @is_inverted: they stay, but for
 * region 0, which is the rest. @atlas: where the regions to blur lie; NULL: where they lie in the
 * frame. */
void gpu_region_tables_init (GpuRegionTables * tables, const GArray * regions,
    gboolean is_inverted, const GpuRegionAtlas * atlas, guint width,
    guint height);
void gpu_region_tables_clear (GpuRegionTables * tables);

/* Returns the number of tiles to paint. */
guint gpu_region_tables_count_tiles (const GpuRegionTables * tables);

/* Returns the most bytes of tables for a frame of this size. */
gsize gpu_region_tables_get_most (guint width, guint height);

G_END_DECLS
