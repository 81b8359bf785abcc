/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes of a limited number: docs/internals/temporal.md, "A number of colours". Not for
 * users of palette.h. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *summits, *weigh, *distances, *farthest, *assign, *gather, *renew;
} GpuPaletteColourLimit;

/* Kernels, where there are none yet. */
gboolean gpu_palette_colour_limit_init (GpuPaletteColourLimit * limit, GpuDevice * device,
    GError ** error);

/* What else there is to @frame->limit.most, with bins of @live. */
void gpu_palette_colour_limit_fill (TemporalFrame *frame,
    const struct LiveState *live, const GpuPaletteSettings * settings);

/* Records what gives every summit a mode of @modes, behind those that stand there
 * already. */
gboolean gpu_palette_colour_limit_assign (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error);

/* Records what makes modes ready for the next frame, behind the pixels' choice. */
gboolean gpu_palette_colour_limit_renew (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error);

G_END_DECLS
