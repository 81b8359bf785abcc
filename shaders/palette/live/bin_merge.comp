// SPDX-License-Identifier: LGPL-2.1-or-later
// Merges bins if too many are occupied: marks the occupied bins of all further levels, of
// which live_level() takes one.
#include "palette/live/bins.glsl"

// Words of the bitmap of occupied bins that an invocation processes.
layout (constant_id = 0) const uint WORDS_PER_THREAD = 4;
layout (local_size_x = 256) in;
layout (push_constant) uniform Push
{
  uint first, end;              // invocations, of WORDS_PER_THREAD words each
};

void main ()
{
  load_grid ();
  uint at = (first + gl_GlobalInvocationID.x) * WORDS_PER_THREAD;
  uint end_word = min (at + WORDS_PER_THREAD, bin_grid.words[0]);

  for (uint i = at; i < end_word; i++)
    for (uint left = occupied[i]; left != 0; left &= left - 1) {
      uint bin = i * 32 + findLSB (left);

      for (uint level = 1; level < BIN_LEVELS; level++)
        if (occupy (bin_at_level (bin, level), level))
          atomicAdd (live.occupied[level], 1);
    }
}
