/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The measures of scenes, on frames of which one can tell them by hand. Greys 99
 * and 105 are 0.0211 apart in lightness, 99 and 104 0.0176, 99 and 100 0.0035. */
#include "scene_measures.h"

#include <math.h>
#include <string.h>

typedef guint8 Frame[SCENE_PIXELS][4];

static Frame clean, clean_before, output, output_before;

static void
assert_near (gdouble value, gdouble wanted)
{
  g_assert_cmpfloat_with_epsilon (value, wanted, 1e-9);
}

static void
set_grey (guint8 * pixel, guint8 level)
{
  memset (pixel, level, 3);
  pixel[3] = 255;
}

static void
fill (Frame frame, guint8 level)
{
  for (guint i = 0; i < SCENE_PIXELS; i++)
    set_grey (frame[i], level);
}

/* Of the first quarter of the rows. */
static void
fill_quarter (Frame frame, guint8 level)
{
  for (guint i = 0; i < SCENE_PIXELS / 4; i++)
    set_grey (frame[i], level);
}

static void
fill_all (guint8 level)
{
  fill (clean, level);
  fill (clean_before, level);
  fill (output, level);
  fill (output_before, level);
}

static SceneMoment
moment_of (const Scene * scene)
{
  return (SceneMoment) {scene, 1, *clean, *clean_before, *output,
    *output_before};
}

/* --- what moves --- */

static SceneShare
moved (const Scene * scene)
{
  SceneMoment moment = moment_of (scene);
  SceneShare share = { 0 };

  scene_count_moved (&moment, &share);
  return share;
}

static void
test_moved_far_enough (void)
{
  const Scene still = {.camera = SCENE_CAMERA_STILL};
  SceneShare share;

  fill_all (99);
  fill_quarter (output, 105);
  share = moved (&still);
  g_assert_cmpuint (share.n, ==, SCENE_PIXELS / 4);
  g_assert_cmpuint (share.n_of, ==, SCENE_PIXELS);
  fill_quarter (output, 104);
  g_assert_cmpuint (moved (&still).n, ==, 0);
}

/* What the scene itself changes does not count; what it changes by a little
 * does. */
static void
test_moved_of_what_stays (void)
{
  const Scene still = {.camera = SCENE_CAMERA_STILL};
  SceneShare share;

  fill_all (99);
  fill (output, 200);
  fill_quarter (clean, 105);
  share = moved (&still);
  g_assert_cmpuint (share.n, ==, SCENE_PIXELS - SCENE_PIXELS / 4);
  g_assert_cmpuint (share.n_of, ==, share.n);
  fill_quarter (clean, 100);
  g_assert_cmpuint (moved (&still).n_of, ==, SCENE_PIXELS);
}

/* Stripes of two columns, two of which are dark in four. A pan of two columns
 * swaps them. */
static void
draw_stripes (Frame frame, guint from)
{
  for (guint i = 0; i < SCENE_PIXELS; i++)
    set_grey (frame[i], (i + from) % 4 < 2 ? 50 : 200);
}

static void
test_moved_along (void)
{
  const Scene pan = {.camera = SCENE_CAMERA_PAN};
  SceneShare share;

  draw_stripes (clean_before, 0);
  draw_stripes (clean, 2);
  draw_stripes (output_before, 0);
  draw_stripes (output, 2);
  share = moved (&pan);
  g_assert_cmpuint (share.n_of, ==, SCENE_PIXELS - 2 * SCENE_HEIGHT);
  g_assert_cmpuint (share.n, ==, 0);
  draw_stripes (output, 0);
  share = moved (&pan);
  g_assert_cmpuint (share.n, ==, share.n_of);
}

/* The camera moves by one and a half pixels and by half a pixel, so that a pixel shows
 * parts of four, in two columns: it may look like either. */
static void
test_moved_between (void)
{
  const Scene shake = {.camera = SCENE_CAMERA_SHAKE};
  SceneShare share;

  fill_all (99);
  for (guint i = 0; i < SCENE_PIXELS; i++)
    set_grey (output_before[i], i % 2 == 0 ? 50 : 200);
  fill (output, 50);
  share = moved (&shake);
  g_assert_cmpuint (share.n_of, ==, (SCENE_WIDTH - 2) * (SCENE_HEIGHT - 1));
  g_assert_cmpuint (share.n, ==, 0);
  fill (output, 120);
  share = moved (&shake);
  g_assert_cmpuint (share.n, ==, share.n_of);
}

/* --- jumps --- */

static void
test_jump (void)
{
  const Scene still = { 0 };
  SceneMoment moment = moment_of (&still);

  fill_all (99);
  fill_quarter (output, 105);
  assert_near (scene_measure_jump (&moment), 0.25);
  fill_quarter (output, 104);
  assert_near (scene_measure_jump (&moment), 0);
}

/* From 99, 105 is as far as the input goes, 110 not 0.02 farther, 112 is. */
static void
test_jump_beyond_the_input (void)
{
  const Scene still = { 0 };
  SceneMoment moment = moment_of (&still);

  fill_all (99);
  fill_quarter (clean, 105);
  fill_quarter (output, 105);
  assert_near (scene_measure_jump (&moment), 0);
  fill_quarter (output, 110);
  assert_near (scene_measure_jump (&moment), 0);
  fill_quarter (output, 112);
  assert_near (scene_measure_jump (&moment), 0.25);
}

/* Greys 8 and 12 have a lightness of 0.134 and 0.154. */
static void
test_jump_in_the_dark (void)
{
  const Scene still = { 0 };
  SceneMoment moment = moment_of (&still);

  fill_all (2);
  fill_quarter (output, 8);
  assert_near (scene_measure_jump (&moment), 0);
  fill_quarter (output, 12);
  assert_near (scene_measure_jump (&moment), 0.25);
  fill (output_before, 12);
  fill (output, 2);
  assert_near (scene_measure_jump (&moment), 1);
}

/* --- regions --- */

static void
see_quarter (Frame frame)
{
  for (guint i = SCENE_PIXELS / 4; i < SCENE_PIXELS; i++)
    frame[i][3] = 0;
}

static void
test_mean (void)
{
  const guint8 red[4] = { 255, 0, 0, 255 };
  MeasureOklab wanted = measure_oklab (red), white = { 1, 0, 0 }, mean;

  fill_all (255);
  see_quarter (clean);
  mean = scene_measure_mean (*clean, *output);
  g_assert_cmpfloat_with_epsilon (measure_oklab_distance (mean, white), 0,
      1e-6);
  for (guint i = 0; i < SCENE_PIXELS / 8; i++)
    memcpy (output[i], red, 4);
  mean = scene_measure_mean (*clean, *output);
  g_assert_cmpfloat_with_epsilon (mean.L, (wanted.L + 1) / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (mean.a, wanted.a / 2, 1e-6);
  g_assert_cmpfloat_with_epsilon (mean.b, wanted.b / 2, 1e-6);
}

/* Red's chroma is 0.2577 (Ottosson's page has L 0.628, a 0.225, b 0.126). Colours
 * do not cancel each other, as they do in the mean. */
static void
test_chroma (void)
{
  const guint8 red[4] = { 255, 0, 0, 255 }, cyan[4] = { 0, 255, 255, 255 };

  fill_all (128);
  see_quarter (clean);
  g_assert_cmpfloat_with_epsilon (scene_measure_chroma (*clean, *output), 0,
      1e-6);
  for (guint i = 0; i < SCENE_PIXELS / 8; i++)
    memcpy (output[i], red, 4);
  g_assert_cmpfloat_with_epsilon (scene_measure_chroma (*clean, *output),
      0.2577 / 2, 1e-4);
  for (guint i = 0; i < SCENE_PIXELS / 8; i++)
    memcpy (output[SCENE_PIXELS / 8 + i], cyan, 4);
  g_assert_cmpfloat_with_epsilon (scene_measure_chroma (*clean, *output),
      (0.2577 + 0.1546) / 2, 1e-4);
}

static MeasureOklab
of_hue (gdouble degrees, gdouble chroma)
{
  return (MeasureOklab) {0.5, chroma * cos (degrees * G_PI / 180),
    chroma * sin (degrees * G_PI / 180)};
}

static void
test_keeps_colour (void)
{
  MeasureOklab red = of_hue (10, 0.2);

  g_assert_true (scene_keeps_colour (red, of_hue (29, 0.121)));
  g_assert_true (scene_keeps_colour (red, of_hue (351, 0.3)));
  g_assert_false (scene_keeps_colour (red, of_hue (31, 0.2)));
  g_assert_false (scene_keeps_colour (red, of_hue (349, 0.2)));
  g_assert_false (scene_keeps_colour (red, of_hue (190, 0.2)));
  g_assert_false (scene_keeps_colour (red, of_hue (10, 0.119)));
}

/* --- stains --- */

static void
test_stain (void)
{
  static Frame plain;

  fill_all (99);
  fill (plain, 99);
  fill_quarter (output, 105);
  assert_near (scene_measure_stain (*clean, *output, *plain), 0.25);
  see_quarter (clean);
  assert_near (scene_measure_stain (*clean, *output, *plain), 1);
  fill (plain, 100);
  assert_near (scene_measure_stain (*clean, *output, *plain), 0);
  assert_near (scene_measure_stain (*clean, *plain, *output), 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/scene-measures/moved-far-enough", test_moved_far_enough);
  g_test_add_func ("/scene-measures/moved-of-what-stays",
      test_moved_of_what_stays);
  g_test_add_func ("/scene-measures/moved-along", test_moved_along);
  g_test_add_func ("/scene-measures/moved-between", test_moved_between);
  g_test_add_func ("/scene-measures/jump", test_jump);
  g_test_add_func ("/scene-measures/jump-beyond-the-input",
      test_jump_beyond_the_input);
  g_test_add_func ("/scene-measures/jump-in-the-dark", test_jump_in_the_dark);
  g_test_add_func ("/scene-measures/mean", test_mean);
  g_test_add_func ("/scene-measures/chroma", test_chroma);
  g_test_add_func ("/scene-measures/keeps-colour", test_keeps_colour);
  g_test_add_func ("/scene-measures/stain", test_stain);
  return g_test_run ();
}
