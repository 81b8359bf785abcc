/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels of a frame have which mode, for the host to know. Not for users
 * of palette.h. */
#pragma once

#include "cells.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteCensus GpuPaletteCensus;

/* Kernels and memory. NULL with @error set on failure. */
GpuPaletteCensus *gpu_palette_census_new (GpuDevice * device, GError ** error);
void gpu_palette_census_free (GpuPaletteCensus * census);

/* Bytes of its buffers. */
gsize gpu_palette_census_get_memory (GpuPaletteCensus * census);

/* Records the census of a frame whose pixels hold what @holds says of @modes
 * (steady.h). */
gboolean gpu_palette_census_record (GpuPaletteCensus * census,
    GpuPaletteRun * run, GpuPaletteCells * cells, GpuBuffer * holds,
    GpuBuffer * modes, GError ** error);

/* Nothing is known of earlier frames any more. */
void gpu_palette_census_forget (GpuPaletteCensus * census);

/* As gpu_palette_get_modes(). */
gboolean gpu_palette_census_get_modes (GpuPaletteCensus * census,
    GpuPaletteMode * modes, guint * n, guint64 * tag);

G_END_DECLS
