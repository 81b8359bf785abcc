/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of words, several at a time. */
#pragma once

#include "gpu/core/memory/buffer.h"

G_BEGIN_DECLS

/* An array of words on the device, to be made. */
typedef struct
{
  GpuBuffer **buffer;
  gsize words;
  const gchar *name;
  gboolean is_large;            /* no kernel is bound to all of it (rows.h) */
} GpuPaletteArray;

/* Makes all of them, and adds their bytes to @memory, which may be NULL. On
 * FALSE those that were made stay. */
gboolean gpu_palette_make_arrays (GpuDevice * device,
    const GpuPaletteArray * arrays, guint n, guint64 * memory,
    GError ** error);

G_END_DECLS
