// SPDX-License-Identifier: LGPL-2.1-or-later
// Lists the colours that occur, in ascending order, with their counts; tells
// whether the list differs from what it was.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "palette/shared.h"

layout (local_size_x = 256) in;
layout (std430, binding = 0) readonly buffer Counts { uint counts[]; };
layout (std430, binding = 1) readonly buffer Presence { uint presence[]; };
layout (std430, binding = 2) readonly buffer Ranks { uint ranks[]; };
layout (std430, binding = 3) buffer List { uint list[]; };
layout (std430, binding = 4) buffer Weights { uint weights[]; };
layout (std430, binding = 5) buffer Control { uint control[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

void
main ()
{
  uint word = first + gl_GlobalInvocationID.x;

  if (word >= end)
    return;
  uint rank = ranks[word];
  bool set_changed = false, weights_changed = false;

  for (uint left = presence[word]; left != 0; left &= left - 1) {
    uint colour = word * 32 + findLSB (left);
    uint count = counts[colour];

    if (list[rank] != colour) {
      list[rank] = colour;
      set_changed = true;
    }
    if (weights[rank] != count) {
      weights[rank] = count;
      weights_changed = true;
    }
    rank++;
  }
  if (set_changed)
    atomicOr (control[CONTROL_SET_CHANGED], 1);
  if (weights_changed)
    atomicOr (control[CONTROL_WEIGHTS_CHANGED], 1);
}
