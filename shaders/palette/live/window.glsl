// SPDX-License-Identifier: LGPL-2.1-or-later
// Colours of the frames in the window, a word of their bitmap to an invocation, and
// their bins. Include after bins.glsl.
#include "palette/count/blocks.h"
#include "palette/count/numbers.glsl"
#include "palette/count/weights.glsl"

layout (std430, binding = 3) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 4) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 5) readonly buffer Blocks { PaletteBlocks blocks; };
#include "palette/oklab.glsl"

struct Word
{
  uint first;                   // number of the first colour
  uint bits;                    // bitmap of the colours that occur, first lowest
};

Word word_of_thread ()
{
  uint index = first + gl_GlobalInvocationID.x, i = index / BLOCK_WORDS;

  if (i >= blocks.n_present)
    return Word (0, 0);
  uint word = blocks.present[i] * BLOCK_WORDS + index % BLOCK_WORDS;

  return Word (word * 32, presence[word]);
}

// Returns the number of a colour's bin at level 0.
uint bin_of_colour (uint colour)
{
  return number_of_bin (bin_of_point (point_of_colour (colour, bin_grid.shift)), 0);
}
