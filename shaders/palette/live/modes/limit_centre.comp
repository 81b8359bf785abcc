// SPDX-License-Identifier: LGPL-2.1-or-later
// Moves modes to the mean of the bins that are near them, if they settle. The last workgroup
// does this, when the bins of all have been added up.
#include "palette/live/modes/limit.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = LIMIT_MOST) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) readonly buffer List { uint list[]; };
layout (std430, binding = 9) coherent buffer Summed { ModeSums summed; };
#define SUMMED summed
#include "palette/live/modes/limit_share.glsl"
layout (push_constant) uniform Push { uint first, end; };

void add_to_nearest (uint i, uint level)
{
  ivec3 middle = middle_of (list[i], level);
  uint slot = nearest_modes (list[i], middle).slot;

  if (slot != COLOURS_STAY)
    add_bin (i, slot, middle);
}

shared uint n_centred;

// Returns whether the bins of all workgroups have been added, the n of this one as the last.
bool is_last_group (uint n, uint n_bins)
{
  // What this workgroup added is visible before it counts as done.
  memoryBarrierBuffer ();
  barrier ();
  if (gl_LocalInvocationID.x == 0)
    n_centred = atomicAdd (summed.n_centred, n) + n;
  barrier ();
  memoryBarrierBuffer ();
  return n_centred == n_bins;
}

void centre (uint slot)
{
  ModeShare share = summed.shares[slot];

  if (share.n != 0)
    set_colour (slot, mean_of_sums (sums_of_share (share), share.n));
  modes[slot].home = bin_at_level (show_mode (slot), live_level ());
  summed.shares[slot] = NO_SHARE;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x, n_bins = live.occupied[level];
  uint begin = min (first + gl_WorkGroupID.x * LIMIT_MOST, n_bins);
  uint after = min (begin + LIMIT_MOST, min (end, n_bins));

  if (!settles ())
    return;
  shares[slot] = NO_SHARE;
  barrier ();
  if (i < after)
    add_to_nearest (i, level);
  barrier ();
  add_share (slot);
  // Those without a bin do not count: there may be any number of them.
  if (begin < after && is_last_group (after - begin, n_bins) && stands (slot))
    centre (slot);
}
