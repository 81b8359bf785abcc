/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_integer.h"
#include "reference_steps.h"

#include <math.h>

typedef struct
{
  ReferencePlace place;         /* which one it is */
  ReferenceBin strays;          /* their weight and sums */
  gint slot;                    /* of its mode, or REFERENCE_NO_MODE */
} Cell;

static ReferencePlace
find_cell (const ReferenceTemporal * film, ReferencePlace place)
{
  const gint64 side =
      reference_floor (24 * film->settings.max_shift * 2 / sqrt (3));

  return (ReferencePlace) {
    reference_floor_divide (place.a + side / 2, side),
    reference_floor_divide (place.b + side / 2, side),
    reference_floor_divide (place.L + side / 2, side)
  };
}

static Cell *
find (GArray * cells, ReferencePlace place)
{
  for (guint i = 0; i < cells->len; i++)
    if (reference_places_compare (g_array_index (cells, Cell, i).place,
            place) == 0)
      return &g_array_index (cells, Cell, i);
  return NULL;
}

static Cell *
find_or_add (GArray * cells, ReferencePlace place)
{
  const Cell cell = {.place = place, .slot = REFERENCE_NO_MODE};

  if (!find (cells, place))
    g_array_append_val (cells, cell);
  return find (cells, place);
}

static gint
compare_cells (gconstpointer one, gconstpointer other)
{
  return reference_places_compare (((const Cell *) one)->place,
      ((const Cell *) other)->place);
}

/* --- modes of cells --- */

/* The modes that there are: first those without summits. */
static void
enter_modes (const ReferenceTemporal * film, GArray * cells)
{
  for (gint of_summits = FALSE; of_summits <= TRUE; of_summits++)
    for (gint slot = 0; slot < film->n_modes; slot++)
      if (film->modes[slot].exists
          && film->modes[slot].has_summit == of_summits) {
        Cell *cell = find_or_add (cells, find_cell (film,
                film->modes[slot].at));

        if (cell->slot == REFERENCE_NO_MODE)
          cell->slot = slot;
      }
}

static gboolean
had_modes (const ReferenceTemporal * film)
{
  gboolean had = FALSE;

  for (gint slot = 0; slot < film->n_modes; slot++)
    had |= !film->modes[slot].was_free;
  return had;
}

static void
add_modes (ReferenceTemporal * film, GArray * cells)
{
  gint64 weight = 0;

  for (gsize i = 0; i < film->bins.n_bins; i++)
    weight += film->bins.bins[i].n;
  g_array_sort (cells, compare_cells);
  for (guint i = 0; i < cells->len; i++) {
    Cell *cell = &g_array_index (cells, Cell, i);

    if (cell->slot != REFERENCE_NO_MODE || cell->strays.n == 0
        || 2048 * cell->strays.n < weight)
      continue;
    cell->slot = reference_modes_add (film, film->n_slots, &cell->strays);
    if (cell->slot != REFERENCE_NO_MODE)
      film->modes[cell->slot].lacks_summit = TRUE;
  }
}

/* --- bins that stray --- */

static gint64
distance (const ReferenceTemporal * film, ReferencePlace middle, gint slot)
{
  return reference_places_distance_squared (middle, film->modes[slot].at);
}

static gboolean *
find_strays (const ReferenceTemporal * film, GArray * cells)
{
  const gint64 reach = reference_floor (24 * film->settings.max_shift);
  gboolean *strays = g_new0 (gboolean, film->bins.n_bins);

  for (gsize i = 0; i < film->bins.n_bins; i++) {
    const ReferenceBin *bin = &film->bins.bins[i];
    const ReferencePlace middle =
        reference_bins_middle (&film->bins, bin->place);

    strays[i] = film->slots[i] != REFERENCE_NO_MODE
        && distance (film, middle, film->slots[i]) > reach * reach;
    if (strays[i])
      reference_bin_add (&find_or_add (cells, find_cell (film,
                  middle))->strays, bin);
  }
  return strays;
}

static gint
find_nearest (const ReferenceTemporal * film, GArray * cells,
    ReferencePlace middle, gint slot)
{
  const ReferencePlace own = find_cell (film, middle);

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++)
      for (gint L = -1; L <= 1; L++) {
        const Cell *cell = find (cells, (ReferencePlace) {own.a + a,
          own.b + b, own.L + L});

        if (cell && cell->slot != REFERENCE_NO_MODE
            && distance (film, middle, cell->slot)
            < distance (film, middle, slot))
          slot = cell->slot;
      }
  return slot;
}

void
reference_leash_assign (ReferenceTemporal * film)
{
  g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (Cell));
  g_autofree gboolean *strays = find_strays (film, cells);

  enter_modes (film, cells);
  if (!film->is_held || !had_modes (film))
    add_modes (film, cells);
  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (strays[i]) {
      const gint slot = find_nearest (film, cells,
          reference_bins_middle (&film->bins, film->bins.bins[i].place),
          film->slots[i]);

      film->stats.n_leashed += film->slots[i] != slot;
      film->slots[i] = slot;
    }
}
