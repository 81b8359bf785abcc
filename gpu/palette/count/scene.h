/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Block luma of frames, and detection of scene cuts: docs/internals/temporal.md.
 * Internal to gpu/palette/. */
#pragma once

#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

/* Returns the luma blocks of frames of @width x @height pixels. */
GpuPixelBlocks gpu_palette_luma_blocks (guint width, guint height);

/* Returns whether @settings enable scene cuts. */
gboolean gpu_palette_scenes_end (const GpuPaletteSettings * settings);

/* Returns the threshold of a scene cut: the sum of the differences in luma of all
 * blocks, in 256ths of a code value, must exceed it. 0: no cuts. */
guint gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPixelBlocks * blocks);

/* Detects scene cuts in a window. */
typedef struct
{
  GpuKernel *luma;              /* scene_luma.comp, for the format of frames */
  GpuKernel *cut;
  GpuBuffer *state;             /* struct Scene */
  GpuBuffer *blocks;            /* struct PaletteBlocks; not referenced */
} GpuPaletteScene;

/* Initializes a @scene that is zeroed except luma, which the caller sets. FALSE with
 * @error set on failure; call gpu_palette_scene_clear() in either case. @blocks must
 * stay valid until then. */
gboolean gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    GpuBuffer * blocks, GError ** error);
void gpu_palette_scene_clear (GpuPaletteScene * scene);

/* Records the detection of a scene cut between the frame before and @in; the result is
 * in the blocks. @before: colours of the frame before, as numbers (numbers.glsl), a word
 * for each pixel. @pixels describes @in, and @before as binding 1. FALSE with @error set
 * on failure. */
void gpu_palette_scene_look (GpuPaletteScene * scene,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    GpuBuffer * before);

G_END_DECLS
