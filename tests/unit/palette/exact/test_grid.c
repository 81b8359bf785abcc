/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which cells the palette's points are put into. No device is needed. */
#include "gpu/palette/exact/exact.h"

#define MANY (5u << 20)

/* Of what RGB can be, on the finest lattice. */
static const GpuPaletteBox gamut = {
  {0, 17450, 12348}, {65536, 50868, 45774}
};

static GpuPaletteGamut bounds;

static const GpuPaletteBox boxes[] = {
  {{0, 32768, 32768}, {0, 32768, 32768}},
  {{1000, 31999, 33000}, {1255, 32255, 33256}},
  {{0, 32768, 32768}, {65536, 32768, 32768}},
  {{65535, 17450, 40000}, {65536, 50868, 40001}},
};

static guint64
n_cells (const GpuPaletteGridCells * cells)
{
  return (guint64) cells->n_l * cells->n_a * cells->n_b;
}

/* As grid.glsl finds it. */
static void
check_corner (const GpuPaletteGridCells * cells, const guint32 * corner)
{
  g_assert_cmpuint (corner[0], >=, cells->first_l);
  g_assert_cmpuint (corner[1], >=, cells->first_a);
  g_assert_cmpuint (corner[2], >=, cells->first_b);
  g_assert_cmpuint ((corner[0] - cells->first_l) >> cells->shift, <,
      cells->n_l);
  g_assert_cmpuint ((corner[1] - cells->first_a) >> cells->shift, <,
      cells->n_a);
  g_assert_cmpuint ((corner[2] - cells->first_b) >> cells->shift, <,
      cells->n_b);
}

static void
check_box (const GpuPaletteBox * box, guint radius, guint max_cells)
{
  GpuPaletteGridCells cells =
      gpu_palette_choose_cells (radius * radius, box, &bounds, 0, max_cells);

  check_corner (&cells, box->low);
  check_corner (&cells, box->high);
  g_assert_cmpuint (n_cells (&cells), <=, max_cells);
  g_assert_cmpuint (cells.shift, >=, 1);
  g_assert_cmpuint (cells.shift, <=, 10);
}

/* Shorter cells hold the box as well, and are no more than they may be. */
static void
check_shorter (const GpuPaletteBox * box, guint radius, guint max_cells)
{
  GpuPaletteGridCells cells =
      gpu_palette_choose_cells (radius * radius, box, &bounds, 0, max_cells);
  GpuPaletteGridCells shorter =
      gpu_palette_shorten_cells (&cells, box, &bounds, max_cells);

  g_assert_cmpuint (shorter.shift, ==, cells.shift);
  g_assert_cmpuint (shorter.shift_l, <=, cells.shift_l);
  g_assert_cmpuint (shorter.n_a, ==, cells.n_a);
  g_assert_cmpuint (shorter.n_b, ==, cells.n_b);
  g_assert_cmpuint ((box->high[0] - shorter.first_l) >> shorter.shift_l, <,
      shorter.n_l);
  g_assert_cmpuint (n_cells (&shorter), <=, max_cells);
}

static void
test_boxes (void)
{
  for (guint radius = 1; radius < 2048; radius = radius * 3 / 2 + 1) {
    for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
      check_box (&boxes[i], radius, MANY);
      check_shorter (&boxes[i], radius, MANY);
    }
    check_shorter (&gamut, radius, 1 << 20);
    check_box (&gamut, radius, MANY);
    check_box (&gamut, radius, 1 << 20);
  }
}

/* A fifth of the radius, unless the gamut had too many of them, whatever the
 * box. */
static void
test_sides (void)
{
  static const guint radii[][2] = { {327, 6}, {655, 7}, {1310, 8}, {1966, 9} };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    guint squared = radii[i][0] * radii[i][0];
    GpuPaletteGridCells small =
        gpu_palette_choose_cells (squared, &boxes[1], &bounds, 0, MANY);
    GpuPaletteGridCells whole =
        gpu_palette_choose_cells (squared, &gamut, &bounds, 0, MANY);

    g_assert_cmpuint (small.shift, ==, whole.shift);
    g_assert_cmpuint (whole.shift, ==, MAX (radii[i][1], 8));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  bounds = gpu_palette_get_gamut (16, 1);
  g_test_add_func ("/grid/boxes", test_boxes);
  g_test_add_func ("/grid/sides", test_sides);
  return g_test_run ();
}
