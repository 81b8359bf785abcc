/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "reference_palette.h"

G_BEGIN_DECLS

/* A colour of a picture, and its part of the pixels with an alpha above 0. */
typedef struct
{
  guint32 colour;               /* R << 16 | G << 8 | B */
  gdouble share;
} ReferenceListed;

/* How many modes are listed at most. */
#define REFERENCE_LIST_LENGTH 256

/* What is wrong with @modes as the list of modes of a picture of @n_pixels, bytes
 * R, G, B, A, that came out with @settings, of which the radius and the transfer
 * function matter; NULL where nothing is. g_free() it. A list has the colours with
 * most pixels, but those within a quarter of the radius of one with more, whose
 * pixels it counts as its own; most first. Which of colours with equally many
 * comes first does not matter. @n_merged: how many are part of another. */
gchar *reference_list_find_fault (const ReferencePaletteSettings * settings,
    const guint8 * rgba, gsize n_pixels, const ReferenceListed * modes,
    guint n_modes, guint * n_merged);

G_END_DECLS
