// SPDX-License-Identifier: LGPL-2.1-or-later
// Each workgroup lists the output colours of its group with the most pixels.
#include "core/group.glsl"
#include "palette/shared/topcolours.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Pixels { uint counters[]; };
layout (std430, binding = 1) writeonly buffer Bests { TopOfGroup bests[]; };
layout (push_constant) uniform Push
{
  uint first, end;              // invocations
  uint n_colours;
};

uint group_number ()
{
  return first / 256 + gl_WorkGroupID.x;
}

uint count_of (uint slot)
{
  return counters[group_number () * TOP_GROUP + slot];
}

#include "palette/shared/top_list.glsl"

void main ()
{
  uint at = gl_LocalInvocationID.x, group = group_number (), n;
  uint n_pixels = list_most (min (n_colours - group * TOP_GROUP, TOP_GROUP), n);

  bests[group].slots[at] = at < n ? group * TOP_GROUP + listed_slots[at] : 0;
  bests[group].counts[at] = at < n ? listed_counts[at] : 0;
  if (at == 0)
    bests[group].n_pixels = n_pixels;
}
