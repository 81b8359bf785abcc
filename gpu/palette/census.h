/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The list of those colours of a frame that most pixels have, on its way to the
 * host, whichever map counts them. Not for users of palette.h. */
#pragma once

#include "run.h"
#include "gpu/core/readback.h"

G_BEGIN_DECLS

struct _GpuPaletteCensus
{
  GpuBuffer *list;              /* struct Census */
  GpuReadback *news;
  gboolean is_taken;            /* the list is that of the last frame, or will
                                   be */
  gboolean was_taken;           /* it is that of the frame before, which the same
                                   map counted */
};

/* NULL with @error set on failure. */
GpuPaletteCensus *gpu_palette_census_new (GpuDevice * device, GError ** error);
void gpu_palette_census_free (GpuPaletteCensus * census);

/* Bytes of its buffers. */
gsize gpu_palette_census_get_memory (const GpuPaletteCensus * census);

/* A frame begins, whose map is that of the frame before, or not. */
void gpu_palette_census_next (GpuPaletteCensus * census,
    gboolean is_same_map);

/* Records: the list is that of the frame at hand. Behind a barrier, the rest of it
 * may be written. */
void gpu_palette_census_begin (GpuPaletteCensus * census, GpuPaletteRun * run);

/* Records: the list, which was written, or stayed as it was taken, to where the
 * host reads it. */
void gpu_palette_census_end (GpuPaletteCensus * census, GpuPaletteRun * run);

/* Nothing is known of earlier frames any more. */
void gpu_palette_census_forget (GpuPaletteCensus * census);

/* As gpu_palette_get_modes(). */
gboolean gpu_palette_census_get_modes (GpuPaletteCensus * census,
    GpuPaletteMode * modes, guint * n, guint64 * tag);

G_END_DECLS
