/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Constants of walks. C and GLSL include this. */
#ifndef PALETTE_WALK_H
#define PALETTE_WALK_H

#define TESTS_PER_UNIT 1024u    /* tests in a unit of CONTROL_SPENT */

/* Most walkers in a group: in walk.comp, limited by the registers for their sums; in
 * walk_lanes.comp, by shared memory. */
#define GROUP_WALKERS 4u
#define LANES_WALKERS 64u

/* Number of cells in a block (cubes.glsl), and the mark of a block with walkers. */
#define BLOCK_CELLS 8u
#define HAS_WALKERS 1u

/* Number of steps that means no limit. The steps that a walker has left take 31 bits. */
#define ENDLESS 0x7fffffffu

/* Successor of a visited point that is not computed (UNKNOWN in successors.glsl). */
#define NEXT_UNKNOWN 0xffffffffu

/* Whether walks share visited points and successors: not at all, within a frame, or also
 * with earlier frames. */
#define SHARES_NOTHING 0u
#define SHARES_FRAME 1u
#define SHARES_KEPT 2u

#endif
