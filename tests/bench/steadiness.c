/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "steadiness.h"
#include "measures.h"

#include <stdlib.h>
#include <string.h>

/* In Oklab: what is seen to move. */
#define LEAST_MOVE 0.02

/* In levels. */
#define FAR 8

/* Less distortion is none. */
#define LEAST_DISTORTION 1e-6

static gboolean
is_same (const guint8 * pixel, const guint8 * other)
{
  return memcmp (pixel, other, 4) == 0;
}

static gboolean
is_far (const guint8 * pixel, const guint8 * other)
{
  for (guint i = 0; i < 4; i++)
    if (abs (pixel[i] - other[i]) >= FAR)
      return TRUE;
  return FALSE;
}

gdouble
steadiness_moved (const guint8 * clip, guint n_frames, gsize n_pixels,
    guint lag)
{
  gsize n, n_moved = 0;

  if (n_frames <= lag)
    return 0;
  n = (n_frames - lag) * n_pixels;
  for (gsize i = 0; i < n; i++) {
    const guint8 *before = clip + 4 * i, *after = before + 4 * lag * n_pixels;

    n_moved += !is_same (before, after)
        && measure_distance (before, after) > LEAST_MOVE;
  }
  return (gdouble) n_moved / n;
}

SteadinessOfStill
steadiness_of_still (const guint8 * input, const guint8 * output,
    guint n_frames, gsize n_pixels)
{
  gsize frame = 4 * n_pixels, size = n_frames * frame;
  gsize n_still = 0, n_changed = 0, n_far = 0;

  for (gsize at = frame; at < size; at += 4) {
    if (!is_same (input + at, input + at - frame))
      continue;
    n_still++;
    n_changed += !is_same (output + at, output + at - frame);
    n_far += is_far (output + at, output + at - frame);
  }
  return (SteadinessOfStill) {(gdouble) n_changed / MAX (n_still, 1),
    (gdouble) n_far / MAX (n_still, 1)};
}

gdouble
steadiness_cost (const guint8 * input, const guint8 * steady,
    const guint8 * plain, gsize n_pixels)
{
  return measure_ratio (measure_distortion (input, steady, n_pixels),
      measure_distortion (input, plain, n_pixels), LEAST_DISTORTION);
}
