// SPDX-License-Identifier: LGPL-2.1-or-later
// Chooses the vector of each block, and measures how its samples changed along it. One
// workgroup for each block.
#define OF_MOTION
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/motion.glsl"
#include "core/group.glsl"

// Returns the best vector if the block fits clearly better along it than along the fallback, or
// else that: the common one if blocks that are not clear fit clearly better along it.
ivec2 choose_vector (uint block)
{
  bool is_common = 16 * state.with_common < 15 * state.without;
  uint with_fallback = is_common ? state.blocks[block].with_common
      : state.blocks[block].without;

  if (4 * state.blocks[block].with_best < 3 * with_fallback)
    return ivec2 (state.blocks[block].best[0], state.blocks[block].best[1]);
  return is_common ? ivec2 (state.commonest[0], state.commonest[1]) : ivec2 (0);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint block = first / 256 + gl_WorkGroupID.x, changes = 0;
  ivec3 light = ivec3 (0);
  uint columns = frame.blocks.columns, shift = frame.blocks.shift;
  uvec2 begin = uvec2 (block % columns, block / columns) << shift;
  ivec2 vector = frame.follows_motion != 0 ? choose_vector (block) : ivec2 (0);

  for (uint i = gl_LocalInvocationID.x; i < LUMA_SIDE * LUMA_SIDE;
      i += GROUP_THREADS) {
    ivec2 at = ivec2 (looked_at (i, begin, shift));
    uint now = colour_at (at);
    uint before = is_in_frame (at + vector) ? colour_before_at (at + vector) : TRANSPARENT;

    if (((now | before) & TRANSPARENT) == 0) {
      changes += 1u << CHANGE_COUNT_SHIFT | change_of_colour (before, now);
      ivec3 d = difference_of_colours (before, now);

      light += ivec3 (d.r + 2 * d.g + d.b, d.r - d.g, d.b - d.g);
    }
  }
  changes = group_sum (changes);
  light = ivec3 (group_sums (uvec3 (light)));
  if (gl_LocalInvocationID.x == 0) {
    state.blocks[block].vector = int[2] (vector.x, vector.y);
    state.blocks[block].changes = changes;
    state.blocks[block].light = int[3] (light.x, light.y, light.z);
  }
}
