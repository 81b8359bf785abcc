/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the shaders of passes and gpu/blur/. C and GLSL include this. */
#ifndef BLUR_SHARED_H
#define BLUR_SHARED_H

/* --- specialization constants --- */

#define BLUR_GROUP_X 0
#define BLUR_GROUP_Y 1
#define BLUR_COMPONENTS 2       /* samples a pixel */
#define BLUR_ALPHA 3            /* component, or -1 */
#define BLUR_UNUSED 4           /* component that is written as 255, or -1 */
#define BLUR_HALF 5             /* whether sums are stored as halves */
#define BLUR_SHARED_WORDS 6     /* size of shared memory */
#define BLUR_SAMPLE 7           /* sample type (core/shared.h); floats need four
                                   samples per pixel */
#define BLUR_LINEAR 8           /* whether linear light is summed */
#define BLUR_WIDE 9             /* whether integer sums over both axes are two words */
#define BLUR_UNROLLED 10       /* the radius that walks are unrolled for */
#define BLUR_COLUMNS 11         /* adjacent columns of a thread of a walk */
#define BLUR_FOURS 12           /* whether walks read four words at a time: rows are aligned
                                   to 16 bytes, and have whole multiples of them */
#define BLUR_ROW_SUMS 13        /* what sums along rows are made of: */
#define BLUR_ROW_SUMS_OF_MIDDLE 0       /* the first pass made them: they are read from middle[] */
#define BLUR_ROW_SUMS_OF_SOURCE 1       /* pixels in source[] */
#define BLUR_ROW_SUMS_OF_TILE 2 /* pixels in a tile of the source, in shared memory */
#define BLUR_CONSTANTS 14

/* --- bindings --- */

#define BLUR_SOURCE 0
#define BLUR_TARGET 1
#define BLUR_WEIGHTS 2
#define BLUR_MIDDLE 3           /* row sums */
#define BLUR_LIGHT 4            /* light.h */
#define BLUR_SOURCE_FOURS 5     /* the source again, of which walks load nothing but vectors of
                                   four words: texels of Mesa's CPU device */

/* --- push constants --- */

#define BLUR_PUSH(WORD) \
  WORD width, height;           /* of the plane, in pixels */ \
  WORD source_offset, source_stride;    /* words */ \
  WORD target_offset, target_stride; \
  WORD radius_x, radius_y; \
  WORD weights_x, weights_y;    /* index of the weight of distance 0 */ \
  WORD inner_x, end_x;          /* integer weights of a box: of inner taps and */ \
  WORD inner_y, end_y;          /* of each end tap */ \
  WORD edge; \
  WORD black;                   /* sample */ \
  WORD first_unit, units;       /* columns of this dispatch */ \
  WORD first_row, rows;         /* rows of this dispatch */ \
  WORD strip, strip_width;      /* pixel columns that middle[] holds */ \
  WORD section_rows;            /* rows that one group processes */ \
  WORD section_columns;         /* pixel columns that one group processes */

/* The values of edge. */
#define BLUR_EDGE_CLAMP 0
#define BLUR_EDGE_MIRROR 1
#define BLUR_EDGE_WRAP 2
#define BLUR_EDGE_BLACK 3

/* --- sizes --- */

/* A thread writes a unit: the least number of adjacent pixels, of @bytes bytes each, that
 * fill whole words. */
#define BLUR_PIXELS_PER_UNIT(bytes) \
  ((bytes) % 4 == 0 ? 1 : (bytes) == 2 ? 2 : 4)

/* A walk loads blocks of four words, if pixels of @bytes bytes each fill them. */
#define BLUR_PIXELS_PER_BLOCK(bytes) (16 / (bytes))

/* The words of a pixel or of a sum in middle[] and in shared memory. */
#define BLUR_WORDS_PER_SUM(components, half) \
  ((half) ? ((components) + 1) / 2 : (components))

#endif
