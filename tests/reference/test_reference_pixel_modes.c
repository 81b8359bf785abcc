/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which mode a pixel has: step 7 of docs/internals/temporal.md. The pixel is the
 * second patch; greys are 8 eighths of a bin apart. */
#include "test_reference.h"
#include "grey_film.h"

#include <string.h>

/* A pixel of 100 becomes one of @other, and leaves in the frame @n, 0: never. */
static void
check_leaves (gdouble stability, guint64 interval, guint other, guint n)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = stability;
  grey_film_grow_old (film, "100*700 100*1 %u*300", other);
  film->interval = interval;
  grey_film_show_often (film, n > 0 ? n - 1 : 20, "100*700 %u*1>100 %u*300",
      other, other);
  if (n > 0)
    grey_film_show (film, "100*700 %u*1 %u*300", other, other);
}

/* H is M = ⌊120·σ + 1/2⌋ at an age of 250: 60 is more than 56 and less than 64.
 * 0.604 · 120 = 72.48 is 72, as far as 109, and 0.596 · 120 = 71.52 is 72, too. */
static void
test_hesitation (void)
{
  check_leaves (0.5, 0, 107, 0);
  check_leaves (0.5, 0, 108, 3);
  check_leaves (0.604, 0, 109, 0);
  check_leaves (0.596, 0, 109, 0);
  check_leaves (0.595, 0, 109, 3);
  check_leaves (0.604, 0, 110, 3);
}

/* w is to be more than ⌊150·σ⌋ = 75, and grows by a whole number of milliseconds, 1
 * at least and 65 535 at most. */
static void
test_waiting (void)
{
  check_leaves (0.5, 38 * MS - 1, 120, 3);      /* 37, 74, 111 */
  check_leaves (0.5, 38 * MS, 120, 2);  /* 38, 76 */
  check_leaves (0.5, 76 * MS - 1, 120, 2);      /* 75 is not more */
  check_leaves (0.5, 76 * MS, 120, 1);
  check_leaves (0.5, 1, 120, 76);
  check_leaves (0.5, 100000 * MS, 120, 1);
  check_leaves (0.51, 76 * MS, 120, 2); /* 76.5 is 76 */
}

/* At 108 it is 64 eighths from 100, which it holds: 64² = 4096 is more than 60² + 16²
 * = 3856, to 110, and less than 60² + 24² = 4176, to 111. */
static void
test_both_distances (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();
  g_autoptr (GreyFilm) other = grey_film_new ();

  grey_film_grow_old (film, "100*700 100*1 110*240 109*16>110");
  grey_film_show_often (film, 2, "100*700 108*1>100 110*240 109*16>110");
  grey_film_show (film, "100*700 108*1>110 110*240 109*16>110");
  grey_film_grow_old (other, "100*700 100*1 111*240 110*16>111 109*4>111");
  grey_film_show_often (other, 6,
      "100*700 108*1>100 111*240 110*16>111 109*4>111");
}

/* The age is 66 in the third frame, 33 · 7 = 231 in the eighth and 250 in the ninth. H
 * is ⌊60 · 66 · 128 / 32000⌋ = 15, less than 16, and ⌊60 · 231 · 128 / 32000⌋ = 55,
 * less than 56: the pixel leaves, and under 250 it does not wait. At 99, H is 23. */
static void
test_age (void)
{
  static const struct
  {
    guint n_before, other, shown;
  } cases[] = {
    {2, 101, 100}, {2, 102, 102}, {3, 102, 100}, {7, 107, 107}, {8, 120, 100}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = cases[i].other;
    g_autoptr (GreyFilm) film = grey_film_new ();

    grey_film_show_often (film, cases[i].n_before, "100*500 100*1 %u*500",
        other);
    grey_film_show (film, "100*500 %u*1>%u %u*500", other, cases[i].shown,
        other);
  }
}

/* A pixel that was back for a frame, or was offered what is not clearly nearer, waits
 * anew: for the third frame after that. */
static void
test_waits_anew (void)
{
  static const guint codes[] = {
    120, 120, 100, 120, 120, 107, 120, 120, 120
  };
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "100*500 100*1 120*200 107*200");
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++) {
    grey_film_show (film, "100*500 %u*1>%u 120*200 107*200", codes[i],
        i < 8 ? 100 : 120);
  }
}

/* In the first block 167 pixels are a code lighter, and one two codes: Y departs by
 * 169, e is 41, and H = ⌊60 · 99 · 87 / 32000⌋ = 16 at an age of 99, as far as 102. With
 * 168 pixels e is 42, and H 15. So it is in the second block, but not in the third. */
static void
test_unrest (void)
{
  for (guint more = 0; more < 2; more++) {
    const guint shown = more ? 102 : 100;
    g_autoptr (GreyFilm) film = grey_film_new ();

    grey_film_show_often (film, 3,
        "200*208 100*1 100*147 100*1 100*255 100*1 100*100 102*100");
    grey_film_show (film,
        "201*%u>200 200*%u 102*1>%u 100*147 102*1>%u 100*255 102*1>100 "
        "100*100 102*100", 167 + more, 41 - more, shown, shown);
  }
}

/* 253 pixels of the first block become two codes lighter, and e is 128: of two others
 * that have been waiting for a frame the one that changes, to 121, leaves at once. The
 * other, whose alpha alone changes, waits for the third frame. */
static void
test_unrest_is_of_change (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "100*2 100*253 100*245 120*300");
  grey_film_show (film, "120*2>100 100*253 100*245 120*300");
  grey_film_paint (film, "121*1 120*1 102*253 100*245 120*300");
  film->picture[4 + 3] = 9;
  grey_film_show_picture (film);
  g_assert_cmpuint (film->shown[0], ==, 120);
  g_assert_cmpuint (film->shown[4], ==, 100);
  g_assert_cmpuint (film->shown[4 + 3], ==, 9);
  grey_film_show (film, "121*1>120 120*1 102*253 100*245 120*300");
}

/* Bins are merged to four, 50, 54, 100 and 110. Distances are as before: 56 eighths of a
 * bin from 101 to 108, and 64 to 109. */
static void
test_merged (void)
{
  for (guint other = 108; other < 110; other++) {
    g_autoptr (GreyFilm) film = grey_film_new ();

    film->settings.bin_capacity = 4;
    grey_film_grow_old (film, "101*300 101*1 %u*300 200*9 201*8>200 220*9",
        other);
    g_assert_cmpuint (film->stats.n_merges, ==, 1);
    grey_film_show_often (film, 2,
        "101*300 %u*1>101 %u*300 200*9 201*8>200 220*9", other, other);
    grey_film_show (film, "101*300 %u*1>%u %u*300 200*9 201*8>200 220*9", other,
        other == 108 ? 101 : 109, other);
  }
}

/* A pixel that was not counted for a frame keeps its bytes, and has forgotten its
 * mode. */
static void
test_alpha (void)
{
  static const guint8 transparent[] = { 33, 34, 35, 0 };
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "100*700 120*300");
  memcpy (film->picture, transparent, 4);
  grey_film_show_picture (film);
  g_assert_cmpmem (film->shown, 4, transparent, 4);
  g_assert_cmpuint (film->stats.n_bins, ==, 2);
  grey_film_show (film, "120*1 100*699 120*300");
}

void
test_reference_add_pixel_modes (void)
{
  g_test_add_func ("/pixel-modes/hesitation", test_hesitation);
  g_test_add_func ("/pixel-modes/waiting", test_waiting);
  g_test_add_func ("/pixel-modes/both-distances", test_both_distances);
  g_test_add_func ("/pixel-modes/age", test_age);
  g_test_add_func ("/pixel-modes/waits-anew", test_waits_anew);
  g_test_add_func ("/pixel-modes/unrest", test_unrest);
  g_test_add_func ("/pixel-modes/unrest-is-of-change",
      test_unrest_is_of_change);
  g_test_add_func ("/pixel-modes/merged", test_merged);
  g_test_add_func ("/pixel-modes/alpha", test_alpha);
}
