// SPDX-License-Identifier: LGPL-2.1-or-later
// Cells of the bins that stray from their modes (docs/internals/live.md). Include after
// temporal.glsl; define CELLS, their binding.
#include "palette/live/modes/share.glsl"

layout (std430, binding = CELLS) buffer Strays { LeashCell cells[]; };

// Returns the number of the cell of a place. Cells are numbered in order of a, then b, then L.
uint cell_of (ivec3 place)
{
  TemporalLeash leash = frame.leash;
  uvec3 at = (uvec3 (place) + uvec3 (leash.before[0], leash.before[1], leash.before[2]))
      / leash.side;

  return (at.y * leash.along[1] + at.z) * leash.along[0] + at.x;
}

// Keeps the mode of a bin whose summit has another. The plain read avoids most atomics, as in
// own().
void keep (uint slot)
{
  uint word = slot / 32, bit = 1u << slot % 32;

  if ((state.kept[word] & bit) == 0)
    atomicOr (state.kept[word], bit);
}
