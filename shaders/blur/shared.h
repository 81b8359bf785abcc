/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of the blur and gpu/blur/ agree on: C and GLSL include
 * this. */
#ifndef BLUR_SHARED_H
#define BLUR_SHARED_H

/* --- specialization constants --- */

#define BLUR_GROUP_X 0
#define BLUR_GROUP_Y 1
#define BLUR_COMPONENTS 2       /* samples a pixel */
#define BLUR_ALPHA 3            /* component or -1 */
#define BLUR_UNUSED 4           /* component that is written as 255, or -1 */
#define BLUR_HALF 5             /* whether sums are kept in halves */
#define BLUR_SHARED_WORDS 6     /* of shared memory */
#define BLUR_SAMPLE 7           /* what a sample is: SAMPLE_BYTE, or values, of
                                   which four are a pixel */
#define BLUR_LINEAR 8           /* whether light is summed */
#define BLUR_CONSTANTS 9

/* --- bindings --- */

#define BLUR_SOURCE 0
#define BLUR_TARGET 1
#define BLUR_WEIGHTS 2
#define BLUR_MIDDLE 3           /* row sums */
#define BLUR_LIGHT 4            /* light.h */

/* --- push constants --- */

#define BLUR_PUSH(WORD) \
  WORD width, height;           /* of the plane, in pixels */ \
  WORD source_offset, source_stride;    /* words */ \
  WORD target_offset, target_stride; \
  WORD radius_x, radius_y; \
  WORD weights_x, weights_y;    /* where the weights of distance 0 are */ \
  WORD inner_x, end_x;          /* a box's weights as integers: of its two */ \
  WORD inner_y, end_y;          /* end taps, and of those between them */ \
  WORD edge; \
  WORD black;                   /* sample */ \
  WORD first_unit, units;       /* columns of this dispatch */ \
  WORD first_row, rows;         /* rows of this dispatch */ \
  WORD strip, strip_width;      /* pixel columns that middle[] holds */ \
  WORD section_rows;            /* rows one group slides over */ \
  WORD section_columns;         /* pixel columns one group does */

/* Of edge. */
#define BLUR_EDGE_CLAMP 0
#define BLUR_EDGE_MIRROR 1
#define BLUR_EDGE_WRAP 2
#define BLUR_EDGE_BLACK 3

/* --- sizes --- */

/* A thread stores whole words, so it owns as many adjacent pixels, of so many
 * bytes, as fill them: a unit. */
#define BLUR_PIXELS_PER_UNIT(bytes) \
  ((bytes) % 4 == 0 ? 1 : (bytes) == 2 ? 2 : 4)

/* Words that a pixel or a sum takes in middle[] and in shared memory. */
#define BLUR_WORDS_PER_SUM(components, half) \
  ((half) ? ((components) + 1) / 2 : (components))

#endif
