/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where the regions to blur, with the pixels around them that the blur reads, lie in one
 * smaller frame: the atlas. */
#pragma once

#include "regionlist.h"

G_BEGIN_DECLS

/* A part of the frame, in a cell of the atlas. */
typedef struct
{
  gint x, y;                    /* first pixel in the frame: a multiple of ATLAS_TILE, may
                                   be negative */
  guint width, height;
  guint atlas_x, atlas_y;       /* multiples of ATLAS_TILE */
} GpuAtlasCell;

typedef struct
{
  GpuAtlasCell cells[REGIONS_MOST];     /* by region; only those to blur have one */
  guint width, height;          /* of the atlas; 0: it would be larger than the frame */
} GpuRegionAtlas;

/* Fills in @atlas for a frame of this size. @reach_x, @reach_y: how many pixels to each
 * side the blur reads. */
void gpu_region_atlas_init (GpuRegionAtlas * atlas, const GArray * regions,
    guint width, guint height, guint reach_x, guint reach_y);

/* Writes for each tile of the atlas, row by row, the number of its cell. */
void gpu_region_atlas_make_tiles (const GpuRegionAtlas * atlas, guint n,
    guint32 * tiles);

G_END_DECLS
