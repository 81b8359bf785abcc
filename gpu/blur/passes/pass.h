/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Passes. A pass processes a plane once, with one shader. A row of the table passes[] in
 * pass.c has all the differences between one pass and another; the functions here compute
 * everything else from it. A method is a list of passes: a new method needs a list in this
 * table, and its shaders. */
#pragma once

#include "gpu/blur/family.h"
#include "shaders/blur/shared.h"

G_BEGIN_DECLS

#define GPU_BLUR_MAX_PASSES 2   /* per method */
#define GPU_BLUR_MAX_TILES 3    /* per pass */

/* The taps of one output: of one axis, of both axes one after the other, or of both axes
 * in a two-dimensional kernel. */
typedef enum
{
  GPU_BLUR_ALONG_ROWS,
  GPU_BLUR_DOWN_COLUMNS,
  GPU_BLUR_AXIS_BY_AXIS,
  GPU_BLUR_BOTH_AT_ONCE,
} GpuBlurTaps;

/* Where a pass writes: row sums to the middle buffer, with one thread for each pixel, or
 * the output frame, with one thread for each unit (shaders/blur/shared.h). */
typedef enum
{
  GPU_BLUR_TO_MIDDLE,
  GPU_BLUR_TO_TARGET,
} GpuBlurOutput;

/* The samples that a group holds in shared memory for its current outputs, one output for
 * each thread. A pass may hold several of these. */
typedef enum
{
  GPU_BLUR_HOLDS_ROWS = 1 << 0, /* source rows, with the radius left and right */
  GPU_BLUR_HOLDS_COLUMNS = 1 << 1,      /* row sums, with the radius above and below */
  GPU_BLUR_HOLDS_BOX = 1 << 2,  /* the source, with the radius on all sides */
} GpuBlurHeld;

/* Whether a group continues with the next outputs of its rows or columns. It then reuses
 * the samples that it holds or, if it holds none, its last sums (running sums). */
typedef enum
{
  GPU_BLUR_STAYS,
  GPU_BLUR_SLIDES_ALONG_ROWS,
  GPU_BLUR_SLIDES_DOWN_COLUMNS,
} GpuBlurMotion;

/* A shape of workgroups. */
typedef struct
{
  guint width;                  /* in pixels if the pass uses shared memory, else in
                                   threads */
  guint rows;                   /* threads */
  guint bucket;                 /* the largest radius it is used for, 0: any */
  guint section_rows;           /* the most rows that a group slides down, 0: chosen
                                   for the radius */
} GpuBlurShape;

/* A pass uses the same shader inside a plane and at its edges: all passes handle reads
 * beyond edges (edge_index() in shaders/blur/plane.glsl). */
typedef struct
{
  const gchar *stage;           /* its name in reports and timings */
  const GpuShader *shader;      /* sums weighted floats; NULL: only boxes */
  const GpuShader *exact_shader;        /* sums integers, for boxes of integer
                                           half-widths; if @shader is NULL, any box */
  GpuBlurTaps taps;
  GpuBlurOutput output;
  guint held;                   /* GpuBlurHeld flags; 0: uses no shared memory */
  GpuBlurMotion motion;
  guint reach;                  /* the largest radius; shared memory may allow less */
  GpuBlurShape shapes[GPU_BLUR_MAX_TILES];      /* those for small radii first */
  guint row_sums;               /* what sums along rows are made of: BLUR_ROW_SUMS */
  gboolean needs_subgroups;
} GpuBlurPass;

/* The size of a pixel of a plane. */
typedef struct
{
  guint components;             /* samples */
  guint bytes;                  /* in the frame */
  guint words;                  /* of a sum: BLUR_WORDS_PER_SUM() */
  gboolean is_in_blocks;        /* gpu_frame_info_is_in_blocks() */
} GpuBlurPixel;

/* A shape of workgroups, fitted to a pass, a device and a size of pixels. */
typedef struct
{
  const GpuBlurPass *pass;
  GpuBlurPixel pixel;
  guint group_x, group_y;       /* threads */
  guint samples;                /* pixels that shared memory has room for */
  guint shared_words;           /* size of shared memory; 0: it cannot run on the
                                   device */
  guint section_rows;           /* as in GpuBlurShape */
  guint unrolled;               /* the radius that its kernel is unrolled for; 0: any */
  guint columns;                /* of walks: adjacent ones of a thread */
} GpuBlurTile;

/* Returns pass @i of @method; NULL after the last, and if @method belongs to another
 * family. */
const GpuBlurPass *gpu_blur_get_pass (GpuBlurMethod method, guint i);

/* Whether a thread walks down columns and has their sums in registers (walk.comp). */
gboolean gpu_blur_pass_walks (const GpuBlurPass * pass);

/* Returns shape @i of @pass; NULL after the last. */
const GpuBlurShape *gpu_blur_pass_get_shape (const GpuBlurPass * pass,
    guint i);

/* Fills in the tile of @pass for @shape, on @device, for pixels like @pixel. */
void gpu_blur_pass_get_tile (const GpuBlurPass * pass,
    const GpuBlurShape * shape, GpuDevice * device,
    const GpuBlurPixel * pixel, GpuBlurTile * tile);

/* Whether groups with this tile can do the radii of @axes. */
gboolean gpu_blur_tile_reaches (const GpuBlurTile * tile,
    const GpuBlurAxes * axes);

/* Returns the number of taps of one output. */
guint gpu_blur_pass_taps (const GpuBlurPass * pass, const GpuBlurAxes * axes);

/* Returns the rows of a group's outputs. */
guint gpu_blur_tile_group_rows (const GpuBlurTile * tile,
    const GpuBlurAxes * axes);

/* Returns the adjacent pixels of a row that a thread writes: whole units, and whole blocks
 * if it loads blocks. */
guint gpu_blur_tile_thread_columns (const GpuBlurTile * tile);

/* Returns the pixel columns that a group's threads process at a time. */
guint gpu_blur_tile_group_columns (const GpuBlurTile * tile);

/* Returns all pixel columns that a group processes, in rows of @width pixels. */
guint gpu_blur_tile_section_columns (const GpuBlurTile * tile,
    const GpuBlurAxes * axes, guint width);

/* Returns the work of one output in taps: its own taps, and its share of the additional
 * taps of its group. */
guint gpu_blur_tile_work (const GpuBlurTile * tile, const GpuBlurAxes * axes);

/* Returns the most pixel columns that one dispatch can process. */
guint64 gpu_blur_tile_max_width (const GpuBlurTile * tile, GpuDevice * device,
    const GpuBlurAxes * axes);

/* Benchmarks: sets the shape of all groups of a family of passes, in place of those of the
 * passes. NULL: those of the passes. @shape must outlive its use. */
void gpu_blur_passes_set_shape (GpuBlurFamily * family,
    const GpuBlurShape * shape);

G_END_DECLS
