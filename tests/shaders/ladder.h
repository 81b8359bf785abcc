/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What ladder.comp and tests/bench/ladder.c agree on: C and GLSL include this. */
#ifndef LADDER_SHARED_H
#define LADDER_SHARED_H

/* Where points are looked for: each adds something to the one before. */
#define LADDER_BRUTE_FORCE 0u   /* everywhere */
#define LADDER_BOX 1u           /* in cells around the ball's box */
#define LADDER_BALL 2u          /* not in those that the ball does not reach */
#define LADDER_WHOLE_CELLS 3u   /* nor in those that it holds, whose sums are
                                   known */
#define LADDER_PREFIX_SUMS 4u   /* of cells one behind the other, at once */

/* How threads know which walkers are not done. */
#define LADDER_NO_MASK 0u       /* not: they find out that these stand still */
#define LADDER_FLAGS 1u         /* by a word for each */
#define LADDER_BITS 2u          /* by a bit for each, that who is done clears */
#define LADDER_BALLOTS 3u       /* by bits that subgroups write */
#define LADDER_LISTS 4u         /* they are listed for the next pass */

/* Words of the counts. */
#define LADDER_ACTIVE 0u        /* walkers that are not done after this pass */
#define LADDER_TAKEN 1u         /* by threads that take several */
#define LADDER_LOST 2u          /* found no room among visited places */
#define LADDER_N_COUNTS 3u

#endif
