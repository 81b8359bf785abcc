/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The interface between the bilateral shaders and gpu/blur/bilateral/. C and GLSL include
 * this. */
#ifndef BLUR_BILATERAL_H
#define BLUR_BILATERAL_H

/* --- specialization constants --- */

#define BILATERAL_GROUP_X 0
#define BILATERAL_GROUP_Y 1
#define BILATERAL_COMPONENTS 2  /* samples a pixel */
#define BILATERAL_ALPHA 3       /* component, or -1 */
#define BILATERAL_UNUSED 4      /* component that is written as 255, or -1 */
#define BILATERAL_LINEAR 5      /* whether linear light is summed */
#define BILATERAL_GUIDED 6      /* whether samples are chroma, guided by luma */
#define BILATERAL_DOWN 7        /* bilateral_axis: down columns, not along rows */
#define BILATERAL_TILE_WORDS 8  /* bilateral_window: pixels of its tile */
#define BILATERAL_SHIFT_X 9     /* if guided: log2 of the columns of luma that share a */
#define BILATERAL_SHIFT_Y 10    /* chroma sample, and of the rows */
#define BILATERAL_CONSTANTS 11

/* --- bindings --- */

#define BILATERAL_SOURCE 0
#define BILATERAL_TARGET 1
#define BILATERAL_TABLES 2
#define BILATERAL_LIGHT 3       /* blur/light.h */

/* --- push constants --- */

#define BILATERAL_PUSH(WORD, FLOAT) \
  WORD width, height;           /* of the plane, in pixels */ \
  WORD source_offset, source_stride;    /* words */ \
  WORD target_offset, target_stride; \
  WORD guide_offset, guide_stride;      /* of luma in source[], if it guides */ \
  WORD guide_width, guide_height; \
  WORD radius_x, radius_y; \
  WORD weights_x, weights_y;    /* of windows: indices in tables[] of the weight of
                                   distance 0 */ \
  FLOAT range_scale;            /* index of a range weight: squared distance times
                                   this, rounded down; a power of two */ \
  FLOAT range_rate;             /* along an axis: binary logarithm of range weight 1 */ \
  FLOAT rate_x, rate_y;         /* and of the spatial weight of distance 1 */ \
  WORD edge;                    /* BLUR_EDGE_… (blur/shared.h) */ \
  WORD black;                   /* pixel word (bilateral.glsl) beyond the edges */ \
  WORD first_unit, units;       /* columns of this dispatch */ \
  WORD first_row, rows;         /* rows of this dispatch */

/* --- tables --- */

/* The range weights are the first part of tables[]. The last one, for all larger
 * distances, is 0. */
#define BILATERAL_RANGES 1024

/* The weight of a difference of alpha in the squared distance of two colours: as much as
 * that of three colours. */
#define BILATERAL_ALPHA_WEIGHT 3

/* --- sizes --- */

#define BILATERAL_ROWS 2        /* adjacent rows that a thread of bilateral_window
                                   writes */
#define BILATERAL_OUTPUTS 4     /* adjacent pixels that a thread of bilateral_axis writes:
                                   the pixels of the largest unit (blur/shared.h), and the
                                   components of a vector */

#endif
