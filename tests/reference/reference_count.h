/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The colours of a picture, tightly packed bytes R, G, B, A, as numbers
 * 0xRRGGBB. */

guint32 reference_pack_rgb (const guint8 * rgb);
void reference_unpack_rgb (guint32 colour, guint8 * rgb);

/* How many pixels have each colour, from colour to number, both packed into
 * pointers. Those with alpha 0 do not count. Free with g_hash_table_unref(). */
GHashTable *reference_count_colours (const guint8 * rgba, gsize n_pixels);

G_END_DECLS
