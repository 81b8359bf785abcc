/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_integer.h"
#include "reference_steps.h"

#include <stdlib.h>
#include <string.h>

/* --- a mode --- */

void
reference_mode_show (ReferenceMode * mode, const ReferenceBins * bins)
{
  const gint64 pitch = bins->pitch;
  ReferencePoint point;

  for (guint i = 0; i < 3; i++)
    mode->shown[i] = (mode->colour[i] + 128) / 256;
  point = reference_colour_to_point (&bins->lattice, mode->shown);
  mode->home = reference_bins_place (bins, mode->shown);
  mode->at = (ReferencePlace) {
    reference_floor_divide (8 * (gint64) point.a, pitch),
    reference_floor_divide (8 * (gint64) point.b, pitch),
    reference_floor_divide (8 * (gint64) point.L, pitch)
  };
}

void
reference_mode_move (ReferenceMode * mode, const ReferenceBin * bin,
    gint64 part)
{
  for (guint i = 0; i < 3 && bin->n > 0; i++)
    mode->colour[i] = reference_approach (mode->colour[i],
        256 * reference_bins_mean (bin->sum[i], bin->n), part);
}

ReferencePlace
reference_bins_middle (const ReferenceBins * bins, ReferencePlace bin)
{
  const gint64 side = 8 << bins->n_merges;
  const gint64 middle = (side - 8) / 2;

  return (ReferencePlace) {
    side * bin.a + middle, side * bin.b + middle, side * bin.L + middle
  };
}

gint
reference_modes_find_nearest (const ReferenceMode * modes, gint n,
    ReferencePlace place)
{
  gint best = REFERENCE_NO_MODE;
  gint64 least = G_MAXINT64;

  for (gint slot = 0; slot < n; slot++) {
    const gint64 distance =
        reference_places_distance_squared (modes[slot].at, place);

    if (modes[slot].exists && distance < least) {
      least = distance;
      best = slot;
    }
  }
  return best;
}

gint
reference_modes_add (ReferenceTemporal * film, guint n_slots,
    const ReferenceBin * summit)
{
  gint slot = 0;

  while (slot < film->n_modes && (!film->modes[slot].was_free
          || film->modes[slot].exists))
    slot++;
  if (slot == (gint) n_slots)
    return REFERENCE_NO_MODE;
  film->n_modes = MAX (film->n_modes, slot + 1);
  film->modes[slot] = (ReferenceMode) {.exists = TRUE, .was_free = TRUE};
  reference_mode_move (&film->modes[slot], summit, 4096);
  reference_mode_show (&film->modes[slot], &film->bins);
  return slot;
}

/* --- 4: modes move --- */

void
reference_modes_begin (ReferenceTemporal * film)
{
  for (gint slot = 0; slot < film->n_modes; slot++) {
    film->modes[slot].was_free = !film->modes[slot].exists;
    reference_mode_show (&film->modes[slot], &film->bins);
  }
}

void
reference_modes_move (ReferenceTemporal * film)
{
  const gint64 part =
      reference_part_of_way (film, film->settings.colors > 0 ? 2e9 : 6e8);

  for (gint slot = 0; slot < film->n_modes; slot++) {
    ReferenceMode *mode = &film->modes[slot];
    ReferenceBin *around[27], sum = {.n = 0};
    const guint n = reference_bins_find_around (&film->bins, mode->home,
        around);

    if (!mode->exists || mode->lacks_summit)
      continue;
    for (guint i = 0; i < n; i++)
      reference_bin_add (&sum, around[i]);
    reference_mode_move (mode, &sum, part);
    reference_mode_show (mode, &film->bins);
  }
}

/* --- 5: modes meet --- */

/* The first with this home. */
static gint
find_mode_at (const ReferenceTemporal * film, ReferencePlace home)
{
  for (gint slot = 0; slot < film->n_modes; slot++)
    if (film->modes[slot].exists
        && reference_places_compare (film->modes[slot].home, home) == 0)
      return slot;
  return REFERENCE_NO_MODE;
}

void
reference_modes_meet (ReferenceTemporal * film)
{
  g_autofree gint *stays = g_new (gint, film->n_modes + 1);

  for (gint slot = 0; slot < film->n_modes; slot++) {
    const ReferenceMode *mode = &film->modes[slot];

    stays[slot] = !mode->exists ? REFERENCE_NO_MODE
        : reference_bins_find (&film->bins, mode->home) == NULL ? slot
        : find_mode_at (film, mode->home);
  }
  for (gint slot = 0; slot < film->n_modes; slot++)
    film->modes[slot].exists = stays[slot] == slot;
  for (gsize i = 0; i < film->n_pixels; i++)
    if (film->pixels[i].slot != REFERENCE_NO_MODE)
      film->pixels[i].slot = stays[film->pixels[i].slot];
  for (guint i = 0; i < film->owned_bins->len; i++) {
    gint *slot = &g_array_index (film->owned_bins, ReferenceOwnedBin, i).slot;

    if (*slot != REFERENCE_NO_MODE)
      *slot = stays[*slot];
  }
}

/* --- 6: summits --- */

/* The nearest home in an occupied bin, the first in order of several. Where several modes have
 * one home, in a held palette, the first of them. */
static gint
find_mode_beside (const ReferenceTemporal * film, ReferencePlace summit)
{
  ReferenceBin *around[27];
  const guint n = reference_bins_find_around (&film->bins, summit, around);
  gint best = REFERENCE_NO_MODE;
  gint64 least = G_MAXINT64;

  for (guint i = 0; i < n; i++) {
    const gint slot = find_mode_at (film, around[i]->place);
    const gint64 distance =
        reference_places_distance_squared (around[i]->place, summit);

    if (slot != REFERENCE_NO_MODE && distance < least) {
      best = slot;
      least = distance;
    }
  }
  return best;
}

static gint
find_mode (const ReferenceTemporal * film, ReferencePlace summit)
{
  gint slot = REFERENCE_NO_MODE;

  if (film->settings.n_colours == 0)
    slot = find_mode_beside (film, summit);
  if (slot == REFERENCE_NO_MODE && film->is_held)
    slot = reference_modes_find_nearest (film->modes, MIN (film->n_modes, 1024),
        reference_bins_middle (&film->bins, summit));
  return slot;
}

void
reference_modes_assign (ReferenceTemporal * film)
{
  const ReferenceBins *bins = &film->bins;

  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i))
      film->slots[i] = bins->bins[i].n > 0 || film->is_held
          ? find_mode (film, bins->bins[i].place) : REFERENCE_NO_MODE;
  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i) && bins->bins[i].n > 0
        && film->slots[i] == REFERENCE_NO_MODE)
      film->slots[i] =
          reference_modes_add (film, film->n_slots, &bins->bins[i]);
  for (gsize i = 0; i < bins->n_bins; i++)
    film->slots[i] = film->slots[bins->bins[i].summit];
}

/* In a held frame all modes count as those of summits. */
static gboolean
has_summit (const ReferenceTemporal * film, gint slot)
{
  gboolean has = film->is_held;

  for (gsize i = 0; i < film->bins.n_bins && !has; i++)
    has = reference_bins_is_summit (&film->bins, i) && film->slots[i] == slot;
  return has;
}

void
reference_modes_find_summits (ReferenceTemporal * film)
{
  for (gint slot = 0; slot < film->n_modes; slot++) {
    film->modes[slot].has_summit = has_summit (film, slot);
    film->modes[slot].lacks_summit = film->settings.max_shift > 0
        && !film->modes[slot].has_summit;
  }
}

static int
compare_owned (const void *one, const void *other)
{
  return reference_places_compare (((const ReferenceOwnedBin *) one)->bin,
      ((const ReferenceOwnedBin *) other)->bin);
}

static gint
find_slot_before (const ReferenceTemporal * film, ReferencePlace bin)
{
  const ReferenceOwnedBin wanted = { bin };
  const ReferenceOwnedBin *owned = bsearch (&wanted, film->owned_bins->data,
      film->owned_bins->len, sizeof wanted, compare_owned);

  return owned && owned->n_merges == film->bins.n_merges
      ? owned->slot : REFERENCE_NO_MODE;
}

/* Whether the mode of the summit is so much nearer to a bin than the one that it had. */
static gboolean
leaves_mode (const ReferenceTemporal * film, ReferencePlace bin, gint of_summit,
    gint before)
{
  const ReferencePlace middle = reference_bins_middle (&film->bins, bin);

  return reference_places_distance_squared (middle, film->modes[of_summit].at)
      + 256 < reference_places_distance_squared (middle,
      film->modes[before].at);
}

void
reference_modes_keep_bins (ReferenceTemporal * film)
{
  const gsize n = film->settings.stability > 0 ? film->bins.n_bins : 0;

  for (gsize i = 0; i < n; i++) {
    const ReferencePlace bin = film->bins.bins[i].place;
    const gint before = find_slot_before (film, bin);

    if (film->slots[i] != REFERENCE_NO_MODE && before != REFERENCE_NO_MODE
        && !leaves_mode (film, bin, film->slots[i], before))
      film->slots[i] = before;
  }
}

void
reference_modes_note_bins (ReferenceTemporal * film)
{
  g_array_set_size (film->owned_bins, 0);
  for (gsize i = 0; i < film->bins.n_bins; i++) {
    const ReferenceOwnedBin owned = {
      film->bins.bins[i].place, film->bins.n_merges, film->slots[i]
    };

    g_array_append_val (film->owned_bins, owned);
  }
}

/* --- 7: pixels --- */

static const ReferencePixelMode holds_nothing = { REFERENCE_NO_MODE, 0 };

void
reference_pixels_follow_motion (ReferenceTemporal * film)
{
  g_autofree ReferencePixelMode *before =
      g_memdup2 (film->pixels, film->n_pixels * sizeof *before);

  for (gsize i = 0; i < film->n_pixels; i++) {
    const gssize source = reference_find_source (&film->pictures, i);

    film->pixels[i] = source < 0 ? holds_nothing : before[source];
  }
}

/* M of step 7. */
static gint64
most_hesitation (const ReferenceTemporal * film)
{
  const gdouble stability = film->settings.stability;

  if (film->settings.colors > 0)
    return reference_floor (ldexp (0.8 * stability,
            (gint) film->bins.lattice.shift) / film->bins.pitch + 0.5);
  return reference_floor (120 * stability + 0.5);
}

/* d^2 to a mode. The pixel is taken to be in the middle of @bin, which is not merged. */
static gint64
distance_to_mode (const ReferenceTemporal * film, ReferencePlace bin, gint slot)
{
  const ReferencePlace at = { 8 * bin.a, 8 * bin.b, 8 * bin.L };

  return reference_places_distance_squared (at, film->modes[slot].at);
}

/* The change of a pixel that holds a mode, so that there is a frame before. */
static gint64
change_of (const ReferenceTemporal * film, gsize i)
{
  return reference_colours_change (&film->pictures.light,
      film->pictures.before + 4 * reference_find_source (&film->pictures, i),
      film->picture + 4 * i);
}

static gboolean
has_moved (const ReferenceTemporal * film, gint64 change)
{
  return !film->settings.is_noisy && change > film->noise / 512 + 16;
}

/* u of a pixel. */
static gint64
unrest_of (const ReferenceTemporal * film, gsize i, gint64 change)
{
  const gint64 unrest =
      reference_blocks_unrest_around (film->blocks, &film->pictures.grid,
      reference_grid_find (&film->pictures.grid, i));

  if (change == 0 || has_moved (film, change))
    return change == 0 ? 0 : 128;
  return reference_light_is_same (&film->pictures.light) ? unrest : 128;
}

/* H of a pixel. */
static gint64
margin_of (const ReferenceTemporal * film, gint64 unrest, gint64 change)
{
  return has_moved (film, change) ? 0
      : most_hesitation (film) * (128 - MIN (unrest, 96)) / 128;
}

/* Whether a pixel leaves that has waited. With a number of colours it does not wait for a mode
 * that is new: no pixel held it when the frame began. */
static gboolean
leaves (const ReferenceTemporal * film, gsize i, gint offered, gint64 nearer_by)
{
  const ReferencePixelMode *pixel = &film->pixels[i];
  const gint64 wait = reference_floor (300 * film->settings.stability);
  const gint64 change = change_of (film, i);
  const gint64 unrest = unrest_of (film, i, change);
  const gint64 margin = margin_of (film, unrest, change);

  if (pixel->waited > (film->age < 300 ? wait / 2 : 3 * wait))
    return TRUE;
  return nearer_by > margin * margin && (pixel->waited > wait
      || film->age < 300 || unrest == 128
      || (film->settings.colors > 0 && !film->was_held[offered]));
}

static void
choose (const ReferenceTemporal * film, gsize i, gint offered)
{
  const gint64 elapsed = CLAMP (film->interval / 1000000, 1, 65535);
  ReferencePixelMode *pixel = &film->pixels[i];
  const gint64 nearer_by =
      distance_to_mode (film, film->pixel_bins[i], pixel->slot)
      - distance_to_mode (film, film->pixel_bins[i], offered);

  if (nearer_by <= 0) {
    pixel->waited = MAX (pixel->waited - 3 * elapsed, 0);
    return;
  }
  pixel->waited = MIN (pixel->waited + elapsed, 32767);
  if (leaves (film, i, offered, nearer_by))
    *pixel = (ReferencePixelMode) {offered, 0};
}

static void
settle_pixel (const ReferenceTemporal * film, gsize i)
{
  guint8 *shown = film->shown + 4 * i;
  ReferencePixelMode *pixel = &film->pixels[i];
  const ReferenceBin *bin;
  gint offered;

  if (shown[3] == 0) {
    *pixel = holds_nothing;
    return;
  }
  bin = reference_bins_find (&film->bins,
      reference_bins_merge (&film->bins, film->pixel_bins[i]));
  offered = film->slots[bin - film->bins.bins];
  if (offered == REFERENCE_NO_MODE || pixel->slot == REFERENCE_NO_MODE)
    *pixel = (ReferencePixelMode) {offered, 0};
  else
    choose (film, i, offered);
  if (pixel->slot == REFERENCE_NO_MODE)
    reference_bins_colour (&film->bins, bin, shown);
  else
    memcpy (shown, film->modes[pixel->slot].shown, 3);
}

void
reference_pixels_settle (ReferenceTemporal * film)
{
  memcpy (film->shown, film->picture, 4 * film->n_pixels);
  for (gsize i = 0; i < film->n_pixels; i++)
    settle_pixel (film, i);
}

/* --- 8: modes go --- */

gboolean *
reference_modes_find_held (const ReferenceTemporal * film)
{
  gboolean *is_held = g_new0 (gboolean, reference_n_slots (film));

  for (gsize i = 0; i < film->n_pixels; i++)
    if (film->pixels[i].slot != REFERENCE_NO_MODE)
      is_held[film->pixels[i].slot] = TRUE;
  return is_held;
}

void
reference_modes_let_go (ReferenceTemporal * film)
{
  g_autofree gboolean *is_needed = reference_modes_find_held (film);

  for (gsize i = 0; i < film->bins.n_bins; i++)
    if (film->slots[i] != REFERENCE_NO_MODE)
      is_needed[film->slots[i]] = TRUE;
  for (gint slot = 0; slot < film->n_modes; slot++)
    film->modes[slot].exists &= is_needed[slot] || film->modes[slot].has_summit;
}
