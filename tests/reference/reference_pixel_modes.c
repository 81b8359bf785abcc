/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_frame.h"
#include "reference_integer.h"
#include "reference_light.h"

#include <string.h>

/* In eighths of a bin. */
static ReferencePlace
place_of_pixel (const ReferenceFrame * frame, const guint8 * rgb)
{
  const ReferencePlace bin = reference_bins_place_unmerged (&frame->bins, rgb);
  const ReferencePlace place = { 8 * bin.a, 8 * bin.b, 8 * bin.L };

  return place;
}

static gint64
most_hesitation (const ReferenceFrame * frame)
{
  const gdouble stability = frame->settings->stability;

  if (frame->settings->colors > 0)
    return reference_floor (ldexp (0.8 * stability,
            (gint) frame->bins.lattice.shift)
        / frame->bins.pitch + 0.5);
  return reference_floor (120 * stability + 0.5);
}

static gint64
hesitation (const ReferenceFrame * frame, gint64 unrest)
{
  return most_hesitation (frame) * frame->temporal->age * (128 -
      unrest) / 32000;
}

static gboolean
is_clearly_nearer (const ReferenceFrame * frame, const guint8 * rgb,
    gint offered, gint held, gint64 unrest)
{
  const ReferencePlace at = place_of_pixel (frame, rgb);
  const ReferencePlace there = reference_frame_get_mode (frame, offered)->at;
  const ReferencePlace here = reference_frame_get_mode (frame, held)->at;
  const gint64 margin = hesitation (frame, unrest);

  return reference_places_distance_squared (at, there) + margin * margin
      < reference_places_distance_squared (at, here);
}

static void
take_mode (ReferencePixelMode * pixel, gint slot)
{
  pixel->slot = slot;
  pixel->waited = 0;
}

/* Whether a pixel that holds a mode has another colour than it had, more clearly than by
 * noise. */
static gboolean
has_moved (const ReferenceFrame * frame, const guint8 * before,
    const guint8 * now)
{
  return !frame->settings->is_noisy
      && reference_colours_change (&frame->pictures.light, before, now)
      > frame->temporal->noise / 512 + 16;
}

/* With a number of colours, whether no pixel held the mode when the frame began. */
static gboolean
is_new (const ReferenceFrame * frame, gint slot)
{
  return frame->settings->colors > 0 && !frame->was_held[slot];
}

/* @pixel holds another mode than the one that is @offered. */
static void
choose (const ReferenceFrame * frame, ReferencePixelMode * pixel,
    const guint8 * rgb, gint offered, gint64 unrest)
{
  if (!is_clearly_nearer (frame, rgb, offered, pixel->slot, unrest)) {
    pixel->waited = 0;
    return;
  }
  pixel->waited =
      MIN (pixel->waited + reference_frame_elapsed_ms (frame), 32767);
  if (pixel->waited > reference_floor (150 * frame->settings->stability)
      || frame->temporal->age < 250 || unrest == 128 || is_new (frame, offered))
    take_mode (pixel, offered);
}

/* Of a pixel that holds a mode, so that there is a frame before. */
static gint64
unrest_of (const ReferenceFrame * frame, gsize i)
{
  const guint8 *now = frame->input + 4 * i;
  const guint8 *before = frame->pictures.before
      + 4 * reference_blocks_find_source (&frame->pictures, i);
  gint64 unrest;

  if (reference_colours_change (&frame->pictures.light, before, now) == 0)
    return 0;
  if (has_moved (frame, before, now))
    return 128;
  unrest = reference_blocks_unrest_around (frame->temporal->blocks,
      frame->width, frame->height,
      reference_blocks_find (frame->width, frame->height, i));
  return reference_light_is_same (&frame->pictures.light) ? unrest
      : MAX (unrest, 96);
}

/* With a number of colours each bin has its own, else that of its summit. */
static gint
mode_of_bin (const ReferenceFrame * frame, const ReferenceBin * bin)
{
  return frame->slots[frame->settings->colors > 0
      ? (gsize) (bin - frame->bins.bins) : bin->summit];
}

static void
settle_pixel (const ReferenceFrame * frame, gsize i)
{
  const guint8 *rgba = frame->input + 4 * i;
  ReferencePixelMode *pixel = &frame->temporal->pixels[i];
  const ReferenceBin *bin;
  gint offered;

  memmove (frame->output + 4 * i, rgba, 4);
  if (rgba[3] == 0) {
    take_mode (pixel, REFERENCE_NO_MODE);
    return;
  }
  bin = reference_bins_find (&frame->bins,
      reference_bins_place (&frame->bins, rgba));
  offered = mode_of_bin (frame, bin);
  if (offered == REFERENCE_NO_MODE || pixel->slot == REFERENCE_NO_MODE
      || pixel->slot == offered)
    take_mode (pixel, offered);
  else
    choose (frame, pixel, rgba, offered, unrest_of (frame, i));
  if (pixel->slot == REFERENCE_NO_MODE)
    reference_bins_colour (&frame->bins, bin, frame->output + 4 * i);
  else
    memcpy (frame->output + 4 * i, reference_frame_get_mode (frame,
            pixel->slot)->shown, 3);
}

void
reference_frame_follow_motion (const ReferenceFrame * frame)
{
  const gsize n = reference_frame_n_pixels (frame);
  ReferencePixelMode *pixels = frame->temporal->pixels;
  g_autofree ReferencePixelMode *before =
      g_memdup2 (pixels, n * sizeof *pixels);

  for (gsize i = 0; i < n; i++) {
    const gssize source = reference_blocks_find_source (&frame->pictures, i);

    if (source < 0)
      take_mode (&pixels[i], REFERENCE_NO_MODE);
    else
      pixels[i] = before[source];
  }
}

void
reference_frame_settle_pixels (const ReferenceFrame * frame)
{
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++)
    settle_pixel (frame, i);
}

void
reference_frame_release_pixels (const ReferenceFrame * frame, gint slot)
{
  for (gsize i = 0; i < reference_frame_n_pixels (frame); i++) {
    ReferencePixelMode *pixel = &frame->temporal->pixels[i];

    if (pixel->slot == slot)
      pixel->slot = REFERENCE_NO_MODE;
  }
}
