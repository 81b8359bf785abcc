// SPDX-License-Identifier: LGPL-2.1-or-later
// Adds every colour in the window that has weight to the sums of its bin.
#include "palette/live/bins.glsl"
#include "palette/live/window.glsl"
#include "core/wide.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 6) readonly buffer Counts { uint counts[]; };
const bool IS_WIDE = true;
#define SUMS 7
#include "palette/live/bin_add.glsl"

void weigh (uint colour, uint weight, uint level)
{
  uvec2 red = wide_multiply (weight, colour >> 16);
  uvec2 green = wide_multiply (weight, colour >> 8 & 255);
  uvec2 blue = wide_multiply (weight, colour & 255);
  uint bin = bin_at_level (bin_of_colour (colour), level);

  add (place_of_bin (bin, bin_grid.first_word[level]),
      uvec4 (weight, red.x, green.x, blue.x), uvec3 (red.y, green.y, blue.y));
}

void main ()
{
  load_grid ();
  Word word = word_of_thread ();
  uint level = live_level ();

  if (live.rest == SETTLED_AFTER)
    return;
  for (; word.bits != 0; word.bits &= word.bits - 1) {
    uint number = word.first + findLSB (word.bits);
    uint weight = weight_of (counts[number]);

    if (weight != 0)
      weigh (colour_of_number (number), weight, level);
  }
}
