/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pass.h"
#include "shaders.h"
#include "gpu/core/rounding.h"

/* The most loop rounds of a thread, summed over all its loops. Short dispatches need such
 * a limit, and Mesa's CPU rasteriser silently ends every loop after 65535 rounds. */
#define MAX_ROUNDS 65000

/* The rows of a section of a walk. */
#define WALK_SECTION 128

/* A thread has four pixels of N² taps: 4 (N² + N) rounds, and those that fetch the tile,
 * stay below MAX_ROUNDS. */
#define DIRECT_REACH 62

#define SHADERS(name) &gpu_shader_blur_##name, &gpu_shader_blur_##name##_exact

/* Narrow tiles allow large radii; tiles that need little shared memory allow more groups
 * at a time. */
#define TILES_OF_ROWS {{128, 2, 32}, {128, 2, 0}}
#define TILES_OF_COLUMNS {{16, 16, 16}, {16, 16, 0}, {8, 16, 0}}
#define TILES_OF_BOXES {{16, 16, 10}, {16, 16, 0}, {8, 8, 0}}
#define TILES_DOWN_COLUMNS {{32, 8, 16}, {32, 8, 0}, {8, 16, 0}}

/* *INDENT-OFF* */
/* Methods of other families have no passes. */
static const GpuBlurPass passes[GPU_BLUR_N_METHODS][GPU_BLUR_MAX_PASSES] = {
  [GPU_BLUR_DIRECT] = {{ "direct", SHADERS (direct),
    GPU_BLUR_BOTH_AT_ONCE, GPU_BLUR_TO_TARGET, 0, GPU_BLUR_STAYS,
    DIRECT_REACH, {{32, 8, 0}}, BLUR_ROW_SUMS_OF_SOURCE }},
  [GPU_BLUR_DIRECT_SHARED] = {{ "direct-shared", SHADERS (direct),
    GPU_BLUR_BOTH_AT_ONCE, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_BOX, GPU_BLUR_STAYS,
    DIRECT_REACH, TILES_OF_BOXES, BLUR_ROW_SUMS_OF_TILE }},
  [GPU_BLUR_SEPARABLE] = {{ "separable-rows", SHADERS (rows),
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE, 0, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, {{32, 8, 0}}, BLUR_ROW_SUMS_OF_SOURCE },
    { "separable-columns", SHADERS (columns),
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET, 0, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, {{32, 8, 0}} }},
  [GPU_BLUR_SEPARABLE_SHARED] = {{ "separable-shared-rows", SHADERS (rows),
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE,
    GPU_BLUR_HOLDS_ROWS, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, TILES_OF_ROWS, BLUR_ROW_SUMS_OF_TILE },
    { "separable-shared-columns", SHADERS (shared_columns),
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_COLUMNS, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, TILES_OF_COLUMNS }},
  [GPU_BLUR_INLINE_SEPARABLE] = {{ "inline-separable", SHADERS (shared_columns),
    GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_COLUMNS, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, TILES_OF_COLUMNS, BLUR_ROW_SUMS_OF_SOURCE }},
  [GPU_BLUR_INLINE_SEPARABLE_SHARED] = {{ "inline-separable-shared",
    SHADERS (shared_columns), GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_BOX | GPU_BLUR_HOLDS_COLUMNS, GPU_BLUR_STAYS,
    GPU_BLUR_MAX_RADIUS, TILES_OF_BOXES, BLUR_ROW_SUMS_OF_TILE }},
  [GPU_BLUR_SLIDING_WINDOW] = {{ "sliding-window-rows", SHADERS (sliding_rows),
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE,
    GPU_BLUR_HOLDS_ROWS, GPU_BLUR_SLIDES_ALONG_ROWS,
    GPU_BLUR_MAX_RADIUS, {{128, 2, 0}} },
    { "sliding-window-columns", SHADERS (sliding_columns),
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_COLUMNS, GPU_BLUR_SLIDES_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, TILES_DOWN_COLUMNS }},
  [GPU_BLUR_INLINE_SLIDING_WINDOW] = {{ "inline-sliding-window", SHADERS (sliding_columns),
    GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_COLUMNS, GPU_BLUR_SLIDES_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, TILES_DOWN_COLUMNS, BLUR_ROW_SUMS_OF_SOURCE }},
  [GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED] = {{ "inline-sliding-window-shared",
    SHADERS (sliding_columns),
    GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET,
    GPU_BLUR_HOLDS_ROWS | GPU_BLUR_HOLDS_COLUMNS,
    GPU_BLUR_SLIDES_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, TILES_DOWN_COLUMNS, BLUR_ROW_SUMS_OF_TILE }},
  [GPU_BLUR_RUNNING_SUMS] = {{ "running-sums-rows", NULL, &gpu_shader_blur_running_rows,
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE, 0, GPU_BLUR_SLIDES_ALONG_ROWS,
    GPU_BLUR_MAX_RADIUS, {{32, 2, 0}}, .needs_subgroups = TRUE },
    { "running-sums-columns", NULL, &gpu_shader_blur_running_columns,
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET, 0, GPU_BLUR_SLIDES_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, {{64, 1, 0}} }},
  [GPU_BLUR_WALK] = {{ "walk", SHADERS (walk),
    GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET, 0, GPU_BLUR_SLIDES_DOWN_COLUMNS,
    9, {{32, 1, 3}, {32, 1, 6}, {32, 1, 9}} }},
};
/* *INDENT-ON* */

const GpuBlurPass *
gpu_blur_get_pass (GpuBlurMethod method, guint i)
{
  return i < GPU_BLUR_MAX_PASSES && passes[method][i].stage
      ? &passes[method][i] : NULL;
}

gboolean
gpu_blur_pass_walks (const GpuBlurPass * pass)
{
  return pass->taps == GPU_BLUR_AXIS_BY_AXIS && !pass->held;
}

guint
gpu_blur_tile_thread_columns (const GpuBlurTile * tile)
{
  if (gpu_blur_pass_walks (tile->pass))
    return tile->columns;
  return tile->pass->output == GPU_BLUR_TO_TARGET ?
      BLUR_PIXELS_PER_UNIT (tile->pixel.bytes) : 1;
}

guint
gpu_blur_tile_group_columns (const GpuBlurTile * tile)
{
  return tile->group_x * gpu_blur_tile_thread_columns (tile);
}

/* Whether each sum is computed from the one before (running sums). */
static gboolean
runs (const GpuBlurPass * pass)
{
  return pass->motion != GPU_BLUR_STAYS && !pass->held
      && !gpu_blur_pass_walks (pass);
}

/* --- loop rounds of a thread --- */

/* Returns the rounds for one sum of each of its pixels, along a row or down a column. */
static guint
sum_rounds (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint pixels = gpu_blur_tile_thread_columns (tile);
  guint longest = tile->pass->taps == GPU_BLUR_AXIS_BY_AXIS ?
      MAX (axes->x.radius, axes->y.radius) : axes->y.radius;
  guint rounds = pixels * (2 * longest + 3);

  /* The thread first fetches its part of a source row. */
  if (tile->pass->held & (GPU_BLUR_HOLDS_ROWS | GPU_BLUR_HOLDS_BOX))
    rounds += DIV_UP (2 * axes->x.radius, tile->group_x) + pixels + 1;
  return rounds;
}

/* Returns the rows of a section whose columns are summed from a ring; 0 if none are
 * possible. Each section also needs the row sums above and below it, so its height is
 * several times the radius if possible. Filling the ring and summing from it, a thread
 * computes at most (2 radius + 2 rows) / group_y + 2 sums. */
static guint
ring_section_rows (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint radius = axes->y.radius;
  guint sums = MAX_ROUNDS / sum_rounds (tile, axes);
  guint wanted = tile->section_rows > 0 ? tile->section_rows
      : MAX (64, 4 * radius);
  guint most;

  if (sums < 2 || (sums - 1) * tile->group_y <= 2 * radius)
    return 0;
  most = ((sums - 1) * tile->group_y - 1 - 2 * radius) / 2;
  return MIN (wanted, most) / tile->group_y * tile->group_y;
}

/* Returns the length of a section of running sums: as long as its first sum, which is then
 * a third of all reads, and at least @least. Along rows a thread has at most every fourth
 * pixel, so its rounds are not limited here. */
static guint
running_section (guint least, guint radius)
{
  return MAX (least, 2 * radius);
}

/* Returns the rows of a section of running sums down columns. The rounds include the two
 * loops that correct each quotient. */
static guint
running_section_rows (const GpuBlurTile * tile, guint radius)
{
  guint pixels = BLUR_PIXELS_PER_UNIT (tile->pixel.bytes);
  guint first = 2 * radius * (pixels + 1);
  guint row = pixels * (4 * tile->pixel.components + 4);

  return MIN (running_section (32, radius), (MAX_ROUNDS - first) / row);
}

static guint
section_rows (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  if (gpu_blur_pass_walks (tile->pass))
    return MAX (WALK_SECTION, 4 * axes->y.radius);
  return runs (tile->pass) ? running_section_rows (tile, axes->y.radius)
      : ring_section_rows (tile, axes);
}

/* Returns the most pixel columns that a ring can slide along. */
static guint
most_columns (const GpuBlurTile * tile, guint radius)
{
  return MAX_ROUNDS / (2 * radius + 3) * tile->group_x - 2 * radius;
}

/* --- tiles --- */

/* Returns the samples that a group holds in shared memory. */
static guint
held_samples (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint columns = gpu_blur_tile_group_columns (tile);
  guint reached_columns = columns + 2 * axes->x.radius;
  guint reached_rows = tile->group_y + 2 * axes->y.radius;
  guint samples = 0;

  if (tile->pass->held & GPU_BLUR_HOLDS_ROWS)
    samples += reached_columns * tile->group_y;
  if (tile->pass->held & GPU_BLUR_HOLDS_COLUMNS)
    samples += columns * reached_rows;
  if (tile->pass->held & GPU_BLUR_HOLDS_BOX)
    samples += reached_columns * reached_rows;
  return samples;
}

/* Whether the loop rounds of a thread allow a section that is high enough. */
static gboolean
columns_are_short (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint rows;

  if (!(tile->pass->held & GPU_BLUR_HOLDS_COLUMNS))
    return TRUE;
  rows = section_rows (tile, axes);
  /* A section has at least as many rows as the radius: otherwise most row sums would be
   * those above and below it. */
  return rows >= tile->group_y
      && (tile->pass->motion == GPU_BLUR_STAYS || rows >= axes->y.radius);
}

/* Sets the shared memory of a tile: as much as the bucket needs or, without a bucket, all
 * that the device has. */
static void
fit_tile (GpuBlurTile * tile, guint bucket, GpuDevice * device)
{
  guint words = tile->pixel.words;
  guint limit = gpu_device_get_info (device)->max_shared / 4 / words;
  const GpuBlurAxes least = {.x.radius = 1, .y.radius = 1};
  const GpuBlurAxes most = {.x.radius = bucket, .y.radius = bucket};

  if (bucket > 0)
    limit = MIN (limit, held_samples (tile, &most));
  tile->samples = limit;
  tile->shared_words = held_samples (tile, &least) <= limit ? limit * words : 0;
}

const GpuBlurShape *
gpu_blur_pass_get_shape (const GpuBlurPass * pass, guint i)
{
  return i < GPU_BLUR_MAX_TILES && pass->shapes[i].width > 0 ?
      &pass->shapes[i] : NULL;
}

/* Returns the columns of a thread of a walk: whole blocks, if the frame is in blocks. More
 * columns share more loads. But the more samples they have, the longer a kernel takes to
 * build, and the less caches hold. */
static guint
choose_walk_columns (const GpuBlurPixel * pixel, guint radius)
{
  const guint columns = pixel->components <= 2 || radius <= 3 ? 8 : 4;

  return pixel->is_in_blocks
      ? MAX (columns, BLUR_PIXELS_PER_BLOCK (pixel->bytes)) : columns;
}

void
gpu_blur_pass_get_tile (const GpuBlurPass * pass, const GpuBlurShape * shape,
    GpuDevice * device, const GpuBlurPixel * pixel, GpuBlurTile * tile)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  *tile = (GpuBlurTile) {
    .pass = pass,
    .pixel = *pixel,
    .group_x = shape->width,
    .group_y = shape->rows,
    .shared_words = 1,
    .section_rows = shape->section_rows,
  };
  if (gpu_blur_pass_walks (pass)) {
    tile->unrolled = shape->bucket;
    tile->columns = choose_walk_columns (pixel, shape->bucket);
  }
  if (pass->held) {
    tile->group_x /= gpu_blur_tile_thread_columns (tile);
    fit_tile (tile, shape->bucket, device);
  }
  if (tile->group_x * tile->group_y > info->max_group_threads
      || (pass->needs_subgroups && info->subgroup_size == 0))
    tile->shared_words = 0;
}

gboolean
gpu_blur_tile_reaches (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint reach = tile->pass->reach;

  if (tile->unrolled > 0)
    reach = MIN (reach, tile->unrolled);
  return MAX (axes->x.radius, axes->y.radius) <= reach
      && held_samples (tile, axes) <= tile->samples
      && columns_are_short (tile, axes);
}

/* --- dispatches --- */

guint
gpu_blur_pass_taps (const GpuBlurPass * pass, const GpuBlurAxes * axes)
{
  guint x = 2 * axes->x.radius + 1, y = 2 * axes->y.radius + 1;

  switch (pass->taps) {
    case GPU_BLUR_BOTH_AT_ONCE:
      return x * y;
    case GPU_BLUR_AXIS_BY_AXIS:
      return x + y;
    case GPU_BLUR_ALONG_ROWS:
      return x;
    default:
      return y;
  }
}

guint
gpu_blur_tile_group_rows (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  return tile->pass->motion == GPU_BLUR_SLIDES_DOWN_COLUMNS ?
      section_rows (tile, axes) : tile->group_y;
}

guint
gpu_blur_tile_section_columns (const GpuBlurTile * tile,
    const GpuBlurAxes * axes, guint width)
{
  if (tile->pass->motion != GPU_BLUR_SLIDES_ALONG_ROWS)
    return gpu_blur_tile_group_columns (tile);
  return runs (tile->pass) ? running_section (256, axes->x.radius) : width;
}

/* Returns the work of one output of running sums: the sample that enters, the sample that
 * leaves, and its share of the taps of the section's first sum. */
static guint
running_work (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint section = tile->pass->motion == GPU_BLUR_SLIDES_ALONG_ROWS ?
      gpu_blur_tile_section_columns (tile, axes, 0)
      : gpu_blur_tile_group_rows (tile, axes);

  return 2 + gpu_blur_pass_taps (tile->pass, axes) / section;
}

guint
gpu_blur_tile_work (const GpuBlurTile * tile, const GpuBlurAxes * axes)
{
  guint taps = gpu_blur_pass_taps (tile->pass, axes);

  if (runs (tile->pass))
    return running_work (tile, axes);
  if (tile->pass->taps == GPU_BLUR_AXIS_BY_AXIS)
    taps += (2 * axes->x.radius + 1) * 2 * axes->y.radius
        / gpu_blur_tile_group_rows (tile, axes);
  return taps;
}

guint64
gpu_blur_tile_max_width (const GpuBlurTile * tile,
    GpuDevice * device, const GpuBlurAxes * axes)
{
  if (tile->pass->motion == GPU_BLUR_SLIDES_ALONG_ROWS && !runs (tile->pass))
    return most_columns (tile, axes->x.radius);
  return (guint64) gpu_device_get_info (device)->max_groups[0]
      * gpu_blur_tile_section_columns (tile, axes, 0);
}
