/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where modes are, and how they come and go: steps 4, 5, 6 and 8 of
 * docs/internals/temporal.md. */
#include "test_reference.h"
#include "grey_film.h"
#include "reference_modes.h"

static void
assert_place (ReferencePlace place, gint64 a, gint64 b, gint64 L)
{
  g_assert_cmpint (place.a, ==, a);
  g_assert_cmpint (place.b, ==, b);
  g_assert_cmpint (place.L, ==, L);
}

/* x + ⌊((y − x)·ρ + 2048) / 4096⌋: 256 · 2040 / 4096 = 127.5, up; 256 · 2039 /
 * 4096 = 127.4; −127.5, up. */
static void
test_approach (void)
{
  g_assert_cmpint (reference_approach (10, 266, 2040), ==, 138);
  g_assert_cmpint (reference_approach (10, 266, 2039), ==, 137);
  g_assert_cmpint (reference_approach (0, -256, 2040), ==, -127);
  g_assert_cmpint (reference_approach (5, 77, 4096), ==, 77);
  /* 4096 · 1 / (1 + 2) = 1365.3 */
  g_assert_cmpint (reference_part (1, 2), ==, 1365);
}

static void
test_distance (void)
{
  const ReferencePlace p = { 1, 2, 3 }, q = { 3, 5, -3 };

  /* 2² + 3² + 6² */
  g_assert_cmpint (reference_places_distance_squared (p, q), ==, 49);
}

/* 8·2^l·i + 4·(2^l − 1) for l mergings */
static void
test_middle (void)
{
  const ReferencePlace bin = { -1, 0, 3 };
  ReferenceBins bins = {.n_merges = 0};

  assert_place (reference_bins_middle (&bins, bin), -8, 0, 24);
  bins.n_merges = 1;
  assert_place (reference_bins_middle (&bins, bin), -12, 4, 52);
  bins.n_merges = 2;
  assert_place (reference_bins_middle (&bins, bin), -20, 12, 108);
}

/* Blue is at L, a, b of 29623, −2127, −20416 (Oklab's 0.452014, −0.032457,
 * −0.311528 times 65536), the pitch is 437. Home: ⌊(29623 + 218) / 437⌋ = 68,
 * ⌊−1909 / 437⌋ = −5, ⌊−20198 / 437⌋ = −47. Place: ⌊8 · 29623 / 437⌋ = 542,
 * ⌊−38.9⌋ = −39, ⌊−373.8⌋ = −374. */
static void
test_show (void)
{
  static const guint8 blue[] = { 0, 0, 255, 255 };
  const ReferencePaletteSettings settings = {.radius = 0.02};
  ReferenceMode mode = {.colour = {127, 0, 255 * 256 - 128}};
  ReferenceBins bins;

  reference_bins_init (&bins, &settings, 10, blue, 1);
  reference_mode_show (&mode, &bins);
  g_assert_cmpmem (mode.shown, 3, blue, 3);
  assert_place (mode.home, -5, -47, 68);
  assert_place (mode.at, -39, -374, 542);
  reference_bins_clear (&bins);
}

static GArray *
modes_at (const gint64 * lightness, guint n)
{
  GArray *modes = reference_modes_new ();

  for (guint i = 0; i < n; i++) {
    const ReferenceMode mode = {.exists = TRUE, .at = {0, 0, lightness[i]}};

    g_array_append_val (modes, mode);
  }
  return modes;
}

/* Places 10, 20, 30 and 16: 15 is nearest to 16, as near to 10 and 20, and nearest
 * to 20 where 10 is gone. */
static void
test_nearest (void)
{
  static const gint64 lightness[] = { 10, 20, 30, 16 };
  const ReferencePlace place = { 0, 0, 15 };
  g_autoptr (GArray) modes = modes_at (lightness, 4);

  g_assert_cmpint (reference_modes_find_nearest (modes, 9, place), ==, 3);
  g_assert_cmpint (reference_modes_find_nearest (modes, 3, place), ==, 0);
  reference_modes_get (modes, 0)->exists = FALSE;
  g_assert_cmpint (reference_modes_find_nearest (modes, 3, place), ==, 1);
  g_assert_cmpint (reference_modes_find_nearest (modes, 1, place), ==,
      REFERENCE_NO_MODE);
}

/* Slot 1 has become free in this frame, slot 2 was before; there are four. The mean
 * is ⌊(2·3 + 2) / 4⌋ = 2. */
static void
test_add (void)
{
  static const gint64 lightness[] = { 10, 20, 30 };
  static const guint8 pixel[4] = { 1, 1, 1, 255 };
  const ReferenceBin summit = {.n = 2, .sum = {3, 3, 3}};
  g_autoptr (GArray) modes = modes_at (lightness, 3);
  ReferenceBins bins;

  reference_bins_init (&bins, &grey_bin_per_code, 10, pixel, 1);
  reference_modes_get (modes, 1)->exists = FALSE;
  reference_modes_get (modes, 2)->exists = FALSE;
  reference_modes_get (modes, 2)->was_free = TRUE;
  g_assert_cmpint (reference_modes_add (modes, 4, &bins, &summit), ==, 2);
  g_assert_cmpint (reference_modes_get (modes, 2)->colour[1], ==, 512);
  assert_place (reference_modes_get (modes, 2)->home, 0, 0, 2);
  g_assert_cmpint (reference_modes_add (modes, 4, &bins, &summit), ==, 3);
  g_assert_cmpint (reference_modes_add (modes, 4, &bins, &summit), ==,
      REFERENCE_NO_MODE);
  reference_bins_clear (&bins);
}

/* --- step 4 --- */

/* 6·10⁸·σ is 300 ms. ρ is ⌊4096 · 298 / 598⌋ = 2041 in 298 ms, and 256 · 2041 /
 * 4096 = 127.6 is half a code; in 297 ms it is 2037, and 127.3 is less. */
static void
test_glide (void)
{
  for (guint ms = 297; ms < 299; ms++) {
    const guint shown = ms == 297 ? 100 : 101;
    g_autoptr (GreyFilm) film = grey_film_new ();

    grey_film_show (film, "100*700 150*300");
    film->interval = ms * MS;
    grey_film_show (film, "101*699>%u 100*1>%u 150*300", shown, shown);
  }
}

/* The mean around 100 is (32 · 99 + 32 · 100 + 576 · 101) / 640 = 100.85. With 97 it
 * would be 100.2. */
static void
test_mean_around (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  film->settings.stability = HARDLY_STABLE;
  grey_film_show (film, "100*640 97*128");
  grey_film_show (film, "99*32>101 100*32>101 101*576 97*128");
}

/* --- step 5 --- */

/* Bins are merged twice: 101 and 103 are in 25, which no pixel is in, and stay apart.
 * 200 and 202 are in 50, which is occupied: the first slot stays. The others are 12
 * and 30. */
static void
test_meet (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "50*700 101*1 103*1 200*1 202*1 120*200");
  film->settings.bin_capacity = 3;
  grey_film_show (film, "50*700 50*1>101 50*1>103 200*1 202*1>200 120*200");
  g_assert_cmpuint (film->stats.n_merges, ==, 2);
  g_assert_cmpuint (film->stats.n_held, ==, 5);
}

/* Where 100 and 102 meet slot 1 becomes free, but not for 200 in this frame. */
static void
test_slot_of_who_met (void)
{
  static const gchar merged[] = "100*300 102*300>100 200*300";
  g_autoptr (GreyFilm) film = grey_film_new_full (64, 2);

  grey_film_show (film, "100*300 102*300 200*300");
  film->settings.bin_capacity = 2;
  grey_film_show (film, merged);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  grey_film_show (film, merged);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
}

/* --- step 6 --- */

/* The summit 101 is as near to 100 as to 102: it belongs to 100, the first in order,
 * though in the later slot. The last pixel, of which there was none, shows it. */
static void
test_first_of_near (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_show (film, "102*300 200*300");
  grey_film_show (film, "102*300 200*300 100*300");
  grey_film_show (film,
      "102*1 101*299>102 200*300 100*1 101*299>100 101*1>100");
  g_assert_cmpuint (film->stats.n_held, ==, 3);
}

/* 100 and 101 are as dense as each other, two summits with a mode each. Each has the
 * nearest, that at home, though 100 comes first in order. */
static void
test_nearest_home (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_show (film, "101*300 100*300");
  grey_film_show (film, "101*300 100*300 101*1 100*1");
}

/* The summit 151 is beside 150, where no pixel is any more: it becomes a mode, which
 * the last pixel shows. The others do not leave for a code of difference. */
static void
test_home_not_occupied (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "150*10 50*600");
  grey_film_show (film, "151*10>150 50*600 151*1");
}

/* There are two slots: 150 is left over, shows what it is in each frame, and a pixel
 * that comes to it holds nothing at once. When 50 is gone its slot is free in the
 * frame behind. */
static void
test_strays (void)
{
  static const gchar third[] = "100*300 151*301";
  g_autoptr (GreyFilm) film = grey_film_new_full (64, 2);

  grey_film_grow_old (film, "100*300 100*1 150*300 50*300");
  g_assert_cmpuint (film->stats.n_summits, ==, 3);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  grey_film_show (film, "100*300 151*1 151*300 50*300");
  grey_film_show (film, third);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  grey_film_show (film, third);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
}

/* --- step 8 --- */

/* There are two slots. In a young film the pixel of 150 leaves it at once: then it is
 * gone, and 180 finds its slot. */
static void
test_goes (void)
{
  g_autoptr (GreyFilm) film = grey_film_new_full (64, 2);

  grey_film_show (film, "150*1 100*300");
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  grey_film_show (film, "100*1 100*300");
  grey_film_show (film, "100*1 100*300 180*1");
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
}

/* 107 is not far enough from 100 for its pixels to leave, so that no pixel holds its
 * mode, but its summit belongs to it. Two go on to 108, and leave in the third frame for
 * that mode, which has come three tenths nearer at most. */
static void
test_stays_with_summit (void)
{
  g_autoptr (GreyFilm) film = grey_film_new ();

  grey_film_grow_old (film, "100*600 100*3");
  grey_film_show_often (film, 2, "100*600 107*3>100");
  g_assert_cmpuint (film->stats.n_held, ==, 1);
  grey_film_show_often (film, 2, "100*600 108*2>100 107*1>100");
  grey_film_show (film, "100*600 108*2>107 107*1>100");
}

void
test_reference_add_modes (void)
{
  g_test_add_func ("/modes/approach", test_approach);
  g_test_add_func ("/modes/distance", test_distance);
  g_test_add_func ("/modes/middle", test_middle);
  g_test_add_func ("/modes/show", test_show);
  g_test_add_func ("/modes/nearest", test_nearest);
  g_test_add_func ("/modes/add", test_add);
  g_test_add_func ("/modes/glide", test_glide);
  g_test_add_func ("/modes/mean-around", test_mean_around);
  g_test_add_func ("/modes/meet", test_meet);
  g_test_add_func ("/modes/slot-of-who-met", test_slot_of_who_met);
  g_test_add_func ("/modes/first-of-near", test_first_of_near);
  g_test_add_func ("/modes/nearest-home", test_nearest_home);
  g_test_add_func ("/modes/home-not-occupied", test_home_not_occupied);
  g_test_add_func ("/modes/strays", test_strays);
  g_test_add_func ("/modes/goes", test_goes);
  g_test_add_func ("/modes/stays-with-summit", test_stays_with_summit);
}
