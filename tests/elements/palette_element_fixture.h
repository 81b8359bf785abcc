/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests of meanshiftpalette share beside element_fixture.h. Pictures are
 * tightly packed bytes R, G, B, A. */
#pragma once

#include "reference_palette.h"
#include <gst/gst.h>

G_BEGIN_DECLS

/* A frame of a picture's @n_bytes. */
GstBuffer *palette_frame (const guint8 * rgba, gsize n_bytes);

/* A copy of a picture of @n_pixels, with noise of a variance of 4 in its colours;
 * another for each @seed. */
guint8 *palette_noisy_new (const guint8 * rgba, gsize n_pixels,
    guint32 seed);

void palette_assert_bytes (GstBuffer * buffer,
    const guint8 * expected, gsize n_bytes);

/* What the properties ask for, for the oracle; transfer=auto as of caps that say
 * nothing, or sRGB. */
ReferencePaletteSettings palette_settings (GstElement * element);

/* Whether the last frame's colours were solved, as the statistics have it. */
gboolean palette_was_solved (GstElement * element);

/* The caps that the element @description comes to between these, with a frame
 * behind them; a reference. @in is fixed. */
GstCaps *palette_negotiate (const gchar * description,
    const gchar * in, const gchar * downstream);

/* A ReferenceEotf. */
gdouble palette_decode_bt709 (gdouble code);

G_END_DECLS
