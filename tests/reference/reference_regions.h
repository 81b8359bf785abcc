/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blur.h"

G_BEGIN_DECLS

/* Areas of a frame, sample by sample and component by component. A sample of a subsampled
 * component stands for the pixels of the frame that share it, as far as the frame has them.
 *
 * A pixel that a region meets has distance 0 from it, and the one next to it 1. The share of a
 * region at a distance is 1 minus the distance divided by the feather plus 1, in 4096ths. Its
 * share in a sample is that in the nearest of the sample's pixels. Of the regions that have
 * all of a sample, the strongest decides: a filled one, else the one with the largest blocks,
 * else the strongest blur; then the first one. If there is none, the one with the largest share
 * does.
 *
 * If the rest is treated, regions keep the largest of their shares in the farthest of the
 * sample's pixels. The share that is treated is what they leave.
 *
 * The share is multiplied by an amount, and by alpha, the mean of that of the sample's pixels;
 * beyond the last column and row of the frame, the last is repeated.
 *
 * Blocks begin at the first pixel of the region's rectangle in the frame. The last ones have
 * the rest, which does not fill a block. A sample belongs to the block of its first pixel in
 * the rectangle; if it has none, to the block nearest to it. */

#define REFERENCE_WHOLE 4096
#define REFERENCE_COMPONENTS 4
#define REFERENCE_ALPHA 3

/* Weakest first. */
typedef enum
{
  REFERENCE_REGION_BLUR,
  REFERENCE_REGION_PIXELATE,
  REFERENCE_REGION_FILL,
} ReferenceRegionAction;

typedef struct
{
  gint64 x, y, width, height;   /* pixels */
  gboolean is_ellipse;          /* sides of 46340 pixels at most */
  guint feather;
  ReferenceRegionAction action;
  gdouble strength;             /* blur: factor of sigma */
  guint block;
  guint fill[REFERENCE_COMPONENTS];
} ReferenceRegion;

typedef struct
{
  guint width, height;          /* of the frame */
  const ReferenceRegion *regions;       /* those without a pixel in the frame, and blurs that
                                           change nothing, count for nothing */
  guint n;
  const ReferenceRegion *rest;  /* what becomes of the pixels outside the regions, which
                                   stay; or NULL. Its shape is not read */
  gdouble amount;               /* 0…1, rounded to 4096ths */
  gboolean by_alpha;
  guint components;             /* bit i: component i is treated */
  ReferenceBlurSettings blur;   /* of strength 1 */
} ReferenceAreas;

/* The samples of a component, row by row. */
typedef struct
{
  guint index;
  guint columns, rows, shift_x, shift_y;
  const guint16 *codes;
  guint largest;                /* code */
  guint black;
  const guint16 *alpha;         /* of all pixels of the frame; NULL: it has none */
  guint largest_alpha;
  gdouble blur_error;           /* by which blurred codes may be wrong before rounding */
} ReferenceComponent;

/* What a sample may be. */
typedef struct
{
  guint low, high;
  gboolean stays;               /* nothing treats it */
} ReferenceTreated;

/* Fills in @output, as many as @component has samples. More than one code is right where a
 * sample was blurred, where the blurred alpha is below 16 of 255 (any code then), and where a
 * share is between two 4096ths and floats cannot tell to which it is nearer. */
void reference_regions (const ReferenceAreas * areas,
    const ReferenceComponent * component, ReferenceTreated * output);

G_END_DECLS
