/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "clips.h"
#include "measures.h"

#include <math.h>
#include <string.h>

/* The piece of `moving`: it comes in at the left. In 100 frames it has left a
 * frame of 320 pixels at the right. */
#define PIECE_WIDTH 80
#define PIECE_HEIGHT 60
#define PIECE_STEP 4

/* Frames of `light` before and behind the ramp. */
#define LIGHT_BEFORE 10
#define LIGHT_RAMP 60
#define LIGHT_BEHIND 20

/* --- what is seen --- */

static void
copy_levels (const guint8 * rgba, gsize n_pixels, gdouble * levels)
{
  for (gsize i = 0; i < n_pixels; i++)
    for (guint c = 0; c < 3; c++)
      levels[3 * i + c] = rgba[4 * i + c];
}

static void
draw_first (const ClipPhotographs * photographs, guint frame, gdouble * levels)
{
  copy_levels (photographs->first,
      (gsize) photographs->width * photographs->height, levels);
}

static gboolean
is_piece (gint x, gint y, guint height, gint frame)
{
  gint left = PIECE_STEP * frame - PIECE_WIDTH;
  gint top = ((gint) height - PIECE_HEIGHT) / 2;

  return x >= left && x < left + PIECE_WIDTH
      && y >= top && y < top + PIECE_HEIGHT;
}

/* What the piece shows moves with it: it is the second photograph's middle. */
static void
draw_moving (const ClipPhotographs * photographs, guint frame, gdouble * levels)
{
  guint width = photographs->width, height = photographs->height;
  guint from = (width - PIECE_WIDTH) / 2 + PIECE_WIDTH;

  g_assert (width >= PIECE_WIDTH && height >= PIECE_HEIGHT);
  draw_first (photographs, frame, levels);
  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      gsize at = (gsize) y * width + x;

      if (is_piece (x, y, height, frame))
        copy_levels (photographs->second
            + 4 * (at + from - PIECE_STEP * frame), 1, levels + 3 * at);
    }
}

gdouble
clip_level_of_light (gdouble light)
{
  return 255 * (light <= 0.0031308 ? 12.92 * light
      : 1.055 * pow (light, 1 / 2.4) - 0.055);
}

static void
draw_light (const ClipPhotographs * photographs, guint frame, gdouble * levels)
{
  gdouble on_ramp = ((gdouble) frame - LIGHT_BEFORE) / LIGHT_RAMP;
  gdouble share = 0.5 + 0.5 * CLAMP (on_ramp, 0, 1);
  gsize n_pixels = (gsize) photographs->width * photographs->height;

  for (gsize i = 0; i < n_pixels; i++)
    for (guint c = 0; c < 3; c++)
      levels[3 * i + c] =
          clip_level_of_light (share * measure_light (photographs->first[4 * i
                  + c]));
}

static void
draw_cut (const ClipPhotographs * photographs, guint frame, gdouble * levels)
{
  copy_levels (frame < CLIP_CUT ? photographs->first : photographs->second,
      (gsize) photographs->width * photographs->height, levels);
}

static const ClipKind kinds[] = {
  {"noise", 1, 100, 2, draw_first},
  {"moving", 2, 100, 2, draw_moving},
  {"light", 1, LIGHT_BEFORE + LIGHT_RAMP + LIGHT_BEHIND, 1, draw_light},
  {"cut", 2, 2 * CLIP_CUT, 0, draw_cut}
};

const ClipKind *
clip_kind_find (const gchar * name)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

/* --- what a sensor makes of it --- */

/* Box and Muller's, of which one of the two numbers is enough. */
static gdouble
next_gaussian (GRand * random)
{
  gdouble radius = sqrt (-2 * log (1 - g_rand_double (random)));

  return radius * cos (2 * G_PI * g_rand_double (random));
}

static guint8
round_level (gdouble level)
{
  return (guint8) CLAMP (floor (level + 0.5), 0, 255);
}

void
clip_round_levels (const gdouble * levels, gsize n_pixels, guint8 * rgba)
{
  for (gsize i = 0; i < n_pixels; i++) {
    for (guint c = 0; c < 3; c++)
      rgba[4 * i + c] = round_level (levels[3 * i + c]);
    rgba[4 * i + 3] = 255;
  }
}

void
clip_add_noise (const gdouble * levels, gsize n_pixels, gdouble sigma,
    GRand * random, guint8 * rgba)
{
  for (gsize i = 0; i < n_pixels; i++) {
    for (guint c = 0; c < 3; c++)
      rgba[4 * i + c] = round_level (levels[3 * i + c]
          + sigma * next_gaussian (random));
    rgba[4 * i + 3] = 255;
  }
}

void
clip_make_frame (const ClipKind * kind, const ClipPhotographs * photographs,
    guint frame, GRand * random, guint8 * rgba)
{
  gsize n_pixels = (gsize) photographs->width * photographs->height;
  g_autofree gdouble *levels = g_new (gdouble, 3 * n_pixels);

  kind->draw (photographs, frame, levels);
  clip_add_noise (levels, n_pixels, kind->noise, random, rgba);
}

/* --- what became visible --- */

/* In @frame or the @n frames before it. */
static gboolean
was_piece (guint x, guint y, guint height, gint frame, gint n)
{
  for (gint ago = 0; ago <= n; ago++)
    if (is_piece (x, y, height, frame - ago))
      return TRUE;
  return FALSE;
}

gsize
clip_keep_uncovered (guint width, guint height, guint frame, guint8 * rgba)
{
  gsize n_kept = 0;

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      if (was_piece (x, y, height, frame, 10)
          && !was_piece (x, y, height, frame, 2))
        n_kept++;
      else
        rgba[4 * ((gsize) y * width + x) + 3] = 0;
    }
  return n_kept;
}
