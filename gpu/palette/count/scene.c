/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scene.h"
#include "shaders.h"
#include "shaders/palette/count/luma.h"

#include <math.h>

#define CODE 256                /* luma of a code value */

static guint
blocks_along (guint size, guint shift)
{
  return ((size - 1) >> shift) + 1;
}

GpuPixelBlocks
gpu_palette_luma_blocks (guint width, guint height)
{
  guint shift = LUMA_SHIFT;

  while (blocks_along (MAX (width, height), shift) > LUMA_COLUMNS)
    shift++;
  return (GpuPixelBlocks) {
    shift, blocks_along (width, shift), blocks_along (height, shift),
  };
}

static guint
threshold_of (const GpuPaletteSettings * settings)
{
  return floor (settings->counting.scene_cut_threshold * 255 * CODE + 0.5);
}

gboolean
gpu_palette_scenes_end (const GpuPaletteSettings * settings)
{
  return threshold_of (settings) > 0;
}

guint
gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPixelBlocks * blocks)
{
  return threshold_of (settings) * blocks->columns * blocks->rows;
}

gboolean
gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    GpuBuffer * blocks, GError ** error)
{
  scene->blocks = blocks;
  scene->cut =
      gpu_kernel_request (device, &gpu_shader_palette_scene_cut, NULL, 0,
      GPU_KERNEL_SOON, error);
  if (!scene->cut)
    return FALSE;
  scene->state = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof (struct Scene), "palette scene", error);
  return scene->state != NULL;
}

void
gpu_palette_scene_clear (GpuPaletteScene * scene)
{
  g_clear_pointer (&scene->state, gpu_buffer_unref);
}

static void
write_state (GpuPaletteScene * scene, GpuPaletteContext * context,
    const GpuPixelBlocks * blocks)
{
  const struct Scene state = {
    .block_shift = blocks->shift,
    .columns = blocks->columns,
    .rows = blocks->rows,
    .cut_sum = gpu_palette_cut_sum (context->settings, blocks)
  };

  gpu_stream_write (context->slicer.stream, scene->state, 0, &state,
      offsetof (struct Scene, luma));
}

void
gpu_palette_scene_look (GpuPaletteScene * scene, GpuPaletteContext * context,
    GpuBuffer * in, const GpuPixelsBound * pixels, GpuBuffer * before)
{
  GpuPixelBlocks blocks =
      gpu_palette_luma_blocks (pixels->in->width, pixels->in->height);
  const GpuDispatch luma = {
    .kernel = scene->luma,
    .buffers = {
      [PALETTE_SCENE_LUMA_FRAME] = in,
      [PALETTE_SCENE_LUMA_NUMBERS] = before,
      [PALETTE_SCENE_LUMA_STATE] = scene->state,
    },
  };
  const GpuDispatch cut = {
    .kernel = scene->cut,
    .buffers = {
      [PALETTE_SCENE_CUT_STATE] = scene->state,
      [PALETTE_SCENE_CUT_BLOCKS] = scene->blocks,
    },
  };

  write_state (scene, context, &blocks);
  gpu_pixels_run_over_blocks (&context->slicer, &luma, pixels, &blocks);
  gpu_stream_dispatch (context->slicer.stream, &cut, 1, 1, 1);
}
