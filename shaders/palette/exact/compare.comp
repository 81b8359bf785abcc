// SPDX-License-Identifier: LGPL-2.1-or-later
// Compares the listed colours and their weights with the kept ones of the last solve. A
// colour that is not listed counts as one with weight 0. A first dispatch counts the
// colours whose weight changed. Unless these are too many, a second one, with
// is_marking, marks the cells with a place within the radius of such a colour.
#extension GL_KHR_shader_subgroup_ballot : require
#include "palette/count/blocks.h"
#include "palette/exact/grid.glsl"
#include "palette/exact/marks.glsl"
#include "palette/count/numbers.glsl"

layout (local_size_x = 256) in;

layout (std430, binding = 0) readonly buffer Tables { uint tables[]; };
layout (std430, binding = 1) readonly buffer List { uint list[]; };
layout (std430, binding = 2) readonly buffer Weights { uint weights[]; };
layout (std430, binding = 3) readonly buffer KeptList { uint kept_list[]; };
layout (std430, binding = 4) readonly buffer KeptWeights { uint kept_weights[]; };
layout (std430, binding = 5) readonly buffer Blocks { PaletteBlocks blocks; };
layout (std430, binding = 6) buffer Marks { uint marks[]; };
layout (std430, binding = 7) buffer Control { uint control[]; };
layout (push_constant) uniform Push
{
  uint first, end;
  uint shift;
  uint n_kept;
  int radius_squared;
  uint reach;                   // the radius, rounded up
  uint cell_shift;              // log2 of the side of cells that are marked
  uint is_marking;              // 0: count changed colours; 1: mark the cells around
};

#include "palette/oklab.glsl"

// --- marks ---

// Returns the distance from coordinate x to a cell along one axis.
int distance_to (uint x, uint cell)
{
  int low = int (cell << cell_shift), high = low + (1 << cell_shift) - 1;

  return max (max (low - int (x), int (x) - high), 0);
}

// Marks all cells of a column that overlap the coordinates low to high along L.
void mark_run (uint column, uint low, uint high)
{
  uint from = low >> cell_shift, to = high >> cell_shift;

  for (uint word = from >> 5; word <= to >> 5; word++) {
    uint bits = 0xffffffffu;

    if (word == from >> 5)
      bits &= 0xffffffffu << (from & 31);
    if (word == to >> 5)
      bits &= 0xffffffffu >> (31 - (to & 31));
    atomicOr (marks[column + word_in_column (word << 5)], bits);
  }
}

void mark_around (uvec2 point)
{
  uvec3 x = coordinates_of (point);
  uvec3 from = (x - min (x, uvec3 (reach))) >> cell_shift;
  uvec3 to = (x + reach) >> cell_shift;

  for (uint a = from.y; a <= to.y; a++)
    for (uint b = from.z; b <= to.z; b++) {
      int of_a = distance_to (x.y, a), of_b = distance_to (x.z, b);
      int left = radius_squared - of_a * of_a - of_b * of_b;

      if (left >= 0) {
        // Not less than the square root, whatever its rounding.
        uint half_run = uint (sqrt (float (left))) + 2;

        mark_run (words_of_column (a, b), x.x - min (x.x, half_run), x.x + half_run);
      }
    }
}

// --- colours ---

#define DEFINE_SEARCH(name, numbers) \
uint \
name (uint number, uint n) \
{ \
  uint low = 0; \
  while (n > 0) { \
    uint before = n / 2; \
    if (number_of_colour (numbers[low + before]) < number) { \
      low += before + 1; \
      n -= before + 1; \
    } else \
      n = before; \
  } \
  return low; \
}

// Binary search: the index of a colour's number in a list of n; if it is missing, the
// index where it would be inserted.
DEFINE_SEARCH (search_list, list)
DEFINE_SEARCH (search_kept, kept_list)

// All invocations call it.
void add_to_control (uint at, bool counts)
{
  uvec4 ballot = subgroupBallot (counts);

  if (subgroupElect () && ballot != uvec4 (0))
    atomicAdd (control[at], subgroupBallotBitCount (ballot));
}

// All invocations call it.
void note_change (bool is_changed, uint colour)
{
  if (is_marking == 0)
    add_to_control (CONTROL_CHANGED_COLOURS, is_changed);
  else if (is_changed)
    mark_around (pack_point (point_of_colour (colour, shift)));
}

void compare_listed (uint i, uint n)
{
  bool is_added = false, is_changed = false;
  uint colour = 0;

  if (i < n) {
    colour = list[i];
    uint at = search_kept (number_of_colour (colour), n_kept);

    is_added = at >= n_kept || kept_list[at] != colour;
    is_changed = weights[i] != (is_added ? 0 : kept_weights[at]);
  }
  if (is_marking == 0)
    add_to_control (CONTROL_ADDED, is_added);
  note_change (is_changed, colour);
}

// Compares a kept colour that is not listed any more; others were compared already.
void compare_kept (uint i, uint n)
{
  bool is_changed = false;
  uint colour = 0;

  if (i < n_kept) {
    colour = kept_list[i];
    uint at = search_list (number_of_colour (colour), n);

    is_changed = (at >= n || list[at] != colour) && kept_weights[i] != 0;
  }
  note_change (is_changed, colour);
}

void main ()
{
  // If there is no room for all colours, the host makes room and dispatches this again.
  uint n = min (blocks.n_colours, list.length ());

  if (is_marking != 0
      && control[CONTROL_CHANGED_COLOURS] > MOST_CHANGED (n))
    return;

  uint i = first + gl_GlobalInvocationID.x;
  bool exists = i < min (end, n);

  compare_listed (exists ? i : n, n);
  // Kept colours from 2 n on are not compared: with so many removed, too many changed
  // (is_all_marked() in exact.c).
  compare_kept (exists ? i : n_kept, n);
  compare_kept (exists ? i + n : n_kept, n);
}
