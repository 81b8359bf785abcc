/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Small pictures for quality=exact: into frames of any format and out of them, and what the
 * oracle makes of them. They are tightly packed bytes R, G, B, A. */
#pragma once

#include "element_fixture.h"
#include "palette_element_fixture.h"

G_BEGIN_DECLS

#define WIDTH 40
#define HEIGHT 22
#define N_PIXELS (WIDTH * HEIGHT)

gboolean palette_picture_has_alpha (const gchar * format);

/* Returns noise, which the caller frees. Alpha is 255 if @format has none. */
guint8 *palette_picture_new (const gchar * format, guint seed);

/* Returns a frame with the pixels @rgba, which stay the caller's. */
GstBuffer *palette_picture_to_frame (const gchar * format, guint8 * rgba);

/* Pushes @rgba as a frame of format @in. Returns the output, of format @out, as RGBA, which
 * the caller frees; alpha is 255 if @out has none. */
guint8 *palette_picture_filter (GstHarness * h, const gchar * in, const gchar * out,
    guint8 * rgba);

/* Returns what @rgba should become, which the caller frees. @stats may be NULL. */
guint8 *palette_picture_oracle (const guint8 * rgba,
    const ReferencePaletteSettings * settings, ReferencePaletteStats * stats);

/* Both are pictures of N_PIXELS. */
void palette_picture_assert_same (const guint8 * result, const guint8 * expected);

G_END_DECLS
