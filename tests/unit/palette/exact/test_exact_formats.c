/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats in and out with quality EXACT, and light that is linear. */
#include "exact_fixture.h"

#define N_FORMATS (GPU_PIXELS_BGR - GPU_PIXELS_RGBA + 1)

/* Widths that leave a part of a word or of a quad, and frames smaller than anything:
 * two sizes for each pair. */
static void
check_format (GpuPixels in, GpuPixels out)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 3}, {3, 2}, {5, 4}, {17, 9}, {31, 7}, {64, 1}
  };

  for (guint i = 0; i < 2; i++) {
    const guint *size = sizes[(in + 4 * i) % G_N_ELEMENTS (sizes)];
    g_autoptr (Engine) engine =
        exact_engine_new_for (in, out, size[0], size[1], FALSE);

    exact_check_generated (engine, "alpha-noise", in, &(GpuPaletteSettings) {
      .making = {.radius = 0.05, .weighting = 0},
    });
  }
}

/* Formats in, and those so far behind them out. */
static void
check_formats (guint behind)
{
  for (guint in = 0; in < N_FORMATS; in++)
    check_format (GPU_PIXELS_RGBA + in,
        GPU_PIXELS_RGBA + (in + behind) % N_FORMATS);
}

PALETTE_TEST (TESTS_OTHERS, "/palette/", formats)
{
  check_formats (3);
}

/* Of those whose pixels are no words. */
PALETTE_TEST (TESTS_ANY, "/palette/", three_bytes)
{
  check_format (GPU_PIXELS_RGB, GPU_PIXELS_BGR);
}

PALETTE_TEST (TESTS_FULL, "/palette/", all_formats)
{
  for (guint behind = 0; behind < N_FORMATS; behind++)
    check_formats (behind);
}

PALETTE_TEST (TESTS_OTHERS, "/palette/", linear)
{
  g_autoptr (Engine) engine =
      exact_engine_new_for (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, SMALL_WIDTH,
      SMALL_HEIGHT, TRUE);

  exact_check_generated (engine, "noise", 4, &(GpuPaletteSettings) {
    .making = {.radius = 0, .weighting = 0},
  });
  exact_check_generated (engine, "blobs", 4, &(GpuPaletteSettings) {
    .making = {.radius = 0.02, .weighting = 0},
  });
}
