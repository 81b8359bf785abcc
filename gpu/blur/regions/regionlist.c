/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionlist.h"

#include <math.h>

/* Regions are merged with neighbours in bands of so many rows. */
#define BAND 128

static GpuRegion *
get (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

/* --- rectangles --- */

GpuRegionBox
gpu_region_box_clip (const GpuRegionBox * box, guint width, guint height)
{
  gint64 left = CLAMP (box->x, 0, (gint64) width);
  gint64 top = CLAMP (box->y, 0, (gint64) height);
  gint64 right = CLAMP ((gint64) box->x + box->width, left, (gint64) width);
  gint64 bottom = CLAMP ((gint64) box->y + box->height, top, (gint64) height);

  return (GpuRegionBox) {left, top, right - left, bottom - top};
}

/* Returns the smallest rectangle that covers both. */
static GpuRegionBox
cover (const GpuRegionBox * a, const GpuRegionBox * b)
{
  gint left = MIN (a->x, b->x), top = MIN (a->y, b->y);

  return (GpuRegionBox) {
    left, top, MAX (a->x + a->width, b->x + b->width) - left,
    MAX (a->y + a->height, b->y + b->height) - top,
  };
}

/* Returns whether a pixel is left. An ellipse keeps its shape, unless it is too large for
 * shaders. */
static gboolean
clip (GpuRegion * region, guint width, guint height)
{
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);

  if (MAX (region->box.width, region->box.height) > REGION_MOST_ELLIPSE)
    region->shape = GPU_REGION_RECTANGLE;
  if (region->shape == GPU_REGION_RECTANGLE)
    region->box = inside;
  return inside.width > 0 && inside.height > 0;
}

void
gpu_regions_clip (GArray * regions, guint width, guint height)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++)
    if (clip (get (regions, i), width, height))
      *get (regions, n++) = *get (regions, i);
  g_array_set_size (regions, n);
}

/* --- order --- */

/* Stronger regions come first. */
static gint
compare_strength (gconstpointer one, gconstpointer other)
{
  const GpuRegion *a = one, *b = other;

  if (a->action != b->action)
    return a->action > b->action ? -1 : 1;
  if (a->action == GPU_REGION_PIXELATE && a->block != b->block)
    return a->block > b->block ? -1 : 1;
  if (a->action == GPU_REGION_BLUR && a->strength != b->strength)
    return a->strength > b->strength ? -1 : 1;
  return 0;
}

/* Returns the step of a strength among the powers of the square root of 2, rounded up. */
static gint
find_step (gdouble strength)
{
  return ceil (2 * log2 (strength) - 1e-6);
}

/* Rounds the strengths of regions to blur up. Those far below the largest are raised to the
 * smallest step. */
static void
round_strengths (GArray * regions)
{
  gint largest = G_MININT;

  for (guint i = 0; i < regions->len; i++)
    if (get (regions, i)->action == GPU_REGION_BLUR)
      largest = MAX (largest, find_step (get (regions, i)->strength));
  for (guint i = 0; i < regions->len; i++)
    if (get (regions, i)->action == GPU_REGION_BLUR)
      get (regions, i)->strength =
          exp2 (MAX (find_step (get (regions, i)->strength),
              largest - (GPU_REGION_MAX_STRENGTHS - 1)) / 2.);
}

void
gpu_regions_sort (GArray * regions)
{
  round_strengths (regions);
  g_array_sort (regions, compare_strength);
}

/* --- too many --- */

/* Regions that are near each other come together. */
static gint
compare_place (gconstpointer one, gconstpointer other)
{
  const GpuRegionBox *a = &((const GpuRegion *) one)->box;
  const GpuRegionBox *b = &((const GpuRegion *) other)->box;

  if (a->y / BAND != b->y / BAND)
    return a->y / BAND < b->y / BAND ? -1 : 1;
  return a->x < b->x ? -1 : a->x > b->x;
}

/* Merges @other into @region. */
static void
merge (GpuRegion * region, const GpuRegion * other, guint width, guint height)
{
  const GpuRegionBox a = gpu_region_box_clip (&region->box, width, height);
  const GpuRegionBox b = gpu_region_box_clip (&other->box, width, height);
  guint feather = MAX (region->feather, other->feather);

  if (compare_strength (other, region) < 0)
    *region = *other;
  region->box = cover (&a, &b);
  region->shape = GPU_REGION_RECTANGLE;
  region->feather = feather;
}

/* Merges as many pairs of neighbours as there are regions too many, or all pairs. */
static void
merge_pairs (GArray * regions, guint most, guint width, guint height)
{
  guint pairs = MIN (regions->len - most, regions->len / 2);
  guint n = 0;

  g_array_sort (regions, compare_place);
  for (guint i = 0; i < regions->len; i++) {
    GpuRegion region = *get (regions, i);

    if (n < pairs)
      merge (&region, get (regions, ++i), width, height);
    *get (regions, n++) = region;
  }
  g_array_set_size (regions, n);
}

void
gpu_regions_merge (GArray * regions, guint most, guint width, guint height)
{
  while (regions->len > most)
    merge_pairs (regions, most, width, height);
}

static gint
compare_area (gconstpointer one, gconstpointer other)
{
  const GpuRegionBox *a = &((const GpuRegion *) one)->box;
  const GpuRegionBox *b = &((const GpuRegion *) other)->box;
  gint64 of_a = (gint64) a->width * a->height;
  gint64 of_b = (gint64) b->width * b->height;

  return of_a > of_b ? -1 : of_a < of_b;
}

void
gpu_regions_keep_largest (GArray * regions, guint most)
{
  if (regions->len <= most)
    return;
  g_array_sort (regions, compare_area);
  g_array_set_size (regions, most);
}

/* --- blocks --- */

void
gpu_region_count_blocks (const GpuRegion * region, guint width, guint height,
    guint * columns, guint * rows)
{
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);

  *columns = MAX (inside.width / region->block, 1);
  *rows = MAX (inside.height / region->block, 1);
}

static guint64
count_all_blocks (const GArray * regions, guint width, guint height)
{
  guint64 n = 0;
  guint columns, rows;

  for (guint i = 0; i < regions->len; i++)
    if (get (regions, i)->action == GPU_REGION_PIXELATE) {
      gpu_region_count_blocks (get (regions, i), width, height, &columns,
          &rows);
      n += (guint64) columns *rows;
    }
  return n;
}

guint
gpu_regions_limit_blocks (GArray * regions, guint most, guint width,
    guint height)
{
  guint64 n;

  while ((n = count_all_blocks (regions, width, height)) > most)
    for (guint i = 0; i < regions->len; i++)
      get (regions, i)->block *= 2;
  return n;
}
