// SPDX-License-Identifier: LGPL-2.1-or-later
// Follows the way of every point's walker to where it ends.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/visited.glsl"
#include "palette/ways.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Sorted { uvec2 sorted[]; };
layout (std430, binding = 1) readonly buffer Origins { uint origins[]; };
layout (std430, binding = 2) readonly buffer Walkers { uvec2 walkers[]; };
layout (std430, binding = 3) readonly buffer Ways { uint ways[]; };
layout (std430, binding = 4) buffer Visited { uint visited[]; };
layout (std430, binding = 5) readonly buffer Follow { uint follow[]; };
layout (std430, binding = 6) writeonly buffer Ends { uvec2 ends[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint table_bits;
  uint is_sharing;
  uint limit;                   // steps, where the way is shared
};

DEFINE_FIND (visited)

uvec2
end_of_way (uint walker)
{
  uint way = find (sorted[walker], table_bits);

  if (way == NO_SLOT)
    way = ALONE | walker;
  for (uint steps = 0;; steps++) {
    if ((way & ALONE) != 0) {
      walker = way & ~ALONE;
      way = ways[walker];
      if ((way & ALONE) != 0)
        return walkers[walker];
    }
    uint next = follow[way];

    if (next == way || steps == limit)
      return point_in_slot (way, visited[way], table_bits);
    way = next;
  }
}

void
main ()
{
  uint i = first + gl_GlobalInvocationID.x;

  if (i < end)
    ends[origins[i]] = is_sharing != 0 ? end_of_way (i) : walkers[i];
}
