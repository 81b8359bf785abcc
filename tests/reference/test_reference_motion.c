/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Where blocks come from: step 3 of docs/internals/temporal.md. */
#include "test_reference.h"
#include "reference_frame.h"
#include "reference_motion.h"

#include <string.h>

#define BLOCK 16
#define WIDTH (8 * BLOCK)
#define HEIGHT (6 * BLOCK)
#define COLUMNS (WIDTH / BLOCK)
#define N_BLOCKS (COLUMNS * (HEIGHT / BLOCK))

typedef struct
{
  guint8 before[4 * WIDTH * HEIGHT], now[4 * WIDTH * HEIGHT];
} Pictures;

static void
set_pixel (guint8 * picture, gint x, gint y, guint8 grey)
{
  guint8 *rgba = picture + 4 * (y * WIDTH + x);

  memset (rgba, grey, 3);
  rgba[3] = 255;
}

/* A texture that is nowhere like anywhere else: squares of any greys, smoothed, so that
 * what nearly fits differs less than what does not. */
static guint8
texture_at (gint x, gint y)
{
  guint sum = 0;

  for (gint i = 0; i < 16; i++) {
    guint32 cell = (guint32) (x + i % 4 + 999) / 6 * 2654435761u
        ^ (guint32) (y + i / 4 + 999) / 6 * 2246822519u;

    cell ^= cell >> 13;
    sum += (cell * 40503u >> 8) % 180;
  }
  return 30 + sum / 16;
}

/* Columns from @left to @right show the texture from (@x, @y) on, or one grey. */
static void
draw (guint8 * picture, gint left, gint right, gint x, gint y, gint grey)
{
  for (gint i = left; i < right; i++)
    for (gint j = 0; j < HEIGHT; j++)
      set_pixel (picture, i, j, grey >= 0 ? grey : texture_at (i + x, j + y));
}

#define TEXTURE -1

static gint64 moving;           /* of the last search */

static ReferenceVector *
find (const Pictures * pictures)
{
  const ReferencePictures both = {
    pictures->before, pictures->now, WIDTH, HEIGHT, NULL,
    REFERENCE_SAME_LIGHT
  };

  return reference_motion_new (&both, &moving);
}

static void
assert_vector (const ReferenceVector * vectors, guint column, guint row, gint x,
    gint y)
{
  g_assert_cmpint (vectors[row * COLUMNS + column].x, ==, x);
  g_assert_cmpint (vectors[row * COLUMNS + column].y, ==, y);
}

/* All that was in view comes from there, as far as a search in cells of 4 pixels goes, 16,
 * and one in steps of 2 and 1 from there. */
static void
test_pan (void)
{
  static const ReferenceVector pans[] = { {0, 0}, {5, -2}, {-16, 16}, {17, 0},
  {-17, -17}
  };
  g_autofree Pictures *pictures = g_new0 (Pictures, 1);

  for (guint i = 0; i < G_N_ELEMENTS (pans); i++) {
    g_autofree ReferenceVector *vectors = NULL;

    draw (pictures->before, 0, WIDTH, 0, 0, TEXTURE);
    draw (pictures->now, 0, WIDTH, pans[i].x, pans[i].y, TEXTURE);
    vectors = find (pictures);
    if (i == 0)
      g_assert_cmpint (moving, ==, 0);
    else
      g_assert_cmpint (moving, >, 128);
    for (guint row = 2; row < 4; row++)
      for (guint column = 2; column < COLUMNS - 2; column++)
        assert_vector (vectors, column, row, pans[i].x, pans[i].y);
  }
}

/* What is at rest stays so beside what moves. Blocks in odd columns have the vector of one
 * of the blocks around. */
static void
test_halves (void)
{
  g_autofree Pictures *pictures = g_new0 (Pictures, 1);
  g_autofree ReferenceVector *vectors = NULL;

  draw (pictures->before, 0, WIDTH, 0, 0, TEXTURE);
  draw (pictures->now, 0, WIDTH / 2, 0, 0, TEXTURE);
  draw (pictures->now, WIDTH / 2, WIDTH, 8, 4, TEXTURE);
  vectors = find (pictures);
  g_assert_cmpint (moving, ==, 128);
  for (guint row = 0; row < 5; row++)
    for (guint column = 0; column < COLUMNS - 1; column++)
      assert_vector (vectors, column, row, column < 4 ? 0 : 8,
          column < 4 ? 0 : 4);
}

/* Of a plain wall any vector is as good: it stays, although most of what can be told
 * moves. With a slope it comes from where it is as light, if that is the common
 * vector. */
static void
test_walls (void)
{
  g_autofree Pictures *pictures = g_new0 (Pictures, 1);
  g_autofree ReferenceVector *plain = NULL, *sloping = NULL;

  draw (pictures->before, 0, WIDTH, 0, 0, TEXTURE);
  draw (pictures->now, 0, WIDTH, 4, 0, TEXTURE);
  draw (pictures->before, 0, WIDTH / 2, 0, 0, 90);
  draw (pictures->now, 0, WIDTH / 2, 0, 0, 90);
  plain = find (pictures);
  g_assert_cmpint (moving, ==, 128);
  assert_vector (plain, 1, 2, 0, 0);
  assert_vector (plain, 6, 2, 4, 0);
  for (gint x = 0; x < WIDTH / 2; x++) {
    draw (pictures->before, x, x + 1, 0, 0, 90 + x / 2);
    draw (pictures->now, x, x + 1, 0, 0, 92 + x / 2);
  }
  sloping = find (pictures);
  assert_vector (sloping, 1, 2, 4, 0);
}

/* What came into view, or did not count, is not found: 0, or the common vector. */
static void
test_hidden (void)
{
  g_autofree Pictures *pictures = g_new0 (Pictures, 1);
  g_autofree ReferenceVector *vectors = NULL;

  draw (pictures->before, 0, WIDTH, 0, 0, TEXTURE);
  draw (pictures->now, 0, WIDTH, 6, 0, TEXTURE);
  for (gint i = 0; i < 4 * WIDTH * HEIGHT; i += 4)
    if (i / 4 % WIDTH >= WIDTH / 2 + 6)
      pictures->before[i + 3] = 0;
  vectors = find (pictures);
  assert_vector (vectors, 2, 2, 6, 0);
  assert_vector (vectors, 6, 2, 0, 0);
}

/* One pixel, without cells. */
static void
test_small (void)
{
  static const guint8 pixel[4] = { 1, 2, 3, 255 };
  const ReferencePictures both = {
    pixel, pixel, 1, 1, NULL, REFERENCE_SAME_LIGHT
  };
  g_autofree ReferenceVector *vectors = reference_motion_new (&both, &moving);

  g_assert_cmpint (vectors[0].x, ==, 0);
  g_assert_cmpint (vectors[0].y, ==, 0);
  g_assert_cmpint (moving, ==, 0);
}

static void
show (ReferenceTemporal * temporal, const guint8 * rgba)
{
  static const ReferenceTemporalSettings settings = {.palette.radius = 0.05,
    .bin_capacity = 65536, .stability = 0.5, .scene_cut_threshold = 0.3};
  const ReferencePicture picture = { rgba, WIDTH, HEIGHT };
  g_autofree guint8 *output = g_malloc (4 * WIDTH * HEIGHT);

  reference_temporal_frame (temporal, &settings, 0, &picture, output, NULL);
}

/* K is what moves, at rest a part of the way to 0, by ρ(10⁹) = 132, and 0 where the scene
 * is cut. */
static void
test_camera (void)
{
  g_autofree Pictures *pictures = g_new0 (Pictures, 1);
  g_autofree ReferenceVector *vectors = NULL;
  ReferenceTemporal *temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  gint64 camera;

  draw (pictures->before, 0, WIDTH, 0, 0, TEXTURE);
  draw (pictures->now, 0, WIDTH, 5, -2, TEXTURE);
  vectors = find (pictures);
  show (temporal, pictures->before);
  g_assert_cmpint (temporal->camera, ==, 0);
  show (temporal, pictures->now);
  camera = temporal->camera;
  g_assert_cmpint (camera, ==, 256 * moving);
  pictures->now[0] ^= 1;
  show (temporal, pictures->now);
  g_assert_cmpint (temporal->camera, ==, camera - (camera * 132 + 2047) / 4096);
  memset (pictures->now, 255, sizeof pictures->now);
  show (temporal, pictures->now);
  g_assert_cmpint (temporal->camera, ==, 0);
  reference_temporal_free (temporal);
}

/* A pixel of the second block comes from its vector, if that is in view. */
static void
test_sources (void)
{
  static const ReferenceVector vectors[2] = { {0, 0}, {-20, 3} };
  const ReferencePictures both = {
    NULL, NULL, 32, 16, vectors, REFERENCE_SAME_LIGHT
  };

  g_assert_cmpint (reference_blocks_find_source (&both, 15), ==, 15);
  g_assert_cmpint (reference_blocks_find_source (&both, 19), ==, -1);
  g_assert_cmpint (reference_blocks_find_source (&both, 20), ==, 3 * 32);
  g_assert_cmpint (reference_blocks_find_source (&both, 12 * 32 + 31), ==,
      15 * 32 + 11);
  g_assert_cmpint (reference_blocks_find_source (&both, 13 * 32 + 31), ==, -1);
}

void
test_reference_add_motion (void)
{
  g_test_add_func ("/motion/pan", test_pan);
  g_test_add_func ("/motion/halves", test_halves);
  g_test_add_func ("/motion/walls", test_walls);
  g_test_add_func ("/motion/hidden", test_hidden);
  g_test_add_func ("/motion/small", test_small);
  g_test_add_func ("/motion/camera", test_camera);
  g_test_add_func ("/motion/sources", test_sources);
}
