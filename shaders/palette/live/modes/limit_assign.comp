// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns each bin to the nearest mode, or to none if there are no modes. Sums what modes
// are worth, and finds the candidate of each: of its summits the one with the greatest
// product, the first of several.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Uphill { uint uphill[]; };    // the summits
layout (std430, binding = 7) readonly buffer Sums { BinSums sums[]; };
layout (std430, binding = 8) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 9) writeonly buffer Owners { uint owners[]; };
// Of summits that are or were candidates.
layout (std430, binding = 10) buffer Products { uint products[]; };
layout (std430, binding = 11) buffer Summed { ModeSums summed; };
layout (push_constant) uniform Push { uint first, end; };

// By slot, of the bins of a workgroup, as there are few modes: their worth, the greatest
// product among the summits, and the first summit that has it.
shared uint worth[LIMIT_MOST][2], greatest[LIMIT_MOST], candidate[LIMIT_MOST];

// Returns the mode that a bin is assigned to, or none if nothing is to be compared: of a
// single mode nothing is.
Nearest assign (uint i, uint level)
{
  uint bin = list[counts_by_summit () ? place_of_summit (uphill[i]) : i];
  Nearest nearest = nearest_modes (bin, middle_of (bin, level));

  owners[i] = nearest.slot;
  if (nearest.slot != COLOURS_STAY)
    own (nearest.slot);
  if (nearest.second == NOBODY)
    nearest.slot = COLOURS_STAY;
  return nearest;
}

// Makes the candidate of the workgroup that of the frame, unless that one is better. Other
// workgroups do the same at the same time.
void propose (uint slot)
{
  uint mine = candidate[slot], product = greatest[slot], best = NO_CANDIDATE, found;

  // Whoever finds the candidate also finds its product.
  atomicExchange (products[mine], product);
  memoryBarrierBuffer ();
  while ((found = atomicCompSwap (summed.trials[slot].candidate, best, mine)) != best) {
    memoryBarrierBuffer ();
    uint other = atomicAdd (products[found], 0);

    if (other > product || (other == product && found < mine))
      return;
    best = found;
  }
}

void add_to_frame (uint slot)
{
  uvec2 more = uvec2 (worth[slot][0], worth[slot][1]);

  if (more != uvec2 (0))
    WIDE_ATOMIC_ADD (summed.trials[slot].worth[0], summed.trials[slot].worth[1], more);
  if (greatest[slot] != 0)
    propose (slot);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level ();
  uint slot = gl_LocalInvocationID.x, product = 0;
  Nearest nearest;

  worth[slot][0] = worth[slot][1] = greatest[slot] = 0;
  candidate[slot] = NO_CANDIDATE;
  barrier ();
  nearest.slot = COLOURS_STAY;
  if (i < min (end, live.occupied[level]))
    nearest = assign (i, level);
  if (nearest.slot != COLOURS_STAY) {
    uvec2 more = wide_multiply (sums[i].n, loss_of (nearest.second) - loss_of (nearest.least));

    WIDE_ATOMIC_ADD (worth[nearest.slot][0], worth[nearest.slot][1], more);
    // Only summits are candidates, and not the homes of modes.
    product = place_of_summit (uphill[i]) != i || nearest.is_home ? 0
        : leading_product (weights[i], distance_of_summit (uphill[i], nearest.least));
    if (product != 0)
      atomicMax (greatest[nearest.slot], product);
  }
  barrier ();
  if (product != 0 && product == greatest[nearest.slot])
    atomicMin (candidate[nearest.slot], i);
  barrier ();
  add_to_frame (slot);
}
