/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_motion.h"
#include "reference_light.h"

#include <stdlib.h>

/* How far the search in cells goes. */
#define REACH 4

/* The common vector goes no farther in either direction. */
#define MOST_COMMON 1279

/* Means of lumas, 4 x 4 of them in a block; 0 where a sample would be beyond the
 * edges. */
typedef struct
{
  gint columns, rows;
  guint8 *means;
} Cells;

typedef struct
{
  const ReferencePictures *pictures;
  gint side;                    /* of a block */
  guint columns, n_blocks;
  Cells before, now;
} Search;

/* --- cells --- */

static gint
mean_at (const Cells * cells, gint x, gint y)
{
  return x < 0 || y < 0 || x >= cells->columns || y >= cells->rows ? 0
      : cells->means[y * cells->columns + x];
}

static gint
luma_of (const guint8 * rgba)
{
  return rgba[3] > 0 ? rgba[0] + 2 * rgba[1] + rgba[2] : 0;
}

/* Samples of a row or column: those whose place is a multiple of @step. */
static gint
n_samples (gint length, gint step)
{
  return (length + step - 1) / step;
}

static void
cells_init (Cells * cells, const Search * search, const guint8 * bytes)
{
  const gint width = search->pictures->width, step = search->side / 16;

  cells->columns = n_samples (width, step) / 4;
  cells->rows = n_samples (search->pictures->height, step) / 4;
  cells->means = g_new (guint8, cells->columns * cells->rows + 1);
  for (gint i = 0; i < cells->columns * cells->rows; i++) {
    const gint x = i % cells->columns * 4, y = i / cells->columns * 4;
    gint sum = 0;

    for (gint k = 0; k < 16; k++)
      sum += luma_of (bytes + 4 * ((y + k / 4) * step * width
              + (x + k % 4) * step));
    cells->means[i] = (sum + 32) / 64;
  }
}

/* --- differences --- */

static gint
column_of (const Search * search, guint block)
{
  return block % search->columns;
}

static gint
row_of (const Search * search, guint block)
{
  return block / search->columns;
}

typedef gint64 (*Compare) (const Search * search, guint block,
    ReferenceVector vector);

/* @vector: in cells. */
static gint64
compare_cells (const Search * search, guint block, ReferenceVector vector)
{
  const gint left = 4 * column_of (search, block);
  const gint top = 4 * row_of (search, block);
  gint64 sum = 0;

  for (gint i = 0; i < 16; i++) {
    const gint x = left + i % 4, y = top + i / 4;

    sum += ABS (mean_at (&search->now, x, y)
        - reference_light_expect (&search->pictures->light,
            mean_at (&search->before, x + vector.x, y + vector.y), 1));
  }
  return sum;
}

/* Of every second sample of a block, in rows and columns. Beyond the edges a picture goes
 * on as at them. What did not count differs as much as it can. */
static gint64
compare_samples (const Search * search, guint block, ReferenceVector vector)
{
  const ReferencePictures *pictures = search->pictures;
  const gint width = pictures->width, height = pictures->height;
  const gint step = search->side / 8;
  gint64 sum = 0;

  for (gint i = 0; i < 64; i++) {
    const gint x = column_of (search, block) * search->side + i % 8 * step;
    const gint y = row_of (search, block) * search->side + i / 8 * step;
    const gint from_x = CLAMP (x + vector.x, 0, width - 1);
    const gint from_y = CLAMP (y + vector.y, 0, height - 1);
    const guint8 *from = pictures->before + 4 * (from_y * width + from_x);
    const guint8 *to = pictures->now + 4 * (y * width + x);

    if (x < width && y < height && to[3] > 0)
      sum += from[3] == 0 ? 765 : reference_colours_change (&pictures->light,
          from, to);
  }
  return sum;
}

/* --- the vector of a block --- */

static gint
square_of (ReferenceVector vector)
{
  return vector.x * vector.x + vector.y * vector.y;
}

/* The shorter one, then the first one in raster order. */
static gboolean
comes_before (ReferenceVector one, ReferenceVector other)
{
  if (square_of (one) != square_of (other))
    return square_of (one) < square_of (other);
  return one.y != other.y ? one.y < other.y : one.x < other.x;
}

typedef struct
{
  ReferenceVector vector;
  gint64 least, most;
} Best;

static const Best none = { {0, 0}, G_MAXINT64, 0 };

static void
take_better (Best * best, ReferenceVector vector, gint64 difference)
{
  best->most = MAX (best->most, difference);
  if (difference < best->least || (difference == best->least
          && comes_before (vector, best->vector))) {
    best->vector = vector;
    best->least = difference;
  }
}

/* Among vectors up to @reach steps from @from in each direction. */
static void
look_around (Best * best, const Search * search, Compare compare, guint block,
    ReferenceVector from, gint step, gint reach)
{
  for (gint y = -reach; y <= reach; y++)
    for (gint x = -reach; x <= reach; x++) {
      const ReferenceVector vector = { from.x + step * x, from.y + step * y };

      take_better (best, vector, compare (search, block, vector));
    }
}

static void
look_along (Best * best, const Search * search, guint block,
    ReferenceVector vector)
{
  take_better (best, vector, compare_samples (search, block, vector));
}

static const ReferenceVector still = { 0, 0 };

typedef struct
{
  ReferenceVector vector;
  gboolean is_clear;            /* a pixel more or less would be worse */
} Block;

/* Of four blocks only one. */
static gboolean
is_searched (const Search * search, guint block)
{
  return column_of (search, block) % 2 == 0 && row_of (search, block) % 2 == 0;
}

static Block
find_vector (const Search * search, guint block)
{
  Best cells = none, pixels = none;
  ReferenceVector vector;

  look_around (&cells, search, compare_cells, block, still, 1, REACH);
  vector = (ReferenceVector) {cells.vector.x * search->side / 4,
    cells.vector.y * search->side / 4};
  for (gint step = search->side / 8; step > 0; step /= 2) {
    pixels = none;
    look_around (&pixels, search, compare_samples, block, vector, step, 1);
    vector = pixels.vector;
  }
  return (Block) {vector, 3 * pixels.most > 4 * pixels.least};
}

/* --- the vector that most have --- */

static guint
count_votes (const Block * blocks, guint n_blocks, gboolean is_x, gint value)
{
  guint n = 0;

  for (guint b = 0; b < n_blocks; b++)
    n += blocks[b].is_clear
        && (is_x ? blocks[b].vector.x : blocks[b].vector.y) == value;
  return n;
}

/* Of values that as many have the one next to 0, then the negative one. */
static gint
find_common (const Block * blocks, guint n_blocks, gboolean is_x, gint most)
{
  gint best = 0;
  guint votes = count_votes (blocks, n_blocks, is_x, 0);

  for (gint size = 1; size <= most; size++)
    for (gint sign = -1; sign <= 1; sign += 2) {
      const guint n = count_votes (blocks, n_blocks, is_x, sign * size);

      if (n > votes) {
        votes = n;
        best = sign * size;
      }
    }
  return best;
}

/* For blocks that are not clear: the common vector if it makes a difference to them. */
static ReferenceVector
find_fallback (const Search * search, const Block * blocks,
    ReferenceVector common)
{
  gint64 with_common = 0, without = 0;

  for (guint b = 0; b < search->n_blocks; b++)
    if (is_searched (search, b) && !blocks[b].is_clear) {
      with_common += compare_samples (search, b, common);
      without += compare_samples (search, b, still);
    }
  return 16 * with_common < 15 * without ? common : still;
}

/* Those that were searched for in the blocks around, or in the block itself. */
static void
look_at_neighbours (Best * best, const Search * search, const Block * blocks,
    guint block)
{
  for (guint b = 0; b < search->n_blocks; b++)
    if (is_searched (search, b)
        && ABS (column_of (search, b) - column_of (search, block)) <= 1
        && ABS (row_of (search, b) - row_of (search, block)) <= 1)
      look_along (best, search, block, blocks[b].vector);
}

static ReferenceVector
choose (const Search * search, const Block * blocks, guint block,
    ReferenceVector common, ReferenceVector fallback)
{
  const gint64 difference = compare_samples (search, block, fallback);
  Best best = none;

  look_along (&best, search, block, still);
  look_along (&best, search, block, common);
  look_at_neighbours (&best, search, blocks, block);
  return 4 * best.least < 3 * difference ? best.vector : fallback;
}

static gint64
count_moving (const Search * search, const Block * blocks)
{
  gint64 n_moving = 0, n = 0;

  for (guint b = 0; b < search->n_blocks; b++)
    if (is_searched (search, b)) {
      n_moving += blocks[b].is_clear
          && (blocks[b].vector.x != 0 || blocks[b].vector.y != 0);
      n++;
    }
  return 256 * n_moving / n;
}

static void
choose_all (const Search * search, ReferenceVector * vectors, gint64 * moving)
{
  g_autofree Block *blocks = g_new0 (Block, search->n_blocks);
  const gint farthest = MIN (2 * search->side, MOST_COMMON);
  ReferenceVector common, fallback;

  for (guint b = 0; b < search->n_blocks; b++)
    if (is_searched (search, b))
      blocks[b] = find_vector (search, b);
  *moving = count_moving (search, blocks);
  common.x = find_common (blocks, search->n_blocks, TRUE, farthest);
  common.y = find_common (blocks, search->n_blocks, FALSE, farthest);
  fallback = find_fallback (search, blocks, common);
  for (guint b = 0; b < search->n_blocks; b++)
    vectors[b] = choose (search, blocks, b, common, fallback);
}

ReferenceVector *
reference_motion_new (const ReferencePictures * pictures, gint64 * moving)
{
  const gint side = reference_blocks_side (pictures->width, pictures->height);
  Search search = {.pictures = pictures, .side = side};
  ReferenceVector *vectors;

  search.columns = (pictures->width + side - 1) / side;
  search.n_blocks = reference_blocks_count (pictures->width, pictures->height);
  cells_init (&search.before, &search, pictures->before);
  cells_init (&search.now, &search, pictures->now);
  vectors = g_new (ReferenceVector, search.n_blocks);
  choose_all (&search, vectors, moving);
  g_free (search.before.means);
  g_free (search.now.means);
  return vectors;
}
