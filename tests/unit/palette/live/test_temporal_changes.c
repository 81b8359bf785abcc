/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stability where settings, sizes or formats change midway, where frames repeat, and
 * where they come to no end. */
#include "generated.h"
#include "palette_tests.h"
#include "temporal_fixture.h"

/* With each the picture changes, or does not. */
TEMPORAL_TEST (TESTS_OTHERS, changed_settings, AS_IT_COMES | KEPT_EVEN)
{
  static const gdouble radii[] = { 0.02, 0.03, 0.05, 0.01 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 10);
  for (guint i = 0; i < 32; i++) {
    film->settings.making.radius = radii[i / 4 % G_N_ELEMENTS (radii)];
    film->settings.motion.stability = i % 7 < 4 ? 0.5 : 0.2;
    film->settings.making.weighting = i % 9 < 5 ? 0 : 1;
    film->settings.counting.scene_cut_threshold = i % 11 < 6 ? 0 : 0.5;
    if (i % 3 > 0)
      temporal_add_noise (film, 100);
    temporal_show_again (film, "settings");
  }
}

/* Half of the picture becomes another one, which no longer changes. The film goes on until it is
 * settled, and from then on changes nothing, however late a frame is. */
TEMPORAL_TEST (TESTS_OTHERS, at_rest, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);
  g_autofree guint8 *chart = generated_picture_new ("gradient", WIDTH, HEIGHT,
      0);

  temporal_keep (film, keeping);
  film_take_picture (film, "alpha-noise", 11);
  temporal_show_often (film, "before", 3);
  memcpy (film->rgba, chart, 2 * film_n_pixels (film));
  film->settings.interval = 50 * MS;
  for (guint n = 0; n == 0 || film->engine->report.made.solved; n++) {
    temporal_show_again (film, "at rest");
    g_assert_cmpuint (n, <, 200);
  }
  film->settings.interval = 10000 * MS;
  temporal_show_again (film, "settled");
}

/* Another alpha makes no other frame, but comes out; what a pixel is that nobody
 * counts makes one. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", changed_bytes)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film_take_picture (film, "blobs", 12);
  for (guint frame = 0; frame < 18; frame++) {
    const gboolean is_repeated = frame % 3 == 2;

    temporal_add_noise (film, frame % 3 == 0 ? 100 : 0);
    film->rgba[3] = 0;
    film->rgba[is_repeated ? 7 : 0] ^= 1;
    temporal_show_again (film, "bytes");
    g_assert_cmpint (film->engine->report.counted.changed_pixels > 0, ==,
        !is_repeated);
  }
}

/* What keeps nothing, and what makes the next frame the first. */
TEMPORAL_TEST (TESTS_OTHERS, forgetting, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 13);
  for (guint i = 0; i < 6; i++) {
    const GpuPaletteSettings settings = film->settings;

    temporal_show_often (film, "before", 4);
    switch (i) {
      case 0:
        film_forget (film);
        break;
      case 1:
        film->settings.motion.stability = 0;
        temporal_show_often (film, "no stability", 2);
        break;
      case 2:
        film->settings.making.radius = 0;
        temporal_show_often (film, "no radius", 2);
        break;
      case 3:
        film->settings.quality = GPU_PALETTE_EXACT;
        film->settings.making.limit = 0;
        g_free (engine_run (film->engine, &film->settings, film->rgba));
        break;
      default:
        gpu_palette_set_transfer (film->engine->palette, i == 4
            ? gpu_palette_transfer_linear : gpu_palette_transfer_srgb, NULL);
        film->engine->is_linear = i == 4;
    }
    film->settings = settings;
    /* The same picture too. */
    temporal_show_again (film, "after");
    temporal_show_often (film, "after", 2);
  }
}

/* Modes outlive other sizes and formats. Indexes take so many modes at most, so they are only
 * where there is a limit. */
TEMPORAL_TEST (TESTS_OTHERS, other_shapes, AS_IT_COMES | KEPT_EVEN)
{
  static const struct
  {
    GpuPixels in, out;
    guint width, height;
  } shapes[] = {
    {GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, 50, 35},
    {GPU_PIXELS_BGRA, GPU_PIXELS_BGRA, 50, 35},
    {GPU_PIXELS_NV12, GPU_PIXELS_NV12, 50, 35},
    {GPU_PIXELS_BGRA, GPU_PIXELS_BGRA, 64, 48},
    {GPU_PIXELS_RGBX, GPU_PIXELS_RGB8P, 35, 50},
    {GPU_PIXELS_NV12, GPU_PIXELS_RGBA, 35, 50},
    {GPU_PIXELS_RGBX, GPU_PIXELS_RGBX, 17, 9},
    {GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, 64, 48}
  };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film->settings.counting.scene_cut_threshold = 0.05;
  film_take_picture (film, "blobs", 14);
  temporal_show_often (film, "shape", 4);
  for (guint i = 0; i < G_N_ELEMENTS (shapes); i++) {
    if (shapes[i].out == GPU_PIXELS_RGB8P && film->settings.making.limit == 0)
      continue;
    engine_configure (film->engine, GPU_PALETTE_LIVE, shapes[i].in,
        shapes[i].out, shapes[i].width, shapes[i].height);
    film_take_picture (film, i % 3 ? "blobs" : "gradient", 14);
    film->counts_steadied = TRUE;
    film->n_steadied = 0;
    temporal_show (film, "shape");
    g_assert_cmpuint (film->n_steadied, >, 0);
    film->counts_steadied = FALSE;
    temporal_show_often (film, "shape", 3);
  }
}

/* --- frames that end --- */

/* Behind a frame that nobody submits the next one is the first. */
TEMPORAL_TEST (TESTS_OTHERS, not_submitted, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 15);
  for (guint i = 0; i < 3; i++) {
    temporal_add_noise (film, 100);
    FAILS (GPU_ERROR_OUT_OF_MEMORY, engine_try (film->engine, &film->settings,
            film->rgba, engine_record_and_fail, &error));
    reference_temporal_reset (film->temporal);
    if (i == 2)
      temporal_lighten (film, 5, FALSE);
    temporal_add_noise (film, i ? 100 : 0);
    temporal_show_again (film, "not submitted");
    temporal_show_often (film, "not submitted", 3);
  }
}

/* Nor is anything known of one that was cancelled, after any even number of
 * submissions. A frame as large takes a slow device several, if it goes by the times of its
 * class. */
TEMPORAL_TEST (TESTS_OTHERS, cancelled, AS_IT_COMES | HELD)
{
  g_autoptr (Film) film = temporal_film_new_of (engine_new_as (GPU_DEVICE_CPU,
          GPU_PALETTE_LIVE, 480, 270), REFERENCE_TEMPORAL_SLOTS);
  guint n_ended;

  film->engine->info.timestamp_period = 0;
  temporal_keep (film, keeping);
  film->settings.making.radius = 0.03;
  film_take_picture (film, "blobs", 16);
  for (n_ended = 0;; n_ended += 2) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *ended = NULL;

    temporal_show_often (film, "before the end", 2);
    temporal_add_noise (film, 100);
    film->engine->let_through = n_ended;
    ended = engine_try (film->engine, &film->settings, film->rgba,
        engine_record_cancelled, &error);
    if (ended)
      break;
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    reference_temporal_reset (film->temporal);
    temporal_show (film, "after the end");
  }
  g_assert_cmpuint (n_ended, >, 0);
}
