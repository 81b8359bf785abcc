/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_count.h"

guint32
reference_pack_rgb (const guint8 * rgb)
{
  return (guint32) rgb[0] << 16 | (guint32) rgb[1] << 8 | rgb[2];
}

void
reference_unpack_rgb (guint32 colour, guint8 * rgb)
{
  rgb[0] = (guint8) (colour >> 16);
  rgb[1] = (guint8) (colour >> 8);
  rgb[2] = (guint8) colour;
}

GHashTable *
reference_count_colours (const guint8 * rgba, gsize n_pixels)
{
  GHashTable *counts = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < n_pixels; i++) {
    gpointer colour = GUINT_TO_POINTER (reference_pack_rgb (rgba + 4 * i));
    guint count;

    if (rgba[4 * i + 3] == 0)
      continue;
    count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, colour)) + 1;
    g_hash_table_insert (counts, colour, GUINT_TO_POINTER (count));
  }
  return counts;
}
