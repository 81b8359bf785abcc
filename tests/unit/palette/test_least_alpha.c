/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The alpha from which on pixels count: others are as pixels with alpha 0, of which the
 * oracles know, and keep all their bytes. */
#include "generated.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "reference_temporal.h"

#include <string.h>

#define WIDTH 35
#define HEIGHT 20
#define N_PIXELS (WIDTH * HEIGHT)

static const guint leasts[] = { 16, 2, 255, 1, 128 };

/* A picture of every alpha, from 0 to 255. */
static guint8 *
picture_new (guint32 seed)
{
  guint8 *rgba = generated_picture_new ("blobs", WIDTH, HEIGHT, seed);

  for (guint i = 0; i < N_PIXELS; i++)
    rgba[4 * i + 3] = i * 37 + seed;
  return rgba;
}

static guint8 *
without_transparent (const guint8 * rgba, guint least)
{
  guint8 *copy = g_memdup2 (rgba, 4 * N_PIXELS);

  for (guint i = 0; i < N_PIXELS; i++)
    if (copy[4 * i + 3] < least)
      copy[4 * i + 3] = 0;
  return copy;
}

static void
restore_alpha (guint8 * rgba, const guint8 * from)
{
  for (guint i = 0; i < N_PIXELS; i++)
    rgba[4 * i + 3] = from[4 * i + 3];
}

PALETTE_TEST (TESTS_OTHERS, "/least-alpha/", exact)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_EXACT, WIDTH, HEIGHT);

  for (guint i = 0; i < G_N_ELEMENTS (leasts); i++) {
    const GpuPaletteSettings settings = {.making.radius = 0.05,
      .counting.least_alpha = leasts[i]};
    const ReferencePaletteSettings wanted =
        engine_reference_settings (engine, &settings);
    g_autofree guint8 *rgba = picture_new (1);
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);
    g_autofree guint8 *expected = without_transparent (rgba, leasts[i]);

    reference_palette (&wanted, expected, WIDTH, HEIGHT, expected, NULL);
    restore_alpha (expected, rgba);
    compare_pixels ("exact", got, expected, WIDTH, HEIGHT);
  }
}

/* Frames of a film, some as before but for the least alpha. */
static void
check_film (gdouble stability, guint history)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);

  for (guint i = 0; i < 3 * G_N_ELEMENTS (leasts); i++) {
    const guint least = leasts[i % G_N_ELEMENTS (leasts)];
    const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
      .making.radius = 0.05, .motion.stability = stability,
      .counting.history = history, .counting.least_alpha = least};
    const ReferenceTemporalSettings wanted =
        engine_temporal_settings (engine, &settings);
    g_autofree guint8 *rgba = picture_new (i / 2);
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);
    g_autofree guint8 *expected = without_transparent (rgba, least);
    const ReferencePicture input = { expected, WIDTH, HEIGHT };

    reference_temporal_frame (temporal, &wanted, 0, &input, expected, NULL);
    restore_alpha (expected, rgba);
    compare_pixels ("film", got, expected, WIDTH, HEIGHT);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/least-alpha/", live)
{
  check_film (0, 1);
}

PALETTE_TEST (TESTS_OTHERS, "/least-alpha/", stability)
{
  check_film (0.5, 1);
}

PALETTE_TEST (TESTS_OTHERS, "/least-alpha/", history)
{
  check_film (0.5, 3);
}
