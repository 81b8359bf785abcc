// SPDX-License-Identifier: LGPL-2.1-or-later
// Begins a round with the listed walkers, or with the last max_walkers of them. If
// groups of the current round are left, continues with these instead. If the budget of
// the submission is spent, begins nothing. Runs as one invocation.
#include "palette/exact/walk/control.glsl"

layout (local_size_x = 1) in;
layout (push_constant) uniform Push
{
  uint max_groups;              // most groups in a dispatch
  uint max_walkers;             // most walkers in a round
  uint max_units;               // units after which no round begins
  uint n_blocks;                // blocks of cells
};

uint begin_round ()
{
  uint listed = control[CONTROL_ACTIVE];
  uint walkers = min (listed, max_walkers);

  control[CONTROL_ACTIVE] = listed - walkers;
  control[CONTROL_ROUND_FIRST] = listed - walkers;
  control[CONTROL_ROUND_WALKERS] = walkers;
  control[CONTROL_ORDERED] = 0;
  control[CONTROL_GROUPS] = 0;
  control[CONTROL_NEXT_GROUP] = 0;
  if (walkers > 0)
    control[CONTROL_ROUNDS]++;
  return walkers;
}

void main ()
{
  uint walkers = 0;
  bool is_spent = control[CONTROL_SPENT_BEFORE] + control[CONTROL_SPENT] >= max_units;

  if (!is_spent
      && control[CONTROL_NEXT_GROUP] == control[CONTROL_GROUPS])
    walkers = begin_round ();
  set_groups (CONTROL_WALKER_GROUPS, (walkers + 255) / 256);
  set_groups (CONTROL_BLOCK_GROUPS, walkers == 0 ? 0 : (n_blocks + 255) / 256);
  // A new round has no groups yet: order.comp takes them.
  take_groups (is_spent ? 0 : max_groups);
}
