// SPDX-License-Identifier: LGPL-2.1-or-later
// Gives every occupied bin the owner of its summit. Makes modes of the summits without one, in
// free slots. With a limit of modes, limit_assign.comp gives bins their owners.
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) buffer Uphill { uint uphill[]; };
layout (std430, binding = 9) readonly buffer Claims { uint claims[]; };
layout (std430, binding = 10) readonly buffer Totals { uint totals[]; };
layout (std430, binding = 11) writeonly buffer Owners { uint owners[]; };
layout (push_constant) uniform Push { uint first, end; };

DEFINE_SUMMIT_OF (uphill)

// Of each workgroup that assigned summits: the number of new modes in those before it.
shared uint new_before[BIN_CAPACITY / 256];

void count_new (uint n_groups)
{
  uint per_lane = (n_groups + 255) / 256, n = 0, all;
  uint begin = min (gl_LocalInvocationID.x * per_lane, n_groups);
  uint end = min (begin + per_lane, n_groups);

  for (uint i = begin; i < end; i++)
    n += totals[i];
  uint before = group_exclusive_scan (n, all);

  for (uint i = begin; i < end; i++) {
    new_before[i] = before;
    before += totals[i];
  }
  barrier ();
}

// Returns the last word with no more than `number` free slots before it.
uint word_with (uint number)
{
  uint word = 0;

  for (uint step = SLOT_WORDS / 2; step > 0; step /= 2)
    if (state.free_before[word + step] <= number)
      word += step;
  return word;
}

// Returns free slot `number`, counted from 0. If there is none, the result is not less
// than the capacity.
uint free_slot (uint number)
{
  uint word = word_with (number);
  uint left = ~state.taken[word];

  for (uint i = state.free_before[word]; i < number && left != 0; i++)
    left &= left - 1;
  return left == 0 ? MODE_CAPACITY : word * 32 + findLSB (left);
}

// Returns the owner of a bin whose summit is to become a mode, and makes that mode if the bin
// is the summit.
uint new_owner (uint bin, uint summit, uint claim)
{
  uint slot = free_slot (new_before[summit / 256] + (claim & 255));
  bool is_free = slot < frame.capacity;

  if (bin == summit && is_free) {
    set_colour (slot, mean_colour (summit));
    show_mode (slot);
    own (slot);
  }
  if (bin == summit && !is_free)
    atomicAdd (live.output_colours, 1);
  return is_free ? slot : PIXEL_WITHOUT_MODE | mean_colour (summit);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, n = live.occupied[live_level ()];

  count_new ((n + 255) / 256);
  if (i >= min (end, n))
    return;
  uint summit = summit_of (i), claim = claims[summit];
  bool is_new = (claim & ~255) == SUMMIT_IS_NEW;

  owners[i] = is_new ? new_owner (i, summit, claim) : claim;
}
