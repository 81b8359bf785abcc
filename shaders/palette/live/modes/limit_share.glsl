// SPDX-License-Identifier: LGPL-2.1-or-later
// Shares of modes. Include after limit.glsl and bin_mean.glsl; define SUMMED
// as the struct ModeSums to which they are added.

// Of a workgroup, added up in shared memory first, as there are few modes.
shared ModeShare shares[LIMIT_MOST];

DEFINE_ADD (add_to_group, shares[i])
DEFINE_ADD (add_to_frame, SUMMED.shares[i])

// Adds a bin to the share of its mode, if it is near.
void add_bin (uint i, uint slot, ivec3 middle)
{
  if (squared_distance (middle, place_of (slot)) <= frame.limit.ball)
    add_to_group (slot, sums[i].n, wide_sums (i));
}

// Adds the share of the workgroup, once all its bins are added, to that of the frame.
void add_share (uint slot)
{
  ModeShare share = shares[slot];

  if (share.n != 0)
    add_to_frame (slot, share.n, sums_of_share (share));
}
