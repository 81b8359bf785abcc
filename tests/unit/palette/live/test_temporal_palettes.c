/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Palettes that are kept, given or limited, with stability and without. */
#include "palette_tests.h"
#include "temporal_fixture.h"

#include <string.h>

/* --- counted by hand --- */

typedef struct
{
  gboolean hold;
  guint update_interval;
  gboolean is_given;            /* a palette of the greys 16 and 240 */
  guint8 shown[2];              /* the greys of a frame's halves, and what they become */
  guint8 made[2];
} TwoGreys;

static void
fill_halves (Film * film, guint8 * rgba, const guint8 greys[2])
{
  const guint n = film_n_pixels (film);

  for (guint i = 0; i < n; i++) {
    memset (rgba + 4 * i, greys[i >= n / 2], 3);
    rgba[4 * i + 3] = 255;
  }
}

/* Each frame has the palette of the row's settings: its own two greys, those that are held,
 * or those that are given. */
static void
check_greys (const TwoGreys * rows, guint n)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);
  g_autofree guint8 *expected = g_malloc (4 * WIDTH * HEIGHT);

  film_take_picture (film, "blobs", 1);
  film->settings.motion.stability = 0;
  film->settings.making.given.colours[0] = 0x101010;
  film->settings.making.given.colours[1] = 0xf0f0f0;
  for (guint i = 0; i < n; i++) {
    g_autofree guint8 *got = NULL;

    g_test_message ("frame %u", i);
    film->settings.motion.hold = rows[i].hold;
    film->settings.motion.update_interval = rows[i].update_interval;
    film->settings.making.given.n_colours = rows[i].is_given ? 2 : 0;
    fill_halves (film, film->rgba, rows[i].shown);
    fill_halves (film, expected, rows[i].made);
    got = engine_run (film->engine, &film->settings, film->rgba);
    compare_pixels ("two greys", got, expected, WIDTH, HEIGHT);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", by_hand)
{
  static const TwoGreys held[] = {
    {TRUE, 1, FALSE, {40, 200}, {40, 200}},
    {TRUE, 1, FALSE, {60, 180}, {40, 200}},
    {TRUE, 1, FALSE, {60, 40}, {40, 40}},
    {FALSE, 1, FALSE, {60, 180}, {60, 180}},
  };
  static const TwoGreys every_second[] = {
    {FALSE, 2, FALSE, {40, 200}, {40, 200}},
    {FALSE, 2, FALSE, {60, 180}, {40, 200}},
    {FALSE, 2, FALSE, {60, 180}, {60, 180}},
    {FALSE, 2, FALSE, {200, 40}, {180, 60}},
  };
  static const TwoGreys given[] = {
    {FALSE, 1, TRUE, {60, 180}, {16, 240}},
    {TRUE, 3, TRUE, {200, 240}, {240, 240}},
    {FALSE, 1, FALSE, {60, 180}, {60, 180}},
  };

  check_greys (held, G_N_ELEMENTS (held));
  check_greys (every_second, G_N_ELEMENTS (every_second));
  check_greys (given, G_N_ELEMENTS (given));
}

/* --- by the oracle --- */

/* With the very picture, whatever comes meanwhile. */
static void
check_switching (Film * film, gdouble stability)
{
  film_forget (film);
  film->settings.motion.stability = stability;
  film_take_picture (film, "blobs", 17);
  for (guint frame = 0; frame < 16; frame++) {
    film->settings.motion.hold = frame % 8 > 1 && frame % 8 < 6;
    if (frame % 8 == 3)
      temporal_lighten (film, 20, TRUE);
    temporal_add_noise (film, frame % 4 == 2 ? 0 : 100);
    temporal_show_again (film, "switching");
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", switching)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  check_switching (film, 0.5);
  check_switching (film, 0);
}

/* From the first frame on. */
TEMPORAL_TEST (TESTS_OTHERS, without_stability, KEPT_EVEN)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film->settings.motion.stability = 0;
  film->settings.counting.scene_cut_threshold = 0.05;
  film_take_picture (film, "blobs", 18);
  for (guint frame = 0; frame < 16; frame++) {
    if (frame == 7 || frame == 12)
      film_take_picture (film, frame == 7 ? "noise" : "blobs", frame);
    temporal_add_noise (film, frame % 5 == 4 ? 0 : 100);
    temporal_show_again (film, "without stability");
  }
}

/* Another one, and none, at each place in it; a frame that is shown again and a cut
 * in between. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", intervals_between_updates)
{
  static const guint intervals[] = { 3, 1, 4 };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = i ? 0 : 0.5;
    film->settings.counting.scene_cut_threshold = 0.05;
    film_take_picture (film, "blobs", 19);
    for (guint frame = 0; frame < 33; frame++) {
      film->settings.motion.update_interval = intervals[frame / 11];
      if (frame % 10 == 8)
        film_take_picture (film, frame % 4 ? "noise" : "blobs", frame);
      temporal_lighten (film, 1, TRUE);
      temporal_add_noise (film, frame % 7 == 4 ? 0 : 100);
      temporal_show_again (film, "update-interval");
    }
    g_assert_cmpuint (film->n_cuts, >, 0);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", palettes)
{
  static const guint sizes[] = { 1, 2, 5, 256, 256 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < 4 * G_N_ELEMENTS (sizes); i++) {
    const guint n = sizes[i % G_N_ELEMENTS (sizes)];

    film_take_picture (film, i % 3 ? "blobs" : "gradient", i);
    temporal_give_palette (film, n);
    /* Two are equal. */
    film->settings.making.given.colours[n / 2] =
        film->settings.making.given.colours[n - 1];
    film->settings.making.weighting = i / G_N_ELEMENTS (sizes) % 2;
    film->settings.motion.stability = i < 2 * G_N_ELEMENTS (sizes) ? 0.5 : 0;
    temporal_show_often (film, "palette", 2);
  }
}

/* Palettes come and go, with hold and without. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", other_palettes)
{
  static const guint sizes[] = { 0, 3, 3, 0, 40, 2 };

  for (guint i = 0; i < 4; i++) {
    g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = i % 2 ? 0.5 : 0;
    film->settings.motion.hold = i / 2;
    film->settings.counting.scene_cut_threshold = 0.05;
    film_take_picture (film, "blobs", 20);
    for (guint k = 0; k < G_N_ELEMENTS (sizes); k++) {
      temporal_give_palette (film, sizes[k]);
      if (k % 2 == 0)
        temporal_show_again (film, "other palette");
      temporal_show_often (film, "other palette", 2);
    }
  }
}

/* --- a number of colours --- */

static void
check_colours (guint width, guint height, const gchar * name, guint first,
    guint step)
{
  static const guint numbers[] = { 1, 2, 8, 16, 33, 64, 256 };
  g_autoptr (Film) film = temporal_film_new (width, height);

  for (guint i = first; i < G_N_ELEMENTS (numbers); i += step) {
    film->settings.making.limit = numbers[i];
    temporal_check_noise (film, name, 0.02, i % 2, i % 3 ? 0.5 : 0.2);
    g_assert_cmpuint (film->engine->report.made.output_colours, <=, numbers[i]);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", colours)
{
  check_colours (WIDTH, HEIGHT, "blobs", 0, palette_is_full ? 1 : 3);
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", more_colours)
{
  const guint step = palette_is_full ? 1 : 3;

  check_colours (WIDTH, HEIGHT, "gradient", 1 % step, step);
  check_colours (120, 72, "noise", 2 % step, step);
  check_colours (3, 2, "noise", 0, step);
}

/* Modes go with it, and others come. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", colours_in_light)
{
  for (guint half = 0; half < 2; half++) {
    g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

    film->settings.making.limit = 12;
    film_take_picture (film, "blobs", 22);
    for (guint frame = 0; frame < 30; frame++) {
      temporal_lighten (film, frame % 5 ? 3 : -5, half);
      temporal_show (film, "colours in light");
    }
  }
}

/* Of random colours, so many codes apart. */
static void
take_cluster (Film * film, gint codes)
{
  guint8 colours[24];
  guint8 corner[3];

  film_take_picture (film, "blobs", 1);
  for (guint k = 0; k < 3; k++)
    corner[k] = (guint8) g_rand_int_range (film->random, 0, 250 - codes);
  for (guint i = 0; i < sizeof colours; i++)
    colours[i] = (guint8) (corner[i % 3]
        + g_rand_int_range (film->random, 0, codes));
  for (gsize i = 0; i < film_n_pixels (film); i++)
    memcpy (film->base + 4 * i,
        colours + 3 * g_rand_int_range (film->random, 0, 8), 3);
  memcpy (film->rgba, film->base, 4 * film_n_pixels (film));
}

/* Modes that nobody comes to stay as well. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", held_colours)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film->settings.motion.hold = TRUE;
  film->settings.making.limit = 16;
  for (guint i = 0; i < 24; i++) {
    film_forget (film);
    take_cluster (film, 2 + i % 5);
    temporal_show_again (film, "cluster");
    temporal_show_often (film, "cluster", 2);
  }
}

/* --- anything --- */

/* One setting, or the picture. */
static void
change_anything (Film * film)
{
  static const gdouble stabilities[] = { 0, 0, 0.5, 0.2 };
  static const gdouble radii[] = { 0.01, 0.02, 0.03, 0 };
  const gint choice = g_rand_int_range (film->random, 0, 4);

  switch (g_rand_int_range (film->random, 0, 10)) {
    case 0:
    case 1:
      film->settings.motion.hold = choice % 2;
      break;
    case 2:
      film->settings.motion.update_interval = choice + 1;
      break;
    case 3:
      temporal_give_palette (film, choice < 2 ? 0 : 4 * choice);
      break;
    case 4:
      film->settings.motion.stability = stabilities[choice];
      break;
    case 5:
      film->settings.making.radius = radii[choice];
      break;
    case 6:
      film->settings.counting.scene_cut_threshold = 0.03 * (choice % 2);
      break;
    case 7:
      film->settings.making.weighting = choice % 2;
      break;
    case 8:
      film->settings.making.limit = choice < 2 ? 0 : 5 * choice;
      break;
    default:
      film_take_picture (film, choice < 2 ? "blobs" : "gradient", choice);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", anything)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film_take_picture (film, "blobs", 21);
  for (guint frame = 0; frame < 60; frame++) {
    if (frame % 2 == 0)
      change_anything (film);
    temporal_add_noise (film, g_rand_int_range (film->random, 0, 4) ? 100 : 0);
    temporal_show_again (film, "anything");
  }
}
