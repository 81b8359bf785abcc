/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which summits become modes of a number of colours, and which each belongs to: "A number of colours" of
 * docs/internals/temporal.md. */
#include "test_reference.h"
#include "limited_film.h"
#include "reference_colour_limit.h"

/* max(0.005, 0.04 / √N) */
static void
test_radius (void)
{
  g_assert_cmpfloat (reference_colour_limit_radius (1), ==, 0.04);
  g_assert_cmpfloat (reference_colour_limit_radius (4), ==, 0.02);
  g_assert_cmpfloat (reference_colour_limit_radius (64), ==, 0.005);
  g_assert_cmpfloat (reference_colour_limit_radius (256), ==, 0.005);
}

/* 10 weighs most. Then G is 99.5 million for 100, 192 times 720², and less for all
 * others; then 22.9 million for 60, 224 times 320²; then 409600 for 20. By weight
 * alone 104 were better, by distance alone 106. Stability changes nothing. The mode of 100
 * begins at the mean of 100 and 104, 101.8; 106 is too far from it. */
static void
test_greatest_gain (void)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    film->settings.stability = i ? 0.5 : 0;
    grey_film_show (film, "10*320 60*224 100*192>102 104*160>102 20*64 "
        "106*64>102");
    g_assert_cmpuint (film->stats.n_bins, ==, 6);
    g_assert_cmpuint (film->stats.n_summits, ==, 6);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
  }
}

/* 101 comes to 100: 75 · 240² is more than the 60 · 240² of 40, as far from 70. So 40 is
 * left to 10 and 70, as far from it, of which 70 is in the first slot. */
static void
test_weight_of_summit (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_show (film, "10*300 40*60>70 70*400 100*45 101*30>100 140*300");
}

/* 101 comes to 100, and three summits are fewer than four: each bin is one. Of five G is
 * 80 · 720² for 100, then 100 · 320² for 60, then 60 · 8² for 101, more than the 20 · 8²
 * of 99. Four summits are enough. */
static void
test_few_summits (void)
{
  static const struct
  {
    const gchar *patches;
    guint n_summits;
  } cases[] = {
    {"10*100 60*100 100*80 101*60", 4},
    {"10*100 60*100 99*20>100 100*80 101*60", 5},
    {"10*100 60*100 140*10 100*80 101*60>100", 4}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    grey_film_show (film, "%s", cases[i].patches);
    g_assert_cmpuint (film->stats.n_summits, ==, cases[i].n_summits);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
  }
}

/* A summit that has just become a mode gains nothing more, though the bin of its colour,
 * 100, is elsewhere: the fourth slot is left to 60. */
static void
test_home_elsewhere (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.palette.eotf = limited_film_astray;
  grey_film_show (film, "10*300 98*250>100 102*250>100 140*300 60*1");
  g_assert_cmpuint (film->stats.n_bins, ==, 4);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
}

/* 1051 · 768² = 619 905 024 is 64 less than 913 · 824², and in 24 bits of 30, which are
 * multiples of 64, too. 2621 · 704² = 1 299 009 536 is 64 less than 1841 · 840², but in
 * 24 bits of 31 as much: the first in order becomes a mode. */
static void
test_leading_bits_of_gain (void)
{
  static const gchar differs[] = "0*1052 96*1051>103 103*913";
  static const gchar does_not[] = "0*2622 88*2621 105*1841>88";

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GreyFilm) film = limited_film_new (2, 512);

    grey_film_show (film, i ? differs : does_not);
  }
}

/* Modes stay where they are, and what is far from them takes a slot that is free, but
 * not while the palette is held. */
static void
test_free_slots (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  grey_film_show (film, "10*300 140*200 140*100");
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  film->settings.hold = TRUE;
  grey_film_show (film, "10*300 140*200 60*100>10");
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  film->settings.hold = FALSE;
  grey_film_show (film, "10*300 140*200 60*100");
  g_assert_cmpuint (film->stats.n_held, ==, 3);
}

/* Bins are merged: the middle of that of 104 and 105 is at 836, 36 eighths from 100
 * and from 109, of which the heavier has the first slot. No pixel holds one any
 * more, for the format is another one. */
static void
test_middle_of_merged (void)
{
  for (guint i = 0; i < 2; i++) {
    const guint near = i ? 109 : 100, other = i ? 100 : 109;
    g_autoptr (GreyFilm) film = limited_film_new (4, 256);

    grey_film_show (film, "10*100 %u*100 %u*20 140*100", near, other);
    film->settings.bin_capacity = 3;
    film->settings.format++;
    grey_film_show_again (film, "10*100 104*60>%u 105*60>%u 140*100", near,
        near);
    g_assert_cmpuint (film->stats.n_merges, ==, 1);
  }
}

/* M = ⌊0.8·σ·65536 / P + 1/2⌋ at σ = 1/2: 26214 / 618 = 42.4, / 437 = 60.0 and / 218 =
 * 120.2. 0.529 and 0.53 make 63.46 and 63.58, which is 64, as far as 8 codes. A pixel
 * leaves for what is more than that many eighths away, in the third frame. */
static void
test_hesitation (void)
{
  static const struct
  {
    guint n_colours;
    gdouble stability;
    guint distance;
    gboolean leaves;
  } cases[] = {
    {2, 0.5, 5, FALSE}, {2, 0.5, 6, TRUE}, {4, 0.529, 8, TRUE},
    {4, 0.53, 8, FALSE}, {16, 0.5, 15, FALSE}, {16, 0.5, 16, TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = 60 + cases[i].distance;
    g_autoptr (GreyFilm) film = limited_film_new (cases[i].n_colours, 256);

    film->settings.stability = cases[i].stability;
    grey_film_grow_old (film, "60*255 60*1 %u*300", other);
    grey_film_show_often (film, 2, "60*255 %u*1>60 %u*300", other, other);
    grey_film_show_often (film, 5, "60*255 %u*1>%u %u*300", other,
        cases[i].leaves ? other : 60, other);
  }
}

/* --- what frames are --- */

/* Where there is no mode slots are taken though the palette is held, and modes begin at
 * the mean of what belongs to them: (40 · 99 + 80 · 100 + 60 · 101 + 36 · 102 + 32 · 103) /
 * 248 = 100.76. With 128 at 101 it is 100.35, to which they go when it is not held. */
static void
test_held_from_the_first (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.stability = HARDLY_STABLE;
  film->settings.hold = TRUE;
  grey_film_show (film, "10*300 60*300 140*300 99*40>101 100*80>101 101*60 "
      "102*36>101 103*32>101");
  grey_film_show_often (film, 3,
      "10*300 60*300 140*300 99*40>101 100*80>101 101*128");
  g_assert_cmpuint (film->stats.n_held, ==, 4);
  film->settings.hold = FALSE;
  grey_film_show (film, "10*300 60*300 140*300 99*40>101 100*80>101 101*128");
  grey_film_show (film, "10*300 60*300 140*300 99*40>100 100*80 101*128>100");
}

/* A frame after one with another number, or with none, is a first one. Else modes would
 * stay with the colours before. */
static void
test_other_numbers (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.palette.radius = 0.02;
  grey_film_show (film, "10*400 60*400 100*300 140*400");
  film->settings.colors = 0;
  grey_film_show (film, "12*400 62*400 101*300 142*400");
  film->settings.colors = 4;
  grey_film_show (film, "13*400 63*400 102*300 143*400");
  film->settings.colors = 3;
  grey_film_show (film, "11*400 61*400 100*300>61 141*400");
}

/* With a palette the number means nothing: M is 60, more than the 56 to 107, and the
 * radius is the property. */
static void
test_beside_a_palette (void)
{
  g_autoptr (GreyFilm) film = limited_film_new (4, 256);

  film->settings.palette.radius = 0.02;
  film->settings.n_colours = 2;
  film->settings.colours[0] = 100 * 0x010101;
  film->settings.colours[1] = 107 * 0x010101;
  grey_film_grow_old (film, "100*299 100*1 107*300");
  film->settings.colors = 16;
  grey_film_show_often (film, 5, "100*299 107*1>100 107*300");
  g_assert_cmpuint (film->stats.n_bins, ==, 2);
  film->settings.palette.radius = 1;
  grey_film_show (film, "100*300 107*300>100");
  g_assert_cmpuint (film->stats.n_bins, ==, 1);
}

void
test_reference_add_colour_limit (void)
{
  g_test_add_func ("/colour-limit/radius", test_radius);
  g_test_add_func ("/colour-limit/greatest-gain", test_greatest_gain);
  g_test_add_func ("/colour-limit/weight-of-summit", test_weight_of_summit);
  g_test_add_func ("/colour-limit/few-summits", test_few_summits);
  g_test_add_func ("/colour-limit/home-elsewhere", test_home_elsewhere);
  g_test_add_func ("/colour-limit/leading-bits-of-gain",
      test_leading_bits_of_gain);
  g_test_add_func ("/colour-limit/free-slots", test_free_slots);
  g_test_add_func ("/colour-limit/middle-of-merged", test_middle_of_merged);
  g_test_add_func ("/colour-limit/hesitation", test_hesitation);
  g_test_add_func ("/colour-limit/held-from-the-first",
      test_held_from_the_first);
  g_test_add_func ("/colour-limit/other-numbers", test_other_numbers);
  g_test_add_func ("/colour-limit/beside-a-palette", test_beside_a_palette);
}
