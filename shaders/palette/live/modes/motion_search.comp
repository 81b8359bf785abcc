// SPDX-License-Identifier: LGPL-2.1-or-later
// Searches the place where one block in four was in the frame before: among its cells,
// then in smaller and smaller steps among its pixels. One workgroup for each block.
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#define OF_MOTION
#include "palette/live/modes/temporal.glsl"
#include "palette/live/modes/motion.glsl"

// --- cells ---

const int REACH = CELLS_ALONG;  // of the search, in cells
const int ACROSS = 2 * REACH + 1;

// Words of vectors: the smallest one is that of the chosen vector. The low bits are its number, in
// raster order; from bit LENGTH_SHIFT on follows the square of its length, then its difference.
const uint LENGTH_SHIFT = 7, DIFFERENCE_SHIFT = 13;
shared uint best_of_cells;

// Returns a row of cells of a block of the frame before; 0 beyond the edges.
uint cells_before (ivec2 at)
{
  ivec2 n = ivec2 (frame.blocks.columns, frame.blocks.rows * CELLS_ALONG);

  return all (greaterThanEqual (at, ivec2 (0))) && all (lessThan (at, n))
      ? state.cells_before[at.y * n.x + at.x] : 0;
}

uint sum_of_differences (uint a, uint b)
{
  uint sum = 0;

  for (uint i = 0; i < 32; i += 8)
    sum += uint (abs (int (a >> i & 255) - int (b >> i & 255)));
  return sum;
}

// Returns four of the cells of two words, from cell number `from` on: 0…4.
uint four_cells (uint left, uint right, uint from)
{
  return from == 0 ? left : from == 4 ? right : left >> 8 * from | right << 32 - 8 * from;
}

// Compares the block with all vectors that have this y, in cells.
void search_row (ivec2 block, int y)
{
  uint differences[ACROSS];
  uint best = NOBODY;

  for (int x = 0; x < ACROSS; x++)
    differences[x] = 0;
  for (int row = 0; row < CELLS_ALONG; row++) {
    ivec2 at = ivec2 (block.x, block.y * CELLS_ALONG + row);
    uint now = state.cells[at.y * frame.blocks.columns + at.x];
    uint before[3];

    for (int i = 0; i < 3; i++)
      before[i] = cells_before (at + ivec2 (i - 1, y));
    for (int x = 0; x < ACROSS; x++)
      differences[x] += sum_of_differences (now, x < REACH
          ? four_cells (before[0], before[1], x)
          : four_cells (before[1], before[2], x - REACH));
  }
  for (int x = 0; x < ACROSS; x++) {
    uint number = (y + REACH) * ACROSS + x;
    uint size = (x - REACH) * (x - REACH) + y * y;

    best = min (best, differences[x] << DIFFERENCE_SHIFT | size << LENGTH_SHIFT | number);
  }
  atomicMin (best_of_cells, best);
}

// Returns the best vector, in pixels.
ivec2 search_cells (ivec2 block)
{
  int lane = int (gl_LocalInvocationID.x);

  if (lane == 0)
    best_of_cells = NOBODY;
  barrier ();
  if (lane < ACROSS)
    search_row (block, lane - REACH);
  barrier ();
  int number = int (best_of_cells & (1u << LENGTH_SHIFT) - 1);

  return ivec2 (number % ACROSS - REACH, number / ACROSS - REACH) << frame.blocks.shift - 2;
}

// --- pixels ---

const uint NEAR = 9;            // vectors that a step compares

// Sums of differences, two to a word: of this step, of the next one, and those that slow
// invocations still read.
const uint SUM_WORDS = (NEAR + 1) / 2;
shared uint sums[3][SUM_WORDS];

ivec2 vector_near (ivec2 vector, int by, uint i)
{
  return vector + by * ivec2 (int (i % 3) - 1, int (i / 3) - 1);
}

// Adds the differences of what this invocation compares.
void compare (ivec2 begin, ivec2 vector, int by, uint turn)
{
  uint words[SUM_WORDS];

  for (uint i = 0; i < SUM_WORDS; i++)
    words[i] = 0;
  for (uint k = 0; k < COMPARED_HERE; k++)
    if ((compared[k] & TRANSPARENT) == 0)
      for (uint i = 0; i < NEAR; i++)
        words[i / 2] += difference_of (colour_before_at (begin
                + place_of_compared (k) + vector_near (vector, by, i)),
            compared[k]) << 16 * (i % 2);
  for (uint i = 0; i < SUM_WORDS; i++) {
    uint sum = subgroupAdd (words[i]);

    if (subgroupElect ())
      atomicAdd (sums[turn][i], sum);
  }
}

struct Found
{
  ivec2 vector;
  uint least, most;             // differences, of all that were compared
};

Found best_near (ivec2 vector, int by, uint turn)
{
  Found found = Found (ivec2 (0), NOBODY, 0);

  for (uint i = 0; i < NEAR; i++) {
    uint difference = sums[turn][i / 2] >> 16 * (i % 2) & 0xffff;
    ivec2 near = vector_near (vector, by, i);

    found.most = max (found.most, difference);
    if (difference < found.least
        || difference == found.least && comes_before (near, found.vector)) {
      found.least = difference;
      found.vector = near;
    }
  }
  return found;
}

Found search_pixels (ivec2 begin, ivec2 vector)
{
  uint lane = gl_LocalInvocationID.x, shift = frame.blocks.shift, turn = 0;
  Found found = Found (vector, 0, 0);

  load_compared (begin);
  if (lane < SUM_WORDS)
    sums[0][lane] = 0;
  barrier ();
  for (int by = 1 << shift - 3; by > 0; by >>= 1) {
    uint next = (turn + 1) % 3;

    if (lane < SUM_WORDS)
      sums[next][lane] = 0;
    compare (begin, found.vector, by, turn);
    barrier ();
    found = best_near (found.vector, by, turn);
    turn = next;
  }
  return found;
}

void vote (ivec2 vector)
{
  for (uint axis = 0; axis < 2; axis++)
    if (abs (vector[axis]) <= MOST_COMMON)
      atomicAdd (state.votes[axis * VOTES + vector[axis] + MOST_COMMON], 1);
}

void main ()
{
  load_grid ();
  load_frame ();
  uint number = first / 256 + gl_WorkGroupID.x;
  ivec2 block = ivec2 (number % frame.blocks.columns, number / frame.blocks.columns);
  ivec2 begin = block << frame.blocks.shift;

  if (!is_searched (block))
    return;
  Found found = search_pixels (begin, search_cells (block));
  bool is_clear = 3 * found.most > 4 * found.least;

  if (gl_LocalInvocationID.x != 0)
    return;
  state.blocks[number].found = int[2] (found.vector.x, found.vector.y);
  state.blocks[number].is_clear = uint (is_clear);
  if (is_clear) {
    vote (found.vector);
    if (found.vector != ivec2 (0))
      atomicAdd (state.n_moving, 1);
  }
}
