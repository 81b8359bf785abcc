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
#define GPU_REGION_MAX_BLOCK 256
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
  guint feather;                /* pixels around the shape that are mixed with the frame */
  GpuRegionAction action;
  gdouble strength;             /* blur: factor of sigma and radius, above 0 */
  guint block;                  /* pixelate: columns and rows of a block,
                                   GPU_REGION_MIN_BLOCK…GPU_REGION_MAX_BLOCK */
  guint16 colour[4];            /* fill: codes of R or Y', G or Cb, B or Cr, and alpha, in
                                   the depth of the frame */
} GpuRegion;

/* Returns the part of @box in a frame of this size, which is empty if width or height
 * is 0. */
GpuRegionBox gpu_region_box_clip (const GpuRegionBox * box, guint width,
    guint height);

/* Removes the regions of @regions, an array of GpuRegion, that have no pixel in a frame of this
 * size, and cuts rectangles at its edges. */
void gpu_regions_clip (GArray * regions, guint width, guint height);

/* Merges neighbours if there are more than @most. A merged region is a rectangle that covers
 * both, and does what the stronger one does. */
void gpu_regions_merge (GArray * regions, guint most, guint width,
    guint height);

/* Keeps the @most regions with the largest rectangles. */
void gpu_regions_keep_largest (GArray * regions, guint most);

/* Sorts the regions so that the first one that has a pixel decides what becomes of it: a filled
 * one, else the one with the largest blocks, else the strongest blur. Strengths are rounded up
 * to one of at most GPU_REGION_MAX_STRENGTHS. */
#define GPU_REGION_MAX_STRENGTHS 8
void gpu_regions_sort (GArray * regions);

/* Returns the blocks in a row and in a column of @region, in a frame of this size. The last ones
 * have the rest, which does not fill a block, too. */
void gpu_region_count_blocks (const GpuRegion * region, guint width,
    guint height, guint * columns, guint * rows);

/* Doubles the blocks of all regions until they have @most at most together. Returns their
 * number. */
guint gpu_regions_limit_blocks (GArray * regions, guint most, guint width,
    guint height);

typedef enum
{
  GPU_AREAS_NO_MASK,
  GPU_AREAS_ALPHA,              /* the share is multiplied by the frame's alpha, which stays */
  GPU_AREAS_INVERSE_ALPHA,      /* the same, by the largest alpha minus alpha, which is the
                                   weight of colours then, too */
} GpuAreasMask;

/* Which samples of a frame are treated, and how much. */
typedef struct
{
  const GArray *regions;        /* of GpuRegion; more than REGIONS_MOST are merged */
  const GpuRegion *rest;        /* NULL: pixels outside the regions stay. Else the regions
                                   stay, and this is done to all other pixels; its box, shape
                                   and feather are not read. Of REGIONS_MOST regions or more,
                                   the smallest are treated like the rest */
  gdouble amount;               /* the share of the treated samples in the output: 0…1 */
  guint components;             /* bit i: component i is treated, of R or Y', G or Cb, B or
                                   Cr, and alpha */
  GpuAreasMask mask;            /* of other than NO_MASK only formats with alpha */
} GpuAreas;

/* All components. */
#define GPU_AREAS_ALL_COMPONENTS 0xf

G_END_DECLS
