/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures, on pictures of which one can tell them by hand. A linear light
 * of x³ in all three channels is a grey of lightness x; code 99 has lightness
 * 0.5 (light 0.1248), within 0.001. */
#include "measures.h"

#include <string.h>

#define OPAQUE(grey) { grey, grey, grey, 255 }

typedef guint8 Pixel[4];

static const Pixel black = OPAQUE (0), white = OPAQUE (255);
static const Pixel middle = OPAQUE (99);

/* Sets @n pixels from *@at on, and moves that behind them. */
static void
append (Pixel ** at, guint n, const Pixel pixel)
{
  for (guint i = 0; i < n; i++)
    memcpy ((*at)++, pixel, sizeof (Pixel));
}

static void
assert_near (gdouble value, gdouble wanted, gdouble tolerance)
{
  g_assert_cmpfloat_with_epsilon (value, wanted, tolerance);
}

/* --- distortion --- */

static gdouble
distortion_of (const Pixel before, const Pixel after)
{
  return measure_distortion (before, after, 1);
}

static void
test_same (void)
{
  g_assert_cmpfloat (distortion_of (middle, middle), ==, 0);
}

static void
test_lightness (void)
{
  assert_near (distortion_of (black, white), 1, 1e-6);
  assert_near (distortion_of (white, black), 1, 1e-6);
  assert_near (distortion_of (black, middle), 0.5, 1e-3);
  /* The straight part of sRGB: light 10 / 255 / 12.92 = 0.0030353, whose cube
   * root is 0.14479. */
  assert_near (distortion_of (black, (Pixel) OPAQUE (10)), 0.14479, 1e-5);
}

/* From black a colour is as far as its vector is long. Red is (0.627955,
 * 0.224863, 0.125846), blue (0.452014, -0.032457, -0.311528). */
static void
test_primaries (void)
{
  const Pixel red = { 255, 0, 0, 255 }, blue = { 0, 0, 255, 255 };

  assert_near (distortion_of (black, red), 0.67877, 1e-5);
  assert_near (distortion_of (black, blue), 0.54993, 1e-5);
  /* (0.175941, 0.257320, 0.437374) */
  assert_near (distortion_of (red, blue), 0.53709, 1e-5);
}

/* The mean of pixels, not of colours, nor the root of a mean of squares. */
static void
test_mean (void)
{
  Pixel before[4], after[4], *at = before;

  append (&at, 4, black);
  at = after;
  append (&at, 3, black);
  append (&at, 1, white);
  assert_near (measure_distortion (*before, *after, 4), 0.25, 1e-6);
}

static void
test_transparent (void)
{
  const Pixel before[2] = { OPAQUE (0), {0, 0, 0, 0} };
  const Pixel after[2] = { OPAQUE (0), {255, 255, 255, 0} };

  g_assert_cmpfloat (measure_distortion (*before, *after, 2), ==, 0);
  /* It is not among those whose mean it is either. */
  assert_near (measure_distortion (*before, *(const Pixel[2]) {
            OPAQUE (255), {255, 255, 255, 0}
          }, 2), 1, 1e-6);
  g_assert_cmpfloat (measure_distortion (before[1], after[1], 1), ==, 0);
}

/* --- palette size --- */

static void
test_far_apart (void)
{
  const Pixel picture[5] = {
    OPAQUE (0), OPAQUE (99), OPAQUE (255), OPAQUE (99), {7, 7, 7, 0}
  };

  g_assert_cmpuint (measure_palette_size (*picture, 5, 0.02), ==, 3);
  g_assert_cmpuint (measure_palette_size (picture[4], 1, 0.02), ==, 0);
}

/* 0.5 apart: within radius / 2 from radius 1 on. */
static void
test_half_radius (void)
{
  const Pixel picture[2] = { OPAQUE (0), OPAQUE (99) };

  g_assert_cmpuint (measure_palette_size (*picture, 2, 0.99), ==, 2);
  g_assert_cmpuint (measure_palette_size (*picture, 2, 1.01), ==, 1);
}

/* Three in a row, each 0.5 from the next. Both ends join the middle if it is
 * the heaviest; else one end takes it along, and the other remains. */
static void
test_heaviest_first (void)
{
  Pixel picture[7], *at = picture;

  append (&at, 3, middle);
  append (&at, 2, black);
  append (&at, 2, white);
  g_assert_cmpuint (measure_palette_size (*picture, 7, 1.01), ==, 1);

  at = picture;
  append (&at, 2, middle);
  append (&at, 3, black);
  append (&at, 2, white);
  g_assert_cmpuint (measure_palette_size (*picture, 7, 1.01), ==, 2);
}

/* One pixel in 10000 is not seen, two are. Two that each are one pixel are
 * seen where they are near each other, and not where they are not. */
static void
test_share (void)
{
  enum
  { ALL = 10000 };
  g_autofree Pixel *picture = g_new (Pixel, ALL);
  Pixel *at = picture;

  append (&at, ALL - 2, black);
  append (&at, 1, middle);
  append (&at, 1, white);
  g_assert_cmpuint (measure_palette_size (*picture, ALL, 0.02), ==, 1);
  at = picture + ALL - 2;
  append (&at, 2, white);
  g_assert_cmpuint (measure_palette_size (*picture, ALL, 0.02), ==, 2);
  at = picture + ALL - 2;
  append (&at, 1, (Pixel) OPAQUE (254));
  g_assert_cmpuint (measure_palette_size (*picture, ALL, 0.02), ==, 2);
}

/* Transparent pixels are none of those that a share is of: here 1.5e-4, of all
 * it would be 0.75e-4. */
static void
test_share_of_counted (void)
{
  enum
  { ALL = 40000 };
  g_autofree Pixel *picture = g_new0 (Pixel, ALL);
  Pixel *at = picture;

  append (&at, ALL / 2 - 3, black);
  append (&at, 3, white);
  g_assert_cmpuint (measure_palette_size (*picture, ALL, 0.02), ==, 2);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/measures/distortion/same", test_same);
  g_test_add_func ("/measures/distortion/lightness", test_lightness);
  g_test_add_func ("/measures/distortion/primaries", test_primaries);
  g_test_add_func ("/measures/distortion/mean", test_mean);
  g_test_add_func ("/measures/distortion/transparent", test_transparent);
  g_test_add_func ("/measures/palette-size/far-apart", test_far_apart);
  g_test_add_func ("/measures/palette-size/half-radius", test_half_radius);
  g_test_add_func ("/measures/palette-size/heaviest-first",
      test_heaviest_first);
  g_test_add_func ("/measures/palette-size/share", test_share);
  g_test_add_func ("/measures/palette-size/share-of-counted",
      test_share_of_counted);
  return g_test_run ();
}
