/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the shaders of the pyramid and gpu/blur/pyramid/pyramid.c agree on: C and GLSL
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
#define PYRAMID_MAX_RATIO 12.75

/* Samples of the finer plane that weigh on a coarse one along an axis, at most; and
 * those of a step that is not wide, which shaders keep in registers. */
#define PYRAMID_TAPS 52
#define PYRAMID_NARROW_TAPS 18
#define PYRAMID_IS_WIDE(fine, coarse) \
  (4 * (fine) / (coarse) + 1 > PYRAMID_NARROW_TAPS)

/* Threads of a group down columns, and on the way up. */
#define PYRAMID_GROUP 64

/* Threads of a group along rows: each has a column of the level. */
#define PYRAMID_ROW_GROUP 128

/* Columns that a thread goes down, a group apart. */
#define PYRAMID_COLUMNS_A_THREAD 2

/* Pixels of a frame that are one such column: those of four samples, or one. */
#define PYRAMID_PIXELS(components) ((components) < 3 ? 4 / (components) : 1)

/* Units of adjacent pixels of a frame, of so many bytes, that a thread has on the way up,
 * a group apart. */
#define PYRAMID_UNITS(bytes) ((bytes) % 4 == 0 ? 2 : 1)

/* Rows of a section at most: of the level on the way down, columns and rows, of the
 * frame on the way up. */
#define PYRAMID_DOWN_ROWS 16
#define PYRAMID_LEVEL_ROWS 8
#define PYRAMID_UP_ROWS 64

/* Rows of the finer plane that a thread down columns loads at a time, while it sums
 * those before: all up to the next row of the level, where a step is not wide. */
#define PYRAMID_ROWS_AHEAD 5

/* Rows of the finer plane under a section, at most: those of PYRAMID_DOWN_ROWS and of
 * 4 more, for taps beyond them, and what is loaded ahead. */
#define PYRAMID_HELD_ROWS(wide) ((wide) ? 272 : 96)

/* Samples of a row of the finer plane that a thread along rows holds. */
#define PYRAMID_SLOTS(wide) ((wide) ? 6 : 5)

/* Columns of a level that a group along rows has: as many as it has threads, and as
 * have all their taps among what it holds. */
#define PYRAMID_COLUMNS_HELD(fine, coarse) \
  ((PYRAMID_SLOTS (PYRAMID_IS_WIDE (fine, coarse)) * PYRAMID_ROW_GROUP \
  - PYRAMID_TAPS) * (coarse) / (fine))
#define PYRAMID_COLUMNS(fine, coarse) \
  (PYRAMID_COLUMNS_HELD (fine, coarse) < PYRAMID_ROW_GROUP \
  ? PYRAMID_COLUMNS_HELD (fine, coarse) : PYRAMID_ROW_GROUP)

/* Of the Gaussian between the ways down and up: its weights are pushed. */
#define PYRAMID_MAX_RADIUS 24

/* Adjacent outputs of a thread of it: four, as rows of levels are whole quads. */
#define PYRAMID_OUTPUTS 4

/* --- walks, on CPU devices --- */

/* Of the Gaussian at most: but for levels of next to no samples, none is wider. */
#define PYRAMID_WALK_RADIUS 6

/* Threads of a group, down columns and up, and along rows; columns of a frame that each
 * has on the way down (PYRAMID_PIXELS), side by side. */
#define PYRAMID_WALK_GROUP 32
#define PYRAMID_WALK_ROW_GROUP 16
#define PYRAMID_WALK_ADJACENT 2

/* Rows of a section at most, of the level on the way down, of the frame on the way up;
 * and columns of the frame. */
#define PYRAMID_WALK_DOWN_ROWS 128
#define PYRAMID_WALK_UP_ROWS 512
#define PYRAMID_WALK_LENGTH 8192

/* --- rows of levels --- */

/* Samples from one row to the next, for rows of so many. */
#define PYRAMID_PITCH(samples) (((samples) + 3) / 4 * 4)

/* --- specialization constants --- */

#define PYRAMID_THREADS 0
#define PYRAMID_ALPHA 1         /* component of a frame, or -1 */
#define PYRAMID_UNUSED 2        /* component that is written as 255, or -1 */
#define PYRAMID_LANES 3         /* values of a sample of a level: 2 or 4 */
#define PYRAMID_HALF 4          /* whether levels are halves */
#define PYRAMID_WIDE 5          /* whether it can do wide steps; down */
#define PYRAMID_LINEAR 6        /* whether light is summed, from and to frames */
#define PYRAMID_CONSTANTS 7

/* --- bindings --- */

#define PYRAMID_SOURCE 0
#define PYRAMID_TARGET 1
#define PYRAMID_LIGHT 2         /* light.h */

/* --- push constants --- */

/* Of a step down columns, or up. The offset, in words, and the stride are the frame's,
 * if the finer plane is one. */
#define PYRAMID_STEP_PUSH(WORD) \
  WORD width, height;           /* of the finer plane, without margins */ \
  WORD coarse_width, coarse_height; \
  WORD offset, stride; \
  WORD edge;                    /* BLUR_EDGE_ */ \
  WORD black;                   /* sample of a frame */ \
  WORD first_section, section_rows;     /* of what is written */ \
  WORD held_rows;               /* of the finer plane under a section, down */

/* Of a step along rows, and the Gaussian along them. */
#define PYRAMID_ROWS_PUSH(WORD, WEIGHT) \
  WORD widths;                  /* fine | coarse << 16, without margins */ \
  WORD rows;                    /* in all | of a section << 16 */ \
  WORD columns_and_radius;      /* that a group does | of the Gaussian << 16 */ \
  WORD beyond;                  /* edge | margin << 8 | black << 16, of the finer */ \
  WORD first_section; \
  WEIGHT weights[PYRAMID_MAX_RADIUS + 1];

/* Of a walk along rows, between a finer plane, a level and rows as wide as the frame. */
#define PYRAMID_WALK_ROWS_PUSH(WORD, WEIGHT) \
  WORD fine_width, coarse_width, width; /* without margins */ \
  WORD rows;                    /* in all */ \
  WORD margin;                  /* of the finer plane */ \
  WORD edge; \
  WORD black;                   /* sample of a frame */ \
  WORD first_group; \
  WEIGHT weights[PYRAMID_WALK_RADIUS + 1];

/* Of a walk up: what a step has, and the Gaussian down columns. */
#define PYRAMID_WALK_UP_PUSH(STEP, WEIGHT) \
  STEP \
  WEIGHT weights[PYRAMID_WALK_RADIUS + 1];

/* Of the Gaussian down columns. */
#define PYRAMID_BLUR_PUSH(WORD, WEIGHT) \
  WORD width, height;           /* without margins */ \
  WORD edge; \
  WORD first_row;               /* of threads */ \
  WORD radius; \
  WEIGHT weights[PYRAMID_MAX_RADIUS + 1];

#endif
