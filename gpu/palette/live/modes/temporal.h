/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes that are kept from frame to frame, and which of them every pixel
 * holds: docs/internals/temporal.md. Not for users of palette.h. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTemporal GpuPaletteTemporal;

/* Kernels and memory of @device, which is not referenced, for frames of @format. NULL
 * with @error set on failure. */
GpuPaletteTemporal *gpu_palette_temporal_new (GpuDevice * device,
    const GpuPaletteFormat * format, GError ** error);
gboolean gpu_palette_temporal_set_format (GpuPaletteTemporal * temporal,
    const GpuPaletteFormat * format, GError ** error);
void gpu_palette_temporal_free (GpuPaletteTemporal * temporal);

/* Bytes of its buffers. */
gsize gpu_palette_temporal_get_memory (GpuPaletteTemporal * temporal);

/* Makes what the first frame with @settings would make. */
gboolean gpu_palette_temporal_prepare (GpuPaletteTemporal * temporal,
    const GpuPaletteSettings * settings, GError ** error);

/* In the next frame no pixel holds a mode. */
void gpu_palette_temporal_release (GpuPaletteTemporal * temporal);

/* Nor are there any. */
void gpu_palette_temporal_forget (GpuPaletteTemporal * temporal);

/* Fills what @live is told of the frame at hand, before anything is recorded. */
void gpu_palette_temporal_begin (GpuPaletteTemporal * temporal, GpuPaletteContext * context,
    struct LiveState *live);

/* Records, once summits are known: the mode of each pixel. */
gboolean gpu_palette_temporal_update (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, GpuPaletteBins * bins, GError ** error);

/* Records what makes @out of @in, behind gpu_palette_temporal_update(). */
gboolean gpu_palette_temporal_apply (GpuPaletteTemporal * temporal,
    GpuPaletteContext * context, const GpuFrame * in, const GpuFrame * out,
    GError ** error);

G_END_DECLS
