/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_temporal.h"

G_BEGIN_DECLS

/* The lightness of a grey is proportional to its code, with 65536 / 255 = 257 steps a code. The
 * pitch is ⌊0.01176 · 65536 / 3 + 1/2⌋ = 257. So the coordinate L of a grey's bin is its
 * code, and codes are 8 eighths of a bin apart. */
extern const ReferencePaletteSettings grey_bin_per_code;

/* Films of greys, for the worked examples of docs/internals/temporal.md. A film is a text of
 * items, separated by semicolons, which a test runs from its beginning. The items:
 *
 *   100*7 120*3>100     A frame of pixels one behind the other: seven of code 100, which are
 *                       to come out as they are, and three of 120, which are to come out
 *                       as 100. The rest is transparent. "#010203" is a colour that is not
 *                       grey, "100@9" has alpha 9. From frame to frame settings change to
 *                       others that mean the same: then no frame is as the one before.
 *   10: 100*7           ten such frames. After ten of 1/30 s the next one is as old as it gets.
 *   10= 100*7, =100*7   ten such frames, or one, with settings as they are
 *   ~100*7              the same, whatever comes out
 *   stability=0.5       sets a number of the table in grey_film.c; += and -= change it
 *   palette=100,120     greys, or colours, that are given
 *   colours=4           a number of colours, of which each grey has a bin of its own again, at
 *                       frames of 4096 pixels
 *   ? held=2 cut=0      what the statistics of the last frame are to be
 *   rest=62             shows the last frame again, and is to be settled after so many
 *   reset, forget       reference_temporal_reset(), reference_temporal_forget_modes()
 *   new                 another film begins
 *
 * A film begins with stability 0.5, without motion, without pixels that move more than by
 * noise, and with four blocks: 64 rows of 16 pixels. */
typedef struct
{
  const gchar *name, *film;
} GreyFilm;

void grey_film_run (const gchar * film, ...) G_GNUC_PRINTF (1, 2);

/* Adds a test for each. They are static. */
void grey_film_add (const GreyFilm * films, guint n);

G_END_DECLS
