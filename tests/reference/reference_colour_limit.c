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
  return leading_bits (distance == INFINITELY_FAR ? weight : weight * distance);
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

/* Of the bins that belong to it, what is within 0.04 of Oklab's unit. */
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

    if (slots[i] != slot || distance_squared (bins, i, mode) > reach * reach)
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

/* --- behind 7: one may be replaced --- */

static gint64
floor_of_root (gint64 square)
{
  gint64 root = (gint64) sqrt ((gdouble) square);

  while (root * root > square)
    root--;
  while ((root + 1) * (root + 1) <= square)
    root++;
  return root;
}

/* Of a bin, for each unit of its weight. */
static gint64
loss_of (gint64 distance)
{
  return distance * floor_of_root (distance) / 4096;
}

/* To the nearest mode, be it at home or not, without that in slot @without. */
static gint64
distance_to_modes (const ReferenceBins * bins, const GArray * modes, gsize bin,
    gint without)
{
  gint64 least = INFINITELY_FAR;

  for (guint slot = 0; slot < modes->len; slot++) {
    const ReferenceMode *mode = reference_modes_get (modes, slot);

    if (mode->exists && (gint) slot != without)
      least = MIN (least, distance_squared (bins, bin, mode));
  }
  return least;
}

/* How much the loss would grow without the mode, which is not the only one. */
static gint64
worth_of (const ReferenceBins * bins, const GArray * modes, const gint * slots,
    gint slot)
{
  gint64 worth = 0;

  for (gsize i = 0; i < bins->n_bins; i++)
    if (slots[i] == slot)
      worth += bins->bins[i].n
          * (loss_of (distance_to_modes (bins, modes, i, slot))
          - loss_of (distance_squared (bins, i, reference_modes_get (modes,
                      slot))));
  return worth;
}

static gint
find_least_worth (const ReferenceBins * bins, const GArray * modes,
    const gint * slots, gint64 * least)
{
  gint first = NOTHING;

  for (guint slot = 0; slot < modes->len; slot++) {
    const gint64 worth = reference_modes_get (modes, slot)->exists
        ? worth_of (bins, modes, slots, slot) : INFINITELY_FAR;

    if (worth < INFINITELY_FAR && (first == NOTHING || worth < *least)) {
      first = slot;
      *least = worth;
    }
  }
  return first;
}

/* Of each bin, with the modes that there are. */
static gint64 *
find_losses (const ReferenceBins * bins, const GArray * modes)
{
  gint64 *losses = g_new (gint64, bins->n_bins);

  for (gsize i = 0; i < bins->n_bins; i++)
    losses[i] = loss_of (distance_to_modes (bins, modes, i, NOTHING));
  return losses;
}

/* How much smaller the loss would be with one more mode, in the middle of the bin. */
static gint64
saving_of (const ReferenceBins * bins, const gint64 * losses, gsize further)
{
  const ReferencePlace there =
      reference_bins_middle (bins, bins->bins[further].place);
  gint64 saving = 0;

  for (gsize i = 0; i < bins->n_bins; i++) {
    const gint64 after = reference_places_distance_squared (there,
        reference_bins_middle (bins, bins->bins[i].place));

    saving += bins->bins[i].n * MAX (0, losses[i] - loss_of (after));
  }
  return saving;
}

/* Of the summits that belong to each mode that with the greatest gain is looked at. */
static gint
find_greatest_saving (const ReferenceBins * bins, const GArray * modes,
    const gint * slots, gint64 * greatest)
{
  g_autofree gint64 *weights = find_weights (bins);
  g_autofree gint64 *distances = find_distances (bins, modes);
  g_autofree gint64 *losses = find_losses (bins, modes);
  gint best = NOTHING;

  *greatest = 0;
  for (gint slot = 0; slot < (gint) modes->len; slot++) {
    g_autofree gint64 *own = g_new0 (gint64, bins->n_bins);
    gint64 gain, saving;
    gint summit;

    for (gsize i = 0; i < bins->n_bins; i++)
      own[i] = slots[i] == slot ? weights[i] : 0;
    summit = find_greatest_gain (own, distances, bins->n_bins, &gain);
    saving = summit == NOTHING ? 0 : saving_of (bins, losses, summit);
    if (saving > *greatest) {
      *greatest = saving;
      best = summit;
    }
  }
  return best;
}

static guint
count_modes (const GArray * modes)
{
  guint n = 0;

  for (guint slot = 0; slot < modes->len; slot++)
    n += reference_modes_get (modes, slot)->exists;
  return n;
}

gint
reference_colour_limit_find_successor (const ReferenceBins * bins,
    const GArray * modes, const gint * slots, gint * summit)
{
  gint64 worth = 0, saving;
  gint least;

  if (count_modes (modes) < 2)
    return REFERENCE_NO_MODE;
  least = find_least_worth (bins, modes, slots, &worth);
  *summit = find_greatest_saving (bins, modes, slots, &saving);
  return 2 * worth < saving ? least : REFERENCE_NO_MODE;
}

void
reference_colour_limit_replace (const ReferenceBins * bins, GArray * modes,
    gint slot, gint summit)
{
  const ReferenceBin *bin = &bins->bins[summit];
  ReferenceMode *mode = reference_modes_get (modes, slot);

  for (guint i = 0; i < 3; i++)
    mode->colour[i] = 256 * reference_bins_mean (bin->sum[i], bin->n);
  mode->exists = TRUE;
}
