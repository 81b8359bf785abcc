/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes with a limit of their number: docs/internals/temporal.md, "A number of colours".
 * Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *summits, *weigh, *farthest, *centre, *assign, *sum, *renew;
} GpuPaletteColourLimit;

/* Requests the kernels. Errors: those of gpu_kernel_request(). */
gboolean gpu_palette_colour_limit_request (GpuPaletteColourLimit * limit,
    GpuDevice * device, GpuKernelUrgency urgency, GError ** error);

/* Sets the members of @frame that depend on the limit and on the bins of @live: the rest
 * of limit, and the margin of hysteresis. @frame->limit.most must be set. */
void gpu_palette_colour_limit_fill (TemporalFrame *frame,
    const struct LiveState *live, const GpuPaletteSettings * settings);

typedef struct
{
  GpuBuffer *state;             /* struct Temporal */
  GpuBuffer *motion;            /* struct Motion */
  GpuBuffer *modes;             /* struct TemporalMode, by slot */
  GpuBuffer *sums;              /* struct ModeSums */
  GpuBuffer *in_use;            /* bitmap of the slots of modes that pixels hold */
} GpuPaletteModeBuffers;

/* Record the first two steps of the assignment of a mode to every bin: the list of summits,
 * their weights and their distances to modes. FALSE with @error set on failure. */
void gpu_palette_colour_limit_begin (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers);
void gpu_palette_colour_limit_weigh (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers);

/* Records the rest of it; summits become modes in free slots. FALSE with @error set on
 * failure. */
void gpu_palette_colour_limit_assign (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers);

/* Records the sums over bins that gpu_palette_colour_limit_renew() needs. Pixels may choose
 * their modes at the same time. FALSE with @error set on failure. */
void gpu_palette_colour_limit_sum (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers);

/* Records the update of modes for the next frame, after pixels have chosen theirs. */
void gpu_palette_colour_limit_renew (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers);

G_END_DECLS
