/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The blocks that a picture is cut into, how light they are, and how much that
 * changes: steps 1 and 3 of docs/internals/temporal.md. A code value is 256. */

typedef struct
{
  gint64 luma;                  /* in this frame */
  gint64 before;                /* in the one before */
  gint64 drift;
  gint64 departure;             /* e of step 3 */
} ReferenceBlock;

/* Of a block, in pixels. */
guint reference_blocks_side (guint width, guint height);

guint reference_blocks_count (guint width, guint height);

/* That of a pixel, by its index. */
guint reference_blocks_find (guint width, guint height, gsize pixel);

/* Whether a pixel is one of those that are read. */
gboolean reference_blocks_is_looked_at (guint width, guint height,
    gsize pixel);

/* By block, of a picture, bytes R, G, B, A. g_free() them. */
gint64 *reference_blocks_lumas_new (const guint8 * picture, guint width,
    guint height);

/* In pixels, from a place in a frame to one in the frame before. */
typedef struct
{
  gint x, y;
} ReferenceVector;

/* What light that changes everywhere makes of a value: the gain times it plus the shift. */
typedef struct
{
  gint64 gain;                  /* 4096ths */
  gint64 shift;                 /* 4096ths of a code value */
} ReferenceLight;

#define REFERENCE_SAME_LIGHT { 4096, 0 }

/* A frame, and the one before: bytes R, G, B, A. */
typedef struct
{
  const guint8 *before, *now;
  guint width, height;
  const ReferenceVector *vectors;       /* by block; NULL: all 0 */
  ReferenceLight light;
} ReferencePictures;

/* The pixel of the frame before that @pixel comes from, or -1: it was not in view. */
gssize reference_blocks_find_source (const ReferencePictures * pictures,
    gsize pixel);

/* |R - R'| + |G - G'| + |B - B'| of two colours, the first one in the light of the
 * second. */
gint64 reference_colours_change (const ReferenceLight * light,
    const guint8 * from, const guint8 * to);

/* The middle one of what blocks changed by, in eighths of a code value, 255 at most; -1
 * where no pixel counts. */
gint64 reference_blocks_median_change (const ReferencePictures * pictures);

/* Whether a scene is cut where the changes of @n_blocks add up to this. */
gboolean reference_blocks_is_cut (gdouble scene_cut_threshold, gint64 change,
    guint n_blocks);

/* Whether a scene ends between two frames. */
gboolean reference_is_cut (gdouble scene_cut_threshold, const guint8 * before,
    const guint8 * now, guint width, guint height);

/* Each block drifts on from where it comes from, by the change of its light. Finds
 * departures, with this motion of the @camera; then drifts decay for @interval ns. */
void reference_blocks_drift (ReferenceBlock * blocks,
    const ReferencePictures * pictures, gint64 camera, gint64 interval);

/* u of step 3, of a @block of a picture. */
gint64 reference_blocks_unrest_around (const ReferenceBlock * blocks,
    guint width, guint height, guint block);

/* U of a number of colours, 64 at most. */
gint64 reference_blocks_unrest_of_all (const ReferenceBlock * blocks,
    guint n_blocks);

G_END_DECLS
