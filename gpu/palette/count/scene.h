/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance by block of a frame, and what ends a scene: docs/internals/temporal.md. Not
 * for users of palette.h. */
#pragma once

#include "gpu/palette/shared/pixels.h"

G_BEGIN_DECLS

/* How frames are cut into blocks. */
typedef struct
{
  guint shift;                  /* log2 of their side */
  guint columns, rows;
} GpuPaletteLumaBlocks;

GpuPaletteLumaBlocks gpu_palette_luma_blocks (guint width, guint height);

/* Whether there are cuts with @settings. */
gboolean gpu_palette_scenes_end (const GpuPaletteSettings * settings);

/* Differences of all blocks that a cut exceeds; 0: there are none. */
guint gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPaletteLumaBlocks * blocks);

/* Of frames that are counted together. */
typedef struct
{
  GpuKernel *luma, *cut;
  GpuBuffer *state;             /* struct Scene */
} GpuPaletteScene;

/* A zeroed @scene, with @luma, of scene_light.comp, which looks at frames;
 * gpu_palette_scene_clear() also after failure. */
gboolean gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    GpuKernel * luma, GError ** error);
void gpu_palette_scene_clear (GpuPaletteScene * scene);

/* Records what tells @blocks, a struct PaletteBlocks, whether another scene begins
 * with frame @in, of which @luma makes colours; @before: numbers of the colours of
 * the frame before, of which @pixels says that they are binding 1. */
gboolean gpu_palette_scene_look (GpuPaletteScene * scene,
    GpuPaletteRun * run, GpuBuffer * in, const GpuPalettePixels * pixels,
    GpuBuffer * before, GpuBuffer * blocks, GError ** error);

G_END_DECLS
