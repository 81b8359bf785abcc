/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How far a result is from the oracle: the last section of the numerics. */
#include "test_reference.h"
#include "reference_blur.h"

#include <math.h>

#define assert_near(value, wanted) \
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-9)

/* The left pixel's colours are exempt, for its alpha is under 16: it is 0.75 off,
 * 0.25 beyond rounding. The right one's values are 0.5, 1, 1.75 and 0 off. */
static void
test_error (void)
{
  static const guint8 output[] = { 10, 20, 200, 15, 10, 20, 200, 18 };
  static const gdouble oracle[] = { 99, 99, 99, 15.75, 10.5, 19, 201.75, 18 };
  ReferencePlane plane = {.width = 2, .height = 1, .components = 4};
  ReferenceBlurError error = { 0 };

  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0);
  plane.alpha = 3;
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 5);
  g_assert_cmpfloat (error.max, ==, 1.25);
  g_assert_cmpfloat (error.sum, ==, 0.25 + 0.5 + 1.25);
  g_assert_cmpfloat (reference_blur_error_mean (&error), ==, 0.4);
  /* Without alpha nothing is exempt: 200 is 101 off. */
  plane.alpha = -1;
  reference_blur_error_add (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 13);
  g_assert_cmpfloat (error.max, ==, 100.5);
}

/* 16 / 255 is 0.063: of the left pixel alpha alone is judged, 0.01 off, and of the right
 * one both, 0.25 and 0. What is no number is as wrong as can be. */
static void
test_error_of_values (void)
{
  static const gdouble output[] = { 9, 0.05, -0.5, 0.07 };
  static const gdouble oracle[] = { 1, 0.06, -0.25, 0.07 };
  static const gdouble nan_output[] = { 0, 0, NAN, 0.07 };
  ReferencePlane plane = {.width = 2, .height = 1, .components = 2};
  ReferenceBlurError error = { 0 };

  plane.values = oracle;
  plane.alpha = 1;
  reference_blur_error_add_values (&error, &plane, oracle, output);
  g_assert_cmpuint (error.n, ==, 3);
  assert_near (error.max, 0.25);
  assert_near (error.sum, 0.26);
  reference_blur_error_add_values (&error, &plane, oracle, nan_output);
  g_assert_true (isinf (error.max));
}

void
test_reference_add_blur_error (void)
{
  g_test_add_func ("/blur-error/codes", test_error);
  g_test_add_func ("/blur-error/values", test_error_of_values);
}
