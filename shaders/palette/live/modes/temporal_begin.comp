// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup begins a frame: finds how light changes, detects a scene cut, and finds the
// free slots.
#include "core/group.glsl"
#include "core/slices.glsl"
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) buffer MotionState { Motion motion; };
layout (std430, binding = 6) writeonly buffer Summed { ModeSums summed; };
// Bitmap of the slots of modes that pixels hold.
layout (std430, binding = 7) buffer InUse { uint in_use[SLOT_WORDS]; };

const uint WORDS_PER_LANE = SLOT_WORDS / 256;

#define COLOUR(i) motion.blocks[i].colour
#define COLOUR_BEFORE(i) motion.blocks[i].colour_before
#include "palette/count/change.glsl"
#include "palette/live/modes/motion_light.glsl"

bool is_cut ()
{
  uint most = frame.blocks.cut_sum;

  return scene_ends (frame.blocks.columns * frame.blocks.rows, most)
      && most != 0 && frame.begins_from == BEGINS_FROM_ALL;
}

uint slots_of_word (uint word)
{
  return clamp (frame.capacity, word * 32, word * 32 + 32) - word * 32;
}

// Begins the bitmaps of slots; returns the number of free slots in the words of this invocation.
uint take_slots (bool keeps_modes)
{
  uint word = gl_LocalInvocationID.x * WORDS_PER_LANE, n = 0;

  for (uint i = word; i < word + WORDS_PER_LANE; i++) {
    uint taken = keeps_modes ? state.owning[i] | state.kept[i] | in_use[i] : 0;

    state.owning_before[i] = state.owning[i];
    state.kept[i] = 0;
    state.taken[i] = taken;
    state.held[i] = keeps_modes ? in_use[i] : 0;
    state.owning[i] = frame.holds_palette != HOLDS_NO_PALETTE ? taken : 0;
    in_use[i] = 0;
    if (i < LIMIT_WORDS)
      state.limited.standing[i] = taken;
    n += slots_of_word (i) - bitCount (taken);
  }
  return n;
}

void number_free_slots (uint before)
{
  uint word = gl_LocalInvocationID.x * WORDS_PER_LANE;

  for (uint i = word; i < word + WORDS_PER_LANE; i++) {
    state.free_before[i] = before;
    before += slots_of_word (i) - bitCount (state.taken[i]);
  }
}

shared uint end_slot;

// Sets end_slot to the end of the last word with a taken slot.
void count_slots ()
{
  uint word = gl_LocalInvocationID.x * WORDS_PER_LANE;

  if (word == 0)
    end_slot = 0;
  barrier ();
  for (uint i = word; i < word + WORDS_PER_LANE; i++)
    if (state.taken[i] != 0)
      atomicMax (end_slot, i * 32 + 32);
  // All invocations have read the state that is written next.
  memoryBarrierBuffer ();
  barrier ();
}

void begin_limited ()
{
  const uint[3] none = uint[3] (0, 0, 0);
  const uint[2] nothing = uint[2] (0, 0);

  summed.shares[gl_LocalInvocationID.x] = ModeShare (0, none, none);
  summed.trials[gl_LocalInvocationID.x] = ModeTrial (nothing, NO_CANDIDATE, nothing);
  if (gl_LocalInvocationID.x == 0) {
    summed.frame = frame;
    summed.n_centred = 0;
    state.limited.n_summits = state.limited.n_cells = 0;
  }
}

// Begins the list of bins and their modes.
void begin_owned (bool forgets)
{
  uint level = live_level ();

  state.n_owned_before = forgets || state.owned_level != level ? 0 : state.n_owned;
  state.turn = forgets ? 0 : state.turn ^ 1;
  state.n_owned = live.occupied[level];
  state.owned_level = level;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint slice = gl_LocalInvocationID.x, all;

  if (live.rest == SETTLED_AFTER) {
    if (slice < MAX_SLICES)
      state.mode_groups[slice][0] = 0;
    return;
  }
  // Held modes keep their colours in any light.
  if (frame.follows_motion != 0 && frame.holds_palette == HOLDS_NO_PALETTE)
    frame.light = find_light ();
  bool is_cut = is_cut ();
  bool begins_anew = is_cut || frame.begins_from != BEGINS_FROM_ALL;
  bool keeps_modes = frame.begins_from != BEGINS_FROM_NOTHING
      && (!is_cut || frame.holds_palette == HOLDS_PALETTE);
  uint n_free = take_slots (keeps_modes);

  number_free_slots (group_exclusive_scan (n_free, all));
  count_slots ();
  if (frame.limit.most != 0)
    begin_limited ();
  if (slice < MAX_SLICES)
    state.mode_groups[slice] = groups_of_slice (slice, end_slot, frame.modes_per_slice);
  if (slice == 0) {
    uint age = begins_anew ? 0 : min (state.age + frame.rates.ms, SETTLED_MS);

    state.age = age;
    state.begins_anew = uint (begins_anew);
    state.n_slots = end_slot;
    state.weight = state.n_heavy = 0;
    begin_owned (begins_anew || frame.follows_motion == 0);
    state.hysteresis = hysteresis_with (0, age);
    state.frame.light = motion.frame.light = frame.light;
    motion.age = age;
    motion.begins_anew = state.begins_anew;
  }
}
