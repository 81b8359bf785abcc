// SPDX-License-Identifier: LGPL-2.1-or-later
// Makes modes of the summits without one, in free slots.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#define TABLES 5
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 9) buffer Owners { uint owners[]; };
layout (std430, binding = 10) readonly buffer Totals { uint totals[]; };
layout (push_constant) uniform Push
{
  uint first, end;
};

// Returns the number of new modes in the workgroups before this one.
uint
count_before ()
{
  uint n = 0;

  for (uint i = gl_LocalInvocationID.x; i < first / 256 + gl_WorkGroupID.x;
      i += 256)
    n += totals[i];
  return group_sum (n);
}

// Returns the last word with no more than `number` free slots before it.
uint
word_with (uint number)
{
  uint word = 0;

  for (uint step = SLOT_WORDS / 2; step > 0; step /= 2)
    if (state.free_before[word + step] <= number)
      word += step;
  return word;
}

// Returns free slot `number`, counted from 0. If there is none, the result is not less
// than the capacity.
uint
free_slot (uint number)
{
  uint word = word_with (number);
  uint left = ~state.taken[word];

  for (uint i = state.free_before[word]; i < number && left != 0; i++)
    left &= left - 1;
  return left == 0 ? MODE_CAPACITY : word * 32 + findLSB (left);
}

void
found (uint summit, uint slot)
{
  uint colour = mean_colour (summit);

  if (slot >= frame.capacity) {
    owners[summit] = PIXEL_WITHOUT_MODE | colour;
    atomicAdd (live.output_colours, 1);
    return;
  }
  set_colour (slot, colour);
  show_mode (slot);
  owners[summit] = slot;
  own (slot);
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, all;
  bool is_new = i < min (end, live.occupied[live_level ()])
      && uphill[i] == i && owners[i] == SUMMIT_IS_NEW;
  uint number = count_before ();

  number += group_exclusive_scan (uint (is_new), all);
  if (is_new)
    found (i, free_slot (number));
}
