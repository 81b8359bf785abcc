/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The scenes, of photographs of which one can tell what is to be seen. */
#include "measures.h"
#include "scenes.h"

#include <math.h>
#include <string.h>

typedef guint8 Photograph[SCENE_PHOTOGRAPH_HEIGHT][SCENE_PHOTOGRAPH_WIDTH][4];
typedef gdouble Levels[SCENE_HEIGHT][SCENE_WIDTH][3];

/* Red counts pairs of columns, green of rows, up to 255 and down again; blue is
 * 100. */
static Photograph places;
/* Of one grey. */
static Photograph grey;
static Levels levels;

static guint8
up_and_down (guint i)
{
  return i < 256 ? i : 510 - i;
}

static void
draw_photographs (void)
{
  for (guint y = 0; y < SCENE_PHOTOGRAPH_HEIGHT; y++)
    for (guint x = 0; x < SCENE_PHOTOGRAPH_WIDTH; x++) {
      const guint8 place[4] =
          { up_and_down (x / 2), up_and_down (y / 2), 100, 255 };

      memcpy (places[y][x], place, 4);
      memset (grey[y][x], 188, 4);
    }
}

static void
draw (const Scene * scene, Photograph first, Photograph other, guint frame)
{
  scene_draw (scene, &(ScenePhotographs) {first ? first[0][0] : NULL,
    other ? other[0][0] : NULL}, frame,
      levels[0][0]);
}

static guint
find_before (const Scene * scene, guint frame, gint pixel,
    gint found[SCENE_MOST_BEFORE])
{
  SceneView now = scene_get_view (scene, frame);
  SceneView before = scene_get_view (scene, frame - 1);

  return scene_find_all_before (&now, &before, pixel, found);
}

/* The first one, or -1. */
static gint
find_first_before (const Scene * scene, guint frame, gint pixel)
{
  gint found[SCENE_MOST_BEFORE];

  return find_before (scene, frame, pixel, found) > 0 ? found[0] : -1;
}

static void
assert_level (gdouble level, gdouble wanted)
{
  g_assert_cmpfloat_with_epsilon (level, wanted, 1e-9);
}

/* --- cameras --- */

/* Two pixels of the photograph to one, from (160, 90) on. */
static void
test_still (void)
{
  const Scene still = {.camera = SCENE_CAMERA_STILL};

  draw (&still, places, NULL, 7);
  assert_level (levels[0][0][0], 80);
  assert_level (levels[0][0][1], 45);
  assert_level (levels[0][0][2], 100);
  assert_level (levels[179][100][0], 180);
  assert_level (levels[179][100][1], 224);
}

static void
test_pan (void)
{
  const Scene pan = {.camera = SCENE_CAMERA_PAN};
  gint found[SCENE_MOST_BEFORE];

  draw (&pan, places, NULL, 10);
  assert_level (levels[20][30][0], 50);
  assert_level (levels[20][30][1], 65);
  g_assert_cmpuint (find_before (&pan, 10, 20 * SCENE_WIDTH + 30, found), ==,
      1);
  g_assert_cmpint (found[0], ==, 20 * SCENE_WIDTH + 32);
  g_assert_cmpint (find_first_before (&pan, 10, 317), ==, 319);
  g_assert_cmpint (find_first_before (&pan, 10, 318), ==, -1);
}

/* Three pixels of the photograph to one, from its corner on. */
static void
test_wide (void)
{
  const Scene wide = {.camera = SCENE_CAMERA_WIDE};

  draw (&wide, places, NULL, 0);
  g_assert_cmpfloat_with_epsilon (levels[0][0][0], 1 / 3.0, 0.1);
  g_assert_cmpfloat_with_epsilon (levels[179][0][1], 241 + 1 / 3.0, 0.1);
}

/* What a pixel shows is found where it was, in pixels that are half a pixel away in the
 * mean: that is half a level here, and a little more in a zoom. */
static void
assert_found (SceneCamera camera, guint frame)
{
  static Levels before;
  const Scene scene = {.camera = camera};
  gsize n_found = 0;

  draw (&scene, places, NULL, frame - 1);
  memcpy (before, levels, sizeof before);
  draw (&scene, places, NULL, frame);
  for (gint i = 0; i < SCENE_PIXELS; i++) {
    gint from[SCENE_MOST_BEFORE];
    guint n = find_before (&scene, frame, i, from);
    gdouble then[2] = { 0, 0 };

    for (guint k = 0; k < 2 * n; k++)
      then[k % 2] += before[0][from[k / 2]][k % 2] / n;
    n_found += n > 0;
    for (guint k = 0; n > 0 && k < 2; k++)
      g_assert_cmpfloat_with_epsilon (levels[0][i][k], then[k], 0.8);
  }
  g_assert_cmpuint (n_found, >, SCENE_PIXELS * 9 / 10);
}

static void
test_found (void)
{
  for (guint frame = 1; frame < 40; frame += 6) {
    assert_found (SCENE_CAMERA_ZOOM, frame);
    assert_found (SCENE_CAMERA_SHAKE, frame);
  }
}

/* A zoom is one, and a shake goes both ways. */
static void
test_cameras_move (void)
{
  const Scene zoom = {.camera = SCENE_CAMERA_ZOOM};
  const Scene shake = {.camera = SCENE_CAMERA_SHAKE};
  gint middle = SCENE_PIXELS / 2 + SCENE_WIDTH / 2;
  gint least = 0, most = 0;
  gint found[SCENE_MOST_BEFORE];

  g_assert_cmpint (find_first_before (&zoom, 1, 0), >, 0);
  g_assert_cmpuint (find_before (&zoom, 1, middle, found), ==, 1);
  g_assert_cmpint (found[0], ==, middle);
  for (guint frame = 1; frame < 40; frame++) {
    gint row = find_first_before (&shake, frame, middle) / SCENE_WIDTH
        - SCENE_HEIGHT / 2;

    least = MIN (least, row);
    most = MAX (most, row);
  }
  g_assert_cmpint (least, <, 0);
  g_assert_cmpint (most, >, 0);
}

/* --- light --- */

static void
assert_grey_of (SceneLight light, guint frame, gdouble wanted)
{
  const Scene scene = {.light = light};

  draw (&scene, grey, places, frame);
  g_assert_cmpfloat_with_epsilon (levels[0][0][2], wanted, 0.5);
}

/* Grey 188 is 0.503 of light. */
static void
test_light (void)
{
  assert_grey_of (SCENE_LIGHT_STEADY, 25, 188);
  assert_grey_of (SCENE_LIGHT_FADE_IN, 5, 0);
  assert_grey_of (SCENE_LIGHT_FADE_IN, 25, 94);
  assert_grey_of (SCENE_LIGHT_FADE_IN, 54, 188);
  assert_grey_of (SCENE_LIGHT_FADE_OUT, 5, 188);
  assert_grey_of (SCENE_LIGHT_FADE_OUT, 15, 141);
  assert_grey_of (SCENE_LIGHT_FADE_OUT, 54, 0);
  assert_grey_of (SCENE_LIGHT_CROSS, 0, 188);
  assert_grey_of (SCENE_LIGHT_CROSS, 25, 144);
  assert_grey_of (SCENE_LIGHT_CROSS, 45, 100);
  assert_grey_of (SCENE_LIGHT_HUNT, 20, 188);
  g_assert_cmpfloat_with_epsilon (measure_light (188), 0.503, 0.001);
  draw (&(Scene) {.light = SCENE_LIGHT_HUNT}, grey, NULL, 10);
  g_assert_cmpfloat_with_epsilon (measure_light ((guint8) levels[0][0][0]),
      0.503 * exp2 (0.3), 0.005);
}

/* --- objects and regions --- */

/* A ball of radius 30 has 15 pixels of a frame at each side of its middle. */
static void
test_ball (void)
{
  const Scene scene = {
    .object = {SCENE_OBJECT_BALL, {200, 40, 20}, 480, 270, 30,
      .first = 5,
      .n_frames = 10},
  };

  draw (&scene, grey, NULL, 5);
  g_assert_cmpfloat_with_epsilon (levels[90][160][0], 200, 4);
  g_assert_cmpfloat_with_epsilon (levels[90][160][2], 20, 1);
  g_assert_cmpfloat (levels[85][155][0], >, levels[95][165][0]);
  assert_level (levels[90][144][0], 188);
  g_assert_cmpfloat_with_epsilon (levels[90][146][1], 40, 8);
  draw (&scene, grey, NULL, 4);
  assert_level (levels[90][160][0], 188);
  draw (&scene, grey, NULL, 15);
  assert_level (levels[90][160][0], 188);
  g_assert_true (scene_has_object (&scene, 14, 90 * SCENE_WIDTH + 160));
  g_assert_false (scene_has_object (&scene, 15, 90 * SCENE_WIDTH + 160));
  g_assert_true (scene_has_region (&scene, 14, 90 * SCENE_WIDTH + 146, NULL));
  g_assert_false (scene_has_region (&scene, 14, 90 * SCENE_WIDTH + 144, NULL));
}

/* Three pixels wide each, with two between them, and one and a half to the right
 * with each frame. */
static void
test_lights (void)
{
  const Scene scene = {
    .object = {SCENE_OBJECT_LIGHTS, {255, 35, 25}, 163, 93, 3, .step = 3},
  };

  draw (&scene, grey, NULL, 0);
  assert_level (levels[1][1][0], 255);
  assert_level (levels[1][1][1], 35);
  assert_level (levels[1][4][0], 188);
  assert_level (levels[1][9][1], 35);
  draw (&scene, grey, NULL, 2);
  assert_level (levels[1][1][0], 188);
  assert_level (levels[1][4][0], 255);
}

/* The luma of BT.709 is what is behind. */
static void
test_tint (void)
{
  const Scene *scene = scene_find ("disc-on-grey");
  const gdouble *pixel;
  gdouble before;

  draw (scene, NULL, NULL, 7);
  before = levels[90][60][0];
  assert_level (levels[90][60][1], before);
  draw (scene, NULL, NULL, 8);
  pixel = levels[90][60];
  assert_level (pixel[0], before + 60);
  g_assert_cmpfloat_with_epsilon (0.2126 * pixel[0] + 0.7152 * pixel[1]
      + 0.0722 * pixel[2], before, 1e-3);
  g_assert_cmpfloat_with_epsilon (pixel[0] + 2 * pixel[1] + pixel[2],
      4 * before, 1e-3);
}

/* An ellipse of 20 x 10 on the photograph, and of that what is reddish. */
static void
test_region (void)
{
  const guint8 red[3] = { 220, 60, 40 }, orange[3] = { 230, 110, 30 };
  const guint8 green[3] = { 40, 200, 60 }, pale[3] = { 140, 125, 120 };
  const gint middle = 90 * SCENE_WIDTH + 160;
  Scene scene = {.ellipses = {{480, 270, 20, 10}}};

  g_assert_true (scene_has_region (&scene, 0, middle + 9, green));
  g_assert_false (scene_has_region (&scene, 0, middle + 10, green));
  g_assert_true (scene_has_region (&scene, 0, middle + 4 * SCENE_WIDTH, green));
  g_assert_false (scene_has_region (&scene, 0, middle + 5 * SCENE_WIDTH,
          green));
  memcpy (scene.like, red, 3);
  g_assert_true (scene_has_region (&scene, 0, middle, red));
  g_assert_true (scene_has_region (&scene, 0, middle, orange));
  g_assert_false (scene_has_region (&scene, 0, middle, green));
  g_assert_false (scene_has_region (&scene, 0, middle, pale));
}

/* It moves with the camera. */
static void
test_region_in_pan (void)
{
  const guint8 any[3] = { 0 };
  const Scene pan = {.camera = SCENE_CAMERA_PAN,
    .ellipses = {{240, 270, 4, 4}}
  };

  g_assert_true (scene_has_region (&pan, 0, 90 * SCENE_WIDTH + 120, any));
  g_assert_true (scene_has_region (&pan, 10, 90 * SCENE_WIDTH + 100, any));
  g_assert_false (scene_has_region (&pan, 10, 90 * SCENE_WIDTH + 120, any));
}

/* --- the list --- */

static gdouble
share_of_object (const Scene * scene)
{
  gsize n = 0;

  for (gint i = 0; i < SCENE_PIXELS; i++)
    n += scene_has_object (scene, scene->object.first, i);
  return (gdouble) n / SCENE_PIXELS;
}

/* Names are unique, and small things are 0.5 to 2 % of a frame. */
static void
test_list (void)
{
  for (const Scene * scene = scenes; scene->name; scene++) {
    g_assert_true (scene_find (scene->name) == scene);
    g_assert_cmpuint (scene->n_frames, >, 0);
    if (strcmp (scene->group, "small") == 0
        && scene->object.kind != SCENE_OBJECT_NONE) {
      g_assert_cmpfloat (share_of_object (scene), >, 0.005);
      g_assert_cmpfloat (share_of_object (scene), <, 0.02);
    }
  }
  g_assert_null (scene_find ("none of these"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  draw_photographs ();
  g_test_add_func ("/scenes/still", test_still);
  g_test_add_func ("/scenes/pan", test_pan);
  g_test_add_func ("/scenes/wide", test_wide);
  g_test_add_func ("/scenes/found", test_found);
  g_test_add_func ("/scenes/cameras-move", test_cameras_move);
  g_test_add_func ("/scenes/light", test_light);
  g_test_add_func ("/scenes/ball", test_ball);
  g_test_add_func ("/scenes/lights", test_lights);
  g_test_add_func ("/scenes/tint", test_tint);
  g_test_add_func ("/scenes/region", test_region);
  g_test_add_func ("/scenes/region-in-pan", test_region_in_pan);
  g_test_add_func ("/scenes/list", test_list);
  return g_test_run ();
}
