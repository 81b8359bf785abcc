/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Weights of bins from a colour histogram: for a history of several frames, or a least
 * frequency. Internal to gpu/palette/. */
#pragma once

#include "bins.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteBinWindow GpuPaletteBinWindow;

/* Returns whether @settings require it. */
gboolean gpu_palette_bin_window_is_wanted (const GpuPaletteSettings *
    settings);

/* Returns a window for frames of @format; free it with gpu_palette_bin_window_free().
 * Counting adds to @changed, a struct PaletteChanged that the caller owns and keeps.
 * NULL with @error set on failure. */
GpuPaletteBinWindow *gpu_palette_bin_window_new (GpuDevice * device,
    const GpuPaletteFormat * format, GpuBuffer * changed, GError ** error);
void gpu_palette_bin_window_free (GpuPaletteBinWindow * window);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_bin_window_get_memory (GpuPaletteBinWindow * window);

/* Discards the counts of all frames. */
void gpu_palette_bin_window_forget (GpuPaletteBinWindow * window);

/* Discards the counts, and frees the buffers of all frames but one. */
void gpu_palette_bin_window_empty (GpuPaletteBinWindow * window);

/* Records the start of a frame, before its pixels are marked. @has_frame: @bins have
 * the colours of the frame before, which is then counted if the window is empty; call this
 * before gpu_palette_bins_begin_frame(). FALSE with @error set on failure. */
gboolean gpu_palette_bin_window_begin (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrameInfo * info,
    gboolean has_frame, GError ** error);

/* Records, after the pixels are marked, the counting of their colours, and marks the
 * bins of all colours in the window as occupied. FALSE with @error set on failure. */
gboolean gpu_palette_bin_window_mark (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrameInfo * info,
    GError ** error);

/* Records the addition of the window's colours to the sums of their bins, which have
 * been listed. FALSE with @error set on failure. */
void gpu_palette_bin_window_weigh (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins);

G_END_DECLS
