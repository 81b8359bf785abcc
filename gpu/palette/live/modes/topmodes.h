/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels of a frame have which mode, for the host to know. Not for users
 * of palette.h. */
#pragma once

#include "gpu/palette/live/bins.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTopModes GpuPaletteTopModes;

/* Kernels and memory. NULL with @error set on failure. */
GpuPaletteTopModes *gpu_palette_top_modes_new (GpuDevice * device,
    GError ** error);
void gpu_palette_top_modes_free (GpuPaletteTopModes * top);

/* Bytes of its buffers. */
gsize gpu_palette_top_modes_get_memory (GpuPaletteTopModes * top);

/* Records the top colours of a frame whose pixels hold what @pixel_modes says of @modes
 * (temporal.h). */
gboolean gpu_palette_top_modes_record (GpuPaletteTopModes * top,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * pixel_modes,
    GpuBuffer * modes, GError ** error);

G_END_DECLS
