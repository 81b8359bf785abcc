// SPDX-License-Identifier: LGPL-2.1-or-later
// One point per thread: visits it, or looks for it and asks its slot which
// point is there.
#include "palette/exact/walk/visited.glsl"
#include "palette/exact/walk/successors.glsl"
layout (local_size_x = 64) in;
layout (std430, binding = 0) readonly buffer Points { uvec2 points[]; };
layout (std430, binding = 1) buffer Visited { uint visited[]; };
layout (std430, binding = 2) writeonly buffer Answers { uvec4 answers[]; };
layout (std430, binding = 3) buffer Follow { uint follow[]; };
layout (push_constant) uniform Push { uint n, table_bits, is_visiting; };

DEFINE_VISIT (visited)
DEFINE_FIND (visited)
DEFINE_SUCCESSORS (follow)

uvec4 answer_visit (uvec2 point)
{
  uint slot = visit (point, table_bits);

  return uvec4 (slot, slot == NO_SLOT || claim (slot), 0, 0);
}

uvec4 answer_find (uvec2 point)
{
  uint slot = find (point, table_bits);

  return uvec4 (slot, false, slot == NO_SLOT ? uvec2 (0)
      : point_in_slot (slot, visited[slot], table_bits));
}

void main ()
{
  uint i = gl_GlobalInvocationID.x;

  if (i < n)
    answers[i] = is_visiting != 0 ? answer_visit (points[i])
        : answer_find (points[i]);
}
