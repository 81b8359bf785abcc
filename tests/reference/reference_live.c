/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_live.h"
#include "reference_count.h"
#include "reference_integer.h"

#include <stdlib.h>
#include <string.h>

typedef struct
{
  gint64 a, b, L;
} Place;

typedef struct
{
  ReferencePoint at;
  guint8 rgb[3];
  gint64 weight;
} Colour;

typedef struct
{
  Place place;
  gint64 n;
  gint64 sum[3];                /* of what counts: R, G and B */
  gint64 density;
  gsize uphill;                 /* index of the cell that this one goes to */
  guint8 rgb[3];                /* of the summit that this one comes to */
} Cell;

typedef struct
{
  ReferenceLattice lattice;
  gint64 pitch;                 /* before merging */
  guint n_merges;
  Colour *colours;
  gsize n_colours;
  Cell *cells;                  /* in order */
  gsize n_cells;
} Live;

static gint64
find_pitch (gdouble radius, guint shift)
{
  return MAX ((gint64) floor (ldexp (radius, (gint) shift) / 3 + 0.5), 109);
}

static Place
place_of (const Live * live, ReferencePoint point)
{
  const gint64 pitch = live->pitch, half = pitch / 2;
  const Place place = {
    reference_shift (reference_floor_divide (point.a + half, pitch),
        live->n_merges),
    reference_shift (reference_floor_divide (point.b + half, pitch),
        live->n_merges),
    reference_shift (reference_floor_divide (point.L + half, pitch),
        live->n_merges)
  };

  return place;
}

static Colour *
collect_colours (const ReferencePaletteSettings * settings,
    const ReferenceLattice * lattice, const guint8 * rgba, gsize n_pixels,
    gsize * n_colours)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  Colour *colours = g_new (Colour, g_hash_table_size (counts));
  gsize n = 0;
  GHashTableIter iter;
  gpointer colour, count;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &count)) {
    reference_unpack_rgb (GPOINTER_TO_UINT (colour), colours[n].rgb);
    colours[n].at = reference_colour_to_point (lattice, colours[n].rgb);
    colours[n].weight = 1;
    if (settings->weighting == REFERENCE_WEIGHTING_FREQUENCY)
      colours[n].weight = GPOINTER_TO_UINT (count);
    n++;
  }
  *n_colours = n;
  return colours;
}

/* Cells are in this order so that they are found; what it decides is decided in
 * uphill_from(). */
static gint
compare_places (Place p, Place q)
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
  return compare_places (((const Cell *) one)->place,
      ((const Cell *) other)->place);
}

/* The cell of one colour, as if there were no other. */
static Cell
cell_of_colour (const Live * live, const Colour * colour)
{
  Cell cell = {.place = place_of (live, colour->at),.n = colour->weight };

  for (guint i = 0; i < 3; i++)
    cell.sum[i] = colour->weight * colour->rgb[i];
  return cell;
}

static void
add_cell (Cell * cell, const Cell * other)
{
  cell->n += other->n;
  for (guint i = 0; i < 3; i++)
    cell->sum[i] += other->sum[i];
}

static void
fill_cells (Live * live)
{
  gsize n = 0;

  for (gsize i = 0; i < live->n_colours; i++)
    live->cells[i] = cell_of_colour (live, &live->colours[i]);
  if (live->n_colours > 0)
    qsort (live->cells, live->n_colours, sizeof (Cell), compare_cells);
  for (gsize i = 0; i < live->n_colours; i++) {
    if (n > 0 && compare_cells (&live->cells[n - 1], &live->cells[i]) == 0)
      add_cell (&live->cells[n - 1], &live->cells[i]);
    else
      live->cells[n++] = live->cells[i];
  }
  live->n_cells = n;
}

/* NULL if there is no occupied cell. */
static Cell *
find_cell (const Live * live, Place place)
{
  const Cell wanted = {.place = place };

  return bsearch (&wanted, live->cells, live->n_cells, sizeof (Cell),
      compare_cells);
}

static Cell *
find_neighbour (const Live * live, const Cell * cell, gint a, gint b, gint L)
{
  const Place place =
      { cell->place.a + a, cell->place.b + b, cell->place.L + L };

  return find_cell (live, place);
}

static gint64
density_at (const Live * live, const Cell * cell)
{
  gint64 density = 0;

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++)
      for (gint L = -1; L <= 1; L++) {
        const Cell *other = find_neighbour (live, cell, a, b, L);

        if (other != NULL)
          density += (4 - (a * a + b * b + L * L)) * other->n;
      }
  return density;
}

/* Neighbours are looked at in the order of cells, so that the first of several
 * equal ones stays the best. */
static gsize
uphill_from (const Live * live, const Cell * cell)
{
  const Cell *best = NULL;
  gint64 enough = cell->density + MIN (cell->density / 64, 8);

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++)
      for (gint L = -1; L <= 1; L++) {
        const Cell *other = find_neighbour (live, cell, a, b, L);

        if (other != NULL && (best == NULL || other->density > best->density))
          best = other;
      }
  if (best->density <= enough)
    best = cell;
  return (gsize) (best - live->cells);
}

static gboolean
is_summit (const Live * live, gsize i)
{
  return live->cells[i].uphill == i;
}

static gsize
summit_of (const Live * live, gsize i)
{
  while (!is_summit (live, i))
    i = live->cells[i].uphill;
  return i;
}

static void
colour_of_summit (const Cell * cell, guint8 * rgb)
{
  for (guint i = 0; i < 3; i++)
    rgb[i] = (2 * cell->sum[i] + cell->n) / (2 * cell->n);
}

static void
climb (Live * live)
{
  for (gsize i = 0; i < live->n_cells; i++)
    live->cells[i].density = density_at (live, &live->cells[i]);
  for (gsize i = 0; i < live->n_cells; i++)
    live->cells[i].uphill = uphill_from (live, &live->cells[i]);
  for (gsize i = 0; i < live->n_cells; i++)
    colour_of_summit (&live->cells[summit_of (live, i)], live->cells[i].rgb);
}

static void
live_init (Live * live, const ReferencePaletteSettings * settings,
    gsize capacity, const guint8 * input, gsize n_pixels)
{
  reference_lattice_init (&live->lattice, settings->transfer, settings->eotf,
      reference_lattice_shift (settings->radius));
  live->pitch = find_pitch (settings->radius, live->lattice.shift);
  live->colours = collect_colours (settings, &live->lattice, input, n_pixels,
      &live->n_colours);
  live->cells = g_new (Cell, live->n_colours);
  live->n_merges = 0;
  fill_cells (live);
  while (live->n_cells > capacity) {
    live->n_merges++;
    fill_cells (live);
  }
  climb (live);
}

static void
live_clear (Live * live)
{
  g_free (live->colours);
  g_free (live->cells);
}

static void
map_pixel (const Live * live, const guint8 * input, guint8 * output)
{
  memmove (output, input, 4);
  if (input[3] != 0)
    memcpy (output, find_cell (live, place_of (live,
                reference_colour_to_point (&live->lattice, input)))->rgb, 3);
}

static gsize
count_output_colours (const Live * live)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < live->n_cells; i++)
    g_hash_table_add (colours,
        GUINT_TO_POINTER (reference_pack_rgb (live->cells[i].rgb)));
  return g_hash_table_size (colours);
}

static ReferenceLiveStats
collect_stats (const Live * live)
{
  ReferenceLiveStats stats = {.n_cells = live->n_cells,
    .n_merges = live->n_merges,
    .n_output_colours = count_output_colours (live)
  };

  for (gsize i = 0; i < live->n_cells; i++)
    stats.n_summits += is_summit (live, i);
  return stats;
}

static ReferenceLiveStats
reduce (const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * input, gsize n_pixels, guint8 * output)
{
  Live live;
  ReferenceLiveStats stats;

  live_init (&live, settings, capacity, input, n_pixels);
  for (gsize i = 0; i < n_pixels; i++)
    map_pixel (&live, input + 4 * i, output + 4 * i);
  stats = collect_stats (&live);
  live_clear (&live);
  return stats;
}

void
reference_live_with_capacity (const ReferencePaletteSettings * settings,
    gsize capacity, const guint8 * input, guint width, guint height,
    guint8 * output, ReferenceLiveStats * stats)
{
  const gsize n_pixels = (gsize) width * height;
  ReferenceLiveStats own = { 0 };

  if (settings->radius > 0)
    own = reduce (settings, capacity, input, n_pixels, output);
  else
    memmove (output, input, 4 * n_pixels);
  if (stats != NULL)
    *stats = own;
}

void
reference_live (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferenceLiveStats * stats)
{
  reference_live_with_capacity (settings, REFERENCE_LIVE_CAPACITY, input, width,
      height, output, stats);
}
