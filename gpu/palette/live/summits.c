/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "summits.h"
#include "shaders.h"
#include "shaders/palette/shared/pixels.h"
#include "gpu/core/rounding.h"

/* Returns whether two sums of a bin can be added as one number of 64 bits. The first one is
 * then its low half, and comes first in memory. */
static gboolean
adds_pairs (const GpuPaletteBins * bins)
{
  return gpu_device_get_info (bins->device)->has_atomic_int64
      && G_BYTE_ORDER == G_LITTLE_ENDIAN && !gpu_palette_bins_are_wide (bins);
}

gboolean
gpu_palette_summits_init (GpuPaletteSummits * summits,
    const GpuPaletteBins * bins, GError ** error)
{
  GpuDevice *device = bins->device;
  const gboolean in_pairs = adds_pairs (bins);
  const guint32 weigh[] = {
    !gpu_device_is_slow (device), gpu_palette_bins_are_wide (bins)
  };
  const guint32 of_words = gpu_palette_bins_words_per_thread (device);
  const GpuKernelWanted kernels[] = {
    {&summits->merge, &gpu_shader_palette_bin_merge, &of_words, 1},
    {&summits->list, &gpu_shader_palette_bin_list, &of_words, 1},
    {&summits->density, &gpu_shader_palette_bin_density},
    {&summits->climb, &gpu_shader_palette_bin_climb},
    {&summits->weigh, in_pairs ? &gpu_shader_palette_bin_weigh_pairs
          : &gpu_shader_palette_bin_weigh, weigh, in_pairs ? 1 : 2},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error)
      && gpu_palette_summits_request_colour (summits, bins, GPU_KERNEL_LATER,
      error);
}

gboolean
gpu_palette_summits_request_colour (GpuPaletteSummits * summits,
    const GpuPaletteBins * bins, GpuKernelUrgency urgency, GError ** error)
{
  const GpuKernelWanted colour = {
    &summits->colour, &gpu_shader_palette_bin_colour
  };

  return gpu_kernels_request (bins->device, &colour, 1, urgency, error);
}

/* --- a frame --- */

/* Either all pixels and words are processed or none, so their number is exact; the
 * number of bins is estimated from an earlier frame (bins->bound). */
void
gpu_palette_summits_choose_slices (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, guint n_words)
{
  const GpuRowBinding rows = {
    .width = bins->width,
    .height = bins->height,
    .items = DIV_UP (bins->width, TILE_SIDE) * 256,
    .step = TILE_SIDE,
  };
  const guint n_tiles = rows.items * DIV_UP (bins->height, TILE_SIDE);
  const guint n = gpu_palette_bins_words_per_thread (bins->device);

  bins->pixel_rows =
      gpu_row_binding_of_array (bins->n_words, PIXELS_PER_THREAD, 0);
  bins->of_tiles = (GpuSlicerItems) {
    .most = n_tiles,
    .bound = n_tiles,
    .work = summits->weigh,
    .units = 8,
    .rows = rows,
  };
  bins->of_words = (GpuSlicerItems) {
    .most = DIV_UP (n_words, n),
    .bound = DIV_UP (n_words, n),
    .work = summits->list,
  };
  bins->of_bins = (GpuSlicerItems) {
    .most = bins->most,
    .bound = bins->bound,
    .work = summits->density,
  };
  gpu_slicer_choose_slice (&context->slicer, &bins->of_tiles);
  gpu_slicer_choose_slice (&context->slicer, &bins->of_words);
  gpu_slicer_choose_slice (&context->slicer, &bins->of_bins);
}

static void
over_words (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch)
{
  gpu_palette_bins_run (bins, context, dispatch, &bins->of_words,
      GPU_PALETTE_BINS_GROUPS (word));
}

/* Records the merging of bins, if the frame can have too many. Not paced, as few frames
 * have so many bins. */
static void
merge_bins (const GpuPaletteSummits * summits, GpuPaletteBins * bins,
    GpuPaletteContext * context)
{
  GpuSlicerItems words = bins->of_words;
  const GpuDispatch merge = {
    .kernel = summits->merge,
    .push = &(GpuPaletteBinMergePush) {0},
  };

  if (!bins->may_merge)
    return;
  words.bound = 0;
  gpu_palette_bins_run (bins, context, &merge, &words,
      GPU_PALETTE_BINS_GROUPS (merge));
}

void
gpu_palette_summits_list (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, guint begins_with)
{
  const GpuDispatch list = {
    .kernel = summits->list,
    .buffers = {
      [PALETTE_BIN_LIST_LIST] = bins->bin_list,
      [PALETTE_BIN_LIST_SUMS] = bins->sums,
      [PALETTE_BIN_LIST_CARRIES] = bins->carries,
      [PALETTE_BIN_LIST_BEGUN] = bins->homes,
    },
    .push = &(GpuPaletteBinListPush) {.begins_with = begins_with},
  };

  gpu_stream_stage (context->slicer.stream, "palette-bins");
  merge_bins (summits, bins, context);
  over_words (bins, context, &list);
}

void
gpu_palette_summits_weigh (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context)
{
  GpuSlicerItems tiles = bins->of_tiles;
  const GpuDispatch weigh = {
    .kernel = summits->weigh,
    .buffers = {
      [PALETTE_BIN_WEIGH_COLOURS] = gpu_palette_bins_get_colours (bins),
      [PALETTE_BIN_WEIGH_PIXEL_BINS] = bins->pixel_bins,
      [PALETTE_BIN_WEIGH_SUMS] = bins->sums,
      [PALETTE_BIN_WEIGH_CARRIES] = bins->carries,
    },
  };

  tiles.rows.arrays =
      1 << PALETTE_BIN_WEIGH_COLOURS | 1 << PALETTE_BIN_WEIGH_PIXEL_BINS;
  gpu_palette_bins_run (bins, context, &weigh, &tiles,
      GPU_PALETTE_BINS_GROUPS (tile));
}

void
gpu_palette_summits_estimate (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context)
{
  const GpuDispatch density = {
    .kernel = summits->density,
    .buffers = {
      [PALETTE_BIN_DENSITY_LIST] = bins->bin_list,
      [PALETTE_BIN_DENSITY_SUMS] = bins->sums,
      [PALETTE_BIN_DENSITY_DENSITIES] = bins->densities,
    },
  };

  gpu_stream_stage (context->slicer.stream, "palette-climb");
  gpu_palette_bins_over_bins (bins, context, &density);
}

void
gpu_palette_summits_climb (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context, gboolean counts_colours)
{
  const GpuDispatch climb = {
    .kernel = summits->climb,
    .buffers = {
      [PALETTE_BIN_CLIMB_LIST] = bins->bin_list,
      [PALETTE_BIN_CLIMB_DENSITIES] = bins->densities,
      [PALETTE_BIN_CLIMB_UPHILL] = bins->uphill,
      [PALETTE_BIN_CLIMB_SUMS] = bins->sums,
      [PALETTE_BIN_CLIMB_CARRIES] = bins->carries,
      [PALETTE_BIN_CLIMB_SEEN] = bins->seen,
    },
    .push = &(GpuPaletteBinClimbPush) {.counts_colours = counts_colours},
  };

  gpu_stream_stage (context->slicer.stream, "palette-climb");
  gpu_palette_bins_over_bins (bins, context, &climb);
}

void
gpu_palette_summits_colour (const GpuPaletteSummits * summits,
    GpuPaletteBins * bins, GpuPaletteContext * context)
{
  const GpuDispatch colour = {
    .kernel = summits->colour,
    .buffers = {
      [PALETTE_BIN_COLOUR_UPHILL] = bins->uphill,
      [PALETTE_BIN_COLOUR_SUMS] = bins->sums,
      [PALETTE_BIN_COLOUR_CARRIES] = bins->carries,
      [PALETTE_BIN_COLOUR_RESULTS] = bins->results,
      [PALETTE_BIN_COLOUR_SEEN] = bins->seen,
    },
  };

  gpu_palette_bins_over_bins (bins, context, &colour);
}
