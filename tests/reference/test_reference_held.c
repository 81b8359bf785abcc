/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Palettes that are held or given: "Held palettes" of docs/internals/temporal.md. */
#include "test_reference.h"
#include "grey_film.h"

static void
give_greys (GreyFilm * film, const guint * codes, guint n)
{
  film->settings.n_colours = n;
  for (guint i = 0; i < n; i++)
    film->settings.colours[i] = codes[i] * 0x010101;
}

static const gchar darker[] = "100*700 120*300";

/* What was 100 becomes 101, but for a pixel that keeps the home of its mode
 * occupied. */
static const gchar lighter[] = "100*1 101*699>100 120*300";

static const gchar lighter_moved[] = "100*1>101 101*699 120*300";

/* Steps 4 and 8 are left out: modes do not move, nor go when no pixel holds them any
 * more. 118 is nearer to 120, and finds it. With the first frame that is not held
 * modes move, even with the very picture. */
static void
test_stay (void)
{
  static const guint greys[] = { 100, 120 };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.stability = HARDLY_STABLE;
    film->settings.update_interval = i == 1 ? 1000 : 1;
    if (i == 2)
      give_greys (film, greys, 2);
    grey_film_show (film, darker);
    film->settings.hold = i == 0;
    grey_film_show_often (film, 3, "100*1 101*700>100 100*300");
    g_assert_cmpuint (film->stats.n_held, ==, 1);
    grey_film_show (film, "100*1 101*700>100 118*1>120 100*299");
    grey_film_show (film, lighter);
    film->settings.hold = FALSE;
    film->settings.update_interval = 1;
    grey_film_show_again (film, i < 2 ? lighter_moved : lighter);
  }
}

/* Step 5 is left out: 100 and 102, both in bin 25 when bins were merged twice, do
 * not meet. The summit belongs to the first slot, which is that of 100. */
static void
test_do_not_meet (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "100*300 102*300 200*300");
  film->settings.hold = TRUE;
  film->settings.bin_capacity = 2;
  grey_film_show (film, "100*300 102*300 200*300 102*1>100");
  g_assert_cmpuint (film->stats.n_merges, ==, 2);
  g_assert_cmpuint (film->stats.n_held, ==, 3);
}

/* With a palette any summit has the nearest mode, in the first slot of several: 105 is as
 * near to 100 as to 110, 104 is nearer to 100. */
static void
test_nearest (void)
{
  static const struct
  {
    guint code, greys[2], shown;
  } cases[] = {
    {104, {110, 100}, 100}, {105, {110, 100}, 110}, {105, {100, 110}, 100},
    {0, {255, 200}, 200}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.stability = i % 2 ? 0.5 : 0;
    give_greys (film, cases[i].greys, 2);
    grey_film_show (film, "%u*500>%u", cases[i].code, cases[i].shown);
    g_assert_cmpuint (film->stats.n_held, ==, 1);
  }
}

/* Modes outlive a scene cut, but not one within an update interval alone. Pixels
 * hold nothing: who held 100 has 102 at once. */
static void
test_cut (void)
{
  static const guint greys[] = { 100, 102 };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.scene_cut_threshold = 0.1;
    film->settings.hold = i == 0;
    film->settings.update_interval = 1000;
    if (i == 1)
      give_greys (film, greys, 2);
    grey_film_grow_old (film, "100*700 102*300");
    grey_film_show (film, "200*1000>%u", i < 2 ? 102 : 200);
    g_assert_true (film->stats.is_cut);
  }
}

/* Every fourth frame is not held, the first one and unchanged ones count, and
 * whatever the interval was: those that are not have the numbers 4, 8 and 12. */
static void
test_update_interval (void)
{
  for (guint is_stable = 0; is_stable < 2; is_stable++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.stability = is_stable * HARDLY_STABLE;
    film->settings.update_interval = 3;
    grey_film_show (film, darker);      /* number 0 */
    grey_film_show_again (film, darker);
    film->settings.update_interval = 4;
    grey_film_show_often (film, 2, lighter);    /* 2 and 3 */
    grey_film_show (film, lighter_moved);
  }
}

/* In 298 ms, of which 200 are those of a held frame, a mode moves by half of the way,
 * and in 297 by less (see /modes/glide). */
static void
test_time (void)
{
  for (guint ms = 297; ms < 299; ms++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    grey_film_grow_old (film, darker);
    film->settings.hold = TRUE;
    film->interval = 200 * MS;
    grey_film_show (film, lighter);
    film->settings.hold = FALSE;
    film->interval = (ms - 200) * MS;
    grey_film_show (film, ms == 297 ? lighter : lighter_moved);
  }
}

/* A cut within an interval brings other modes, but begins no other count: number 4 is
 * not held. */
static void
test_cut_in_interval (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = HARDLY_STABLE;
  film->settings.update_interval = 4;
  film->settings.scene_cut_threshold = 0.1;
  grey_film_show_often (film, 2, "200*700 240*300");
  grey_film_show (film, darker);
  g_assert_true (film->stats.is_cut);
  grey_film_show (film, lighter);
  grey_film_show (film, lighter_moved);
}

/* With another palette, or none any more, a frame is a first one, with the very
 * picture, too, and for the count. 100 is as near to 60 as to the 140 before. */
static void
test_other_palettes (void)
{
  static const guint palettes[][2] = { {50, 150}, {50, 140}, {60, 140} };
  static const guint shown[] = { 50, 140, 60 };
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = HARDLY_STABLE;
  film->settings.update_interval = 3;
  for (guint i = 0; i < 3; i++) {
    give_greys (film, palettes[i], 2);
    grey_film_show_again (film, "100*700>%u 120*300>%u", shown[i],
        palettes[i][1]);
  }
  film->settings.n_colours = 0;
  grey_film_show_again (film, darker);
  grey_film_show_often (film, 2, lighter);
  grey_film_show (film, lighter_moved);
}

/* 0x010203 is red 1, green 2 and blue 3. */
static void
test_colours (void)
{
  static const guint8 wanted[] = { 1, 2, 3, 255 };
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.n_colours = 1;
  film->settings.colours[0] = 0x010203;
  grey_film_paint (film, darker);
  grey_film_show_picture (film);
  g_assert_cmpmem (film->shown, 4, wanted, 4);
}

/* Where σ is 0 a pixel leaves at once for what is nearer, 111, and stays where it is as
 * near, 110. The frame that is not held any more comes out as in live. */
static void
test_without_stability (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = 0;
  film->settings.hold = TRUE;
  grey_film_grow_old (film, "100*698 100*1 100*1 120*300");
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  grey_film_show (film, "100*698 110*1>100 111*1>120 120*300");
  film->settings.hold = FALSE;
  grey_film_show (film, "100*698 110*1 115*1 120*300");
  g_assert_cmpuint (film->stats.n_bins, ==, 0);
}

/* Every third frame knows no modes: the summit is 101, by D = 4·200 + 3·250 + 3·190. A mode
 * kept at 100 would stay there, for the mean around it, (250 · 100 + 200 · 101) / 450 =
 * 100.4, and have the summit. */
static void
test_begins_anew (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = 0;
  film->settings.update_interval = 3;
  grey_film_show_often (film, 3, darker);
  grey_film_show (film, "100*250>101 101*200 102*190>101 120*300");
}

void
test_reference_add_held (void)
{
  g_test_add_func ("/held/stay", test_stay);
  g_test_add_func ("/held/do-not-meet", test_do_not_meet);
  g_test_add_func ("/held/nearest", test_nearest);
  g_test_add_func ("/held/cut", test_cut);
  g_test_add_func ("/held/update-interval", test_update_interval);
  g_test_add_func ("/held/time", test_time);
  g_test_add_func ("/held/cut-in-interval", test_cut_in_interval);
  g_test_add_func ("/held/other-palettes", test_other_palettes);
  g_test_add_func ("/held/colours", test_colours);
  g_test_add_func ("/held/without-stability", test_without_stability);
  g_test_add_func ("/held/begins-anew", test_begins_anew);
}
