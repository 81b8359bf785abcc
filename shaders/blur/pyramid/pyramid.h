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

/* The most taps of a sample of a level along an axis. PYRAMID_NARROW_TAPS is the same for
 * steps that are not wide, whose weights shaders keep in registers. */
#define PYRAMID_TAPS 52
#define PYRAMID_NARROW_TAPS 18
#define PYRAMID_IS_WIDE(fine, coarse) \
  (4 * (fine) / (coarse) + 1 > PYRAMID_NARROW_TAPS)

/* Threads of a group that reduces columns, and of a group of the step up. */
#define PYRAMID_GROUP 64

/* Threads of a group that reduces rows: each has a column of the level. */
#define PYRAMID_ROW_GROUP 128

/* Columns of a thread that reduces columns. They are a group's width apart. */
#define PYRAMID_COLUMNS_A_THREAD 2

/* Pixels of the frame in such a column: four samples, or one pixel. */
#define PYRAMID_PIXELS(components) ((components) < 3 ? 4 / (components) : 1)

/* Units (BLUR_PIXELS_PER_UNIT()) of a thread of the step up, for pixels of @bytes bytes.
 * They are a group's width apart. */
#define PYRAMID_UNITS(bytes) ((bytes) % 4 == 0 ? 2 : 1)

/* The most rows of a section: of the level when columns and when rows are reduced, and of
 * the frame in the step up. */
#define PYRAMID_DOWN_ROWS 16
#define PYRAMID_LEVEL_ROWS 8
#define PYRAMID_UP_ROWS 64

/* Rows of the finer plane that a thread that reduces columns loads ahead, while it sums the
 * rows before. If a step is not wide, these are all rows up to the next row of the
 * level. */
#define PYRAMID_ROWS_AHEAD 5

/* The most rows of the finer plane that a section needs: those of PYRAMID_DOWN_ROWS + 4
 * rows of the level, for the taps of the first and last ones, and the rows loaded ahead. */
#define PYRAMID_HELD_ROWS(wide) ((wide) ? 272 : 96)

/* Samples of a row of the finer plane that a thread that reduces rows holds. */
#define PYRAMID_SLOTS(wide) ((wide) ? 6 : 5)

/* Columns of a level that a group that reduces rows computes: at most one for each thread,
 * and only those whose taps are all among the samples that the group holds. */
#define PYRAMID_COLUMNS_HELD(fine, coarse) \
  ((PYRAMID_SLOTS (PYRAMID_IS_WIDE (fine, coarse)) * PYRAMID_ROW_GROUP \
  - PYRAMID_TAPS) * (coarse) / (fine))
#define PYRAMID_COLUMNS(fine, coarse) \
  (PYRAMID_COLUMNS_HELD (fine, coarse) < PYRAMID_ROW_GROUP \
  ? PYRAMID_COLUMNS_HELD (fine, coarse) : PYRAMID_ROW_GROUP)

/* The largest radius of the kernel on the coarsest level. Its weights are push
 * constants. */
#define PYRAMID_MAX_RADIUS 24

/* Adjacent outputs of a thread that blurs: four, as rows of levels are whole quads. */
#define PYRAMID_OUTPUTS 4

/* --- walks, on CPU devices --- */

/* The largest radius of the kernel. Only levels of very few samples have a larger one. */
#define PYRAMID_WALK_RADIUS 6

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
#define PYRAMID_WIDE 5          /* steps down: whether it supports wide steps */
#define PYRAMID_LINEAR 6        /* from and to frames: whether linear light is summed */
#define PYRAMID_SHORTS 7        /* from and to frames: the sample type */
#define PYRAMID_CONSTANTS 8

/* --- bindings --- */

#define PYRAMID_SOURCE 0
#define PYRAMID_TARGET 1
#define PYRAMID_LIGHT 2         /* light.h */

/* --- push constants --- */

/* For steps that reduce columns, and for the step up. offset and stride, in words, are
 * those of the frame, if the finer plane is the frame. */
#define PYRAMID_STEP_PUSH(WORD) \
  WORD width, height;           /* of the finer plane, without margins */ \
  WORD coarse_width, coarse_height; \
  WORD offset, stride; \
  WORD edge;                    /* BLUR_EDGE_ */ \
  WORD black;                   /* sample of a frame */ \
  WORD first_section, section_rows;     /* of the plane that is written */ \
  WORD held_rows;               /* steps down: rows of the finer plane for a section */

/* For steps that reduce rows, and blur them on the coarsest level. */
#define PYRAMID_ROWS_PUSH(WORD, WEIGHT) \
  WORD widths;                  /* fine | coarse << 16, without margins */ \
  WORD rows;                    /* all | of a section << 16 */ \
  WORD columns_and_radius;      /* columns of a group | radius of the kernel << 16 */ \
  WORD beyond;                  /* of the finer: edge | margin << 8 | black << 16 */ \
  WORD first_section; \
  WEIGHT weights[PYRAMID_MAX_RADIUS + 1];

/* For walks along rows: from the finer plane to the coarsest level, and to rows as wide as
 * the plane of the frame. */
#define PYRAMID_WALK_ROWS_PUSH(WORD, WEIGHT) \
  WORD fine_width, coarse_width, width; /* without margins */ \
  WORD rows;                    /* all */ \
  WORD margin;                  /* of the finer plane */ \
  WORD edge; \
  WORD black;                   /* sample of a frame */ \
  WORD first_group; \
  WEIGHT weights[PYRAMID_WALK_RADIUS + 1];

/* For walks up: the push constants of a step, and the weights of the kernel. */
#define PYRAMID_WALK_UP_PUSH(STEP, WEIGHT) \
  STEP \
  WEIGHT weights[PYRAMID_WALK_RADIUS + 1];

/* For the blur of columns on the coarsest level. */
#define PYRAMID_BLUR_PUSH(WORD, WEIGHT) \
  WORD width, height;           /* without margins */ \
  WORD edge; \
  WORD first_row;               /* first row of workgroups */ \
  WORD radius; \
  WEIGHT weights[PYRAMID_MAX_RADIUS + 1];

#endif
