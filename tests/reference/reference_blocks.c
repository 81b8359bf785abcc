/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_blocks.h"
#include "reference_integer.h"

#include <stdlib.h>

/* Components beyond these may be clipped. */
#define DARKEST 4
#define LIGHTEST 250

/* Pixels of a block that are read. */
#define N_SAMPLES 256

gint64
reference_approach (gint64 from, gint64 to, gint64 part)
{
  return from + reference_shift ((to - from) * part + 2048, 12);
}

gint64
reference_part (gint64 time, gint64 constant)
{
  return 4096 * time / (time + constant);
}

/* --- blocks --- */

ReferenceGrid
reference_grid (guint width, guint height)
{
  ReferenceGrid grid = {.width = width, .height = height, .side = 16};

  while (MAX (grid.width, grid.height) > 32 * grid.side)
    grid.side *= 2;
  grid.columns = (grid.width + grid.side - 1) / grid.side;
  grid.rows = (grid.height + grid.side - 1) / grid.side;
  grid.n = grid.columns * grid.rows;
  return grid;
}

guint
reference_grid_find (const ReferenceGrid * grid, gsize pixel)
{
  return pixel / grid->width / grid->side * grid->columns
      + pixel % grid->width / grid->side;
}

/* Sample @k of a block as the index of a pixel; -1: it is beyond the edges, or does not
 * count. */
static gssize
find_sample (const ReferenceGrid * grid, const guint8 * picture, gint block,
    gint k)
{
  const gint step = grid->side / 16;
  const gint x = block % grid->columns * grid->side + k % 16 * step;
  const gint y = block / grid->columns * grid->side + k / 16 * step;
  const gssize i = (gssize) y * grid->width + x;

  return x < grid->width && y < grid->height && picture[4 * i + 3] > 0 ? i : -1;
}

/* 64 times the mean of @red · R' + @green · G' + @blue · B'. */
static gint64
mean_of_block (const ReferenceGrid * grid, const guint8 * picture, guint block,
    gint red, gint green, gint blue)
{
  gint64 sum = 0, n = 0;

  for (gint k = 0; k < N_SAMPLES; k++) {
    const gssize i = find_sample (grid, picture, block, k);

    if (i < 0)
      continue;
    sum += red * picture[4 * i] + green * picture[4 * i + 1]
        + blue * picture[4 * i + 2];
    n++;
  }
  return n == 0 ? 0 : reference_floor_divide (2 * 64 * sum + n, 2 * n);
}

gint64
reference_luma (const ReferenceGrid * grid, const guint8 * picture, guint block)
{
  return mean_of_block (grid, picture, block, 1, 2, 1);
}

void
reference_chroma (const ReferenceGrid * grid, const guint8 * picture,
    guint block, gint64 chroma[2])
{
  const gint64 green = mean_of_block (grid, picture, block, 0, 1, 0);

  chroma[0] = mean_of_block (grid, picture, block, 1, 0, 0) - green;
  chroma[1] = mean_of_block (grid, picture, block, 0, 0, 1) - green;
}

gboolean
reference_is_cut (gdouble scene_cut_threshold, const guint8 * before,
    const guint8 * now, guint width, guint height)
{
  const gint64 threshold = reference_floor (scene_cut_threshold * 65280 + 0.5);
  const ReferenceGrid grid = reference_grid (width, height);
  gint64 of_luma = 0, of_chroma = 0;

  for (guint b = 0; b < grid.n && threshold != 0; b++) {
    gint64 chroma[2], chroma_before[2];

    reference_chroma (&grid, now, b, chroma);
    reference_chroma (&grid, before, b, chroma_before);
    of_luma += ABS (reference_luma (&grid, now, b)
        - reference_luma (&grid, before, b));
    of_chroma += ABS (chroma[0] - chroma_before[0])
        + ABS (chroma[1] - chroma_before[1]);
  }
  return threshold != 0 && MAX (of_luma, of_chroma) > grid.n * threshold;
}

ReferencePictures
reference_pictures (const guint8 * before, const guint8 * now, guint width,
    guint height)
{
  return (ReferencePictures) {
    before, now, reference_grid (width, height), NULL, {4096, 0}
  };
}

/* --- light: blocks that can be compared --- */

/* A block whose light can be compared. */
typedef struct
{
  gint64 before;                /* quarter code values */
  gint64 change;                /* 32nds of a code value */
  gboolean is_near;             /* to the line */
} Sample;

typedef struct
{
  gint64 gain;                  /* 4096ths, above 1 */
  gint64 shift;                 /* 4096ths of a code value */
} Line;

/* Whether more than one sample in 16 may be clipped, or none counts. */
static gboolean
is_clipped (const ReferenceGrid * grid, const guint8 * picture, guint block)
{
  guint n = 0, n_clipped = 0;

  for (gint k = 0; k < N_SAMPLES; k++) {
    const gssize i = find_sample (grid, picture, block, k);
    gboolean may_be = FALSE;

    if (i < 0)
      continue;
    for (guint c = 0; c < 3; c++)
      may_be |= picture[4 * i + c] < DARKEST || picture[4 * i + c] > LIGHTEST;
    n_clipped += may_be;
    n++;
  }
  return n == 0 || 16 * n_clipped > n;
}

static guint
find_samples (const ReferencePictures * pictures, Sample * samples)
{
  const ReferenceGrid *grid = &pictures->grid;
  guint n = 0;

  for (guint b = 0; b < grid->n; b++) {
    const gint64 before = reference_luma (grid, pictures->before, b);
    const gint64 now = reference_luma (grid, pictures->now, b);
    const Sample sample = { reference_floor_divide (before, 64),
      reference_floor_divide (now - before + 4, 8), TRUE
    };

    if (!is_clipped (grid, pictures->before, b)
        && !is_clipped (grid, pictures->now, b) && ABS (sample.change) < 2048)
      samples[n++] = sample;
  }
  return n;
}

/* --- light: the line through them --- */

/* By least squares. The steepness is drawn to 0 where samples are alike. */
static Line
fit (const Sample * samples, guint n)
{
  gint64 sum_before = 0, sum_change = 0, steepness = 0, spread = 0, m = 0;
  gint64 mean_before, mean_change, gain;

  for (guint i = 0; i < n; i++)
    if (samples[i].is_near) {
      sum_before += samples[i].before;
      sum_change += samples[i].change;
      m++;
    }
  mean_before = reference_floor_divide (sum_before, m);
  mean_change = reference_floor_divide (sum_change, m);
  for (guint i = 0; i < n; i++)
    if (samples[i].is_near) {
      const gint64 from = samples[i].before - mean_before;

      steepness += from * (samples[i].change - mean_change);
      spread += from * from;
    }
  gain = reference_floor_divide (512 * steepness, spread + m);
  return (Line) {
    gain, reference_floor_divide (128 * sum_change, m)
        - reference_floor_divide (gain * mean_before, 4)
  };
}

static gint64
error_of (Line line, Sample sample)
{
  return ABS (128 * sample.change - line.shift
      - reference_floor_divide (line.gain * sample.before, 4));
}

static gint64
sum_of_errors (Line line, const Sample * samples, guint n)
{
  gint64 sum = 0;

  for (guint i = 0; i < n; i++)
    sum += error_of (line, samples[i]);
  return sum;
}

ReferenceLight
reference_light_find (const ReferencePictures * pictures)
{
  const ReferenceLight same = { 4096, 0 };
  const Line none = { 0, 0 };
  g_autofree Sample *samples = g_new (Sample, pictures->grid.n);
  const guint n = find_samples (pictures, samples);
  const gint64 all = sum_of_errors (none, samples, n);
  Line line = none;

  /* Fewer than one block in eight, or less than a quarter of a code value. */
  if (n == 0 || 8 * n < pictures->grid.n || all < 1024 * n)
    return same;
  /* Through all of them, then through those that are near the first line. */
  for (guint round = 0; round < 2; round++) {
    gint64 limit;

    line = fit (samples, n);
    if (line.gain < -1024 || line.gain > 2048)
      return same;
    limit = 4096 + 2 * reference_floor_divide (sum_of_errors (line, samples,
            n), n);
    for (guint i = 0; i < n; i++)
      samples[i].is_near = error_of (line, samples[i]) <= limit;
  }
  if (2 * sum_of_errors (line, samples, n) > all)
    return same;
  return (ReferenceLight) {4096 + line.gain, line.shift};
}

gboolean
reference_light_is_same (const ReferenceLight * light)
{
  return light->gain == 4096 && light->shift == 0;
}

gint64
reference_light_apply (const ReferenceLight * light, gint64 value, gint64 parts)
{
  return CLAMP (reference_floor_divide (light->gain * value
          + parts * light->shift + 2048, 4096), 0, 255 * parts);
}

gint64
reference_light_expect (const ReferenceLight * light, gint64 value,
    gint64 parts)
{
  return value < DARKEST * parts || value > LIGHTEST * parts ? value
      : reference_light_apply (light, value, parts);
}

/* --- changes --- */

gssize
reference_find_source (const ReferencePictures * pictures, gsize pixel)
{
  const ReferenceGrid *grid = &pictures->grid;
  const ReferenceVector vector = pictures->vectors == NULL
      ? (ReferenceVector) {0, 0}
      : pictures->vectors[reference_grid_find (grid, pixel)];
  const gint x = (gint) (pixel % grid->width) + vector.x;
  const gint y = (gint) (pixel / grid->width) + vector.y;

  return x < 0 || y < 0 || x >= grid->width || y >= grid->height ? -1
      : (gssize) y *grid->width + x;
}

/* ΔR', ΔG' and ΔB', in 4096ths of a code value. */
static void
find_changes (const ReferenceLight * light, const guint8 * from,
    const guint8 * to, gint64 changes[3])
{
  for (guint i = 0; i < 3; i++)
    changes[i] = 4096 * to[i]
        - reference_light_expect (light, 4096 * from[i], 4096);
}

gint64
reference_colours_change (const ReferenceLight * light, const guint8 * from,
    const guint8 * to)
{
  gint64 changes[3];

  find_changes (light, from, to, changes);
  return reference_floor_divide (ABS (changes[0]) + ABS (changes[1])
      + ABS (changes[2]) + 2048, 4096);
}

/* Of the samples of a block that count in both pictures. */
typedef struct
{
  gint64 n;
  gint64 colour;                /* sum of changes */
  gint64 light[3];              /* sums of changes of R' + 2 G' + B', R' - G' and B' - G', in
                                   4096ths */
} Change;

static Change
change_of (const ReferencePictures * pictures, guint block)
{
  Change change = { 0 };

  for (gint k = 0; k < N_SAMPLES; k++) {
    const gssize i = find_sample (&pictures->grid, pictures->now, block, k);
    const gssize source = i < 0 ? -1 : reference_find_source (pictures, i);
    const guint8 *from = pictures->before + 4 * source;
    gint64 changes[3];

    if (source < 0 || from[3] == 0)
      continue;
    find_changes (&pictures->light, from, pictures->now + 4 * i, changes);
    change.n++;
    change.colour += reference_colours_change (&pictures->light, from,
        pictures->now + 4 * i);
    change.light[0] += changes[0] + 2 * changes[1] + changes[2];
    change.light[1] += changes[0] - changes[1];
    change.light[2] += changes[2] - changes[1];
  }
  return change;
}

static gint
compare_changes (gconstpointer one, gconstpointer other)
{
  return *(const gint64 *) one - *(const gint64 *) other;
}

gint64
reference_median_change (const ReferencePictures * pictures)
{
  g_autofree gint64 *means = g_new (gint64, pictures->grid.n);
  guint n = 0;

  for (guint b = 0; b < pictures->grid.n; b++) {
    const Change change = change_of (pictures, b);

    if (change.n > 0)
      means[n++] = MIN (8 * change.colour / change.n, 255);
  }
  qsort (means, n, sizeof *means, compare_changes);
  return n > 0 ? means[n / 2] : -1;
}

/* --- drift --- */

/* That of the frame before in which the middle of @block was, or the nearest. */
static guint
find_source_block (const ReferencePictures * pictures, gint block)
{
  const ReferenceGrid *grid = &pictures->grid;
  const gint side = grid->side, columns = grid->columns;
  const ReferenceVector vector = pictures->vectors[block];
  const gint x = block % columns * side + side / 2 + vector.x;
  const gint y = block / columns * side + side / 2 + vector.y;

  return CLAMP (y, 0, grid->rows * side - 1) / side * columns
      + CLAMP (x, 0, columns * side - 1) / side;
}

void
reference_blocks_drift (ReferenceBlock * blocks,
    const ReferencePictures * pictures, gint64 camera, gint64 interval)
{
  const guint n = pictures->grid.n;
  const gint64 least = 128 + CLAMP (camera - 16384, 0, 16384) / 32;
  g_autofree ReferenceBlock *before = g_memdup2 (blocks, n * sizeof *blocks);

  for (guint b = 0; b < n; b++) {
    const Change change = change_of (pictures, b);
    ReferenceBlock *block = &blocks[b];

    if (pictures->vectors != NULL)
      *block = before[find_source_block (pictures, b)];
    for (guint i = 0; i < 3; i++) {
      if (change.n > 0)
        block->drift[i] += reference_floor_divide (change.light[i]
            + 32 * change.n, 64 * change.n);
      block->drift[i] = CLAMP (block->drift[i], -65280, 65280);
    }
    block->departure = 0;
    for (guint i = 0; i < 3; i++) {
      block->departure = MAX (block->departure,
          CLAMP (ABS (block->drift[i]) - least, 0, 128));
      block->drift[i] = reference_approach (block->drift[i], 0,
          reference_part (interval, 125000000));
    }
  }
}

gint64
reference_blocks_unrest_around (const ReferenceBlock * blocks,
    const ReferenceGrid * grid, guint block)
{
  const gint columns = grid->columns, at = block;
  gint64 most = 0;

  for (gint i = 0; i < (gint) grid->n; i++)
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
