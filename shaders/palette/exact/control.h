/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Words of the control buffer, which the host reads back: C and GLSL include
 * this. */
#ifndef PALETTE_CONTROL_H
#define PALETTE_CONTROL_H

#define CONTROL_CHANGED_PIXELS 0u
#define CONTROL_SET_CHANGED 1u
#define CONTROL_WEIGHTS_CHANGED 2u
#define CONTROL_COLOURS 3u
#define CONTROL_OUTPUT_COLOURS 4u
#define CONTROL_FIXED_POINTS 5u

/* From here on they are the walk's. */
#define CONTROL_ACTIVE 6u       /* walkers that are listed */
#define CONTROL_STEPS 7u        /* two words, low and high */
#define CONTROL_TESTS 9u        /* two words */
#define CONTROL_ROUNDS 11u
#define CONTROL_LOST 12u        /* walkers that found no room among visited */
#define CONTROL_LISTS 13u       /* lists of candidates that were gathered */
#define CONTROL_LISTED 14u      /* two words: points in them */

/* Rounds of walkers: those listed are grouped by cell, each group gets a
 * workgroup, of one dispatch or another. */
#define CONTROL_ROUND_FIRST 16u /* the round's first in the list */
#define CONTROL_ROUND_WALKERS 17u
#define CONTROL_ORDERED 19u     /* walkers put in order */
#define CONTROL_GROUPS 20u
#define CONTROL_NEXT_GROUP 21u  /* the first that no dispatch took */
#define CONTROL_FIRST_GROUP 22u /* of the dispatch at hand */

/* Workgroups of indirect dispatches, three words each: per walker, per block of
 * cells, per group. */
#define CONTROL_WALKER_GROUPS 24u
#define CONTROL_BLOCK_GROUPS 27u
#define CONTROL_WALK_GROUPS 30u

/* Units of walks: of the dispatch at hand, and of those before it in the
 * submission. */
#define CONTROL_SPENT 33u
#define CONTROL_SPENT_BEFORE 34u

/* Set where a list was too long for walk_lanes.comp, or would have been. */
#define CONTROL_TOO_LONG 35u

/* Before walks begin: colours that were not there when walks were made last, and
 * those that attract otherwise than then. */
#define CONTROL_ADDED 36u
#define CONTROL_CHANGED_COLOURS 37u

#define CONTROL_SOLVED 38u      /* colours whose ways were not all known */
#define CONTROL_ON_THE_WAY 39u  /* set where ways were not followed to their ends */

/* Set where a step of walk.comp took more rounds than the device gives it. */
#define CONTROL_STEP_TOO_LONG 40u

/* Of the lattice points: the inverted least coordinates, the largest ones; so
 * many times, each copy for some of the points. */
#define BOX_WORDS 6u
#define BOX_COPIES 16u
#define CONTROL_BOX 64u

#define CONTROL_WORDS (CONTROL_BOX + BOX_COPIES * BOX_WORDS)

#endif
