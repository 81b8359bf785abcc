/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which frames change nothing, and which begin anew: docs/internals/temporal.md up to
 * step 2. */
#include "test_reference.h"
#include "generated.h"
#include "grey_film.h"
#include "reference_live.h"

static const gchar darker[] = "100*700 120*300";

/* The mode of 100 stays at home, and in 200 ms takes ⌊4096 · 200 / 500⌋ = 1638 parts
 * of the way to 101: 256 · 1638 / 4096 = 102 is less than a half, and with 154 ·
 * 1638 / 4096 = 62 the second step is more. */
static const gchar lighter[] = "100*1 101*699>100 120*300";

static const gchar lighter_moved[] = "100*1>101 101*699 120*300";

static void
test_first_frame_is_live (void)
{
  const ReferenceTemporalSettings settings = {.palette.radius = 0.02,
    .bin_capacity = 600, .stability = 0.5};
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  g_autofree guint8 *picture = generated_picture_new ("blobs", 41, 35, 1);
  g_autofree guint8 *wanted = g_malloc (4 * 41 * 35);
  const ReferencePixels pixels = { picture, 41 * 35 };
  const ReferencePicture frame = { picture, 41, 35 };
  ReferenceTemporalStats stats;
  ReferenceLiveStats live;

  reference_live_with_capacity (&settings.palette, 600, &pixels, wanted, &live);
  reference_temporal_frame (temporal, &settings, 0, &frame, picture, &stats);
  g_assert_cmpmem (picture, 4 * 41 * 35, wanted, 4 * 41 * 35);
  g_assert_cmpuint (stats.n_bins, ==, live.n_bins);
  g_assert_cmpuint (stats.n_merges, ==, live.n_merges);
  g_assert_cmpuint (stats.n_summits, ==, live.n_summits);
  g_assert_cmpuint (stats.n_held, ==, live.n_summits);
}

/* Shows the picture until nothing changes. Returns the number of frames before. */
static guint
rest (GreyFilm * film)
{
  guint n = 0;

  while (grey_film_show_picture (film), !film->stats.is_settled)
    g_assert_cmpuint (++n, <, 1000);
  return n;
}

/* The mode moves on, but not in a settled film, in which only alphas above 0 change. A setting
 * that changes ends the rest. */
static void
test_at_rest (void)
{
  for (guint i = 0; i < 8; i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();
    ReferenceTemporalSettings *settings = &film->settings;

    grey_film_grow_old (film, darker);
    film->interval = 200 * MS;
    grey_film_show (film, lighter);
    grey_film_show_again (film, lighter_moved);
    g_assert_cmpuint (rest (film), ==, 62);
    film->interval = 201 * MS;
    film->picture[4 * 5 + 3] = 9;
    grey_film_show_picture (film);
    g_assert_true (film->stats.is_settled);
    g_assert_cmpuint (film->shown[4 * 5], ==, 101);
    g_assert_cmpuint (film->shown[4 * 5 + 3], ==, 9);
    film->interval = 200 * MS;
    settings->stability -= i == 1 ? 0.01 : 0;
    settings->scene_cut_threshold += i == 2 ? 0.5 : 0;
    settings->bin_capacity -= i == 3;
    settings->palette.radius += i == 4 ? 0.000001 : 0;
    settings->palette.weighting += i == 5;
    settings->palette.min_frequency += i == 6;  /* 0 is as 1 */
    settings->palette.min_frequency += 2 * (i == 7);
    settings->history = i == 6; /* so is this */
    grey_film_show_again (film, lighter_moved);
    g_assert_cmpint (film->stats.is_settled, ==, i % 6 == 0);
  }
}

/* 65536 · 10 / (6 · 300) = 364, 180 of which are less than 65536; with a number of colours,
 * 65536 · 10 / (6 · 1000) = 109, and 601. In 200 ms this is more than a part for each of 64
 * frames, or of as many as there are colours, and for each that a palette is for. */
static void
test_length_of_rest (void)
{
  static const struct
  {
    gdouble stability;
    guint ms, colors, update_interval, n;
  } films[] = {
    {0.5, 10, 0, 0, 180}, {0.5, 10, 4, 0, 601}, {0.5, 200, 4, 1, 63},
    {0.5, 200, 256, 1, 255}, {0.5, 10, 0, 2, 180}, {0.5, 200, 0, 3, 192},
    {0, 200, 4, 1, 0}, {0, 200, 0, 3, 3}
  };

  for (guint i = 0; i < G_N_ELEMENTS (films); i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.stability = films[i].stability;
    film->settings.colors = films[i].colors;
    film->settings.update_interval = films[i].update_interval;
    film->interval = films[i].ms * MS;
    grey_film_paint (film, darker);
    grey_film_show_picture (film);
    g_assert_cmpuint (rest (film), ==, films[i].n);
  }
}

/* The second frame is as the first, but 250 ms older: in the third a pixel hesitates. */
static void
test_older_at_rest (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_show (film, "100*500 100*1 120*500");
  film->interval = 250 * MS;
  grey_film_show_again (film, "100*500 100*1 120*500");
  film->interval = 0;
  grey_film_show (film, "100*500 120*1>100 120*500");
}

/* A frame that nothing is kept of, one with another transfer function, or a reset:
 * the next one is a first one, whose modes are where colours are. So is a frame that
 * is shown again after a reset. */
static void
test_first_frames (void)
{
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    grey_film_grow_old (film, darker);
    film->settings.stability = i == 1 ? 0 : 0.5;
    film->settings.palette.radius *= i != 2;
    if (i == 3)
      film->settings.palette.transfer = REFERENCE_TRANSFER_LINEAR;
    grey_film_paint (film, darker);
    grey_film_show_picture (film);
    film->settings.stability = 0.5;
    film->settings.palette = grey_bin_per_code;
    if (i == 5)
      grey_film_show (film, lighter);
    if (i >= 4)
      reference_temporal_reset (film->temporal);
    grey_film_show_again (film, i ? lighter_moved : lighter);
  }
}

/* With another size, format, radius or weighting modes stay, but no pixel holds one:
 * all that come to 101 have 100, the first in order, also those that had 102. There
 * is no cut, though most become much lighter. */
static void
test_other_kinds (void)
{
  for (guint i = 0; i < 4; i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.scene_cut_threshold = 0.1;
    grey_film_grow_old (film, "100*700 102*300");
    film->height -= i == 0;
    film->settings.format += i == 1;
    film->settings.palette.radius += i == 2 ? 0.000001 : 0;
    film->settings.palette.weighting += i == 3;
    grey_film_show (film, "240*700 100*1 102*1>100 101*298>100");
    g_assert_false (film->stats.is_cut);
    g_assert_cmpuint (film->stats.n_held, ==, 2);
  }
}

/* With a cut no mode is left, both slots are free, and in the next frame who held a
 * mode does not wait. */
static void
test_cut (void)
{
  static const gchar cut[] = "101*500 240*500";
  g_autoptr (GreyFilm) film = grey_film_new_full (64, 2);

  film->settings.scene_cut_threshold = 0.1;
  grey_film_grow_old (film, "100*500 102*500");
  g_assert_false (film->stats.is_cut);
  grey_film_show (film, cut);
  g_assert_true (film->stats.is_cut);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  grey_film_show_again (film, cut);
  g_assert_false (film->stats.is_cut);
  grey_film_show (film, "101*499 240*1 240*500");
}

void
test_reference_add_temporal (void)
{
  g_test_add_func ("/temporal/first-frame-is-live", test_first_frame_is_live);
  g_test_add_func ("/temporal/at-rest", test_at_rest);
  g_test_add_func ("/temporal/length-of-rest", test_length_of_rest);
  g_test_add_func ("/temporal/older-at-rest", test_older_at_rest);
  g_test_add_func ("/temporal/first-frames", test_first_frames);
  g_test_add_func ("/temporal/other-kinds", test_other_kinds);
  g_test_add_func ("/temporal/cut", test_cut);
}
