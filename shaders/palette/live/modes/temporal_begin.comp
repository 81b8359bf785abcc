// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup begins a frame: detects a scene cut, and computes how the light of blocks
// drifts, the hysteresis of their pixels, the noise, the motion of the camera, and the free
// slots.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/motion_drift.glsl"

layout (local_size_x = 256) in;

const uint WORDS_PER_LANE = SLOT_WORDS / 256;

#define LUMA(i) state.blocks[i].luma
#define LUMA_BEFORE(i) state.blocks[i].luma_before
#include "palette/count/change.glsl"

bool
is_cut ()
{
  uint most = frame.blocks.cut_sum;

  return sum_of_changes (frame.blocks.columns * frame.blocks.rows) > most
      && most != 0 && frame.begins_from == BEGINS_FROM_ALL;
}

Hysteresis
hysteresis_with (uint unrest, uint age)
{
  uint margin = frame.hysteresis.margin * age * (UNREST_MOST - unrest)
      / (SETTLED_MS * UNREST_MOST);

  return Hysteresis (margin * margin,
      age < SETTLED_MS || unrest == UNREST_MOST ? 0 : frame.hysteresis.wait_ms);
}

// Unrest of each block, without its neighbours.
shared uint unrest[LUMA_BLOCKS];

// Returns the drift of luma from which unrest is counted: more if more than a quarter of
// the blocks move, and most from a half on.
uint
unrest_above (uint camera)
{
  return UNREST_MOST + (clamp (camera, 0x4000u, 0x8000u) - 0x4000u) / 32;
}

// Finds the unrest of block i, which it returns, and which is counted from a drift of
// `above`; then the drift decays.
uint
look_at_block (uint i, uint above)
{
  int drift = state.blocks[i].drift;

  unrest[i] = clamp (uint (abs (drift)), above, above + UNREST_MOST) - above;
  state.blocks[i].luma_before = state.blocks[i].luma;
  state.blocks[i].was_clipped = state.blocks[i].is_clipped;
  state.blocks[i].drift = drift + (-drift * int (frame.rates.drift) + 2048 >> 12);
  return unrest[i];
}

// Returns the largest unrest of a block and the blocks around it.
uint
unrest_around (uint i, uint columns, uint rows)
{
  uint x = i % columns, y = i / columns, most = 0;
  uvec2 end = min (uvec2 (x, y) + 2, uvec2 (columns, rows));

  for (uint row = max (y, 1) - 1; row < end.y; row++)
    for (uint column = max (x, 1) - 1; column < end.x; column++)
      most = max (most, unrest[row * columns + column]);
  return most;
}

// Returns Temporal.camera with the vectors of this frame. It decreases slowly, as a camera
// that shakes stands still where it turns.
uint
camera_with (bool begins_anew)
{
  uint n_searched = (frame.blocks.columns + 1) / 2 * ((frame.blocks.rows + 1) / 2);

  return begins_anew ? 0 : max (256 * state.n_moving / n_searched << 8,
      nearer (state.camera, 0, frame.rates.noise));
}

void
look_at_luma (uint age, uint camera)
{
  uint columns = frame.blocks.columns, rows = frame.blocks.rows, sum = 0;
  uint least = changes (frame.light) ? COMMON_UNREST : 0;
  uint above = unrest_above (camera);

  for (uint i = gl_LocalInvocationID.x; i < columns * rows; i += 256)
    sum += look_at_block (i, above);
  sum = group_sum (sum);
  if (gl_LocalInvocationID.x == 0)
    state.limited.restlessness = sum / (2 * columns * rows);
  barrier ();
  for (uint i = gl_LocalInvocationID.x; i < columns * rows; i += 256)
    state.blocks[i].hysteresis =
        hysteresis_with (max (unrest_around (i, columns, rows), least), age);
}

// Number of blocks by their change.
shared uint n_blocks[MOST_CHANGE + 1];

// Returns noise that has a new value: more at once, less slowly, as a film that repeats
// frames, or codes them coarsely, has none from time to time.
uint
noise_with (uint now)
{
  return state.noise == NO_NOISE ? now
      : max (now, nearer (state.noise, now, frame.rates.noise));
}

// Updates the noise by the median of the changes of blocks: most of a picture is at rest.
void
look_at_noise (bool begins_anew)
{
  uint i = gl_LocalInvocationID.x, all;
  uint n = frame.blocks.columns * frame.blocks.rows;

  n_blocks[i] = 0;
  if (i == 0)
    state.moved_above = MOVED_ABOVE (state.noise);
  barrier ();
  for (uint b = i; b < n; b += 256) {
    uint change = change_of (state.blocks[b].changes);

    if (change != NO_CHANGE)
      atomicAdd (n_blocks[change], 1);
  }
  barrier ();
  uint before = group_exclusive_scan (n_blocks[i], all);
  bool is_median = before <= all / 2 && before + n_blocks[i] > all / 2;

  if (begins_anew ? i == 0 : is_median)
    state.noise = begins_anew ? NO_NOISE : noise_with (i << 8);
}

void
keep_cells ()
{
  uint n = CELLS_ALONG * frame.blocks.columns * frame.blocks.rows;

  for (uint i = gl_LocalInvocationID.x; i < n; i += 256)
    state.cells_before[i] = state.cells[i];
}

uint
slots_of_word (uint word)
{
  return clamp (frame.capacity, word * 32, word * 32 + 32) - word * 32;
}

// Begins the bitmaps of slots; returns the number of free slots in the words of this
// invocation.
uint
take_slots (bool keeps_modes)
{
  uint word = gl_LocalInvocationID.x * WORDS_PER_LANE, n = 0;

  for (uint i = word; i < word + WORDS_PER_LANE; i++) {
    uint taken = keeps_modes ? state.owning[i] | state.in_use[i] : 0;

    state.taken[i] = taken;
    state.held[i] = keeps_modes ? state.in_use[i] : 0;
    state.owning[i] = frame.holds_palette != HOLDS_NO_PALETTE ? taken : 0;
    state.in_use[i] = 0;
    if (i < LIMIT_WORDS)
      state.limited.standing[i] = taken;
    n += slots_of_word (i) - bitCount (taken);
  }
  return n;
}

void
number_free_slots (uint before)
{
  uint word = gl_LocalInvocationID.x * WORDS_PER_LANE;

  for (uint i = word; i < word + WORDS_PER_LANE; i++) {
    state.free_before[i] = before;
    before += slots_of_word (i) - bitCount (state.taken[i]);
  }
}

shared uint end_slot;

// Sets end_slot to the end of the last word with a taken slot.
void
count_slots ()
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

void
write_groups (uint slice)
{
  uint first = slice * frame.modes_per_slice;
  uint n = clamp (end_slot, first, first + frame.modes_per_slice) - first;

  state.mode_groups[3 * slice] = (n + 255) / 256;
  state.mode_groups[3 * slice + 1] = 1;
  state.mode_groups[3 * slice + 2] = 1;
}

void
begin_limited ()
{
  const uint[3] none = uint[3] (0, 0, 0);
  const uint[2] nothing = uint[2] (0, 0);

  state.limited.shares[gl_LocalInvocationID.x] = ModeShare (0, none, none);
  state.limited.trials[gl_LocalInvocationID.x] =
      ModeTrial (nothing, 0, NO_CANDIDATE, nothing);
  if (gl_LocalInvocationID.x == 0) {
    state.limited.n_summits = 0;
    state.limited.newest = NO_SLOT;
  }
}

void
main ()
{
  load_grid ();
  load_frame ();
  uint slice = gl_LocalInvocationID.x, all;

  if (live.changed == 0) {
    if (slice < MAX_SLICES)
      state.mode_groups[3 * slice] = 0;
    return;
  }
  bool is_cut = is_cut ();
  bool begins_anew = is_cut || frame.begins_from != BEGINS_FROM_ALL;
  bool keeps_modes = frame.begins_from != BEGINS_FROM_NOTHING
      && (!is_cut || frame.holds_palette == HOLDS_PALETTE);
  uint age = begins_anew ? 0 : min (state.age + frame.rates.ms, SETTLED_MS);
  uint camera = camera_with (begins_anew);

  drift (frame.blocks.columns * frame.blocks.rows, begins_anew);
  look_at_luma (age, camera);
  keep_cells ();
  look_at_noise (begins_anew);
  uint n_free = take_slots (keeps_modes);

  number_free_slots (group_exclusive_scan (n_free, all));
  count_slots ();
  if (frame.limit.most != 0)
    begin_limited ();
  if (slice < MAX_SLICES)
    write_groups (slice);
  if (slice == 0) {
    state.age = age;
    state.camera = camera;
    state.begins_anew = uint (begins_anew);
    state.n_slots = end_slot;
    state.hysteresis = hysteresis_with (0, age);
  }
}
