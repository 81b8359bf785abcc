/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_blocks.h"
#include "reference_bins.h"
#include "reference_integer.h"
#include "reference_light.h"
#include "reference_modes.h"

#include <stdlib.h>

/* In squares of this side, the last one cut off. */
static guint
n_squares (guint length, guint side)
{
  return (length + side - 1) / side;
}

guint
reference_blocks_side (guint width, guint height)
{
  guint side = 16;

  while (n_squares (width, side) > 32 || n_squares (height, side) > 32)
    side *= 2;
  return side;
}

static guint
n_columns (guint width, guint height)
{
  return n_squares (width, reference_blocks_side (width, height));
}

guint
reference_blocks_count (guint width, guint height)
{
  return n_columns (width, height)
      * n_squares (height, reference_blocks_side (width, height));
}

guint
reference_blocks_find (guint width, guint height, gsize pixel)
{
  const guint side = reference_blocks_side (width, height);
  const gsize x = pixel % width, y = pixel / width;

  return y / side * n_columns (width, height) + x / side;
}

/* As many pixels of a block that is not cut off as there are in the least. */
gboolean
reference_blocks_is_looked_at (guint width, guint height, gsize pixel)
{
  const guint step = reference_blocks_side (width, height) / 16;

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

    if (rgba[3] == 0 || !reference_blocks_is_looked_at (width, height, i))
      continue;
    sums[block] += rgba[0] + 2 * rgba[1] + rgba[2];
    counts[block]++;
  }
  for (guint i = 0; i < n_blocks; i++)
    if (counts[i] > 0)
      sums[i] = reference_bins_mean (64 * sums[i], counts[i]);
  return sums;
}

/* In 4096ths of a code value. */
static gint64
expect (const ReferenceLight * light, guint8 value)
{
  return reference_light_expect (light, 4096 * value, 4096);
}

gint64
reference_colours_change (const ReferenceLight * light, const guint8 * from,
    const guint8 * to)
{
  gint64 sum = 0;

  for (guint i = 0; i < 3; i++)
    sum += ABS (expect (light, from[i]) - 4096 * to[i]);
  return reference_floor_divide (sum + 2048, 4096);
}

gssize
reference_blocks_find_source (const ReferencePictures * pictures, gsize pixel)
{
  const guint width = pictures->width, height = pictures->height;
  const ReferenceVector vector = pictures->vectors == NULL
      ? (ReferenceVector) { 0, 0}
      : pictures->vectors[reference_blocks_find (width, height, pixel)];
  const gint x = (gint) (pixel % width) + vector.x;
  const gint y = (gint) (pixel / width) + vector.y;

  return x < 0 || y < 0 || x >= (gint) width || y >= (gint) height ? -1
      : (gssize) y *width + x;
}

/* Of the samples of a block that count in both pictures. */
typedef struct
{
  gint64 n;
  gint64 colour;                /* sum of changes */
  gint64 luma;                  /* sum of changes, in 4096ths */
} Change;

/* Of R' + 2 G' + B', in 4096ths. */
static gint64
luma_change (const ReferenceLight * light, const guint8 * from,
    const guint8 * to)
{
  return 4096 * (to[0] + 2 * to[1] + to[2]) - expect (light, from[0])
      - 2 * expect (light, from[1]) - expect (light, from[2]);
}

static Change *
changes_new (const ReferencePictures * pictures)
{
  const guint width = pictures->width, height = pictures->height;
  Change *changes = g_new0 (Change, reference_blocks_count (width, height));

  for (gsize i = 0; i < (gsize) width * height; i++) {
    const guint8 *to = pictures->now + 4 * i, *from;
    const gssize source = reference_blocks_find_source (pictures, i);
    Change *change = &changes[reference_blocks_find (width, height, i)];

    if (!reference_blocks_is_looked_at (width, height, i) || source < 0
        || to[3] == 0 || pictures->before[4 * source + 3] == 0)
      continue;
    from = pictures->before + 4 * source;
    change->n++;
    change->colour += reference_colours_change (&pictures->light, from, to);
    change->luma += luma_change (&pictures->light, from, to);
  }
  return changes;
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
  g_autofree Change *changes = changes_new (pictures);
  g_autofree gint64 *means = g_new (gint64, n_blocks);
  guint n = 0;

  for (guint block = 0; block < n_blocks; block++)
    if (changes[block].n > 0)
      means[n++] = MIN (reference_floor_divide (8 * changes[block].colour,
              changes[block].n), 255);
  qsort (means, n, sizeof *means, compare_changes);
  return n > 0 ? means[n / 2] : -1;
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

/* That of the frame before in which the middle of @block was, or the nearest. */
static guint
find_source_block (const ReferencePictures * pictures, guint block)
{
  const gint side = reference_blocks_side (pictures->width, pictures->height);
  const gint columns = n_columns (pictures->width, pictures->height);
  const gint rows = n_squares (pictures->height, side);
  const gint x = (gint) block % columns * side + side / 2
      + pictures->vectors[block].x;
  const gint y = (gint) block / columns * side + side / 2
      + pictures->vectors[block].y;

  return CLAMP (y, 0, rows * side - 1) / side * columns
      + CLAMP (x, 0, columns * side - 1) / side;
}

static void
follow_motion (ReferenceBlock * blocks, const ReferencePictures * pictures)
{
  const guint n_blocks =
      reference_blocks_count (pictures->width, pictures->height);
  g_autofree gint64 *drifts = g_new (gint64, n_blocks);

  for (guint i = 0; i < n_blocks; i++)
    drifts[i] = blocks[find_source_block (pictures, i)].drift;
  for (guint i = 0; i < n_blocks; i++)
    blocks[i].drift = drifts[i];
}

void
reference_blocks_drift (ReferenceBlock * blocks,
    const ReferencePictures * pictures, gint64 camera, gint64 interval)
{
  const guint n_blocks =
      reference_blocks_count (pictures->width, pictures->height);
  const gint64 least = 128 + CLAMP (camera - 16384, 0, 16384) / 32;
  g_autofree Change *changes = changes_new (pictures);

  if (pictures->vectors != NULL)
    follow_motion (blocks, pictures);
  for (guint i = 0; i < n_blocks; i++) {
    ReferenceBlock *block = &blocks[i];

    if (changes[i].n > 0)
      block->drift += reference_floor_divide (changes[i].luma
          + 32 * changes[i].n, 64 * changes[i].n);
    block->drift = CLAMP (block->drift, -65280, 65280);
    block->departure = CLAMP (ABS (block->drift) - least, 0, 128);
    block->drift = reference_approach (block->drift, 0,
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
