// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup lists the modes with most pixels.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "palette/cells.h"
#include "palette/steady.h"
#include "palette/census.h"

layout (local_size_x = 256) in;

layout (std430, binding = 0) readonly buffer Grid { PaletteGrid grid; };
layout (std430, binding = 1) readonly buffer Modes { SteadyMode modes[]; };
layout (std430, binding = 2) readonly buffer Counters { uint counters[]; };
layout (std430, binding = 3) writeonly buffer List { Census census; };
layout (push_constant) uniform Push
{
  uint recount;
};

shared uint shared_end, shared_most;

// Returns the pixels that have been counted. end: behind the last slot that has
// any; most: pixels that one has.
uint
look_at_all (out uint end, out uint most)
{
  uint n = 0;

  end = most = 0;
  if (gl_LocalInvocationID.x == 0) {
    shared_end = shared_most = 0;
    n = counters[CENSUS_WITHOUT_MODE];
  }
  for (uint slot = gl_LocalInvocationID.x; slot < MODE_CAPACITY; slot += 256) {
    uint count = counters[slot];

    n += count;
    most = max (most, count);
    if (count != 0)
      end = slot + 1;
  }
  n = group_sum (n);
  atomicMax (shared_end, end);
  atomicMax (shared_most, most);
  barrier ();
  end = shared_end;
  most = shared_most;
  return n;
}

uint
count_modes (uint end, uint least)
{
  uint n = 0;

  for (uint slot = gl_LocalInvocationID.x; slot < end; slot += 256)
    n += uint (counters[slot] >= least);
  return group_sum (n);
}

// Pixels that the last in the list has: as many modes have no fewer as there is
// room for, or 1 where there are not as many.
uint
find_least (uint end, uint most)
{
  uint low = 1, high = most;

  while (low < high) {
    uint middle = high - (high - low) / 2;

    if (count_modes (end, middle) >= CENSUS_MODES)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

shared uint listed_slots[CENSUS_MODES], listed_counts[CENSUS_MODES];

void
list (uint at, uint slot)
{
  if (at < CENSUS_MODES) {
    listed_slots[at] = slot;
    listed_counts[at] = counters[slot];
  }
}

// All that have more pixels, and of those that have as many the first ones, both
// in the order of slots. Returns how many there are.
uint
choose (uint end, uint least)
{
  uint n_slots = (end + 255) / 256;
  uint first = gl_LocalInvocationID.x * n_slots;
  uint behind = min (first + n_slots, end);
  uint more = 0, equal = 0, all_more, all_equal;

  for (uint slot = first; slot < behind; slot++) {
    more += uint (counters[slot] > least);
    equal += uint (counters[slot] == least);
  }
  more = group_exclusive_scan (more, all_more);
  equal = all_more + group_exclusive_scan (equal, all_equal);
  for (uint slot = first; slot < behind; slot++) {
    uint count = counters[slot];

    if (count >= least)
      list (count > least ? more++ : equal++, slot);
  }
  barrier ();
  return min (all_more + all_equal, CENSUS_MODES);
}

// Where it belongs.
uint
rank_of (uint at, uint n)
{
  uint count = listed_counts[at], rank = 0;

  for (uint i = 0; i < n; i++)
    rank += uint (listed_counts[i] > count
        || (listed_counts[i] == count && i < at));
  return rank;
}

void
write_mode (uint at, uint rank)
{
  uint slot = listed_slots[at];

  census.modes[rank].colour = modes[slot].shown;
  census.modes[rank].n = listed_counts[at];
  for (uint i = 0; i < 3; i++)
    census.modes[rank].place[i] = modes[slot].place[i];
}

void
main ()
{
  uint at = gl_LocalInvocationID.x, end, most;

  if (grid.changed == 0 && recount == 0)
    return;
  uint n_pixels = look_at_all (end, most);
  uint n = choose (end, find_least (end, most));

  if (at < n)
    write_mode (at, rank_of (at, n));
  if (at == 0) {
    census.n_pixels = n_pixels;
    census.n_modes = n;
  }
}
