// SPDX-License-Identifier: LGPL-2.1-or-later
// Finds the vector along which each block fits best. One workgroup for each block.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define OF_MOTION
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/motion.glsl"

// --- the common vector ---

// Words with a value and its votes: the largest one is that of the chosen value. The votes begin at
// bit VOTES_SHIFT. Of values with as many votes, the low bits are larger for the smaller absolute
// value, and then for the negative one.
const uint VOTES_SHIFT = 12;
const uint MOST_PREFERRED = (1u << VOTES_SHIFT) - 1;
shared uint most_votes[2];

int value_with (uint preference)
{
  int order = int (MOST_PREFERRED - (preference & MOST_PREFERRED));

  return (order & 1) != 0 ? -(order + 1) / 2 : order / 2;
}

void find_most_votes (uint axis)
{
  int farthest = farthest_common ();
  uint most = 0;

  for (int value = int (gl_LocalInvocationID.x) - farthest; value <= farthest;
      value += int (GROUP_THREADS))
    most = max (most, state.votes[axis * VOTES + value + MOST_COMMON] << VOTES_SHIFT
        | MOST_PREFERRED - (2 * abs (value) - int (value < 0)));
  most = subgroupMax (most);
  if (subgroupElect ())
    atomicMax (most_votes[axis], most);
}

ivec2 common_vector ()
{
  if (gl_LocalInvocationID.x < 2)
    most_votes[gl_LocalInvocationID.x] = 0;
  barrier ();
  find_most_votes (0);
  find_most_votes (1);
  barrier ();
  return ivec2 (value_with (most_votes[0]), value_with (most_votes[1]));
}

// --- differences ---

// The vectors that are compared: none, the common one, and those that were found for
// blocks around.
const uint MOST_VECTORS = 6;
shared uint sums[MOST_VECTORS];

// Adds the differences of what this invocation compares.
void compare (uint i, ivec2 begin, ivec2 vector)
{
  uint sum = 0;

  for (uint k = 0; k < COMPARED_HERE; k++)
    if ((compared[k] & TRANSPARENT) == 0)
      sum += difference_of (colour_before_at (begin + place_of_compared (k) + vector),
          compared[k]);
  sum = subgroupAdd (sum);
  if (subgroupElect ())
    atomicAdd (sums[i], sum);
}

struct Vectors
{
  uint n;
  ivec2 of[MOST_VECTORS];
};

// Adds a vector, unless it is there already.
void add (inout Vectors vectors, ivec2 vector)
{
  for (uint i = 0; i < vectors.n; i++)
    if (vectors.of[i] == vector)
      return;
  vectors.of[vectors.n++] = vector;
}

// Adds those of the blocks around that were searched, or of the block itself.
void add_found (inout Vectors vectors, ivec2 block)
{
  ivec2 n = ivec2 (frame.blocks.columns, frame.blocks.rows);
  ivec2 first = block & ~1, last = min (block + 1 & ~1, n - 1 & ~1);

  for (int y = first.y; y <= last.y; y += 2)
    for (int x = first.x; x <= last.x; x += 2) {
      uint number = y * n.x + x;

      add (vectors, ivec2 (state.blocks[number].found[0],
              state.blocks[number].found[1]));
    }
}

void keep_best (uint number, Vectors vectors, uint with_common)
{
  uint best = 0;

  for (uint i = 1; i < vectors.n; i++)
    if (sums[i] < sums[best] || sums[i] == sums[best]
        && comes_before (vectors.of[i], vectors.of[best]))
      best = i;
  state.blocks[number].best = int[2] (vectors.of[best].x, vectors.of[best].y);
  state.blocks[number].with_best = sums[best];
  state.blocks[number].without = sums[0];
  state.blocks[number].with_common = with_common;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint number = first / 256 + gl_WorkGroupID.x, lane = gl_LocalInvocationID.x;
  ivec2 block = ivec2 (number % frame.blocks.columns, number / frame.blocks.columns);
  ivec2 begin = block << frame.blocks.shift, commonest = common_vector ();
  Vectors vectors;

  vectors.n = 0;
  add (vectors, ivec2 (0));
  add (vectors, commonest);
  uint of_common = vectors.n - 1;
  add_found (vectors, block);
  load_compared (begin);
  if (lane < MOST_VECTORS)
    sums[lane] = 0;
  barrier ();
  for (uint i = 0; i < vectors.n; i++)
    compare (i, begin, vectors.of[i]);
  barrier ();
  if (lane != 0)
    return;
  keep_best (number, vectors, sums[of_common]);
  if (is_searched (block) && state.blocks[number].is_clear == 0) {
    atomicAdd (state.without, sums[0]);
    atomicAdd (state.with_common, sums[of_common]);
  }
  if (number == 0)
    state.commonest = int[2] (commonest.x, commonest.y);
}
