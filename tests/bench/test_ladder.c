/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* That all walks which are timed end where steps over every colour, one after the
 * other on the CPU, end; and what their cells and orders are. */
#include "bench.h"
#include "generated.h"
#include "gpu_fixture.h"
#include "ladder.h"
#include "reference_palette.h"
#include "shaders/palette/exact/shared.h"
#include "tests.h"

#include <stdlib.h>
#include <string.h>

#define WIDTH 28
#define HEIGHT 16
#define RADIUS 0.03

static gboolean is_full;

static BenchPicture *
new_picture (void)
{
  BenchPicture *picture = g_new0 (BenchPicture, 1);

  picture->width = WIDTH;
  picture->height = HEIGHT;
  picture->bytes = generated_picture_new ("blobs", WIDTH, HEIGHT, 3);
  return picture;
}

static CellColours *
new_colours (GpuPaletteWeighting weighting)
{
  BenchPicture *picture = new_picture ();
  CellColours *colours =
      cell_colours_new (picture, RADIUS, REFERENCE_TRANSFER_SRGB, weighting);

  bench_picture_free (picture);
  g_assert_cmpuint (colours->n, >, 300);
  return colours;
}

/* --- curves --- */

static const guint sizes[][3] = {
  {4, 4, 4}, {5, 3, 7}, {1, 1, 9}, {10, 2, 2}, {13, 7, 11}, {1, 1, 1}
};

static void
find_cell (const guint * size, gsize cell, gint at[3])
{
  at[0] = cell / size[2] / size[1];
  at[1] = cell / size[2] % size[1];
  at[2] = cell % size[2];
}

static guint
distance_of (const guint * size, gsize a, gsize b)
{
  gint p[3], q[3];

  find_cell (size, a, p);
  find_cell (size, b, q);
  return abs (p[0] - q[0]) + abs (p[1] - q[1]) + abs (p[2] - q[2]);
}

/* Cells of a curve in its order. */
static gsize *
sort_cells (const guint64 * numbers, const guint * size)
{
  gsize n = (gsize) size[0] * size[1] * size[2];
  gsize *cells = g_new (gsize, n);

  for (gsize i = 0; i < n; i++) {
    gsize before = 0;

    for (gsize k = 0; k < n; k++) {
      g_assert_true (k == i || numbers[k] != numbers[i]);
      before += numbers[k] < numbers[i];
    }
    cells[before] = i;
  }
  return cells;
}

/* How far it is along the curve, in steps between cells that have a side in
 * common. */
static gsize
length_of (Curve curve, const guint * size)
{
  g_autofree guint64 *numbers = curve_new (curve, size);
  g_autofree gsize *cells = sort_cells (numbers, size);
  gsize n = (gsize) size[0] * size[1] * size[2], length = 0;

  for (gsize i = 1; i < n; i++)
    length += distance_of (size, cells[i - 1], cells[i]);
  return length;
}

TEST (curves)
{
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gsize steps = (gsize) sizes[i][0] * sizes[i][1] * sizes[i][2] - 1;

    g_assert_cmpuint (length_of (CURVE_GILBERT, sizes[i]), <=,
        steps + steps / 10 + 4);
  }
  g_assert_cmpuint (length_of (CURVE_HILBERT, sizes[0]), ==, 63);
  g_assert_cmpuint (length_of (CURVE_STRAIGHT, sizes[0]), ==, 48 + 12 * 4
      + 3 * 7);
}

/* --- cells --- */

TEST (cells)
{
  CellColours *colours = new_colours (GPU_PALETTE_FREQUENCY);
  CellGrid *grid = cell_grid_new (colours, 9, 7);
  guint64 weight = 0;

  for (guint cell = 0; cell < grid->n_cells; cell++)
    for (guint i = grid->starts[cell]; i < grid->starts[cell + 1]; i++) {
      guint at[3];

      cell_grid_place (grid, grid->points[i], at);
      g_assert_cmpuint ((at[1] * grid->cells.n_b + at[2]) * grid->cells.n_l
          + at[0], ==, cell);
      g_assert_cmpuint (grid->sums[i].weight, ==, weight);
      weight += grid->weights[i];
    }
  g_assert_cmpuint (grid->starts[grid->n_cells], ==, colours->n);
  g_assert_cmpuint (weight, ==, WIDTH * HEIGHT);
  cell_grid_free (grid);
  cell_colours_free (colours);
}

TEST (thin)
{
  BenchPicture *picture = new_picture ();
  CellColours *colours;

  cell_colours_thin (picture, 100);
  colours = cell_colours_new (picture, RADIUS, REFERENCE_TRANSFER_SRGB,
      GPU_PALETTE_PALETTE);
  g_assert_cmpuint (colours->n, >, 50);
  g_assert_cmpuint (colours->n, <, 150);
  cell_colours_free (colours);
  bench_picture_free (picture);
}

/* --- walks --- */

static ReferencePoint
unpack (CellPoint point)
{
  return (ReferencePoint) {point.L, (gint32) (point.ab & 0xffff) - POINT_BIAS,
    (gint32) (point.ab >> 16) - POINT_BIAS};
}

static ReferencePoint *
walk_all (const CellColours * colours)
{
  g_autofree ReferencePoint *points = g_new (ReferencePoint, colours->n);
  ReferencePoint *ends = g_new (ReferencePoint, colours->n);
  g_autoptr (ReferenceColours) reference = NULL;

  for (guint i = 0; i < colours->n; i++)
    points[i] = unpack (colours->points[i]);
  reference = reference_colours_new (points, colours->weights, colours->n,
      colours->radius_squared);
  for (guint i = 0; i < colours->n; i++)
    ends[i] = reference_walk (reference, points[i], 0, NULL);
  return ends;
}

/* What is walked over, and where each colour's walk has to end. */
typedef struct
{
  GpuStream *stream;
  const CellColours *colours;
  const CellGrid *grid;
  gboolean is_weighted;
  const ReferencePoint *ends;
} Walks;

static void
check_way (const Walks * walks, Curve curve, const LadderWay * way)
{
  g_autoptr (GError) error = NULL;
  Ladder *ladder = ladder_new (walks->stream, walks->colours, walks->grid,
      walks->is_weighted, curve, &error);
  LadderResult result = { 0 };

  g_assert_no_error (error);
  g_assert_true (ladder_run (ladder, way, &result, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < walks->colours->n; i++) {
    ReferencePoint end = unpack (result.ends[i]);

    g_assert_cmpmem (&end, sizeof end, &walks->ends[i], sizeof end);
  }
  ladder_result_clear (&result);
  ladder_free (ladder);
}

static gboolean
is_cpu (void)
{
  return gpu_device_get_info (gpu_fixture_device ())->kind == GPU_DEVICE_CPU;
}

static void
test_walks (gconstpointer data)
{
  GpuPaletteWeighting weighting = GPOINTER_TO_UINT (data);
  CellColours *colours = new_colours (weighting);
  g_autofree ReferencePoint *ends = walk_all (colours);
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuStream) stream =
      gpu_stream_new (gpu_fixture_device (), 2, "test", &error);
  CellGrid *grid = cell_grid_new (colours, 9, 6);
  /* What colours weigh matters to sums, not to how walkers are chosen. */
  gboolean is_whole = is_full || weighting == GPU_PALETTE_FREQUENCY;
  const Walks walks = {.stream = stream, .colours = colours, .grid = grid,
    .is_weighted = weighting == GPU_PALETTE_FREQUENCY, .ends = ends};

  g_assert_no_error (error);
  for (guint search = 0; search <= LADDER_PREFIX_SUMS; search++)
    for (guint shares = is_whole ? 0 : search % 2; shares < 2;
        shares += is_whole ? 1 : 2) {
      LadderWay way = { search, shares, LADDER_LISTS, FALSE, 2 };

      check_way (&walks, CURVE_STRAIGHT, &way);
    }
  for (guint mask = 0; is_whole && mask <= LADDER_LISTS; mask++)
    for (guint persistent = 0; persistent < (is_cpu ()? 1 : 2); persistent++) {
      LadderWay way = {
        LADDER_PREFIX_SUMS, FALSE, mask, persistent, 3
      };

      check_way (&walks, CURVE_GILBERT, &way);
    }
  cell_grid_free (grid);
  cell_colours_free (colours);
}

static void
add_walks (const gchar * path, GpuPaletteWeighting weighting)
{
  g_test_add_data_func (path, GUINT_TO_POINTER (weighting), test_walks);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && g_str_equal (argv[1], "--full");
  tests_add ("/ladder/", g_test_add_func);
  if (gpu_fixture_device ()) {
    add_walks ("/ladder/frequency", GPU_PALETTE_FREQUENCY);
    add_walks ("/ladder/palette", GPU_PALETTE_PALETTE);
  }
  status = g_test_run ();
  gpu_fixture_close ();
  return status;
}
