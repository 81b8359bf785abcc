/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What strips.comp and gpu/blur/ agree on: C and GLSL include this. */
#ifndef BLUR_STRIPS_H
#define BLUR_STRIPS_H

/* --- shape --- */

/* A column is four lanes: samples that are adjacent in a row. */
#define STRIPS_COLUMNS 64       /* of a strip, which a group marches down */

/* Words of one; adjacent ones that a thread does, either way: fewer, where they take
 * more registers. */
#define STRIPS_COLUMN_WORDS(sample) SAMPLE_SIZE (sample)
#define STRIPS_OUTPUTS(column_words) ((column_words) == 1 ? 8 : 4)

/* The largest radius that is unrolled: its weights, those of distances 0 to
 * 20, are pushed. */
#define STRIPS_MAX_UNROLLED 20

/* --- specialization constants --- */

#define STRIPS_THREADS 0
#define STRIPS_RADIUS 1         /* unrolled for this one; 0: rolled */
#define STRIPS_EDGES 2          /* whether columns beyond the plane are read */
#define STRIPS_HAS_ALPHA 3      /* whether a lane is alpha */
#define STRIPS_HAS_UNUSED 4     /* whether one is unused, and written as 255 */
#define STRIPS_IS_FIRST 5       /* whether either comes before the colours */
#define STRIPS_HALF 6           /* whether row sums are kept in halves */
#define STRIPS_RING_ROWS 7      /* a multiple of the outputs */
#define STRIPS_SHARED_WORDS 8
#define STRIPS_LINEAR 9         /* whether light is summed */
#define STRIPS_HOPES 10         /* whether groups take bytes to be opaque */
#define STRIPS_PERIODIC 11      /* unrolled at edges: whether they are mirrored or
                                   wrapped */
#define STRIPS_CONSTANTS 12

/* --- bindings --- */

#define STRIPS_SOURCE 0
#define STRIPS_TARGET 1
#define STRIPS_WEIGHTS 2        /* where rows are rolled */
#define STRIPS_LIGHT 3          /* light.h */

/* --- push constants --- */

/* Fields are packed, so that the weights find room in the 128 bytes that each
 * device has. Planes of one shape are done together, each a step further. */
#define STRIPS_PUSH(WORD, WEIGHT) \
  WORD width, height;           /* of the plane, in pixels */ \
  WORD source_offset, source_stride, source_step;       /* words */ \
  WORD target_offset, target_stride, target_step; \
  WORD strips;                  /* do so many, then leave out so many << 16 */ \
  WORD section;                 /* edge mode, number of the weights << 2, rows of
                                   a section << 4, black sample << 16 */ \
  WORD reach;                   /* radius along rows, down columns << 8, first
                                   section << 16 */ \
  WEIGHT weights[STRIPS_MAX_UNROLLED + 1];

/* Where sums are halves, weights are words of two halves, both the same, here and in the
 * buffer. In the buffer: for each number the weights of distances -PADDED to PADDED,
 * zeros beyond the radius, of rows and then of columns. */
#define STRIPS_PADDED 127
#define STRIPS_AXIS_WEIGHTS (2 * STRIPS_PADDED + 1)
#define STRIPS_WEIGHTS_X(number) \
  (2 * STRIPS_AXIS_WEIGHTS * (number) + STRIPS_PADDED)
#define STRIPS_WEIGHTS_Y(number) \
  (STRIPS_WEIGHTS_X (number) + STRIPS_AXIS_WEIGHTS)

#endif
