// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup updates the modes for the next frame, one invocation for each mode.
// Modes glide to the mean of their bins. The mode with the least worth is replaced by the
// candidate that saves most, if that is more than TIMES_WORTH times as much.
#include "palette/live/modes/limit.glsl"

layout (local_size_x = LIMIT_MOST) in;
#define MEAN 5
#include "palette/live/bin_mean.glsl"
#include "palette/live/modes/limit_least.glsl"
layout (std430, binding = 7) readonly buffer MotionState { Motion motion; };
layout (std430, binding = 8) readonly buffer Summed { ModeSums summed; };
// Bitmap of the slots of modes that pixels hold.
layout (std430, binding = 9) buffer InUse { uint in_use[SLOT_WORDS]; };

// So many times the worth of a mode must be saved by its successor.
const uint TIMES_WORTH = 3;

void glide (uint slot)
{
  ModeShare share = summed.shares[slot];
  // Modes glide faster if light changes in many blocks, and no line tells how.
  uint rate = frame.rates.glide + ((4096 - frame.rates.glide) * motion.restlessness >> 6);

  if (share.n != 0)
    glide_to (slot, mean_of_sums (sums_of_share (share), share.n), rate);
}

uvec2 worth_of (uint slot)
{
  return uvec2 (summed.trials[slot].worth[0], summed.trials[slot].worth[1]);
}

uvec2 saved_by (uint slot)
{
  return uvec2 (summed.trials[slot].saved[0], summed.trials[slot].saved[1]);
}

// The mode gets the colour of the candidate of a slot. Pixels do not hold it any more.
void replace (uint slot, uint by)
{
  set_colour (slot, mean_colour (summed.trials[by].candidate));
  state.owning[slot / 32] |= 1u << slot % 32;
  in_use[slot / 32] &= ~(1u << slot % 32);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint slot = gl_LocalInvocationID.x;

  if (live.rest == SETTLED_AFTER)
    return;
  if (stands (slot))
    glide (slot);

  uint least = first_of_least (slot, stands (slot) ? worth_of (slot) : uvec2 (NOBODY));
  uint by = first_of_least (slot, ~saved_by (slot));

  if (slot == least && wide_less (wide_times (worth_of (least), TIMES_WORTH), saved_by (by)))
    replace (slot, by);
}
