/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_palette.h"

G_BEGIN_DECLS

/* The cells of pictures that are counted together, bins in docs/internals/live.md, which
 * defines them: what they weigh, how dense they are, and which summit each comes to.
 * Pictures are tightly packed bytes R, G, B, A. */

/* Coordinates of a cell. */
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
  /* By index: the cell that this one goes to, and that which it comes to. */
  gsize uphill, summit;
} ReferenceCell;

typedef struct
{
  ReferenceLattice lattice;
  gint64 pitch;                 /* before merging */
  guint n_merges;
  ReferenceCell *cells;         /* occupied ones, in order */
  gsize n_cells;
} ReferenceCells;

/* Of all the pixels that are counted, one picture behind the other. Of @settings
 * the radius, which is above 0, the weighting, the transfer function and
 * min_frequency matter. Cells are merged until they are no more than @capacity, 4 or
 * more. Free with reference_cells_clear(). */
void reference_cells_init (ReferenceCells * cells,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels);
void reference_cells_clear (ReferenceCells * cells);

/* In the order of cells: a, then b, then L. */
gint reference_places_compare (ReferencePlace p, ReferencePlace q);

/* Where a colour's cell is, occupied or not, and where it would be if none were
 * merged. @rgb: three bytes R, G, B. */
ReferencePlace reference_cells_place (const ReferenceCells * cells,
    const guint8 * rgb);
ReferencePlace reference_cells_place_unmerged (const ReferenceCells * cells,
    const guint8 * rgb);

/* The occupied cell at @place, or so far from there; NULL if there is none. */
ReferenceCell *reference_cells_find (const ReferenceCells * cells,
    ReferencePlace place);
ReferenceCell *reference_cells_find_beside (const ReferenceCells * cells,
    ReferencePlace place, gint a, gint b, gint L);

gboolean reference_cells_is_summit (const ReferenceCells * cells, gsize i);

/* ⌊(2 · @sum + @n) / (2 · @n)⌋; neither is below 0. */
gint64 reference_cells_mean (gint64 sum, gint64 n);

/* That of the summit which an occupied cell comes to. FALSE where nothing weighs
 * there, so that it has none. */
gboolean reference_cells_colour (const ReferenceCells * cells,
    const ReferenceCell * cell, guint8 * rgb);

G_END_DECLS
