/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Pixels that come from other places, where cameras and things move, and the noise that is told
 * from that. */
#include "palette_tests.h"
#include "temporal_fixture.h"

#include <string.h>

/* Long enough for pixels to hold on to their modes. */
#define N_FRAMES 12

/* --- scenes --- */

typedef struct
{
  gdouble x, y, scale;          /* of the frame's upper left corner, in its pixels, and of
                                   these, in those of the scene */
} Camera;

/* A texture that has no other place like a place. */
static guint8
value_at (gint x, gint y, guint k)
{
  const guint32 cell = (guint32) (x >> 2) * 2654435761u
      + (guint32) (y >> 2) * 2246822519u + k * 40503u;

  return 40 + (cell ^ cell >> 15) % 160 + (x & 3);
}

static void
draw (Film * film, const Camera * camera)
{
  const guint width = film->engine->in.width;

  for (gsize i = 0; i < film_n_pixels (film); i++) {
    const gint x = 1000 + camera->x + camera->scale * (i % width);
    const gint y = 1000 + camera->y + camera->scale * (i / width);

    for (guint k = 0; k < 3; k++)
      film->rgba[4 * i + k] = value_at (x, y, k);
    film->rgba[4 * i + 3] = 255;
  }
}

/* With another bit in some components. */
static void
add_noise (Film * film)
{
  for (gsize i = 0; i < 4 * film_n_pixels (film); i++)
    if (i % 4 < 3)
      film->rgba[i] ^= g_rand_boolean (film->random);
}

/* A square of one colour, by which a background shows that is at rest. */
static void
draw_thing (Film * film, gint left, gint top)
{
  const gint width = film->engine->in.width, height = film->engine->in.height;

  for (gint y = MAX (top, 0); y < MIN (top + 20, height); y++)
    for (gint x = MAX (left, 0); x < MIN (left + 20, width); x++)
      memset (film->rgba + 4 * (y * width + x), 90 + (x - left), 3);
}

/* --- films --- */

static Film *
film_new_of (guint width, guint height)
{
  Film *film = temporal_film_new (width, height);

  film_take_picture (film, "blobs", 1);
  return film;
}

/* Whole pixels and halves, slower and faster than can be followed, and a zoom. */
static const Camera steps[] = {
  {1, 0, 1}, {3, -2, 1}, {-0.5, 0.5, 1}, {15, 18, 1}, {-19, -19, 1},
  {40, 0, 1}, {0, 0, 1.02}, {0, 0, 1}
};

static void
follow (Film * film, guint n_frames)
{
  for (guint s = 0; s < G_N_ELEMENTS (steps); s++) {
    Camera camera = { 0, 0, 1 };

    for (guint i = 0; i < n_frames; i++) {
      draw (film, &camera);
      add_noise (film);
      temporal_show_again (film, "a camera that moves");
      camera.x += steps[s].x;
      camera.y += steps[s].y;
      camera.scale *= steps[s].scale;
    }
  }
}

TEMPORAL_TEST (TESTS_OTHERS, motion_cameras, AS_IT_COMES | KEPT_EVEN)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  film->counts_steadied = TRUE;
  temporal_keep (film, keeping);
  follow (film, N_FRAMES / 2);
  g_assert_cmpuint (film->n_steadied, >, 0);
}

/* Blocks that are cut off, fewer cells than one, blocks of 32 and 64 pixels. */
PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", motion_sizes)
{
  static const guint sizes[][2] = {
    {1, 1}, {3, 70}, {61, 45}, {521, 19}, {30, 1030}
  };

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autoptr (Film) film = film_new_of (sizes[i][0], sizes[i][1]);

    follow (film, 3);
  }
}

/* Before a background at rest, which may have no features, and transparent around. */
TEMPORAL_TEST (TESTS_OTHERS, motion_things, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);
  const Camera camera = { 0, 0, 1 };

  temporal_keep (film, keeping);
  for (guint i = 0; i < 3 * N_FRAMES; i++) {
    draw (film, &camera);
    if (i >= N_FRAMES)
      memset (film->rgba, 120, 4 * film_n_pixels (film));
    if (i >= 2 * N_FRAMES)
      memset (film->rgba, 0, 2 * film_n_pixels (film));
    draw_thing (film, 3 * (i % N_FRAMES), 2 * (i % N_FRAMES));
    if (i < 2 * N_FRAMES)
      add_noise (film);
    temporal_show_again (film, "a thing that moves");
  }
}

/* Stripes that move by half of their period: they may as well have come from the left as
 * from the right, or from above as from below. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", motion_ties)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);

  for (guint i = 0; i < N_FRAMES; i++) {
    for (gsize k = 0; k < film_n_pixels (film); k++) {
      const guint x = k % WIDTH, y = k / WIDTH;
      const guint at = (y < HEIGHT / 2 ? x : y) + 2 * i;

      memset (film->rgba + 4 * k, 80 + (at & 2) * 20, 3);
    }
    temporal_show_again (film, "ties");
  }
}

/* Frames like the one before, and other settings, between frames that move. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", motion_pauses)
{
  g_autoptr (Film) film = film_new_of (WIDTH, HEIGHT);
  Camera camera = { 0, 0, 1 };

  for (guint i = 0; i < 2 * N_FRAMES; i++) {
    draw (film, &camera);
    if (i % 5 < 3)
      camera.x += 2;
    film->settings.motion.hold = i % 7 == 0;
    film->settings.motion.stability = i % 11 == 10 ? 0 : 0.5;
    temporal_show_again (film, "pauses");
  }
}

/* --- pixels that moved, told from noise, at the limits of both --- */

#define N_SETTLING 10

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
TEMPORAL_TEST (TESTS_OTHERS, moved_at_rest, AS_IT_COMES)
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
TEMPORAL_TEST (TESTS_OTHERS, moved_in_noise, AS_IT_COMES)
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
