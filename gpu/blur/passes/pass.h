/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What methods are made of. A pass is a shader that goes over a plane once. All
 * that tells one pass from another is its row of the table in pass.c; what
 * follows from it is computed here. A method is a list of passes: a new one
 * takes rows of both tables, and the shaders. */
#pragma once

#include "gpu/blur/weights.h"
#include "shaders/blur/shared.h"

G_BEGIN_DECLS

#define GPU_BLUR_MAX_PASSES 2   /* of a method */
#define GPU_BLUR_MAX_TILES 3    /* of a pass */

/* What one output of a pass sums: the taps of one axis, those of one and then
 * the other, or each of one with each of the other. */
typedef enum
{
  GPU_BLUR_ALONG_ROWS,
  GPU_BLUR_DOWN_COLUMNS,
  GPU_BLUR_AXIS_BY_AXIS,
  GPU_BLUR_BOTH_AT_ONCE,
} GpuBlurTaps;

/* What it writes: sums in memory, a thread for each pixel, or the frame, a
 * thread for each unit. */
typedef enum
{
  GPU_BLUR_TO_MIDDLE,
  GPU_BLUR_TO_TARGET,
} GpuBlurOutput;

/* What a group holds in shared memory for the outputs that it works on, as many
 * as it has threads: a pass may hold several of these. */
typedef enum
{
  GPU_BLUR_HOLDS_ROWS = 1 << 0, /* the source, with what rows reach */
  GPU_BLUR_HOLDS_COLUMNS = 1 << 1,      /* row sums, with what columns reach */
  GPU_BLUR_HOLDS_BOX = 1 << 2,  /* the source, with what both reach */
} GpuBlurHeld;

/* Whether a group goes on from its first outputs: with what it holds, or
 * else with their sums alone. */
typedef enum
{
  GPU_BLUR_STAYS,
  GPU_BLUR_SLIDES_ALONG_ROWS,
  GPU_BLUR_SLIDES_DOWN_COLUMNS,
} GpuBlurMotion;

/* A shape that workgroups can have. */
typedef struct
{
  guint width;                  /* threads; pixels, where memory is shared */
  guint rows;
  guint bucket;                 /* the largest radius it is for, 0: any */
  guint section_rows;           /* that a group slides down at most, 0: as many
                                   as are best for the radius */
} GpuBlurShape;

/* Groups inside a plane and groups at its edges are the same: all passes read
 * beyond edges (edge_index() in shaders/blur/plane.glsl). */
typedef struct
{
  const gchar *stage;           /* its name in reports and timings */
  const GpuShader *shader;      /* weighted floats; NULL: boxes alone */
  const GpuShader *exact_shader;        /* integers, for whole boxes; any box,
                                           where there is no other */
  GpuBlurTaps taps;
  GpuBlurOutput output;
  guint held;                   /* GpuBlurHeld; 0: shares no memory */
  GpuBlurMotion motion;
  guint reach;                  /* the largest radius; memory may hold less */
  GpuBlurShape shapes[GPU_BLUR_MAX_TILES];      /* those for small radii first */
} GpuBlurPass;

/* What a pixel of a plane takes. */
typedef struct
{
  guint components;             /* samples */
  guint bytes;                  /* of the frame */
  guint words;                  /* of a sum: BLUR_WORDS_PER_SUM() */
} GpuBlurPixel;

/* A shape of workgroups on a device, for such pixels. */
typedef struct
{
  GpuBlurPixel pixel;
  guint group_x, group_y;       /* threads */
  guint samples;                /* that shared memory holds */
  guint shared_words;           /* 0: does not fit the device */
  guint section_rows;           /* as of its shape */
} GpuBlurTile;

/* Pass @i of @method; NULL after the last, and where it is of another family. */
const GpuBlurPass *gpu_blur_get_pass (GpuBlurMethod method, guint i);

/* Its shape @i; NULL after the last. */
const GpuBlurShape *gpu_blur_pass_get_shape (const GpuBlurPass * pass,
    guint i);

/* Fills in the tile of groups of @shape. */
void gpu_blur_pass_get_tile (const GpuBlurPass * pass,
    const GpuBlurShape * shape, GpuDevice * device,
    const GpuBlurPixel * pixel, GpuBlurTile * tile);

/* Whether groups of this shape can do what @axes have. */
gboolean gpu_blur_pass_reaches (const GpuBlurPass * pass,
    const GpuBlurTile * tile, const GpuBlurAxes * axes);

/* The largest radius that all passes of a method can do on both axes.
 * Searches: not for every frame. */
guint gpu_blur_get_reach (GpuDevice * device, GpuBlurMethod method,
    const GpuBlurPixel * pixel);

/* Weights that one output sums. */
guint gpu_blur_pass_taps (const GpuBlurPass * pass, const GpuBlurAxes * axes);

/* Rows that a group does, a multiple of the tile's. */
guint gpu_blur_pass_group_rows (const GpuBlurPass * pass,
    const GpuBlurTile * tile, const GpuBlurAxes * axes);

/* Pixel columns that the threads of a group do side by side. */
guint gpu_blur_pass_group_columns (const GpuBlurPass * pass,
    const GpuBlurTile * tile);

/* Pixel columns that a group does in all, of rows of @width. */
guint gpu_blur_pass_section_columns (const GpuBlurPass * pass,
    const GpuBlurTile * tile, const GpuBlurAxes * axes,
    guint width);

/* What an output takes, in taps: its own, and its share of those that are summed
 * for its group alone. */
guint gpu_blur_pass_work (const GpuBlurPass * pass,
    const GpuBlurTile * tile, const GpuBlurAxes * axes);

/* Pixel columns that groups side by side can do at most. */
guint64 gpu_blur_pass_max_width (const GpuBlurPass * pass,
    const GpuBlurTile * tile, GpuDevice * device,
    const GpuBlurAxes * axes);

G_END_DECLS
