/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists of regions, their tiles, and the atlas, with random regions: inside, outside,
 * across edges, empty, and more than a frame may have. */
#include "gpu/blur/regions/regionatlas.h"

#include <string.h>

#define WIDTH 1000
#define HEIGHT 700
#define TRIES 20
#define DIV_UP(x, n) (((x) + (n) - 1) / (n))

/* The same in each run. */
static GRand *random_numbers;

static GpuRegion
random_region (void)
{
  return (GpuRegion) {
    .box = {
      g_rand_int_range (random_numbers, -300, WIDTH + 100),
      g_rand_int_range (random_numbers, -300, HEIGHT + 100),
      g_rand_int_range (random_numbers, 0, 300),
      g_rand_int_range (random_numbers, 0, 300)
  },.shape = g_rand_int_range (random_numbers, 0, 2),.action =
        g_rand_int_range (random_numbers, 0, 3),.block =
        g_rand_int_range (random_numbers, GPU_REGION_MIN_BLOCK, 40),.feather =
        g_rand_int_range (random_numbers, 0, 30),};
}

static GArray *
random_regions (guint n)
{
  GArray *regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));

  for (guint i = 0; i < n; i++) {
    const GpuRegion region = random_region ();

    g_array_append_val (regions, region);
  }
  return regions;
}

static const GpuRegion *
get (const GArray * regions, guint i)
{
  return &g_array_index (regions, GpuRegion, i);
}

static gboolean
has (const GpuRegionBox * box, gint x, gint y)
{
  return x >= box->x && x < box->x + box->width
      && y >= box->y && y < box->y + box->height;
}

/* A number that is larger for a stronger region. */
static guint
strength_of (const GpuRegion * region)
{
  return 1000 * (region->action + 1)
      + (region->action == GPU_REGION_PIXELATE ? region->block : 0);
}

static guint
strongest_at (const GArray * regions, gint x, gint y)
{
  guint strongest = 0;

  for (guint i = 0; i < regions->len; i++)
    if (has (&get (regions, i)->box, x, y))
      strongest = MAX (strongest, strength_of (get (regions, i)));
  return strongest;
}

/* Of the rectangles, the first one decides. */
static guint
first_at (const GArray * regions, gint x, gint y)
{
  for (guint i = 0; i < regions->len; i++)
    if (has (&get (regions, i)->box, x, y))
      return strength_of (get (regions, i));
  return 0;
}

static void
check_arranged (guint n)
{
  g_autoptr (GArray) regions = random_regions (n);
  g_autoptr (GArray) before = g_array_copy (regions);

  gpu_regions_arrange (regions, WIDTH, HEIGHT);
  g_assert_cmpuint (regions->len, <=, REGIONS_MOST);
  for (guint i = 0; i < 500; i++) {
    gint x = g_rand_int_range (random_numbers, 0, WIDTH);
    gint y = g_rand_int_range (random_numbers, 0, HEIGHT);

    if (n <= REGIONS_MOST)
      g_assert_cmpuint (first_at (regions, x, y), ==, strongest_at (before, x,
              y));
    else
      g_assert_cmpuint (first_at (regions, x, y), >=, strongest_at (before, x,
              y));
  }
}

static void
test_arranged (void)
{
  static const guint numbers[] = { 0, 1, 2, 10, 200, 256 };

  for (guint i = 0; i < TRIES; i++)
    check_arranged (numbers[i % G_N_ELEMENTS (numbers)]);
}

/* Nothing that was hidden shows, whatever is merged. */
static void
test_merged (void)
{
  static const guint numbers[] = { 400, 600, 3000 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check_arranged (numbers[i]);
}

static gboolean
is_among (const GArray * regions, const GpuRegionBox * box)
{
  for (guint i = 0; i < regions->len; i++)
    if (memcmp (&get (regions, i)->box, box, sizeof *box) == 0)
      return TRUE;
  return FALSE;
}

/* An ellipse would not cover the two that it was merged from. */
static void
test_merged_shapes (void)
{
  g_autoptr (GArray) regions = random_regions (2000);
  g_autoptr (GArray) before = NULL;
  guint merged = 0;

  for (guint i = 0; i < regions->len; i++)
    g_array_index (regions, GpuRegion, i).shape = GPU_REGION_ELLIPSE;
  before = g_array_copy (regions);
  gpu_regions_arrange (regions, WIDTH, HEIGHT);
  for (guint i = 0; i < regions->len; i++) {
    gboolean is_new = !is_among (before, &get (regions, i)->box);

    merged += is_new;
    if (is_new)
      g_assert_cmpint (get (regions, i)->shape, ==, GPU_REGION_RECTANGLE);
  }
  g_assert_cmpuint (merged, >, 100);
}

static void
test_blocks (void)
{
  g_autoptr (GArray) regions = random_regions (200);
  g_autoptr (GArray) before = NULL;
  guint n = 0;

  gpu_regions_arrange (regions, WIDTH, HEIGHT);
  before = g_array_copy (regions);
  gpu_regions_limit_blocks (regions, WIDTH, HEIGHT, 1000000);
  g_assert_cmpuint (regions->len, ==, before->len);
  gpu_regions_limit_blocks (regions, WIDTH, HEIGHT,
      DIV_UP (WIDTH, GPU_REGION_MIN_BLOCK));
  for (guint i = 0; i < regions->len; i++)
    n += get (regions, i)->action == GPU_REGION_PIXELATE;
  g_assert_cmpuint (n, ==, 1);
  for (guint i = 0; i < 500; i++) {
    gint x = g_rand_int_range (random_numbers, 0, WIDTH);
    gint y = g_rand_int_range (random_numbers, 0, HEIGHT);

    g_assert_cmpuint (first_at (regions, x, y), >=, strongest_at (before, x,
            y));
  }
}

static void
test_tiles (void)
{
  g_autoptr (GArray) regions = random_regions (REGIONS_MOST);
  guint a_row = DIV_UP (WIDTH, REGION_TILE);
  guint32 tiles[DIV_UP (WIDTH, REGION_TILE) * DIV_UP (HEIGHT, REGION_TILE)
      * REGION_TILE_WORDS];

  gpu_regions_arrange (regions, WIDTH, HEIGHT);
  gpu_regions_make_tiles (regions, WIDTH, HEIGHT, tiles);
  for (guint i = 0; i < regions->len; i++)
    for (guint k = 0; k < 2000; k++) {
      gint x = g_rand_int_range (random_numbers, 0, WIDTH);
      gint y = g_rand_int_range (random_numbers, 0, HEIGHT);
      gint feather = get (regions, i)->feather;
      GpuRegionBox box = gpu_region_box_clip (&get (regions, i)->box, WIDTH,
          HEIGHT);
      guint tile = y / REGION_TILE * a_row + x / REGION_TILE;
      gboolean is_marked = tiles[tile * REGION_TILE_WORDS + i / 32]
          >> i % 32 & 1;

      box = (GpuRegionBox) {
      box.x - feather, box.y - feather, box.width + 2 * feather,
            box.height + 2 * feather};
      if (has (&box, x, y))
        g_assert_true (is_marked);
      box = (GpuRegionBox) {
      box.x - REGION_TILE, box.y - REGION_TILE,
            box.width + 2 * REGION_TILE, box.height + 2 * REGION_TILE};
      if (!has (&box, x, y))
        g_assert_false (is_marked);
    }
}

/* --- the atlas --- */

#define REACH_X 24
#define REACH_Y 9

static void
check_cell (const GpuRegionAtlas * atlas, guint i, const GpuRegion * region)
{
  const GpuAtlasCell *cell = &atlas->cells[i];
  gint around_x = REACH_X + region->feather, around_y =
      REACH_Y + region->feather;
  const GpuRegionBox box = gpu_region_box_clip (&region->box, WIDTH, HEIGHT);

  g_assert_cmpint (cell->x % ATLAS_TILE, ==, 0);
  g_assert_cmpint (cell->y % ATLAS_TILE, ==, 0);
  g_assert_cmpint (cell->x, <=, MAX (box.x - around_x, cell->width == WIDTH ?
          0 : G_MININT));
  g_assert_cmpint (cell->y, <=, box.y - around_y);
  g_assert_cmpint (cell->x + cell->width, >=, MIN (box.x + box.width
          + around_x, cell->width == WIDTH ? WIDTH : G_MAXINT));
  g_assert_cmpint (cell->y + cell->height, >=, box.y + box.height + around_y);
}

/* Every pixel of the atlas has one cell at most, which its tile names. */
static void
check_tiles (const GpuRegionAtlas * atlas, guint n)
{
  guint a_row = DIV_UP (atlas->width, ATLAS_TILE);
  guint a_column = DIV_UP (atlas->height, ATLAS_TILE);
  g_autofree guint32 *tiles = g_new (guint32, a_row * a_column);
  guint tiles_of_cells = 0, named = 0;

  gpu_region_atlas_make_tiles (atlas, n, tiles);
  for (guint i = 0; i < a_row * a_column; i++)
    named += tiles[i] > 0;
  for (guint i = 0; i < n; i++) {
    const GpuAtlasCell *cell = &atlas->cells[i];

    g_assert_cmpuint (cell->atlas_x + cell->width, <=, atlas->width);
    g_assert_cmpuint (cell->atlas_y + cell->height, <=, atlas->height);
    tiles_of_cells += DIV_UP (cell->width, ATLAS_TILE)
        * DIV_UP (cell->height, ATLAS_TILE);
  }
  g_assert_cmpuint (named, ==, tiles_of_cells);
}

static void
test_atlas (void)
{
  guint fitting = 0;

  for (guint k = 0; k < 200; k++) {
    g_autoptr (GArray) regions = random_regions (1 + k % 8);
    GpuRegionAtlas atlas;

    gpu_regions_arrange (regions, WIDTH, HEIGHT);
    gpu_region_atlas_init (&atlas, regions, WIDTH, HEIGHT, REACH_X, REACH_Y);
    g_assert_cmpuint (atlas.width, <=, WIDTH);
    g_assert_cmpuint (atlas.height, <=, HEIGHT);
    if (atlas.width == 0)
      continue;
    fitting++;
    for (guint i = 0; i < regions->len; i++)
      if (get (regions, i)->action == GPU_REGION_BLUR)
        check_cell (&atlas, i, get (regions, i));
    check_tiles (&atlas, regions->len);
  }
  g_assert_cmpuint (fitting, >, 50);
}

/* Three faces need less than a fifth of the pixels of a film. */
static void
test_small_atlas (void)
{
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  GpuRegionAtlas atlas;

  for (guint i = 0; i < 3; i++) {
    const GpuRegion face = {.box = {100 + 600 * i, 300 + 50 * i, 200, 200} };

    g_array_append_val (regions, face);
  }
  gpu_region_atlas_init (&atlas, regions, 1920, 1080, 70, 70);
  g_assert_cmpuint (atlas.width, >, 0);
  g_assert_cmpuint (5 * atlas.width * atlas.height, <, 1920 * 1080);
}

/* What does not fit is no atlas. */
static void
test_too_large (void)
{
  g_autoptr (GArray) regions = g_array_new (FALSE, FALSE, sizeof (GpuRegion));
  const GpuRegion all = {.box = {0, 0, WIDTH, HEIGHT} };
  GpuRegionAtlas atlas;

  g_array_append_val (regions, all);
  gpu_region_atlas_init (&atlas, regions, WIDTH, HEIGHT, 3000, 3000);
  g_assert_cmpuint (atlas.width, ==, 0);
}

int
main (int argc, char **argv)
{
  int result;

  random_numbers = g_rand_new_with_seed (1);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/region-lists/arranged", test_arranged);
  g_test_add_func ("/region-lists/merged", test_merged);
  g_test_add_func ("/region-lists/merged-shapes", test_merged_shapes);
  g_test_add_func ("/region-lists/blocks", test_blocks);
  g_test_add_func ("/region-lists/tiles", test_tiles);
  g_test_add_func ("/region-lists/atlas", test_atlas);
  g_test_add_func ("/region-lists/small-atlas", test_small_atlas);
  g_test_add_func ("/region-lists/too-large", test_too_large);
  result = g_test_run ();
  g_rand_free (random_numbers);
  return result;
}
