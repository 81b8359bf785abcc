// SPDX-License-Identifier: LGPL-2.1-or-later
// Sizes the indirect dispatches of the frame: to nothing if the film is settled. Include after
// bins.glsl and WORDS_PER_THREAD.

uint groups_of_slice (uint n, uint per_slice)
{
  uint first = gl_LocalInvocationID.x * per_slice;
  uint items = n > first ? min (n - first, per_slice) : 0;

  return (items + 255) / 256;
}

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
  uint slice = gl_LocalInvocationID.x * 3;
  uint n_words = (live.grid.words[0] + WORDS_PER_THREAD - 1) / WORDS_PER_THREAD;
  uint of_words = groups_of_slice (n_words, live.words_per_slice);

  live.tile_groups[slice] = is_settled ? 0
      : groups_of_slice (live.tile_items, live.tiles_per_slice);
  live.word_groups[slice] = is_settled ? 0 : of_words;
  live.bin_groups[slice] = is_settled ? 0
      : groups_of_slice (min (n_occupied, BIN_CAPACITY), live.bins_per_slice);
  live.merge_groups[slice] = n_occupied > live.capacity ? of_words : 0;
  live.luma_groups[slice] = is_settled ? 0
      : groups_of_slice (live.luma_pixels, live.luma_pixels_per_slice);
  for (uint i = 1; i < 3; i++) {
    live.tile_groups[slice + i] = 1;
    live.word_groups[slice + i] = 1;
    live.bin_groups[slice + i] = 1;
    live.merge_groups[slice + i] = 1;
    live.luma_groups[slice + i] = 1;
  }
  if (slice != 0)
    return;
  live.changed = n_changed;
  live.occupied[0] = n_occupied;
  live.rest = rest;
  if (!is_settled)
    live.output_colours = 0;
}
