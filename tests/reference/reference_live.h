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

G_END_DECLS
