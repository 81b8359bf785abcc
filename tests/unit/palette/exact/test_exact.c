/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette of quality EXACT against the oracle, byte for byte. */
#include "gpu/core/device/vulkan.h"
#include "exact_fixture.h"
#include "generated.h"

static const gdouble radii[] = { 0.005, 0.01, 0.015, 0.02, 0.03 };

static const gdouble corner_radii[] = { 0, 0.00001, 0.0624, 0.3,
  GPU_PALETTE_MAX_RADIUS
};
static const guint limits[] = { 1, 3, 9 };

/* Each picture and radius with one weighting, each pair once. */
EXACT_TEST (TESTS_OTHERS, BOTH_WALKS, pictures)
{
  g_autoptr (Engine) engine = exact_engine_new (MIDDLE_WIDTH, MIDDLE_HEIGHT);

  for (guint p = 0; generated_names[p]; p++)
    for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
      for (guint w = 0; w < 2; w++)
        if (palette_is_full || (p + r) % 2 == w)
          exact_check_generated (engine, generated_names[p], 1,
              &(GpuPaletteSettings) {
                .making = {.radius = radii[r], .weighting = w},
              });
}

/* As test_pictures(). */
EXACT_TEST (TESTS_ANY, BOTH_WALKS, corners)
{
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);
  const gchar *pictures[] = {
    "one-colour", "noise", "blobs", "alpha-noise", "black-white"
  };

  for (guint p = 0; p < G_N_ELEMENTS (pictures); p++)
    for (guint r = 0; r < G_N_ELEMENTS (corner_radii); r++)
      for (guint w = 0; w < 2; w++)
        if (palette_is_full || (p + r) % 2 == w)
          exact_check_generated (engine, pictures[p], 2,
              &(GpuPaletteSettings) {
                .making = {.radius = corner_radii[r], .weighting = w},
              });
}

EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, BOTH_WALKS, limits)
{
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);

  for (guint l = 0; l < G_N_ELEMENTS (limits); l++)
    for (guint w = 0; w < 2; w++) {
      exact_check_generated (engine, "blobs", 3, &(GpuPaletteSettings) {
        .making = {.radius = 0.02, .weighting = w,
          .iteration_limit = limits[l]},
      });
      exact_check_generated (engine, "noise", 3, &(GpuPaletteSettings) {
        .making = {.radius = 0.1, .weighting = w,
          .iteration_limit = limits[l]},
      });
    }
}

/* Weights of 1 to some thousands at all distances from each other: all
 * digits of weights, in balls and across their surfaces. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, BOTH_WALKS, weights)
{
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  g_autofree guint8 *rgba = g_malloc (WIDTH * HEIGHT * 4);

  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    guint spread = g_bit_storage (g_rand_int (random) & 0xfff);

    for (guint k = 0; k < 3; k++)
      rgba[i * 4 + k] = 100 + 4 * spread
          + (spread > 8 ? 0 : g_rand_int_range (random, 0, 12));
    rgba[i * 4 + 3] = 255;
  }
  for (guint cell = 6; cell <= 10; cell += 2) {
    engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = cell});
    for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
      exact_check (engine, "weights", rgba, &(GpuPaletteSettings) {
        .making = {.radius = radii[r] * 4, .weighting = GPU_PALETTE_FREQUENCY},
      });
  }
}

/* The same where lists of candidates come in parts. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, IN_LANES, weights_in_parts)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gsize max_shared = info->max_shared;

  info->max_shared = LEAST_SHARED;
  test_weights ();
  info->max_shared = max_shared;
}

/* Sums beyond 32 bits of a block of points, and more blocks than one. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, BOTH_WALKS, long_sums)
{
  const guint width = 960, height = 300;
  g_autoptr (Engine) engine = exact_engine_new (width, height);
  g_autofree guint8 *rgba = g_malloc (width * height * 4);

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      guint8 *pixel = rgba + (y * width + x) * 4;

      pixel[0] = 60 + x / 24;
      pixel[1] = 60 + y / 6;
      pixel[2] = 90;
      pixel[3] = 255;
    }
  for (guint cell = 6; cell <= 8; cell++) {
    engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = cell});
    exact_check (engine, "long sums", rgba, &(GpuPaletteSettings) {
      .making = {.radius = 0.02, .weighting = GPU_PALETTE_FREQUENCY},
    });
  }
}

/* All that is cut into several dispatches in large frames. */
PALETTE_TEST (TESTS_ANY, "/palette/", slices)
{
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);

  engine_tune (engine, &(GpuPaletteTuning) {.slice = 256});
  for (guint w = 0; w < 2; w++) {
    exact_check_generated (engine, "noise", 9, &(GpuPaletteSettings) {
      .making = {.radius = 0.1, .weighting = w},
    });
    g_assert_cmpuint (engine->report.counted.colours, >, 2 * 256);
  }
}

/* The same bytes on every device, whatever the size of its subgroups; the
 * oracle agrees, but takes its time. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, BOTH_WALKS, digest)
{
  static const gchar *const digests[] = {
    "304f0f095eb19da0ad322adf2d03dcedde3834aa8251f13a1127fb89b1a0ab26",
    "704b739d59e8886cebc55d4887709b95445376519b11754a1669a677c4c8babc",
  };
  const guint width = 160, height = 90;
  g_autoptr (Engine) engine = exact_engine_new (width, height);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", width, height, 9);

  for (guint w = 0; w < G_N_ELEMENTS (digests); w++) {
    const GpuPaletteSettings settings = {
      .making = {.radius = 0.01, .weighting = w},
    };
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);
    g_autofree gchar *digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256,
        got, width * height * 4);

    if (palette_is_full)
      exact_check (engine, "blobs", rgba, &settings);
    g_assert_cmpstr (digest, ==, digests[w]);
  }
}
