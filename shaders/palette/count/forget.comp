// SPDX-License-Identifier: LGPL-2.1-or-later
// Clears the counters of all present colours before they are counted anew, and touches
// these colours.
#include "palette/count/blocks.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) writeonly buffer Counts { uint counts[]; };
layout (std430, binding = 1) writeonly buffer Touched { uint touched[]; };
layout (std430, binding = 2) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 3) buffer Blocks { PaletteBlocks blocks; };
layout (push_constant) uniform Push
{
  uint first;                   // first word, of the words of listed blocks
};

void main ()
{
  uint index = first + gl_GlobalInvocationID.x;
  uint i = index / BLOCK_WORDS, at = index % BLOCK_WORDS;

  if (i >= blocks.n_present)
    return;
  uint block = blocks.present[i];
  uint word = block * BLOCK_WORDS + at;
  uint bits = presence[word];

  for (uint left = bits; left != 0; left &= left - 1)
    counts[word * 32 + findLSB (left)] = 0;
  touched[word] = bits;
  if (at == 0)
    atomicOr (blocks.touched_bits[block / 32], 1u << (block & 31));
}
