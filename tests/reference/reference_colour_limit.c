/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_colour_limit.h"
#include "reference_integer.h"

#define NOTHING -1
#define INFINITELY_FAR G_MAXINT64

gdouble
reference_colour_limit_radius (guint n_colours)
{
  return MAX (0.005, 0.04 / sqrt (n_colours));
}

/* --- summits --- */

static guint
count_summits (const ReferenceBins * bins)
{
  guint n = 0;

  for (gsize i = 0; i < bins->n_bins; i++)
    n += reference_bins_is_summit (bins, i);
  return n;
}

void
reference_colour_limit_make_summits (ReferenceBins * bins, guint n_colours)
{
  if (count_summits (bins) >= n_colours)
    return;
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].summit = i;
}

/* Of the bins that come to each summit; 0 for what is none. */
static gint64 *
find_weights (const ReferenceBins * bins)
{
  gint64 *weights = g_new0 (gint64, bins->n_bins);

  for (gsize i = 0; i < bins->n_bins; i++)
    weights[bins->bins[i].summit] += bins->bins[i].n;
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
distance_squared (const ReferenceBins * bins, gsize bin,
    const ReferenceMode * mode)
{
  return reference_places_distance_squared (mode->at,
      reference_bins_middle (bins, bins->bins[bin].place));
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

/* How far the nearest mode is from each bin, 0 from its home, now that there is
 * this one. */
static void
come_nearer (gint64 * distances, const ReferenceBins * bins,
    const ReferenceMode * mode)
{
  for (gsize i = 0; i < bins->n_bins; i++)
    distances[i] = MIN (distances[i], distance_squared (bins, i, mode));
  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_places_compare (bins->bins[i].place, mode->home) == 0)
      distances[i] = 0;
}

static gint64 *
find_distances (const ReferenceBins * bins, const GArray * modes)
{
  gint64 *distances = g_new (gint64, bins->n_bins);

  for (gsize i = 0; i < bins->n_bins; i++)
    distances[i] = INFINITELY_FAR;
  for (guint slot = 0; slot < modes->len; slot++)
    if (reference_modes_get (modes, slot)->exists)
      come_nearer (distances, bins, reference_modes_get (modes, slot));
  return distances;
}

/* --- 6: free slots --- */

/* At home where it was a summit, whatever the bin of its colour is. */
static gint
add_mode (const ReferenceBins * bins, GArray * modes, guint n_slots,
    gint summit)
{
  const ReferenceBin *bin = &bins->bins[summit];
  const gint slot = reference_modes_add (modes, n_slots, bins, bin);

  if (slot != REFERENCE_NO_MODE)
    reference_modes_get (modes, slot)->home = bin->place;
  return slot;
}

void
reference_colour_limit_take_slots (const ReferenceBins * bins, GArray * modes,
    guint n_slots)
{
  g_autofree gint64 *weights = find_weights (bins);
  g_autofree gint64 *distances = find_distances (bins, modes);
  gint64 gain;

  while (TRUE) {
    const gint summit =
        find_greatest_gain (weights, distances, bins->n_bins, &gain);
    const gint slot = summit == NOTHING ? REFERENCE_NO_MODE
        : add_mode (bins, modes, n_slots, summit);

    if (slot == REFERENCE_NO_MODE)
      return;
    come_nearer (distances, bins, reference_modes_get (modes, slot));
  }
}

void
reference_colour_limit_assign (const ReferenceBins * bins, const GArray * modes,
    gint * slots)
{
  for (gsize i = 0; i < bins->n_bins; i++)
    slots[i] = reference_modes_find_nearest (modes, modes->len,
        reference_bins_middle (bins, bins->bins[i].place));
}

/* --- behind 7: modes move --- */

static gint
slot_of_bin (const ReferenceBins * bins, const gint * slots, gsize bin)
{
  return slots[bins->bins[bin].summit];
}

/* Of what comes to it, what is within 0.04 of Oklab's unit. */
static ReferenceBin
sum_of_mode (const ReferenceBins * bins, const GArray * modes,
    const gint * slots, gint slot)
{
  const gint64 reach =
      (gint64) floor (ldexp (0.32, (gint) bins->lattice.shift) / bins->pitch);
  const ReferenceMode *mode = reference_modes_get (modes, slot);
  ReferenceBin all = { 0 };

  for (gsize i = 0; i < bins->n_bins; i++) {
    const ReferenceBin *bin = &bins->bins[i];

    if (slot_of_bin (bins, slots, i) != slot
        || distance_squared (bins, i, mode) > reach * reach)
      continue;
    all.n += bin->n;
    for (guint k = 0; k < 3; k++)
      all.sum[k] += bin->sum[k];
  }
  return all;
}

void
reference_colour_limit_move (const ReferenceBins * bins, GArray * modes,
    const gint * slots, gint64 part)
{
  for (guint slot = 0; slot < modes->len; slot++) {
    ReferenceMode *mode = reference_modes_get (modes, slot);
    const ReferenceBin all = sum_of_mode (bins, modes, slots, slot);

    for (guint k = 0; k < 3 && all.n > 0; k++)
      mode->colour[k] = reference_approach (mode->colour[k],
          256 * reference_bins_mean (all.sum[k], all.n), part);
  }
}

/* --- behind 7: one may go --- */

static gint64
weight_of_mode (const ReferenceBins * bins, const gint * slots, gint slot)
{
  gint64 weight = 0;

  for (gsize i = 0; i < bins->n_bins; i++)
    if (slot_of_bin (bins, slots, i) == slot)
      weight += bins->bins[i].n;
  return weight;
}

static void
weigh (const ReferenceBins * bins, GArray * modes, const gint * slots,
    gint64 part)
{
  for (guint slot = 0; slot < modes->len; slot++) {
    ReferenceMode *mode = reference_modes_get (modes, slot);
    const gint64 weight = weight_of_mode (bins, slots, slot);

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
reference_colour_limit_let_one_go (const ReferenceBins * bins, GArray * modes,
    const gint * slots, gint64 part)
{
  g_autofree gint64 *weights = find_weights (bins);
  g_autofree gint64 *distances = find_distances (bins, modes);
  gint64 gain;
  gint least;

  weigh (bins, modes, slots, part);
  find_greatest_gain (weights, distances, bins->n_bins, &gain);
  least = find_least_worth (modes);
  if (least != NOTHING && 2 * worth_of (modes, least) < gain)
    reference_modes_get (modes, least)->exists = FALSE;
}
