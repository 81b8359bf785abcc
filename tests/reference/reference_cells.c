/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_cells.h"
#include "reference_count.h"
#include "reference_integer.h"

#include <stdlib.h>

typedef struct
{
  ReferencePoint at;
  guint8 rgb[3];
  gint64 weight;
} WeightedColour;

static gint64
find_pitch (gdouble radius, guint shift)
{
  return MAX ((gint64) floor (ldexp (radius, (gint) shift) / 3 + 0.5), 109);
}

/* Where a point's cell is when cells were merged @n_merges times. */
static ReferencePlace
place_of (const ReferenceCells * cells, ReferencePoint point, guint n_merges)
{
  const gint64 pitch = cells->pitch, half = pitch / 2;
  const ReferencePlace place = {
    reference_shift (reference_floor_divide (point.a + half, pitch), n_merges),
    reference_shift (reference_floor_divide (point.b + half, pitch), n_merges),
    reference_shift (reference_floor_divide (point.L + half, pitch), n_merges)
  };

  return place;
}

ReferencePlace
reference_cells_place (const ReferenceCells * cells, const guint8 * rgb)
{
  return place_of (cells, reference_colour_to_point (&cells->lattice, rgb),
      cells->n_merges);
}

ReferencePlace
reference_cells_place_unmerged (const ReferenceCells * cells,
    const guint8 * rgb)
{
  return place_of (cells, reference_colour_to_point (&cells->lattice, rgb), 0);
}

static gint64
weight_of (const ReferencePaletteSettings * settings, guint count)
{
  if (count < settings->min_frequency)
    return 0;
  return settings->weighting == REFERENCE_WEIGHTING_FREQUENCY ? count : 1;
}

static WeightedColour *
collect_colours (const ReferencePaletteSettings * settings,
    const ReferenceLattice * lattice, const guint8 * rgba, gsize n_pixels,
    gsize * n_colours)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  WeightedColour *colours = g_new (WeightedColour, g_hash_table_size (counts));
  gsize n = 0;
  GHashTableIter iter;
  gpointer colour, count;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &count)) {
    reference_unpack_rgb (GPOINTER_TO_UINT (colour), colours[n].rgb);
    colours[n].at = reference_colour_to_point (lattice, colours[n].rgb);
    colours[n++].weight = weight_of (settings, GPOINTER_TO_UINT (count));
  }
  *n_colours = n;
  return colours;
}

gint
reference_places_compare (ReferencePlace p, ReferencePlace q)
{
  if (p.a != q.a)
    return p.a < q.a ? -1 : 1;
  if (p.b != q.b)
    return p.b < q.b ? -1 : 1;
  return (p.L > q.L) - (p.L < q.L);
}

static gint
compare_cells (gconstpointer one, gconstpointer other)
{
  return reference_places_compare (((const ReferenceCell *) one)->place,
      ((const ReferenceCell *) other)->place);
}

/* The cell of one colour, as if there were no other. */
static ReferenceCell
cell_of_colour (const ReferenceCells * cells, const WeightedColour * colour)
{
  ReferenceCell cell = {.place =
        place_of (cells, colour->at, cells->n_merges),.n = colour->weight
  };

  for (guint i = 0; i < 3; i++)
    cell.sum[i] = colour->weight * colour->rgb[i];
  return cell;
}

static void
add_cell (ReferenceCell * cell, const ReferenceCell * other)
{
  cell->n += other->n;
  for (guint i = 0; i < 3; i++)
    cell->sum[i] += other->sum[i];
}

static void
fill_cells (ReferenceCells * cells, const WeightedColour * colours,
    gsize n_colours)
{
  ReferenceCell *filled = cells->cells;
  gsize n = 0;

  for (gsize i = 0; i < n_colours; i++)
    filled[i] = cell_of_colour (cells, &colours[i]);
  if (n_colours > 0)
    qsort (filled, n_colours, sizeof (ReferenceCell), compare_cells);
  for (gsize i = 0; i < n_colours; i++) {
    if (n > 0 && compare_cells (&filled[n - 1], &filled[i]) == 0)
      add_cell (&filled[n - 1], &filled[i]);
    else
      filled[n++] = filled[i];
  }
  cells->n_cells = n;
}

ReferenceCell *
reference_cells_find (const ReferenceCells * cells, ReferencePlace place)
{
  const ReferenceCell wanted = {.place = place };

  return bsearch (&wanted, cells->cells, cells->n_cells, sizeof (ReferenceCell),
      compare_cells);
}

ReferenceCell *
reference_cells_find_beside (const ReferenceCells * cells,
    ReferencePlace place, gint a, gint b, gint L)
{
  const ReferencePlace beside = { place.a + a, place.b + b, place.L + L };

  return reference_cells_find (cells, beside);
}

/* Which is the first of the cells that are not before @place. */
static gsize
first_from (const ReferenceCells * cells, ReferencePlace place)
{
  gsize first = 0, end = cells->n_cells;

  while (first < end) {
    const gsize middle = first + (end - first) / 2;

    if (reference_places_compare (cells->cells[middle].place, place) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* Those around a cell and itself, in the order of cells; returns how many. Of a row,
 * where L alone differs, they are next to each other: most of the tests' time would
 * go into looking for each. */
static guint
find_around (const ReferenceCells * cells, const ReferenceCell * cell,
    const ReferenceCell ** around)
{
  guint n = 0;

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++) {
      const ReferencePlace first =
          { cell->place.a + a, cell->place.b + b, cell->place.L - 1 };
      const ReferencePlace last = { first.a, first.b, first.L + 2 };

      for (gsize i = first_from (cells, first); i < cells->n_cells
          && reference_places_compare (cells->cells[i].place, last) <= 0; i++)
        around[n++] = &cells->cells[i];
    }
  return n;
}

static gint64
density_at (const ReferenceCells * cells, const ReferenceCell * cell)
{
  const ReferenceCell *around[27];
  const guint n = find_around (cells, cell, around);
  gint64 density = 0;

  for (guint i = 0; i < n; i++) {
    const gint64 a = around[i]->place.a - cell->place.a;
    const gint64 b = around[i]->place.b - cell->place.b;
    const gint64 L = around[i]->place.L - cell->place.L;

    density += (4 - (a * a + b * b + L * L)) * around[i]->n;
  }
  return density;
}

/* The densest of those around where something weighs, which are looked at in the
 * order of cells, so that the first of several equal ones stays the best; NULL where
 * there are none. */
static const ReferenceCell *
densest_around (const ReferenceCells * cells, const ReferenceCell * cell)
{
  const ReferenceCell *around[27];
  const guint n = find_around (cells, cell, around);
  const ReferenceCell *best = NULL;

  for (guint i = 0; i < n; i++)
    if (around[i] != cell && around[i]->n > 0
        && (best == NULL || around[i]->density > best->density))
      best = around[i];
  return best;
}

static gsize
uphill_from (const ReferenceCells * cells, const ReferenceCell * cell)
{
  const ReferenceCell *best = densest_around (cells, cell);
  const gint64 enough = cell->density + MIN (cell->density / 64, 8);

  if (best == NULL || (cell->n > 0 && best->density <= enough))
    best = cell;
  return (gsize) (best - cells->cells);
}

static gsize
summit_from (const ReferenceCells * cells, gsize i)
{
  while (cells->cells[i].uphill != i)
    i = cells->cells[i].uphill;
  return i;
}

static void
climb (ReferenceCells * cells)
{
  for (gsize i = 0; i < cells->n_cells; i++)
    cells->cells[i].density = density_at (cells, &cells->cells[i]);
  for (gsize i = 0; i < cells->n_cells; i++)
    cells->cells[i].uphill = uphill_from (cells, &cells->cells[i]);
  for (gsize i = 0; i < cells->n_cells; i++)
    cells->cells[i].summit = summit_from (cells, i);
}

gboolean
reference_cells_is_summit (const ReferenceCells * cells, gsize i)
{
  return cells->cells[i].summit == i;
}

gint64
reference_cells_mean (gint64 sum, gint64 n)
{
  return (2 * sum + n) / (2 * n);
}

gboolean
reference_cells_colour (const ReferenceCells * cells,
    const ReferenceCell * cell, guint8 * rgb)
{
  const ReferenceCell *summit = &cells->cells[cell->summit];

  if (summit->n == 0)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    rgb[i] = reference_cells_mean (summit->sum[i], summit->n);
  return TRUE;
}

void
reference_cells_init (ReferenceCells * cells,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels)
{
  g_autofree WeightedColour *colours = NULL;
  gsize n_colours;

  reference_lattice_init (&cells->lattice, settings->transfer, settings->eotf,
      reference_lattice_shift (settings->radius));
  cells->pitch = find_pitch (settings->radius, cells->lattice.shift);
  colours = collect_colours (settings, &cells->lattice, rgba, n_pixels,
      &n_colours);
  cells->cells = g_new (ReferenceCell, n_colours);
  cells->n_merges = 0;
  fill_cells (cells, colours, n_colours);
  while (cells->n_cells > capacity) {
    cells->n_merges++;
    fill_cells (cells, colours, n_colours);
  }
  climb (cells);
}

void
reference_cells_clear (ReferenceCells * cells)
{
  g_free (cells->cells);
}
