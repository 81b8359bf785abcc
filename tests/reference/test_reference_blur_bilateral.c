/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bilateral filter, on frames whose results can be computed by hand. */
#include "test_reference.h"
#include "reference_blur_bilateral.h"

#include <math.h>

#define assert_near(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-9)

static ReferenceBilateralFrame
grey_row (const guint8 * samples, guint width)
{
  ReferenceBilateralFrame frame = {.n_planes = 1,
    .planes = {{.samples = samples, .width = width, .height = 1,
        .components = 1,
        .alpha = -1, .x_subsampling = 1,
        .y_subsampling = 1}},
    .unused = -1, .white = 255};

  return frame;
}

static ReferenceBilateralSettings
settings_of (gdouble sigma, gdouble range)
{
  ReferenceBilateralSettings settings = {.sigma = {sigma, sigma}, .radius = 1,
    .range = range, .rounds = 1, .edge = REFERENCE_EDGE_CLAMP};

  return settings;
}

/* Three grey pixels, of which the window of the middle one has all. Squared distances are
 * exact up to 1023. */
static void
test_weights (void)
{
  static const guint8 samples[] = { 110, 100, 92 };
  const ReferenceBilateralFrame frame = grey_row (samples, 3);
  const ReferenceBilateralSettings settings = settings_of (1, 6.0 / 255);
  gdouble output[3];
  gdouble *const outputs[] = { output };
  const gdouble side = exp (-0.5), left = side * exp (-100 / 72.0);
  const gdouble right = side * exp (-64 / 72.0);

  reference_bilateral (&frame, &settings, outputs);
  assert_near (output[1], (110 * left + 100 + 92 * right) / (left + 1 + right));
}

/* Distances are rounded down to a power of two, here 8: 1023 of these are the first that
 * reach 4.5 deviations of 20 codes. */
static void
test_steps (void)
{
  static const guint8 samples[] = { 111, 100, 100 };
  const ReferenceBilateralFrame frame = grey_row (samples, 3);
  const ReferenceBilateralSettings settings = settings_of (1, 20.0 / 255);
  gdouble output[3];
  gdouble *const outputs[] = { output };
  const gdouble side = exp (-0.5), left = side * exp (-120 / 800.0);

  reference_bilateral (&frame, &settings, outputs);
  assert_near (output[1], (111 * left + 100 + 100 * side) / (left + 1 + side));
}

/* Beyond the table's end nothing weighs. */
static void
test_edge (void)
{
  static const guint8 samples[] = { 10, 10, 200, 200 };
  const ReferenceBilateralFrame frame = grey_row (samples, 4);
  ReferenceBilateralSettings settings = settings_of (3, 0.1);
  gdouble output[4];
  gdouble *const outputs[] = { output };

  for (settings.rounds = 1; settings.rounds <= 2; settings.rounds++) {
    reference_bilateral (&frame, &settings, outputs);
    for (guint i = 0; i < 4; i++)
      assert_near (output[i], samples[i]);
  }
}

/* Grey in RGB is as far apart as grey alone, but for steps. */
static void
test_colours (void)
{
  static const guint8 grey[] = { 104, 100, 97 };
  static const guint8 rgb[] = { 104, 104, 104, 100, 100, 100, 97, 97, 97 };
  const ReferenceBilateralFrame of_grey = grey_row (grey, 3);
  ReferenceBilateralFrame of_rgb = grey_row (rgb, 3);
  const ReferenceBilateralSettings settings = settings_of (1, 3.0 / 255);
  gdouble output[3], colours[9];
  gdouble *const outputs[] = { output }, *const rgb_outputs[] = { colours };

  of_rgb.planes[0].components = 3;
  of_rgb.is_rgb = TRUE;
  reference_bilateral (&of_grey, &settings, outputs);
  reference_bilateral (&of_rgb, &settings, rgb_outputs);
  for (guint i = 0; i < 9; i++)
    assert_near (colours[i], output[i / 3]);
}

/* A transparent pixel gives its neighbour some of its alpha, and none of its colour. */
static void
test_alpha (void)
{
  static const guint8 samples[] = { 90, 80, 70, 255, 255, 0, 255, 0 };
  ReferenceBilateralFrame frame = grey_row (samples, 2);
  ReferenceBilateralSettings settings = settings_of (1, 1);
  gdouble output[8];
  gdouble *const outputs[] = { output };
  const gdouble squared = 90 * 90 + 80 * 80 + 70 * 70 + 3 * 255 * 255;
  const gdouble weight = exp (-0.5 - floor (squared / 512) * 512
      / (2 * 3 * 255.0 * 255));

  frame.planes[0].components = 4;
  frame.planes[0].alpha = 3;
  frame.is_rgb = TRUE;
  settings.edge = REFERENCE_EDGE_BLACK;
  reference_bilateral (&frame, &settings, outputs);
  for (guint i = 0; i < 3; i++)
    assert_near (output[i], samples[i]);
  /* Beyond the left edge, and above and below, all is transparent, too. */
  g_assert_cmpfloat (output[3], <, 255 / (1 + weight));
  g_assert_cmpfloat (output[3], >, 255 / (1 + 8 * weight));
}

/* Chroma is averaged where luma is alike, whatever chroma is. */
static void
test_chroma (void)
{
  static const guint8 luma[] = { 50, 52, 50, 52, 200, 200 };
  static const guint8 chroma[] = { 100, 160, 30 };
  ReferenceBilateralFrame frame = grey_row (luma, 6);
  const ReferenceBilateralSettings settings = settings_of (2, 0.1);
  gdouble outputs_luma[6], output[3];
  gdouble *const outputs[] = { outputs_luma, output };
  const gdouble side = exp (-0.5);

  frame.n_planes = 2;
  frame.planes[1] = (ReferencePlane) {.samples = chroma, .width = 3,
    .height = 1, .components = 1, .alpha = -1, .x_subsampling = 2,
    .y_subsampling = 2};
  reference_bilateral (&frame, &settings, outputs);
  assert_near (output[1], (100 * side + 160) / (side + 1));
  assert_near (output[2], 30);
}

/* The guide of 4:1:1 is the mean of four luma codes. Of the last sample there are two, and
 * the last one counts thrice: 50, and (192 + 3 · 40) / 4 = 78. */
static void
test_guide_of_four (void)
{
  static const guint8 luma[] = { 45, 55, 49, 51, 192, 40 };
  static const guint8 chroma[] = { 100, 160 };
  ReferenceBilateralFrame frame = grey_row (luma, 6);
  const ReferenceBilateralSettings settings = settings_of (4, 0.1);
  gdouble outputs_luma[6], output[2];
  gdouble *const outputs[] = { outputs_luma, output };
  const gdouble deviation = 0.1 * frame.white;
  const gdouble left = exp (-0.5);
  const gdouble right = left * exp (-28 * 28 / (2 * deviation * deviation));

  frame.n_planes = 2;
  frame.planes[1] = (ReferencePlane) {.samples = chroma, .width = 2,
    .height = 1, .components = 1, .alpha = -1, .x_subsampling = 4,
    .y_subsampling = 1};
  reference_bilateral (&frame, &settings, outputs);
  assert_near (output[0], (100 * (1 + left) + 160 * right)
      / (1 + left + right));
}

void
test_reference_add_blur_bilateral (void)
{
  g_test_add_func ("/bilateral/weights", test_weights);
  g_test_add_func ("/bilateral/steps", test_steps);
  g_test_add_func ("/bilateral/edge", test_edge);
  g_test_add_func ("/bilateral/colours", test_colours);
  g_test_add_func ("/bilateral/alpha", test_alpha);
  g_test_add_func ("/bilateral/chroma", test_chroma);
  g_test_add_func ("/bilateral/guide-of-four", test_guide_of_four);
}
