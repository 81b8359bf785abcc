/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Palettes as text: what users may write, and what they read. */
#pragma once

#include "gpu/palette/settings.h"

G_BEGIN_DECLS

/* Reads the colours in @text, which may be NULL. docs/meanshiftpalette.md describes the
 * forms. Returns FALSE and sets @error, and leaves @palette as it is, if an entry is not a
 * colour or if there are too many. */
gboolean gst_mean_shift_palette_text_parse (const gchar * text,
    GpuPaletteGiven * palette, GError ** error);

/* Appends @colour, 0xRRGGBB, to a text such as "#1a1c2c,#5d275d". */
void gst_mean_shift_palette_text_append (GString * text, guint32 colour);

G_END_DECLS
