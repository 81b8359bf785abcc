/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scene.h"
#include "shaders.h"
#include "shaders/palette/count/luma.h"

#include <math.h>

#define CODE 256                /* of luminance */

static guint
blocks_along (guint size, guint shift)
{
  return ((size - 1) >> shift) + 1;
}

GpuPaletteLumaBlocks
gpu_palette_luma_blocks (guint width, guint height)
{
  guint shift = LUMA_SHIFT;

  while (blocks_along (MAX (width, height), shift) > LUMA_COLUMNS)
    shift++;
  return (GpuPaletteLumaBlocks) {
  shift, blocks_along (width, shift), blocks_along (height, shift)};
}

static guint
threshold_of (const GpuPaletteSettings * settings)
{
  return floor (settings->scene_cut_threshold * 255 * CODE + 0.5);
}

gboolean
gpu_palette_scenes_end (const GpuPaletteSettings * settings)
{
  return threshold_of (settings) > 0;
}

guint
gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPaletteLumaBlocks * blocks)
{
  return threshold_of (settings) * blocks->columns * blocks->rows;
}

gboolean
gpu_palette_scene_init (GpuPaletteScene * scene, GpuDevice * device,
    GpuKernel * luma, GError ** error)
{
  scene->luma = luma;
  scene->cut = gpu_kernel_get (device, &gpu_shader_palette_scene_cut, NULL, 0,
      error);
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

gboolean
gpu_palette_scene_look (GpuPaletteScene * scene, GpuPaletteRun * run,
    GpuBuffer * in, const GpuPalettePixels * pixels, GpuBuffer * before,
    GpuBuffer * blocks, GError ** error)
{
  GpuPaletteLumaBlocks luma =
      gpu_palette_luma_blocks (pixels->in->width, pixels->in->height);
  const struct Scene state = {
    .block_shift = luma.shift,
    .columns = luma.columns,
    .rows = luma.rows,
    .cut_sum = gpu_palette_cut_sum (run->settings, &luma)
  };
  GpuBuffer *of_luma[] = { in, before, scene->state };
  GpuBuffer *of_cut[] = { scene->state, blocks };

  gpu_stream_barrier (run->stream);
  gpu_stream_write (run->stream, scene->state, 0, &state,
      offsetof (struct Scene, luma));
  gpu_stream_barrier (run->stream);
  if (!gpu_palette_run_over_blocks (run, scene->luma, of_luma,
          G_N_ELEMENTS (of_luma), pixels, luma.columns, luma.rows,
          luma.shift, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, scene->cut, of_cut, G_N_ELEMENTS (of_cut),
      NULL, 0, 1, 1, 1);
  return TRUE;
}
