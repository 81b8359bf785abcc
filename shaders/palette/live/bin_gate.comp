// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup sizes the indirect dispatches of the frame, if bin_mark.comp did not.
#include "palette/count/blocks.h"
#include "palette/live/bins.glsl"

// Words of the bitmap of occupied bins that an invocation processes.
layout (constant_id = 0) const uint WORDS_PER_THREAD = 4;
#include "palette/live/bin_gate.glsl"
layout (local_size_x = MAX_SLICES) in;
#define GROUP_THREADS MAX_SLICES
#include "core/group.glsl"
layout (std430, binding = 3) readonly buffer Changed { PaletteChanged changed; };
layout (push_constant) uniform Push
{
  uint is_windowed;             // colours are counted: use changes of counts, too
};

void main ()
{
  load_grid ();
  uint n_changed = live.changed + (is_windowed != 0 ? changed.pixels : 0);
  uint rest = rest_with (n_changed), n = 0;

  for (uint first = 0; first * WORDS_OF_TOTAL < bin_grid.words[0]; first += MAX_SLICES) {
    uint i = first + gl_LocalInvocationID.x;

    n += i * WORDS_OF_TOTAL < bin_grid.words[0] ? bin_totals[i] : 0;
  }
  n = group_sum (n);
  size_dispatches (n_changed, rest, n);
}
