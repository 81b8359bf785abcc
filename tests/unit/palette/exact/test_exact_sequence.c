/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frame after frame with quality EXACT: what is counted again and solved again, and what
 * is not. */
#include "exact_fixture.h"
#include "exact_tests.h"
#include "generated.h"

#include <string.h>

static gboolean is_full;

static void
swap_ends (guint8 * rgba, gsize n_pixels)
{
  for (gsize i = 0; i < n_pixels / 2; i++)
    for (guint k = 0; k < 4; k++) {
      guint8 byte = rgba[i * 4 + k];

      rgba[i * 4 + k] = rgba[(n_pixels - 1 - i) * 4 + k];
      rgba[(n_pixels - 1 - i) * 4 + k] = byte;
    }
}

static void
check_solved (Engine * engine, const guint8 * rgba,
    const GpuPaletteSettings * settings, gboolean is_solved)
{
  exact_check (engine, "sequence", rgba, settings);
  g_assert_cmpint (engine->report.made.solved, ==, is_solved);
}

static void
test_reuse (void)
{
  const GpuPaletteSettings frequency = {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_FREQUENCY},
  };
  const GpuPaletteSettings palette = {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_PALETTE},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", WIDTH, HEIGHT, 6);

  check_solved (engine, rgba, &frequency, TRUE);
  check_solved (engine, rgba, &frequency, FALSE);
  /* Every pixel elsewhere, the same histogram. */
  swap_ends (rgba, WIDTH * HEIGHT);
  check_solved (engine, rgba, &frequency, FALSE);
  check_solved (engine, rgba, &palette, TRUE);
  /* Another setting. */
  check_solved (engine, rgba, &(GpuPaletteSettings) {
    .making = {.radius = 0.031, .weighting = GPU_PALETTE_FREQUENCY},
  }, TRUE);
}

/* The same colours in other numbers matter where these are the weights. */
static void
test_counts_change (void)
{
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  gsize last = (WIDTH * HEIGHT - 1) * 4;

  for (guint w = 0; w < 2; w++) {
    const GpuPaletteSettings settings = {
      .making = {.radius = 1, .weighting = w},
    };
    g_autofree guint8 *rgba =
        generated_picture_new ("black-white", WIDTH, HEIGHT, 0);

    check_solved (engine, rgba, &settings, TRUE);
    for (guint i = 0; i < 200; i++)
      memcpy (rgba + last - i * 4, rgba, 4);
    check_solved (engine, rgba, &settings, w == GPU_PALETTE_FREQUENCY);
  }
}

/* Colours come and go, a few pixels at a time and all at once. */
static void
test_incremental (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree guint8 *rgba =
      generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 7);

  for (guint frame = 0; frame < (is_full ? 12 : 7); frame++) {
    exact_check (engine, "sequence", rgba, &settings);
    /* Everything changed before frame 4. */
    g_assert_cmpint (engine->report.counted.recounted, ==, frame == 0
        || frame == 5);
    if (frame == 3) {
      g_autofree guint8 *cut =
          generated_picture_new ("gradient", WIDTH, HEIGHT, 0);

      memcpy (rgba, cut, WIDTH * HEIGHT * 4);
    }
    for (guint i = 0; i < 30; i++) {
      guint at = g_rand_int_range (random, 0, WIDTH * HEIGHT);

      rgba[at * 4 + g_rand_int_range (random, 0, 4)] =
          g_rand_int_range (random, 0, 3) * 127;
    }
  }
}

/* With radius 0 every colour stays: frames need no oracle. */
static void
test_recount (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0, .weighting = GPU_PALETTE_FREQUENCY},
  };
  guint width = 401, height = 300;
  g_autoptr (Engine) engine = exact_engine_new (width, height);
  /* What a frame changed decides about the next one. */
  gboolean expected[] = { TRUE, FALSE, TRUE, TRUE, FALSE };

  for (guint frame = 0; frame < 5; frame++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", width, height, MIN (frame, 2));
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("noise", got, rgba, width, height);
    g_assert_cmpint (engine->report.counted.recounted, ==, expected[frame]);
    g_assert_cmpint (engine->report.made.solved, ==, frame < 3);
  }
}

/* A frame without a counted pixel leaves nothing behind, not even its chroma. */
static void
test_nothing_counted (void)
{
  GpuPaletteSettings settings = {.making = {.radius = 0.1, .chroma = 1}};
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);
  g_autofree guint8 *rgba =
      generated_picture_new ("noise", SMALL_WIDTH, SMALL_HEIGHT, 3);
  g_autofree guint8 *transparent = g_malloc0 (SMALL_WIDTH * SMALL_HEIGHT * 4);

  check_solved (engine, rgba, &settings, TRUE);
  settings.making.chroma = 2;
  check_solved (engine, transparent, &settings, FALSE);
  settings.making.chroma = 1;
  check_solved (engine, rgba, &settings, TRUE);
}

/* Wherever a frame is cancelled, the next one is right. */
static void
test_cancel (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);

  for (guint at = 0; at < 3; at++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", WIDTH, HEIGHT, at + 10);

    engine->let_through = at;
    FAILS (GPU_ERROR_CANCELLED, engine_try (engine, &settings, rgba,
            engine_record_cancelled, &error));
    exact_check_generated (engine, "noise", at + 1, &settings);
  }
}

void
add_exact_sequence_tests (PaletteTests tests)
{
  is_full = (tests & TESTS_FULL) != 0;
  if (tests & (TESTS_OTHERS | TESTS_ESSENTIAL)) {
    g_test_add_func ("/palette/sequence/counts-change", test_counts_change);
    g_test_add_func ("/palette/sequence/incremental", test_incremental);
  }
  if (tests & (TESTS_OTHERS | TESTS_ACCESSES))
    g_test_add_func ("/palette/sequence/reuse", test_reuse);
  if (tests & TESTS_OTHERS) {
    g_test_add_func ("/palette/sequence/cancel", test_cancel);
    g_test_add_func ("/palette/sequence/nothing-counted", test_nothing_counted);
    g_test_add_func ("/palette/sequence/recount", test_recount);
  }
}
