/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What bins weigh where colours are counted in several frames, or rare ones
 * attract nothing. Not for users of palette.h. */
#pragma once

#include "bins.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteBinWindow GpuPaletteBinWindow;

/* Whether @settings ask for that. */
gboolean gpu_palette_bin_window_is_wanted (const GpuPaletteSettings *
    settings);

/* Kernels and memory of @device for frames of @format. Counting adds to @changed, a struct
 * PaletteChanged of the caller's. NULL with @error set on failure. */
GpuPaletteBinWindow *gpu_palette_bin_window_new (GpuDevice * device,
    const GpuPaletteFormat * format, GpuBuffer * changed, GError ** error);
void gpu_palette_bin_window_free (GpuPaletteBinWindow * window);

/* Bytes of its buffers. */
gsize gpu_palette_bin_window_get_memory (GpuPaletteBinWindow * window);

/* No frame is counted any more. */
void gpu_palette_bin_window_forget (GpuPaletteBinWindow * window);

/* Nor is it wanted, for now: the memory of all frames but one is given back. */
void gpu_palette_bin_window_empty (GpuPaletteBinWindow * window);

/* Records what comes before pixels are marked. @has_frame: their colours are still
 * those of the frame before, which belongs to the window. */
gboolean gpu_palette_bin_window_begin (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrameInfo * info,
    gboolean has_frame, GError ** error);

/* Records what comes when they are: counts their colours, and occupies the bins
 * of all in the window. */
gboolean gpu_palette_bin_window_mark (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins, const GpuFrameInfo * info,
    GError ** error);

/* Records what adds the window's colours to their bins, which have places. */
gboolean gpu_palette_bin_window_weigh (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error);

G_END_DECLS
