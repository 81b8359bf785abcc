/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that are counted together, by docs/internals/live.md, and what that means
 * for modes. */
#include "test_reference.h"
#include "grey_film.h"

static GreyFilm *
film_new (gdouble stability, guint history)
{
  GreyFilm *film = grey_film_new ();

  film->settings.stability = stability;
  film->settings.history = history;
  return film;
}

static void
show_grey (GreyFilm * film, guint code, guint shown)
{
  grey_film_show (film, "%u*256>%u", code, shown);
}

/* A grey beside another goes to that which more of the last frames have: the
 * densities of 2 frames of 100 and one of 101 are 4·2 + 3 = 11 and 4 + 3·2 = 10. A
 * lower history drops the oldest at once, 0 is as 1. */
static void
test_window (void)
{
  static const struct
  {
    guint history, code, shown;
  } frames[] = {
    {3, 100, 100}, {3, 100, 100}, {3, 101, 100}, {3, 101, 101}, {3, 100, 101},
    {3, 100, 100}, {1, 101, 101}, {3, 100, 100}, {3, 100, 100}, {3, 101, 100},
    {2, 101, 101}, {0, 100, 100}
  };
  g_autoptr (GreyFilm) film = film_new (0, 3);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    film->settings.history = frames[i].history;
    show_grey (film, frames[i].code, frames[i].shown);
  }
}

/* A reset, another format, transfer function or size end a window; without modes, or
 * with another weighting, it goes on. */
static void
test_emptied (void)
{
  for (guint way = 0; way < 7; way++) {
    g_autoptr (GreyFilm) film = film_new (0, 3);

    show_grey (film, 100, 100);
    show_grey (film, 100, 100);
    if (way == 1)
      reference_temporal_reset (film->temporal);
    else if (way == 2)
      film->settings.format = 7;
    else if (way == 3)
      film->settings.palette.transfer = REFERENCE_TRANSFER_SRGB;
    else if (way == 4)
      film->height = 63;
    else if (way == 5)
      reference_temporal_forget_modes (film->temporal);
    else if (way == 6)
      film->settings.palette.weighting = REFERENCE_WEIGHTING_FREQUENCY;
    show_grey (film, 101, way > 0 && way < 5 ? 101 : 100);
  }
}

/* As many pixels in rows of another length are another size. */
static void
test_other_width (void)
{
  g_autoptr (GreyFilm) film = film_new (0, 3);
  const ReferencePicture wider = { film->picture, 32, 32 };

  show_grey (film, 100, 100);
  show_grey (film, 100, 100);
  grey_film_paint (film, "101*256");
  reference_temporal_frame (film->temporal, &film->settings, 0, &wider,
      film->shown, NULL);
  g_assert_cmpuint (film->shown[0], ==, 101);
}

/* Two of four blocks become 40 codes lighter, 20 on average: more than 0.05 · 255 =
 * 12.75. With 10 codes, 5 on average, the window goes on, and 101 goes to the 100 of
 * two frames. Only where modes are kept a cut is told. */
static void
test_cut (void)
{
  for (guint i = 0; i < 4; i++) {
    const gboolean is_cut = i % 2, is_stable = i / 2;
    const guint lighter = is_cut ? 50 : 20;
    g_autoptr (GreyFilm) film = film_new (is_stable * 0.5, 3);

    film->settings.scene_cut_threshold = 0.05;
    grey_film_show_often (film, 2, "100*512 10*512");
    grey_film_show (film, "101*512>%u %u*512", is_cut ? 101 : 100, lighter);
    g_assert_cmpint (film->stats.is_cut, ==, is_cut && is_stable);
  }
}

/* A summit that nothing weighs at has no mode, though one has its home beside it, but
 * in a held frame: there 104 has the nearest, 103. */
static void
test_rare_summits (void)
{
  for (guint held = 0; held < 2; held++) {
    g_autoptr (GreyFilm) film = film_new (0.5, 1);

    grey_film_show (film, "103*20 200*200");
    film->settings.hold = held;
    film->settings.palette.min_frequency = 3;
    grey_film_show (film, "103*1 104*1>%u 200*200", held ? 103 : 104);
    g_assert_cmpuint (film->stats.n_held, ==, 1 + held);
    g_assert_cmpuint (film->stats.n_strays, ==, 0);
  }
}

/* Nor does one become a mode where there is none to hold. */
static void
test_nothing_to_hold (void)
{
  g_autoptr (GreyFilm) film = film_new (0.5, 1);

  film->settings.hold = TRUE;
  film->settings.palette.min_frequency = 257;
  show_grey (film, 100, 100);
  g_assert_cmpuint (film->stats.n_held, ==, 0);
  film->settings.palette.min_frequency = 1;
  show_grey (film, 120, 120);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
}

/* A film stands still once the window is full and a frame leaves it that is as the one before.
 * With so little stability it is settled then. */
static void
test_unchanged (void)
{
  for (guint history = 2; history < 4; history++) {
    g_autoptr (GreyFilm) film = film_new (HARDLY_STABLE, history);

    grey_film_grow_old (film, "100*500 100*1 120*500");
    for (guint i = 0; i < 5; i++) {
      grey_film_show_again (film, "100*500 120*1 120*500");
      g_assert_cmpint (film->stats.is_settled, ==, i >= history);
    }
  }
}

/* While a window fills, equal frames change what is counted, and grow old: after ten
 * the pixel does not leave at once. */
static void
test_filling (void)
{
  g_autoptr (GreyFilm) film = film_new (0.5, 10);

  for (guint i = 0; i < 10; i++)
    grey_film_show_again (film, "100*500 100*1 120*500");
  grey_film_show_again (film, "100*500 120*1>100 120*500");
}

void
test_reference_add_window (void)
{
  g_test_add_func ("/window/window", test_window);
  g_test_add_func ("/window/emptied", test_emptied);
  g_test_add_func ("/window/other-width", test_other_width);
  g_test_add_func ("/window/cut", test_cut);
  g_test_add_func ("/window/rare-summits", test_rare_summits);
  g_test_add_func ("/window/nothing-to-hold", test_nothing_to_hold);
  g_test_add_func ("/window/unchanged", test_unchanged);
  g_test_add_func ("/window/filling", test_filling);
}
