/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What changes from one frame to the next: blocks and their light, where they come from, and
 * light that changes everywhere; steps 1 to 3 of docs/internals/temporal.md. Pictures are
 * tightly packed bytes R, G, B, A. */

/* Whether a scene ends between two frames. */
gboolean reference_is_cut (gdouble scene_cut_threshold, const guint8 * before,
    const guint8 * now, guint width, guint height);

/* The blocks that pictures of a size are cut into. */
typedef struct
{
  gint width, height;           /* of the picture, in pixels */
  gint side;                    /* of a block, in pixels */
  gint columns, rows;
  guint n;
} ReferenceGrid;

ReferenceGrid reference_grid (guint width, guint height);

/* The block of a pixel, by its index. */
guint reference_grid_find (const ReferenceGrid * grid, gsize pixel);

/* Y of step 1: a code value is 256. */
gint64 reference_luma (const ReferenceGrid * grid, const guint8 * picture,
    guint block);

/* U and V of step 1: a code value is 64. */
void reference_chroma (const ReferenceGrid * grid, const guint8 * picture,
    guint block, gint64 chroma[2]);

/* From a place in a frame to one in the frame before. */
typedef struct
{
  gint x, y;                    /* pixels */
} ReferenceVector;

/* What light that changes everywhere makes of a value: the gain times it plus the shift. */
typedef struct
{
  gint64 gain;                  /* 4096ths */
  gint64 shift;                 /* 4096ths of a code value */
} ReferenceLight;

/* A frame, and the one before. */
typedef struct
{
  const guint8 *before, *now;
  ReferenceGrid grid;
  const ReferenceVector *vectors;       /* by block; NULL: all 0 */
  ReferenceLight light;
} ReferencePictures;

/* Without vectors, in the same light. */
ReferencePictures reference_pictures (const guint8 * before, const guint8 * now,
    guint width, guint height);

/* --- light --- */

/* From two pictures without vectors. */
ReferenceLight reference_light_find (const ReferencePictures * pictures);

gboolean reference_light_is_same (const ReferenceLight * light);

/* What light makes of a @value from 0 to 255, in so many @parts of a code value. The result is
 * in the same unit. */
gint64 reference_light_apply (const ReferenceLight * light, gint64 value,
    gint64 parts);

/* The same, but a value that may be clipped stays. */
gint64 reference_light_expect (const ReferenceLight * light, gint64 value,
    gint64 parts);

/* --- motion --- */

/* By block. g_free() them. @moving: how many 256ths of the searched blocks, rounded down,
 * are clear and have another vector than 0. */
ReferenceVector *reference_motion_new (const ReferencePictures * pictures,
    gint64 * moving);

/* --- changes --- */

/* The pixel of the frame before that @pixel comes from, or -1: it was not in view. */
gssize reference_find_source (const ReferencePictures * pictures, gsize pixel);

/* |R - R'| + |G - G'| + |B - B'| of two colours, the first one in the light of the
 * second. */
gint64 reference_colours_change (const ReferenceLight * light,
    const guint8 * from, const guint8 * to);

/* The middle one of what blocks changed by, in eighths of a code value, 255 at most; -1
 * where no pixel counts. */
gint64 reference_median_change (const ReferencePictures * pictures);

typedef struct
{
  gint64 drift[3];              /* of Y, U and V */
  gint64 departure;             /* e of step 3 */
} ReferenceBlock;

/* Each block drifts on from where it comes from, by the change of its light. Finds
 * departures, with this motion of the @camera; then drifts decay for @interval ns. */
void reference_blocks_drift (ReferenceBlock * blocks,
    const ReferencePictures * pictures, gint64 camera, gint64 interval);

/* u of step 3, of a @block. */
gint64 reference_blocks_unrest_around (const ReferenceBlock * blocks,
    const ReferenceGrid * grid, guint block);

/* U of a number of colours, 64 at most. */
gint64 reference_blocks_unrest_of_all (const ReferenceBlock * blocks,
    guint n_blocks);

/* --- time --- */

/* From one value to another, so many 4096ths of the way. */
gint64 reference_approach (gint64 from, gint64 to, gint64 part);

/* The part of a way that is left behind in a time with a time constant, both in
 * nanoseconds. */
gint64 reference_part (gint64 time, gint64 constant);

G_END_DECLS
