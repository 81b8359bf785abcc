/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pass.h"
#include "shaders.h"

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* No thread loops more often than this in all its loops together: bounded
 * dispatches need it, and Mesa's CPU rasteriser silently leaves every loop
 * after 65535 rounds. */
#define MAX_ROUNDS 65000

/* Four pixels a thread, N² taps each: 4 (N² + N) stays under MAX_ROUNDS. */
#define DIRECT_REACH 63

#define SHADERS(name) &gpu_shader_blur_##name, &gpu_shader_blur_##name##_exact

/* Narrow rings reach far, small ones leave room for more groups at a time. */
#define TILES_DOWN_COLUMNS {{32, 8, 16}, {32, 8, 0}, {8, 16, 0}}

/* *INDENT-OFF* */
enum
{
  DIRECT,
  ROWS,
  COLUMNS,
  SLIDING_ROWS,
  SLIDING_COLUMNS,
  INLINE_COLUMNS,
};

static const GpuBlurPass passes[] = {
  [DIRECT] = { "direct", SHADERS (direct),
    GPU_BLUR_BOTH_AT_ONCE, GPU_BLUR_TO_TARGET, GPU_BLUR_NO_RING,
    DIRECT_REACH, {{32, 8, 0}} },
  [ROWS] = { "separable-rows", SHADERS (rows),
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE, GPU_BLUR_NO_RING,
    GPU_BLUR_MAX_RADIUS, {{32, 8, 0}} },
  [COLUMNS] = { "separable-columns", SHADERS (columns),
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET, GPU_BLUR_NO_RING,
    GPU_BLUR_MAX_RADIUS, {{32, 8, 0}} },
  [SLIDING_ROWS] = { "sliding-window-rows", SHADERS (sliding_rows),
    GPU_BLUR_ALONG_ROWS, GPU_BLUR_TO_MIDDLE, GPU_BLUR_RING_ALONG_ROWS,
    GPU_BLUR_MAX_RADIUS, {{128, 2, 0}} },
  [SLIDING_COLUMNS] = { "sliding-window-columns", SHADERS (sliding_columns),
    GPU_BLUR_DOWN_COLUMNS, GPU_BLUR_TO_TARGET, GPU_BLUR_RING_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, TILES_DOWN_COLUMNS },
  [INLINE_COLUMNS] = { "inline-sliding-window", SHADERS (inline_columns),
    GPU_BLUR_AXIS_BY_AXIS, GPU_BLUR_TO_TARGET, GPU_BLUR_RING_DOWN_COLUMNS,
    GPU_BLUR_MAX_RADIUS, TILES_DOWN_COLUMNS },
};

static const GpuBlurPass *const methods[][GPU_BLUR_MAX_PASSES] = {
  [GPU_BLUR_DIRECT] = { &passes[DIRECT] },
  [GPU_BLUR_SEPARABLE] = { &passes[ROWS], &passes[COLUMNS] },
  [GPU_BLUR_SLIDING_WINDOW] = { &passes[SLIDING_ROWS],
    &passes[SLIDING_COLUMNS] },
  [GPU_BLUR_INLINE_SLIDING_WINDOW] = { &passes[INLINE_COLUMNS] },
};
/* *INDENT-ON* */

const GpuBlurPass *
gpu_blur_get_pass (GpuBlurMethod method, guint i)
{
  return i < GPU_BLUR_MAX_PASSES ? methods[method][i] : NULL;
}

/* --- rounds of a thread --- */

/* Rows of a section of columns: the rows above and below are summed for it
 * alone, so it is several times as high where it can be. A thread fills the
 * ring with (2 radius + 2 rows) / group_y + 2 sums, each summed by itself, and
 * sums as many out of it. */
static guint
section_rows (const GpuBlurPass * pass, const GpuBlurTile * tile,
    guint components, const GpuBlurAxes * axes)
{
  guint radius = axes->y.radius;
  guint longest = pass->taps == GPU_BLUR_AXIS_BY_AXIS ?
      MAX (axes->x.radius, radius) : radius;
  guint rounds = BLUR_PIXELS_PER_UNIT (components) * (2 * longest + 3);
  guint sums = MAX_ROUNDS / rounds;
  guint wanted = MAX (64, 4 * radius), most;

  if (sums < 2 || (sums - 1) * tile->group_y <= 2 * radius)
    return 0;
  most = ((sums - 1) * tile->group_y - 1 - 2 * radius) / 2;
  return MIN (wanted, most) / tile->group_y * tile->group_y;
}

static guint
section_columns (const GpuBlurTile * tile, guint radius)
{
  return MAX_ROUNDS / (2 * radius + 3) * tile->group_x - 2 * radius;
}

/* --- tiles --- */

/* Words of the ring at one radius more, and at radius 0. */
static void
get_ring_words (const GpuBlurPass * pass, guint i, guint words, guint * more,
    guint * least)
{
  gboolean along_rows = pass->ring == GPU_BLUR_RING_ALONG_ROWS;
  guint across = along_rows ? pass->tiles[i].rows : pass->tiles[i].width;
  guint along = along_rows ? pass->tiles[i].width : pass->tiles[i].rows;

  *more = 2 * across * words;
  *least = along * across * words;
}

/* A ring takes what shared memory there is, or what the bucket needs. */
static void
fit_ring (const GpuBlurPass * pass, guint i, GpuDevice * device,
    guint words, GpuBlurTile * tile)
{
  guint limit = gpu_device_get_info (device)->max_shared / 4;
  guint bucket = pass->tiles[i].bucket;
  guint more, least;

  get_ring_words (pass, i, words, &more, &least);
  if (bucket > 0)
    limit = MIN (limit, least + bucket * more);
  tile->shared_words = limit;
  tile->reach = limit > least ? MIN ((limit - least) / more, pass->reach) : 0;
}

gboolean
gpu_blur_pass_get_tile (const GpuBlurPass * pass, guint i, GpuDevice * device,
    guint components, guint words, GpuBlurTile * tile)
{
  if (i >= GPU_BLUR_MAX_TILES || pass->tiles[i].width == 0)
    return FALSE;
  *tile = (GpuBlurTile) {
  pass->tiles[i].width, pass->tiles[i].rows, 1, pass->reach};
  if (pass->ring == GPU_BLUR_RING_DOWN_COLUMNS)
    tile->group_x /= BLUR_PIXELS_PER_UNIT (components);
  if (pass->ring != GPU_BLUR_NO_RING)
    fit_ring (pass, i, device, words, tile);
  return TRUE;
}

gboolean
gpu_blur_pass_reaches (const GpuBlurPass * pass, const GpuBlurTile * tile,
    guint components, const GpuBlurAxes * axes)
{
  guint x = axes->x.radius, y = axes->y.radius;

  switch (pass->ring) {
    case GPU_BLUR_RING_ALONG_ROWS:
      return x <= tile->reach;
    case GPU_BLUR_RING_DOWN_COLUMNS:
      /* A section as high as the radius: less is mostly rows beyond it. */
      return y <= tile->reach
          && section_rows (pass, tile, components, axes) >= MAX (y, 1);
    default:
      return MAX (x, y) <= tile->reach;
  }
}

static guint
get_tile_reach (const GpuBlurPass * pass, const GpuBlurTile * tile,
    guint components)
{
  guint reach = tile->reach;
  GpuBlurAxes axes = {.x.radius = reach,.y.radius = reach };

  while (reach > 0 && !gpu_blur_pass_reaches (pass, tile, components, &axes))
    axes.x.radius = axes.y.radius = --reach;
  return reach;
}

static guint
get_pass_reach (const GpuBlurPass * pass, GpuDevice * device,
    guint components, guint words)
{
  GpuBlurTile tile;
  guint reach = 0;

  for (guint i = 0; gpu_blur_pass_get_tile (pass, i, device, components,
          words, &tile); i++)
    reach = MAX (reach, get_tile_reach (pass, &tile, components));
  return reach;
}

guint
gpu_blur_get_reach (GpuDevice * device, GpuBlurMethod method,
    guint components, guint words)
{
  const GpuBlurPass *pass;
  guint reach = GPU_BLUR_MAX_RADIUS;

  for (guint i = 0; (pass = gpu_blur_get_pass (method, i)); i++)
    reach = MIN (reach, get_pass_reach (pass, device, components, words));
  return reach;
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
gpu_blur_pass_group_rows (const GpuBlurPass * pass, const GpuBlurTile * tile,
    guint components, const GpuBlurAxes * axes)
{
  return pass->ring == GPU_BLUR_RING_DOWN_COLUMNS ?
      section_rows (pass, tile, components, axes) : tile->group_y;
}

/* Pixel columns that a thread does. */
static guint
thread_width (const GpuBlurPass * pass, guint components)
{
  return pass->output == GPU_BLUR_TO_TARGET ?
      BLUR_PIXELS_PER_UNIT (components) : 1;
}

guint
gpu_blur_pass_groups (const GpuBlurPass * pass, const GpuBlurTile * tile,
    guint components, guint width)
{
  /* It walks its rows from end to end. */
  if (pass->ring == GPU_BLUR_RING_ALONG_ROWS)
    return 1;
  return DIV_UP (width, tile->group_x * thread_width (pass, components));
}

guint64
gpu_blur_pass_max_width (const GpuBlurPass * pass, const GpuBlurTile * tile,
    GpuDevice * device, guint components, const GpuBlurAxes * axes)
{
  if (pass->ring == GPU_BLUR_RING_ALONG_ROWS)
    return section_columns (tile, axes->x.radius);
  return (guint64) gpu_device_get_info (device)->max_groups[0]
      * tile->group_x * thread_width (pass, components);
}
