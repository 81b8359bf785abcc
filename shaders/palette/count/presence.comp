// SPDX-License-Identifier: LGPL-2.1-or-later
// Updates the bitmap of present colours in the touched blocks, and sets
// changed.presence if it changed.
#include "palette/count/blocks.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Counts { uint counts[]; };
layout (std430, binding = 1) buffer Touched { uint touched[]; };
layout (std430, binding = 2) buffer Presence { uint presence[]; };
layout (std430, binding = 3) buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 4) buffer Changed { PaletteChanged changed; };
layout (push_constant) uniform Push
{
  uint first;                   // first word, of the words of listed blocks
};

void main ()
{
  uint index = first + gl_GlobalInvocationID.x;
  uint i = index / BLOCK_WORDS, at = index % BLOCK_WORDS;

  if (i >= blocks.n_touched)
    return;
  uint block = blocks.touched[i];
  uint word = block * BLOCK_WORDS + at;
  uint bits = touched[word], before = presence[word];
  uint now = before & ~bits;

  for (uint left = bits; left != 0; left &= left - 1) {
    uint bit = findLSB (left);

    if (counts[word * 32 + bit] != 0)
      now |= 1u << bit;
  }
  if (bits != 0)
    touched[word] = 0;
  if (now != before) {
    presence[word] = now;
    atomicAdd (blocks.counts[block], bitCount (now) - bitCount (before));
    atomicOr (changed.presence, 1);
  }
}
