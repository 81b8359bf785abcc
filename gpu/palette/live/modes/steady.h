/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes that are kept from frame to frame, and which of them every pixel
 * holds: docs/steady.md. Not for users of palette.h. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "gpu/palette/shared/pixels.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteSteady GpuPaletteSteady;

/* Kernels and memory for frames of @format. NULL with @error set on failure. */
GpuPaletteSteady *gpu_palette_steady_new (const GpuPaletteFormat * format,
    GError ** error);
gboolean gpu_palette_steady_set_format (GpuPaletteSteady * steady,
    const GpuPaletteFormat * format, GError ** error);
void gpu_palette_steady_free (GpuPaletteSteady * steady);

/* Bytes of its buffers. */
gsize gpu_palette_steady_get_memory (GpuPaletteSteady * steady);

/* Makes what the first frame with @settings would make. */
gboolean gpu_palette_steady_prepare (GpuPaletteSteady * steady,
    const GpuPaletteSettings * settings, GError ** error);

/* In the next frame no pixel holds a mode. */
void gpu_palette_steady_release (GpuPaletteSteady * steady);

/* Nor are there any. */
void gpu_palette_steady_forget (GpuPaletteSteady * steady);

/* Fills what @live is told of the frame at hand, before anything is recorded. */
void gpu_palette_steady_begin (GpuPaletteSteady * steady, GpuPaletteRun * run,
    struct LiveState *live);

/* Records what follows the ways uphill: by pixel, the mode that it holds. */
gboolean gpu_palette_steady_update (GpuPaletteSteady * steady,
    GpuPaletteRun * run, GpuPaletteBins * bins, GError ** error);

/* Records what makes @out of @in, behind gpu_palette_steady_update(). */
gboolean gpu_palette_steady_apply (GpuPaletteSteady * steady,
    GpuPaletteRun * run, const GpuFrame * in, const GpuFrame * out,
    GError ** error);

G_END_DECLS
