/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "Modes that settle" of docs/internals/temporal.md. */
#include "reference_integer.h"
#include "reference_steps.h"

#define NOTHING -1
#define NONE_FURTHER G_MAXINT64

typedef struct
{
  ReferencePlace index;         /* of the bin, merged twice */
  gint64 n;
  gint64 sum[3];                /* of n times the middles of bins: a, b and L */
  ReferencePlace place;
  gint slot;                    /* of the mode that it belongs to */
  gint64 nearest, further;      /* d² and e² */
} Cell;

typedef struct
{
  ReferenceTemporal *film;
  GArray *cells;                /* of Cell */
  gint n_modes;
} Settling;

/* --- cells --- */

static Cell *
cell_at (const Settling * settling, gsize i)
{
  return &g_array_index (settling->cells, Cell, i);
}

static gint64
rounded_quotient (gint64 sum, gint64 n)
{
  return reference_floor_divide (2 * sum + n, 2 * n);
}

static Cell
cell_of_bin (const ReferenceBins * bins, const ReferenceBin * bin)
{
  const gint64 parts = 4 >> bins->n_merges;
  const ReferencePlace middle = reference_bins_middle (bins, bin->place);

  return (Cell) {
    .index = {
      reference_floor_divide (bin->place.a, parts),
      reference_floor_divide (bin->place.b, parts),
      reference_floor_divide (bin->place.L, parts)
    },
    .n = bin->n,
    .sum = {bin->n * middle.a, bin->n * middle.b, bin->n * middle.L},
  };
}

static gint
compare_cells (gconstpointer p, gconstpointer q)
{
  return reference_places_compare (((const Cell *) p)->index,
      ((const Cell *) q)->index);
}

/* Makes one of the cells with the same index. */
static GArray *
join_equal (GArray * parts)
{
  GArray *cells = g_array_new (FALSE, FALSE, sizeof (Cell));

  g_array_sort (parts, compare_cells);
  for (guint i = 0; i < parts->len; i++) {
    const Cell *part = &g_array_index (parts, Cell, i);
    Cell *last = cells->len == 0 ? NULL
        : &g_array_index (cells, Cell, cells->len - 1);

    if (last == NULL || compare_cells (last, part) != 0) {
      g_array_append_val (cells, *part);
      continue;
    }
    last->n += part->n;
    for (guint k = 0; k < 3; k++)
      last->sum[k] += part->sum[k];
  }
  return cells;
}

/* Those that weigh, in order. */
static GArray *
find_cells (const ReferenceBins * bins)
{
  g_autoptr (GArray) parts = g_array_new (FALSE, FALSE, sizeof (Cell));
  GArray *cells;

  for (gsize i = 0; i < bins->n_bins; i++) {
    const Cell part = cell_of_bin (bins, &bins->bins[i]);

    if (part.n > 0)
      g_array_append_val (parts, part);
  }
  cells = join_equal (parts);
  for (guint i = 0; i < cells->len; i++) {
    Cell *cell = &g_array_index (cells, Cell, i);

    cell->place = (ReferencePlace) {
      rounded_quotient (cell->sum[0], cell->n),
      rounded_quotient (cell->sum[1], cell->n),
      rounded_quotient (cell->sum[2], cell->n)
    };
  }
  return cells;
}

/* --- a round --- */

/* 1 */
static void
join_modes (Settling * settling)
{
  for (guint i = 0; i < settling->cells->len; i++) {
    Cell *cell = cell_at (settling, i);

    cell->slot = reference_modes_find_nearest (settling->film->modes,
        settling->n_modes, cell->place);
    cell->further = NONE_FURTHER;
    for (gint slot = 0; slot < settling->n_modes; slot++) {
      const gint64 distance =
          reference_places_distance_squared (settling->film->modes[slot].at,
          cell->place);

      if (slot == cell->slot)
        cell->nearest = distance;
      else
        cell->further = MIN (cell->further, distance);
    }
  }
}

/* 2: with two modes or more. */
static gint64
worth_of (const Settling * settling, gint slot)
{
  gint64 worth = 0;

  for (guint i = 0; i < settling->cells->len; i++) {
    const Cell *cell = cell_at (settling, i);

    if (cell->slot == slot)
      worth += cell->n * (reference_limit_loss (cell->further)
          - reference_limit_loss (cell->nearest));
  }
  return worth;
}

/* 3 */
static gint
find_candidate (const Settling * settling, gint slot)
{
  gint best = NOTHING;
  gint64 greatest = 0;

  for (guint i = 0; i < settling->cells->len; i++) {
    const Cell *cell = cell_at (settling, i);
    const gint64 gain = reference_limit_gain (cell->n, cell->nearest);

    if (cell->slot == slot && gain > greatest) {
      greatest = gain;
      best = i;
    }
  }
  return best;
}

static gint64
saving_of (const Settling * settling, gint candidate)
{
  const Cell *further = cell_at (settling, candidate);
  gint64 saving = 0;

  for (guint i = 0; i < settling->cells->len; i++) {
    const Cell *cell = cell_at (settling, i);

    if (cell->slot == further->slot)
      saving += cell->n * MAX (0, reference_limit_loss (cell->nearest)
          - reference_limit_loss (reference_places_distance_squared
              (cell->place, further->place)));
  }
  return saving;
}

/* 4: the mode that goes elsewhere, and where. */
static gint
find_replaced (const Settling * settling, ReferencePlace * to)
{
  gint64 least = G_MAXINT64, most = 0;
  gint slot_of_least = NOTHING;

  if (settling->n_modes < 2)
    return NOTHING;
  for (gint slot = 0; slot < settling->n_modes; slot++) {
    const gint64 worth = worth_of (settling, slot);
    const gint candidate = find_candidate (settling, slot);
    const gint64 saving =
        candidate == NOTHING ? 0 : saving_of (settling, candidate);

    if (worth < least) {
      least = worth;
      slot_of_least = slot;
    }
    if (saving > most) {
      most = saving;
      *to = cell_at (settling, candidate)->place;
    }
  }
  return least < most ? slot_of_least : NOTHING;
}

/* 5 */
static void
move_mode (Settling * settling, gint slot)
{
  gint64 weight = 0, a = 0, b = 0, L = 0;

  for (guint i = 0; i < settling->cells->len; i++) {
    const Cell *cell = cell_at (settling, i);

    if (cell->slot != slot)
      continue;
    weight += cell->n;
    a += cell->n * cell->place.a;
    b += cell->n * cell->place.b;
    L += cell->n * cell->place.L;
  }
  if (weight > 0)
    settling->film->modes[slot].at = (ReferencePlace) {
      rounded_quotient (a, weight), rounded_quotient (b, weight),
      rounded_quotient (L, weight)
    };
}

/* No pixel holds it any more. */
static void
go_elsewhere (ReferenceTemporal * film, gint slot, ReferencePlace to)
{
  film->modes[slot].at = to;
  film->was_held[slot] = FALSE;
  for (gsize i = 0; i < film->n_pixels; i++)
    if (film->pixels[i].slot == slot)
      film->pixels[i].slot = REFERENCE_NO_MODE;
}

static void
do_round (Settling * settling)
{
  ReferencePlace to = { 0 };
  gint replaced;

  join_modes (settling);
  replaced = find_replaced (settling, &to);
  if (replaced != NOTHING)
    go_elsewhere (settling->film, replaced, to);
  for (gint slot = 0; slot < settling->n_modes && replaced == NOTHING; slot++)
    move_mode (settling, slot);
}

void
reference_limit_settle (ReferenceTemporal * film)
{
  g_autoptr (GArray) cells = find_cells (&film->bins);
  Settling settling = { film, cells, film->n_modes };
  const guint64 m = cells->len;

  if (m == 0 || m > 65536)
    return;
  for (guint i = 0; i < MIN (10, 4194304 / (m * (film->settings.colors + 32)));
      i++)
    do_round (&settling);
}
