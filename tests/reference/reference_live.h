/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_palette.h"

G_BEGIN_DECLS

/* What docs/internals/live.md defines: the palette of quality=live, bin by bin in
 * order and without any grid. Pictures are tightly packed bytes R, G, B, A. */

/* Bins that may be occupied before bins are merged. */
#define REFERENCE_LIVE_CAPACITY 524288

typedef struct
{
  gsize n_bins;                 /* occupied, after merging */
  gsize n_summits;              /* also without a colour */
  gsize n_output_colours;       /* of these: two may have the same */
  guint n_merges;               /* how often bins were merged */
} ReferenceLiveStats;

/* Reduces the palette of a picture, @input of @width · @height pixels, into
 * @output (as large; the same memory is fine). Of @settings the radius, the
 * weighting, the transfer function and min_frequency matter. Pixels with alpha 0 are not
 * counted and keep all their bytes; other alphas are kept.
 * @stats: may be NULL; all 0 where the radius is. */
void reference_live (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferenceLiveStats * stats);

/* The same with another @capacity, 4 or more (bins on either side of 0 in a
 * and b never merge): bins are merged until they are no more than that. */
void reference_live_with_capacity (const ReferencePaletteSettings * settings,
    gsize capacity, const ReferencePixels * input, guint8 * output,
    ReferenceLiveStats * stats);

/* The same where the colours that are counted are those of other pixels, such as
 * several frames one behind the other: @counted, which have all colours of
 * @input and are not in the memory of @output. */
void reference_live_from (const ReferencePaletteSettings * settings,
    gsize capacity, const ReferencePixels * counted,
    const ReferencePixels * input, guint8 * output,
    ReferenceLiveStats * stats);

/* --- bins --- */

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
 * the same matters as above, and the radius is above 0. Free with
 * reference_bins_clear(). */
void reference_bins_init (ReferenceBins * bins,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels);
void reference_bins_clear (ReferenceBins * bins);

/* In the order of bins: a, then b, then L. */
gint reference_places_compare (ReferencePlace p, ReferencePlace q);
gint64 reference_places_distance_squared (ReferencePlace p, ReferencePlace q);

/* Where a colour's bin is, occupied or not, and where it would be if none were
 * merged. @rgb: three bytes R, G, B. */
ReferencePlace reference_bins_place (const ReferenceBins * bins,
    const guint8 * rgb);
ReferencePlace reference_bins_place_unmerged (const ReferenceBins * bins,
    const guint8 * rgb);

/* The one that contains a bin that is not merged. */
ReferencePlace reference_bins_merge (const ReferenceBins * bins,
    ReferencePlace place);

/* The occupied bin at @place; NULL if there is none. */
ReferenceBin *reference_bins_find (const ReferenceBins * bins,
    ReferencePlace place);

/* The occupied bins among that at @place and the 26 around it, in order; returns how
 * many. */
guint reference_bins_find_around (const ReferenceBins * bins,
    ReferencePlace place, ReferenceBin * around[27]);

/* Adds weight and sums of @other. */
void reference_bin_add (ReferenceBin * bin, const ReferenceBin * other);

gboolean reference_bins_is_summit (const ReferenceBins * bins, gsize i);

/* ⌊(2 · @sum + @n) / (2 · @n)⌋; neither is below 0. */
gint64 reference_bins_mean (gint64 sum, gint64 n);

/* That of the summit which an occupied bin comes to. FALSE where nothing weighs
 * there, so that it has none. */
gboolean reference_bins_colour (const ReferenceBins * bins,
    const ReferenceBin * bin, guint8 * rgb);

G_END_DECLS
