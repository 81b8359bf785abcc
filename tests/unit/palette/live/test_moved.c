/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels that move, and the noise that is told from it, at the limits of both. */
#include "palette_tests.h"
#include "temporal_fixture.h"

#include <string.h>

/* Long enough for pixels to hold on to their modes. */
#define N_SETTLING 10
#define N_FRAMES 12

/* Each component of some pixels of the first @n_columns goes up to @most codes away from
 * the picture. */
static void
shift_some (Film * film, guint n_columns, gint most)
{
  for (gsize i = 0; i < film_n_pixels (film); i++)
    for (guint k = 0; k < 3 && i % WIDTH < n_columns; k++)
      if (g_rand_boolean (film->random))
        film->rgba[4 * i + k] = CLAMP (film->base[4 * i + k]
            + g_rand_int_range (film->random, -most, most + 1), 0, 255);
}

/* Pixels become transparent black, and come back. */
static void
hide_some (Film * film)
{
  for (gsize i = 0; i < film_n_pixels (film); i++) {
    guint8 *rgba = film->rgba + 4 * i;

    if (g_rand_int_range (film->random, 0, 4) == 0)
      memset (rgba, 0, 4);
    else if (rgba[3] == 0)
      memcpy (rgba, film->base + 4 * i, 4);
  }
}

/* In a quarter of the blocks, so that the median knows of no noise: changes below and
 * above 16 in sum. */
static void
test_at_rest (gconstpointer keeping)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 41);
  for (guint i = 0; i < N_SETTLING + N_FRAMES; i++) {
    shift_some (film, i < N_SETTLING ? 1 : 16, 8);
    temporal_show_again (film, "at rest");
  }
}

/* In all blocks, with more noise and less, and pixels that do not count. */
static void
test_noise (gconstpointer keeping)
{
  static const gint most[] = { 3, 3, 40, 3, 0, 12, 1 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 42);
  for (guint i = 0; i < N_SETTLING + 2 * G_N_ELEMENTS (most); i++) {
    shift_some (film, WIDTH,
        i < N_SETTLING ? 3 : most[i % G_N_ELEMENTS (most)]);
    hide_some (film);
    temporal_show_again (film, "noise");
  }
}

void
add_moved_tests (PaletteTests tests)
{
  if (!(tests & TESTS_OTHERS))
    return;
  temporal_add ("moved-at-rest", test_at_rest);
  temporal_add ("moved-in-noise", test_noise);
}
