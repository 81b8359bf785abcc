/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes that are kept from frame to frame, and the mode that each pixel holds:
 * docs/internals/temporal.md. Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTemporal GpuPaletteTemporal;

/* Returns a new one, without modes, for frames of @format; free it with
 * gpu_palette_temporal_free(). @device is not referenced. NULL with @error set on
 * failure. */
GpuPaletteTemporal *gpu_palette_temporal_new (GpuDevice * device,
    const GpuPaletteFormat * format, GError ** error);

/* Changes the format of frames. Modes are kept, but pixels hold none. After FALSE, with
 * @error set, only gpu_palette_temporal_free() may be called. */
gboolean gpu_palette_temporal_set_format (GpuPaletteTemporal * temporal,
    const GpuPaletteFormat * format, GError ** error);

void gpu_palette_temporal_free (GpuPaletteTemporal * temporal);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_temporal_get_memory (GpuPaletteTemporal * temporal);

/* Makes the kernels and buffers that the first frame with @settings would make. FALSE
 * with @error set on failure. */
gboolean gpu_palette_temporal_prepare (GpuPaletteTemporal * temporal,
    const GpuPaletteSettings * settings, GError ** error);

/* Keeps modes, but in the next frame no pixel holds one. */
void gpu_palette_temporal_release (GpuPaletteTemporal * temporal);

/* Discards all modes. */
void gpu_palette_temporal_forget (GpuPaletteTemporal * temporal);

/* Begins a frame: sets the members luma_pixels and luma_pixels_per_slice of @live, and
 * records writes to its own buffers. */
void gpu_palette_temporal_begin (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    struct LiveState *live);

/* Record steps beside those of summits.h: beside the list, the luma of blocks; beside the
 * weights, how light changes and which modes there are; beside the densities, the moves of
 * modes and a search for motion; beside the climb, the motion of every block. FALSE with
 * @error set on failure. */
void gpu_palette_temporal_look_at_luma (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_temporal_begin_modes (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_temporal_search (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_temporal_match (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins);

/* Records, after these, the update of modes, the choice of a mode for each pixel, and the
 * conversion of @in to @out. FALSE with @error set on failure. */
void gpu_palette_temporal_update (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrame * in,
    const GpuFrame * out);

G_END_DECLS
