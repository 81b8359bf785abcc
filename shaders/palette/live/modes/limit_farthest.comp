// SPDX-License-Identifier: LGPL-2.1-or-later
// One workgroup fills free slots with summits, one after the other: each time the
// summit with the greatest product of its weight and its squared distance to the
// nearest mode so far. A dispatch fills FARTHEST_PER_DISPATCH slots at most, as CPU
// devices leave loops after 65535 rounds in total.
#include "palette/live/modes/limit.glsl"
#include "palette/live/modes/shown_mode.glsl"

layout (local_size_x = 256) in;
#define MEAN 6
#include "palette/live/bin_mean.glsl"
layout (std430, binding = 8) readonly buffer List { uint list[]; };
layout (std430, binding = 9) readonly buffer Summits { uint summits[]; };
layout (std430, binding = 10) readonly buffer Weights { uint weights[]; };
// Squared distance of each candidate to the nearest mode, 0 if a mode's home is its bin, NOBODY
// if there is no mode.
// Each invocation accesses its own candidates only.
layout (std430, binding = 11) buffer Distances { uint distances[]; };

struct Candidate
{
  uint at;                      // the place of its bin
  uint summit;                  // its word
  uint weight, distance;
  ivec3 middle;
};

Candidate load_candidate (uint number, uint level)
{
  uint summit = is_flat () ? number : summits[number];
  uint at = place_of_summit (summit);

  return Candidate (at, summit, weights[at], distances[at], middle_of (list[at], level));
}

// The newest mode, and the candidate that it was.
shared ivec3 new_place;
shared uint new_summit;

// Returns the distance of a candidate to the nearest mode, now that there is a new one.
uint distance_with_new (Candidate candidate)
{
  return candidate.at == new_summit ? 0
      : min (candidate.distance, distance_of_summit (candidate.summit,
          squared_distance (candidate.middle, new_place)));
}

// A candidate and its product; NOBODY with product 0.
struct Best
{
  uint product, summit;
};

// Returns the one with the greater product, of two with the same the first.
Best better_of (Best a, Best b)
{
  return a.product > b.product || (a.product == b.product && a.summit < b.summit) ? a : b;
}

Best better_with (Best best, Candidate candidate)
{
  uint product = leading_product (candidate.weight,
      candidate.distance == NOBODY ? 1 : candidate.distance);

  return product == 0 ? best : better_of (best, Best (product, candidate.at));
}

// The first candidates of an invocation, which stay in registers, as all are looked at again and
// again. The others are loaded each time.
const uint KEPT = 8;
Candidate kept[KEPT];

void load_kept (uint n, uint level)
{
  for (uint k = 0; k < KEPT; k++) {
    uint number = gl_LocalInvocationID.x + k * 256;

    kept[k] = Candidate (NOBODY, 0, 0, 0, ivec3 (0));
    if (number < n)
      kept[k] = load_candidate (number, level);
  }
}

void store_kept ()
{
  for (uint k = 0; k < KEPT; k++)
    if (kept[k].at != NOBODY)
      distances[kept[k].at] = kept[k].distance;
}

// Compares the candidates of an invocation with the new mode, if there is one. Returns the best
// of them.
Best best_of_thread (uint n, uint level, bool has_new)
{
  Best best = Best (0, NOBODY);

  for (uint k = 0; k < KEPT; k++) {
    if (has_new)
      kept[k].distance = distance_with_new (kept[k]);
    best = better_with (best, kept[k]);
  }
  for (uint first = KEPT * 256; first < n; first += 256) {
    uint number = first + gl_LocalInvocationID.x;

    if (number >= n)
      continue;
    Candidate candidate = load_candidate (number, level);

    if (has_new) {
      candidate.distance = distance_with_new (candidate);
      distances[candidate.at] = candidate.distance;
    }
    best = better_with (best, candidate);
  }
  return best;
}

shared uint greatest, first_summit;

// Returns the candidate with the greatest product, the first of several; NOBODY if the
// greatest product is 0. mine: the best of those of an invocation. All invocations of the
// workgroup call it.
uint best_of_group (Best mine)
{
  barrier ();
  if (gl_LocalInvocationID.x == 0) {
    greatest = 0;
    first_summit = NOBODY;
  }
  barrier ();
  atomicMax (greatest, mine.product);
  barrier ();
  if (mine.product == greatest)
    atomicMin (first_summit, mine.summit);
  barrier ();
  return first_summit;
}

// Takes the first free slot. The first invocation calls it: others do not see what it writes to
// the bitmap.
uint take_slot ()
{
  uint word = 0;

  while (state.limited.standing[word] == 0xffffffffu)
    word++;
  uint slot = word * 32 + findLSB (~state.limited.standing[word]);

  state.limited.standing[word] |= 1u << slot % 32;
  return slot;
}

// Makes the summit a mode.
void make_mode (uint summit)
{
  uint slot = take_slot ();

  set_colour (slot, mean_colour (summit));
  show_mode (slot);
  modes[slot].home = list[summit];
  // In a held frame all modes stay, even one that no summit is assigned to.
  if (frame.holds_palette != HOLDS_NO_PALETTE)
    own (slot);
  new_place = place_of (slot);
  new_summit = summit;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint n_left = live.rest == SETTLED_AFTER ? 0
      : min (count_free_slots (), FARTHEST_PER_DISPATCH);

  if (n_left == 0)
    return;
  uint level = live_level (), n = is_flat () ? live.occupied[level] : state.limited.n_summits;

  load_kept (n, level);
  Best mine = best_of_thread (n, level, false);

  for (; n_left > 0; n_left--) {
    uint summit = best_of_group (mine);

    if (summit == NOBODY)
      break;
    if (gl_LocalInvocationID.x == 0)
      make_mode (summit);
    barrier ();
    mine = best_of_thread (n, level, true);
  }
  store_kept ();
}
