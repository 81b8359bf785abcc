/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Vectors of blocks: a section of docs/internals/temporal.md. */
#include "reference_blocks.h"

/* How far the search in cells goes. */
#define REACH 4

/* The common vector goes no farther in either direction. */
#define MOST_COMMON 1279

typedef struct
{
  ReferenceVector vector;
  gboolean is_clear;            /* a pixel more or less would be worse */
} Block;

/* Cells of means of luma, 4 x 4 of them in a block. */
typedef struct
{
  const ReferencePictures *pictures;
  const ReferenceGrid *grid;
  gint cell_columns, cell_rows;
  guint8 *before, *now;
  Block *blocks;                /* found vectors */
} Search;

/* --- cells --- */

static guint8 *
cells_new (const Search * search, const guint8 * picture)
{
  const gint step = search->grid->side / 16, columns = search->cell_columns;
  const gint n = columns * search->cell_rows;
  guint8 *cells = g_new (guint8, n + 1);

  for (gint i = 0; i < n; i++) {
    gint sum = 0;

    for (gint k = 0; k < 16; k++) {
      const gint x = (i % columns * 4 + k % 4) * step;
      const gint y = (i / columns * 4 + k / 4) * step;
      const guint8 *rgba = picture + 4 * (y * search->grid->width + x);

      if (rgba[3] > 0)
        sum += rgba[0] + 2 * rgba[1] + rgba[2];
    }
    cells[i] = (sum + 32) / 64;
  }
  return cells;
}

/* 0 where a sample would be beyond the edges. */
static gint
cell_at (const Search * search, const guint8 * cells, gint x, gint y)
{
  return x < 0 || y < 0 || x >= search->cell_columns || y >= search->cell_rows
      ? 0 : cells[y * search->cell_columns + x];
}

/* --- differences --- */

typedef gint64 (*Compare) (const Search * search, gint block,
    ReferenceVector vector);

/* @vector: in cells. */
static gint64
compare_cells (const Search * search, gint block, ReferenceVector vector)
{
  gint64 sum = 0;

  for (gint k = 0; k < 16; k++) {
    const gint x = block % search->grid->columns * 4 + k % 4;
    const gint y = block / search->grid->columns * 4 + k / 4;

    sum += ABS (cell_at (search, search->now, x, y)
        - reference_light_expect (&search->pictures->light,
            cell_at (search, search->before, x + vector.x, y + vector.y), 1));
  }
  return sum;
}

/* Of every second sample of a block, in rows and columns. Beyond the edges a picture goes
 * on as at them. What did not count differs as much as it can. */
static gint64
compare_samples (const Search * search, gint block, ReferenceVector vector)
{
  const ReferencePictures *pictures = search->pictures;
  const gint side = search->grid->side, columns = search->grid->columns;
  const gint width = search->grid->width, height = search->grid->height;
  gint64 sum = 0;

  for (gint k = 0; k < 64; k++) {
    const gint x = block % columns * side + k % 8 * side / 8;
    const gint y = block / columns * side + k / 8 * side / 8;
    const gint from_x = CLAMP (x + vector.x, 0, width - 1);
    const gint from_y = CLAMP (y + vector.y, 0, height - 1);
    const guint8 *from = pictures->before + 4 * (from_y * width + from_x);
    const guint8 *to = pictures->now + 4 * (y * width + x);

    if (x < width && y < height && to[3] > 0)
      sum += from[3] == 0 ? 765
          : reference_colours_change (&pictures->light, from, to);
  }
  return sum;
}

/* --- the vector of a block --- */

typedef struct
{
  ReferenceVector vector;
  gint64 least, most;
} Best;

static const Best none = { {0, 0}, G_MAXINT64, 0 };

static const ReferenceVector still = { 0, 0 };

/* The shorter one, then the first one in raster order. */
static gboolean
comes_before (ReferenceVector one, ReferenceVector other)
{
  const gint square = one.x * one.x + one.y * one.y;
  const gint square_of_other = other.x * other.x + other.y * other.y;

  if (square != square_of_other)
    return square < square_of_other;
  return one.y != other.y ? one.y < other.y : one.x < other.x;
}

static void
look_at (Best * best, const Search * search, Compare compare, gint block,
    ReferenceVector vector)
{
  const gint64 difference = compare (search, block, vector);

  best->most = MAX (best->most, difference);
  if (difference < best->least || (difference == best->least
          && comes_before (vector, best->vector))) {
    best->vector = vector;
    best->least = difference;
  }
}

/* Of vectors up to @reach steps from @from in each direction. */
static Best
look_around (const Search * search, Compare compare, gint block,
    ReferenceVector from, gint step, gint reach)
{
  Best best = none;

  for (gint y = -reach; y <= reach; y++)
    for (gint x = -reach; x <= reach; x++)
      look_at (&best, search, compare, block, (ReferenceVector) {
        from.x + step * x, from.y + step * y});
  return best;
}

/* Of four blocks only one. */
static gboolean
is_searched (const Search * search, gint block)
{
  return block % search->grid->columns % 2 == 0
      && block / search->grid->columns % 2 == 0;
}

static Block
find_vector (const Search * search, gint block)
{
  const gint side = search->grid->side;
  Best best = look_around (search, compare_cells, block, still, 1, REACH);

  best.vector.x *= side / 4;
  best.vector.y *= side / 4;
  for (gint step = side / 8; step > 0; step /= 2)
    best = look_around (search, compare_samples, block, best.vector, step, 1);
  return (Block) {best.vector, 3 * best.most > 4 * best.least};
}

/* --- the vector that most have --- */

static guint
count_votes (const Search * search, gboolean is_x, gint value)
{
  guint n = 0;

  for (guint b = 0; b < search->grid->n; b++) {
    const Block *block = &search->blocks[b];

    n += block->is_clear && (is_x ? block->vector.x : block->vector.y) == value;
  }
  return n;
}

/* Of values that as many have the one next to 0, then the negative one. */
static gint
find_common (const Search * search, gboolean is_x)
{
  guint most = count_votes (search, is_x, 0);
  gint best = 0;

  for (gint size = 1; size <= MIN (2 * search->grid->side, MOST_COMMON); size++)
    for (gint sign = -1; sign <= 1; sign += 2) {
      const guint n = count_votes (search, is_x, sign * size);

      if (n > most) {
        most = n;
        best = sign * size;
      }
    }
  return best;
}

/* For blocks that are not clear: the common vector if it makes a difference to them. */
static ReferenceVector
find_fallback (const Search * search, ReferenceVector common)
{
  gint64 with_common = 0, without = 0;

  for (guint b = 0; b < search->grid->n; b++)
    if (is_searched (search, b) && !search->blocks[b].is_clear) {
      with_common += compare_samples (search, b, common);
      without += compare_samples (search, b, still);
    }
  return 16 * with_common < 15 * without ? common : still;
}

/* Among 0, the common vector, and those that were searched for in the block and in those
 * around. */
static ReferenceVector
choose (const Search * search, gint block, ReferenceVector common,
    ReferenceVector fallback)
{
  const gint columns = search->grid->columns;
  Best best = none;

  look_at (&best, search, compare_samples, block, still);
  look_at (&best, search, compare_samples, block, common);
  for (gint b = 0; b < (gint) search->grid->n; b++)
    if (is_searched (search, b) && ABS (b % columns - block % columns) <= 1
        && ABS (b / columns - block / columns) <= 1)
      look_at (&best, search, compare_samples, block, search->blocks[b].vector);
  return 4 * best.least < 3 * compare_samples (search, block, fallback)
      ? best.vector : fallback;
}

ReferenceVector *
reference_motion_new (const ReferencePictures * pictures, gint64 * moving)
{
  const ReferenceGrid *grid = &pictures->grid;
  const gint step = grid->side / 16;
  Search search = {.pictures = pictures, .grid = grid,
    .cell_columns = (grid->width + step - 1) / step / 4,
    .cell_rows = (grid->height + step - 1) / step / 4};
  ReferenceVector *vectors = g_new (ReferenceVector, grid->n);
  ReferenceVector common, fallback;
  gint64 n = 0, n_moving = 0;

  search.before = cells_new (&search, pictures->before);
  search.now = cells_new (&search, pictures->now);
  search.blocks = g_new0 (Block, grid->n);
  for (guint b = 0; b < grid->n; b++)
    if (is_searched (&search, b)) {
      const Block found = search.blocks[b] = find_vector (&search, b);

      n_moving += found.is_clear && (found.vector.x != 0
          || found.vector.y != 0);
      n++;
    }
  *moving = 256 * n_moving / n;
  common.x = find_common (&search, TRUE);
  common.y = find_common (&search, FALSE);
  fallback = find_fallback (&search, common);
  for (guint b = 0; b < grid->n; b++)
    vectors[b] = choose (&search, b, common, fallback);
  g_free (search.before);
  g_free (search.now);
  g_free (search.blocks);
  return vectors;
}
