/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "generated.h"
#include "reference_blur.h"

#include <math.h>
#include <string.h>

#define TINY 1e-9

#define assert_near(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, TINY)

static const ReferenceEdge edges[] = { REFERENCE_EDGE_CLAMP,
  REFERENCE_EDGE_MIRROR, REFERENCE_EDGE_WRAP, REFERENCE_EDGE_BLACK
};

static ReferencePlane
plane_of (const guint8 * samples, guint width, guint height, guint components)
{
  ReferencePlane plane = {.samples = samples,.width = width,.height = height,
    .components = components,.alpha = -1,.x_subsampling = 1,
    .y_subsampling = 1
  };

  return plane;
}

static gdouble *
blur (const ReferencePlane * plane, const ReferenceBlurSettings * settings)
{
  gdouble *output = g_new (gdouble,
      (gsize) plane->width * plane->height * plane->components);

  reference_blur (plane, settings, output);
  return output;
}

static void
assert_weights (const ReferenceBlurSettings * settings, ReferenceAxis axis,
    guint subsampling, guint wanted_reach, const gdouble * wanted_half)
{
  guint reach;
  g_autofree gdouble *weights =
      reference_blur_weights (settings, axis, subsampling, &reach);

  g_assert_cmpuint (reach, ==, wanted_reach);
  for (guint i = 0; i <= reach; i++) {
    g_assert_cmpfloat_with_epsilon (weights[reach + i], wanted_half[i], 1e-6);
    g_assert_true (weights[reach - i] == weights[reach + i]);
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
  ReferenceBlurSettings settings = {.sigma = {1, 0},.radius = -1 };

  assert_weights (&settings, REFERENCE_X, 1, 3, sigma_1);
  assert_weights (&settings, REFERENCE_Y, 1, 0, one);
  settings.radius = 1;
  assert_weights (&settings, REFERENCE_X, 1, 1, radius_1);
  /* Halved on a subsampled axis: ceil (5 / 2) = 3 taps of sigma 1. */
  settings.sigma[REFERENCE_Y] = 2;
  settings.radius = 5;
  assert_weights (&settings, REFERENCE_Y, 2, 3, sigma_1);
}

static void
test_gaussian_reach (void)
{
  static const struct
  {
    gdouble sigma;
    guint subsampling, reach;
  } cases[] = { {1.5, 1, 5}, {1.5, 2, 3}, {1, 1, 3}, {1, 2, 2}, {0.1, 1, 1},
  {0.1, 4, 1}, {1000, 1, 3000}, {1e-200, 1, 1}, {0, 1, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlurSettings settings = {.sigma = {cases[i].sigma},.radius = -1 };
    guint reach;
    g_autofree gdouble *weights =
        reference_blur_weights (&settings, REFERENCE_X, cases[i].subsampling,
        &reach);
    gdouble sum = 0;

    g_assert_cmpuint (reach, ==, cases[i].reach);
    for (guint k = 0; k <= 2 * reach; k++)
      sum += weights[k];
    assert_near (sum, 1);
  }
}

static void
test_box_weights (void)
{
  /* sigma 2: (sqrt (49) - 1) / 2 = 3, seven equal taps. */
  static const gdouble whole[] = { 1 / 7., 1 / 7., 1 / 7., 1 / 7. };
  /* sigma 1: (sqrt (13) - 1) / 2 = 1.3027756; two ends of 0.3027756 beside
   * three times 1, out of 3.6055513. */
  static const gdouble fraction[] = { 0.277350, 0.277350, 0.083975 };
  /* 3 / 2: ends of a half, out of 4. */
  static const gdouble halved[] = { 0.25, 0.25, 0.125 };
  /* 1 / 2: ends of a half, out of 2. */
  static const gdouble narrow[] = { 0.5, 0.25 };
  static const gdouble none[] = { 1 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .sigma = {2, 1},.radius = -1
  };

  assert_weights (&settings, REFERENCE_X, 1, 3, whole);
  assert_near (reference_blur_box_half_width (&settings, REFERENCE_Y),
      1.3027756377319946);
  assert_weights (&settings, REFERENCE_Y, 1, 2, fraction);
  settings.sigma[REFERENCE_X] = 0;
  assert_weights (&settings, REFERENCE_X, 1, 0, none);
  settings.radius = 3;
  assert_weights (&settings, REFERENCE_X, 1, 3, whole);
  assert_weights (&settings, REFERENCE_Y, 2, 2, halved);
  settings.radius = 1;
  assert_weights (&settings, REFERENCE_X, 2, 1, narrow);
  settings.radius = 0;
  assert_weights (&settings, REFERENCE_Y, 1, 0, none);
}

static void
test_identity (void)
{
  static const struct
  {
    ReferenceBlurSettings settings;
    gboolean identity;
  } cases[] = {
    {{REFERENCE_KERNEL_GAUSSIAN, {0, 0}, -1, REFERENCE_EDGE_BLACK}, TRUE},
    {{REFERENCE_KERNEL_GAUSSIAN, {0, 0}, 5, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_GAUSSIAN, {4, 4}, 0, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_GAUSSIAN, {0.5, 0.5}, -1, REFERENCE_EDGE_CLAMP}, FALSE},
    {{REFERENCE_KERNEL_GAUSSIAN, {0.5, 0}, -1, REFERENCE_EDGE_CLAMP}, FALSE},
    {{REFERENCE_KERNEL_GAUSSIAN, {0, 0.5}, 5, REFERENCE_EDGE_CLAMP}, FALSE},
    {{REFERENCE_KERNEL_BOX, {0, 0}, -1, REFERENCE_EDGE_WRAP}, TRUE},
    {{REFERENCE_KERNEL_BOX, {0, 3}, -1, REFERENCE_EDGE_WRAP}, FALSE},
    {{REFERENCE_KERNEL_BOX, {3, 0}, -1, REFERENCE_EDGE_WRAP}, FALSE},
    {{REFERENCE_KERNEL_BOX, {3, 3}, 0, REFERENCE_EDGE_CLAMP}, TRUE},
    {{REFERENCE_KERNEL_BOX, {0, 0}, 1, REFERENCE_EDGE_CLAMP}, FALSE},
  };
  g_autofree guint8 *picture = generated_picture_new ("alpha-noise", 9, 7, 0);
  ReferencePlane plane = plane_of (picture, 9, 7, 4);

  plane.alpha = 3;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gdouble *output = blur (&plane, &cases[i].settings);
    gboolean same = TRUE;

    g_assert_true (reference_blur_is_identity (&cases[i].settings) ==
        cases[i].identity);
    for (guint k = 0; k < 4 * 9 * 7; k++)
      same = same && output[k] == picture[k];
    g_assert_true (same == cases[i].identity);
  }
}

/* A row of 10, 20, 40 under boxes that reach past both ends. */
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
    /* 10 10 [10] 20 40 */
    {REFERENCE_EDGE_CLAMP, 2, 90 / 5.},
    /* 20 10 [10] 20 40 */
    {REFERENCE_EDGE_MIRROR, 2, 100 / 5.},
    /* 20 40 [10] 20 40 */
    {REFERENCE_EDGE_WRAP, 2, 130 / 5.},
    /* 5 5 [10] 20 40 between four rows of 5 */
    {REFERENCE_EDGE_BLACK, 2, (80 + 4 * 25) / 25.},
    /* 10 10 10 10 [10] 20 40 40 40 */
    {REFERENCE_EDGE_CLAMP, 4, 190 / 9.},
    /* 40 40 20 10 [10] 20 40 40 20 */
    {REFERENCE_EDGE_MIRROR, 4, 240 / 9.},
    /* 40 10 20 40 [10] 20 40 10 20 */
    {REFERENCE_EDGE_WRAP, 4, 210 / 9.},
    /* 100 whole periods of 6 on either side: 200 times 70 beside [10] */
    {REFERENCE_EDGE_MIRROR, 600, (400 * 70 + 10) / 1201.},
    {REFERENCE_EDGE_WRAP, 600, (400 * 70 + 10) / 1201.},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
      .radius = cases[i].radius,.edge = cases[i].edge
    };
    ReferencePlane across = plane_of (row, 3, 1, 1);
    ReferencePlane down = plane_of (row, 1, 3, 1);
    g_autofree gdouble *output = NULL;
    g_autofree gdouble *transposed = NULL;

    across.black[0] = 5;
    down.black[0] = 5;
    output = blur (&across, &settings);
    transposed = blur (&down, &settings);
    assert_near (output[0], cases[i].first);
    assert_near (transposed[0], cases[i].first);
  }
}

static void
test_constant_stays (void)
{
  guint8 samples[5 * 4 * 3];

  for (guint i = 0; i < sizeof samples; i++)
    samples[i] = (guint8) (17 + 100 * (i % 3));
  for (guint edge = 0; edge < G_N_ELEMENTS (edges); edge++) {
    for (guint kernel = 0; kernel < 2; kernel++) {
      ReferenceBlurSettings settings = {.kernel = kernel,
        .sigma = {7.3, 2.9},.radius = -1,.edge = edges[edge]
      };
      ReferencePlane plane = plane_of (samples, 5, 4, 3);
      g_autofree gdouble *output = NULL;

      /* Black of the same colour makes black a constant, too. */
      memcpy (plane.black, samples, 3);
      output = blur (&plane, &settings);
      for (guint i = 0; i < sizeof samples; i++)
        assert_near (output[i], samples[i]);
    }
  }
}

/* The second component of a plane that is subsampled along y alone, where sigma
 * is less, too. */
static void
test_impulse (void)
{
  for (guint kernel = 0; kernel < 2; kernel++) {
    ReferenceBlurSettings settings = {.kernel = kernel,.sigma = {1.7, 1.4},
    .radius = -1,.edge = REFERENCE_EDGE_BLACK
    };
    guint8 samples[15 * 13 * 2] = { 0 };
    ReferencePlane plane = plane_of (samples, 15, 13, 2);
    guint x_reach, y_reach;
    g_autofree gdouble *x_weights =
        reference_blur_weights (&settings, REFERENCE_X, 1, &x_reach);
    g_autofree gdouble *y_weights =
        reference_blur_weights (&settings, REFERENCE_Y, 2, &y_reach);
    g_autofree gdouble *output = NULL;

    plane.y_subsampling = 2;
    samples[(6 * 15 + 7) * 2 + 1] = 255;
    output = blur (&plane, &settings);
    g_assert_cmpuint (x_reach, >, y_reach);
    for (gint y = 0; y < 13; y++) {
      for (gint x = 0; x < 15; x++) {
        gint i = x - 7 + (gint) x_reach, j = y - 6 + (gint) y_reach;
        gdouble wanted = 0;

        if (i >= 0 && i <= 2 * (gint) x_reach && j >= 0
            && j <= 2 * (gint) y_reach)
          wanted = 255 * x_weights[i] * y_weights[j];
        assert_near (output[(y * 15 + x) * 2 + 1], wanted);
        assert_near (output[(y * 15 + x) * 2], 0);
      }
    }
  }
}

/* Opaque blue beside transparent red: no red may bleed. A constant colour
 * stays what it is under any alpha. */
static void
test_alpha (void)
{
  static const guint8 pair[] = { 0, 0, 200, 255, 255, 0, 0, 0 };
  ReferenceBlurSettings settings = {.sigma = {1, 1},.radius = -1 };
  ReferencePlane plane = plane_of (pair, 2, 1, 4);
  g_autofree gdouble *output = NULL;

  plane.alpha = 3;
  output = blur (&plane, &settings);
  for (guint i = 0; i < 8; i += 4) {
    assert_near (output[i], 0);
    assert_near (output[i + 1], 0);
    assert_near (output[i + 2], 200);
  }
  /* Clamped, the taps -3…0 of the left pixel fall on what is opaque: half of
   * all and half of the middle one. The right pixel gets the rest. */
  assert_near (output[3], 255 * (0.5 + 0.39905027965 / 2));
  assert_near (output[3] + output[7], 255);
}

static void
test_nothing_visible (void)
{
  static const guint8 pair[] = { 9, 8, 7, 0, 6, 5, 4, 0 };
  static const guint8 zeros[8] = { 0 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 2
  };
  ReferencePlane plane = plane_of (pair, 2, 1, 4);
  g_autofree gdouble *output = NULL;
  guint8 exact[8];

  plane.alpha = 3;
  output = blur (&plane, &settings);
  for (guint i = 0; i < 8; i++)
    g_assert_true (output[i] == 0);
  reference_blur_box_exact (&plane, &settings, exact);
  g_assert_cmpmem (exact, 8, zeros, 8);
}

/* Alpha may come first: 100 at alpha 50 beside 20 at alpha 150. */
static void
test_alpha_first (void)
{
  static const guint8 pair[] = { 50, 100, 150, 20 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 1,.edge = REFERENCE_EDGE_CLAMP
  };
  ReferencePlane plane = plane_of (pair, 2, 1, 2);
  g_autofree gdouble *output = NULL;
  guint8 exact[4];

  plane.alpha = 0;
  output = blur (&plane, &settings);
  /* Left: (50 + 50 + 150) / 3 and (5000 + 5000 + 3000) / 250.
   * Right: (50 + 150 + 150) / 3 and (5000 + 3000 + 3000) / 350. */
  assert_near (output[0], 250 / 3.);
  assert_near (output[1], 52);
  assert_near (output[2], 350 / 3.);
  assert_near (output[3], 11000 / 350.);
  reference_blur_box_exact (&plane, &settings, exact);
  g_assert_cmpuint (exact[0], ==, 83);
  g_assert_cmpuint (exact[1], ==, 52);
  g_assert_cmpuint (exact[2], ==, 117);
  g_assert_cmpuint (exact[3], ==, 31);
}

/* The sample at a position anywhere, found by walking step by step. */
static gint
walk_to (gint position, gint n, ReferenceEdge edge)
{
  gint at = 0, direction = position < 0 ? -1 : 1;

  for (gint i = 0; i != position; i += position < 0 ? -1 : 1) {
    at += direction;
    if (at >= 0 && at < n)
      continue;
    switch (edge) {
      case REFERENCE_EDGE_CLAMP:
        at -= direction;
        break;
      case REFERENCE_EDGE_MIRROR:
        at -= direction;
        direction = -direction;
        break;
      case REFERENCE_EDGE_WRAP:
        at = direction > 0 ? 0 : n - 1;
        break;
      case REFERENCE_EDGE_BLACK:
        return -1;
    }
  }
  return at;
}

/* One value out of a whole box, in integers, sample by sample. */
static guint
box_value (const ReferencePlane * plane, ReferenceEdge edge, gint x, gint y,
    guint component, gint half_x, gint half_y)
{
  const gboolean weighed = plane->alpha >= 0
      && component != (guint) plane->alpha;
  gint64 sum = 0, n = 0;

  for (gint j = -half_y; j <= half_y; j++) {
    for (gint i = -half_x; i <= half_x; i++) {
      gint column = walk_to (x + i, (gint) plane->width, edge);
      gint row = walk_to (y + j, (gint) plane->height, edge);
      const guint8 *pixel = column < 0 || row < 0 ? plane->black
          : plane->samples + (row * plane->width + column) * plane->components;
      guint weight = weighed ? pixel[plane->alpha] : 1;

      sum += pixel[component] * weight;
      n += weight;
    }
  }
  return n == 0 ? 0 : (guint) ((2 * sum + n) / (2 * n));
}

static void
assert_box_is_exact (const ReferencePlane * plane,
    const ReferenceBlurSettings * settings)
{
  const guint n = plane->width * plane->height * plane->components;
  const gint half_x =
      (gint) reference_blur_box_half_width (settings, REFERENCE_X);
  const gint half_y =
      (gint) reference_blur_box_half_width (settings, REFERENCE_Y);
  g_autofree guint8 *exact = g_malloc (n);
  g_autofree gdouble *oracle = blur (plane, settings);
  ReferenceBlurError error = { 0 };

  g_assert_true (reference_blur_box_is_exact (plane, settings));
  reference_blur_box_exact (plane, settings, exact);
  for (guint i = 0; i < n; i++) {
    guint pixel = i / plane->components;

    g_assert_cmpuint (exact[i], ==, box_value (plane, settings->edge,
            (gint) (pixel % plane->width), (gint) (pixel / plane->width),
            i % plane->components, half_x / (gint) plane->x_subsampling,
            half_y / (gint) plane->y_subsampling));
  }
  reference_blur_error_add (&error, plane, oracle, exact);
  g_assert_cmpfloat (error.max, <, TINY);
}

/* Half-widths of 3 and 0, 0 and 3, 3 and 48. */
static void
test_box_of_two_sides_is_exact (void)
{
  static const gdouble sigmas[][REFERENCE_AXES] = { {2, 0}, {0, 2}, {2, 28} };
  g_autofree guint8 *picture = generated_picture_new ("alpha-noise", 11, 6, 0);
  ReferencePlane plane = plane_of (picture, 11, 6, 4);

  plane.alpha = 3;
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
      .sigma = {sigmas[i][REFERENCE_X], sigmas[i][REFERENCE_Y]},.radius = -1,
      .edge = REFERENCE_EDGE_MIRROR
    };

    assert_box_is_exact (&plane, &settings);
  }
}

static void
test_box_is_exact (void)
{
  g_autofree guint8 *picture = generated_picture_new ("alpha-noise", 11, 6, 0);
  ReferencePlane plane = plane_of (picture, 11, 6, 4);

  plane.y_subsampling = 2;
  for (guint i = 0; i < 3; i++)
    plane.black[i] = (guint8) (50 * i);
  for (guint edge = 0; edge < G_N_ELEMENTS (edges); edge++) {
    for (gint radius = 2; radius <= 26; radius += 8) {
      ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
        .radius = radius,.edge = edges[edge]
      };

      for (plane.alpha = -1; plane.alpha < 4; plane.alpha += 4)
        assert_box_is_exact (&plane, &settings);
    }
  }
}

/* The largest sums there are: 6001² samples of 255 at alpha 255. */
static void
test_largest_box_is_exact (void)
{
  static const guint8 pixel[] = { 255, 254, 1, 255 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 3000
  };
  ReferencePlane plane = plane_of (pixel, 1, 1, 4);
  guint8 exact[4];

  plane.alpha = 3;
  reference_blur_box_exact (&plane, &settings, exact);
  g_assert_cmpmem (exact, 4, pixel, 4);
}

static void
test_which_boxes_are_exact (void)
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
    {REFERENCE_KERNEL_BOX, 1, 1, 2, 1, TRUE},
    {REFERENCE_KERNEL_BOX, 1, 1, 2, 2, TRUE},
    {REFERENCE_KERNEL_BOX, 1, 1, 3, 2, FALSE},
    {REFERENCE_KERNEL_BOX, 1, 1, 0, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 2, 2, -1, 1, TRUE},
    {REFERENCE_KERNEL_BOX, 2, 2, -1, 2, FALSE},
    {REFERENCE_KERNEL_BOX, 1, 1, -1, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 2, 1, -1, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 1, 2, -1, 1, FALSE},
    {REFERENCE_KERNEL_BOX, 2, 0, -1, 1, TRUE},
    {REFERENCE_KERNEL_BOX, 0, 2, -1, 1, TRUE},
    {REFERENCE_KERNEL_BOX, 0, 0, -1, 1, FALSE},
    {REFERENCE_KERNEL_GAUSSIAN, 1, 1, 2, 1, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlurSettings settings = { cases[i].kernel,
      {cases[i].sigma_x, cases[i].sigma_y}, cases[i].radius,
      REFERENCE_EDGE_CLAMP
    };
    ReferencePlane plane = plane_of (&sample, 1, 1, 1);

    plane.x_subsampling = cases[i].x_subsampling;
    g_assert_true (reference_blur_box_is_exact (&plane, &settings) ==
        cases[i].exact);
  }
}

static void
test_error_measure (void)
{
  static const guint8 output[] = { 10, 20, 200, 15, 10, 20, 200, 18 };
  static const gdouble oracle[] = { 99, 99, 99, 15.75, 10.5, 19, 201.75, 18 };
  ReferencePlane plane = plane_of (NULL, 2, 1, 4);
  ReferenceBlurError error = { 0 };

  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0);
  plane.alpha = 3;
  /* The left pixel's colours are exempt: its alpha is 0.75 off, 0.25 beyond
   * rounding. The right one's values are 0.5, 1, 1.75 and 0 off. */
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 5);
  g_assert_cmpfloat (error.max, ==, 1.25);
  g_assert_cmpfloat (error.sum, ==, 0.25 + 0.5 + 1.25);
  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0.4);

  /* Adds to what is there; without alpha nothing is exempt. */
  plane.alpha = -1;
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 13);
  g_assert_cmpfloat (error.max, ==, 100.5);
}

/* Box sums of values beyond full scale: -2 at alpha 1/2 beside 4 at 3/2. */
static void
test_values (void)
{
  static const gdouble pair[] = { -2, 0.5, 4, 1.5 };
  ReferenceBlurSettings settings = {.kernel = REFERENCE_KERNEL_BOX,
    .radius = 1,.edge = REFERENCE_EDGE_CLAMP
  };
  ReferencePlane plane = plane_of (NULL, 2, 1, 2);
  g_autofree gdouble *output = NULL;

  plane.values = pair;
  plane.alpha = 1;
  output = blur (&plane, &settings);
  /* Left: (-1 - 1 + 6) / 2.5 and 2.5 / 3. Right: (-1 + 6 + 6) / 3.5, 3.5 / 3. */
  assert_near (output[0], 1.6);
  assert_near (output[1], 2.5 / 3);
  assert_near (output[2], 11 / 3.5);
  assert_near (output[3], 3.5 / 3);
  g_assert_false (reference_blur_box_is_exact (&plane, &settings));
}

static void
test_error_of_values (void)
{
  static const gdouble output[] = { 9, 0.05, -0.5, 0.07 };
  static const gdouble oracle[] = { 1, 0.06, -0.25, 0.07 };
  static const gdouble nan_output[] = { 0, 0, NAN, 0.07 };
  ReferencePlane plane = plane_of (NULL, 2, 1, 2);
  ReferenceBlurError error = { 0 };

  plane.values = oracle;
  plane.alpha = 1;
  /* 16/255 is 0.063: of the left pixel alpha alone is judged. */
  reference_blur_error_add_values (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 3);
  assert_near (error.max, 0.25);
  assert_near (error.sum, 0.26);
  /* What is no number is as wrong as can be, whatever follows. */
  reference_blur_error_add_values (&error, &plane, oracle, nan_output);
  g_assert_true (isinf (error.max));
}

void
test_reference_add_blur (void)
{
  g_test_add_func ("/blur/gaussian-weights", test_gaussian_weights);
  g_test_add_func ("/blur/gaussian-reach", test_gaussian_reach);
  g_test_add_func ("/blur/box-weights", test_box_weights);
  g_test_add_func ("/blur/identity", test_identity);
  g_test_add_func ("/blur/edges", test_edges);
  g_test_add_func ("/blur/constant-stays", test_constant_stays);
  g_test_add_func ("/blur/impulse", test_impulse);
  g_test_add_func ("/blur/alpha", test_alpha);
  g_test_add_func ("/blur/nothing-visible", test_nothing_visible);
  g_test_add_func ("/blur/alpha-first", test_alpha_first);
  g_test_add_func ("/blur/box/is-exact", test_box_is_exact);
  g_test_add_func ("/blur/box/of-two-sides-is-exact",
      test_box_of_two_sides_is_exact);
  g_test_add_func ("/blur/box/largest-is-exact", test_largest_box_is_exact);
  g_test_add_func ("/blur/box/which-are-exact", test_which_boxes_are_exact);
  g_test_add_func ("/blur/error-measure", test_error_measure);
  g_test_add_func ("/blur/values", test_values);
  g_test_add_func ("/blur/error-of-values", test_error_of_values);
}
