/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The clips, of photographs that are one grey, or whose columns and rows
 * tell themselves apart. */
#include "clips.h"

#include <math.h>
#include <string.h>

#define WIDTH 100
#define HEIGHT 80
#define N_PIXELS (WIDTH * HEIGHT)

/* Where the piece is in HEIGHT. */
#define TOP 10

typedef guint8 Pixel[4];
typedef Pixel Picture[N_PIXELS];

static Picture dark, bright, places;

static void
fill (Picture picture, guint level)
{
  for (guint i = 0; i < N_PIXELS; i++)
    memcpy (picture[i], (Pixel) {level, level, level, 255}, sizeof (Pixel));
}

static const guint8 *
pixel_at (Picture picture, guint x, guint y)
{
  return picture[y * WIDTH + x];
}

/* What a clip shows, without noise. */
static void
make_quiet (const gchar * name, Picture first, Picture second, guint frame,
    Picture result)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  ClipKind kind = *clip_kind_find (name);

  kind.noise = 0;
  clip_make_frame (&kind, &(ClipPhotographs) {*first, second ? *second : NULL,
    WIDTH, HEIGHT},
      frame, random, *result);
}

static void
make_noisy (const gchar * name, Picture first, guint seed, Picture result)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  clip_make_frame (clip_kind_find (name), &(ClipPhotographs) {*first, NULL,
    WIDTH, HEIGHT}, 0,
      random, *result);
}

static void
test_kinds (void)
{
  g_assert_cmpuint (clip_kind_find ("noise")->n_frames, ==, 100);
  g_assert_cmpuint (clip_kind_find ("moving")->n_photographs, ==, 2);
  g_assert_cmpuint (clip_kind_find ("moving")->n_frames, ==, 100);
  g_assert_cmpfloat (clip_kind_find ("moving")->noise, ==, 2);
  g_assert_cmpuint (clip_kind_find ("light")->n_photographs, ==, 1);
  g_assert_cmpuint (clip_kind_find ("light")->n_frames, ==, 90);
  g_assert_cmpuint (clip_kind_find ("cut")->n_frames, ==, 40);
  g_assert_null (clip_kind_find ("dark"));
}

/* --- noise --- */

typedef struct
{
  gdouble mean, deviation, beyond_two;
} Moments;

/* Of one component. */
static Moments
moments_of (Picture picture, guint component, gdouble level, gdouble sigma)
{
  gdouble sum = 0, squares = 0, beyond = 0;

  for (guint i = 0; i < N_PIXELS; i++) {
    gdouble off = picture[i][component] - level;

    sum += off;
    squares += off * off;
    beyond += fabs (off) > 2 * sigma;
  }
  return (Moments) {sum / N_PIXELS, sqrt (squares / N_PIXELS),
    beyond / N_PIXELS};
}

/* Of 8000 numbers with sigma 2, rounded, which adds 1/12 to the variance: more
 * than four of them beyond the mean's error of 0.023, the deviation's of 0.016
 * and the tails', which are a normal distribution's beyond 4.5, of 0.0017. */
static void
test_noise (void)
{
  Picture picture;

  make_noisy ("noise", bright, 1, picture);
  for (guint c = 0; c < 3; c++) {
    Moments moments = moments_of (picture, c, 200, 2);

    g_assert_cmpfloat_with_epsilon (moments.mean, 0, 0.1);
    g_assert_cmpfloat_with_epsilon (moments.deviation, 2.0207, 0.07);
    g_assert_cmpfloat_with_epsilon (moments.beyond_two, 0.0244, 0.008);
  }
  g_assert_cmpuint (pixel_at (picture, 0, 0)[3], ==, 255);
}

static void
test_noise_of_light (void)
{
  Picture quiet, noisy;

  make_quiet ("light", bright, NULL, 0, quiet);
  make_noisy ("light", bright, 1, noisy);
  g_assert_cmpfloat_with_epsilon (moments_of (noisy, 1, pixel_at (quiet, 0,
              0)[1], 1).deviation, 1.06, 0.06);
}

/* Components and pixels have noise of their own: what they share would be a
 * covariance of 4. */
static void
test_noise_apart (void)
{
  gdouble components = 0, pixels = 0;
  Picture picture;

  make_noisy ("noise", bright, 1, picture);
  for (guint i = 0; i + 1 < N_PIXELS; i++) {
    gdouble red = picture[i][0] - 200.0;

    components += red * (picture[i][1] - 200.0) / N_PIXELS;
    pixels += red * (picture[i + 1][0] - 200.0) / N_PIXELS;
  }
  g_assert_cmpfloat_with_epsilon (components, 0, 0.25);
  g_assert_cmpfloat_with_epsilon (pixels, 0, 0.25);
}

/* Black has no darker neighbour: half of the noise is cut off, none wraps. */
static void
test_noise_clamped (void)
{
  Picture black, picture;
  guint n_zero = 0;

  fill (black, 0);
  make_noisy ("noise", black, 1, picture);
  for (guint i = 0; i < N_PIXELS; i++) {
    g_assert_cmpuint (picture[i][0], <, 20);
    n_zero += picture[i][0] == 0;
  }
  g_assert_cmpuint (n_zero, >, N_PIXELS / 2);
}

static void
test_noise_again (void)
{
  Picture once, again, other;

  make_noisy ("noise", bright, 1, once);
  make_noisy ("noise", bright, 1, again);
  make_noisy ("noise", bright, 2, other);
  g_assert_cmpmem (once, sizeof once, again, sizeof again);
  g_assert_cmpint (memcmp (once, other, sizeof once), !=, 0);
}

/* --- the piece that moves --- */

/* In frame 20 it begins at column 0 and shows the middle 80 of 100 columns; in
 * frame 22 at 8. */
static void
test_moving (void)
{
  Picture picture;

  make_quiet ("moving", dark, places, 20, picture);
  g_assert_cmpuint (pixel_at (picture, 0, TOP)[0], ==, 110);
  g_assert_cmpuint (pixel_at (picture, 79, TOP + 59)[0], ==, 189);
  g_assert_cmpuint (pixel_at (picture, 0, TOP)[1], ==, 100 + TOP);
  g_assert_cmpuint (pixel_at (picture, 80, TOP)[0], ==, 50);
  g_assert_cmpuint (pixel_at (picture, 0, TOP - 1)[0], ==, 50);
  g_assert_cmpuint (pixel_at (picture, 0, TOP + 60)[0], ==, 50);

  make_quiet ("moving", dark, places, 22, picture);
  g_assert_cmpuint (pixel_at (picture, 7, TOP)[0], ==, 50);
  g_assert_cmpuint (pixel_at (picture, 8, TOP)[0], ==, 110);
  g_assert_cmpuint (pixel_at (picture, 87, TOP)[0], ==, 189);
}

/* It comes in from the outside, and leaves. */
static void
test_moving_through (void)
{
  Picture picture;

  make_quiet ("moving", dark, places, 0, picture);
  g_assert_cmpmem (picture, sizeof picture, dark, sizeof dark);
  make_quiet ("moving", dark, places, 1, picture);
  g_assert_cmpuint (pixel_at (picture, 3, TOP)[0], ==, 189);
  g_assert_cmpuint (pixel_at (picture, 4, TOP)[0], ==, 50);
  make_quiet ("moving", dark, places, 45, picture);
  g_assert_cmpmem (picture, sizeof picture, dark, sizeof dark);
}

/* In frame 33 it begins at column 52. Columns 40 to 43 were the piece's last
 * three frames ago, 12 to 15 ten. */
static void
test_uncovered (void)
{
  Picture picture;

  memcpy (picture, bright, sizeof picture);
  g_assert_cmpuint (clip_keep_uncovered (WIDTH, HEIGHT, 33, *picture), ==,
      32 * 60);
  g_assert_cmpuint (pixel_at (picture, 11, TOP)[3], ==, 0);
  g_assert_cmpuint (pixel_at (picture, 12, TOP)[3], ==, 255);
  g_assert_cmpuint (pixel_at (picture, 43, TOP + 59)[3], ==, 255);
  g_assert_cmpuint (pixel_at (picture, 44, TOP)[3], ==, 0);
  g_assert_cmpuint (pixel_at (picture, 12, TOP - 1)[3], ==, 0);
  g_assert_cmpuint (pixel_at (picture, 12, TOP + 60)[3], ==, 0);
}

static void
test_uncovered_none (void)
{
  Picture picture;

  memcpy (picture, bright, sizeof picture);
  g_assert_cmpuint (clip_keep_uncovered (WIDTH, HEIGHT, 0, *picture), ==, 0);
  g_assert_cmpuint (clip_keep_uncovered (WIDTH, HEIGHT, 22, *picture), ==, 0);
  memcpy (picture, bright, sizeof picture);
  g_assert_cmpuint (clip_keep_uncovered (WIDTH, HEIGHT, 23, *picture), ==,
      4 * 60);
}

/* --- light, cut --- */

/* Level 200 is light 0.5776. A half of that is 146.4; three quarters, 175.8. */
static void
test_light (void)
{
  const guint frames[] = { 0, 10, 40, 70, 89 };
  const guint levels[] = { 146, 146, 176, 200, 200 };
  Picture picture;

  for (guint i = 0; i < G_N_ELEMENTS (frames); i++) {
    make_quiet ("light", bright, NULL, frames[i], picture);
    g_assert_cmpuint (pixel_at (picture, 5, 3)[2], ==, levels[i]);
  }
}

static guint
half_light_of (guint level)
{
  Picture grey, picture;

  fill (grey, level);
  make_quiet ("light", grey, NULL, 0, picture);
  return pixel_at (picture, 0, 0)[0];
}

/* The straight part of sRGB, and the lower end of the other. Level 62 is light
 * 0.0482. */
static void
test_light_of_dark (void)
{
  g_assert_cmpuint (half_light_of (8), ==, 4);
  g_assert_cmpuint (half_light_of (62), ==, 43);
}

static void
test_cut (void)
{
  Picture picture;

  make_quiet ("cut", dark, bright, CLIP_CUT - 1, picture);
  g_assert_cmpuint (pixel_at (picture, 9, 9)[0], ==, 50);
  make_quiet ("cut", dark, bright, CLIP_CUT, picture);
  g_assert_cmpuint (pixel_at (picture, 9, 9)[0], ==, 200);
  g_assert_cmpfloat (clip_kind_find ("cut")->noise, ==, 0);
}

int
main (int argc, char **argv)
{
  fill (dark, 50);
  fill (bright, 200);
  for (guint i = 0; i < N_PIXELS; i++)
    memcpy (places[i], (Pixel) {100 + i % WIDTH, 100 + i / WIDTH, 0, 255},
        sizeof (Pixel));

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/clips/kinds", test_kinds);
  g_test_add_func ("/clips/noise", test_noise);
  g_test_add_func ("/clips/noise/of-light", test_noise_of_light);
  g_test_add_func ("/clips/noise/apart", test_noise_apart);
  g_test_add_func ("/clips/noise/clamped", test_noise_clamped);
  g_test_add_func ("/clips/noise/again", test_noise_again);
  g_test_add_func ("/clips/moving", test_moving);
  g_test_add_func ("/clips/moving/through", test_moving_through);
  g_test_add_func ("/clips/moving/uncovered", test_uncovered);
  g_test_add_func ("/clips/moving/uncovered-none", test_uncovered_none);
  g_test_add_func ("/clips/light", test_light);
  g_test_add_func ("/clips/light/of-dark", test_light_of_dark);
  g_test_add_func ("/clips/cut", test_cut);
  return g_test_run ();
}
