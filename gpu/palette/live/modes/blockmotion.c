/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blockmotion.h"
#include "gpu/palette/shared/arrays.h"
#include "shaders.h"

gboolean
gpu_palette_block_motion_init (GpuPaletteBlockMotion * motion,
    GpuDevice * device, const GpuPaletteContinuity * continuity,
    GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&motion->luma, &gpu_shader_palette_temporal_luma},
    {&motion->unrest, &gpu_shader_palette_temporal_unrest},
  };
  const GpuPaletteArray state = {
    &motion->state, sizeof (struct Motion) / 4, "palette state of motion"
  };

  motion->device = device;
  motion->continuity = continuity;
  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error)
      && gpu_palette_make_arrays (device, &state, 1, NULL, error);
}

void
gpu_palette_block_motion_clear (GpuPaletteBlockMotion * motion)
{
  g_clear_pointer (&motion->state, gpu_buffer_unref);
}

gboolean
gpu_palette_block_motion_request_second (GpuPaletteBlockMotion * motion,
    GpuKernelUrgency urgency, GError ** error)
{
  /* Every thread repeats what is the same for the whole block, which costs CPU devices
   * most. */
  const guint32 threads = gpu_device_is_slow (motion->device) ? 16 : 64;
  const GpuKernelWanted kernels[] = {
    {&motion->search, &gpu_shader_palette_motion_search, &threads, 1},
    {&motion->match, &gpu_shader_palette_motion_match, &threads, 1},
    {&motion->measure, &gpu_shader_palette_motion_measure, &threads, 1},
  };

  return gpu_kernels_request (motion->device, kernels, G_N_ELEMENTS (kernels),
      urgency, error);
}

guint
gpu_palette_block_motion_get_reach (const GpuPaletteBlockMotion * motion)
{
  return motion->continuity->follows_motion ? motion->farthest : 0;
}

void
gpu_palette_block_motion_begin (GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, const TemporalFrame * frame,
    struct LiveState *live)
{
  const guint n = frame->blocks.columns * frame->blocks.rows * 256;
  const GpuSlicerItems items = {
    .most = n,
    .bound = n,
    .work = motion->luma,
  };

  motion->farthest = FARTHEST (frame->blocks.shift);
  motion->items = items;
  motion->items.rows = (GpuRowBinding) {
    .width = frame->width,
    .height = frame->height,
    .items = 256 * frame->blocks.columns,
    .step = 1 << frame->blocks.shift,
    .halo = gpu_palette_block_motion_get_reach (motion),
  };
  gpu_slicer_choose_slice (&context->slicer, &motion->items);
  live->luma_pixels = motion->items.most;
  live->luma_pixels_per_slice = motion->items.slice;
  gpu_stream_write (context->slicer.stream, motion->state, 0, frame,
      sizeof *frame);
}

/* Records @dispatch over the samples of blocks. @arrays: bit i: binding i has a word for
 * each pixel. */
static void
run_over_blocks (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuDispatch * dispatch, guint arrays)
{
  GpuSlicerItems items = motion->items;

  gpu_stream_stage (context->slicer.stream, "palette-motion");
  items.work = dispatch->kernel;
  items.rows.arrays = arrays;
  gpu_palette_bins_run (bins, context, dispatch, &items,
      GPU_PALETTE_BINS_GROUPS (luma));
}

void
gpu_palette_block_motion_look_at_luma (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  const GpuDispatch luma = {
    .kernel = motion->luma,
    .buffers = {
      [PALETTE_TEMPORAL_LUMA_STATE] = motion->state,
      [PALETTE_TEMPORAL_LUMA_COLOURS] = gpu_palette_bins_get_colours (bins),
    },
  };

  run_over_blocks (motion, context, bins, &luma,
      1 << PALETTE_TEMPORAL_LUMA_COLOURS);
}

/* Records @kernel, which compares blocks with the frame before. */
static void
compare_blocks (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuKernel * kernel)
{
  const GpuDispatch compare = {
    .kernel = kernel,
    .buffers = {
      [PALETTE_MOTION_SEARCH_STATE] = motion->state,
      [PALETTE_MOTION_SEARCH_COLOURS] = gpu_palette_bins_get_colours (bins),
      [PALETTE_MOTION_SEARCH_COLOURS_BEFORE] =
          gpu_palette_bins_get_colours_before (bins),
    },
  };

  run_over_blocks (motion, context, bins, &compare,
      1 << PALETTE_MOTION_SEARCH_COLOURS
      | 1 << PALETTE_MOTION_SEARCH_COLOURS_BEFORE);
}

void
gpu_palette_block_motion_search (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  if (motion->continuity->follows_motion)
    compare_blocks (motion, context, bins, motion->search);
}

void
gpu_palette_block_motion_match (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  if (motion->continuity->follows_motion)
    compare_blocks (motion, context, bins, motion->match);
}

void
gpu_palette_block_motion_measure (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  if (motion->continuity->has_frame_before)
    compare_blocks (motion, context, bins, motion->measure);
}

void
gpu_palette_block_motion_find_unrest (const GpuPaletteBlockMotion * motion,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  const GpuDispatch unrest = {
    .kernel = motion->unrest,
    .buffers = {
      [PALETTE_TEMPORAL_UNREST_STATE] = motion->state,
    },
  };

  gpu_stream_stage (context->slicer.stream, "palette-motion");
  gpu_palette_bins_alone (bins, context, &unrest);
}
