/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where blocks of a frame were in the frame before, and how much pixels changed along that:
 * docs/internals/temporal.md. Internal to gpu/palette/. */
#pragma once

#include "continuity.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  const GpuPaletteContinuity *continuity;       /* not owned */
  GpuKernel *luma, *search, *match, *measure, *unrest;
  GpuBuffer *state;             /* struct Motion */

  /* For the frame in progress. */
  GpuSlicerItems items;         /* samples of blocks */
  guint farthest;               /* that blocks may come from, in pixels */
} GpuPaletteBlockMotion;

/* Makes the buffer, and requests the kernels of the first frame. @motion must be zeroed;
 * @continuity, of the frame in progress, must live as long. FALSE with @error set on
 * failure; the caller must then still clear @motion. */
gboolean gpu_palette_block_motion_init (GpuPaletteBlockMotion * motion,
    GpuDevice * device, const GpuPaletteContinuity * continuity,
    GError ** error);
void gpu_palette_block_motion_clear (GpuPaletteBlockMotion * motion);

/* Requests the kernels of frames that have one before. Errors: those of
 * gpu_kernel_request(). */
gboolean gpu_palette_block_motion_request_second (GpuPaletteBlockMotion *
    motion, GpuKernelUrgency urgency, GError ** error);

/* Begins a frame: sets the members luma_pixels and luma_pixels_per_slice of @live, and
 * records the write of @frame, which must be complete, to the buffer. */
void gpu_palette_block_motion_begin (GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, const TemporalFrame * frame,
    struct LiveState *live);

/* Returns how far blocks of the frame in progress may come from, in pixels in either
 * direction. */
guint gpu_palette_block_motion_get_reach (const GpuPaletteBlockMotion * motion);

/* Record the steps, in this order, each beside the dispatch before it, which must not need
 * its result: the luma of blocks; after the change of light is known, a search by some
 * blocks; the vector of every block, found and chosen; how firmly pixels hold their modes.
 * What the frame in progress does not need is left out. FALSE with @error set on failure. */
void gpu_palette_block_motion_look_at_luma (const GpuPaletteBlockMotion *
    motion, GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_block_motion_search (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_block_motion_match (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_block_motion_measure (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins);
void gpu_palette_block_motion_find_unrest (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins);

G_END_DECLS
