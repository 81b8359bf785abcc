/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Weights, edges, alpha and exact boxes: "Blur" of the numerics. */
#include "test_reference.h"
#include "reference_blur.h"

#include <math.h>

#define assert_near(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-6)

static ReferencePlane
plane_of (const guint8 * samples, guint width, guint height, guint components)
{
  ReferencePlane plane = {.samples = samples, .width = width,
    .height = height, .components = components, .alpha = -1,
    .x_subsampling = 1, .y_subsampling = 1};

  return plane;
}

static void
assert_blurred (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, const gdouble * wanted)
{
  gdouble output[32];
  const guint n = plane->width * plane->height * plane->components;

  g_assert_cmpuint (n, <=, G_N_ELEMENTS (output));
  reference_blur (plane, settings, output);
  for (guint i = 0; i < n; i++)
    assert_near (output[i], wanted[i]);
}

static void
assert_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings, const guint8 * wanted)
{
  guint8 output[32];
  const guint n = plane->width * plane->height * plane->components;

  g_assert_cmpuint (n, <=, sizeof output);
  reference_blur_box_exact (plane, settings, output);
  g_assert_cmpmem (output, n, wanted, n);
}

/* --- weights --- */

static void
assert_weights (const ReferenceBlurSettings * settings, ReferenceAxis axis,
    guint subsampling, guint wanted_reach, const gdouble * wanted_half)
{
  guint reach;
  g_autofree gdouble *weights =
      reference_blur_weights (settings, axis, subsampling, &reach);

  g_assert_cmpuint (reach, ==, wanted_reach);
  for (guint i = 0; i <= reach; i++) {
    assert_near (weights[reach + i], wanted_half[i]);
    assert_near (weights[reach - i], wanted_half[i]);
  }
}

static void
test_gaussian_weights (void)
{
  /* exp (0), exp (-1/2), exp (-2), exp (-9/2) = 1, 0.606531, 0.135335,
   * 0.011109; all seven add up to 2.505950. */
  static const gdouble sigma_1[] = { 0.399050, 0.242036, 0.054006, 0.004433 };
  /* Cut at 1: 1 / (1 + 2 · 0.606531) and 0.606531 of that. */
  static const gdouble radius_1[] = { 0.451862, 0.274069 };
  static const gdouble one[] = { 1 };
  ReferenceBlurSettings settings = {.sigma = {1, 0}, .radius = -1};

  assert_weights (&settings, REFERENCE_X, 1, 3, sigma_1);
  assert_weights (&settings, REFERENCE_Y, 1, 0, one);
  settings.radius = 1;
  assert_weights (&settings, REFERENCE_X, 1, 1, radius_1);
  /* On a subsampled axis R = ceil (5 / 2) = 3, and sigma is 2 / 2. */
  settings.sigma[REFERENCE_Y] = 2;
  settings.radius = 5;
  assert_weights (&settings, REFERENCE_Y, 2, 3, sigma_1);
}

static void
test_box_weights (void)
{
  /* sigma 2: h = (sqrt (49) - 1) / 2 = 3, seven equal taps. */
  static const gdouble whole[] = { 1 / 7., 1 / 7., 1 / 7., 1 / 7. };
  /* sigma 1: h = (sqrt (13) - 1) / 2 = 1.302776; two ends of 0.302776 beside
   * three times 1, out of 3.605551. */
  static const gdouble fraction[] = { 0.277350, 0.277350, 0.083975 };
  /* h = 3 / 2: ends of a half, out of 4. */
  static const gdouble halved[] = { 0.25, 0.25, 0.125 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .sigma = {2, 1}, .radius = -1};

  assert_weights (&settings, REFERENCE_X, 1, 3, whole);
  assert_weights (&settings, REFERENCE_Y, 1, 2, fraction);
  settings.radius = 3;
  assert_weights (&settings, REFERENCE_Y, 2, 2, halved);
}

/* A Gaussian of radius 0, or of σ 0 on both axes; a box of half-width 0. */
static void
test_identity (void)
{
  static const struct
  {
    ReferenceBlurSettings settings;
    gboolean identity;
  } cases[] = {
    {{REFERENCE_KERNEL_GAUSSIAN, {0, 0}, 5, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_GAUSSIAN, {4, 4}, 0, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_GAUSSIAN, {1, 0}, -1, REFERENCE_EDGE_CLAMP}, FALSE},
    {{REFERENCE_KERNEL_GAUSSIAN, {0, 1}, 5, REFERENCE_EDGE_CLAMP}, FALSE},
    {{REFERENCE_KERNEL_BOX, {0, 0}, -1, REFERENCE_EDGE_WRAP}, TRUE},
    {{REFERENCE_KERNEL_BOX, {3, 3}, 0, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_BOX, {0, 3}, -1, REFERENCE_EDGE_WRAP}, FALSE},
    {{REFERENCE_KERNEL_BOX, {0, 0}, 1, REFERENCE_EDGE_CLAMP}, FALSE},
  };
  static const guint8 pixels[] = { 9, 0, 7, 200, 1, 255 };
  ReferencePlane plane = plane_of (pixels, 3, 1, 2);

  plane.alpha = 1;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    gdouble output[6];

    g_assert_true (reference_blur_is_identity (&cases[i].settings) ==
        cases[i].identity);
    reference_blur (&plane, &cases[i].settings, output);
    /* Else the colour beside alpha 0 becomes another. */
    g_assert_true ((output[0] == 9) == cases[i].identity);
  }
}

/* --- edges --- */

/* Of a row of 10, 20, 40 the first, under boxes that reach past both ends. */
static void
test_edges (void)
{
  static const guint8 row[] = { 10, 20, 40 };
  static const struct
  {
    ReferenceEdge edge;
    gint radius;
    gdouble first;
  } cases[] = {
    /* 10 10 10 10 [10] 20 40 40 40 */
    {REFERENCE_EDGE_CLAMP, 4, 190 / 9.},
    /* 40 40 20 10 [10] 20 40 40 20 */
    {REFERENCE_EDGE_MIRROR, 4, 240 / 9.},
    /* 40 10 20 40 [10] 20 40 10 20 */
    {REFERENCE_EDGE_WRAP, 4, 210 / 9.},
    /* 5 5 5 [10] 20 40 5 between six rows of 5 */
    {REFERENCE_EDGE_BLACK, 3, (90 + 6 * 35) / 49.},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
      .radius = cases[i].radius, .edge = cases[i].edge};
    ReferencePlane across = plane_of (row, 3, 1, 1);
    ReferencePlane down = plane_of (row, 1, 3, 1);
    gdouble output[3], transposed[3];

    across.black[0] = down.black[0] = 5;
    reference_blur (&across, &settings, output);
    reference_blur (&down, &settings, transposed);
    assert_near (output[0], cases[i].first);
    assert_near (transposed[0], cases[i].first);
  }
}

/* Of two components the second is 60 in the middle of 3 × 3. Along x three taps weigh
 * 1/3; along y, which is subsampled, h is 1/2, and taps weigh 1/4, 1/2 and 1/4. */
static void
test_impulse (void)
{
  static const gdouble wanted[] =
      { 0, 5, 0, 5, 0, 5, 0, 10, 0, 10, 0, 10, 0, 5, 0, 5, 0, 5 };
  const ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 1, .edge = REFERENCE_EDGE_BLACK};
  guint8 samples[3 * 3 * 2] = { 0 };
  ReferencePlane plane = plane_of (samples, 3, 3, 2);

  plane.y_subsampling = 2;
  samples[4 * 2 + 1] = 60;
  assert_blurred (&plane, &settings, wanted);
}

/* --- alpha --- */

static const ReferenceBlurSettings box_of_3 = {.kernel = REFERENCE_KERNEL_BOX,
  .radius = 1, .edge = REFERENCE_EDGE_CLAMP};

/* 100 at alpha 50 beside 20 at alpha 150. Left: (50 + 50 + 150) / 3, and (5000 + 5000 +
 * 3000) / 250. Right: (50 + 150 + 150) / 3, and (5000 + 3000 + 3000) / 350. */
static void
test_alpha (void)
{
  static const guint8 pair[] = { 50, 100, 150, 20 };
  static const gdouble wanted[] = { 250 / 3., 52, 350 / 3., 11000 / 350. };
  static const guint8 rounded[] = { 83, 52, 117, 31 };
  ReferencePlane plane = plane_of (pair, 2, 1, 2);

  plane.alpha = 0;
  assert_blurred (&plane, &box_of_3, wanted);
  assert_exact (&plane, &box_of_3, rounded);
}

static void
test_nothing_visible (void)
{
  static const guint8 pair[] = { 9, 8, 7, 0, 6, 5, 4, 0 };
  static const guint8 zeros[8] = { 0 };
  static const gdouble nothing[8] = { 0 };
  ReferencePlane plane = plane_of (pair, 2, 1, 4);

  plane.alpha = 3;
  assert_blurred (&plane, &box_of_3, nothing);
  assert_exact (&plane, &box_of_3, zeros);
}

/* Values beyond full scale: -2 at alpha 1/2 beside 4 at 3/2. Left: (-1 - 1 + 6) / 2.5
 * and 2.5 / 3. Right: (-1 + 6 + 6) / 3.5 and 3.5 / 3. */
static void
test_values (void)
{
  static const gdouble pair[] = { -2, 0.5, 4, 1.5 };
  static const gdouble wanted[] = { 1.6, 2.5 / 3, 11 / 3.5, 3.5 / 3 };
  ReferencePlane plane = plane_of (NULL, 2, 1, 2);

  plane.values = pair;
  plane.alpha = 1;
  assert_blurred (&plane, &box_of_3, wanted);
}

/* Codes of ten bits. The last pixel has no alpha, so its colour does not count. */
static void
test_codes (void)
{
  static const guint16 codes[] = { 1000, 1023, 0, 1023, 0, 0 };
  static const gdouble wanted[] = { 2000.0 / 3, 1023, 500, 682, 0, 341 };
  ReferencePlane plane = plane_of (NULL, 3, 1, 2);

  plane.codes = codes;
  plane.full_code = 1023;
  plane.alpha = 1;
  g_assert_false (reference_blur_box_is_exact (&plane, &box_of_3));
  assert_blurred (&plane, &box_of_3, wanted);
}

/* --- exact boxes --- */

/* Rows of 1 2 4 and 10 20 45 with half-widths of 1 and 0: (1 + 1 + 2) / 3 is 1, 7 / 3
 * is 2, 10 / 3 is 3, 40 / 3 is 13, 75 / 3 is 25 and 110 / 3 = 36.7 is 37. With half-widths
 * of 0 and 1, as the y of a subsampled plane: (1 + 1 + 10) / 3 = 4, 24 / 3 and 53 / 3 =
 * 17.7; 21 / 3, 42 / 3 and 94 / 3. */
static void
test_exact (void)
{
  static const guint8 samples[] = { 1, 2, 4, 10, 20, 45 };
  static const guint8 along_x[] = { 1, 2, 3, 13, 25, 37 };
  static const guint8 along_y[] = { 4, 8, 18, 7, 14, 31 };
  /* σ of 0.816497 has h = (sqrt (9) - 1) / 2 = 1. */
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .sigma = {sqrt (2 / 3.), 0}, .radius = -1, .edge = REFERENCE_EDGE_CLAMP};
  ReferencePlane plane = plane_of (samples, 3, 2, 1);

  assert_exact (&plane, &settings, along_x);
  settings.sigma[REFERENCE_X] = 0;
  /* h = (sqrt (25) - 1) / 2 = 2, of which a plane has 1. */
  settings.sigma[REFERENCE_Y] = sqrt (2);
  plane.y_subsampling = 2;
  assert_exact (&plane, &settings, along_y);
}

/* The largest sums there are, of 6001² samples of 255 · 255, fit. */
static void
test_largest (void)
{
  static const guint8 pixel[] = { 255, 254, 1, 255 };
  const ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 3000
  };
  ReferencePlane plane = plane_of (pixel, 1, 1, 4);

  plane.alpha = 3;
  assert_exact (&plane, &settings, pixel);
}

/* A box whose half-width is whole on both axes of the plane, and not 0 on both. */
static void
test_which_are_exact (void)
{
  static const guint8 sample = 0;
  static const struct
  {
    ReferenceKernel kernel;
    gdouble sigma_x, sigma_y;
    gint radius;
    guint x_subsampling;
    gboolean exact;
  } cases[] = {
    {REFERENCE_KERNEL_BOX, 1, 1, 2, 2, TRUE},
    {REFERENCE_KERNEL_BOX, 1, 1, 3, 2, FALSE},
    {REFERENCE_KERNEL_BOX, 1, 1, 0, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 2, 1, -1, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 1, 2, -1, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 2, 0, -1, 1, TRUE},
    {REFERENCE_KERNEL_GAUSSIAN, 1, 1, 2, 1, FALSE},
  };
  ReferencePlane plane = plane_of (&sample, 1, 1, 1);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferenceBlurSettings settings = { cases[i].kernel,
      {cases[i].sigma_x, cases[i].sigma_y}, cases[i].radius,
      REFERENCE_EDGE_CLAMP
    };
    ReferencePlane of_values = plane;
    const gdouble value = 0;

    plane.x_subsampling = cases[i].x_subsampling;
    of_values.values = &value;
    g_assert_true (reference_blur_box_is_exact (&plane, &settings) ==
        cases[i].exact);
    g_assert_false (reference_blur_box_is_exact (&of_values, &settings));
  }
}

void
test_reference_add_blur (void)
{
  g_test_add_func ("/blur/gaussian-weights", test_gaussian_weights);
  g_test_add_func ("/blur/box-weights", test_box_weights);
  g_test_add_func ("/blur/identity", test_identity);
  g_test_add_func ("/blur/edges", test_edges);
  g_test_add_func ("/blur/impulse", test_impulse);
  g_test_add_func ("/blur/alpha", test_alpha);
  g_test_add_func ("/blur/nothing-visible", test_nothing_visible);
  g_test_add_func ("/blur/values", test_values);
  g_test_add_func ("/blur/codes", test_codes);
  g_test_add_func ("/blur/exact", test_exact);
  g_test_add_func ("/blur/largest", test_largest);
  g_test_add_func ("/blur/which-are-exact", test_which_are_exact);
}
