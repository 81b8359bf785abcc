/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A desktop as a lossless recording of a screen has it: a wallpaper like a
 * photograph, a grid of icons, windows with text, gradients. The same bytes
 * everywhere. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define DESKTOP_CURSOR 24u

/* @width · @height pixels, bytes R, G, B, 255; free with g_free(). From 1920 x 1080
 * on it has more than 50 000 colours. */
guint8 *desktop_new (guint width, guint height);

/* Draws a cursor, of DESKTOP_CURSOR pixels along both axes, with its corner at x, y,
 * as far as it lies in the picture. */
void desktop_draw_cursor (guint8 * rgba, guint width, guint height, guint x,
    guint y);

/* Where it is in frame @i of a film: after a few frames it has been over icons, the
 * wallpaper and windows. */
void desktop_move_cursor (guint width, guint height, guint i, guint * x,
    guint * y);

/* Other colours, near those there were, for @n pixels from pixel @first on. */
void desktop_change (guint8 * rgba, gsize first, gsize n, guint32 seed);

G_END_DECLS
