// SPDX-License-Identifier: LGPL-2.1-or-later
// Assigns each summit to a mode. Counts the summits that are to become modes, and numbers
// those of each workgroup. Adds up the weight of all bins.
#include "core/group.glsl"
#include "palette/live/modes/temporal.glsl"

layout (local_size_x = 256) in;
layout (std430, binding = 5) readonly buffer List { uint list[]; };
layout (std430, binding = 6) readonly buffer Uphill { uint uphill[]; };
layout (std430, binding = 7) readonly buffer Homes { uint homes[]; };
layout (std430, binding = 8) writeonly buffer Claims { uint claims[]; };
layout (std430, binding = 9) writeonly buffer Totals { uint totals[]; };
layout (std430, binding = 10) readonly buffer Sums { BinSums sums[]; };
layout (push_constant) uniform Push { uint first, end; };

// Returns the mode with the nearest home among this bin and the 26 around it, or NOBODY.
uint mode_near (uint bin, uint level)
{
  Run columns[COLUMNS_AROUND] = columns_around (bin, level);
  uint nearest = NOBODY;
  int least = 4;

  for (int column = 0; column < int (COLUMNS_AROUND); column++) {
    int a = column / 3 - 1, b = column % 3 - 1;

    for (Run run = columns[column]; run.bits != 0; run.bits &= run.bits - 1) {
      int l = findLSB (run.bits) - 1, distance = a * a + b * b + l * l;
      uint slot = homes[run.place++];

      if (slot != NOBODY && distance < least) {
        least = distance;
        nearest = slot;
      }
    }
  }
  return nearest;
}

// Returns the nearest mode of a held palette, at any distance; NOBODY if there is none.
uint nearest_mode (uint bin, uint level)
{
  ivec3 middle = middle_of (bin, level);
  uint n_words = min (state.n_slots, NEAREST_SLOTS) / 32;
  uint nearest = NOBODY, least = NOBODY;

  for (uint word = 0; word < n_words; word++)
    for (uint left = state.taken[word]; left != 0; left &= left - 1) {
      uint slot = word * 32 + findLSB (left);
      uint distance = squared_distance (middle, place_of (slot));

      if (distance < least) {
        least = distance;
        nearest = slot;
      }
    }
  return nearest;
}

uint owner_of (uint bin, uint level)
{
  uint slot = frame.is_given != 0 ? NOBODY : mode_near (bin, level);

  return slot == NOBODY && frame.holds_palette != HOLDS_NO_PALETTE
      ? nearest_mode (bin, level) : slot;
}

// Returns the claim of a summit. A summit without weight does not become a mode.
uint assign (uint summit, uint level)
{
  bool weighs = sums[summit].n != 0;
  uint slot = weighs || frame.holds_palette != HOLDS_NO_PALETTE
      ? owner_of (list[summit], level) : NOBODY;

  if (slot != NOBODY)
    return slot;
  return weighs ? SUMMIT_IS_NEW : COLOURS_STAY;
}

void main ()
{
  load_grid ();
  load_frame ();
  uint i = first + gl_GlobalInvocationID.x, level = live_level (), claim = COLOURS_STAY, n;
  bool is_summit = i < min (end, live.occupied[level]) && uphill[i] == i;

  if (is_summit) {
    claim = assign (i, level);
    if (claim < MODE_CAPACITY)
      own (claim);
  }
  uint number = group_exclusive_scan (uint (claim == SUMMIT_IS_NEW), n);
  uint weight = group_sum (i < min (end, live.occupied[level]) ? sums[i].n : 0);

  if (is_summit)
    claims[i] = claim == SUMMIT_IS_NEW ? claim | number : claim;
  if (gl_LocalInvocationID.x == 0) {
    totals[first / 256 + gl_WorkGroupID.x] = n;
    atomicAdd (state.weight, weight);
  }
}
