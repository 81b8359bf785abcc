/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine of quality=live where colours of several frames are counted,
 * or rare ones attract nothing, against the oracle, byte for byte. */
#include "live_window_fixture.h"
#include "palette_tests.h"
#include "reference_live.h"

#include <string.h>

/* Longer windows take most of the time: every other length stands for all. */
static void
check_lengths (gdouble stability)
{
  static const guint min_frequencies[] = { 1, 2, 7, 20 };

  for (guint history = 1; history <= 5; history += palette_is_full ? 1 : 2) {
    g_autoptr (Film) film = window_film_new (PADDED_WIDTH, HEIGHT);

    film->settings.counting.history = history;
    film->settings.motion.stability = stability;
    for (guint i = 0; i < history + 6; i++) {
      film->settings.making.weighting = i % 2;
      film->settings.making.min_frequency =
          min_frequencies[(history + i / 2) % G_N_ELEMENTS (min_frequencies)];
      window_show_pictures (film, "length", 1);
    }
    g_assert_cmpuint (film->n_without_colour, >, 0);
  }
}

PALETTE_TEST (TESTS_ESSENTIAL, "/live-window/", lengths)
{
  check_lengths (0);
}

PALETTE_TEST (TESTS_ESSENTIAL, "/live-window/", lengths_steady)
{
  check_lengths (0.5);
}

/* Where nothing attracts anything, only a palette that is kept or given does. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live-window/", nothing_attracts)
{
  static const gdouble stabilities[] = { 0, 0.5 };

  for (guint i = 0; i < G_N_ELEMENTS (stabilities); i++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = stabilities[i];
    film->settings.making.min_frequency = 1000000;
    window_show_pictures (film, "nothing attracts", 3);
    g_assert_cmpuint (film->engine->report.made.output_colours, ==, 0);
    film->settings.motion.hold = TRUE;
    window_show_pictures (film, "nothing to hold", 2);
    film->settings.making.min_frequency = 1;
    window_show_pictures (film, "something to hold", 1);
    film->settings.making.min_frequency = 1000000;
    window_show_pictures (film, "nothing attracts, held", 2);
    film->settings.making.given.n_colours = 3;
    window_show_pictures (film, "nothing attracts, given", 2);
    film->settings.making.given.n_colours = 0;
    film->settings.motion.hold = FALSE;
    film->settings.making.min_frequency = 40;
    window_show_pictures (film, "some attract", 3);
  }
}

/* All go to as many, rare ones too; and nobody to any where all are rare. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live-window/", number_of_colours)
{
  static const guint min_frequencies[] = { 1000000, 1, 12, 40, 1000000 };

  for (guint s = 0; s < 2; s++) {
    g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

    film->settings.motion.stability = s * 0.5;
    film->settings.making.limit = 7;
    for (guint i = 0; i < 2 * G_N_ELEMENTS (min_frequencies); i++) {
      film->settings.making.min_frequency = min_frequencies[i / 2];
      film->settings.counting.history = i % 3 + 1;
      film->settings.motion.hold = s && i > 7;
      window_show_pictures (film, "number of colours", 1);
    }
  }
}

/* Cells of several frames are more than a frame has pixels. */
PALETTE_TEST (TESTS_OTHERS, "/live-window/", many_cells)
{
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

  film->settings.making.radius = 0.005;
  film->settings.counting.history = 1;
  for (guint i = 0; i < 12; i++) {
    if (i == 2 || i == 6)
      film->settings.counting.history += 3;
    film->settings.making.weighting = i % 2;
    film->settings.motion.stability = i % 3 ? 0.5 : 0;
    film_take_picture (film, "noise", g_rand_int (film->random));
    window_show (film, "many cells");
  }
  g_assert_cmpuint (film->engine->report.counted.bins, >, 2 * WIDTH * HEIGHT);
}

PALETTE_TEST (TESTS_OTHERS, "/live-window/", merging)
{
  g_autoptr (Film) film = window_film_new (WIDTH, HEIGHT);

  engine_tune (film->engine, &(GpuPaletteTuning) {.bin_capacity = 1200,
    .slice = 256});
  film->settings.making.radius = 0.02;
  film->settings.counting.history = 2;
  for (guint i = 0; i < 12; i++) {
    film->settings.making.weighting = i % 2;
    film->settings.making.min_frequency = i % 3;
    film->settings.motion.stability = i % 4 ? 0.5 : 0;
    film_take_picture (film, i < 4 ? "blobs" : "noise",
        g_rand_int (film->random));
    window_show (film, "merging");
  }
  g_assert_cmpuint (film->merges, ==, 7);
}

/* What large windows are cut into several dispatches for. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live-window/", slices)
{
  g_autoptr (Film) film = window_film_new (200, 90);

  engine_tune (film->engine, &(GpuPaletteTuning) {.slice = 256});
  film->settings.making.radius = 0.02;
  for (guint i = 0; i < 5; i++) {
    film->settings.motion.stability = i % 2 ? 0.5 : 0;
    film_take_picture (film, "noise", g_rand_int (film->random));
    window_show (film, "slices");
  }
}

static void
fill (guint8 * rgba, gsize n, const guint8 * pixel)
{
  for (gsize i = 0; i < n; i++)
    memcpy (rgba + 4 * i, pixel, 4);
}

#define N_HEAVY 20

/* Colours so often that sums of component @high exceed a word, with what one of two
 * adds alone, or with both. The oracle sees frames of one pixel, which have the same
 * shares. */
static void
check_wide_sums (guint high, gboolean alone)
{
  const guint size = 1024, n = size * size;
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, size, size);
  const GpuPaletteSettings settings = {.making.radius = 0.2,
    .quality = GPU_PALETTE_LIVE, .counting.history = N_HEAVY};
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &settings);
  g_autofree guint8 *rgba = g_malloc (4 * n);
  g_autofree guint8 *got = NULL;
  guint8 counted[4 * N_HEAVY], expected[4];
  const ReferencePixels window = { counted, N_HEAVY }, input = { rgba, 1 };

  for (guint frame = 0; frame < N_HEAVY; frame++) {
    fill (counted + 4 * frame, 1, (guint8[]) {80, 80, 80, 255});
    counted[4 * frame + high] =
        alone ? frame < 17 ? 255 : 249 : 253 + frame % 2 * 2;
    fill (rgba, n, counted + 4 * frame);
    g_free (got);
    got = engine_run (engine, &settings, rgba);
  }
  reference_live_from (&wanted, REFERENCE_LIVE_CAPACITY, &window, &input,
      expected, NULL);
  g_assert_cmpuint (expected[high], ==, 254);
  fill (rgba, n, expected);
  compare_pixels ("wide sums", got, rgba, size, size);
}

PALETTE_TEST (TESTS_OTHERS, "/live-window/", wide_sums)
{
  for (guint high = palette_is_full ? 0 : 1; high < (palette_is_full ? 3 : 2);
      high++)
    check_wide_sums (high, high != 1);
}
