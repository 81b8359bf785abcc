/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The oracles of quality=live where several frames are counted, or rare colours
 * attract nothing. */
#include "test_reference.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <string.h>

#define WIDTH 16
#define HEIGHT 16
#define N_PIXELS (WIDTH * HEIGHT)

/* With this transfer function the lightness of a grey is proportional to its
 * code. */
static gdouble
even_eotf (gdouble code)
{
  return code * code * code;
}

/* 65536 / 255 steps a code and a pitch of ⌊0.01176 · 65536 / 3 + 1/2⌋ = 257: the
 * coordinate of a grey's bin is its code. */
static const ReferencePaletteSettings bin_per_code = {
  .radius = 0.01176,.transfer = REFERENCE_TRANSFER_CUSTOM,.eotf = even_eotf
};

/* 1024 / 255 steps a code and a pitch of ⌊1024 / 3 + 1/2⌋ = 341: greys up to 42 are
 * in one bin. */
static const ReferencePaletteSettings many_in_a_bin = {
  .radius = 1,.transfer = REFERENCE_TRANSFER_CUSTOM,.eotf = even_eotf
};

/* --- pixels that are counted together --- */

/* So many pixels of a grey; 0 of them end a list. */
typedef struct
{
  guint code, n;
} Greys;

/* What becomes of a pixel of grey @code where these are counted. */
static guint
reduce (const ReferencePaletteSettings * settings, const Greys * greys,
    guint code, ReferenceLiveStats * stats)
{
  g_autoptr (GByteArray) counted = g_byte_array_new ();
  guint8 pixel[4] = { 0, 0, 0, 255 };

  for (; greys->n > 0; greys++) {
    memset (pixel, (gint) greys->code, 3);
    for (guint i = 0; i < greys->n; i++)
      g_byte_array_append (counted, pixel, sizeof pixel);
  }
  memset (pixel, (gint) code, 3);
  reference_live_from (settings, REFERENCE_LIVE_CAPACITY, counted->data,
      counted->len / 4, pixel, 1, pixel, stats);
  return pixel[0];
}

static void
test_counted (void)
{
  static const Greys greys[] = { {100, 4}, {101, 10}, {0, 0} };
  ReferenceLiveStats stats;

  g_assert_cmpuint (reduce (&bin_per_code, greys, 100, &stats), ==, 101);
  g_assert_cmpuint (stats.n_bins, ==, 2);
  g_assert_cmpuint (stats.n_output_colours, ==, 1);
}

/* From 3 pixels on a colour attracts. Around 101 there is most, but nobody goes
 * there; and who is there goes to the first of two as dense ones. */
static void
test_rare_between (void)
{
  static const Greys greys[] = { {100, 10}, {101, 2}, {102, 10}, {0, 0} };
  ReferencePaletteSettings settings = bin_per_code;
  ReferenceLiveStats stats;

  for (guint code = 100; code <= 102; code++)
    g_assert_cmpuint (reduce (&settings, greys, code, &stats), ==, 101);
  settings.min_frequency = 3;
  g_assert_cmpuint (reduce (&settings, greys, 100, &stats), ==, 100);
  g_assert_cmpuint (reduce (&settings, greys, 101, &stats), ==, 100);
  g_assert_cmpuint (reduce (&settings, greys, 102, &stats), ==, 102);
  g_assert_cmpuint (stats.n_bins, ==, 3);
  g_assert_cmpuint (stats.n_summits, ==, 2);
}

/* Each next to one that is rare too: they do not go on from there. */
static void
test_rare_alone (void)
{
  static const Greys greys[] =
      { {50, 2}, {100, 10}, {102, 2}, {103, 2}, {200, 1}, {0, 0} };
  ReferencePaletteSettings settings = bin_per_code;
  ReferenceLiveStats stats;

  settings.min_frequency = 3;
  for (guint i = 0; greys[i].n > 0; i++)
    g_assert_cmpuint (reduce (&settings, greys, greys[i].code, &stats), ==,
        greys[i].code);
  g_assert_cmpuint (stats.n_summits, ==, 5);
  g_assert_cmpuint (stats.n_output_colours, ==, 1);
}

/* Colours are rare, not bins. */
static void
test_rare_among_others (void)
{
  static const Greys greys[] = { {10, 6}, {20, 2}, {30, 2}, {0, 0} };
  ReferencePaletteSettings settings = many_in_a_bin;
  ReferenceLiveStats stats;

  /* (6 · 10 + 2 · 20 + 2 · 30) / 10 */
  g_assert_cmpuint (reduce (&settings, greys, 30, &stats), ==, 16);
  settings.weighting = REFERENCE_WEIGHTING_PALETTE;
  g_assert_cmpuint (reduce (&settings, greys, 30, &stats), ==, 20);
  for (guint weighting = 0; weighting < 2; weighting++) {
    settings.weighting = weighting;
    settings.min_frequency = 3;
    g_assert_cmpuint (reduce (&settings, greys, 30, &stats), ==, 10);
    settings.min_frequency = 2;
    g_assert_cmpuint (reduce (&settings, greys, 30, &stats), ==,
        weighting ? 20 : 16);
    settings.min_frequency = 7;
    g_assert_cmpuint (reduce (&settings, greys, 30, &stats), ==, 30);
  }
}

/* --- films --- */

typedef struct
{
  ReferenceTemporal *temporal;
  ReferenceTemporalSettings settings;
  guint8 picture[4 * N_PIXELS], shown[4 * N_PIXELS];
  ReferenceTemporalStats stats;
} Film;

static Film *
film_new (gdouble stability, guint history)
{
  Film *film = g_new0 (Film, 1);

  film->temporal = reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  film->settings.palette = bin_per_code;
  film->settings.bin_capacity = REFERENCE_LIVE_CAPACITY;
  film->settings.stability = stability;
  film->settings.history = history;
  memset (film->picture, 255, sizeof film->picture);
  return film;
}

static void
film_free (Film * film)
{
  reference_temporal_free (film->temporal);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* Pixels @from up to @to are greys of @code. */
static void
fill (Film * film, guint from, guint to, guint code)
{
  for (guint i = from; i < to; i++)
    memset (film->picture + 4 * i, (gint) code, 3);
}

static void
show (Film * film)
{
  reference_temporal_frame (film->temporal, &film->settings, 0, film->picture,
      WIDTH, HEIGHT, film->shown, &film->stats);
}

/* A frame of one grey. */
static void
show_grey (Film * film, guint code)
{
  fill (film, 0, N_PIXELS, code);
  show (film);
}

static guint
code_of (const Film * film, guint pixel)
{
  return film->shown[4 * pixel];
}

/* A grey that more of the frames have attracts. */
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
  g_autoptr (Film) film = film_new (0, 3);

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    film->settings.history = frames[i].history;
    show_grey (film, frames[i].code);
    g_assert_cmpuint (code_of (film, 0), ==, frames[i].shown);
  }
}

/* What ends a window, and what does not. */
static void
test_emptied (void)
{
  for (guint way = 0; way < 6; way++) {
    g_autoptr (Film) film = film_new (0, 3);

    show_grey (film, 100);
    show_grey (film, 100);
    if (way == 1)
      reference_temporal_reset (film->temporal);
    else if (way == 2)
      film->settings.format = 7;
    else if (way == 3)
      film->settings.palette.transfer = REFERENCE_TRANSFER_SRGB;
    else if (way == 4)
      reference_temporal_forget_modes (film->temporal);
    else if (way == 5)
      film->settings.palette.weighting = REFERENCE_WEIGHTING_FREQUENCY;
    show_grey (film, 101);
    g_assert_cmpuint (code_of (film, 0), ==, way > 0 && way < 4 ? 101 : 100);
  }
}

/* Another size is none of a window's, though it has as many pixels. */
static void
test_other_size (void)
{
  g_autoptr (Film) film = film_new (0, 3);

  show_grey (film, 100);
  show_grey (film, 100);
  fill (film, 0, N_PIXELS, 101);
  reference_temporal_frame (film->temporal, &film->settings, 0, film->picture,
      2 * WIDTH, HEIGHT / 2, film->shown, NULL);
  g_assert_cmpuint (code_of (film, 0), ==, 101);
}

/* Of one half 100 becomes 101, which more of the frames do not have. The other
 * becomes 40 or 10 codes lighter: all of it by more than 13, which is a twentieth of
 * 255, or less. */
static void
test_cut (void)
{
  for (guint i = 0; i < 8; i++) {
    const gboolean is_light = i % 2, has_cuts = i / 2 % 2;
    g_autoptr (Film) film = film_new (i / 4 * 0.5, 3);

    film->settings.scene_cut_threshold = has_cuts ? 0.05 : 0;
    fill (film, 0, N_PIXELS / 2, 100);
    fill (film, N_PIXELS / 2, N_PIXELS, 10);
    show (film);
    show (film);
    fill (film, 0, N_PIXELS / 2, 101);
    fill (film, N_PIXELS / 2, N_PIXELS, is_light ? 50 : 20);
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, is_light && has_cuts ? 101 : 100);
    g_assert_cmpuint (film->stats.is_cut, ==, i > 4 && is_light && has_cuts);
  }
}

/* 104 is beside the home of a mode, 103, that is occupied. With too few pixels it
 * gets none, but of a palette that is held. */
static void
test_rare_summits (void)
{
  for (guint held = 0; held < 2; held++) {
    g_autoptr (Film) film = film_new (0.5, 1);

    fill (film, 0, 20, 103);
    show (film);
    g_assert_cmpuint (film->stats.n_held, ==, 2);
    film->settings.hold = held;
    film->settings.palette.min_frequency = 3;
    fill (film, 0, 20, 255);
    fill (film, 0, 1, 103);
    fill (film, 1, 2, 104);
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, 103);
    g_assert_cmpuint (code_of (film, 1), ==, held ? 103 : 104);
    g_assert_cmpuint (film->stats.n_held, ==, held ? 2 : 1);
    g_assert_cmpuint (film->stats.n_strays, ==, 0);
  }
}

/* Nothing becomes a mode that a palette could be kept of. */
static void
test_nothing_to_hold (void)
{
  g_autoptr (Film) film = film_new (0.5, 1);

  film->settings.hold = TRUE;
  film->settings.palette.min_frequency = N_PIXELS + 1;
  show_grey (film, 100);
  g_assert_cmpuint (code_of (film, 0), ==, 100);
  g_assert_cmpuint (film->stats.n_held, ==, 0);
  film->settings.palette.min_frequency = 1;
  show_grey (film, 120);
  g_assert_cmpuint (code_of (film, 0), ==, 120);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
}

/* Frames like the one before change nothing once such a one leaves the window. A
 * pixel leaves in the third frame that does not, so that it needs three in it. */
static void
test_unchanged (void)
{
  for (guint history = 1; history <= 4; history++) {
    g_autoptr (Film) film = film_new (0.5, history);

    for (guint i = 0; i < 12; i++) {
      fill (film, 0, N_PIXELS / 2, 100);
      fill (film, N_PIXELS / 2, N_PIXELS, 120);
      /* None is as the one before. */
      fill (film, N_PIXELS - 1, N_PIXELS, i % 2 ? 180 : 190);
      show (film);
    }
    fill (film, 5, 6, 120);
    for (guint i = 0; i < 8; i++) {
      show (film);
      g_assert_cmpuint (code_of (film, 5), ==,
          history >= 3 && i >= 2 ? 120 : 100);
    }
  }
}

/* While a window fills, frames that are the same change what is counted: they grow
 * old. A pixel that others would leave at once stays. */
static void
test_filling (void)
{
  g_autoptr (Film) film = film_new (0.5, 10);

  fill (film, 0, N_PIXELS / 2, 100);
  fill (film, N_PIXELS / 2, N_PIXELS, 120);
  for (guint i = 0; i < 10; i++)
    show (film);
  fill (film, 5, 6, 120);
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 100);
}

void
test_reference_add_window (void)
{
  g_test_add_func ("/window/counted", test_counted);
  g_test_add_func ("/window/rare-between", test_rare_between);
  g_test_add_func ("/window/rare-alone", test_rare_alone);
  g_test_add_func ("/window/rare-among-others", test_rare_among_others);
  g_test_add_func ("/window/window", test_window);
  g_test_add_func ("/window/emptied", test_emptied);
  g_test_add_func ("/window/other-size", test_other_size);
  g_test_add_func ("/window/rare-summits", test_rare_summits);
  g_test_add_func ("/window/nothing-to-hold", test_nothing_to_hold);
  g_test_add_func ("/window/cut", test_cut);
  g_test_add_func ("/window/unchanged", test_unchanged);
  g_test_add_func ("/window/filling", test_filling);
}
