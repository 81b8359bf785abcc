/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How steady the output of a palette filter is over time, from pixels alone.
 *
 * Clips are frames one behind the other, each of @n_pixels tightly packed bytes
 * R, G, B, A. Shares are 0…1. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The share of pixels that are more than 0.02 (Oklab) away from where they were
 * @lag frames earlier, of all those with a frame so much earlier. */
gdouble steadiness_moved (const guint8 * clip, guint n_frames, gsize n_pixels,
    guint lag);

/* Of the pixels whose input is what it was in the frame before, to the bit. */
typedef struct
{
  gdouble changed;              /* the share whose output is not */
  gdouble changed_far;          /* by 8 levels or more in some component */
} SteadinessOfStill;

/* 0 where no pixel's input stays. */
SteadinessOfStill steadiness_of_still (const guint8 * input,
    const guint8 * output, guint n_frames, gsize n_pixels);

/* The distortion (measures.h) of @steady, another result of the same @input, to
 * that of @plain. */
gdouble steadiness_cost (const guint8 * input, const guint8 * steady,
    const guint8 * plain, gsize n_pixels);

G_END_DECLS
