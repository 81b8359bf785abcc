/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of the pyramid and gpu/blur/pyramid.c agree on: C and GLSL
 * include this.
 *
 * A level is a plane that is coarser than the one before it by a ratio, which
 * is seldom whole: sample j lies at (j + 1/2) ratio - 1/2. So where the finer
 * plane is mirrored or repeated, the coarser one is, too. */
#ifndef BLUR_PYRAMID_H
#define BLUR_PYRAMID_H

/* Samples that a level has beyond each edge: further out, all are the same
 * where the frame's edge is clamped or black. */
#define PYRAMID_MARGIN 4

/* Of a step. */
#define PYRAMID_MAX_RATIO 4.25

/* Samples of the finer plane over which a coarse one has taps along an axis, whole
 * quads that begin at a multiple of four. */
#define PYRAMID_QUAD 4
#define PYRAMID_TAPS(fine, coarse) \
  ((4 * (fine) / (coarse) + 1 + 2 * (PYRAMID_QUAD - 1)) / PYRAMID_QUAD \
  * PYRAMID_QUAD)

/* Threads of a group that has no sums in shared memory. */
#define PYRAMID_GROUP 64

/* Adjacent pixels of the finer plane that a group reads on its way down. */
#define PYRAMID_PIXELS 128

/* Rows of it from one row of the level to the next, at most. */
#define PYRAMID_ROWS_A_STEP 5

/* Rows of a section at most: of the coarse plane on the way down, of the finer one
 * on the way up. */
#define PYRAMID_DOWN_ROWS 16
#define PYRAMID_UP_ROWS 32

/* Of the Gaussian between the ways down and up: its weights are pushed. */
#define PYRAMID_MAX_RADIUS 24

/* Adjacent outputs of a thread of it. */
#define PYRAMID_OUTPUTS 4

/* --- specialization constants --- */

#define PYRAMID_THREADS 0
#define PYRAMID_ALPHA 1         /* component of a frame, or -1 */
#define PYRAMID_UNUSED 2        /* component that is written as 255, or -1 */
#define PYRAMID_LANES 3         /* values of a sample of a level: 2 or 4 */
#define PYRAMID_HALF 4          /* whether levels are halves */
#define PYRAMID_CONSTANTS 5

/* --- bindings --- */

#define PYRAMID_SOURCE 0
#define PYRAMID_TARGET 1
#define PYRAMID_BINDINGS 2

/* --- push constants --- */

/* Of a step down or up. Offsets and strides in words; the stride is the
 * frame's, if the finer plane is one. */
#define PYRAMID_STEP_PUSH(WORD) \
  WORD width, height;           /* of the finer plane, without margins */ \
  WORD coarse_width, coarse_height; \
  WORD source_offset, target_offset; \
  WORD stride; \
  WORD edge;                    /* BLUR_EDGE_ */ \
  WORD black;                   /* sample of a frame */ \
  WORD first_section, section_rows;     /* of what is written */ \
  WORD columns;                 /* of the level that a group does; down */

/* Of one axis of the Gaussian, from level to level. */
#define PYRAMID_BLUR_PUSH(WORD, WEIGHT) \
  WORD size;                    /* width | height << 16, without margins */ \
  WORD source_offset, target_offset; \
  WORD edge; \
  WORD down;                    /* along columns, not rows */ \
  WORD first_row;               /* of threads */ \
  WORD radius; \
  WEIGHT weights[PYRAMID_MAX_RADIUS + 1];

#endif
