// SPDX-License-Identifier: LGPL-2.1-or-later
// Words of the control buffer; gpu/palette/work.h lists the same.
const uint CONTROL_CHANGED_PIXELS = 0;
const uint CONTROL_SET_CHANGED = 1;
const uint CONTROL_WEIGHTS_CHANGED = 2;
const uint CONTROL_OUTPUT_COLOURS = 3;
const uint CONTROL_ENDS = 4;
const uint CONTROL_ACTIVE = 5;  // two words: of two lists, for brute force
const uint CONTROL_STEPS = 7;   // two words
const uint CONTROL_TESTS = 9;   // two words

// Rounds of walkers: those listed are grouped by cell, each group gets a
// workgroup, of one dispatch or another.
const uint CONTROL_ROUND_WALKERS = 12;
const uint CONTROL_ROUND_MASK = 13;     // slots of the table of cells, less 1
const uint CONTROL_ORDERED = 14;        // walkers put in order
const uint CONTROL_GROUPS = 15;
const uint CONTROL_NEXT_GROUP = 16;     // the first that no dispatch took
const uint CONTROL_FIRST_GROUP = 17;    // of the dispatch at hand
const uint CONTROL_SPENT = 18;  // cost of the dispatch, in units
const uint CONTROL_ROUNDS = 19;
const uint CONTROL_LOST = 20;   // walkers that found no room among visited
const uint CONTROL_LISTS = 21;  // lists of candidates that were gathered
const uint CONTROL_LISTED = 22; // two words: points in them

const uint CONTROL_ROUND_FIRST = 36;    // the round's first in the list
const uint CONTROL_COST = 37;   // two words: of all dispatches, as tests

// Workgroups of indirect dispatches: per walker, per slot, per group.
const uint CONTROL_WALKER_GROUPS = 24;
const uint CONTROL_SLOT_GROUPS = 28;
const uint CONTROL_WALK_GROUPS = 32;

const uint TESTS_PER_UNIT = 1024;

// Devices take at least 65535 workgroups along an axis.
#define DEFINE_SET_GROUPS \
void \
set_groups (uint at, uint n) \
{ \
  control[at] = min (n, 32768); \
  control[at + 1] = (n + 32767) / 32768; \
  control[at + 2] = 1; \
} \
/* The walk's dispatch takes as many of the groups left as it may. */ \
void \
take_groups (uint max_groups) \
{ \
  uint next = control[CONTROL_NEXT_GROUP]; \
  uint n = min (control[CONTROL_GROUPS] - next, max_groups); \
  control[CONTROL_FIRST_GROUP] = next; \
  control[CONTROL_NEXT_GROUP] = next + n; \
  control[CONTROL_SPENT] = 0; \
  set_groups (CONTROL_WALK_GROUPS, n); \
}
