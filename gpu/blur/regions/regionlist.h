/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions of a frame, as a list that shaders can work on. */
#pragma once

#include <glib.h>
#include "shaders/blur/regions/shared.h"

G_BEGIN_DECLS

typedef enum
{
  GPU_REGION_RECTANGLE = REGION_RECTANGLE,
  GPU_REGION_ELLIPSE = REGION_ELLIPSE,  /* the largest in the rectangle; a rectangle
                                           if a side has over REGION_MOST_ELLIPSE pixels */
} GpuRegionShape;

/* What becomes of the pixels of a region, weakest first. */
typedef enum
{
  GPU_REGION_BLUR = REGION_BLUR,
  GPU_REGION_PIXELATE = REGION_PIXELATE,        /* blocks of their mean */
  GPU_REGION_FILL = REGION_FILL,        /* one colour */
} GpuRegionAction;

#define GPU_REGION_MIN_BLOCK 4
#define GPU_REGION_MAX_BLOCK 256        /* sums of a block fit into 32 bits */
#define GPU_REGION_MAX_FEATHER 1000

typedef struct
{
  gint x, y;                    /* may lie outside the frame */
  gint width, height;
} GpuRegionBox;

typedef struct
{
  GpuRegionBox box;             /* pixels of the frame */
  GpuRegionShape shape;
  GpuRegionAction action;
  guint block;                  /* pixelate: columns and rows of a block */
  guint8 colour[4];             /* fill: codes of R, G, B, alpha or Y', Cb, Cr, alpha */
  guint feather;                /* pixels around the shape that are mixed with the frame */
} GpuRegion;

/* Returns the part of @box in a frame of this size, which is empty if width or height
 * is 0. */
GpuRegionBox gpu_region_box_clip (const GpuRegionBox * box, guint width,
    guint height);

/* Prepares the regions, an array of GpuRegion, for a frame of this size: removes those
 * outside, merges some if there are more than REGIONS_MOST, and sorts them so that the
 * first one that has a pixel decides what becomes of it. A merged region is a rectangle
 * that covers both and does what the stronger one does. */
void gpu_regions_arrange (GArray * regions, guint width, guint height);

/* Returns the blocks in a row and in a column of @region, in a frame of this size. */
void gpu_region_count_blocks (const GpuRegion * region, guint width,
    guint height, guint * columns, guint * rows);

/* Merges all regions of blocks if they have more than @most blocks together. */
void gpu_regions_limit_blocks (GArray * regions, guint width, guint height,
    guint64 most);

/* Writes for each tile of a frame of this size, row by row, which regions meet it with
 * their feather: REGION_TILE_WORDS words a tile. */
void gpu_regions_make_tiles (const GArray * regions, guint width,
    guint height, guint32 * tiles);

G_END_DECLS
