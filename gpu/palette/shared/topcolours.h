/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of those colours of a frame that most pixels have, on its way to the
 * host, whichever map counts them. Not for users of palette.h. */
#pragma once

#include "context.h"
#include "gpu/core/compute/readback.h"

G_BEGIN_DECLS

struct _GpuPaletteTopColours
{
  GpuBuffer *list;              /* struct TopColours */
  GpuReadback *readback;
  gboolean is_taken;            /* the list is that of the last frame, or will
                                   be */
  gboolean was_taken;           /* it is that of the frame before, which the same
                                   map counted */
};

/* NULL with @error set on failure. */
GpuPaletteTopColours *gpu_palette_top_colours_new (GpuDevice * device, GError ** error);
void gpu_palette_top_colours_free (GpuPaletteTopColours * top);

/* Bytes of its buffers. */
gsize gpu_palette_top_colours_get_memory (const GpuPaletteTopColours * top);

/* A frame begins, whose map is that of the frame before, or not. */
void gpu_palette_top_colours_next (GpuPaletteTopColours * top,
    gboolean is_same_map);

/* Records: the list is that of the frame at hand. Behind a barrier, the rest of it
 * may be written. */
void gpu_palette_top_colours_begin (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Records: the list, which was written, or stayed as it was taken, to where the
 * host reads it. */
void gpu_palette_top_colours_end (GpuPaletteTopColours * top, GpuPaletteContext * context);

/* Nothing is known of earlier frames any more. */
void gpu_palette_top_colours_forget (GpuPaletteTopColours * top);

/* As gpu_palette_get_modes(). */
gboolean gpu_palette_top_colours_get_modes (GpuPaletteTopColours * top,
    GpuPaletteMode * modes, guint * n, guint64 * tag);

G_END_DECLS
