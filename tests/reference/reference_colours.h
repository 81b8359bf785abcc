/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_modes.h"

G_BEGIN_DECLS

/* What "A number of colours" of docs/internals/temporal.md says of summits and modes.
 * @slots are by cell, those of summits count: of the mode that each belongs to. */

gdouble reference_colours_radius (guint n_colours);

/* Where there are fewer than @n_colours, each cell becomes one. */
void reference_colours_make_summits (ReferenceCells * cells, guint n_colours);

/* Summits become modes while one of @n_slots is free and one is to gain from it. */
void reference_colours_take_slots (const ReferenceCells * cells, GArray * modes,
    guint n_slots);

void reference_colours_assign (const ReferenceCells * cells,
    const GArray * modes, gint * slots);

/* For the next frame: where modes are known to be remains as it is. @part: of the
 * way that they move, in 4096ths. */
void reference_colours_move (const ReferenceCells * cells, GArray * modes,
    const gint * slots, gint64 part);

/* @part: of the way of what weighs upon them. */
void reference_colours_let_one_go (const ReferenceCells * cells,
    GArray * modes, const gint * slots, gint64 part);

G_END_DECLS
