/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels that choose by the bins of pixels beside them, against the oracle, byte for byte. */
#include "palette_tests.h"
#include "temporal_fixture.h"

static Film *
coherent_film_new (guint width, guint height)
{
  Film *film = temporal_film_new (width, height);

  film->settings.making.coherence = 0.5;
  return film;
}

/* Frames by themselves go through the steps with modes, too. */
PALETTE_TEST (TESTS_OTHERS, "/coherence/", alone)
{
  static const gdouble radii[] = { 0.001, 0.01, 0.02, 0.05, 0.3 };
  static const gdouble coherences[] = { 0.01, 0.2, 0.5, 1 };
  g_autoptr (Film) film = coherent_film_new (WIDTH, HEIGHT);

  film->settings.motion.stability = 0;
  film->counts_steadied = TRUE;
  for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
    for (guint c = 0; c < G_N_ELEMENTS (coherences); c++) {
      film->settings.making.radius = radii[r];
      film->settings.making.coherence = coherences[c];
      film->settings.making.weighting = (r + c) % 2;
      film->settings.making.chroma = c;
      film_take_picture (film, r % 2 ? "blobs" : "alpha-noise", c);
      temporal_show_often (film, "alone", 2);
      temporal_show_again (film, "alone");
    }
  g_assert_cmpuint (film->n_steadied, >, 1000);
}

TEMPORAL_TEST (TESTS_OTHERS, coherence,
    AS_IT_COMES | HELD | KEPT_EVEN | KEPT_ODD)
{
  g_autoptr (Film) film = coherent_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 3);
  temporal_show_often (film, "coherence", 6);
  temporal_lighten (film, 20, TRUE);
  temporal_show_often (film, "coherence", 3);
}

PALETTE_TEST (TESTS_OTHERS, "/coherence/", sizes)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 7}, {3, 5}, {4, 4}, {64, 1}, {1, 65}, {97, 53}
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = coherent_film_new (sizes[s][0], sizes[s][1]);

    film_take_picture (film, s % 2 ? "blobs" : "alpha-noise", s);
    temporal_show_often (film, "size", 4);
  }
}

/* Rows of a slice are compared with those of others. */
PALETTE_TEST (TESTS_ESSENTIAL, "/coherence/", slices)
{
  g_autoptr (Film) film = coherent_film_new (133, 61);

  engine_tune (film->engine, &(GpuPaletteTuning) {.slice = 256});
  film_take_picture (film, "blobs", 8);
  temporal_show_often (film, "slices", 4);
}

/* Bins are compared as they are before they are merged. */
PALETTE_TEST (TESTS_OTHERS, "/coherence/", merged)
{
  g_autoptr (Film) film = coherent_film_new (WIDTH, HEIGHT);

  engine_tune (film->engine, &(GpuPaletteTuning) {.bin_capacity = 1800});
  film->settings.making.radius = 0.01;
  film_take_picture (film, "blobs", 7);
  temporal_show_often (film, "merged", 4);
  g_assert_cmpuint (film->merges, >, 1);
}

/* What pixels hold is kept, and a film at rest is no longer as before. */
PALETTE_TEST (TESTS_OTHERS, "/coherence/", changes)
{
  static const gdouble coherences[] = { 0.5, 0, 1, 0.1, 0 };
  static const gdouble stabilities[] = { 0.5, HARDLY_STABLE, 0 };
  g_autoptr (Film) film = coherent_film_new (WIDTH, HEIGHT);

  film_take_picture (film, "blobs", 5);
  for (guint s = 0; s < G_N_ELEMENTS (stabilities); s++)
    for (guint c = 0; c < G_N_ELEMENTS (coherences); c++) {
      film->settings.motion.stability = stabilities[s];
      film->settings.making.coherence = coherences[c];
      temporal_show_often (film, "changes", 2);
      for (guint i = 0; i < 3; i++)
        temporal_show_again (film, "changes at rest");
    }
}
