/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Weights, edges, alpha, exact boxes and errors: "Blur" of the numerics. The bilateral filter of
 * docs/internals/design.md. */
#include "reference_blur.h"
#include "reference_blur_bilateral.h"
#include "tests.h"

#include <math.h>

#define BOX REFERENCE_KERNEL_BOX
#define GAUSSIAN REFERENCE_KERNEL_GAUSSIAN
#define CLAMPED REFERENCE_EDGE_CLAMP

#define assert_near(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-6)

/* A Gaussian: exp (0), exp (-1/2), exp (-2), exp (-9/2) = 1, 0.606531, 0.135335, 0.011109; all
 * seven add up to 2.505950. Cut at 1: 1 / (1 + 2 · 0.606531) and 0.606531 of that. On a
 * subsampled axis R = ceil (5 / 2) = 3, and sigma is 2 / 2. A box of sigma 2: h = (sqrt (49) -
 * 1) / 2 = 3, seven equal taps. Of sigma 1: h = (sqrt (13) - 1) / 2 = 1.302776; two ends of
 * 0.302776 beside three times 1, out of 3.605551. h = 3 / 2: ends of a half, out of 4. */
TEST_IN ("blur/", weights)
{
  static const struct
  {
    ReferenceBlurSettings settings;
    ReferenceAxis axis;
    guint subsampling, reach;
    gdouble half[4];
  } cases[] = {
    {{GAUSSIAN, {1, 0}, -1, CLAMPED}, REFERENCE_X, 1, 3,
        {0.399050, 0.242036, 0.054006, 0.004433}},
    {{GAUSSIAN, {1, 0}, -1, CLAMPED}, REFERENCE_Y, 1, 0, {1}},
    {{GAUSSIAN, {1, 0}, 1, CLAMPED}, REFERENCE_X, 1, 1, {0.451862, 0.274069}},
    {{GAUSSIAN, {1, 2}, 5, CLAMPED}, REFERENCE_Y, 2, 3,
        {0.399050, 0.242036, 0.054006, 0.004433}},
    {{BOX, {2, 1}, -1, CLAMPED}, REFERENCE_X, 1, 3,
        {1 / 7., 1 / 7., 1 / 7., 1 / 7.}},
    {{BOX, {2, 1}, -1, CLAMPED}, REFERENCE_Y, 1, 2,
        {0.277350, 0.277350, 0.083975}},
    {{BOX, {2, 1}, 3, CLAMPED}, REFERENCE_Y, 2, 2, {0.25, 0.25, 0.125}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint reach;
    g_autofree gdouble *weights = reference_blur_weights (&cases[i].settings,
        cases[i].axis, cases[i].subsampling, &reach);

    g_assert_cmpuint (reach, ==, cases[i].reach);
    for (guint k = 0; k <= reach; k++) {
      assert_near (weights[reach + k], cases[i].half[k]);
      assert_near (weights[reach - k], cases[i].half[k]);
    }
  }
}

/* A Gaussian of radius 0, or of σ 0 on both axes; a box of half-width 0. Exact is a box whose
 * half-width is whole on both axes of the plane, and not 0 on both. */
TEST_IN ("blur/", kinds)
{
  static const struct
  {
    ReferenceBlurSettings settings;
    guint x_subsampling;
    gboolean is_identity, is_exact;
  } cases[] = {
    {{GAUSSIAN, {0, 0}, 5, CLAMPED}, 1, TRUE, FALSE},
    {{GAUSSIAN, {4, 4}, 0, CLAMPED}, 1, TRUE, FALSE},
    {{GAUSSIAN, {1, 0}, -1, CLAMPED}, 1, FALSE, FALSE},
    {{GAUSSIAN, {0, 1}, 5, CLAMPED}, 1, FALSE, FALSE},
    {{GAUSSIAN, {1, 1}, 2, CLAMPED}, 1, FALSE, FALSE},
    {{BOX, {0, 0}, -1, REFERENCE_EDGE_WRAP}, 1, TRUE, FALSE},
    {{BOX, {3, 3}, 0, CLAMPED}, 1, TRUE, FALSE},
    {{BOX, {0, 3}, -1, REFERENCE_EDGE_WRAP}, 1, FALSE, FALSE},
    {{BOX, {0, 0}, 1, CLAMPED}, 1, FALSE, TRUE},
    {{BOX, {1, 1}, 2, CLAMPED}, 2, FALSE, TRUE},
    {{BOX, {1, 1}, 3, CLAMPED}, 2, FALSE, FALSE},
    {{BOX, {2, 1}, -1, CLAMPED}, 1, FALSE, FALSE},
    {{BOX, {1, 2}, -1, CLAMPED}, 1, FALSE, FALSE},
    {{BOX, {2, 0}, -1, CLAMPED}, 1, FALSE, TRUE}
  };
  static const guint8 pixels[] = { 9, 0, 7, 200, 1, 255 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePlane plane = {.samples = pixels, .width = 3, .height = 1,
      .components = 2, .alpha = 1, .x_subsampling = cases[i].x_subsampling,
      .y_subsampling = 1};
    gdouble output[6];

    g_assert_cmpint (reference_blur_is_identity (&cases[i].settings), ==,
        cases[i].is_identity);
    g_assert_cmpint (reference_blur_box_is_exact (&plane, &cases[i].settings),
        ==, cases[i].is_exact);
    reference_blur (&plane, &cases[i].settings, output);
    /* Else the colour beside alpha 0 becomes another. */
    g_assert_cmpint (output[0] == 9, ==, cases[i].is_identity);
  }
}

/* What is exact is rounded. A plane of one row is that of a column, too. */
static void
assert_blurred (ReferencePlane plane, const ReferenceBlurSettings * settings,
    const gdouble * wanted)
{
  const guint n = plane.width * plane.height * plane.components;
  gdouble output[18];
  guint8 exact[18];

  reference_blur (&plane, settings, output);
  for (guint i = 0; i < n; i++)
    assert_near (output[i], wanted[i]);
  if (reference_blur_box_is_exact (&plane, settings)) {
    reference_blur_box_exact (&plane, settings, exact);
    for (guint i = 0; i < n; i++)
      g_assert_cmpuint (exact[i], ==, (guint) (wanted[i] + 0.5));
  }
  if (plane.height == 1 && plane.width > 1) {
    plane.height = plane.width;
    plane.width = 1;
    assert_blurred (plane, settings, wanted);
  }
}

TEST_IN ("blur/", planes)
{
  static const guint16 codes[] = { 1000, 1023, 0, 1023, 0, 0 };
  static const gdouble values[] = { -2, 0.5, 4, 1.5 };
  const struct
  {
    guint8 samples[18];
    const guint16 *codes;
    const gdouble *values;
    guint width, height, components;
    gint alpha;
    guint y_subsampling;
    ReferenceBlurSettings settings;
    gdouble wanted[18];
  } cases[] = {
    /* 10 10 10 10 [10] 20 40 40 40 */
    {{10, 20, 40}, NULL, NULL, 3, 1, 1, -1, 1,
        {BOX, {0}, 4, REFERENCE_EDGE_CLAMP}, {190 / 9., 220 / 9., 250 / 9.}},
    /* 40 40 20 10 [10] 20 40 40 20 */
    {{10, 20, 40}, NULL, NULL, 3, 1, 1, -1, 1,
        {BOX, {0}, 4, REFERENCE_EDGE_MIRROR}, {240 / 9., 210 / 9., 180 / 9.}},
    /* 40 10 20 40 [10] 20 40 10 20 */
    {{10, 20, 40}, NULL, NULL, 3, 1, 1, -1, 1,
        {BOX, {0}, 4, REFERENCE_EDGE_WRAP}, {210 / 9., 210 / 9., 210 / 9.}},
    /* 5 5 5 [10] 20 40 5 between six rows of 5 */
    {{10, 20, 40}, NULL, NULL, 3, 1, 1, -1, 1,
        {BOX, {0}, 3, REFERENCE_EDGE_BLACK}, {300 / 49., 300 / 49., 300 / 49.}},
    /* Of two components the second is 60 in the middle of 3 × 3, the first one is as black
     * as what is outside. Along x three taps weigh 1/3; along y, which is subsampled, h is
     * 1/2, and taps weigh 1/4, 1/2 and 1/4. */
    {{5, 0, 5, 0, 5, 0, 5, 0, 5, 60, 5, 0, 5, 0, 5, 0, 5, 0}, NULL, NULL,
        3, 3, 2, -1, 2, {BOX, {0}, 1, REFERENCE_EDGE_BLACK},
        {5, 5, 5, 5, 5, 5, 5, 10, 5, 10, 5, 10, 5, 5, 5, 5, 5, 5}},
    /* 100 at alpha 50 beside 20 at alpha 150. Left: (50 + 50 + 150) / 3, and (5000 + 5000 +
     * 3000) / 250. Right: (50 + 150 + 150) / 3, and (5000 + 3000 + 3000) / 350. */
    {{50, 100, 150, 20}, NULL, NULL, 2, 1, 2, 0, 1, {BOX, {0}, 1, CLAMPED},
        {250 / 3., 52, 350 / 3., 11000 / 350.}},
    /* Nothing is visible. */
    {{9, 8, 7, 0, 6, 5, 4, 0}, NULL, NULL, 2, 1, 4, 3, 1,
        {BOX, {0}, 1, CLAMPED}, {0}},
    /* Values beyond full scale: -2 at alpha 1/2 beside 4 at 3/2. Left: (-1 - 1 + 6) / 2.5
     * and 2.5 / 3. Right: (-1 + 6 + 6) / 3.5 and 3.5 / 3. */
    {{0}, NULL, values, 2, 1, 2, 1, 1, {BOX, {0}, 1, CLAMPED},
        {1.6, 2.5 / 3, 11 / 3.5, 3.5 / 3}},
    /* Codes of ten bits. The last pixel has no alpha, so its colour does not count. */
    {{0}, codes, NULL, 3, 1, 2, 1, 1, {BOX, {0}, 1, CLAMPED},
        {2000.0 / 3, 1023, 500, 682, 0, 341}},
    /* σ of 0.816497 has h = (sqrt (9) - 1) / 2 = 1: of rows of 1 2 4 and 10 20 45, (1 + 1 + 2)
     * / 3, and so on. */
    {{1, 2, 4, 10, 20, 45}, NULL, NULL, 3, 2, 1, -1, 1,
        {BOX, {sqrt (2 / 3.), 0}, -1, CLAMPED},
        {4 / 3., 7 / 3., 10 / 3., 40 / 3., 75 / 3., 110 / 3.}},
    /* h = (sqrt (25) - 1) / 2 = 2, of which a subsampled plane has 1: (1 + 1 + 10) / 3, and
     * so on. */
    {{1, 2, 4, 10, 20, 45}, NULL, NULL, 3, 2, 1, -1, 2,
        {BOX, {0, sqrt (2)}, -1, CLAMPED},
        {12 / 3., 24 / 3., 53 / 3., 21 / 3., 42 / 3., 94 / 3.}},
    /* The largest sums there are, of 6001² samples of 255 · 255, fit. */
    {{255, 254, 1, 255}, NULL, NULL, 1, 1, 4, 3, 1, {BOX, {0}, 3000, CLAMPED},
        {255, 254, 1, 255}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePlane plane = {.samples = cases[i].samples,
      .codes = cases[i].codes, .full_code = 1023, .values = cases[i].values,
      .width = cases[i].width, .height = cases[i].height,
      .components = cases[i].components, .alpha = cases[i].alpha,
      .x_subsampling = 1, .y_subsampling = cases[i].y_subsampling,
      .black = {5, 0}};

    g_assert_false (reference_blur_box_is_exact (&plane, &cases[i].settings)
        && (plane.codes || plane.values));
    assert_blurred (plane, &cases[i].settings, cases[i].wanted);
  }
}

#define assert_same(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-9)

/* --- errors --- */

/* The left pixel's colours are exempt, for its alpha is under 16: it is 0.75 off,
 * 0.25 beyond rounding. The right one's values are 0.5, 1, 1.75 and 0 off. Without alpha
 * nothing is exempt: 200 is 101 off. */
TEST_IN ("blur-error/", codes)
{
  static const guint8 output[] = { 10, 20, 200, 15, 10, 20, 200, 18 };
  static const gdouble oracle[] = { 99, 99, 99, 15.75, 10.5, 19, 201.75, 18 };
  ReferencePlane plane = {.width = 2, .height = 1, .components = 4, .alpha = 3};
  ReferenceBlurError error = { 0 };

  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0);
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 5);
  g_assert_cmpfloat (error.max, ==, 1.25);
  g_assert_cmpfloat (error.sum, ==, 0.25 + 0.5 + 1.25);
  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0.4);
  plane.alpha = -1;
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 13);
  g_assert_cmpfloat (error.max, ==, 100.5);
}

/* 16 / 255 is 0.063: of the left pixel alpha alone is judged, 0.01 off, and of the right
 * one both, 0.25 and 0. What is no number is as wrong as can be. */
TEST_IN ("blur-error/", values)
{
  static const gdouble output[] = { 9, 0.05, -0.5, 0.07 };
  static const gdouble oracle[] = { 1, 0.06, -0.25, 0.07 };
  static const gdouble nan_output[] = { 0, 0, NAN, 0.07 };
  const ReferencePlane plane = {.values = oracle, .width = 2, .height = 1,
    .components = 2, .alpha = 1};
  ReferenceBlurError error = { 0 };

  reference_blur_error_add_values (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 3);
  assert_same (error.max, 0.25);
  assert_same (error.sum, 0.26);
  reference_blur_error_add_values (&error, &plane, oracle, nan_output);
  g_assert_true (isinf (error.max));
}

/* --- the bilateral filter --- */

#define ROW_PLANE(bytes, n, n_components, x, y) {.samples = bytes, .width = n, \
    .height = 1, .components = n_components, .alpha = -1, .x_subsampling = x, \
    .y_subsampling = y}

#define ROW(bytes, n, n_components) {.n_planes = 1, \
    .planes = {ROW_PLANE (bytes, n, n_components, 1, 1)}, \
    .unused = -1, .white = 255}

static ReferenceBilateralSettings
settings_of (gdouble sigma, gdouble range)
{
  return (ReferenceBilateralSettings) {.sigma = {sigma, sigma}, .radius = 1,
    .range = range, .rounds = 1, .edge = REFERENCE_EDGE_CLAMP};
}

/* Three grey pixels, of which the window of the middle one has all. Squared distances are
 * exact up to 1023. Beyond that they are rounded down to a power of two: 1023 of 8 are the first
 * that reach 4.5 deviations of 20 codes, and 11² = 121 counts as 120. */
TEST_IN ("bilateral/", ranges)
{
  static const struct
  {
    guint8 samples[3];
    gdouble deviation, left, right;     /* squared distances */
  } cases[] = {
    {{110, 100, 92}, 6, 100, 64}, {{111, 100, 100}, 20, 120, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint8 *samples = cases[i].samples;
    const ReferenceBilateralFrame frame = ROW (samples, 3, 1);
    const ReferenceBilateralSettings settings =
        settings_of (1, cases[i].deviation / 255);
    const gdouble variance = cases[i].deviation * cases[i].deviation;
    const gdouble left = exp (-0.5 - cases[i].left / (2 * variance));
    const gdouble right = exp (-0.5 - cases[i].right / (2 * variance));
    gdouble output[3];
    gdouble *const outputs[] = { output };

    reference_bilateral (&frame, &settings, outputs);
    assert_same (output[1], (samples[0] * left + samples[1]
            + samples[2] * right) / (left + 1 + right));
  }
}

/* Beyond the table's end nothing weighs. */
TEST_IN ("bilateral/", edge)
{
  static const guint8 samples[] = { 10, 10, 200, 200 };
  const ReferenceBilateralFrame frame = ROW (samples, 4, 1);
  ReferenceBilateralSettings settings = settings_of (3, 0.1);
  gdouble output[4];
  gdouble *const outputs[] = { output };

  for (settings.rounds = 1; settings.rounds <= 2; settings.rounds++) {
    reference_bilateral (&frame, &settings, outputs);
    for (guint i = 0; i < 4; i++)
      assert_same (output[i], samples[i]);
  }
}

/* Grey in RGB is as far apart as grey alone, but for steps. */
TEST_IN ("bilateral/", colours)
{
  static const guint8 grey[] = { 104, 100, 97 };
  static const guint8 rgb[] = { 104, 104, 104, 100, 100, 100, 97, 97, 97 };
  const ReferenceBilateralFrame of_grey = ROW (grey, 3, 1);
  ReferenceBilateralFrame of_rgb = ROW (rgb, 3, 3);
  const ReferenceBilateralSettings settings = settings_of (1, 3.0 / 255);
  gdouble output[3], colours[9];
  gdouble *const outputs[] = { output }, *const rgb_outputs[] = { colours };

  of_rgb.is_rgb = TRUE;
  reference_bilateral (&of_grey, &settings, outputs);
  reference_bilateral (&of_rgb, &settings, rgb_outputs);
  for (guint i = 0; i < 9; i++)
    assert_same (colours[i], output[i / 3]);
}

/* A transparent pixel gives its neighbour some of its alpha, and none of its colour. */
TEST_IN ("bilateral/", alpha)
{
  static const guint8 samples[] = { 90, 80, 70, 255, 255, 0, 255, 0 };
  ReferenceBilateralFrame frame = ROW (samples, 2, 4);
  ReferenceBilateralSettings settings = settings_of (1, 1);
  gdouble output[8];
  gdouble *const outputs[] = { output };
  const gdouble squared = 90 * 90 + 80 * 80 + 70 * 70 + 3 * 255 * 255;
  const gdouble weight = exp (-0.5 - floor (squared / 512) * 512
      / (2 * 3 * 255.0 * 255));

  frame.planes[0].alpha = 3;
  frame.is_rgb = TRUE;
  settings.edge = REFERENCE_EDGE_BLACK;
  reference_bilateral (&frame, &settings, outputs);
  for (guint i = 0; i < 3; i++)
    assert_same (output[i], samples[i]);
  /* Beyond the left edge, and above and below, all is transparent, too. */
  g_assert_cmpfloat (output[3], <, 255 / (1 + weight));
  g_assert_cmpfloat (output[3], >, 255 / (1 + 8 * weight));
}

/* Chroma is averaged where luma is alike, whatever chroma is. The guide of 4:1:1 is the mean of
 * four luma codes. Of the last sample there are two, and the last one counts thrice: 50.5, which
 * is 51, and (192 + 3 · 40) / 4 = 78. In steps of 16, 27² = 729 counts as 720. */
TEST_IN ("bilateral/", chroma)
{
  static const guint8 luma[] = { 50, 52, 50, 52, 200, 200 };
  static const guint8 chroma[] = { 100, 160, 30 };
  static const guint8 luma_of_four[] = { 45, 55, 50, 52, 192, 40 };
  ReferenceBilateralFrame frame = ROW (luma, 6, 1);
  ReferenceBilateralFrame of_four = ROW (luma_of_four, 6, 1);
  const ReferenceBilateralSettings settings = settings_of (2, 0.1);
  const ReferenceBilateralSettings settings_of_four = settings_of (4, 0.1);
  gdouble outputs_luma[6], output[3];
  gdouble *const outputs[] = { outputs_luma, output };
  const gdouble side = exp (-0.5), deviation = 0.1 * 255;
  const gdouble right = side * exp (-720 / (2 * deviation * deviation));

  frame.n_planes = of_four.n_planes = 2;
  frame.planes[1] = (ReferencePlane) ROW_PLANE (chroma, 3, 1, 2, 2);
  reference_bilateral (&frame, &settings, outputs);
  assert_same (output[1], (100 * side + 160) / (side + 1));
  assert_same (output[2], 30);
  of_four.planes[1] = (ReferencePlane) ROW_PLANE (chroma, 2, 1, 4, 1);
  reference_bilateral (&of_four, &settings_of_four, outputs);
  assert_same (output[0], (100 * (1 + side) + 160 * right)
      / (1 + side + right));
}
