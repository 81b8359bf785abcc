// SPDX-License-Identifier: LGPL-2.1-or-later
// Writes a frame: each pixel gets the output colour of its bin.
#include "core/pixels/pixels.glsl"
#define LIVE 2
#include "palette/live/bins.glsl"

layout (std430, binding = 5) readonly buffer Colours { uint colours[]; };
layout (std430, binding = 6) readonly buffer PixelBins { uint pixel_bins[]; };
layout (std430, binding = 7) readonly buffer Results { uint results[]; };

// Returns the output colour of a pixel; a pixel that is not counted keeps its colour.
uint result_at (uint x, uint y)
{
  load_grid ();
  uint at = index_of_pixel (x, y), word = pixel_bins[at], level = live_level ();

  if ((word & PIXEL_STAYS) != 0)
    return colours[at] & 0xffffff;
  uint result = results[place_of_bin (number_of_bin (bin_of_word (word), level),
          bin_grid.first_word[level])];

  return result == COLOURS_STAY ? colours[at] & 0xffffff : result;
}

#include "core/pixels/write.glsl"
