/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grid of bins, and the steps that find the summit of every bin. */
#include "live.h"
#include "shaders.h"
#include "gpu/core/rounding.h"
#include "shaders/palette/shared/pixels.h"

/* --- the grid --- */

/* The gamut has the same volume with any chroma, but sides are rounded up, which makes up
 * to 3.2 % more bins than with chroma 1. */
#define WITH_ANY_CHROMA(words) ((words) + (words) / 16)

/* The whole gamut is in at most so many bins, with any chroma, if the side of bins is at
 * least this, in units of the finest lattice: that of radius 0.02. Counted for that side,
 * chromas of 0.5 to 3 and transfer functions of sRGB, BT.709, and powers of 2.2 and 2.8:
 * fewer than 199 000. */
#define FINEST_SHIFT 16
#define BOUNDED_SIDE 437
#define MOST_BOUNDED_BINS 262144

/* Rounds @n up so that every level can halve it. */
static guint
up_to_whole_levels (guint n)
{
  return ROUND_UP (n, 1u << (BIN_LEVELS - 1));
}

/* Returns the number of bins along an axis; sets @before to the number of bins before
 * the one that has 0 in its middle. */
static guint
side_of (const GpuPaletteGamut * gamut, guint axis, guint pitch, guint * before)
{
  guint below = gamut->below_zero[axis];
  guint above = gamut->extent[axis] - below;
  guint reach = BIN_REACH << (BIN_LEVELS - 1);

  /* One more on either side, as lattice points are rounded. */
  *before = up_to_whole_levels (reach + (below + pitch / 2) / pitch + 1);
  return up_to_whole_levels (*before + (above + pitch / 2) / pitch + 2);
}

guint
gpu_palette_geometry_fill (struct LiveState *state, gdouble radius,
    gdouble chroma)
{
  BinGrid *grid = &state->grid;
  guint before[3], side[3], first = 0;
  GpuPaletteGamut gamut;

  grid->shift = gpu_palette_lattice_shift (radius);
  gamut = gpu_palette_get_gamut (grid->shift, chroma);
  grid->pitch = gpu_palette_lattice_pitch (radius, grid->shift);
  for (guint axis = 0; axis < 3; axis++) {
    side[axis] = side_of (&gamut, axis, grid->pitch, &before[axis]);
    grid->bias[axis] = before[axis] * grid->pitch + grid->pitch / 2;
  }
  grid->sides[0] = side[0];
  grid->sides[1] = side[2];
  /* Offsets from the last bin must lead to bins of the bitmap. */
  side[1] += BIN_REACH << (BIN_LEVELS - 1);
  for (guint level = 0; level < BIN_LEVELS; level++) {
    guint n = (side[0] >> level) * (side[1] >> level) * (side[2] >> level);

    grid->words[level] = (n + 31) / 32 + 1;
    grid->first_word[level] = first;
    first += grid->words[level];
  }
  return first;
}

guint
gpu_palette_geometry_most_words (void)
{
  struct LiveState finest;

  return WITH_ANY_CHROMA (gpu_palette_geometry_fill (&finest, 0, 1));
}

guint
gpu_palette_geometry_most_bins (const BinGrid * grid)
{
  const guint side = grid->pitch << (FINEST_SHIFT - grid->shift);

  return side >= BOUNDED_SIDE ? MOST_BOUNDED_BINS : G_MAXUINT;
}

/* --- a frame --- */

void
gpu_palette_live_run (GpuPaletteLive * live, GpuPaletteContext * context,
    const GpuDispatch * dispatch, const GpuSlicerItems * items, gsize groups_at)
{
  const GpuSlicerGroups groups = { live->buffers.live, groups_at };

  gpu_slicer_run_indirect (&context->slicer, dispatch, items, groups);
}

void
gpu_palette_live_run_over_bins (GpuPaletteLive * live,
    GpuPaletteContext * context, const GpuDispatch * dispatch)
{
  gpu_palette_live_run (live, context, dispatch, &live->of_bins,
      GPU_PALETTE_LIVE_GROUPS (bin));
}

/* Either all pixels and words are processed or none, so their number is exact; the number of
 * bins is estimated from an earlier frame. */
void
gpu_palette_live_choose_slices (GpuPaletteLive * live,
    GpuPaletteContext * context, struct LiveState *state)
{
  const guint width = live->format.width, height = live->format.height;
  const GpuRowBinding rows = {
    .width = width,
    .height = height,
    .items = DIV_UP (width, TILE_SIDE) * 256,
    .step = TILE_SIDE,
  };
  const guint n_tiles = rows.items * DIV_UP (height, TILE_SIDE);
  const guint n_words = DIV_UP (state->grid.words[0],
      gpu_palette_live_words_per_thread (live->device));

  live->of_tiles = (GpuSlicerItems) {
    .most = n_tiles,
    .bound = n_tiles,
    .work = live->kernels.weigh,
    .units = 8,
    .rows = rows,
  };
  live->of_words = (GpuSlicerItems) {
    .most = n_words,
    .bound = n_words,
    .work = live->kernels.list,
  };
  live->of_bins = (GpuSlicerItems) {
    .most = live->most,
    .bound = live->bound,
    .work = live->kernels.density,
  };
  gpu_slicer_choose_slice (&context->slicer, &live->of_tiles);
  gpu_slicer_choose_slice (&context->slicer, &live->of_words);
  gpu_slicer_choose_slice (&context->slicer, &live->of_bins);
  state->tile_items = live->of_tiles.most;
  state->tiles_per_slice = live->of_tiles.slice;
  state->words_per_slice = live->of_words.slice;
  state->bins_per_slice = live->of_bins.slice;
}

void
gpu_palette_live_list_bins (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuDispatch merge = {
    live->kernels.merge, PALETTE_BIN_MERGE_BUFFERS (&live->buffers),
    &(GpuPaletteBinMergePush) {0}
  };
  /* With a limit of modes these words become weights of summits; otherwise homes of modes, none
   * of which is known yet. */
  const GpuDispatch list = {
    live->kernels.list, PALETTE_BIN_LIST_BUFFERS (&live->buffers),
    &(GpuPaletteBinListPush) {
      .begins_with = gpu_palette_get_limit (context->settings) > 0
          ? 0 : G_MAXUINT32}
  };
  GpuSlicerItems merged_words = live->of_words;

  gpu_stream_stage (context->slicer.stream, "palette-bins");
  /* Merging is not paced, as few frames have so many bins. */
  merged_words.bound = 0;
  if (live->may_merge)
    gpu_palette_live_run (live, context, &merge, &merged_words,
        GPU_PALETTE_LIVE_GROUPS (merge));
  gpu_palette_live_run (live, context, &list, &live->of_words,
      GPU_PALETTE_LIVE_GROUPS (word));
}

void
gpu_palette_live_weigh_bins (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuDispatch weigh = {
    live->kernels.weigh, PALETTE_BIN_WEIGH_BUFFERS (&live->buffers)
  };
  GpuSlicerItems tiles = live->of_tiles;

  tiles.rows.arrays =
      1 << PALETTE_BIN_WEIGH_COLOURS | 1 << PALETTE_BIN_WEIGH_PIXEL_BINS;
  gpu_palette_live_run (live, context, &weigh, &tiles,
      GPU_PALETTE_LIVE_GROUPS (tile));
}

void
gpu_palette_live_estimate (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const GpuDispatch density = {
    live->kernels.density, PALETTE_BIN_DENSITY_BUFFERS (&live->buffers)
  };

  gpu_stream_stage (context->slicer.stream, "palette-climb");
  gpu_palette_live_run_over_bins (live, context, &density);
}

void
gpu_palette_live_climb (GpuPaletteLive * live, GpuPaletteContext * context)
{
  const gboolean has_modes =
      gpu_palette_continuity_is_wanted (context->settings);
  const GpuDispatch climb = {
    live->kernels.climb, PALETTE_BIN_CLIMB_BUFFERS (&live->buffers),
    &(GpuPaletteBinClimbPush) {.counts_colours = !has_modes}
  };

  gpu_stream_stage (context->slicer.stream, "palette-climb");
  gpu_palette_live_run_over_bins (live, context, &climb);
}

void
gpu_palette_live_colour_bins (GpuPaletteLive * live,
    GpuPaletteContext * context)
{
  const GpuDispatch colour = {
    live->kernels.colour, PALETTE_BIN_COLOUR_BUFFERS (&live->buffers)
  };

  gpu_palette_live_run_over_bins (live, context, &colour);
}
