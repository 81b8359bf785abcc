/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How modes of a number of colours move, and when one is replaced: "A number of colours" of
 * docs/internals/temporal.md. */
#include "test_reference.h"
#include "limited_film.h"

/* So short that no mode moves. */
#define NO_TIME 1

/* --- modes move --- */

/* Of one more bin than modes the one at @distance from @base becomes none, and counts
 * for the mode there where it is within reach. @others are far, and weigh 90 each. */
static void
check_reach (guint n_colours, const gchar * others, guint base, guint distance,
    gboolean is_reached)
{
  const guint far = base + distance;
  const guint shown = is_reached ? base + (distance + 2) / 4 : base;
  g_autoptr (GreyFilm) film = limited_film_new (n_colours, 256);

  film->settings.stability = HARDLY_STABLE;
  grey_film_show_often (film, 3, "%u*3>%u %u*1>%u %s", base, shown, far, shown,
      others);
  g_assert_cmpuint (film->stats.n_held, ==, n_colours);
}

/* B = ⌊0.32·2^s / P⌋ = ⌊10485.8 / 437⌋ = 23 eighths with s = 15, ⌊20971.5 / 437⌋ = 47
 * and ⌊20971.5 / 218⌋ = 96 with 16, and codes are 8. The mean of what weighs 3 and 1 is
 * a quarter of the way. */
static void
test_reach (void)
{
  static const gchar three[] = "0*90 20*90 40*90";
  static const gchar fifteen[] =
      "0*90 5*90 10*90 15*90 20*90 25*90 30*90 35*90 "
      "40*90 45*90 50*90 55*90 60*90 65*90 70*90";

  check_reach (1, "", 40, 2, TRUE);
  check_reach (1, "", 40, 3, FALSE);
  check_reach (4, three, 100, 5, TRUE);
  check_reach (4, three, 100, 6, FALSE);
  check_reach (16, fifteen, 100, 12, TRUE);
  check_reach (16, fifteen, 100, 13, FALSE);
}

/* Of the modes of a slide two are too many once there is a chart. One is replaced when it comes;
 * the other one goes, and what is free is taken, while the film stands still. */
static void
test_replaced_at_rest (void)
{
  static const gchar chart[] = "10*700 60*100 100*100 130*100";
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_grow_old (film, "10*850 60*50 62*50 64*50");
  grey_film_paint (film, chart);
  for (guint i = 0; i < 2; i++) {
    grey_film_show_picture (film);
    g_assert_cmpuint (film->stats.n_held, ==, 3);
  }
  grey_film_show_again (film, chart);
}

/* 103 is 24 eighths from 100, within the reach of 47, but another mode's: it counts for
 * that one only, and nothing moves. */
static void
test_own_bins (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.stability = HARDLY_STABLE;
  grey_film_show_often (film, 3, "10*300 100*300 103*300 140*300");
}

static const gchar darker[] = "10*300 60*300 140*300 100*400";

static const gchar lighter[] = "10*300 60*300 140*300 102*200>100 100*200";

static const gchar lighter_moved[] =
    "10*300 60*300 140*300 102*200>101 100*200>101";

/* ρ(⌊2·10⁹·σ⌋), with 10⁹ ns at σ = 1/2, is ⌊4096 · 992 / 1992⌋ = 2039 in 992 ms, and
 * 2040 in 993, also where 200 of them are those of a held frame: of the 256 to the
 * mean, 101, that is 127.4 and 127.5, a half. The format is another one, so that e is
 * 0. */
static void
test_time (void)
{
  for (guint is_held = 0; is_held < 2; is_held++)
    for (guint ms = 992; ms < 994; ms++) {
      g_autoptr (GreyFilm) film = limited_film_new (4, 256);

      grey_film_show (film, darker);
      film->settings.format++;
      film->settings.hold = is_held;
      film->interval = is_held ? 200 * MS : ms * MS;
      grey_film_show (film, lighter);
      if (is_held) {
        film->settings.hold = FALSE;
        film->interval = (ms - 200) * MS;
        grey_film_show (film, lighter);
      }
      film->interval = NO_TIME;
      grey_film_show (film, ms == 992 ? lighter : lighter_moved);
    }
}

/* ρ in a 30th of a second is ⌊4096 · 33.3 / 1033.3⌋ = 132. e is 128 in twelve of sixteen
 * blocks: U is 12 · 128 / 32 = 48, and the part 132 + ⌊3964 · 48 / 64⌋ = 3105. Of the 4 ·
 * 256 to 104 that is 776: 103 and 8 / 256. */
static void
test_unrest_of_many (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_show (film, "100*3072 10*341 60*341 140*342");
  grey_film_show (film, "104*3072>100 10*341 60*341 140*342");
  grey_film_show (film, "104*3072>103 10*341 60*341 140*342");
}

/* --- one is replaced --- */

/* l is 8 at 32 eighths, 15 at 40, and 64 at 64. 14 is worth 17 · 8, and for 15, which is a
 * bin of its mode, 8 · 15 more: twice 256 is as much as 8 at 108 save, 8 · 64. That is
 * not enough. For 9 it is replaced: in the next frame its pixels have the nearest, not
 * what is in its slot, and those of 108, as far as that, do not wait for it. */
static void
test_one_is_replaced (void)
{
  for (guint n = 8; n < 10; n++) {
    const guint of_14 = n == 8 ? 14 : 10, of_108 = n == 8 ? 100 : 108;
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    grey_film_grow_old (film, "10*400 100*400 140*5 14*17 15*8>14");
    film->interval = NO_TIME;
    grey_film_show (film, "10*400 100*400 140*5 14*17 15*8>14 108*%u>100", n);
    grey_film_show_often (film, 3,
        "10*400 100*400 140*5 14*17>%u 15*8>%u 108*%u>%u", of_14, of_14, n,
        of_108);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
  }
}

/* A pixel that does not wait still stays within M = 60: 107 is 56 eighths from 100, where l
 * is 42, and saves 20 · 42. */
static void
test_new_but_near (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_grow_old (film, "10*400 100*400 140*5 14*17");
  grey_film_show (film, "10*400 100*400 140*5 14*17 107*20>100");
  grey_film_show_often (film, 6, "10*400 100*400 140*5 14*17>10 107*20>100");
}

/* At 14 the mode of 16 is worth 11 · (27 - 1), 286, and twice that is less than the 9 · 64
 * that 108 saves. It is to move to 16, where it were worth 11 · 27, behind this frame. */
static void
test_worth_before_moving (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.stability = HARDLY_STABLE;
  grey_film_show (film, "10*400 100*400 140*5 14*11");
  film->interval = NO_TIME;
  grey_film_show (film, "10*400 100*400 140*5 16*11>14 108*9>100");
  grey_film_show (film, "10*400 100*400 140*5 16*11>10 108*9");
}

/* What is at home gains nothing, two eighths from the middle of its bin: 11 stays, though
 * its worth, 1 · 8², twice is less than 1000 · 2². In the second frame no slot
 * could be taken again. */
static void
test_no_gain_from_home (void)
{
  static const gchar patches[] = "10*300 11*1 100*1000 140*300";
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.palette.eotf = limited_film_beside;
  grey_film_show (film, patches);
  film->settings.hold = TRUE;
  grey_film_show (film, patches);
}

/* The only one stays, however far others are. */
static void
test_only_one (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (1, 256);

  grey_film_show (film, "40*100 60*10>40");
  film->settings.hold = TRUE;
  grey_film_show (film, "40*10 60*100>40");
}

/* 36 and 140 are worth as much, 11 · 8, and 36 is in the first slot of both. 48 and 128
 * save as much, and 128 belongs to the mode in the first slot of both. */
static void
test_first_of_several (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_show (film, "40*400 136*500 36*11 140*11");
  film->interval = NO_TIME;
  grey_film_show (film, "40*400 136*500 36*11 140*11 48*9>40 128*9>136");
  grey_film_show (film, "40*400 136*500 36*11>40 140*11 48*9>40 128*9");
}

void
test_reference_add_colour_changes (void)
{
  g_test_add_func ("/colour-changes/reach", test_reach);
  g_test_add_func ("/colour-changes/replaced-at-rest", test_replaced_at_rest);
  g_test_add_func ("/colour-changes/own-bins", test_own_bins);
  g_test_add_func ("/colour-changes/time", test_time);
  g_test_add_func ("/colour-changes/unrest-of-many", test_unrest_of_many);
  g_test_add_func ("/colour-changes/one-is-replaced", test_one_is_replaced);
  g_test_add_func ("/colour-changes/new-but-near", test_new_but_near);
  g_test_add_func ("/colour-changes/worth-before-moving",
      test_worth_before_moving);
  g_test_add_func ("/colour-changes/no-gain-from-home", test_no_gain_from_home);
  g_test_add_func ("/colour-changes/only-one", test_only_one);
  g_test_add_func ("/colour-changes/first-of-several", test_first_of_several);
}
