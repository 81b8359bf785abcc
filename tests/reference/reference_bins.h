/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_palette.h"

G_BEGIN_DECLS

/* The bins of pictures that are counted together, as docs/internals/live.md defines
 * them: what they weigh, how dense they are, and which summit each comes to.
 * Pictures are tightly packed bytes R, G, B, A. */

/* Coordinates of a bin. */
typedef struct
{
  gint64 a, b, L;
} ReferencePlace;

typedef struct
{
  ReferencePlace place;
  gint64 n;
  gint64 sum[3];                /* of what counts: R, G and B */
  gint64 density;
  /* By index: the bin that this one goes to, and that which it comes to. */
  gsize uphill, summit;
} ReferenceBin;

typedef struct
{
  ReferenceLattice lattice;
  gint64 pitch;                 /* before merging */
  guint n_merges;
  ReferenceBin *bins;           /* occupied ones, in order */
  gsize n_bins;
} ReferenceBins;

/* Of all the pixels that are counted, one picture behind the other. Of @settings
 * the radius, which is above 0, the weighting, the transfer function and
 * min_frequency matter. Bins are merged until they are no more than @capacity, 4 or
 * more. Free with reference_bins_clear(). */
void reference_bins_init (ReferenceBins * bins,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels);
void reference_bins_clear (ReferenceBins * bins);

/* In the order of bins: a, then b, then L. */
gint reference_places_compare (ReferencePlace p, ReferencePlace q);

/* Where a colour's bin is, occupied or not, and where it would be if none were
 * merged. @rgb: three bytes R, G, B. */
ReferencePlace reference_bins_place (const ReferenceBins * bins,
    const guint8 * rgb);
ReferencePlace reference_bins_place_unmerged (const ReferenceBins * bins,
    const guint8 * rgb);

/* The occupied bin at @place, or so far from there; NULL if there is none. */
ReferenceBin *reference_bins_find (const ReferenceBins * bins,
    ReferencePlace place);
ReferenceBin *reference_bins_find_beside (const ReferenceBins * bins,
    ReferencePlace place, gint a, gint b, gint L);

gboolean reference_bins_is_summit (const ReferenceBins * bins, gsize i);

/* ⌊(2 · @sum + @n) / (2 · @n)⌋; neither is below 0. */
gint64 reference_bins_mean (gint64 sum, gint64 n);

/* That of the summit which an occupied bin comes to. FALSE where nothing weighs
 * there, so that it has none. */
gboolean reference_bins_colour (const ReferenceBins * bins,
    const ReferenceBin * bin, guint8 * rgb);

G_END_DECLS
