/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_colours.h"
#include "reference_integer.h"

#define NOTHING -1
#define INFINITELY_FAR G_MAXINT64

gdouble
reference_colours_radius (guint n_colours)
{
  return MAX (0.005, 0.04 / sqrt (n_colours));
}

/* --- summits --- */

static guint
count_summits (const ReferenceCells * cells)
{
  guint n = 0;

  for (gsize i = 0; i < cells->n_cells; i++)
    n += reference_cells_is_summit (cells, i);
  return n;
}

void
reference_colours_make_summits (ReferenceCells * cells, guint n_colours)
{
  if (count_summits (cells) >= n_colours)
    return;
  for (gsize i = 0; i < cells->n_cells; i++)
    cells->cells[i].summit = i;
}

/* Of the cells that come to each summit; 0 for what is none. */
static gint64 *
find_weights (const ReferenceCells * cells)
{
  gint64 *weights = g_new0 (gint64, cells->n_cells);

  for (gsize i = 0; i < cells->n_cells; i++)
    weights[cells->cells[i].summit] += cells->cells[i].n;
  return weights;
}

/* --- gain --- */

static gint64
leading_bits (gint64 product)
{
  guint n = 0;

  while (product >> n >= 1 << 24)
    n++;
  return product >> n << n;
}

static gint64
distance_squared (const ReferenceCells * cells, gsize cell,
    const ReferenceMode * mode)
{
  return reference_places_distance_squared (mode->at,
      reference_cells_middle (cells, cells->cells[cell].place));
}

static gint64
gain_of (gint64 weight, gint64 distance)
{
  return distance == INFINITELY_FAR ? weight : leading_bits (weight * distance);
}

/* The summit with the greatest one, which is @gain; the first of several. */
static gint
find_greatest_gain (const gint64 * weights, const gint64 * distances, gsize n,
    gint64 * gain)
{
  gint best = NOTHING;

  *gain = 0;
  for (gsize i = 0; i < n; i++)
    if (gain_of (weights[i], distances[i]) > *gain) {
      *gain = gain_of (weights[i], distances[i]);
      best = i;
    }
  return best;
}

/* How far the nearest mode is from each cell, 0 from its home, now that there is
 * this one. */
static void
come_nearer (gint64 * distances, const ReferenceCells * cells,
    const ReferenceMode * mode)
{
  for (gsize i = 0; i < cells->n_cells; i++)
    distances[i] = MIN (distances[i], distance_squared (cells, i, mode));
  for (gsize i = 0; i < cells->n_cells; i++)
    if (reference_places_compare (cells->cells[i].place, mode->home) == 0)
      distances[i] = 0;
}

static gint64 *
find_distances (const ReferenceCells * cells, const GArray * modes)
{
  gint64 *distances = g_new (gint64, cells->n_cells);

  for (gsize i = 0; i < cells->n_cells; i++)
    distances[i] = INFINITELY_FAR;
  for (guint slot = 0; slot < modes->len; slot++)
    if (reference_modes_get (modes, slot)->exists)
      come_nearer (distances, cells, reference_modes_get (modes, slot));
  return distances;
}

/* --- 6: free slots --- */

/* At home where it was a summit, whatever the cell of its colour is. */
static gint
add_mode (const ReferenceCells * cells, GArray * modes, guint n_slots,
    gint summit)
{
  const ReferenceCell *cell = &cells->cells[summit];
  const gint slot = reference_modes_add (modes, n_slots, cells, cell);

  if (slot != REFERENCE_NO_MODE)
    reference_modes_get (modes, slot)->home = cell->place;
  return slot;
}

void
reference_colours_take_slots (const ReferenceCells * cells, GArray * modes,
    guint n_slots)
{
  g_autofree gint64 *weights = find_weights (cells);
  g_autofree gint64 *distances = find_distances (cells, modes);
  gint64 gain;

  while (TRUE) {
    const gint summit =
        find_greatest_gain (weights, distances, cells->n_cells, &gain);
    const gint slot = summit == NOTHING ? REFERENCE_NO_MODE
        : add_mode (cells, modes, n_slots, summit);

    if (slot == REFERENCE_NO_MODE)
      return;
    come_nearer (distances, cells, reference_modes_get (modes, slot));
  }
}

void
reference_colours_assign (const ReferenceCells * cells, const GArray * modes,
    gint * slots)
{
  for (gsize i = 0; i < cells->n_cells; i++)
    slots[i] = reference_modes_find_nearest (modes, modes->len,
        reference_cells_middle (cells, cells->cells[i].place));
}

/* --- behind 7: modes move --- */

static gint
slot_of_cell (const ReferenceCells * cells, const gint * slots, gsize cell)
{
  return slots[cells->cells[cell].summit];
}

/* Of what comes to it, what is within 0.04 of Oklab's unit. */
static ReferenceCell
sum_of_mode (const ReferenceCells * cells, const GArray * modes,
    const gint * slots, gint slot)
{
  const gint64 reach =
      (gint64) floor (ldexp (0.32, (gint) cells->lattice.shift) / cells->pitch);
  const ReferenceMode *mode = reference_modes_get (modes, slot);
  ReferenceCell all = { 0 };

  for (gsize i = 0; i < cells->n_cells; i++) {
    const ReferenceCell *cell = &cells->cells[i];

    if (slot_of_cell (cells, slots, i) != slot
        || distance_squared (cells, i, mode) > reach * reach)
      continue;
    all.n += cell->n;
    for (guint k = 0; k < 3; k++)
      all.sum[k] += cell->sum[k];
  }
  return all;
}

void
reference_colours_move (const ReferenceCells * cells, GArray * modes,
    const gint * slots, gint64 part)
{
  for (guint slot = 0; slot < modes->len; slot++) {
    ReferenceMode *mode = reference_modes_get (modes, slot);
    const ReferenceCell all = sum_of_mode (cells, modes, slots, slot);

    for (guint k = 0; k < 3 && all.n > 0; k++)
      mode->colour[k] = reference_approach (mode->colour[k],
          256 * reference_cells_mean (all.sum[k], all.n), part);
  }
}

/* --- behind 7: one may go --- */

static gint64
weight_of_mode (const ReferenceCells * cells, const gint * slots, gint slot)
{
  gint64 weight = 0;

  for (gsize i = 0; i < cells->n_cells; i++)
    if (slot_of_cell (cells, slots, i) == slot)
      weight += cells->cells[i].n;
  return weight;
}

static void
weigh (const ReferenceCells * cells, GArray * modes, const gint * slots,
    gint64 part)
{
  for (guint slot = 0; slot < modes->len; slot++) {
    ReferenceMode *mode = reference_modes_get (modes, slot);
    const gint64 weight = weight_of_mode (cells, slots, slot);

    mode->weight = mode->has_weight
        ? reference_approach (mode->weight, weight, part) : weight;
    mode->has_weight = TRUE;
  }
}

static gint64
distance_to_nearest_other (const GArray * modes, guint slot)
{
  const ReferenceMode *mode = reference_modes_get (modes, slot);
  gint64 least = INFINITELY_FAR;

  for (guint i = 0; i < modes->len; i++) {
    const ReferenceMode *other = reference_modes_get (modes, i);

    if (i != slot && other->exists)
      least = MIN (least,
          reference_places_distance_squared (mode->at, other->at));
  }
  return least;
}

/* Of a mode that is not the only one. */
static gint64
worth_of (const GArray * modes, guint slot)
{
  const gint64 distance = distance_to_nearest_other (modes, slot);

  return leading_bits (reference_modes_get (modes, slot)->weight * distance);
}

/* NOTHING where there are no two. */
static gint
find_least_worth (const GArray * modes)
{
  gint least = NOTHING;

  for (guint slot = 0; slot < modes->len; slot++)
    if (reference_modes_get (modes, slot)->exists
        && distance_to_nearest_other (modes, slot) < INFINITELY_FAR
        && (least == NOTHING
            || worth_of (modes, slot) < worth_of (modes, least)))
      least = slot;
  return least;
}

void
reference_colours_let_one_go (const ReferenceCells * cells, GArray * modes,
    const gint * slots, gint64 part)
{
  g_autofree gint64 *weights = find_weights (cells);
  g_autofree gint64 *distances = find_distances (cells, modes);
  gint64 gain;
  gint least;

  weigh (cells, modes, slots, part);
  find_greatest_gain (weights, distances, cells->n_cells, &gain);
  least = find_least_worth (modes);
  if (least != NOTHING && 4 * worth_of (modes, least) < gain)
    reference_modes_get (modes, least)->exists = FALSE;
}
