// SPDX-License-Identifier: LGPL-2.1-or-later
// Sizes the indirect dispatches of the frame: to nothing if the film is settled. Include after
// bins.glsl and WORDS_PER_THREAD.
#include "core/slices.glsl"

// Returns how long the film has rested, of n_changed pixels and counts. All invocations call
// this before one calls size_dispatches().
uint rest_with (uint n_changed)
{
  return n_changed == 0 ? min (live.rest + live.rest_step, SETTLED_AFTER) : 0;
}

// Called by the first MAX_SLICES invocations. n_occupied: bins of level 0.
void size_dispatches (uint n_changed, uint rest, uint n_occupied)
{
  bool is_settled = rest == SETTLED_AFTER;
  uint slice = gl_LocalInvocationID.x;
  uint n_words = (live.grid.words[0] + WORDS_PER_THREAD - 1) / WORDS_PER_THREAD;
  uint n_bins = is_settled ? 0 : min (n_occupied, BIN_CAPACITY);

  live.tile_groups[slice] =
      groups_of_slice (slice, is_settled ? 0 : live.tile_items, live.tiles_per_slice);
  live.word_groups[slice] =
      groups_of_slice (slice, is_settled ? 0 : n_words, live.words_per_slice);
  live.bin_groups[slice] = groups_of_slice (slice, n_bins, live.bins_per_slice);
  live.merge_groups[slice] =
      groups_of_slice (slice, n_occupied > live.capacity ? n_words : 0, live.words_per_slice);
  live.luma_groups[slice] =
      groups_of_slice (slice, is_settled ? 0 : live.luma_pixels, live.luma_pixels_per_slice);
  if (slice != 0)
    return;
  live.changed = n_changed;
  live.occupied[0] = n_occupied;
  live.rest = rest;
  if (!is_settled)
    live.output_colours = 0;
}
