/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Clips of photographs that show what few colours make of faces, small things,
 * and light and cameras that move: the same bytes each time. Of each it is known
 * what it shows without noise, and where a point of a surface was a frame ago.
 *
 * A clip is a view of a photograph of 960 x 540 pixels. Frames have 320 x 180
 * pixels; 30 of them are shown in a second. Places and sizes on the photograph
 * are in its pixels: two of them are one of a frame, where nothing else is said. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define SCENE_WIDTH 320
#define SCENE_HEIGHT 180
#define SCENE_PIXELS (SCENE_WIDTH * SCENE_HEIGHT)
#define SCENE_PHOTOGRAPH_WIDTH 960
#define SCENE_PHOTOGRAPH_HEIGHT 540

/* Frames in half a second. */
#define SCENE_HALF_SECOND 15

#define SCENE_MAX_ELLIPSES 3

typedef enum
{
  SCENE_CAMERA_STILL,
  SCENE_CAMERA_WIDE,            /* still; all of the photograph: three to one */
  SCENE_CAMERA_PAN,             /* two pixels of a frame to the right a frame */
  SCENE_CAMERA_ZOOM,            /* comes nearer */
  SCENE_CAMERA_SHAKE            /* held in a hand */
} SceneCamera;

typedef enum
{
  SCENE_LIGHT_STEADY,
  SCENE_LIGHT_HUNT,             /* an exposure that swings by 0.3 stops */
  SCENE_LIGHT_FADE_IN,
  SCENE_LIGHT_FADE_OUT,
  SCENE_LIGHT_CROSS             /* from one photograph to the other */
} SceneLight;

typedef enum
{
  SCENE_OBJECT_NONE,
  SCENE_OBJECT_BALL,            /* lit from the upper left */
  SCENE_OBJECT_LIGHTS,          /* two discs of one colour, side by side */
  SCENE_OBJECT_TINT             /* a disc that reddens what is behind, and leaves
                                   its luma, of BT.709, as it is */
} SceneObjectKind;

/* On the photograph. */
typedef struct
{
  gdouble x, y, radius_x, radius_y;
} SceneEllipse;

typedef struct
{
  SceneObjectKind kind;
  guint8 rgb[3];
  gdouble x, y, radius;
  gdouble step;                 /* to the right a frame */
  guint first, n_frames;        /* when it is there; 0 frames: to the end */
} SceneObject;

typedef struct
{
  const gchar *group, *name;
  const gchar *photograph;      /* NULL: a ramp of greys */
  const gchar *other;           /* for SCENE_LIGHT_CROSS */
  guint n_frames;
  gdouble noise;                /* sigma, in levels */
  SceneCamera camera;
  SceneLight light;
  SceneObject object;
  /* What is looked at: ellipses; without any, the object. */
  SceneEllipse ellipses[SCENE_MAX_ELLIPSES];
  guint8 like[3];               /* of the ellipses only what has this hue, and a
                                   chroma above 0.1; black: all of them */
} Scene;

/* Packed bytes R, G, B, A of the photographs' size. */
typedef struct
{
  const guint8 *first, *other;  /* where the scene names them */
} ScenePhotographs;

/* What a frame shows of the photograph: pixel x, y from (left + x * scale, top + y *
 * scale) on. */
typedef struct
{
  gdouble left, top, scale;
} SceneView;

/* All scenes, ended by one without a name. */
extern const Scene scenes[];

/* NULL where there is none of this name. */
const Scene *scene_find (const gchar * name);

/* What is shown without noise: three values per pixel, in levels. */
void scene_draw (const Scene * scene, const ScenePhotographs * photographs,
    guint frame, gdouble * levels);

SceneView scene_get_view (const Scene * scene, guint frame);

/* The most pixels of a frame that show a part of what a pixel of the next one shows: three
 * in each direction. */
#define SCENE_MOST_BEFORE 9

/* Finds all pixels of a frame with view @before that show a part of the photograph that
 * @pixel shows in one with view @now. Returns how many they are, 0 where a part was not
 * in view. */
guint scene_find_all_before (const SceneView * now, const SceneView * before,
    gint pixel, gint found[SCENE_MOST_BEFORE]);

/* Whether the middle of @pixel is on the object in frame @frame. */
gboolean scene_has_object (const Scene * scene, guint frame, gint pixel);

/* Whether the middle of @pixel is in what is looked at; @rgb is the colour there
 * without noise. */
gboolean scene_has_region (const Scene * scene, guint frame, gint pixel,
    const guint8 * rgb);

G_END_DECLS
