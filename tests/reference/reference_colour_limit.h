/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_modes.h"

G_BEGIN_DECLS

/* What "A number of colours" of docs/internals/temporal.md says of summits and modes.
 * @slots are by bin: of the mode that each belongs to. */

gdouble reference_colour_limit_radius (guint n_colours);

/* Where there are fewer than @n_colours, each bin becomes one. */
void reference_colour_limit_make_summits (ReferenceBins * bins, guint n_colours);

/* Summits become modes while one of @n_slots is free and one is to gain from it. */
void reference_colour_limit_take_slots (const ReferenceBins * bins, GArray * modes,
    guint n_slots);

void reference_colour_limit_assign (const ReferenceBins * bins,
    const GArray * modes, gint * slots);

/* For the next frame: where modes are known to be remains as it is. @part: of the
 * way that they move, in 4096ths. */
void reference_colour_limit_move (const ReferenceBins * bins, GArray * modes,
    const gint * slots, gint64 part);

/* Where another mode would be worth more than the least of them: the slot of that, and
 * the bin of the @summit to which it is to go. Else REFERENCE_NO_MODE. To be called
 * before modes move. */
gint reference_colour_limit_find_successor (const ReferenceBins * bins,
    const GArray * modes, const gint * slots, gint * summit);

/* The mode in @slot gets the colour of the @summit. */
void reference_colour_limit_replace (const ReferenceBins * bins, GArray * modes,
    gint slot, gint summit);

G_END_DECLS
