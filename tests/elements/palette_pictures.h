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

gboolean has_alpha (const gchar * format);

/* Noise. Alpha is 255 if @format has none. */
guint8 *picture_for (const gchar * format, guint seed);

GstBuffer *frame_new (const gchar * format, guint8 * rgba);

/* Returns the output for @rgba as RGBA; alpha is 255 if @out has none. */
guint8 *filter (GstHarness * h, const gchar * in, const gchar * out,
    guint8 * rgba);

guint8 *oracle (const guint8 * rgba,
    const ReferencePaletteSettings * settings, ReferencePaletteStats * stats);

void assert_same (const guint8 * result, const guint8 * expected);

G_END_DECLS
