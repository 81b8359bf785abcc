/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What goes on from frame to frame, as the host knows it: docs/internals/temporal.md.
 * Not for users of palette.h. */
#pragma once

#include "gpu/palette/live/bins.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

/* A zeroed one with @begins_from BEGINS_FROM_NOTHING is at its beginning. */
typedef struct
{
  guint begins_from;            /* of the next frame */
  guint n_frames;               /* since it began with nothing */
  guint64 since_update;         /* ns, of a palette that is held */
  guint limit;                  /* of modes, 0: none */
  gboolean keeps_radius;        /* with it */
  GpuPaletteGiven given;        /* the palette */
  gboolean is_held;             /* the palette, in the frame at hand */
} GpuPaletteContinuity;

/* Whether @settings keep anything from frame to frame, give a palette, or want to
 * know of modes. */
gboolean gpu_palette_continuity_is_wanted (const GpuPaletteSettings * settings);

/* In the next frame no pixel holds a mode. */
void gpu_palette_continuity_release (GpuPaletteContinuity * continuity);

/* Of the frame at hand. TRUE: @settings give another palette, whose colours are to
 * become the modes. */
gboolean gpu_palette_continuity_take_settings (GpuPaletteContinuity *
    continuity, const GpuPaletteSettings * settings);

/* Fills @frame, whose size is known, but for modes_per_slice. Once for each frame. */
void gpu_palette_continuity_fill (GpuPaletteContinuity * continuity,
    const GpuPaletteContext * context, const struct LiveState *live,
    TemporalFrame * frame);

G_END_DECLS
