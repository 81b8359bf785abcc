/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_modes.h"
#include "reference_integer.h"

gint64
reference_approach (gint64 from, gint64 to, gint64 part)
{
  return from + reference_shift ((to - from) * part + 2048, 12);
}

gint64
reference_part (gint64 time, gint64 constant)
{
  return 4096 * time / (time + constant);
}

gint64
reference_places_distance_squared (ReferencePlace p, ReferencePlace q)
{
  return (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b)
      + (p.L - q.L) * (p.L - q.L);
}

ReferencePlace
reference_bins_middle (const ReferenceBins * bins, ReferencePlace bin)
{
  const gint64 side = 8 << bins->n_merges;
  const gint64 middle = (side - 8) / 2;
  const ReferencePlace place = { side * bin.a + middle,
    side * bin.b + middle, side * bin.L + middle
  };

  return place;
}

GArray *
reference_modes_new (void)
{
  return g_array_new (FALSE, FALSE, sizeof (ReferenceMode));
}

ReferenceMode *
reference_modes_get (const GArray * modes, gint slot)
{
  return &g_array_index (modes, ReferenceMode, slot);
}

/* In eighths of a bin. */
static ReferencePlace
place_of_mode (const ReferenceMode * mode, const ReferenceBins * bins)
{
  const gint64 pitch = bins->pitch;
  const ReferencePoint at =
      reference_colour_to_point (&bins->lattice, mode->shown);
  const ReferencePlace place = {
    reference_floor_divide (8 * (gint64) at.a, pitch),
    reference_floor_divide (8 * (gint64) at.b, pitch),
    reference_floor_divide (8 * (gint64) at.L, pitch)
  };

  return place;
}

void
reference_mode_show (ReferenceMode * mode, const ReferenceBins * bins)
{
  for (guint i = 0; i < 3; i++)
    mode->shown[i] = (mode->colour[i] + 128) / 256;
  mode->home = reference_bins_place (bins, mode->shown);
  mode->at = place_of_mode (mode, bins);
}

static gint
take_free_slot (GArray * modes, guint n_slots)
{
  const ReferenceMode fresh = {.was_free = TRUE};

  for (guint slot = 0; slot < modes->len; slot++) {
    const ReferenceMode *mode = reference_modes_get (modes, slot);

    if (mode->was_free && !mode->exists)
      return slot;
  }
  if (modes->len == n_slots)
    return REFERENCE_NO_MODE;
  g_array_append_val (modes, fresh);
  return modes->len - 1;
}

gint
reference_modes_add (GArray * modes, guint n_slots,
    const ReferenceBins * bins, const ReferenceBin * summit)
{
  const gint slot = take_free_slot (modes, n_slots);
  ReferenceMode *mode;

  if (slot == REFERENCE_NO_MODE)
    return REFERENCE_NO_MODE;
  mode = reference_modes_get (modes, slot);
  *mode = (ReferenceMode) {.exists = TRUE, .was_free = TRUE};
  for (guint i = 0; i < 3; i++)
    mode->colour[i] = 256 * reference_bins_mean (summit->sum[i], summit->n);
  reference_mode_show (mode, bins);
  return slot;
}

gint
reference_modes_find_nearest (const GArray * modes, guint n_slots,
    ReferencePlace place)
{
  gint best = REFERENCE_NO_MODE;
  gint64 least = G_MAXINT64;

  for (guint slot = 0; slot < MIN (modes->len, n_slots); slot++) {
    const ReferenceMode *mode = reference_modes_get (modes, slot);
    const gint64 distance = reference_places_distance_squared (mode->at, place);

    if (mode->exists && distance < least) {
      least = distance;
      best = slot;
    }
  }
  return best;
}
