/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blocks, how light they are, scene cuts and unrest: steps 1 to 3 of
 * docs/internals/temporal.md. */
#include "test_reference.h"
#include "reference_blocks.h"

#include <string.h>

/* Opaque black, but for one pixel. */
static guint8 *
picture_new (guint n_pixels, guint at, guint red, guint green, guint blue)
{
  guint8 *picture = g_malloc0 (4 * (gsize) n_pixels);

  for (guint i = 0; i < n_pixels; i++)
    picture[4 * i + 3] = 255;
  picture[4 * at] = (guint8) red;
  picture[4 * at + 1] = (guint8) green;
  picture[4 * at + 2] = (guint8) blue;
  return picture;
}

/* Of the first block. */
static gint64
luma_of (const guint8 * picture, guint width, guint height)
{
  g_autofree gint64 *lumas =
      reference_blocks_lumas_new (picture, width, height);

  return lumas[0];
}

/* ⌊(2·64·S + n) / (2·n)⌋ */
static void
test_luma (void)
{
  /* S = (10 + 2·20 + 30) + 4·50 = 280 of two pixels: 64·280 / 2. The third one
   * does not count. */
  static const guint8 three[] = { 10, 20, 30, 255, 50, 50, 50, 1, 9, 9, 9, 0 };
  static const guint8 none[] = { 9, 9, 9, 0 };
  g_autofree guint8 *half = picture_new (128, 5, 1, 0, 0);
  g_autofree guint8 *less = picture_new (130, 5, 0, 0, 1);

  g_assert_cmpint (luma_of (three, 3, 1), ==, 8960);
  g_assert_cmpint (luma_of (none, 1, 1), ==, 0);
  /* 64 / 128 is a half and becomes 1, 64 / 130 becomes 0. */
  g_assert_cmpint (luma_of (half, 16, 8), ==, 1);
  g_assert_cmpint (luma_of (less, 13, 10), ==, 0);
}

/* The side is 16, or 32 or 64 where more than 32 blocks were side by side. */
static void
test_sides (void)
{
  g_assert_cmpuint (reference_blocks_count (16, 16), ==, 1);
  g_assert_cmpuint (reference_blocks_count (17, 16), ==, 2);
  g_assert_cmpuint (reference_blocks_count (512, 512), ==, 32 * 32);
  /* 513 / 32 = 16.03 and 1025 / 64 = 16.02 */
  g_assert_cmpuint (reference_blocks_count (513, 1), ==, 17);
  g_assert_cmpuint (reference_blocks_count (1, 513), ==, 17);
  g_assert_cmpuint (reference_blocks_count (1025, 64), ==, 17);
  /* x, y of 15, 0; 16, 0; 0, 16 and 16, 16, 17 pixels a row */
  g_assert_cmpuint (reference_blocks_find (17, 17, 15), ==, 0);
  g_assert_cmpuint (reference_blocks_find (17, 17, 16), ==, 1);
  g_assert_cmpuint (reference_blocks_find (17, 17, 17 * 16), ==, 2);
  g_assert_cmpuint (reference_blocks_find (17, 17, 17 * 16 + 16), ==, 3);
}

/* With a side of 32 every second pixel, with 64 every fourth: 16 of a row. A white
 * one adds 64 · 4 · 255 / 16 = 4080. */
static void
test_looked_at (void)
{
  static const struct
  {
    guint length, at;
    gint64 luma;
  } cases[] = {
    {513, 1, 0}, {513, 30, 4080}, {513, 32, 0}, {1025, 2, 0}, {1025, 60, 4080}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree guint8 *picture =
        picture_new (cases[i].length, cases[i].at, 255, 255, 255);

    g_assert_cmpint (luma_of (picture, cases[i].length, 1), ==, cases[i].luma);
    g_assert_cmpint (luma_of (picture, 1, cases[i].length), ==, cases[i].luma);
  }
}

/* The threshold of a block is ⌊0.1 · 65280 + 1/2⌋ = 6528; more is a cut. */
static void
test_threshold (void)
{
  g_assert_false (reference_blocks_is_cut (0.1, 4 * 6528, 4));
  g_assert_true (reference_blocks_is_cut (0.1, 4 * 6528 + 1, 4));
  /* Halves are rounded up, and 0 is no threshold. */
  g_assert_false (reference_blocks_is_cut (6399.5 / 65280, 6400, 1));
  g_assert_true (reference_blocks_is_cut (6399.49 / 65280, 6400, 1));
  g_assert_false (reference_blocks_is_cut (0.4 / 65280, 65280, 1));
  g_assert_true (reference_blocks_is_cut (0.5 / 65280, 2, 1));
}

/* Two blocks, of which one becomes ten codes lighter and one ten darker: 2560 on
 * average, 10 / 255 of 65280. */
static void
test_cut (void)
{
  guint8 before[4 * 32], now[4 * 32];

  memset (before, 100, sizeof before);
  memset (now, 110, 4 * 16);
  memset (now + 4 * 16, 90, 4 * 16);
  g_assert_false (reference_is_cut (10. / 255, before, now, 32, 1));
  g_assert_true (reference_is_cut (9.9 / 255, before, now, 32, 1));
}

/* A block of 16 x 16 pixels of one grey, beside a black one, and another grey after
 * it. */
static void
drift_with (ReferenceBlock * blocks, guint before, guint now, gint64 camera,
    gint64 interval)
{
  static guint8 pictures[2][4 * 32 * 16];
  const ReferencePictures both = {
    pictures[0], pictures[1], 32, 16, NULL,
    REFERENCE_SAME_LIGHT
  };

  for (guint i = 0; i < 32 * 16; i++) {
    memset (pictures[0] + 4 * i, i % 32 < 16 ? before : 0, 3);
    memset (pictures[1] + 4 * i, i % 32 < 16 ? now : 0, 3);
    pictures[0][4 * i + 3] = pictures[1][4 * i + 3] = 255;
  }
  reference_blocks_drift (blocks, &both, camera, interval);
}

static void
drift (ReferenceBlock * blocks, guint before, guint now, gint64 interval)
{
  drift_with (blocks, before, now, 0, interval);
}

/* e = max(0, min(|D| − 128, 128)), where a code more is 256 more. */
static void
test_departure (void)
{
  static const struct
  {
    gint64 drift;
    guint before, now;
    gint64 departure;
  } cases[] = {
    {128, 9, 9, 0}, {129, 9, 9, 1}, {-129, 9, 9, 1}, {255, 9, 9, 127},
    {0, 9, 10, 128}, {-128, 9, 10, 0}, {-127, 9, 10, 1}, {127, 9, 8, 1},
    {300, 9, 9, 128}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlock blocks[2] = { {.drift = cases[i].drift}
    };

    drift (blocks, cases[i].before, cases[i].now, 1);
    g_assert_cmpint (blocks[0].departure, ==, cases[i].departure);
    g_assert_cmpint (blocks[1].departure, ==, 0);
  }
}

/* e = max(0, min(|D| − T, 128)). T is 128 up to a camera of a quarter of 2¹⁶, 384 with
 * three eighths, and 640 from a half on. */
static void
test_departure_in_motion (void)
{
  static const struct
  {
    gint64 camera, drift, departure;
  } cases[] = {
    {16384, 129, 1}, {16415, 129, 1}, {16416, 129, 0}, {16416, 130, 1},
    {24576, 384, 0}, {24576, -385, 1}, {24576, 511, 127}, {24576, 600, 128},
    {32768, 640, 0}, {32768, 641, 1}, {65536, 641, 1}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlock blocks[2] = { {.drift = cases[i].drift}
    };

    drift_with (blocks, 9, 9, cases[i].camera, 1);
    g_assert_cmpint (blocks[0].departure, ==, cases[i].departure);
  }
}

/* ρ(125·10⁶) is ⌊4096 / 2⌋ = 2048 in an eighth of a second, and ⌊4096 · 33.3 /
 * 158.3⌋ = 862 in a 30th. 416 · 862 / 4096 = 87.5, and 416 - 88 = 328. */
static void
test_drift_decays (void)
{
  ReferenceBlock blocks[2] = { {.drift = 0} };
  ReferenceBlock others[2] = { {.drift = 416}, {.drift = 70000} };

  drift (blocks, 100, 101, 125000000);
  g_assert_cmpint (blocks[0].drift, ==, 128);
  drift (others, 100, 100, 33333333);
  g_assert_cmpint (others[0].drift, ==, 328);
  others[1].drift = 70000;
  drift (others, 100, 100, 1);
  g_assert_cmpint (others[1].drift, ==, 65280);
}

/* Two pixels to the right in the frame before: of the second block, the middle was in the
 * second, too, and of both the light is that of the column there. The two columns on the
 * right were not in view. 14 of 16 columns became lighter by 4, and with 30 to the left
 * both were where the first one is. */
static void
test_drift_moves (void)
{
  static guint8 before[4 * 32 * 16], now[4 * 32 * 16];
  ReferenceVector vectors[2] = { {2, 0}, {2, 0} };
  const ReferencePictures both = {
    before, now, 32, 16, vectors, REFERENCE_SAME_LIGHT
  };
  ReferenceBlock blocks[2] = { {.drift = 0}, {.drift = 40} };

  for (guint i = 0; i < 32 * 16; i++) {
    memset (before + 4 * i, i % 32, 3);
    memset (now + 4 * i, i % 32 + 6, 3);
    before[4 * i + 3] = now[4 * i + 3] = 255;
  }
  reference_blocks_drift (blocks, &both, 0, 1);
  g_assert_cmpint (blocks[0].drift, ==, 4 * 256);
  g_assert_cmpint (blocks[1].drift, ==, 4 * 256 + 40);
  vectors[0] = vectors[1] = (ReferenceVector) {-30, 0};
  reference_blocks_drift (blocks, &both, 0, 1);
  g_assert_cmpint (blocks[0].drift, ==, 4 * 256);
  g_assert_cmpint (blocks[1].drift, ==, 4 * 256 + 36 * 256);
}

/* Of nine blocks the first and the last are not at rest: 7 is around those left of
 * and above the middle, 3 around the others, and the greater of both in the
 * middle. */
static void
test_unrest_around (void)
{
  static const gint64 unrest[] = { 7, 7, 0, 7, 7, 3, 0, 3, 3 };
  ReferenceBlock blocks[9] = { {.departure = 7} };

  blocks[8].departure = 3;
  for (guint i = 0; i < 9; i++)
    g_assert_cmpint (reference_blocks_unrest_around (blocks, 48, 48, i), ==,
        unrest[i]);
}

/* U = ⌊Σe / (2·number of blocks)⌋: 384 / 8, and 15 / 8. */
static void
test_unrest_of_all (void)
{
  const ReferenceBlock many[4] = { {.departure = 128}, {.departure = 128},
    {.departure = 0}, {.departure = 128}
  };
  const ReferenceBlock few[4] = { {.departure = 15} };

  g_assert_cmpint (reference_blocks_unrest_of_all (many, 4), ==, 48);
  g_assert_cmpint (reference_blocks_unrest_of_all (few, 4), ==, 1);
}

void
test_reference_add_blocks (void)
{
  g_test_add_func ("/blocks/luma", test_luma);
  g_test_add_func ("/blocks/sides", test_sides);
  g_test_add_func ("/blocks/looked-at", test_looked_at);
  g_test_add_func ("/blocks/threshold", test_threshold);
  g_test_add_func ("/blocks/cut", test_cut);
  g_test_add_func ("/blocks/departure", test_departure);
  g_test_add_func ("/blocks/departure-in-motion", test_departure_in_motion);
  g_test_add_func ("/blocks/drift-decays", test_drift_decays);
  g_test_add_func ("/blocks/drift-moves", test_drift_moves);
  g_test_add_func ("/blocks/unrest-around", test_unrest_around);
  g_test_add_func ("/blocks/unrest-of-all", test_unrest_of_all);
}
