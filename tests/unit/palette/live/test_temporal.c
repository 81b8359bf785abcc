/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine of quality=live with stability against the oracle, byte for
 * byte, frame after frame. */
#include "generated.h"
#include "palette_tests.h"
#include "temporal_fixture.h"

PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", noise)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film->counts_steadied = TRUE;
  temporal_check_noise (film, "blobs", 0.02, GPU_PALETTE_FREQUENCY, 0.5);
  temporal_check_noise (film, "gradient", 0.05, GPU_PALETTE_PALETTE, 0.25);
  g_assert_cmpuint (film->n_steadied, >, 1000);
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", settings)
{
  static const gdouble radii[] = { 0.001, 0.01, 0.02, 0.03, 0.05, 0.3 };
  static const gdouble stabilities[] = { 0.001, 0.1, 0.25, 0.5, 1 };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
    for (guint w = 0; w < 2; w++)
      for (guint s = (2 * r + w) % (palette_is_full ? 2 : 5);
          s < G_N_ELEMENTS (stabilities); s += palette_is_full ? 2 : 5)
        temporal_check_noise (film, s % 3 ? "blobs" : "gradient", radii[r], w,
            stabilities[s]);
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", intervals)
{
  static const guint64 intervals[] = { 1, 999999, MS, 16666667, 33333333,
    40 * MS, 0, 149 * MS, 150 * MS, 250 * MS, 32767 * MS, 65536 * MS,
    1000 * 1000 * 1000 * MS
  };
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (intervals); i++) {
    film->settings.interval = intervals[i];
    temporal_check_noise (film, "blobs", 0.02, i % 2, 0.5);
  }
  /* Each frame another one. */
  film_forget (film);
  for (guint i = 0; i < 2 * G_N_ELEMENTS (intervals); i++) {
    film->settings.interval = intervals[5 * i % G_N_ELEMENTS (intervals)];
    temporal_show (film, "intervals");
  }
}

/* Pixels in odd columns and rows, which large blocks are not looked at in. */
static void
lighten_between (Film * film, gint codes)
{
  const guint width = film->engine->in.width;

  for (gsize i = 0; i < film_n_pixels (film); i++)
    for (guint k = 0; k < 3; k++)
      if (i % width % 2 == 1 || i / width % 2 == 1)
        film->base[4 * i + k] =
            (guint8) CLAMP (film->base[4 * i + k] + codes, 0, 255);
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", sizes)
{
  static const guint sizes[][2] = {
    {1, 1}, {3, 5}, {64, 1}, {31, 33}, {97, 53}, {530, 17}, {19, 515}
  };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = temporal_film_new (sizes[s][0], sizes[s][1]);

    film->settings.counting.scene_cut_threshold = 0.05;
    film_take_picture (film, "blobs", s);
    temporal_show_often (film, "size", 9);
    lighten_between (film, 12);
    temporal_show (film, "size");
    temporal_lighten (film, 3, TRUE);
    temporal_show (film, "size");
    temporal_lighten (film, 30, FALSE);
    temporal_show (film, "size");
  }
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", formats)
{
  static const GpuPixels formats[][2] = {
    {GPU_PIXELS_RGBA, GPU_PIXELS_BGRX}, {GPU_PIXELS_BGRX, GPU_PIXELS_BGRX},
    {GPU_PIXELS_XRGB, GPU_PIXELS_ABGR}, {GPU_PIXELS_ARGB, GPU_PIXELS_RGB},
    {GPU_PIXELS_RGB, GPU_PIXELS_BGRA}, {GPU_PIXELS_BGR, GPU_PIXELS_BGR}
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (Film) film =
        temporal_film_new_of (engine_new_for (GPU_PALETTE_LIVE, formats[i][0],
            formats[i][1], 33 + i, 21, FALSE), REFERENCE_TEMPORAL_SLOTS);

    film->settings.making.radius = 0.05;
    film_take_picture (film, "alpha-noise", 2);
    temporal_show_often (film, "format", 4);
    temporal_show_again (film, "format");
    temporal_show_often (film, "format", 2);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/temporal/", nv12)
{
  const guint width = 49, height = 35;
  g_autoptr (Film) film = temporal_film_new (width, height);
  const GpuFrameInfo *in = &film->engine->in;
  g_autofree guint8 *bytes = NULL;

  film->counts_steadied = TRUE;
  engine_configure (film->engine, GPU_PALETTE_LIVE, GPU_PIXELS_NV12,
      GPU_PIXELS_RGBA, width, height);
  bytes = g_malloc (in->size);
  for (guint frame = 0; frame < 8; frame++) {
    g_autofree guint8 *picture = NULL, *got = NULL;

    for (gsize i = 0; i < in->size; i++)
      bytes[i] = (guint8) (80 + i % in->stride[0] / 8 * 9
          + g_rand_int_range (film->random, 0, 5));
    picture = engine_picture_in_nv12 (film->engine, bytes);
    got = engine_run_yuv (film->engine, &film->settings, bytes);
    temporal_compare (film, "nv12", picture, got);
  }
  g_assert_cmpuint (film->n_steadied, >, 100);
}

/* Holes that come and go, and a while without any pixel. */
TEMPORAL_TEST (TESTS_OTHERS, alpha, AS_IT_COMES | KEPT_EVEN)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film_take_picture (film, "blobs", 3);
  for (guint frame = 0; frame < 10; frame++) {
    const guint percent = frame == 6 ? 100 : 10 * (frame % 3);

    for (gsize i = 0; i < film_n_pixels (film); i++)
      film->base[4 * i + 3] =
          g_rand_int_range (film->random, 0,
          100) < (gint) percent ? 0 : 255 - i;
    temporal_show (film, "alpha");
  }
}

/* Nearly all pixels are as in the frame before, now and then the light is not. */
PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", still)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  film->counts_steadied = TRUE;
  film_take_picture (film, "blobs", 4);
  for (guint frame = 0; frame < 24; frame++) {
    if (frame % 7 == 5)
      temporal_lighten (film, frame % 2 ? 4 : -5, TRUE);
    temporal_add_noise (film, frame % 3 ? 10 : 40);
    temporal_show_again (film, "still");
  }
  g_assert_cmpuint (film->n_steadied, >, 1000);
}

/* Light that fades, everywhere or in some blocks, at every age. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", light)
{
  for (guint half = 0; half < 2; half++) {
    g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

    film_take_picture (film, "blobs", 5);
    for (guint frame = 0; frame < 20; frame++) {
      temporal_lighten (film, frame % 5 ? 1 : -2, half);
      temporal_show (film, "light");
    }
  }
}

TEMPORAL_TEST (TESTS_OTHERS, cuts, AS_IT_COMES | KEPT_ODD)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  temporal_keep (film, keeping);
  film->settings.counting.scene_cut_threshold = 0.05;
  for (guint frame = 0; frame < 12; frame++) {
    if (frame % 4 == 0)
      film_take_picture (film, frame % 8 ? "noise" : "blobs", frame);
    if (frame % 4 == 2)
      temporal_lighten (film, 10, FALSE);
    temporal_show (film, "cut");
  }
  g_assert_cmpuint (film->n_cuts, ==, 2);
}

/* To the bit of a mean, with hues that change at the same luma, or with it; of a few blocks, and
 * of more than 256. */
TEMPORAL_TEST (TESTS_OTHERS, cuts_by_hue, AS_IT_COMES | KEPT_ODD)
{
  static const guint sizes[][2] = { {13, 10}, {97, 53}, {530, 17}, {276, 260} };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Film) film = temporal_film_new (sizes[s][0], sizes[s][1]);

    temporal_keep (film, keeping);
    film_take_picture (film, "blobs", s);
    for (guint frame = 0; frame < 5; frame++) {
      g_autofree guint8 *before =
          g_memdup2 (film->rgba, 4 * film_n_pixels (film));

      generated_swap (film->base, film_n_pixels (film), 0, 1 + frame / 2 % 2);
      temporal_add_noise (film, 100);
      film_set_threshold (film, before, frame % 2);
      temporal_show_again (film, "cut by hue");
    }
    g_assert_cmpuint (film->n_cuts, ==, 2);
  }
}

/* With fewer slots than summits, those that become free are taken. */
TEMPORAL_TEST (TESTS_ESSENTIAL, slots, AS_IT_COMES | HELD)
{
  static const guint numbers[] = { 1, 7, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++) {
    g_autoptr (Film) film =
        temporal_film_new_of (engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT),
        numbers[i]);

    engine_tune (film->engine, &(GpuPaletteTuning) {
      .mode_capacity = numbers[i],
    });
    temporal_keep (film, keeping);
    film->settings.making.radius = 0.01;
    film->settings.making.weighting = i % 2;
    film_take_picture (film, "blobs", 6);
    temporal_show_often (film, "slots", 3);
    temporal_lighten (film, 20, TRUE);
    temporal_show_often (film, "slots", 5);
    g_assert_cmpuint (film->n_strays, >, 0);
  }
}

TEMPORAL_TEST (TESTS_OTHERS, merging, AS_IT_COMES | KEPT_EVEN)
{
  g_autoptr (Film) film = temporal_film_new (WIDTH, HEIGHT);

  engine_tune (film->engine, &(GpuPaletteTuning) {.bin_capacity = 1800});
  temporal_keep (film, keeping);
  film->settings.making.radius = 0.01;
  for (guint frame = 0; frame < 12; frame++) {
    if (frame % 4 == 0)
      film_take_picture (film, frame % 8 ? "two-colours" : "blobs", 7);
    if (frame % 4 == 2) {
      film->settings.making.radius *= 2;
      film->settings.making.weighting = !film->settings.making.weighting;
    }
    temporal_show (film, "merging");
  }
  /* A number of colours sets the radius, whatever is asked for. */
  if (film->settings.making.limit == 0)
    g_assert_cmpuint (film->merges, ==, 7);
  else
    g_assert_cmpuint (film->merges, >, 1);
}

/* What large frames are cut into several dispatches for; and another output. */
PALETTE_TEST (TESTS_ESSENTIAL, "/temporal/", slices)
{
  g_autoptr (Film) film =
      temporal_film_new_of (engine_new_for (GPU_PALETTE_LIVE, GPU_PIXELS_RGBA,
          GPU_PIXELS_BGRA, 160, 90, FALSE), REFERENCE_TEMPORAL_SLOTS);

  engine_tune (film->engine, &(GpuPaletteTuning) {.slice = 256});
  film->settings.making.radius = 0.01;
  film_take_picture (film, "blobs", 8);
  temporal_show_often (film, "slices", 5);
}

/* As GPUs do, and as CPU devices do. In the last case rows do not begin at whole vectors. */
PALETTE_TEST (TESTS_OTHERS, "/temporal/", gathering)
{
  static const struct
  {
    GpuDeviceKind kind;
    guint height;
  } cases[] = {
    {GPU_DEVICE_CPU, 90}, {GPU_DEVICE_DISCRETE, 90}, {GPU_DEVICE_DISCRETE, 89}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = temporal_film_new_of (engine_new_as (cases[i].kind,
            GPU_PALETTE_LIVE, 160, cases[i].height), REFERENCE_TEMPORAL_SLOTS);

    film_take_picture (film, "blobs", 9);
    temporal_show_often (film, "gathering", 4);
  }
}
