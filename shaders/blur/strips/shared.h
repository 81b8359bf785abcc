/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the shaders of strips and gpu/blur/strips/. C and GLSL include
 * this. */
#ifndef BLUR_STRIPS_H
#define BLUR_STRIPS_H

/* --- shape --- */

/* A column is four lanes: four adjacent samples of a row. */
#define STRIPS_COLUMNS 64       /* columns of a strip, which a group marches down */

/* The words of a column, and the adjacent outputs of a thread on each axis: fewer, if
 * columns need more registers. */
#define STRIPS_COLUMN_WORDS(sample) SAMPLE_SIZE (sample)
#define STRIPS_OUTPUTS(column_words) ((column_words) == 1 ? 8 : 4)

/* The largest radius that is unrolled. Its weights, of the distances 0…20, are push
 * constants. */
#define STRIPS_MAX_UNROLLED 20

/* --- shape for whole boxes (box_strips.comp) --- */

/* The adjacent outputs of a thread in a row, and the rows that a group sums at a time: all
 * its threads then have outputs. */
#define STRIPS_BOX_OUTPUTS 8
#define STRIPS_BOX_ROWS STRIPS_BOX_OUTPUTS

/* The words of a row in shared memory, for each word of a sum. */
#define STRIPS_BOX_PITCH(threads) \
  ((threads) / STRIPS_BOX_OUTPUTS * (STRIPS_BOX_OUTPUTS + 1))

/* The columns on each side of a strip that sums along rows of this radius need. A group has
 * a thread for each of them, and for each column of its strip. */
#define STRIPS_BOX_APRON(radius, components) (((radius) * (components) + 3) / 4)

/* The largest radius: down a column, 257 samples have a sum of at most 16 bits. */
#define STRIPS_BOX_MAX_RADIUS 128

/* A sum is divided by the number of samples of a box by a multiplication: of the product,
 * the upper word is shifted. These two words are the first of the weights in the push
 * constants. */
#define STRIPS_BOX_RECIPROCAL 0
#define STRIPS_BOX_SHIFT 1

/* --- specialization constants --- */

#define STRIPS_THREADS 0
#define STRIPS_RADIUS 1         /* the radius it is unrolled for; 0: rolled */
#define STRIPS_EDGES 2          /* whether columns beyond the plane are read */
#define STRIPS_HAS_ALPHA 3      /* whether a lane is alpha */
#define STRIPS_HAS_UNUSED 4     /* whether a lane is unused, and written as 255 */
#define STRIPS_IS_FIRST 5       /* whether that lane comes before the colours */
#define STRIPS_HALF 6           /* whether row sums are stored as halves */
#define STRIPS_RING_ROWS 7      /* a multiple of STRIPS_OUTPUTS() */
#define STRIPS_SHARED_WORDS 8   /* size of the ring */
#define STRIPS_LINEAR 9         /* whether linear light is summed */
#define STRIPS_HOPES 10         /* whether groups first assume opaque pixels */
#define STRIPS_PERIODIC 11      /* if unrolled at edges: whether these are mirrored or
                                   wrapped */
#define STRIPS_SHORTS 12        /* the sample type if samples are codes of two bytes */
#define STRIPS_COMPONENTS 13    /* samples a pixel */
#define STRIPS_CONSTANTS 14

/* --- bindings --- */

#define STRIPS_SOURCE 0
#define STRIPS_TARGET 1
#define STRIPS_WEIGHTS 2        /* read if rows are rolled */
#define STRIPS_LIGHT 3          /* light.h */

/* --- weights --- */

/* The layout of weights in the buffer: for each number, those of rows and then those of
 * columns, of the distances -STRIPS_PADDED…STRIPS_PADDED, with zeros beyond the radius. If
 * sums are halves, a weight is a word of two equal halves, here and in the push
 * constants. */
#define STRIPS_PADDED 127
#define STRIPS_AXIS_WEIGHTS (2 * STRIPS_PADDED + 1)
#define STRIPS_WEIGHTS_X(number) \
  (2 * STRIPS_AXIS_WEIGHTS * (number) + STRIPS_PADDED)
#define STRIPS_WEIGHTS_Y(number) \
  (STRIPS_WEIGHTS_X (number) + STRIPS_AXIS_WEIGHTS)

#endif
