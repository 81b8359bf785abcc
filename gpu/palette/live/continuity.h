/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The state of modes that the host keeps from frame to frame:
 * docs/internals/temporal.md. Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/shared/context.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

/* Initial state: zeroed, with @begins_from BEGINS_FROM_NOTHING. */
typedef struct
{
  guint begins_from;            /* BEGINS_FROM_…, for the next frame */
  guint n_frames;               /* frames since BEGINS_FROM_NOTHING */
  guint64 since_update;         /* duration of the held frames since modes last
                                   moved, in ns */
  guint limit;                  /* most modes; 0: no limit */
  gboolean keeps_radius;        /* GpuPaletteMaking.keeps_radius */
  gdouble chroma;
  GpuPaletteGiven given;        /* the given palette */
  gboolean is_held;             /* the frame in progress is held */
  gboolean has_modes;           /* it begins with modes */
  gboolean has_frame_before;    /* its pixels are compared with those of the frame before */
  gboolean follows_motion;      /* its blocks may come from other places */
} GpuPaletteContinuity;

/* Returns whether @settings require modes: to keep them from frame to frame, to use a
 * given palette, or to count their pixels. */
gboolean gpu_palette_continuity_is_wanted (const GpuPaletteSettings * settings);

/* Keeps modes, but in the next frame no pixel holds one. */
void gpu_palette_continuity_release (GpuPaletteContinuity * continuity);

/* Applies the @settings of the frame in progress. TRUE: they give another palette, whose
 * colours the caller must write as the modes. */
gboolean gpu_palette_continuity_take_settings (GpuPaletteContinuity *
    continuity, const GpuPaletteSettings * settings);

/* Sets rest_step of @live, and all members of @frame except width, height and
 * modes_per_slice. The caller has set the width and height of @frame and the grid of @live.
 * Call once for each frame. */
void gpu_palette_continuity_fill (GpuPaletteContinuity * continuity,
    const GpuPaletteContext * context, struct LiveState *live,
    TemporalFrame * frame);

G_END_DECLS
