// SPDX-License-Identifier: LGPL-2.1-or-later
// Follows the way of every point to its fixed point. Takes several dispatches for long
// ways, as devices end loops that are too long.
#include "palette/exact/shared.h"
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 1) readonly buffer Origins { uint origins[]; };
layout (std430, binding = 2) readonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) readonly buffer WalkerSuccessors { uint walker_successors[]; };
layout (std430, binding = 4) buffer Visited { uint visited[]; };
layout (std430, binding = 5) readonly buffer Successors { uint successors[]; };
layout (std430, binding = 6) buffer FixedPoints { uvec2 fixed_points[]; };
layout (std430, binding = 7) buffer Control { uint control[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint table_bits;
  uint is_sharing;
  uint limit;                   // most steps along a shared way
  uint max_hops;                // most hops in a dispatch
  uint is_begun;                // not the first dispatch: continue
};

DEFINE_FIND (visited)

// A way that is not followed to its end has, in place of a fixed point, the way to
// continue with (a slot, or ALONE with a walker), and this bit with the steps made.
const uint ON_THE_WAY = 0x80000000u;

uint way_of (uint walker)
{
  uint way = find (sorted[walker], table_bits);

  return way == NO_SLOT ? ALONE | walker : way;
}

uvec2 end_of_way (uint way, uint steps)
{
  for (uint hops = 0; hops < max_hops; hops++, steps++) {
    if ((way & ALONE) != 0) {
      uint walker = way & ~ALONE;

      way = walker_successors[walker];
      if ((way & ALONE) != 0)
        return walkers[walker];
    }
    uint next = successors[way];

    if (next == way || steps == limit)
      return point_in_slot (way, visited[way], table_bits);
    way = next;
  }
  control[CONTROL_ON_THE_WAY] = 1;
  return uvec2 (way, ON_THE_WAY | steps);
}

void main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i >= end)
    return;
  uvec2 reached = is_sharing == 0 ? walkers[i]
      : is_begun != 0 ? fixed_points[origins[i]] : uvec2 (way_of (i), ON_THE_WAY);

  if ((reached.y & ON_THE_WAY) != 0)
    reached = end_of_way (reached.x, reached.y & ~ON_THE_WAY);
  fixed_points[origins[i]] = reached;
}
