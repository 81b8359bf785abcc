// SPDX-License-Identifier: LGPL-2.1-or-later
// Sizes indirect dispatches in the control buffer.
#include "palette/exact/shared.h"

layout (std430, binding = 0) buffer Control { uint control[]; };

// Sets the counts of n workgroups, as two dimensions, since devices need not accept more than
// 65535 workgroups along an axis.
void set_groups (uint at, uint n)
{
  control[at] = min (n, 32768);
  control[at + 1] = (n + 32767) / 32768;
  control[at + 2] = 1;
}

// The next dispatch of the walk takes the groups left, max_groups at most.
void take_groups (uint max_groups)
{
  uint next = control[CONTROL_NEXT_GROUP];
  uint n = min (control[CONTROL_GROUPS] - next, max_groups);

  control[CONTROL_FIRST_GROUP] = next;
  control[CONTROL_NEXT_GROUP] = next + n;
  control[CONTROL_SPENT_BEFORE] += control[CONTROL_SPENT];
  control[CONTROL_SPENT] = 0;
  set_groups (CONTROL_WALK_GROUPS, n);
}
