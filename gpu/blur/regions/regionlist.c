/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionlist.h"

#include <string.h>

#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

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

  return (GpuRegionBox) {
  left, top, right - left, bottom - top};
}

static gboolean
is_outside (const GpuRegion * region, guint width, guint height)
{
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);

  return inside.width == 0 || inside.height == 0;
}

/* Returns the smallest rectangle that covers both. */
static GpuRegionBox
cover (const GpuRegionBox * a, const GpuRegionBox * b)
{
  gint left = MIN (a->x, b->x), top = MIN (a->y, b->y);

  return (GpuRegionBox) {
  left, top, MAX (a->x + a->width, b->x + b->width) - left,
        MAX (a->y + a->height, b->y + b->height) - top};
}

/* --- order --- */

/* Stronger regions come first. */
static gint
compare_strength (gconstpointer one, gconstpointer other)
{
  const GpuRegion *a = one, *b = other;

  if (a->action != b->action)
    return a->action > b->action ? -1 : 1;
  if (a->action != GPU_REGION_PIXELATE || a->block == b->block)
    return 0;
  return a->block > b->block ? -1 : 1;
}

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

/* --- merging --- */

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
merge_pairs (GArray * regions, guint width, guint height)
{
  guint pairs = MIN (regions->len - REGIONS_MOST, regions->len / 2);
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

/* Makes rectangles of ellipses that are too large for shaders. */
static void
limit_shape (GpuRegion * region)
{
  if (MAX (region->box.width, region->box.height) > REGION_MOST_ELLIPSE)
    region->shape = GPU_REGION_RECTANGLE;
}

void
gpu_regions_arrange (GArray * regions, guint width, guint height)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++)
    if (!is_outside (get (regions, i), width, height))
      *get (regions, n++) = *get (regions, i);
  g_array_set_size (regions, n);
  for (guint i = 0; i < n; i++)
    limit_shape (get (regions, i));
  while (regions->len > REGIONS_MOST)
    merge_pairs (regions, width, height);
  g_array_sort (regions, compare_strength);
}

/* --- blocks --- */

void
gpu_region_count_blocks (const GpuRegion * region, guint width, guint height,
    guint * columns, guint * rows)
{
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);

  *columns = DIV_UP (inside.width, region->block);
  *rows = DIV_UP (inside.height, region->block);
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

void
gpu_regions_limit_blocks (GArray * regions, guint width, guint height,
    guint64 most)
{
  GpuRegion *all = NULL;
  guint n = 0;

  if (count_all_blocks (regions, width, height) <= most)
    return;
  for (guint i = 0; i < regions->len; i++) {
    GpuRegion *kept = get (regions, n);

    if (all && get (regions, i)->action == GPU_REGION_PIXELATE) {
      merge (all, get (regions, i), width, height);
      continue;
    }
    *kept = *get (regions, i);
    if (kept->action == GPU_REGION_PIXELATE)
      all = kept;
    n++;
  }
  g_array_set_size (regions, n);
}

/* --- tiles --- */

static void
mark_tiles (const GpuRegion * region, guint index, guint width, guint height,
    guint32 * tiles)
{
  guint a_row = DIV_UP (width, REGION_TILE);
  gint feather = region->feather;
  const GpuRegionBox inside = gpu_region_box_clip (&region->box, width, height);
  const GpuRegionBox wide = { inside.x - feather, inside.y - feather,
    inside.width + 2 * feather, inside.height + 2 * feather
  };
  const GpuRegionBox box = gpu_region_box_clip (&wide, width, height);
  guint right = DIV_UP (box.x + box.width, REGION_TILE);
  guint bottom = DIV_UP (box.y + box.height, REGION_TILE);

  for (guint y = box.y / REGION_TILE; y < bottom; y++)
    for (guint x = box.x / REGION_TILE; x < right; x++)
      tiles[(y * a_row + x) * REGION_TILE_WORDS + index / 32] |=
          1u << index % 32;
}

void
gpu_regions_make_tiles (const GArray * regions, guint width, guint height,
    guint32 * tiles)
{
  gsize n = (gsize) DIV_UP (width, REGION_TILE) * DIV_UP (height, REGION_TILE);

  memset (tiles, 0, n * REGION_TILE_WORDS * sizeof *tiles);
  for (guint i = 0; i < regions->len; i++)
    mark_tiles (get (regions, i), i, width, height, tiles);
}
