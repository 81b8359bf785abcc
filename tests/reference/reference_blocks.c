/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_blocks.h"
#include "reference_bins.h"
#include "reference_integer.h"
#include "reference_modes.h"

#include <stdlib.h>

/* In squares of this side, the last one cut off. */
static guint
n_squares (guint length, guint side)
{
  return (length + side - 1) / side;
}

static guint
side_of_blocks (guint width, guint height)
{
  guint side = 16;

  while (n_squares (width, side) > 32 || n_squares (height, side) > 32)
    side *= 2;
  return side;
}

static guint
n_columns (guint width, guint height)
{
  return n_squares (width, side_of_blocks (width, height));
}

guint
reference_blocks_count (guint width, guint height)
{
  return n_columns (width, height)
      * n_squares (height, side_of_blocks (width, height));
}

guint
reference_blocks_find (guint width, guint height, gsize pixel)
{
  const guint side = side_of_blocks (width, height);
  const gsize x = pixel % width, y = pixel / width;

  return y / side * n_columns (width, height) + x / side;
}

/* As many pixels of a block that is not cut off as there are in the least. */
static gboolean
is_looked_at (guint width, guint height, gsize pixel)
{
  const guint step = side_of_blocks (width, height) / 16;

  return pixel % width % step == 0 && pixel / width % step == 0;
}

gint64 *
reference_blocks_lumas_new (const guint8 * picture, guint width, guint height)
{
  const guint n_blocks = reference_blocks_count (width, height);
  gint64 *sums = g_new0 (gint64, n_blocks);
  g_autofree gint64 *counts = g_new0 (gint64, n_blocks);

  for (gsize i = 0; i < (gsize) width * height; i++) {
    const guint8 *rgba = picture + 4 * i;
    const guint block = reference_blocks_find (width, height, i);

    if (rgba[3] == 0 || !is_looked_at (width, height, i))
      continue;
    sums[block] += rgba[0] + 2 * rgba[1] + rgba[2];
    counts[block]++;
  }
  for (guint i = 0; i < n_blocks; i++)
    if (counts[i] > 0)
      sums[i] = reference_bins_mean (64 * sums[i], counts[i]);
  return sums;
}

gint64
reference_colours_change (const guint8 * from, const guint8 * to)
{
  return ABS (from[0] - to[0]) + ABS (from[1] - to[1]) + ABS (from[2] - to[2]);
}

/* Of the samples of a block, or -1 where none counts in both pictures. */
static gint64
mean_change (const ReferencePictures * pictures, guint block)
{
  const guint width = pictures->width, height = pictures->height;
  gint64 sum = 0, n = 0;

  for (gsize i = 0; i < (gsize) width * height; i++) {
    const guint8 *from = pictures->before + 4 * i, *to = pictures->now + 4 * i;

    if (reference_blocks_find (width, height, i) != block
        || !is_looked_at (width, height, i) || from[3] == 0 || to[3] == 0)
      continue;
    sum += reference_colours_change (from, to);
    n++;
  }
  return n > 0 ? MIN (reference_floor_divide (8 * sum, n), 255) : -1;
}

static gint
compare_changes (gconstpointer one, gconstpointer other)
{
  return *(const gint64 *) one - *(const gint64 *) other;
}

gint64
reference_blocks_median_change (const ReferencePictures * pictures)
{
  const guint n_blocks =
      reference_blocks_count (pictures->width, pictures->height);
  g_autofree gint64 *changes = g_new (gint64, n_blocks);
  guint n = 0;

  for (guint block = 0; block < n_blocks; block++) {
    changes[n] = mean_change (pictures, block);
    n += changes[n] >= 0;
  }
  qsort (changes, n, sizeof *changes, compare_changes);
  return n > 0 ? changes[n / 2] : -1;
}

gboolean
reference_blocks_is_cut (gdouble scene_cut_threshold, gint64 change,
    guint n_blocks)
{
  const gint64 threshold = reference_floor (scene_cut_threshold * 65280 + 0.5);

  return threshold != 0 && change > n_blocks * threshold;
}

gboolean
reference_is_cut (gdouble scene_cut_threshold, const guint8 * before,
    const guint8 * now, guint width, guint height)
{
  const guint n_blocks = reference_blocks_count (width, height);
  g_autofree gint64 *of_before =
      reference_blocks_lumas_new (before, width, height);
  g_autofree gint64 *of_now = reference_blocks_lumas_new (now, width, height);
  gint64 change = 0;

  for (guint i = 0; i < n_blocks; i++)
    change += ABS (of_now[i] - of_before[i]);
  return reference_blocks_is_cut (scene_cut_threshold, change, n_blocks);
}

void
reference_blocks_find_departures (ReferenceBlock * blocks, guint n_blocks,
    gint64 interval)
{
  for (guint i = 0; i < n_blocks; i++) {
    ReferenceBlock *block = &blocks[i];
    const gint64 departure = ABS (block->luma - block->reference);

    block->departure = CLAMP (departure - 128, 0, 128);
    block->reference = reference_approach (block->reference, block->luma,
        reference_part (interval, 125000000));
  }
}

gint64
reference_blocks_unrest_around (const ReferenceBlock * blocks, guint width,
    guint height, guint block)
{
  const gint columns = n_columns (width, height), at = block;
  const gint n = reference_blocks_count (width, height);
  gint64 most = 0;

  for (gint i = 0; i < n; i++)
    if (ABS (i % columns - at % columns) <= 1
        && ABS (i / columns - at / columns) <= 1)
      most = MAX (most, blocks[i].departure);
  return most;
}

gint64
reference_blocks_unrest_of_all (const ReferenceBlock * blocks, guint n_blocks)
{
  gint64 sum = 0;

  for (guint i = 0; i < n_blocks; i++)
    sum += blocks[i].departure;
  return sum / (2 * n_blocks);
}
