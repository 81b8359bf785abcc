/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures of steadiness, on clips of a few pixels of which one can tell
 * them by hand. Greys 99 and 105 are 0.0211 apart in lightness, 99 and 104
 * 0.0176. */
#include "steadiness.h"

#include <string.h>

#define GREY(level) { level, level, level, 255 }

typedef guint8 Pixel[4];

static void
assert_near (gdouble value, gdouble wanted)
{
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-9);
}

/* --- what moves --- */

static void
test_moved_far_enough (void)
{
  const Pixel far[2] = { GREY (99), GREY (105) };
  const Pixel near[2] = { GREY (99), GREY (104) };

  assert_near (steadiness_moved (*far, 2, 1, 1), 1);
  assert_near (steadiness_moved (*near, 2, 1, 1), 0);
}

/* Pixels are compared with themselves, and each counts once per pair. */
static void
test_moved_share (void)
{
  const Pixel clip[3][4] = {
    {GREY (0), GREY (50), GREY (100), GREY (150)},
    {GREY (0), GREY (50), GREY (100), GREY (200)},
    {GREY (9), GREY (50), GREY (200), GREY (200)}
  };

  assert_near (steadiness_moved (**clip, 3, 4, 1), 3 / 8.0);
  assert_near (steadiness_moved (**clip, 2, 4, 1), 1 / 4.0);
}

/* What comes back has not moved; what creeps has. */
static void
test_moved_later (void)
{
  const Pixel clip[4][2] = {
    {GREY (99), GREY (99)}, {GREY (200), GREY (102)},
    {GREY (99), GREY (105)}, {GREY (200), GREY (108)}
  };

  assert_near (steadiness_moved (**clip, 4, 2, 1), 1 / 2.0);
  assert_near (steadiness_moved (**clip, 4, 2, 2), 1 / 2.0);
  assert_near (steadiness_moved (**clip, 4, 2, 3), 1);
  assert_near (steadiness_moved (**clip, 3, 2, 2), 1 / 2.0);
  assert_near (steadiness_moved (**clip, 4, 2, 4), 0);
}

/* --- what stays --- */

static SteadinessOfStill
of_still (const Pixel * input, const Pixel * output, guint n_frames,
    gsize n_pixels)
{
  return steadiness_of_still (*input, *output, n_frames, n_pixels);
}

/* Of five pixels the first stays, two change output by less and by enough, two
 * have another input, by one level of one component. */
static void
test_still_share (void)
{
  const Pixel input[2][5] = {
    {GREY (10), GREY (20), GREY (30), GREY (40), GREY (50)},
    {GREY (10), GREY (20), GREY (30), {40, 40, 41, 255}, {50, 51, 50, 255}}
  };
  const Pixel output[2][5] = {
    {GREY (60), GREY (60), GREY (60), GREY (60), GREY (60)},
    {GREY (60), {67, 60, 53, 255}, {60, 60, 52, 255}, GREY (60), GREY (99)}
  };
  SteadinessOfStill still = of_still (*input, *output, 2, 5);

  assert_near (still.changed, 2 / 3.0);
  assert_near (still.changed_far, 1 / 3.0);
}

/* Alpha is a component like the others. */
static void
test_still_alpha (void)
{
  const Pixel input[2][3] = {
    {GREY (10), GREY (10), GREY (10)}, {GREY (10), GREY (10), {10, 10, 10, 254}}
  };
  const Pixel output[2][3] = {
    {GREY (9), GREY (9), GREY (9)}, {GREY (9), {9, 9, 9, 247}, GREY (60)}
  };
  SteadinessOfStill still = of_still (*input, *output, 2, 3);

  assert_near (still.changed, 1 / 2.0);
  assert_near (still.changed_far, 1 / 2.0);
}

/* Every pair of consecutive frames counts, and only these. */
static void
test_still_frames (void)
{
  const Pixel input[4] = { GREY (1), GREY (1), GREY (2), GREY (2) };
  const Pixel output[4] = { GREY (7), GREY (7), GREY (99), GREY (50) };
  SteadinessOfStill still = of_still (input, output, 4, 1);

  assert_near (still.changed, 1 / 2.0);
  assert_near (still.changed_far, 1 / 2.0);
}

static void
test_still_none (void)
{
  const Pixel input[2] = { GREY (1), GREY (2) };
  const Pixel output[2] = { GREY (1), GREY (90) };
  SteadinessOfStill still = of_still (input, output, 2, 1);

  assert_near (still.changed, 0);
  assert_near (still.changed_far, 0);
}

/* --- what it costs --- */

/* Black, of which the results make greys: white is 1 away, 99 half of that. */
static void
test_cost (void)
{
  const Pixel input[2] = { GREY (0), GREY (0) };
  const Pixel steady[2] = { GREY (255), GREY (255) };
  const Pixel plain[2] = { GREY (255), GREY (0) };

  assert_near (steadiness_cost (*input, *steady, *plain, 2), 2);
  assert_near (steadiness_cost (*input, *plain, *steady, 2), 0.5);
}

static void
test_cost_of_nothing (void)
{
  const Pixel input[1] = { GREY (0) }, white[1] = { GREY (255) };

  assert_near (steadiness_cost (*input, *input, *input, 1), 1);
  g_assert_cmpfloat (steadiness_cost (*input, *white, *input, 1), >, 1e5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/steadiness/moved/far-enough", test_moved_far_enough);
  g_test_add_func ("/steadiness/moved/share", test_moved_share);
  g_test_add_func ("/steadiness/moved/later", test_moved_later);
  g_test_add_func ("/steadiness/still/share", test_still_share);
  g_test_add_func ("/steadiness/still/alpha", test_still_alpha);
  g_test_add_func ("/steadiness/still/frames", test_still_frames);
  g_test_add_func ("/steadiness/still/none", test_still_none);
  g_test_add_func ("/steadiness/cost", test_cost);
  g_test_add_func ("/steadiness/cost/of-nothing", test_cost_of_nothing);
  return g_test_run ();
}
