/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Makes several buffers of words at once. */
#pragma once

#include "gpu/core/memory/buffer.h"

G_BEGIN_DECLS

/* A device buffer to make. */
typedef struct
{
  GpuBuffer **buffer;           /* receives the buffer, in place of an older one or NULL */
  gsize words;                  /* size, in words of 4 bytes */
  const gchar *name;
  gboolean is_large;            /* always bound by rows (slicer.h): may exceed
                                   what the device can bind */
} GpuPaletteArray;

/* Makes the @n buffers of @arrays, and only then drops the older ones. The caller unrefs the
 * buffers. On FALSE, nothing has changed. Errors: those of gpu_buffer_new(). */
gboolean gpu_palette_make_arrays (GpuDevice * device,
    const GpuPaletteArray * arrays, guint n, GError ** error);

/* The buffers of *@of from member @first to member @last, between which there is nothing
 * else: two arguments, the address of the first one and their number. */
#define GPU_PALETTE_BUFFERS_BETWEEN(of, first, last) \
    (GpuBuffer **) &(of)->first, (guint) (&(of)->last - &(of)->first + 1)

/* Drops the references to @n @buffers, of which any may be NULL, and sets them to NULL. */
void gpu_palette_clear_arrays (GpuBuffer ** buffers, guint n);

G_END_DECLS
