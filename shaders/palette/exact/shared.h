/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants shared by the shaders in exact/ and the C code in gpu/palette/exact/. Included from C
 * and GLSL. */
#ifndef PALETTE_EXACT_SHARED_H
#define PALETTE_EXACT_SHARED_H

/* Added to a and b of lattice points, which are signed. */
#define POINT_BIAS 32768

/* Words of the total of a block of points, for prefix sums. */
#define WORDS_PER_TOTAL 7u

/* --- marks of cells around changed colours --- */

/* A mark is the bit of a cell in a bitmap. These cells are not those of the grid. The
 * bit is indexed by the low MARK_BITS_L bits of the cell's index along L, and the low
 * MARK_BITS_AB bits along a and along b, so cells far apart share a bit. */
#define MARK_BITS_L 9u
#define MARK_BITS_AB 7u
#define MARK_WORDS (1u << (MARK_BITS_L + 2u * MARK_BITS_AB - 5u))

/* Most changed colours, of n, for which successors are kept. With more, nearly all
 * colours would be solved anyway, and marking takes longer than walking. With 10 % it
 * still pays. */
#define MOST_CHANGED(n) ((n) / 8u + 256u)

/* --- words of the control buffer, which the host reads back --- */

#define CONTROL_CHANGED_PIXELS 0u       /* number of pixels: struct PaletteChanged */
#define CONTROL_SET_CHANGED 1u  /* not 0: a colour came or went */
#define CONTROL_WEIGHTS_CHANGED 2u      /* not 0: a weight changed */
#define CONTROL_COLOURS 3u
#define CONTROL_OUTPUT_COLOURS 4u
#define CONTROL_FIXED_POINTS 5u

/* From here on: words of walks. */
#define CONTROL_ACTIVE 6u       /* number of listed walkers */
#define CONTROL_STEPS 7u        /* two words, low and high */
#define CONTROL_TESTS 9u        /* two words */
#define CONTROL_ROUNDS 11u
#define CONTROL_LOST 12u        /* walkers that found no room in the set of visited
                                   points */

/* The current round. Its walkers are grouped by cell; each group is a workgroup, in one
 * of several dispatches. */
#define CONTROL_ROUND_FIRST 16u /* index of its first walker in the list */
#define CONTROL_ROUND_WALKERS 17u
#define CONTROL_ORDERED 19u     /* walkers that have an index in the order of cells */
#define CONTROL_GROUPS 20u
#define CONTROL_NEXT_GROUP 21u  /* the first group that no dispatch has taken */
#define CONTROL_FIRST_GROUP 22u /* the first group of the current dispatch */

/* Workgroup counts of indirect dispatches, three words each: over walkers, blocks of
 * cells, and groups. */
#define CONTROL_WALKER_GROUPS 24u
#define CONTROL_BLOCK_GROUPS 27u
#define CONTROL_WALK_GROUPS 30u

/* Units of work that were spent: in the current dispatch of the walk, and in those
 * before it in the submission. */
#define CONTROL_SPENT 33u
#define CONTROL_SPENT_BEFORE 34u

/* Not 0: a list was too long for walk_lanes.comp, or would have been. */
#define CONTROL_TOO_LONG 35u

/* From compare.comp: colours that the last solve did not have, and colours whose weight
 * changed since; a colour that is not listed has weight 0. */
#define CONTROL_ADDED 36u
#define CONTROL_CHANGED_COLOURS 37u

#define CONTROL_SOLVED 38u      /* colours whose ways were not completely known */
#define CONTROL_ON_THE_WAY 39u  /* not 0: some ways were not followed to their ends */

/* Not 0: a step of walk.comp took more loop rounds than the device allows. */
#define CONTROL_STEP_TOO_LONG 40u

/* Bounding box of the lattice points: the inverted least coordinates, then the largest
 * ones. There are BOX_COPIES of it, each for some of the points. */
#define BOX_WORDS 6u
#define BOX_COPIES 16u
#define CONTROL_BOX 64u

#define CONTROL_WORDS (CONTROL_BOX + BOX_COPIES * BOX_WORDS)

#endif
