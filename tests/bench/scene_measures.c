/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scene_measures.h"

#include <string.h>

/* What is seen to move, and what stays. */
#define LEAST_MOVE 0.02
#define STAYS 0.01

#define LEAST_LIGHTNESS 0.15

#define NEAR_HUE (20 * G_PI / 180)
#define ENOUGH_CHROMA 0.6

/* Most pixels are the same, and take no cube roots. */
static gdouble
distance (const guint8 * pixel, const guint8 * other)
{
  return memcmp (pixel, other, 3) == 0 ? 0 : measure_distance (pixel, other);
}

/* Of a pixel of a frame from the nearest of @n pixels of the frame before. */
static gdouble
least_distance (const guint8 * frame, const guint8 * frame_before, gint pixel,
    const gint * before, guint n)
{
  gdouble least = G_MAXDOUBLE;

  for (guint i = 0; i < n; i++)
    least = MIN (least, distance (frame + 4 * pixel,
            frame_before + 4 * before[i]));
  return least;
}

void
scene_count_moved (const SceneMoment * moment, SceneShare * share)
{
  SceneView now = scene_get_view (moment->scene, moment->frame);
  SceneView then = scene_get_view (moment->scene, moment->frame - 1);

  for (gint i = 0; i < SCENE_PIXELS; i++) {
    gint before[SCENE_MOST_BEFORE];
    guint n = scene_find_all_before (&now, &then, i, before);

    if (n == 0 || least_distance (moment->clean, moment->clean_before, i,
            before, n) > STAYS)
      continue;
    share->n_of++;
    share->n += least_distance (moment->output, moment->output_before, i,
        before, n) > LEAST_MOVE;
  }
}

static gboolean
is_dark (const guint8 * pixel)
{
  return measure_oklab (pixel).L < LEAST_LIGHTNESS;
}

static gboolean
has_jumped (const SceneMoment * moment, gsize at)
{
  const guint8 *output = moment->output + at;
  const guint8 *before = moment->output_before + at;
  gdouble moved = distance (output, before);

  return moved > LEAST_MOVE && moved > LEAST_MOVE
      + distance (moment->clean + at, moment->clean_before + at)
      && !(is_dark (output) && is_dark (before));
}

gdouble
scene_measure_jump (const SceneMoment * moment)
{
  gsize n = 0;

  for (gsize i = 0; i < 4 * SCENE_PIXELS; i += 4)
    n += has_jumped (moment, i);
  return (gdouble) n / SCENE_PIXELS;
}

MeasureOklab
scene_measure_mean (const guint8 * seen, const guint8 * output)
{
  MeasureOklab sum = { 0 };
  gsize n = 0;

  for (gsize i = 0; i < 4 * SCENE_PIXELS; i += 4) {
    MeasureOklab place;

    if (seen[i + 3] == 0)
      continue;
    place = measure_oklab (output + i);
    sum.L += place.L;
    sum.a += place.a;
    sum.b += place.b;
    n++;
  }
  n = MAX (n, 1);
  return (MeasureOklab) {sum.L / n, sum.a / n, sum.b / n};
}

gdouble
scene_measure_chroma (const guint8 * seen, const guint8 * output)
{
  gdouble sum = 0;
  gsize n = 0;

  for (gsize i = 0; i < 4 * SCENE_PIXELS; i += 4) {
    if (seen[i + 3] == 0)
      continue;
    sum += measure_chroma (measure_oklab (output + i));
    n++;
  }
  return sum / MAX (n, 1);
}

gboolean
scene_keeps_colour (MeasureOklab before, MeasureOklab after)
{
  return measure_hue_between (before, after) <= NEAR_HUE
      && measure_chroma (after) >= ENOUGH_CHROMA * measure_chroma (before);
}

gdouble
scene_measure_stain (const guint8 * seen, const guint8 * output,
    const guint8 * plain)
{
  gsize n = 0, n_stained = 0;

  for (gsize i = 0; i < 4 * SCENE_PIXELS; i += 4) {
    if (seen[i + 3] == 0)
      continue;
    n++;
    n_stained += distance (seen + i, output + i)
        > distance (seen + i, plain + i) + LEAST_MOVE;
  }
  return (gdouble) n_stained / MAX (n, 1);
}
