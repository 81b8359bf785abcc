/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values by methods that are passes, and what is chosen for them. */
#include "blur_values.h"
#include "gpu_fixture.h"

static const GpuBlurMethod method_list[] = {
  GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
  GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
  GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
  GPU_BLUR_WALK
};

static const Methods methods = { method_list, G_N_ELEMENTS (method_list) };

/* Sums are floats, unless it is said that halves will do. */
BLUR_TEST (precision)
{
  static const GpuBlurPrecision precisions[][2] = {
    {GPU_BLUR_PRECISION_AUTO, GPU_BLUR_FLOAT},
    {GPU_BLUR_HALF, GPU_BLUR_HALF},
    {GPU_BLUR_FLOAT, GPU_BLUR_FLOAT},
  };

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint p = 0; p < G_N_ELEMENTS (precisions); p++) {
      const ValueCase c = { value_formats[f], 20, 10, full_scale, {
        .sigma_x = 2, .sigma_y = 2, .radius = -1, .method = GPU_BLUR_SEPARABLE,
        .precision = precisions[p][0],
      }
      };

      check_value_case (fixture, &c);
      g_assert_cmpint (fixture->report.precision, ==, precisions[p][1]);
    }
}

/* Whole boxes are weighted floats as everything else is: no sums run. */
BLUR_TEST (boxes)
{
  static const GpuBlurMethod asked[][2] = {
    {GPU_BLUR_RUNNING_SUMS, GPU_BLUR_SEPARABLE},
    {GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_SEPARABLE_SHARED},
    {GPU_BLUR_DIRECT, GPU_BLUR_DIRECT},
  };

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (asked); i++) {
      const ValueCase c = { value_formats[f], 40, 30, full_scale,
        {.kernel = GPU_BLUR_BOX, .radius = 9, .method = asked[i][0]}
      };

      check_value_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, asked[i][1]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  value_methods_add_tests (&methods);
  blur_fixture_add_tests ("/values/", FALSE);
  return gpu_fixture_run_tests ();
}
