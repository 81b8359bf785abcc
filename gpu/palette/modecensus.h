/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels of a frame have which mode, for the host to know. Not for users
 * of palette.h. */
#pragma once

#include "cells.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteModeCensus GpuPaletteModeCensus;

/* Kernels and memory. NULL with @error set on failure. */
GpuPaletteModeCensus *gpu_palette_mode_census_new (GpuDevice * device,
    GError ** error);
void gpu_palette_mode_census_free (GpuPaletteModeCensus * census);

/* Bytes of its buffers. */
gsize gpu_palette_mode_census_get_memory (GpuPaletteModeCensus * census);

/* Records the census of a frame whose pixels hold what @holds says of @modes
 * (steady.h). */
gboolean gpu_palette_mode_census_record (GpuPaletteModeCensus * census,
    GpuPaletteRun * run, GpuPaletteCells * cells, GpuBuffer * holds,
    GpuBuffer * modes, GError ** error);

G_END_DECLS
