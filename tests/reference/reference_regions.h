/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_blur.h"

G_BEGIN_DECLS

/* Regions of a frame, pixel by pixel. A sample of a subsampled plane stands for the pixels of
 * the frame that share it. Its distance from a region is the least of theirs; a pixel that
 * the region meets has distance 0. Of the regions at distance 0, the strongest decides: a
 * filled one, else the one with the largest blocks, else a blurred one. If there is none,
 * the region with the largest share in the sample is mixed with the frame. A share is 1 minus
 * the distance divided by the feather plus 1, in 256ths.
 *
 * The pixel of a sample that counts for blocks is its first one inside the region's rectangle;
 * beyond the rectangle, it is the nearest one. Blocks begin at the first pixel of the
 * rectangle inside the frame. */

typedef enum
{
  REFERENCE_REGION_BLUR,
  REFERENCE_REGION_PIXELATE,
  REFERENCE_REGION_FILL,
} ReferenceRegionAction;

typedef struct
{
  gint x, y, width, height;     /* pixels of the frame */
  gboolean is_ellipse;
  ReferenceRegionAction action;
  guint block;
  guint8 fill[4];               /* by component of the plane */
  guint feather;
} ReferenceRegion;

typedef struct
{
  guint width, height;          /* of the frame */
  gint unused;                  /* component of the plane that regions set to 255, or -1 */
  const ReferenceRegion *regions;
  guint n;
} ReferenceRegions;

/* How much a result may differ. */
typedef enum
{
  REFERENCE_REGIONS_EXACT,      /* as in the frame, filled, or the mean of a block */
  REFERENCE_REGIONS_BLURRED,
  REFERENCE_REGIONS_MIXED,
} ReferenceRegionsKind;

/* Fills in the values of the samples of @plane, and what kind each is. @blurred: the whole
 * plane, blurred. */
void reference_regions (const ReferencePlane * plane,
    const ReferenceRegions * regions, const gdouble * blurred,
    gdouble * output, guint8 * kinds);

G_END_DECLS
