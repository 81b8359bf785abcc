// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup computes how the light of blocks drifts, the hysteresis of their pixels, the
// noise, and the motion of the camera.
#include "core/group.glsl"
#define OF_MOTION
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;

// --- how the light of blocks changed along their vectors ---

// Returns the mean change of samples in eighths of a code value, or NO_CHANGE.
uint change_of (uint changes)
{
  uint n = changes >> CHANGE_COUNT_SHIFT;
  uint change = changes & (1u << CHANGE_COUNT_SHIFT) - 1;

  return n == 0 ? NO_CHANGE : min (8 * change / n, MOST_CHANGE);
}

// Returns the mean change of luma and of chroma, as of BlockColour, rounded.
ivec3 light_of (uint block)
{
  int n = int (state.blocks[block].changes >> CHANGE_COUNT_SHIFT);
  ivec3 light = ivec3 (0);

  for (uint i = 0; i < 3 && n != 0; i++)
    light[i] = floor_over (state.blocks[block].light[i] + 32 * n, 64 * n);
  return light;
}

// Returns the block in which the middle of a block was along its vector.
uint source_of (uint block)
{
  ivec2 vector = ivec2 (state.blocks[block].vector[0], state.blocks[block].vector[1]);
  ivec2 n = ivec2 (frame.blocks.columns, frame.blocks.rows);
  int shift = int (frame.blocks.shift);
  ivec2 middle = (ivec2 (block % n.x, block / n.x) << shift) + (1 << shift - 1);
  ivec2 source = clamp (middle + vector >> shift, ivec2 (0), n - 1);

  return uint (source.y * n.x + source.x);
}

// Returns the drift of the light of a block, on from where it was. begins_anew: the frame before
// does not count.
ivec3 drift_of (uint block, bool begins_anew)
{
  int before[3] = state.blocks[source_of (block)].drift;

  return begins_anew ? ivec3 (0) : clamp (ivec3 (before[0], before[1], before[2])
      + light_of (block), -MOST_DRIFT, MOST_DRIFT);
}

// --- unrest ---

// Unrest of each block, without its neighbours.
shared uint unrest[LUMA_BLOCKS];

// Returns the size of the component that drifts farthest.
uint size_of_drift (ivec3 drift)
{
  ivec3 sizes = abs (drift);

  return uint (max (sizes.x, max (sizes.y, sizes.z)));
}

// Returns the largest unrest of a block and the blocks around it.
uint unrest_around (uint i, uint columns, uint rows)
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
uint camera_with (bool begins_anew)
{
  uint n_searched = (frame.blocks.columns + 1) / 2 * ((frame.blocks.rows + 1) / 2);

  return begins_anew ? 0 : max (256 * state.n_moving / n_searched << 8,
      nearer (state.camera, 0, frame.rates.noise));
}

void look_at_light (uint camera, bool begins_anew)
{
  uint columns = frame.blocks.columns, rows = frame.blocks.rows, sum = 0, age = state.age;
  uint least = changes (frame.light) ? UNREST_MOST : 0;
  // Unrest is counted from this drift: more if more than a quarter of the blocks move, and
  // most from a half on.
  uint above = UNREST_MOST + (clamp (camera, 0x4000u, 0x8000u) - 0x4000u) / 32;
  ivec3 drifts[BLOCKS_PER_LANE];

  for (uint k = 0; k < BLOCKS_PER_LANE; k++) {
    uint b = gl_LocalInvocationID.x + 256 * k;

    if (b < columns * rows) {
      drifts[k] = drift_of (b, begins_anew);
      unrest[b] = clamp (size_of_drift (drifts[k]), above, above + UNREST_MOST) - above;
      sum += unrest[b];
    }
  }
  sum = group_sum (sum);
  // All invocations have read the drifts that are written next.
  memoryBarrierBuffer ();
  barrier ();
  if (gl_LocalInvocationID.x == 0)
    state.restlessness = sum / (2 * columns * rows);
  for (uint k = 0; k < BLOCKS_PER_LANE; k++) {
    uint b = gl_LocalInvocationID.x + 256 * k;

    if (b < columns * rows) {
      ivec3 drift = drifts[k] + (-drifts[k] * int (frame.rates.drift) + 2048 >> 12);

      state.blocks[b].drift = int[3] (drift.x, drift.y, drift.z);
      state.blocks[b].hysteresis =
          hysteresis_with (max (unrest_around (b, columns, rows), least), age);
    }
  }
}

// Number of blocks by their change.
shared uint n_blocks[MOST_CHANGE + 1];

// Returns noise that has a new value: more at once, less slowly, as a film that repeats
// frames, or codes them coarsely, has none from time to time.
uint noise_with (uint now)
{
  return state.noise == NO_NOISE ? now
      : max (now, nearer (state.noise, now, frame.rates.noise));
}

// Updates the noise by the median of the changes of blocks: most of a picture is at rest.
void look_at_noise (bool begins_anew)
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

void main ()
{
  load_grid ();
  load_frame ();
  bool begins_anew = state.begins_anew != 0;

  if (live.rest == SETTLED_AFTER)
    return;
  uint camera = camera_with (begins_anew);

  look_at_noise (begins_anew);
  look_at_light (camera, begins_anew);
  if (gl_LocalInvocationID.x == 0)
    state.camera = camera;
}
