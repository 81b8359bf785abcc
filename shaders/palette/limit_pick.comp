// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup gives the free slots to summits: one after the other, to that which
// weighs most, times its squared distance to the modes that there are by then.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "common/group.glsl"
#include "palette/steady.glsl"
#define TABLES 5
#include "palette/steady_mode.glsl"
#include "palette/limit.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/cell_mean.glsl"
layout (std430, binding = 8) readonly buffer List { uint list[]; };
layout (std430, binding = 9) readonly buffer Summits { uint summits[]; };
layout (std430, binding = 10) readonly buffer Weights { uint weights[]; };
// Of candidates, to the nearest mode, squared, or 0 where one is at home; each
// thread sees its own.
layout (std430, binding = 11) buffer Distances { uint distances[]; };

// Where there is no mode.
const uint NO_DISTANCE = 1;

uint
count_candidates ()
{
  return is_flat () ? grid.occupied[grid_level ()] : state.n_summits;
}

uint
candidate (uint number)
{
  return is_flat () ? number : summits[number];
}

// In a held frame there are none, unless there are no modes.
uint
count_free_slots ()
{
  uint n = 0;

  for (uint i = 0; i < LIMIT_WORDS; i++)
    n += bitCount (state.standing[i]);
  return state.holds_palette != HOLDS_NO_PALETTE && n > 0 ? 0
      : state.capacity - n;
}

// The distances, now that there is a mode in this place.
void
approach (ivec3 place, uint home, uint n, uint level, bool is_first)
{
  for (uint i = gl_LocalInvocationID.x; i < n; i += 256) {
    uint cell = list[candidate (i)];
    uint distance = cell == home ? 0
        : squared_distance (middle_of (cell, level), place);

    distances[i] = is_first ? distance : min (distances[i], distance);
  }
}

// To those that are left of the frame before. Returns whether there are any.
bool
approach_all (uint n, uint level)
{
  uint capacity = state.capacity;
  bool is_first = true;

  for (uint slot = 0; slot < capacity; slot++) {
    if (!stands (slot))
      continue;
    approach (place_of (slot), modes[slot].home, n, level, is_first);
    is_first = false;
  }
  return !is_first;
}

shared uint greatest, first_summit;

// The one with the greatest product, the first of several; NOBODY where that
// is 0.
uint
best_summit (uint n, bool has_modes)
{
  uint mine = 0, summit = NOBODY;

  for (uint i = gl_LocalInvocationID.x; i < n; i += 256) {
    uint at = candidate (i);
    uint product = leading_product (weights[at],
        has_modes ? distances[i] : NO_DISTANCE);

    if (product > mine || (product == mine && product > 0))
      summit = product > mine ? at : min (at, summit);
    mine = max (mine, product);
  }
  barrier ();
  if (gl_LocalInvocationID.x == 0) {
    greatest = 0;
    first_summit = NOBODY;
  }
  barrier ();
  atomicMax (greatest, mine);
  barrier ();
  if (mine == greatest)
    atomicMin (first_summit, summit);
  barrier ();
  return first_summit;
}

// Only the first thread sees what it writes.
uint
first_free_slot ()
{
  for (uint word = 0; word < LIMIT_WORDS; word++) {
    uint left = ~state.standing[word];

    if (left != 0)
      return word * 32 + findLSB (left);
  }
  return LIMIT_MOST;
}

shared ivec3 new_place;
shared uint new_home;

void
found (uint summit)
{
  uint colour = mean_colour (summit), slot = first_free_slot ();

  modes[slot].red = (colour >> 16) << 8;
  modes[slot].green = colour & 0xff00;
  modes[slot].blue = (colour & 255) << 8;
  show_mode (slot);
  new_place = place_of (slot);
  new_home = list[summit];
  modes[slot].home = new_home;
  state.mean_weights[slot] = NO_WEIGHT;
  state.standing[slot / 32] |= 1u << slot % 32;
}

void
main ()
{
  uint n_left = grid.changed == 0 ? 0 : count_free_slots ();

  if (n_left == 0)
    return;
  uint level = grid_level (), n = count_candidates ();
  bool has_modes = approach_all (n, level);

  for (; n_left > 0; n_left--) {
    uint summit = best_summit (n, has_modes);

    if (summit == NOBODY)
      return;
    if (gl_LocalInvocationID.x == 0)
      found (summit);
    barrier ();
    approach (new_place, new_home, n, level, !has_modes);
    has_modes = true;
  }
}
