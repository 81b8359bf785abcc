/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the pixels of each mode of a frame, and lists the modes with the most pixels.
 * Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/live/bins.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTopModes GpuPaletteTopModes;

/* Requests the kernels, in the background, as a later frame may need them. */
void gpu_palette_top_modes_expect (GpuDevice * device);

/* Returns a new one; free it with gpu_palette_top_modes_free(). NULL with @error set on
 * failure. */
GpuPaletteTopModes *gpu_palette_top_modes_new (GpuDevice * device,
    GError ** error);
void gpu_palette_top_modes_free (GpuPaletteTopModes * top);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_top_modes_get_memory (GpuPaletteTopModes * top);

/* Records the update of context->top. @pixel_modes: the mode that each pixel holds;
 * @modes: struct TemporalMode, by slot. FALSE with @error set on failure. */
void gpu_palette_top_modes_record (GpuPaletteTopModes * top,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * pixel_modes,
    GpuBuffer * modes);

G_END_DECLS
