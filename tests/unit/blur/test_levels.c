/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The levels of a pyramid, by arithmetic of their own: no device. */
#include "gpu/blur/pyramid/levels.h"
#include "tests.h"

#include <math.h>

static const gdouble sigmas[] = {
  1.4, 2.8, 5, 6.7, 6.9, 12, 28.8, 29, 60, 122, 123.5, 200, 500, 1000
};
static const guint sizes[] = { 32, 33, 97, 640, 1921, 30000 };

static gboolean
init_square (GpuBlurLevels * levels, guint size, gdouble sigma)
{
  const guint both_sizes[] = { size, size };
  const gdouble both_sigmas[] = { sigma, sigma };

  return gpu_blur_levels_init (levels, both_sizes, both_sigmas);
}

/* Down to 1.6 samples a sigma and not below, in steps that shaders can do. */
static void
check_sizes (const GpuBlurLevels * levels, guint size, gdouble sigma)
{
  for (guint axis = 0; axis < GPU_BLUR_LEVELS_AXES; axis++) {
    const guint *at = levels->axes[axis].sizes;
    gdouble coarsest = at[levels->n_steps];

    g_assert_cmpuint (at[0], ==, size);
    for (guint i = 1; i <= levels->n_steps; i++) {
      g_assert_cmpuint (at[i], <=, at[i - 1]);
      g_assert_cmpfloat (at[i - 1], <=, PYRAMID_MAX_RATIO * at[i]);
      g_assert_cmpuint (gpu_blur_levels_extent (levels, axis, i), ==,
          at[i] + 2 * PYRAMID_MARGIN);
    }
    g_assert_cmpfloat (coarsest, >=, MIN (1.6 * size / sigma, size) - 1e-9);
    /* A ceiling at each step is all that it has more. */
    g_assert_cmpfloat (coarsest, <, 1.6 * size / sigma + 2);
  }
}

/* Each cubic B-spline has the variance of a third of a sample; those of the steps
 * down and of the one up and that of the weights are the Gaussian's. */
static void
check_variance (const GpuBlurLevels * levels, gdouble sigma)
{
  for (guint axis = 0; axis < GPU_BLUR_LEVELS_AXES; axis++) {
    const GpuBlurLevelsOfAxis *of = &levels->axes[axis];
    gdouble sum = of->weights[0], variance = 0;
    gdouble ratio = (gdouble) of->sizes[0] / of->sizes[levels->n_steps];

    g_assert_cmpuint (of->radius, <=, PYRAMID_MAX_RADIUS);
    for (guint i = 1; i <= of->radius; i++) {
      sum += 2 * of->weights[i];
      variance += 2.0 * i * i * of->weights[i];
    }
    g_assert_cmpfloat_with_epsilon (sum, 1, 1e-6);
    variance = (variance + 1.0 / 3) * ratio * ratio;
    for (guint i = 1; i <= levels->n_steps; i++) {
      gdouble samples = (gdouble) of->sizes[0] / of->sizes[i];

      variance += samples * samples / 3;
    }
    g_assert_cmpfloat_with_epsilon (sqrt (variance) / sigma, 1, 0.01);
  }
}

TEST (levels)
{
  guint n_reached = 0;

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    for (guint k = 0; k < G_N_ELEMENTS (sigmas); k++) {
      GpuBlurLevels levels;

      g_test_message ("%u samples, sigma %g", sizes[i], sigmas[k]);
      if (!init_square (&levels, sizes[i], sigmas[k])) {
        /* Only where next to nothing is left of the plane. */
        g_assert_cmpfloat (sizes[i], <, sigmas[k]);
        continue;
      }
      n_reached++;
      check_sizes (&levels, sizes[i], sigmas[k]);
      check_variance (&levels, sigmas[k]);
    }
  g_assert_cmpuint (n_reached, >, 60);
}

/* As many steps as keep each within PYRAMID_MAX_RATIO. */
TEST (steps)
{
  const gdouble first = 1.6 * PYRAMID_MAX_RATIO;
  gdouble sigma = first;
  GpuBlurLevels levels;

  for (guint n = 1; n <= 2; n++, sigma *= PYRAMID_MAX_RATIO) {
    g_assert_true (init_square (&levels, 9000, sigma * 0.999));
    g_assert_cmpuint (levels.n_steps, ==, n);
    g_assert_true (init_square (&levels, 9000, sigma * 1.001));
    g_assert_cmpuint (levels.n_steps, ==, n + 1);
  }
}

/* Both axes have as many steps, even where one needs fewer, and neither may be too
 * narrow for them. */
TEST (axes)
{
  const guint both_sizes[] = { 640, 200 };
  const gdouble both_sigmas[] = { 40, 12 };
  const gdouble too_narrow[] = { 40, 4 };
  GpuBlurLevels levels;

  g_assert_true (gpu_blur_levels_init (&levels, both_sizes, both_sigmas));
  g_assert_cmpuint (levels.n_steps, ==, 2);
  g_assert_cmpuint (levels.axes[GPU_BLUR_LEVELS_X].sizes[2], ==, 26);
  g_assert_cmpuint (levels.axes[GPU_BLUR_LEVELS_Y].sizes[2], ==, 28);
  g_assert_false (gpu_blur_levels_init (&levels, both_sizes, too_narrow));
}

TEST (refused)
{
  static const struct
  {
    guint size;
    gdouble sigma;
    gboolean reached;
  } cases[] = {
    {32, 3, TRUE}, {31, 3, FALSE}, {0, 3, FALSE}, {1, 3, FALSE},
    {30000, 3, TRUE}, {30001, 3, FALSE}, {65536, 3, FALSE},
    {G_MAXUINT, 3, FALSE}, {100, 0, FALSE}, {100, 1, FALSE}, {100, 1.39, FALSE},
    {100, 1.4, TRUE}, {30000, 1000, TRUE}, {30000, 1e5, FALSE},
    {30000, 1e300, FALSE}, {30000, INFINITY, FALSE},
  };
  GpuBlurLevels levels;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%u samples, sigma %g", cases[i].size, cases[i].sigma);
    g_assert_cmpint (init_square (&levels, cases[i].size, cases[i].sigma), ==,
        cases[i].reached);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  tests_add ("/levels/", g_test_add_func);
  return g_test_run ();
}
