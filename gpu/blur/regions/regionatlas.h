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

G_END_DECLS
