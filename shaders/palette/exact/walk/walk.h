/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of walks and gpu/palette/exact/walk/ agree on: C and GLSL include
 * this. */
#ifndef PALETTE_WALK_H
#define PALETTE_WALK_H

#define TESTS_PER_UNIT 1024u    /* of CONTROL_SPENT */

/* Walkers that a group has at most: as many as walk.comp has sums for in registers,
 * and as walk_lanes.comp has room for. */
#define GROUP_WALKERS 4u
#define LANES_WALKERS 64u

/* Cells of a block (cubes.glsl), and what marks a block that has walkers. */
#define BLOCK_CELLS 8u
#define HAS_WALKERS 1u

/* Steps of a walker without a limit; what is left of them is kept in 31
 * bits. */
#define ENDLESS 0x7fffffffu

/* The successor of a visited point that was not computed yet (successors.glsl). */
#define NEXT_UNKNOWN 0xffffffffu

/* Whether walks share what they have in common: not, within a frame, or with what
 * is left of frames before it. */
#define SHARES_NOTHING 0u
#define SHARES_FRAME 1u
#define SHARES_KEPT 2u

#endif
