/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How modes of a number of colours move, and when one goes: "A number of colours" of
 * docs/internals/temporal.md. */
#include "test_reference.h"
#include "limited_film.h"

/* So short that what weighs upon a mode stays what it was at first. */
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
  grey_film_show (film, "%u*3 %u*1>%u %s", base, far, base, others);
  g_assert_cmpuint (film->stats.n_held, ==, n_colours);
  grey_film_show (film, "%u*3>%u %u*1>%u %s", base, shown, far, shown, others);
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

/* --- one goes --- */

/* 14, with 15, is worth 10 · 32², as near to 10, which is worth 400 · 32²; 140 is worth
 * 5 · 320². Twice 10240 is as much as 5 at 108 gain, 5 · 64²: that is not
 * enough. For 6 it goes, and its pixels have the nearest in the next frame, not what
 * is in its slot. Those of 108 wait, and no time passes. */
static void
test_one_goes (void)
{
  for (guint n = 5; n < 7; n++) {
    const guint of_14 = n == 5 ? 14 : 10;
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    grey_film_grow_old (film, "10*400 100*400 140*5 14*7 15*3>14");
    film->interval = NO_TIME;
    grey_film_show (film, "10*400 100*400 140*5 14*7 15*3>14 108*%u>100", n);
    grey_film_show_often (film, 3,
        "10*400 100*400 140*5 14*7>%u 15*3>%u 108*%u>100", of_14, of_14, n);
    g_assert_cmpuint (film->stats.n_held, ==, n == 5 ? 4 : 3);
  }
}

/* V follows by ρ(10⁹), a half in a second, be a part of it held: from 1000 to 100 it is
 * 550. Twice 550 · 32² is as much as 275 · 64², at 108. The first time it is what
 * weighs, 100, at once. */
static void
test_weight_follows (void)
{
  for (guint i = 0; i < 6; i++) {
    const gboolean is_first_held = i / 2 == 1, is_second_held = i / 2 == 2;
    const guint n = (is_first_held ? 50 : 275) + i % 2;
    g_autofree gchar *behind =
        g_strdup_printf ("10*2000 100*400 140*50 14*100 108*%u>100", n);
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    film->settings.hold = is_first_held;
    grey_film_show (film, "10*2000 100*400 140*50 14*1000");
    film->interval = (is_second_held ? 500 : 1000) * MS;
    film->settings.hold = is_second_held;
    if (is_second_held)
      grey_film_show (film, behind);
    film->settings.hold = FALSE;
    grey_film_show (film, behind);
    film->interval = 1000 * MS;
    grey_film_show (film, "10*2000 100*400 140*50 14*100>%u 108*%u>%u",
        i % 2 ? 10 : 14, n, i % 2 ? 108 : 100);
  }
}

/* 14 is worth 10 · 32², and twice that is less than the 6 · 64² of 108. It is to move
 * to 16, where it were worth 10 · 48², behind this frame. */
static void
test_worth_before_moving (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.stability = HARDLY_STABLE;
  grey_film_show (film, "10*400 100*400 140*5 14*10");
  film->interval = NO_TIME;
  grey_film_show (film, "10*400 100*400 140*5 16*10>14 108*6>100");
  grey_film_show (film, "10*400 100*400 140*5 16*10>10 108*6");
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

/* 20563 · 328² = 2 212 249 792 is 192 more than 21604 · 320², but in 24 bits of 32, which are
 * multiples of 256, as much: 0 goes, which is in the slot before 81. Twice that is less
 * than 31297 · 376² = 4 424 644 672. */
static void
test_leading_bits_of_several (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (3, 4096);

  grey_film_show (film, "0*20563 41*21605 81*21604");
  film->interval = NO_TIME;
  grey_film_show (film, "0*10 41*10 81*10 128*31297>81");
  grey_film_show (film, "0*10>41 41*10 81*10 128*31297");
}

void
test_reference_add_colour_changes (void)
{
  g_test_add_func ("/colour-changes/reach", test_reach);
  g_test_add_func ("/colour-changes/own-bins", test_own_bins);
  g_test_add_func ("/colour-changes/time", test_time);
  g_test_add_func ("/colour-changes/unrest-of-many", test_unrest_of_many);
  g_test_add_func ("/colour-changes/one-goes", test_one_goes);
  g_test_add_func ("/colour-changes/weight-follows", test_weight_follows);
  g_test_add_func ("/colour-changes/worth-before-moving",
      test_worth_before_moving);
  g_test_add_func ("/colour-changes/no-gain-from-home", test_no_gain_from_home);
  g_test_add_func ("/colour-changes/only-one", test_only_one);
  g_test_add_func ("/colour-changes/leading-bits-of-several",
      test_leading_bits_of_several);
}
