/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours that may not move farther than a number of radii, against the oracle. */
#include "gpu/core/rounding.h"
#include "gpu/palette/live/live.h"
#include "palette_tests.h"
#include "temporal_fixture.h"

#include <string.h>

PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", leash_lengths)
{
  static const gdouble lengths[] = { 0.1, 1, 1.5, 2, 2.5, 16 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    film->settings.making.max_shift = lengths[i];
    film->n_leashed = 0;
    temporal_check_noise (film, "blobs", i % 2 ? 0.015 : 0.01, i % 3 == 2, 0.5);
    g_assert_cmpint (film->n_leashed > 0, ==, lengths[i] < 16);
  }
}

/* With a limit that keeps the radius, as for indexes: slots for all bins that stray and need
 * one, or not. */
PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", leash_indexes)
{
  static const gdouble lengths[] = { 1, 1, 0, 1.5 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film->settings.making.keeps_radius = TRUE;
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++) {
    film->settings.making.limit = i % 2 ? 256 : 60;
    film->settings.making.max_shift = lengths[i];
    film->n_leashed = 0;
    temporal_check_noise (film, "blobs", i % 2 ? 0.05 : 0.015, i == 3, 0.5);
    g_assert_cmpint (film->n_leashed > 0, ==, lengths[i] > 0);
  }
}

/* Without stability, in a film in which the length changes, and without any in between. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", leash_changes)
{
  static const gdouble lengths[] = { 2, 0, 2, 3, 1, 0, 0, 2 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film_take_picture (film, "blobs", 3);
  for (guint i = 0; i < 4 * G_N_ELEMENTS (lengths); i++) {
    film->settings.making.max_shift = lengths[i / 2 % G_N_ELEMENTS (lengths)];
    film->settings.motion.stability =
        i < 2 * G_N_ELEMENTS (lengths) ? 0.5 : i % 3 * 0.2;
    temporal_add_noise (film, i % 5 ? 100 : 0);
    temporal_show_again (film, "changes");
  }
  g_assert_cmpuint (film->n_leashed, >, 0);
}

/* There are slots for all summits, but not for all cells; in the second round not for all
 * summits. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", leash_slots)
{
  static const guint capacities[] = { 840, 600 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    const GpuPaletteTuning tuning = {.mode_capacity = capacities[i]};
    g_autoptr (Film) film = temporal_film_new_of (engine_new (GPU_PALETTE_LIVE,
            WIDTH, HEIGHT), capacities[i]);

    engine_tune (film->engine, &tuning);
    film->settings.making.max_shift = 1;
    film_take_picture (film, "blobs", 4);
    temporal_show (film, "slots");
    g_assert_cmpuint (film->n_leashed, >, 0);
    g_assert_cmpint (film->n_strays > 0, ==, i == 1);
    temporal_show_often (film, "slots", 4);
  }
}

/* Many modes, and then hardly a bin to work on them with. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", leash_few_bins)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film->settings.making.max_shift = 1;
  film_take_picture (film, "blobs", 7);
  temporal_show_often (film, "many", 3);
  memset (film->rgba, 90, 4 * film_n_pixels (film));
  for (guint i = 0; i < 3; i++) {
    film->rgba[4 * i] += 40;
    temporal_show_again (film, "few");
  }
}

/* bin_list.comp empties so many cells for each word of the bitmap of bins. */
PALETTE_TEST (TESTS_OTHERS, "/live/", leash_cells)
{
  for (gdouble radius = 0.005; radius < 1.73; radius *= 1.01)
    for (gdouble chroma = 0.5; chroma <= 3; chroma += 0.25) {
      struct LiveState state;
      TemporalLeash leash;
      const guint words = gpu_palette_geometry_fill (&state, radius, chroma);

      gpu_palette_leash_fill (&leash, &state.grid, 1);
      g_assert_cmpuint (words, >, state.grid.words[0]);
      g_assert_cmpuint (leash.cells, <=,
          CELLS_PER_WORD * ROUND_UP (state.grid.words[0], 256));
    }
}

/* Cells of merged bins. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", leash_merging)
{
  static const guint capacities[] = { 1500, 1000 };

  for (guint i = 0; i < G_N_ELEMENTS (capacities); i++) {
    const GpuPaletteTuning tuning = {.bin_capacity = capacities[i]};
    g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

    engine_tune (film->engine, &tuning);
    film->settings.making.max_shift = 1;
    film_take_picture (film, "blobs", 6);
    temporal_show_often (film, "merging", 4);
    g_assert_cmpuint (film->merges, ==, 2 << i);
    g_assert_cmpuint (film->n_leashed, >, 0);
  }
}

TEMPORAL_TEST (TESTS_OTHERS, leash_held, AS_IT_COMES | KEPT_EVEN | KEPT_ODD)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 5);
  temporal_show_often (film, "before", 3);
  film_take_picture (film, "blobs", 5);
  temporal_show_often (film, "after", 3);
  film->settings.motion.hold ^= TRUE;
  temporal_show_often (film, "released or held", 3);
}
