/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cell_grid.h"
#include "reference_count.h"
#include "shaders/palette/exact/shared.h"

#include <stdlib.h>

/* --- colours --- */

static gint
compare_colours (gconstpointer a, gconstpointer b)
{
  const gpointer *p = a, *q = b;

  return (*p > *q) - (*p < *q);
}

static GHashTable *
count_colours (const BenchPicture * picture)
{
  return reference_count_colours (picture->bytes,
      (gsize) picture->width * picture->height);
}

static CellPoint
point_of (const ReferenceLattice * lattice, guint32 colour)
{
  guint8 rgb[3];
  ReferencePoint point;

  reference_unpack_rgb (colour, rgb);
  point = reference_colour_to_point (lattice, rgb);
  return (CellPoint) {
    (guint32) (point.a + POINT_BIAS) | (guint32) (point.b + POINT_BIAS) << 16,
    point.L,
  };
}

CellColours *
cell_colours_new (const BenchPicture * picture, gdouble radius,
    ReferenceTransfer transfer, GpuPaletteWeighting weighting)
{
  g_autoptr (GHashTable) counts = count_colours (picture);
  CellColours *colours = g_new0 (CellColours, 1);
  g_autofree gpointer *sorted =
      g_hash_table_get_keys_as_array (counts, &colours->n);
  guint shift = gpu_palette_lattice_shift (radius);
  ReferenceLattice lattice;

  colours->radius_squared = gpu_palette_radius_squared (radius, shift);
  colours->points = g_new (CellPoint, colours->n);
  colours->weights = g_new (guint32, colours->n);
  reference_lattice_init (&lattice, transfer, NULL, shift);
  qsort (sorted, colours->n, sizeof *sorted, compare_colours);
  for (guint i = 0; i < colours->n; i++) {
    guint count = GPOINTER_TO_UINT (g_hash_table_lookup (counts, sorted[i]));

    colours->points[i] = point_of (&lattice, GPOINTER_TO_UINT (sorted[i]));
    colours->weights[i] = weighting == GPU_PALETTE_FREQUENCY ? count : 1;
  }
  return colours;
}

void
cell_colours_free (CellColours * colours)
{
  g_free (colours->points);
  g_free (colours->weights);
  g_free (colours);
}

/* By a hash of the colour, so that those that are left lie as all did. */
void
cell_colours_thin (BenchPicture * picture, guint n)
{
  g_autoptr (GHashTable) counts = count_colours (picture);
  guint32 limit =
      (guint64) n * G_MAXUINT32 / MAX (g_hash_table_size (counts), n);

  for (gsize i = 0; i < (gsize) picture->width * picture->height; i++) {
    guint8 *pixel = picture->bytes + 4 * i;

    if (reference_pack_rgb (pixel) * 2654435761u > limit)
      pixel[3] = 0;
  }
}

/* --- cells --- */

static void
unpack (CellPoint point, guint coordinates[3])
{
  coordinates[0] = point.L;
  coordinates[1] = point.ab & 0xffff;
  coordinates[2] = point.ab >> 16;
}

static void
find_cells (CellGrid * grid, const CellColours * colours)
{
  GpuPaletteGridCells *cells = &grid->cells;
  guint low[] = { G_MAXUINT, G_MAXUINT, G_MAXUINT }, high[3] = { 0 };

  for (guint i = 0; i < colours->n; i++) {
    guint at[3];

    unpack (colours->points[i], at);
    for (guint axis = 0; axis < 3; axis++) {
      low[axis] = MIN (low[axis], at[axis]);
      high[axis] = MAX (high[axis], at[axis]);
    }
  }
  cells->first_l = low[0];
  cells->first_a = low[1];
  cells->first_b = low[2];
  cells->n_l = ((high[0] - low[0]) >> cells->shift_l) + 1;
  cells->n_a = ((high[1] - low[1]) >> cells->shift) + 1;
  cells->n_b = ((high[2] - low[2]) >> cells->shift) + 1;
  grid->n_cells = cells->n_l * cells->n_a * cells->n_b;
}

void
cell_grid_place (const CellGrid * grid, CellPoint point, guint place[3])
{
  const GpuPaletteGridCells *cells = &grid->cells;
  guint at[3];

  unpack (point, at);
  place[0] = (at[0] - cells->first_l) >> cells->shift_l;
  place[1] = (at[1] - cells->first_a) >> cells->shift;
  place[2] = (at[2] - cells->first_b) >> cells->shift;
}

static guint
cell_of (const CellGrid * grid, CellPoint point)
{
  guint place[3];

  cell_grid_place (grid, point, place);
  return (place[1] * grid->cells.n_b + place[2]) * grid->cells.n_l + place[0];
}

/* Counts, adds up, and puts each point behind those of its cell before it. */
static void
sort_points (CellGrid * grid, const CellColours * colours)
{
  g_autofree guint32 *next = NULL;

  for (guint i = 0; i < colours->n; i++)
    grid->starts[cell_of (grid, colours->points[i]) + 1]++;
  for (guint cell = 0; cell < grid->n_cells; cell++)
    grid->starts[cell + 1] += grid->starts[cell];
  next = g_memdup2 (grid->starts, grid->n_cells * sizeof *next);
  for (guint i = 0; i < colours->n; i++) {
    guint at = next[cell_of (grid, colours->points[i])]++;

    grid->origins[at] = i;
    grid->points[at] = colours->points[i];
    grid->weights[at] = colours->weights[i];
  }
}

static void
sum_points (CellGrid * grid, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint64 weight = grid->weights[i];
    BinSums sums = grid->sums[i];
    guint at[3];

    unpack (grid->points[i], at);
    sums.weight += weight;
    sums.L += weight * at[0];
    sums.a += weight * at[1];
    sums.b += weight * at[2];
    grid->sums[i + 1] = sums;
  }
}

CellGrid *
cell_grid_new (const CellColours * colours, guint shift, guint shift_l)
{
  CellGrid *grid = g_new0 (CellGrid, 1);

  grid->cells.shift = shift;
  grid->cells.shift_l = shift_l;
  find_cells (grid, colours);
  grid->starts = g_new0 (guint32, grid->n_cells + 1);
  grid->origins = g_new (guint32, colours->n);
  grid->points = g_new (CellPoint, colours->n);
  grid->weights = g_new (guint32, colours->n);
  grid->sums = g_new0 (BinSums, colours->n + 1);
  sort_points (grid, colours);
  sum_points (grid, colours->n);
  return grid;
}

void
cell_grid_free (CellGrid * grid)
{
  g_free (grid->starts);
  g_free (grid->origins);
  g_free (grid->points);
  g_free (grid->weights);
  g_free (grid->sums);
  g_free (grid);
}
