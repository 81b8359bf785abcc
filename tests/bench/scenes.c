/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scenes.h"
#include "clips.h"
#include "measures.h"

#include <math.h>
#include <string.h>

/* Frames before a fade, and of it. */
#define FADE_BEFORE 5
#define FADE_FRAMES 40

/* Frames of a swing of the exposure, and how far it goes. */
#define HUNT_PERIOD 40
#define HUNT_STOPS 0.3

#define LEAST_CHROMA 0.1
#define SAME_HUE (40 * G_PI / 180)

/* Levels that a tint adds to red, green and blue. Neither 0.2126 R + 0.7152 G +
 * 0.0722 B changes, nor R + 2 G + B, which is a luma, too. */
static const gdouble tint[3] = { 60, -14.7584, -30.4832 };

/* --- the scenes --- */

#define SMALL "small", .n_frames = 33, .noise = 2
#define SKIN "skin", .n_frames = 30, .noise = 2
#define STILL "still", .n_frames = 30, .noise = 2
#define MOTION "motion", .n_frames = 30, .noise = 2
#define LIGHT "light", .n_frames = 50, .noise = 1
#define GHOST "ghost", .noise = 2

/* When a thing appears: a palette has settled by then. */
#define LATE 15

#define ASTRONAUT .photograph = "astronaut", .ellipses = { \
  {405, 315, 22, 25}, {555, 312, 22, 25}, {480, 285, 14, 25}}
#define PORTRAIT .photograph = "portrait", .ellipses = { \
  {384, 278, 25, 25}, {569, 278, 28, 25}, {454, 259, 14, 25}}
#define BEACH .photograph = "beach", .ellipses = { \
  {437, 352, 11, 12}, {516, 357, 10, 14}, {462, 287, 20, 13}}

/* *INDENT-OFF* */
const Scene scenes[] = {
  {SMALL, .name = "ladybird", .photograph = "ladybird",
    .ellipses = {{675, 261, 50, 40}}, .like = {220, 70, 20}},
  {SMALL, .name = "trousers", .photograph = "nuthatch",
    .ellipses = {{400, 150, 60, 100}}, .like = {40, 120, 220}},
  {SMALL, .name = "floodlights", .photograph = "rocket",
    .camera = SCENE_CAMERA_WIDE,
    .ellipses = {{480, 490, 480, 90}}, .like = {240, 170, 60}},
  {SMALL, .name = "sign", .photograph = "storm",
    .object = {SCENE_OBJECT_BALL, {0, 150, 140}, 560, 200, 30}},
  {SMALL, .name = "jacket", .photograph = "picos",
    .object = {SCENE_OBJECT_BALL, {190, 40, 45}, 420, 380, 24}},
  {SMALL, .name = "balloon", .photograph = "bridge",
    .object = {SCENE_OBJECT_BALL, {225, 190, 30}, 300, 200, 22,
      .first = LATE}},
  {SMALL, .name = "ball", .photograph = "seeding",
    .object = {SCENE_OBJECT_BALL, {190, 40, 150}, 620, 300, 36,
      .first = LATE}},
  {SMALL, .name = "parasol", .photograph = "dune",
    .object = {SCENE_OBJECT_BALL, {60, 70, 200}, 380, 330, 28,
      .first = LATE}},
  {SMALL, .name = "signal", .photograph = "sunset",
    .object = {SCENE_OBJECT_BALL, {20, 180, 90}, 300, 340, 20,
      .first = LATE}},
  {SMALL, .name = "anorak", .photograph = "brook",
    .object = {SCENE_OBJECT_BALL, {210, 90, 20}, 500, 260, 26,
      .first = LATE}},

  {SKIN, .name = "astronaut", ASTRONAUT},
  {SKIN, .name = "astronaut-shake", ASTRONAUT, .camera = SCENE_CAMERA_SHAKE},
  {SKIN, .name = "astronaut-hunt", ASTRONAUT, .light = SCENE_LIGHT_HUNT},
  {SKIN, .name = "portrait", PORTRAIT},
  {SKIN, .name = "portrait-shake", PORTRAIT, .camera = SCENE_CAMERA_SHAKE},
  {SKIN, .name = "portrait-hunt", PORTRAIT, .light = SCENE_LIGHT_HUNT},
  {SKIN, .name = "beach", BEACH},
  {SKIN, .name = "beach-shake", BEACH, .camera = SCENE_CAMERA_SHAKE},
  {SKIN, .name = "beach-hunt", BEACH, .light = SCENE_LIGHT_HUNT},

  {STILL, .name = "still-bridge", .photograph = "bridge"},
  {STILL, .name = "still-picos", .photograph = "picos"},
  {STILL, .name = "still-seeding", .photograph = "seeding"},
  {STILL, .name = "still-brook", .photograph = "brook"},
  {STILL, .name = "still-coffee", .photograph = "coffee"},

  {MOTION, .name = "pan-picos", .photograph = "picos",
    .camera = SCENE_CAMERA_PAN},
  {MOTION, .name = "pan-brook", .photograph = "brook",
    .camera = SCENE_CAMERA_PAN},
  {MOTION, .name = "zoom-ladybird", .photograph = "ladybird",
    .camera = SCENE_CAMERA_ZOOM},
  {MOTION, .name = "zoom-picos", .photograph = "picos",
    .camera = SCENE_CAMERA_ZOOM},
  {MOTION, .name = "shake-seeding", .photograph = "seeding",
    .camera = SCENE_CAMERA_SHAKE},
  {MOTION, .name = "shake-coffee", .photograph = "coffee",
    .camera = SCENE_CAMERA_SHAKE},

  {LIGHT, .name = "fade-in", .photograph = "sunset",
    .light = SCENE_LIGHT_FADE_IN},
  {LIGHT, .name = "fade-out", .photograph = "picos",
    .light = SCENE_LIGHT_FADE_OUT},
  {LIGHT, .name = "cross-fade", .photograph = "seeding", .other = "coffee",
    .light = SCENE_LIGHT_CROSS},
  {LIGHT, .name = "exposure", .photograph = "bridge",
    .light = SCENE_LIGHT_HUNT},

  {GHOST, .name = "tail-lights", .photograph = "storm", .n_frames = 35,
    .object = {SCENE_OBJECT_LIGHTS, {255, 35, 25}, 250, 330, 3, .step = 3}},
  {GHOST, .name = "disc-on-grey", .n_frames = 85,
    .object = {SCENE_OBJECT_TINT, {0}, 280, 270, 44, .step = 6,
      .first = 8, .n_frames = 45}},
  {GHOST, .name = "disc-on-sky", .photograph = "storm", .n_frames = 70,
    .object = {SCENE_OBJECT_TINT, {0}, 380, 220, 44, .step = 6,
      .first = 8, .n_frames = 30}},
  {NULL}
};
/* *INDENT-ON* */

const Scene *
scene_find (const gchar * name)
{
  for (const Scene * scene = scenes; scene->name; scene++)
    if (strcmp (scene->name, name) == 0)
      return scene;
  return NULL;
}

/* --- the camera --- */

static SceneView
look_at (gdouble x, gdouble y, gdouble scale)
{
  return (SceneView) {x - scale * SCENE_WIDTH / 2,
    y - scale * SCENE_HEIGHT / 2, scale};
}

/* Of the photograph: half pixels of a frame. */
static gdouble
whole_pixels (gdouble pixels)
{
  return floor (pixels + 0.5);
}

SceneView
scene_get_view (const Scene * scene, guint frame)
{
  gdouble x = SCENE_PHOTOGRAPH_WIDTH / 2.0;
  gdouble y = SCENE_PHOTOGRAPH_HEIGHT / 2.0;

  switch (scene->camera) {
    case SCENE_CAMERA_WIDE:
      return look_at (x, y, 3);
    case SCENE_CAMERA_PAN:
      return look_at (SCENE_WIDTH + 4.0 * frame, y, 2);
    case SCENE_CAMERA_ZOOM:
      return look_at (x, y, 2.6 - 0.02 * frame);
    case SCENE_CAMERA_SHAKE:
      return look_at (x + whole_pixels (6 * sin (0.31 * frame)
              + 3 * sin (0.83 * frame + 1) + sin (2.1 * frame)),
          y + whole_pixels (4 * sin (0.37 * frame + 2)
              + 2 * sin (0.97 * frame) + sin (1.9 * frame + 1)), 2);
    default:
      return look_at (x, y, 2);
  }
}

static void
find_place (const SceneView * view, gint pixel, gdouble * x, gdouble * y)
{
  *x = view->left + view->scale * (pixel % SCENE_WIDTH + 0.5);
  *y = view->top + view->scale * (pixel / SCENE_WIDTH + 0.5);
}

/* Less of a pixel than this is no part of it. */
#define LEAST_PART 1e-6

/* The first pixel of a line of pixels that shows a part of what is from @from to @to, and
 * how many do; all in pixels of that line. */
static gint
find_parts (gdouble from, gdouble to, guint * n)
{
  gint first = (gint) floor (from + LEAST_PART);

  *n = (guint) ((gint) ceil (to - LEAST_PART) - first);
  return first;
}

guint
scene_find_all_before (const SceneView * now, const SceneView * before,
    gint pixel, gint found[SCENE_MOST_BEFORE])
{
  gdouble size = now->scale / before->scale;
  gdouble x = (now->left - before->left) / before->scale
      + size * (pixel % SCENE_WIDTH);
  gdouble y = (now->top - before->top) / before->scale
      + size * (pixel / SCENE_WIDTH);
  guint n_columns, n_rows;
  gint left = find_parts (x, x + size, &n_columns);
  gint top = find_parts (y, y + size, &n_rows);

  if (left < 0 || top < 0 || left + n_columns > SCENE_WIDTH
      || top + n_rows > SCENE_HEIGHT)
    return 0;
  for (guint i = 0; i < n_columns * n_rows; i++)
    found[i] = (top + i / n_columns) * SCENE_WIDTH + left + i % n_columns;
  return n_columns * n_rows;
}

/* --- the object --- */

static gboolean
is_there (const SceneObject * object, guint frame)
{
  return object->kind != SCENE_OBJECT_NONE && frame >= object->first
      && (object->n_frames == 0 || frame < object->first + object->n_frames);
}

static gboolean
is_in_disc (const SceneObject * object, gdouble x, gdouble y)
{
  return hypot (x, y) <= object->radius;
}

/* @x, @y: from the middle of the object. */
static gboolean
is_on (const SceneObject * object, gdouble x, gdouble y)
{
  if (object->kind == SCENE_OBJECT_LIGHTS)
    return is_in_disc (object, x, y)
        || is_in_disc (object, x - 5 * object->radius, y);
  return is_in_disc (object, x, y);
}

static void
paint (const SceneObject * object, gdouble x, gdouble y, gdouble * levels)
{
  gdouble share = 1;

  if (object->kind == SCENE_OBJECT_TINT) {
    for (guint c = 0; c < 3; c++)
      levels[c] += tint[c];
    return;
  }
  if (object->kind == SCENE_OBJECT_BALL)
    share = 1 - 0.2 * (x + y) / object->radius;
  for (guint c = 0; c < 3; c++)
    levels[c] = MIN (share * object->rgb[c], 255);
}

static gdouble
middle_of (const SceneObject * object, guint frame)
{
  return object->x + object->step * ((gdouble) frame - object->first);
}

/* --- a frame --- */

/* Greys of 100 to 170 from the upper left to the lower right. */
static gdouble
ramp_at (gdouble x, gdouble y)
{
  return 100 + 70 * (x / SCENE_PHOTOGRAPH_WIDTH
      + y / SCENE_PHOTOGRAPH_HEIGHT) / 2;
}

/* Between the middles of the four pixels around it. */
static void
sample_photograph (const guint8 * photograph, gdouble x, gdouble y,
    gdouble * levels)
{
  gint left = (gint) floor (x - 0.5), top = (gint) floor (y - 0.5);
  gdouble right_share = x - 0.5 - left, lower_share = y - 0.5 - top;
  gint right = MIN (left + 1, SCENE_PHOTOGRAPH_WIDTH - 1);
  gint lower = MIN (top + 1, SCENE_PHOTOGRAPH_HEIGHT - 1);
  const guint8 *above = photograph + 4 * MAX (top, 0) * SCENE_PHOTOGRAPH_WIDTH;
  const guint8 *below = photograph + 4 * lower * SCENE_PHOTOGRAPH_WIDTH;

  left = MAX (left, 0);
  for (guint c = 0; c < 3; c++) {
    gdouble up = (1 - right_share) * above[4 * left + c]
        + right_share * above[4 * right + c];
    gdouble down = (1 - right_share) * below[4 * left + c]
        + right_share * below[4 * right + c];

    levels[c] = (1 - lower_share) * up + lower_share * down;
  }
}

static void
sample (const Scene * scene, const guint8 * photograph, guint frame, gdouble x,
    gdouble y, gdouble * levels)
{
  const SceneObject *object = &scene->object;
  gdouble from_x = x - middle_of (object, frame), from_y = y - object->y;

  if (photograph)
    sample_photograph (photograph, x, y, levels);
  else
    levels[0] = levels[1] = levels[2] = ramp_at (x, y);
  if (is_there (object, frame) && is_on (object, from_x, from_y))
    paint (object, from_x, from_y, levels);
}

/* The mean of four places of a pixel of @size around @x, @y. */
static void
draw_pixel (const Scene * scene, const guint8 * photograph, guint frame,
    gdouble x, gdouble y, gdouble size, gdouble * levels)
{
  gdouble one[3];

  levels[0] = levels[1] = levels[2] = 0;
  for (guint i = 0; i < 4; i++) {
    sample (scene, photograph, frame, x + (i % 2 ? size : -size) / 4,
        y + (i / 2 ? size : -size) / 4, one);
    for (guint c = 0; c < 3; c++)
      levels[c] += one[c] / 4;
  }
}

static void
draw_photograph (const Scene * scene, const guint8 * photograph, guint frame,
    gdouble * levels)
{
  SceneView view = scene_get_view (scene, frame);
  gdouble x, y;

  for (gint pixel = 0; pixel < SCENE_PIXELS; pixel++) {
    find_place (&view, pixel, &x, &y);
    draw_pixel (scene, photograph, frame, x, y, view.scale, levels + 3 * pixel);
  }
}

/* --- the light --- */

static gdouble
faded (guint frame)
{
  return CLAMP (((gdouble) frame - FADE_BEFORE) / FADE_FRAMES, 0, 1);
}

static void
scale_levels (gdouble * levels, gdouble share)
{
  for (gsize i = 0; i < 3 * SCENE_PIXELS; i++)
    levels[i] *= share;
}

static void
expose (gdouble * levels, guint frame)
{
  gdouble gain = exp2 (HUNT_STOPS * sin (2 * G_PI * frame / HUNT_PERIOD));
  gdouble exposed[256];

  for (guint i = 0; i < 256; i++)
    exposed[i] = clip_level_of_light (MIN (gain * measure_light (i), 1));
  for (gsize i = 0; i < 3 * SCENE_PIXELS; i++)
    levels[i] = exposed[(guint8) (levels[i] + 0.5)];
}

static void
mix (const Scene * scene, const guint8 * other, guint frame, gdouble * levels)
{
  g_autofree gdouble *to = g_new (gdouble, 3 * SCENE_PIXELS);
  gdouble share = faded (frame);

  draw_photograph (scene, other, frame, to);
  for (gsize i = 0; i < 3 * SCENE_PIXELS; i++)
    levels[i] = (1 - share) * levels[i] + share * to[i];
}

void
scene_draw (const Scene * scene, const ScenePhotographs * photographs,
    guint frame, gdouble * levels)
{
  draw_photograph (scene, photographs->first, frame, levels);
  switch (scene->light) {
    case SCENE_LIGHT_HUNT:
      expose (levels, frame);
      break;
    case SCENE_LIGHT_FADE_IN:
      scale_levels (levels, faded (frame));
      break;
    case SCENE_LIGHT_FADE_OUT:
      scale_levels (levels, 1 - faded (frame));
      break;
    case SCENE_LIGHT_CROSS:
      mix (scene, photographs->other, frame, levels);
      break;
    default:
      break;
  }
}

/* --- what is looked at --- */

gboolean
scene_has_object (const Scene * scene, guint frame, gint pixel)
{
  SceneView view = scene_get_view (scene, frame);
  gdouble x, y;

  find_place (&view, pixel, &x, &y);
  return is_there (&scene->object, frame)
      && is_on (&scene->object, x - middle_of (&scene->object, frame),
      y - scene->object.y);
}

static gboolean
is_in_ellipse (const SceneEllipse * ellipse, gdouble x, gdouble y)
{
  return ellipse->radius_x > 0
      && hypot ((x - ellipse->x) / ellipse->radius_x,
      (y - ellipse->y) / ellipse->radius_y) <= 1;
}

static gboolean
is_like (const guint8 * rgb, const guint8 * like)
{
  MeasureOklab place, wanted;

  if (like[0] + like[1] + like[2] == 0)
    return TRUE;
  place = measure_oklab (rgb);
  wanted = measure_oklab (like);
  return measure_chroma (place) > LEAST_CHROMA
      && measure_hue_between (place, wanted) <= SAME_HUE;
}

gboolean
scene_has_region (const Scene * scene, guint frame, gint pixel,
    const guint8 * rgb)
{
  SceneView view;
  gdouble x, y;

  if (scene->ellipses[0].radius_x <= 0)
    return scene_has_object (scene, frame, pixel);
  view = scene_get_view (scene, frame);
  find_place (&view, pixel, &x, &y);
  for (guint i = 0; i < SCENE_MAX_ELLIPSES; i++)
    if (is_in_ellipse (&scene->ellipses[i], x, y))
      return is_like (rgb, scene->like);
  return FALSE;
}
