/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance by block of a frame, and what ends a scene: docs/internals/temporal.md. Not
 * for users of palette.h. */
#pragma once

#include "gpu/core/compute/pixels.h"
#include "gpu/palette/format.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

/* How frames are cut into blocks. */
GpuPixelBlocks gpu_palette_luma_blocks (guint width, guint height);

/* Whether there are cuts with @settings. */
gboolean gpu_palette_scenes_end (const GpuPaletteSettings * settings);

/* Differences of all blocks that a cut exceeds; 0: there are none. */
guint gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPixelBlocks * blocks);

/* Of frames that are counted together. */
typedef struct
{
  GpuKernel *luma;              /* of scene_luma.comp: looks at frames */
  GpuKernel *cut;
  GpuBuffer *state;             /* struct Scene */
  GpuBuffer *blocks;            /* struct PaletteBlocks; not referenced */
} GpuPaletteScene;

/* A zeroed @scene but for luma, which the caller sets; gpu_palette_scene_clear() also
 * after failure. @blocks has its place for as long. */
gboolean gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    GpuBuffer * blocks, GError ** error);
void gpu_palette_scene_clear (GpuPaletteScene * scene);

/* Records what tells the blocks whether another scene begins with frame @in, of which
 * the luma kernel makes colours; @before: numbers of the colours of the frame before,
 * of which @pixels says that they are binding 1. */
gboolean gpu_palette_scene_look (GpuPaletteScene * scene,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    GpuBuffer * before, GError ** error);

G_END_DECLS
