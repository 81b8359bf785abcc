/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is done to a progressive frame or a field: its regions as they are painted, and what is
 * blurred for them. */
#pragma once

#include "gpu/blur/blur.h"
#include "regionlist.h"

G_BEGIN_DECLS

/* --- the atlas: a smaller frame, in which the regions to blur lie with the pixels around
 * them that the blur reads --- */

/* A part of the frame, in a cell of the atlas. */
typedef struct
{
  gint x, y;                    /* first pixel in the frame: a multiple of ATLAS_TILE, may
                                   be negative */
  guint width, height;
  guint atlas_x, atlas_y;       /* multiples of ATLAS_TILE */
} GpuAtlasCell;

/* Regions that are blurred alike. Their cells fill rows of the atlas that no other group
 * has. */
typedef struct
{
  guint first, n;               /* regions */
  guint reach_x, reach_y;       /* how many pixels to each side the blur reads */
  guint y, height;              /* rows of the atlas */
} GpuAtlasGroup;

typedef struct
{
  GpuAtlasCell cells[REGIONS_MOST];     /* by region; only those to blur have one */
  guint width, height;          /* of the atlas; 0: it would be larger than the frame */
} GpuRegionAtlas;

/* Fills in @atlas, and the rows of @groups, for a frame of this size. */
void gpu_region_atlas_init (GpuRegionAtlas * atlas, const GArray * regions,
    GpuAtlasGroup * groups, guint n_groups, guint width, guint height);

/* --- tables: words of one buffer that shaders read (shaders/blur/regions/shared.h) --- */

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

/* --- the plan --- */

typedef struct
{
  GArray *regions;              /* those that do something, sorted; the first is the rest if
                                   there is one, and the others then stay */
  guint n_blocks;               /* of all regions */
  guint64 block_pixels;         /* that they have */
  GpuAtlasGroup groups[GPU_REGION_MAX_STRENGTHS];       /* to blur, strongest first */
  guint n_groups;
  gboolean has_atlas;           /* cells are blurred; else the frame as a whole, as the first
                                   group */
  gboolean is_inside;           /* no cell crosses an edge of the frame */
  GpuRegionAtlas atlas;
  GpuFrameInfo blurred;         /* the layout of what is blurred */
  GpuRegionTables tables;       /* without words if there are no regions */
} GpuRegionPlan;

/* Makes a plan for frames like @info. @regions are those of @areas, or of its field.
 * @most_blocks: blocks become larger if there would be more. Clear it with
 * gpu_region_plan_clear(). */
void gpu_region_plan_init (GpuRegionPlan * plan, const GpuFrameInfo * info,
    const GpuBlurSettings * settings, const GpuAreas * areas,
    const GArray * regions, guint most_blocks);
void gpu_region_plan_clear (GpuRegionPlan * plan);

/* Returns the settings for a group. @settings: as above. */
GpuBlurSettings gpu_region_plan_get_settings (const GpuRegionPlan * plan,
    const GpuAtlasGroup * group, const GpuBlurSettings * settings);

G_END_DECLS
