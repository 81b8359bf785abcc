/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_frame.h"
#include "reference_integer.h"
#include "reference_light.h"

void
reference_frame_begin_modes (const ReferenceFrame * frame)
{
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++) {
    ReferenceMode *mode = reference_frame_get_mode (frame, slot);

    mode->was_free = !mode->exists;
    reference_mode_show (mode, &frame->bins);
  }
}

/* --- 4: modes move --- */

void
reference_frame_follow_light (const ReferenceFrame * frame)
{
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++) {
    ReferenceMode *mode = reference_frame_get_mode (frame, slot);

    for (guint i = 0; i < 3; i++)
      mode->colour[i] = reference_light_apply (&frame->pictures.light,
          mode->colour[i], 256);
  }
}

/* What is in a bin and around it. */
static ReferenceBin
sum_around (const ReferenceFrame * frame, ReferencePlace place)
{
  ReferenceBin all = {.place = place};

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++)
      for (gint L = -1; L <= 1; L++) {
        const ReferenceBin *bin =
            reference_bins_find_beside (&frame->bins, place, a, b, L);

        if (bin == NULL)
          continue;
        all.n += bin->n;
        for (guint i = 0; i < 3; i++)
          all.sum[i] += bin->sum[i];
      }
  return all;
}

static gint64
part_of_glide (const ReferenceFrame * frame)
{
  return reference_part (reference_frame_time_of_glide (frame),
      reference_floor (6e8 * frame->settings->stability));
}

static void
move_mode (const ReferenceFrame * frame, ReferenceMode * mode)
{
  const ReferenceBin around = sum_around (frame, mode->home);
  const gint64 part = part_of_glide (frame);

  if (around.n == 0)
    return;
  for (guint i = 0; i < 3; i++)
    mode->colour[i] = reference_approach (mode->colour[i],
        256 * reference_bins_mean (around.sum[i], around.n), part);
  reference_mode_show (mode, &frame->bins);
}

void
reference_frame_move_modes (const ReferenceFrame * frame)
{
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    if (reference_frame_get_mode (frame, slot)->exists)
      move_mode (frame, reference_frame_get_mode (frame, slot));
}

/* --- 5: modes meet --- */

/* The first with this home. */
static gint
find_mode_at (const ReferenceFrame * frame, ReferencePlace home)
{
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++) {
    const ReferenceMode *mode = reference_frame_get_mode (frame, slot);

    if (mode->exists && reference_places_compare (mode->home, home) == 0)
      return slot;
  }
  return REFERENCE_NO_MODE;
}

static gint
find_who_stays (const ReferenceFrame * frame, gint slot)
{
  const ReferenceMode *mode = reference_frame_get_mode (frame, slot);

  if (reference_bins_find (&frame->bins, mode->home) == NULL)
    return slot;
  return find_mode_at (frame, mode->home);
}

void
reference_frame_let_modes_meet (const ReferenceFrame * frame)
{
  g_autofree gint *stays = g_new (gint, reference_frame_n_slots (frame));

  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    stays[slot] = reference_frame_get_mode (frame, slot)->exists
        ? find_who_stays (frame, slot) : REFERENCE_NO_MODE;
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    reference_frame_get_mode (frame, slot)->exists = stays[slot] == slot;
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++) {
    ReferencePixelMode *pixel = &frame->temporal->pixels[i];

    if (pixel->slot != REFERENCE_NO_MODE)
      pixel->slot = stays[pixel->slot];
  }
}

/* --- 6: summits --- */

static gboolean
is_around (ReferencePlace p, ReferencePlace q)
{
  return ABS (p.a - q.a) <= 1 && ABS (p.b - q.b) <= 1 && ABS (p.L - q.L) <= 1;
}

static gboolean
is_better (const ReferenceMode * mode, const ReferenceMode * best,
    ReferencePlace summit)
{
  const gint64 mine = reference_places_distance_squared (mode->home, summit);
  const gint64 least = reference_places_distance_squared (best->home, summit);

  if (mine != least)
    return mine < least;
  return reference_places_compare (mode->home, best->home) < 0;
}

/* Where several have one home, in a held palette, the first. */
static gint
find_mode_of_summit (const ReferenceFrame * frame, ReferencePlace summit)
{
  gint best = REFERENCE_NO_MODE;

  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++) {
    const ReferenceMode *mode = reference_frame_get_mode (frame, slot);

    if (mode->exists && is_around (mode->home, summit)
        && reference_bins_find (&frame->bins, mode->home) != NULL
        && (best == REFERENCE_NO_MODE
            || is_better (mode, reference_frame_get_mode (frame, best),
                summit)))
      best = slot;
  }
  return best;
}

static gint
find_mode (const ReferenceFrame * frame, ReferencePlace summit)
{
  gint slot = REFERENCE_NO_MODE;

  if (frame->settings->n_colours == 0)
    slot = find_mode_of_summit (frame, summit);
  if (slot == REFERENCE_NO_MODE && frame->is_held)
    slot = reference_modes_find_nearest (frame->temporal->modes, 1024,
        reference_bins_middle (&frame->bins, summit));
  return slot;
}

void
reference_frame_assign_summits (const ReferenceFrame * frame)
{
  const ReferenceBins *bins = &frame->bins;

  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i))
      frame->slots[i] = bins->bins[i].n > 0 || frame->is_held
          ? find_mode (frame, bins->bins[i].place) : REFERENCE_NO_MODE;
  for (gsize i = 0; i < bins->n_bins; i++)
    if (reference_bins_is_summit (bins, i) && bins->bins[i].n > 0
        && frame->slots[i] == REFERENCE_NO_MODE)
      frame->slots[i] =
          reference_modes_add (frame->temporal->modes, frame->temporal->n_slots,
          bins, &bins->bins[i]);
}

/* --- 8: modes go --- */

/* By slot. */
gboolean *
reference_frame_find_held_modes (const ReferenceFrame * frame)
{
  gboolean *is_held = g_new0 (gboolean, MAX (reference_frame_n_slots (frame),
          (gint) frame->settings->colors));

  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++)
    if (frame->temporal->pixels[i].slot != REFERENCE_NO_MODE)
      is_held[frame->temporal->pixels[i].slot] = TRUE;
  return is_held;
}

void
reference_frame_let_modes_go (const ReferenceFrame * frame)
{
  g_autofree gboolean *is_needed = reference_frame_find_held_modes (frame);

  for (gsize i = 0; i < frame->bins.n_bins; i++)
    if ((frame->settings->colors > 0
            || reference_bins_is_summit (&frame->bins, i))
        && frame->slots[i] != REFERENCE_NO_MODE)
      is_needed[frame->slots[i]] = TRUE;
  for (gint slot = 0; slot < reference_frame_n_slots (frame); slot++)
    reference_frame_get_mode (frame, slot)->exists &= is_needed[slot];
}
