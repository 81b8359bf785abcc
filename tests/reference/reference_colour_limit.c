/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* "A number of colours" of docs/internals/temporal.md. */
#include "reference_integer.h"
#include "reference_steps.h"

#define NOTHING -1
#define INFINITELY_FAR G_MAXINT64

gdouble
reference_limit_radius (guint n_colours)
{
  return MAX (0.005, 0.04 / sqrt (n_colours));
}

/* Where a bin is when distances from it count. */
static ReferencePlace
place_of (const ReferenceTemporal * film, gsize bin)
{
  const ReferenceBin *bins = film->bins.bins;

  return reference_bins_middle (&film->bins,
      bins[film->settings.keeps_radius ? bins[bin].summit : bin].place);
}

static void
leave_summits (ReferenceTemporal * film)
{
  const gint64 reach = reference_floor (24 * film->settings.max_shift);

  film->is_stray = g_new0 (gboolean, film->bins.n_bins);
  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (reference_places_distance_squared (reference_bins_middle (&film->bins,
                film->bins.bins[i].place), place_of (film, i))
        > reach * reach) {
      film->is_stray[i] = TRUE;
      film->bins.bins[i].summit = i;
      film->stats.n_leashed++;
    }
}

void
reference_limit_make_summits (ReferenceTemporal * film)
{
  ReferenceBins *bins = &film->bins;
  guint n = 0;

  if (film->settings.keeps_radius) {
    if (film->settings.max_shift > 0)
      leave_summits (film);
    return;
  }
  for (gsize i = 0; i < bins->n_bins; i++)
    n += reference_bins_is_summit (bins, i);
  for (gsize i = 0; i < bins->n_bins && n < film->settings.colors; i++)
    bins->bins[i].summit = i;
}

/* --- gain --- */

static gint64
distance_to_mode (const ReferenceTemporal * film, gsize bin, gint slot)
{
  return reference_places_distance_squared (film->modes[slot].at,
      place_of (film, bin));
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

/* Whether a bin is to gain nothing from a mode of its own: the one in @slot is at home there, or
 * near enough for a bin that strays. */
static gboolean
has_enough (const ReferenceTemporal * film, gsize bin, gint slot)
{
  return reference_places_compare (film->bins.bins[bin].place,
      film->modes[slot].home) == 0 || (film->is_stray && film->is_stray[bin]
      && distance_to_mode (film, bin, slot) <= 24 * 24);
}

/* How far the nearest mode is from each bin, 0 if it has enough, now that there is the one in
 * @slot. */
static void
come_nearer (const ReferenceTemporal * film, gint slot, gint64 * distances)
{
  for (gsize i = 0; i < film->bins.n_bins; i++)
    distances[i] = has_enough (film, i, slot) ? 0
        : MIN (distances[i], distance_to_mode (film, i, slot));
}

static gint64 *
find_distances (const ReferenceTemporal * film)
{
  gint64 *distances = g_new (gint64, film->bins.n_bins);

  for (gsize i = 0; i < film->bins.n_bins; i++)
    distances[i] = INFINITELY_FAR;
  for (gint slot = 0; slot < film->n_modes; slot++)
    if (film->modes[slot].exists)
      come_nearer (film, slot, distances);
  return distances;
}

gint64
reference_limit_gain (gint64 weight, gint64 distance)
{
  const gint64 gain = distance == INFINITELY_FAR ? weight : weight * distance;
  guint n = 0;

  while (gain >> n >= 1 << 24)
    n++;
  return gain >> n << n;
}

/* The summit with the greatest gain, the first of several. With @slots only among those that
 * belong to the mode in @slot. */
static gint
find_greatest_gain (const ReferenceTemporal * film, const gint64 * weights,
    const gint64 * distances, const gint * slots, gint slot)
{
  gint best = NOTHING;
  gint64 greatest = 0;

  for (gsize i = 0; i < film->bins.n_bins; i++) {
    const gint64 gain = reference_limit_gain (weights[i], distances[i]);

    if (gain > greatest && (slots == NULL || slots[i] == slot)) {
      greatest = gain;
      best = i;
    }
  }
  return best;
}

/* --- 6 --- */

/* Summits become modes while a slot is free and one is to gain from it. They are at home where
 * they were summits, whatever the bins of their colours are. */
static void
take_slots (ReferenceTemporal * film)
{
  g_autofree gint64 *weights = find_weights (&film->bins);
  g_autofree gint64 *distances = find_distances (film);
  gint summit, slot;

  while ((summit = find_greatest_gain (film, weights, distances, NULL,
              0)) != NOTHING
      && (slot = reference_modes_add (film, film->settings.colors,
              &film->bins.bins[summit])) != REFERENCE_NO_MODE) {
    film->modes[slot].home = film->bins.bins[summit].place;
    come_nearer (film, slot, distances);
  }
}

static void
assign_bins (ReferenceTemporal * film)
{
  for (gsize i = 0; i < film->bins.n_bins; i++)
    film->slots[i] = reference_modes_find_nearest (film->modes, film->n_modes,
        place_of (film, i));
}

/* Towards what belongs to them within 0.04 of Oklab's unit. Where modes are known to be
 * remains as it is. */
static void
move_modes (ReferenceTemporal * film, gint64 part)
{
  const gint64 reach = reference_floor (ldexp (0.32,
          (gint) film->bins.lattice.shift) / film->bins.pitch);

  for (gint slot = 0; slot < film->n_modes; slot++) {
    ReferenceBin sum = {.n = 0};

    for (gsize i = 0; i < film->bins.n_bins; i++)
      if (film->slots[i] == slot
          && distance_to_mode (film, i, slot) <= reach * reach)
        reference_bin_add (&sum, &film->bins.bins[i]);
    reference_mode_move (&film->modes[slot], &sum, part);
  }
}

static guint
count_modes (const ReferenceTemporal * film)
{
  guint n = 0;

  for (gint slot = 0; slot < film->n_modes; slot++)
    n += film->modes[slot].exists;
  return n;
}

/* With a leash, those that no bin belongs to; in a held frame none. */
static void
find_without_summit (ReferenceTemporal * film)
{
  for (gint slot = 0; slot < film->n_modes; slot++)
    film->modes[slot].lacks_summit = film->settings.max_shift > 0
        && !film->is_held;
  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (film->slots[i] != REFERENCE_NO_MODE)
      film->modes[film->slots[i]].lacks_summit = FALSE;
}

void
reference_limit_assign (ReferenceTemporal * film)
{
  const gboolean is_first = count_modes (film) == 0;
  const gboolean settles = !film->settings.keeps_radius
      && (is_first || film->pictures.light.gain >= 4096 + 256);

  if (!film->is_held || is_first)
    take_slots (film);
  if (settles && (is_first || count_modes (film) == film->settings.colors))
    reference_limit_settle (film);
  assign_bins (film);
  if (film->settings.keeps_radius)
    find_without_summit (film);
  if (!settles)
    return;
  move_modes (film, 4096);
  for (gint slot = 0; slot < film->n_modes; slot++)
    reference_mode_show (&film->modes[slot], &film->bins);
  assign_bins (film);
}

/* --- behind 7: one may be replaced --- */

gint64
reference_limit_loss (gint64 distance)
{
  gint64 root = (gint64) sqrt ((gdouble) distance);

  while (root * root > distance)
    root--;
  while ((root + 1) * (root + 1) <= distance)
    root++;
  return distance * root / 4096;
}

/* To the nearest mode, be it at home or not, but that in slot @without. */
static gint64
distance_to_modes (const ReferenceTemporal * film, gsize bin, gint without)
{
  gint64 least = INFINITELY_FAR;

  for (gint slot = 0; slot < film->n_modes; slot++)
    if (film->modes[slot].exists && slot != without)
      least = MIN (least, distance_to_mode (film, bin, slot));
  return least;
}

/* How much the loss would grow without the mode, which is not the only one. */
static gint64
worth_of (const ReferenceTemporal * film, gint slot)
{
  gint64 worth = 0;

  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (film->slots[i] == slot)
      worth += film->bins.bins[i].n
          * (reference_limit_loss (distance_to_modes (film, i, slot))
          - reference_limit_loss (distance_to_mode (film, i, slot)));
  return worth;
}

/* How much smaller the losses would be with one more mode, in the middle of the bin. */
static gint64
saving_of (const ReferenceTemporal * film, const gint64 * losses, gsize further)
{
  gint64 saving = 0;

  for (gsize i = 0; i < film->bins.n_bins; i++) {
    const gint64 after =
        reference_limit_loss (reference_places_distance_squared (place_of
            (film, further), place_of (film, i)));

    saving += film->bins.bins[i].n * MAX (0, losses[i] - after);
  }
  return saving;
}

/* Of the summits that belong to each mode that with the greatest gain is looked at. Returns the
 * one that saves most. */
static gint
find_greatest_saving (const ReferenceTemporal * film, gint64 * greatest)
{
  g_autofree gint64 *weights = find_weights (&film->bins);
  g_autofree gint64 *distances = find_distances (film);
  g_autofree gint64 *losses = g_new (gint64, film->bins.n_bins);
  gint best = NOTHING;

  for (gsize i = 0; i < film->bins.n_bins; i++)
    losses[i] = reference_limit_loss (distance_to_modes (film, i, NOTHING));
  *greatest = 0;
  for (gint slot = 0; slot < film->n_modes; slot++) {
    const gint summit =
        find_greatest_gain (film, weights, distances, film->slots, slot);
    const gint64 saving =
        summit == NOTHING ? 0 : saving_of (film, losses, summit);

    if (saving > *greatest) {
      *greatest = saving;
      best = summit;
    }
  }
  return best;
}

/* Where another mode would be worth more than the least of them, the slot of that, and
 * the bin to which it is to go. */
static gint
find_successor (const ReferenceTemporal * film, gint * summit)
{
  gint64 least = INFINITELY_FAR, saving;
  gint slot_of_least = REFERENCE_NO_MODE;

  if (count_modes (film) < 2)
    return REFERENCE_NO_MODE;
  for (gint slot = 0; slot < film->n_modes; slot++) {
    const gint64 worth =
        film->modes[slot].exists ? worth_of (film, slot) : INFINITELY_FAR;

    if (worth < least) {
      slot_of_least = slot;
      least = worth;
    }
  }
  *summit = find_greatest_saving (film, &saving);
  return 3 * least < saving ? slot_of_least : REFERENCE_NO_MODE;
}

/* Where light changes in a way that is not common, modes go faster. */
static gint64
part_of_way (const ReferenceTemporal * film)
{
  const gint64 part = reference_part_of_way (film, 2e9);

  return part + (4096 - part)
      * reference_blocks_unrest_of_all (film->blocks, film->pictures.grid.n)
      / 64;
}

void
reference_limit_change (ReferenceTemporal * film)
{
  gint summit;
  const gint slot = find_successor (film, &summit);

  if (!film->settings.keeps_radius)
    move_modes (film, part_of_way (film));
  reference_modes_let_go (film);
  if (slot == REFERENCE_NO_MODE)
    return;
  film->modes[slot].exists = TRUE;
  film->modes[slot].lacks_summit = FALSE;
  reference_mode_move (&film->modes[slot], &film->bins.bins[summit], 4096);
  for (gsize i = 0; i < film->n_pixels; i++)
    if (film->pixels[i].slot == slot)
      film->pixels[i].slot = REFERENCE_NO_MODE;
}
