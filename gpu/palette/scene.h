/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance by block of a frame, and what ends a scene: docs/steady.md. Not for
 * users of palette.h. */
#pragma once

#include "run.h"

G_BEGIN_DECLS

/* How frames are cut into blocks. */
typedef struct
{
  guint shift;                  /* log2 of their side */
  guint columns, rows;
} GpuPaletteLightBlocks;

GpuPaletteLightBlocks gpu_palette_light_blocks (guint width, guint height);

/* Differences of all blocks that a cut exceeds; 0: there is none. */
guint gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPaletteLightBlocks * blocks);

/* Of frames that are counted together. */
typedef struct
{
  guint width, height;
  GpuKernel *light, *cut;
  GpuBuffer *state;             /* struct Scene */
} GpuPaletteScene;

/* A zeroed @scene; gpu_palette_scene_clear() also after failure. */
gboolean gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    guint width, guint height, GError ** error);
void gpu_palette_scene_clear (GpuPaletteScene * scene);

/* Records what looks at a frame's @colours, and tells @blocks, a struct
 * PaletteBlocks, where a scene ends with it. @goes_on: there was a frame before. */
void gpu_palette_scene_look (GpuPaletteScene * scene, GpuPaletteRun * run,
    GpuBuffer * colours, GpuBuffer * blocks, gboolean goes_on);

G_END_DECLS
