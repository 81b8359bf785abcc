/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the shaders of the pyramid and gpu/blur/pyramid/. C and GLSL
 * include this.
 *
 * A level is coarser than the plane before it by a ratio, which is seldom an integer.
 * Sample j of the level lies at (j + 1/2) ratio - 1/2 of the finer plane. So if the finer
 * plane is mirrored or repeated at its edges, the level is, too. */
#ifndef BLUR_PYRAMID_H
#define BLUR_PYRAMID_H

/* The samples that a level has beyond each edge. If the frame's edges are clamped or black,
 * all samples further out are equal to the last one. */
#define PYRAMID_MARGIN 4

/* The largest ratio of a step. */
#define PYRAMID_MAX_RATIO 12.75

/* Threads of a group of a step down: each has four adjacent samples of a frame, or one
 * sample of a level. */
#define PYRAMID_DOWN_GROUP 192

/* Rows of a level that a group of a step down computes. */
#define PYRAMID_TILE_ROWS 4

/* Rows of the finer plane that a thread loads at once. */
#define PYRAMID_ROWS_AT_ONCE 8

/* The most rows of the finer plane that a tile needs: those of PYRAMID_TILE_ROWS + 3 rows
 * of the level, and two as positions are rounded; a multiple of PYRAMID_ROWS_AT_ONCE. */
#define PYRAMID_HELD_ROWS 96

/* Pixels of the finer plane at whose multiples a group begins, so that its first sample is
 * the first one of a word. @samples: of a pixel. */
#define PYRAMID_WINDOW_PIXELS(samples) \
  ((samples) == 4 ? 1 : (samples) == 2 ? 2 : 4)

/* Columns of a level that a group of a step down computes: those whose taps are all among
 * the pixels that the group holds, and at most one for each thread and sample of a pixel.
 * @samples: of a pixel. */
#define PYRAMID_COLUMNS_HELD(fine, coarse, samples) \
  ((4 * PYRAMID_DOWN_GROUP / (samples) - PYRAMID_WINDOW_PIXELS (samples) \
  - 4 * (fine) / (coarse) - 2) * (coarse) / (fine) + 1)
#define PYRAMID_TILE_COLUMNS(fine, coarse, samples) \
  (PYRAMID_COLUMNS_HELD (fine, coarse, samples) < PYRAMID_DOWN_GROUP / (samples) \
  ? PYRAMID_COLUMNS_HELD (fine, coarse, samples) : PYRAMID_DOWN_GROUP / (samples))

/* Threads of a group of the step up. */
#define PYRAMID_UP_GROUP 128

/* The most rows of the frame in a tile of the step up. */
#define PYRAMID_UP_ROWS 64

/* Samples of the level that a group of the step up holds, of @words words. With
 * PYRAMID_UP_ROWS, they fit into 16 KiB. */
#define PYRAMID_HELD_SAMPLES(words) (3824 / (words))

/* The radius of the kernel on the coarsest level for which steps up are unrolled, and the
 * largest one. Only levels of very few samples have a kernel that is wider than the first. */
#define PYRAMID_RADIUS 6
#define PYRAMID_MAX_RADIUS 24

/* Threads of a group that blurs the coarsest level with a wider kernel. */
#define PYRAMID_BLUR_GROUP 64

/* --- walks, on CPU devices --- */

/* Pixels of a column of a walk down: those of four samples, or one. */
#define PYRAMID_PIXELS(components) ((components) < 3 ? 4 / (components) : 1)

/* Threads of a group, for columns and for rows; adjacent columns (PYRAMID_PIXELS()) of a
 * thread that reduces columns. */
#define PYRAMID_WALK_GROUP 32
#define PYRAMID_WALK_ROW_GROUP 16
#define PYRAMID_WALK_ADJACENT 2

/* The most rows of a section: of the level on the way down, and of the frame on the way
 * up. The most columns of a section, in pixels of the plane. */
#define PYRAMID_WALK_DOWN_ROWS 128
#define PYRAMID_WALK_UP_ROWS 512
#define PYRAMID_WALK_LENGTH 8192

/* --- rows of levels --- */

/* Samples from one row to the next, for rows of @samples samples. */
#define PYRAMID_PITCH(samples) (((samples) + 3) / 4 * 4)

/* --- specialization constants --- */

#define PYRAMID_THREADS 0
#define PYRAMID_ALPHA 1         /* component of a frame, or -1 */
#define PYRAMID_UNUSED 2        /* component that is written as 255, or -1 */
#define PYRAMID_LANES 3         /* values of a sample of a level: 2 or 4 */
#define PYRAMID_HALF 4          /* whether levels are halves */
#define PYRAMID_LINEAR 5        /* from and to frames: whether linear light is summed */
#define PYRAMID_FRAME 6         /* whether the finer plane is one of a frame, not a level */
#define PYRAMID_SAMPLE 7        /* from and to frames: the sample type (core/shared.h) */
#define PYRAMID_COMPONENTS 8    /* from and to frames: samples a pixel */
#define PYRAMID_GOES_UP 9       /* walks along rows: whether the level is scaled up at once */
#define PYRAMID_CONSTANTS 10

/* --- bindings --- */

#define PYRAMID_SOURCE 0
#define PYRAMID_TARGET 1
#define PYRAMID_LIGHT 2         /* light.h */

/* --- push constants --- */

/* For steps between a plane and a coarser one. offset and stride, in words, are those of
 * the frame, if the finer plane is the frame. */
#define PYRAMID_STEP_PUSH(WORD) \
  WORD width, height;           /* of the finer plane, without margins */ \
  WORD coarse_width, coarse_height; \
  WORD offset, stride; \
  WORD edge;                    /* BLUR_EDGE_ */ \
  WORD black;                   /* sample of a frame */ \
  WORD first_section, section_rows;     /* of the plane that is written */ \
  WORD section_columns;         /* not for walks: columns of the level, or units */

/* STEP: PYRAMID_STEP_PUSH(). */
#define PYRAMID_DOWN_PUSH(STEP, WORD) \
  STEP \
  WORD held_rows;               /* of the finer plane, for a tile */

/* The weights of the kernel, along rows and down columns. */
#define PYRAMID_UP_PUSH(STEP, WEIGHT) \
  STEP \
  WEIGHT weights_x[PYRAMID_RADIUS + 1]; \
  WEIGHT weights_y[PYRAMID_RADIUS + 1];

/* For walks up: the push constants of a step, and the weights of the kernel. */
#define PYRAMID_WALK_UP_PUSH(STEP, WEIGHT) \
  STEP \
  WEIGHT weights[PYRAMID_RADIUS + 1];

#endif
