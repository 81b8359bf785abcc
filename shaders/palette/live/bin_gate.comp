// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup sizes the indirect dispatches of the frame: to nothing if no pixel
// changed.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/count/changed.h"
#include "palette/live/bins.h"
#include "palette/live/bin_words.glsl"
#include "palette/shared/pixels.h"

layout (local_size_x = MAX_SLICES) in;
layout (std430, binding = 0) buffer Live { LiveState live; };
layout (std430, binding = 1) readonly buffer Changed { PaletteChanged changed; };
layout (push_constant) uniform Push
{
  uint is_windowed;             // colours are counted: use changes of counts, too
};

uint
groups_of_slice (uint n, uint per_slice)
{
  uint first = gl_LocalInvocationID.x * per_slice;
  uint items = n > first ? min (n - first, per_slice) : 0;

  return (items + 255) / 256;
}

void
main ()
{
  uint n_changed = live.changed
      + (is_windowed != 0 ? changed.pixels : 0);
  bool is_solved = n_changed == 0;
  uint slice = gl_LocalInvocationID.x * 3;
  uint n_words = (live.grid.words[0] + WORDS_PER_THREAD - 1) / WORDS_PER_THREAD;
  uint of_words = groups_of_slice (n_words, live.words_per_slice);

  live.pixel_groups[slice] = is_solved ? 0
      : groups_of_slice ((live.n_pixels + PIXELS_PER_THREAD - 1)
      / PIXELS_PER_THREAD, live.pixels_per_slice);
  live.word_groups[slice] = is_solved ? 0 : of_words;
  live.bin_groups[slice] = is_solved ? 0
      : groups_of_slice (min (live.occupied[0], BIN_CAPACITY),
      live.bins_per_slice);
  live.merge_groups[slice] =
      live.occupied[0] > live.capacity ? of_words : 0;
  live.luma_groups[slice] = is_solved ? 0
      : groups_of_slice (live.luma_pixels, live.luma_pixels_per_slice);
  for (uint i = 1; i < 3; i++) {
    live.pixel_groups[slice + i] = 1;
    live.word_groups[slice + i] = 1;
    live.bin_groups[slice + i] = 1;
    live.merge_groups[slice + i] = 1;
    live.luma_groups[slice + i] = 1;
  }
  // All invocations have read live.changed.
  barrier ();
  if (slice == 0) {
    live.changed = n_changed;
    if (!is_solved)
      live.output_colours = 0;
  }
}
