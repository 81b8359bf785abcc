/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of the output colours with the most pixels, and its readback to the host.
 * Both maps use it. Internal to gpu/palette/. */
#pragma once

#include "context.h"
#include "gpu/core/compute/readback.h"

G_BEGIN_DECLS

struct _GpuPaletteTopColours
{
  GpuBuffer *list;              /* struct TopColours */
  GpuReadback *readback;
  gboolean is_taken;            /* the list for the last frame is recorded */
  gboolean was_taken;           /* the list is valid for the frame before, with the
                                   same map */
};

/* Returns a list; free it with gpu_palette_top_colours_free(). NULL with @error set on
 * failure. */
GpuPaletteTopColours *gpu_palette_top_colours_new (GpuDevice * device, GError ** error);
void gpu_palette_top_colours_free (GpuPaletteTopColours * top);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_top_colours_get_memory (const GpuPaletteTopColours * top);

/* Begins a frame. @is_same_map: it has the same map as the frame before. */
void gpu_palette_top_colours_next (GpuPaletteTopColours * top,
    gboolean is_same_map);

/* Records a write of this frame's tag to the list. */
void gpu_palette_top_colours_begin (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Records the readback of the list, after it was written or if it is unchanged. */
void gpu_palette_top_colours_end (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Discards the lists of earlier frames. */
void gpu_palette_top_colours_forget (GpuPaletteTopColours * top);

/* Implements gpu_palette_get_modes(). */
gboolean gpu_palette_top_colours_get_modes (GpuPaletteTopColours * top,
    GpuPaletteMode * modes, guint * n, guint64 * tag);

G_END_DECLS
