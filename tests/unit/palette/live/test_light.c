/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Films in which light changes everywhere: colours go with it. */
#include "palette_tests.h"
#include "temporal_fixture.h"

#include <math.h>
#include <string.h>

#define N_FRAMES 24

/* The picture, seen @by pixels farther to the right, in another light, with noise. */
static void
draw (Film * film, guint by, gdouble gain, gdouble shift)
{
  const guint width = film->engine->in.width;

  for (gsize i = 0; i < film_n_pixels (film); i++) {
    const gsize from = i - i % width + (i % width + by) % width;

    for (guint k = 0; k < 3; k++)
      film->rgba[4 * i + k] =
          CLAMP (gain * film->base[4 * from + k] + shift
          + g_rand_int_range (film->random, -2, 3), 0, 255);
    film->rgba[4 * i + 3] = film->base[4 * from + 3];
  }
}

static Film *
film_new_of (guint width, guint height)
{
  Film *film = temporal_film_new (width, height);

  film_take_picture (film, "blobs", 1);
  return film;
}

/* An exposure that swings, from shadows that are clipped to lights that are, of a picture
 * that is at rest or moves. */
static void
swing (Film * film, guint n_frames, guint by)
{
  for (guint i = 0; i < n_frames; i++) {
    draw (film, i * by, 1 + 0.3 * sin (i * 0.4), 6 * sin (i * 0.7));
    temporal_show_again (film, "light that swings");
  }
}

TEMPORAL_TEST (TESTS_OTHERS, light_swings, AS_IT_COMES | KEPT_EVEN)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  swing (film, N_FRAMES / 2, 0);
  swing (film, N_FRAMES / 2, 2);
  if (!film->settings.motion.hold && film->settings.making.given.n_colours == 0)
    g_assert_cmpuint (film->n_lit, >, 0);
  else
    g_assert_cmpuint (film->n_lit, ==, 0);
}

/* Hues that turn at the same luma, to red and back, while the picture is at rest or moves. */
TEMPORAL_TEST (TESTS_OTHERS, light_turns, AS_IT_COMES | KEPT_EVEN | KEPT_ODD)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  for (guint i = 0; i < N_FRAMES; i++) {
    const gint codes = 4 * ABS (6 - (gint) i % 12);

    draw (film, i / 12 * 2, 1, 0);
    for (guint8 * pixel = film->rgba;
        pixel < film->rgba + 4 * film_n_pixels (film); pixel += 4) {
      pixel[0] = MIN (pixel[0] + codes, 255);
      pixel[2] = MAX (pixel[2] - codes, 0);
    }
    temporal_show_again (film, "light that turns");
  }
}

/* In most frames of a film without a held palette light is common. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", light_common)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  swing (film, N_FRAMES, 0);
  g_assert_cmpuint (film->n_lit, >, N_FRAMES / 2);
}

/* Of pixels that may be transparent, in a window of frames, and with scenes that are cut. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", light_windows)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  film_take_picture (film, "alpha-noise", 1);
  for (gsize i = 0; i < film_n_pixels (film); i++) {
    for (guint k = 0; k < 3; k++)
      film->base[4 * i + k] = 40 + film->base[4 * i + k] / 2;
    if (i / WIDTH < 16 && i % WIDTH < 32)
      film->base[4 * i + 3] = 0;
  }
  film->settings.counting.history = 3;
  film->settings.counting.scene_cut_threshold = 0.08;
  swing (film, N_FRAMES, 1);
  g_assert_cmpuint (film->n_lit, >, 0);
  g_assert_cmpuint (film->n_cuts, >, 0);
}

/* Out to black and in again: not all blocks count, then none. */
TEMPORAL_TEST (TESTS_OTHERS, light_fades, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  for (gint i = -10; i <= 10; i++) {
    draw (film, 0, ABS (i) * 0.1, 0);
    temporal_show_again (film, "a fade");
  }
}

/* Any light, also more than a line can have, and more than a code value can hold. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", light_any)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  for (guint i = 0; i < 2 * N_FRAMES; i++) {
    draw (film, 0, g_rand_double_range (film->random, 0.4, 1.9),
        g_rand_double_range (film->random, -60, 60));
    temporal_show_again (film, "any light");
  }
}

/* Changes near the least that counts, of a frame that is white but for two of its 12 blocks,
 * of which one in eight must tell. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", light_little)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  for (guint i = 0; i < N_FRAMES; i++) {
    draw (film, 0, 1, 0);
    for (gsize k = 0; k < film_n_pixels (film); k++)
      if (k % WIDTH >= 32 || k / WIDTH >= 16)
        memset (film->rgba + 4 * k, 255, 3);
      else
        memset (film->rgba + 4 * k, 100 + (k % 16 < 3 * (i % 4) ? 1 : 0), 3);
    temporal_show_again (film, "a little light");
  }
  g_assert_cmpuint (film->n_lit, >, 0);
  g_assert_cmpuint (film->n_lit, <, N_FRAMES);
}

/* A few blocks, more than 256 of them, and blocks that are cut off. */
PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", light_sizes)
{
  static const guint sizes[][2] = { {40, 9}, {301, 290}, {540, 35} };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Film) film = film_new_of (sizes[i][0], sizes[i][1]);

    swing (film, 4, 1);
    g_assert_cmpuint (film->n_lit, >, 0);
  }
}
