/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "method.h"
#include "weights.h"

/* No thread loops more often than this in all its loops together: bounded
 * dispatches need it, and Mesa's CPU rasteriser silently leaves every loop
 * after 65535 rounds. */
#define MAX_ROUNDS 65000

/* Four pixels a thread, N² taps each: 4 (N² + N) stays under MAX_ROUNDS. */
#define DIRECT_MAX_RADIUS 63

guint
gpu_blur_pixels_per_unit (guint components)
{
  return components == 4 ? 1 : components == 2 ? 2 : 4;
}

guint
gpu_blur_words_per_sum (guint components, gboolean exact, gboolean half)
{
  return half && !exact ? (components + 1) / 2 : components;
}

/* Rounds of a thread that fills a ring of row sums, each summed by itself,
 * and sums @section rows out of it. */
static guint64
rounds_of_section (const GpuBlurTile * tile, guint components, guint radius,
    guint section)
{
  guint64 sums = (2 * radius + 2 * section) / tile->group_y + 2;

  return sums * gpu_blur_pixels_per_unit (components) * (2 * radius + 3);
}

guint
gpu_blur_section_rows (const GpuBlurTile * tile, guint components, guint radius)
{
  /* The rows above and below a section are summed for it alone, so it is
   * several times as high where it can be. */
  guint section = MAX (64, 4 * radius) / tile->group_y * tile->group_y;

  while (section > 0
      && rounds_of_section (tile, components, radius, section) > MAX_ROUNDS)
    section -= tile->group_y;
  return section;
}

guint
gpu_blur_section_columns (const GpuBlurTile * tile, guint radius)
{
  return MAX_ROUNDS / (2 * radius + 3) * tile->group_x - 2 * radius;
}

static guint
radius_that_fits (guint shared_words, guint words_per_entry, guint group)
{
  guint entries = shared_words / words_per_entry;

  return entries > group ? (entries - group) / 2 : 0;
}

void
gpu_blur_column_tile (GpuDevice * device, guint index, guint components,
    guint words, GpuBlurTile * tile)
{
  static const struct
  {
    guint width, rows, small_radius;
  } shapes[GPU_BLUR_TILES] = { {32, 8, 16}, {32, 8, 0}, {8, 16, 0} };
  guint pixels = gpu_blur_pixels_per_unit (components);
  guint row_words = shapes[index].width * words;
  guint limit = gpu_device_get_info (device)->max_shared / 4;

  tile->group_x = shapes[index].width / pixels;
  tile->group_y = shapes[index].rows;
  if (shapes[index].small_radius)
    limit = MIN (limit, row_words * (2 * shapes[index].small_radius
            + tile->group_y));
  tile->shared_words = limit;
  tile->max_radius = radius_that_fits (limit, row_words, tile->group_y);
  while (tile->max_radius > 0 && gpu_blur_section_rows (tile, components,
          tile->max_radius) < tile->max_radius)
    tile->max_radius--;
}

void
gpu_blur_row_tile (GpuDevice * device, guint words, GpuBlurTile * tile)
{
  guint limit = gpu_device_get_info (device)->max_shared / 4;

  tile->group_x = 128;
  tile->group_y = 2;
  tile->shared_words = limit;
  tile->max_radius =
      radius_that_fits (limit, words * tile->group_y, tile->group_x);
}

guint
gpu_blur_reach (GpuDevice * device, GpuBlurMethod method, guint components,
    guint words)
{
  GpuBlurTile tile;
  guint reach = 0;

  if (method == GPU_BLUR_DIRECT)
    return DIRECT_MAX_RADIUS;
  if (method == GPU_BLUR_SEPARABLE)
    return GPU_BLUR_MAX_RADIUS;
  for (guint i = 0; i < GPU_BLUR_TILES; i++) {
    gpu_blur_column_tile (device, i, components, words, &tile);
    reach = MAX (reach, tile.max_radius);
  }
  if (method == GPU_BLUR_SLIDING_WINDOW) {
    gpu_blur_row_tile (device, words, &tile);
    reach = MIN (reach, tile.max_radius);
  }
  return MIN (reach, GPU_BLUR_MAX_RADIUS);
}

guint
gpu_blur_max_radius (GpuDevice * device, GpuBlurMethod method,
    GpuBlurPrecision precision, guint components)
{
  guint words = gpu_blur_words_per_sum (components, FALSE,
      precision != GPU_BLUR_FLOAT);

  if (method == GPU_BLUR_AUTO)
    return GPU_BLUR_MAX_RADIUS;
  return gpu_blur_reach (device, method, components, words);
}

GpuBlurPrecision
gpu_blur_choose_precision (const GpuBlurSettings * settings)
{
  /* Halves hold 8-bit samples exactly; deeper formats will want floats. */
  return settings->precision == GPU_BLUR_FLOAT ? GPU_BLUR_FLOAT : GPU_BLUR_HALF;
}

/* Whether @method reaches the radius on every plane. */
static gboolean
method_reaches (GpuDevice * device, GpuBlurMethod method,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gboolean half = gpu_blur_choose_precision (settings) == GPU_BLUR_HALF;

  for (guint i = 0; i < format->n_planes; i++) {
    GpuBlurAxis axis;
    guint words;

    gpu_blur_axis_init (&axis, settings, format->shift[i]);
    words = gpu_blur_words_per_sum (format->components[i], axis.exact, half);
    if (axis.radius > gpu_blur_reach (device, method, format->components[i],
            words))
      return FALSE;
  }
  return TRUE;
}

GpuBlurMethod
gpu_blur_choose (GpuDevice * device, const GpuBlurSettings * settings,
    GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  /* The separable passes measure fastest of these methods nearly everywhere
   * (docs/benchmarks.md), and what fits no ring in shared memory goes through
   * memory too. */
  if (settings->method == GPU_BLUR_AUTO
      || !method_reaches (device, settings->method, settings, format))
    return GPU_BLUR_SEPARABLE;
  return settings->method;
}
