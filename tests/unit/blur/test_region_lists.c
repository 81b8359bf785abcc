/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of regions, their tiles, and the atlas, with random regions: inside, outside,
 * across edges, empty, and more than a frame may have. */
#include "gpu/blur/regions/regionplan.h"
#include "gpu/core/rounding.h"
#include "tests.h"

#include <math.h>
#include <string.h>

#define WIDTH 1000
#define HEIGHT 700

/* The same in each run. */
static GRand *random_numbers;

static gint
draw (gint begin, gint end)
{
  return g_rand_int_range (random_numbers, begin, end);
}

static GpuRegion
draw_region (void)
{
  return (GpuRegion) {
    .box = {draw (-300, WIDTH + 100), draw (-300, HEIGHT + 100), draw (0,
          300),
      draw (0, 300)},
    .shape = draw (0, 2), .action = draw (0, 3),
    .strength = exp2 (draw (-4, 5) / 2.),
    .block = draw (GPU_REGION_MIN_BLOCK, 40), .feather = draw (0, 30),
  };
}

static GArray *
draw_regions (guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = draw_region ();

    g_array_append_val (regions, region);
  }
  return regions;
}

static GpuRegion *
get (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

static gboolean
has (const GpuRegionBox * box, gint x, gint y)
{
  return x >= box->x && x - box->width < box->x
      && y >= box->y && y - box->height < box->y;
}

/* --- clipping --- */

TEST (box)
{
  static const struct
  {
    GpuRegionBox box, inside;
  } cases[] = {
    {{10, 20, 30, 40}, {10, 20, 30, 40}},
    {{-10, -20, 30, 40}, {0, 0, 20, 20}},
    {{990, 690, 30, 40}, {990, 690, 10, 10}},
    {{G_MININT, G_MININT, G_MAXINT, G_MAXINT}, {0, 0, 0, 0}},
    {{G_MININT + 5, -1, G_MAXINT, 3}, {0, 0, 4, 2}},
    {{999, 3, G_MAXINT, G_MAXINT}, {999, 3, 1, 697}},
    {{G_MAXINT, 3, G_MAXINT, 1}, {WIDTH, 3, 0, 1}},
    {{5, 5, 0, 3}, {5, 5, 0, 3}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuRegionBox inside =
        gpu_region_box_clip (&cases[i].box, WIDTH, HEIGHT);

    g_assert_cmpmem (&inside, sizeof inside, &cases[i].inside, sizeof inside);
  }
}

/* Those without a pixel in the frame go. Rectangles are cut; ellipses keep their shape, unless
 * they are too large. */
TEST (clip)
{
  static const GpuRegion list[] = {
    {{-10, 5, 10, 10}}, {{-10, 5, 11, 10}},
    {{5, 5, 0, 10}, GPU_REGION_ELLIPSE},
    {{-10, 5, 11, 10}, GPU_REGION_ELLIPSE},
    {{-10, 5, REGION_MOST_ELLIPSE + 1, 10}, GPU_REGION_ELLIPSE},
  };
  static const GpuRegion clipped[] = {
    {{0, 5, 1, 10}}, {{-10, 5, 11, 10}, GPU_REGION_ELLIPSE},
    {{0, 5, WIDTH, 10}}
  };
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  g_array_append_vals (regions, list, G_N_ELEMENTS (list));
  gpu_regions_clip (regions, WIDTH, HEIGHT);
  g_assert_cmpmem (regions->data, regions->len * sizeof (GpuRegion), clipped,
      sizeof clipped);
}

/* --- order --- */

/* A number that is larger for a stronger region. */
static gdouble
strength_of (const GpuRegion * region)
{
  return 1000 * (region->action + 1)
      + (region->action == GPU_REGION_PIXELATE ? region->block : 0)
      + (region->action == GPU_REGION_BLUR ? region->strength : 0);
}

TEST (sort)
{
  g_autoptr (GArray) regions = draw_regions (200);

  gpu_regions_sort (regions);
  g_assert_cmpuint (regions->len, ==, 200);
  for (guint i = 1; i < regions->len; i++)
    g_assert_cmpfloat (strength_of (get (regions, i - 1)), >=,
        strength_of (get (regions, i)));
}

/* Returns the strengths that blurs of these strengths get, sorted. */
static GArray *
round_strengths (const gdouble * strengths, guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = {.box = {0, 0, 9, 9}, .strength = strengths[i]};

    g_array_append_val (regions, region);
  }
  gpu_regions_sort (regions);
  return regions;
}

/* Each is a step of the square root of 2 at most above what was asked. */
TEST (strengths)
{
  static const gdouble strengths[] = { 0.9, 1, 1.01, M_SQRT2, 1.5, 3.9, 4 };
  static const gdouble rounded[] = { 4, 4, 2, M_SQRT2, M_SQRT2, 1, 1 };
  g_autoptr (GArray) regions =
      round_strengths (strengths, G_N_ELEMENTS (strengths));

  for (guint i = 0; i < G_N_ELEMENTS (rounded); i++)
    g_assert_cmpfloat_with_epsilon (get (regions, i)->strength, rounded[i],
        1e-9);
}

/* Far weaker ones get more than they asked for, so that there are few. */
TEST (few_strengths)
{
  gdouble strengths[40];
  g_autoptr (GArray) regions = NULL;
  guint n = 1;

  for (guint i = 0; i < G_N_ELEMENTS (strengths); i++)
    strengths[i] = exp2 (-(gdouble) i / 2);
  regions = round_strengths (strengths, G_N_ELEMENTS (strengths));
  for (guint i = 0; i < G_N_ELEMENTS (strengths); i++)
    g_assert_cmpfloat (get (regions, i)->strength, >=, strengths[i] - 1e-9);
  for (guint i = 1; i < regions->len; i++)
    n += get (regions, i)->strength != get (regions, i - 1)->strength;
  g_assert_cmpuint (n, ==, GPU_REGION_MAX_STRENGTHS);
}

/* --- too many --- */

static gdouble
strongest_at (const GArray * regions, gint x, gint y)
{
  gdouble strongest = 0;

  for (guint i = 0; i < regions->len; i++)
    if (has (&get (regions, i)->box, x, y))
      strongest = MAX (strongest, strength_of (get (regions, i)));
  return strongest;
}

/* Nothing that was hidden shows, whatever is merged. */
static void
check_merged (guint n, guint most)
{
  g_autoptr (GArray) regions = draw_regions (n);
  g_autoptr (GArray) before = NULL;

  gpu_regions_clip (regions, WIDTH, HEIGHT);
  before = g_array_copy (regions);
  gpu_regions_merge (regions, most, WIDTH, HEIGHT);
  g_assert_cmpuint (regions->len, ==, MIN (before->len, most));
  for (guint i = 0; i < 500; i++) {
    gint x = draw (0, WIDTH), y = draw (0, HEIGHT);

    g_assert_cmpfloat (strongest_at (regions, x, y), >=, strongest_at (before,
            x, y));
  }
}

TEST (merged)
{
  static const guint numbers[] = { 0, 1, 100, 400, 600, 3000 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    check_merged (numbers[i], REGIONS_MOST);
    check_merged (numbers[i], 1);
  }
}

static gboolean
is_among (const GArray * regions, const GpuRegion * region)
{
  for (guint i = 0; i < regions->len; i++)
    if (memcmp (get (regions, i), region, sizeof *region) == 0)
      return TRUE;
  return FALSE;
}

/* An ellipse would not cover the two that it was merged from. */
TEST (merged_shapes)
{
  g_autoptr (GArray) regions = draw_regions (2000);
  g_autoptr (GArray) before = NULL;
  guint merged = 0;

  for (guint i = 0; i < regions->len; i++)
    get (regions, i)->shape = GPU_REGION_ELLIPSE;
  gpu_regions_clip (regions, WIDTH, HEIGHT);
  before = g_array_copy (regions);
  gpu_regions_merge (regions, REGIONS_MOST, WIDTH, HEIGHT);
  for (guint i = 0; i < regions->len; i++) {
    gboolean is_new = !is_among (before, get (regions, i));

    merged += is_new;
    if (is_new)
      g_assert_cmpint (get (regions, i)->shape, ==, GPU_REGION_RECTANGLE);
  }
  g_assert_cmpuint (merged, >, 100);
}

static gint64
area_of (const GpuRegion * region)
{
  return (gint64) region->box.width * region->box.height;
}

/* No region that goes is larger than one that stays. */
TEST (largest)
{
  g_autoptr (GArray) regions = draw_regions (300);
  g_autoptr (GArray) before = g_array_copy (regions);
  gint64 least = G_MAXINT64;
  guint larger = 0;

  gpu_regions_keep_largest (regions, 300);
  g_assert_cmpuint (regions->len, ==, 300);
  gpu_regions_keep_largest (regions, 20);
  g_assert_cmpuint (regions->len, ==, 20);
  for (guint i = 0; i < regions->len; i++) {
    g_assert_true (is_among (before, get (regions, i)));
    least = MIN (least, area_of (get (regions, i)));
  }
  for (guint i = 0; i < before->len; i++)
    larger += area_of (get (before, i)) > least;
  g_assert_cmpuint (larger, <, 20);
}

/* --- blocks --- */

/* None is smaller than asked, unless the region is. */
TEST (count_blocks)
{
  static const struct
  {
    gint x, width;
    guint columns;
  } cases[] = { {5, 1, 1}, {5, 15, 1}, {5, 16, 1}, {5, 31, 1}, {5, 32, 2},
  {-10, 41, 1}, {-10, 42, 2}, {WIDTH - 33, 400, 2}
  };
  guint columns, rows;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuRegion region = {.box = {cases[i].x, 3, cases[i].width, 50},
      .block = 16};

    gpu_region_count_blocks (&region, WIDTH, HEIGHT, &columns, &rows);
    g_assert_cmpuint (columns, ==, cases[i].columns);
    g_assert_cmpuint (rows, ==, 3);
  }
}

static guint
count_all_blocks (const GArray * regions)
{
  guint columns, rows, n = 0;

  for (guint i = 0; i < regions->len; i++)
    if (get (regions, i)->action == GPU_REGION_PIXELATE) {
      gpu_region_count_blocks (get (regions, i), WIDTH, HEIGHT, &columns,
          &rows);
      n += columns * rows;
    }
  return n;
}

TEST (limit_blocks)
{
  g_autoptr (GArray) regions = draw_regions (200);
  g_autoptr (GArray) before = NULL;
  guint all;

  gpu_regions_clip (regions, WIDTH, HEIGHT);
  before = g_array_copy (regions);
  all = count_all_blocks (regions);
  g_assert_cmpuint (gpu_regions_limit_blocks (regions, all, WIDTH, HEIGHT),
      ==, all);
  g_assert_cmpmem (regions->data, regions->len * sizeof (GpuRegion),
      before->data, before->len * sizeof (GpuRegion));
  g_assert_cmpuint (gpu_regions_limit_blocks (regions, all / 5, WIDTH, HEIGHT),
      <=, all / 5);
  g_assert_cmpuint (count_all_blocks (regions), <=, all / 5);
  for (guint i = 0; i < regions->len; i++)
    g_assert_cmpuint (get (regions, i)->block % get (before, i)->block, ==, 0);
}

/* --- tiles --- */

/* A tile that is painted. */
typedef struct
{
  const guint32 *words;         /* NULL: it is not */
  GpuRegionTiles kind;
} Tile;

/* Returns the tile that has a pixel. */
static Tile
find_tile (const GpuRegionTables * tables, guint x, guint y)
{
  for (GpuRegionTiles kind = 0; kind < GPU_REGION_N_TILES; kind++)
    for (guint i = 0; i < tables->tiles[kind].n; i++) {
      const guint32 *words = &g_array_index (tables->words, guint32,
          tables->tiles[kind].first_word + i * (1 + tables->tiles[kind].masks));

      if (PAINTED_TILE_X (*words) == x / REGION_TILE
          && PAINTED_TILE_Y (*words) == y / REGION_TILE)
        return (Tile) {words, kind};
    }
  return (Tile) {0};
}

/* Whether a region may have pixels of a tile that no region has as a whole. */
static gboolean
is_marked (const Tile * tile, guint i)
{
  if (tile->kind == GPU_REGION_TILES_OF_ONE)
    return PAINTED_TILE_REGION (*tile->words) == i;
  return tile->words[1 + i / 32] >> i % 32 & 1;
}

static GpuRegionBox
widen (const GpuRegionBox * box, gint by)
{
  return (GpuRegionBox) {box->x - by, box->y - by, box->width + 2 * by,
    box->height + 2 * by};
}

/* A tile names the regions that meet it with their feather, and no other. */
static void
check_marks (const Tile * tile, const GArray * regions, guint first, gint x,
    gint y)
{
  for (guint i = first; i < regions->len; i++) {
    const GpuRegion *region = get (regions, i);
    const GpuRegionBox inside =
        gpu_region_box_clip (&region->box, WIDTH, HEIGHT);
    const GpuRegionBox wide = widen (&inside, region->feather);
    const GpuRegionBox wider = widen (&wide, REGION_TILE);

    if (has (&wide, x, y))
      g_assert_true (tile->words && is_marked (tile, i));
    else if (tile->words && !has (&wider, x, y))
      g_assert_false (is_marked (tile, i));
  }
}

/* Returns the first region that has a pixel, or the number of regions. */
static guint
find_first (const GArray * regions, guint first, gint x, gint y)
{
  guint i = first;

  while (i < regions->len && !has (&get (regions, i)->box, x, y))
    i++;
  return i;
}

static GArray *
draw_sorted_regions (guint n)
{
  GArray *regions = draw_regions (n);

  gpu_regions_clip (regions, WIDTH, HEIGHT);
  gpu_regions_sort (regions);
  return regions;
}

/* Pixels of a tile that a region owns are all its own. @is_inverted: region 0 is the rest, which
 * owns the tiles without a region; tiles without a pixel of it are not painted. */
static void
check_tiles (const GArray * regions, gboolean is_inverted)
{
  guint first = is_inverted ? 1 : 0;
  guint found[GPU_REGION_N_TILES + 1] = { 0 };  /* the last: not painted */
  GpuRegionTables tables;

  gpu_region_tables_init (&tables, regions, is_inverted, NULL, WIDTH, HEIGHT);
  for (guint k = 0; k < 5000; k++) {
    gint x = draw (0, WIDTH), y = draw (0, HEIGHT);
    const Tile tile = find_tile (&tables, x, y);
    guint at = find_first (regions, first, x, y), owner;

    found[tile.words ? tile.kind : GPU_REGION_N_TILES]++;
    if (!tile.words && is_inverted)
      g_assert_cmpuint (at, <, regions->len);
    else if (!tile.words || tile.kind >= GPU_REGION_TILES_OF_ONE)
      check_marks (&tile, regions, first, x, y);
    else {
      owner = PAINTED_TILE_REGION (*tile.words);
      g_assert_cmpuint (owner, ==, is_inverted ? 0 : at);
      g_assert_cmpuint (at, ==, is_inverted ? regions->len : owner);
      g_assert_cmpint (get (regions, owner)->shape, ==, GPU_REGION_RECTANGLE);
      g_assert_cmpuint (get (regions, owner)->action, ==, tile.kind);
    }
  }
  if (is_inverted) {
    g_assert_cmpuint (found[GPU_REGION_N_TILES], >, 100);
    g_assert_cmpuint (found[get (regions, 0)->action], >, 100);
  } else
    for (guint i = 0; i < GPU_REGION_N_TILES; i++)
      g_assert_cmpuint (found[i], >, 0);
  g_assert_cmpuint (tables.words->len * sizeof (guint32), <=,
      gpu_region_tables_get_most (WIDTH, HEIGHT));
  gpu_region_tables_clear (&tables);
}

/* As many as there may be, and few, so that those to blur own tiles as well; and a rest. */
TEST (tiles)
{
  static const guint numbers[] = { REGIONS_MOST, 31 };
  const GpuRegion rest = {.box = {0, 0, WIDTH, HEIGHT},
    .action = GPU_REGION_PIXELATE, .block = 16};
  g_autoptr (GArray) with_rest = draw_sorted_regions (40);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autoptr (GArray) regions = draw_sorted_regions (numbers[i]);

    check_tiles (regions, FALSE);
  }
  g_array_prepend_val (with_rest, rest);
  check_tiles (with_rest, TRUE);
}

/* A region that has the whole frame needs no list of tiles, unless it is the rest. */
TEST (one_owner)
{
  const GpuRegion all = {.box = {0, 0, WIDTH, HEIGHT},
    .action = GPU_REGION_FILL};
  g_autoptr (GArray) regions = draw_sorted_regions (9);
  guint n = DIV_UP (WIDTH, REGION_TILE) * DIV_UP (HEIGHT, REGION_TILE);

  g_array_prepend_val (regions, all);
  for (gboolean is_inverted = FALSE; is_inverted <= TRUE; is_inverted++) {
    GpuRegionTables tables;

    gpu_region_tables_init (&tables, regions, is_inverted, NULL, WIDTH, HEIGHT);
    g_assert_cmpint (tables.has_one_owner, ==, !is_inverted);
    if (is_inverted)
      g_assert_cmpuint (gpu_region_tables_count_tiles (&tables), <, n);
    else
      g_assert_cmpuint (gpu_region_tables_count_tiles (&tables), ==, n);
    gpu_region_tables_clear (&tables);
  }
}

/* --- the atlas --- */

/* Returns the groups of regions, which are sorted, that are blurred alike. */
static guint
find_groups (const GArray * regions, GpuAtlasGroup * groups)
{
  guint n = 0;

  for (guint i = 0; i < regions->len; i++) {
    if (get (regions, i)->action != GPU_REGION_BLUR)
      continue;
    if (n == 0 || get (regions, i)->strength != get (regions, i - 1)->strength)
      groups[n++] = (GpuAtlasGroup) {.first = i,
        .reach_x = 8 * get (regions, i)->strength,
        .reach_y = 3 * get (regions, i)->strength};
    groups[n - 1].n++;
  }
  return n;
}

/* A cell has the region with its feather, and what the blur reads; all of a row of the frame
 * if it would be wider. */
static void
check_cell (const GpuAtlasCell * cell, const GpuAtlasGroup * group,
    const GpuRegion * region)
{
  const GpuRegionBox box = gpu_region_box_clip (&region->box, WIDTH, HEIGHT);
  gint around_x = group->reach_x + region->feather;
  gint around_y = group->reach_y + region->feather;
  gboolean is_row = cell->x == 0 && cell->width == WIDTH;

  g_assert_cmpint (cell->x % ATLAS_TILE, ==, 0);
  g_assert_cmpint (cell->y % ATLAS_TILE, ==, 0);
  if (!is_row) {
    g_assert_cmpint (cell->x, <=, box.x - around_x);
    g_assert_cmpint (cell->x + (gint) cell->width, >=, box.x + box.width
        + around_x);
  }
  g_assert_cmpint (cell->y, <=, box.y - around_y);
  g_assert_cmpint (cell->y + (gint) cell->height, >=, box.y + box.height
      + around_y);
}

static void
check_group (const GpuRegionAtlas * atlas, const GpuAtlasGroup * group,
    const GArray * regions)
{
  for (guint i = group->first; i < group->first + group->n; i++) {
    const GpuAtlasCell *cell = &atlas->cells[i];

    check_cell (cell, group, get (regions, i));
    g_assert_cmpuint (cell->atlas_y, >=, group->y);
    g_assert_cmpuint (cell->atlas_y + cell->height, <=, group->y
        + group->height);
    g_assert_cmpuint (cell->atlas_x + cell->width, <=, atlas->width);
  }
}

/* Every tile of the atlas has one cell at most, which it names. */
static void
check_atlas_tiles (const GpuRegionAtlas * atlas, const GArray * regions)
{
  GpuRegionTables tables;
  guint of_cells = 0, named = 0;

  gpu_region_tables_init (&tables, regions, FALSE, atlas, WIDTH, HEIGHT);
  g_assert_cmpuint (tables.cells - tables.atlas_tiles, ==,
      DIV_UP (atlas->width, ATLAS_TILE) * DIV_UP (atlas->height, ATLAS_TILE));
  for (guint i = tables.atlas_tiles; i < tables.cells; i++)
    named += g_array_index (tables.words, guint32, i) > 0;
  for (guint i = 0; i < regions->len; i++)
    of_cells += DIV_UP (atlas->cells[i].width, ATLAS_TILE)
        * DIV_UP (atlas->cells[i].height, ATLAS_TILE);
  g_assert_cmpuint (named, ==, of_cells);
  gpu_region_tables_clear (&tables);
}

TEST (atlas)
{
  guint fitting = 0;

  for (guint k = 0; k < 200; k++) {
    g_autoptr (GArray) regions = draw_regions (1 + k % 8);
    GpuAtlasGroup groups[GPU_REGION_MAX_STRENGTHS] = { 0 };
    GpuRegionAtlas atlas;
    guint n, end = 0;

    gpu_regions_clip (regions, WIDTH, HEIGHT);
    gpu_regions_sort (regions);
    n = find_groups (regions, groups);
    gpu_region_atlas_init (&atlas, regions, groups, n, WIDTH, HEIGHT);
    g_assert_cmpuint (atlas.width, <=, WIDTH);
    g_assert_cmpuint (atlas.height, <=, HEIGHT);
    if (atlas.width == 0)
      continue;
    fitting++;
    for (guint i = 0; i < n; i++) {
      g_assert_cmpuint (groups[i].y, ==, end);
      end += groups[i].height;
      check_group (&atlas, &groups[i], regions);
    }
    g_assert_cmpuint (end, ==, atlas.height);
    check_atlas_tiles (&atlas, regions);
  }
  g_assert_cmpuint (fitting, >, 50);
}

/* Three faces need less than a fifth of the pixels of a film. What does not fit is no atlas. */
TEST (sizes_of_atlas)
{
  static const GpuRegion list[] = {
    {{100, 300, 200, 200}}, {{700, 350, 200, 200}}, {{1300, 400, 200, 200}},
    {{0, 0, WIDTH, HEIGHT}}
  };
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  GpuAtlasGroup faces = {.n = 3, .reach_x = 70, .reach_y = 70};
  GpuAtlasGroup all = {.first = 3, .n = 1, .reach_x = 3000, .reach_y = 3000};
  GpuRegionAtlas atlas;

  g_array_append_vals (regions, list, G_N_ELEMENTS (list));
  gpu_region_atlas_init (&atlas, regions, &faces, 1, 1920, 1080);
  g_assert_cmpuint (atlas.width, >, 0);
  g_assert_cmpuint (5 * atlas.width * atlas.height, <, 1920 * 1080);
  gpu_region_atlas_init (&atlas, regions, &all, 1, WIDTH, HEIGHT);
  g_assert_cmpuint (atlas.width, ==, 0);
}

int
main (int argc, char **argv)
{
  int result;

  random_numbers = g_rand_new_with_seed (1);
  g_test_init (&argc, &argv, NULL);
  tests_add ("/region-lists/", g_test_add_func);
  result = g_test_run ();
  g_rand_free (random_numbers);
  return result;
}
