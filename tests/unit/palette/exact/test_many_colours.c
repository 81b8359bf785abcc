/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames of as many pixels and colours as there are: sums and lists that smaller frames
 * never have. */
#include "exact_fixture.h"
#include "generated.h"

/* Sums of weights times coordinates beyond 32 bits, 16 million pixels. */
PALETTE_TEST (TESTS_OTHERS, "/palette/", neighbours)
{
  g_autoptr (Engine) engine =
      exact_engine_new_for (GPU_PIXELS_RGBX, GPU_PIXELS_RGBA, 4096, 4096,
      FALSE);

  exact_check_generated (engine, "neighbours", 0, &(GpuPaletteSettings) {
    .making = {.radius = 0.0624, .weighting = GPU_PALETTE_FREQUENCY},
  });
}

/* Every colour there is. */
PALETTE_TEST (TESTS_FULL, "/palette/", all_colours)
{
  static const gdouble chromas[] = { 1, 0.5, 2, 3 };
  g_autofree guint8 *rgba = exact_colours_new (1 << 24, 1 << 24);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (chromas); i++) {
    g_autoptr (Engine) engine =
        exact_engine_new_for (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, 4096, 4096,
        i % 2);
    g_autofree guint8 *got = engine_run (engine,
        &(GpuPaletteSettings) {.making.chroma = chromas[i / 2]}, rgba);

    compare_pixels ("all colours", got, rgba, 4096, 4096);
    g_assert_cmpuint (engine->report.counted.colours, ==, 1u << 24);
    g_assert_cmpuint (engine->report.made.output_colours, ==, 1u << 24);
    g_assert_cmpuint (engine->report.made.fixed_points, ==, 1u << 24);
  }
}

/* More than 2^17 colours, and memory for them: sets of visited points of more
 * than 2^22 words, which smaller frames never have, and, as slow devices do it,
 * more walkers than a round takes, which on GPUs are some millions. */
PALETTE_TEST (TESTS_FULL, "/palette/", many_colours)
{
  const guint width = 1280, height = 720;
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.01, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (width, height);
  g_autoptr (Engine) slow = exact_engine_new_slow (width, height);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", width, height, 23);
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);
  g_autofree guint8 *in_rounds = engine_run (slow, &settings, rgba);

  g_assert_cmpuint (engine->report.counted.colours, >, 1 << 17);
  exact_check_samples (engine, "many colours, samples", rgba, got, 9151);
  compare_pixels ("many colours, in rounds", in_rounds, got, width, height);
}

/* Half the colours of a cube, at random, a pixel each: no film has as many, nor so
 * close to each other. */
static guint8 *
make_million (void)
{
  guint8 *rgba = g_malloc ((gsize) 4 << 20);

  for (guint i = 0; i < 1u << 20; i++) {
    /* Each line permutes numbers of 21 bits. */
    guint colour = i * 0x9e3779b1u & 0x1fffff;

    colour ^= colour >> 11;
    colour = colour * 0x85ebca6bu & 0x1fffff;
    colour ^= colour >> 9;
    rgba[i * 4] = 64 + (colour & 127);
    rgba[i * 4 + 1] = 64 + (colour >> 7 & 127);
    rgba[i * 4 + 2] = 64 + (colour >> 14);
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

PALETTE_TEST (TESTS_FULL, "/palette/", million_colours)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.004, .weighting = GPU_PALETTE_PALETTE},
  };
  g_autoptr (Engine) engine = exact_engine_new (1024, 1024);
  g_autofree guint8 *rgba = make_million ();
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);

  g_assert_cmpuint (engine->report.counted.colours, ==, 1 << 20);
  /* A prime, so that samples are of many columns. */
  exact_check_samples (engine, "a million colours", rgba, got, 1009);
}
