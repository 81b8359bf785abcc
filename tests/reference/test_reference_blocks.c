/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blocks, scene cuts, unrest, common light and motion: steps 1 to 3 of
 * docs/internals/temporal.md, and the sections that belong to them. */
#include "reference_steps.h"
#include "tests.h"

#include <string.h>

/* A frame and the one before, of any size up to this. */
#define MOST_PIXELS (128 * 96)

static guint8 before[4 * MOST_PIXELS], now[4 * MOST_PIXELS];

static void
set_pixel (guint8 * rgba, guint8 grey)
{
  memset (rgba, grey, 3);
  rgba[3] = 255;
}

/* The pixels of a picture so wide and 16 high whose columns are from @left to @right. */
static void
set_columns (guint8 * picture, guint width, guint left, guint right,
    guint8 grey)
{
  for (guint y = 0; y < 16; y++)
    for (guint x = left; x < right; x++)
      set_pixel (picture + 4 * (y * width + x), grey);
}

/* --- blocks --- */

/* ⌊(2·64·S + n) / (2·n)⌋. S = (10 + 2·20 + 30) + 4·50 = 280 of two pixels: 64·280 / 2. The
 * third one does not count. 64 / 128 is a half and becomes 1, 64 / 130 becomes 0. With a side
 * of 32 every second pixel is read, with 64 every fourth: 16 of a row. A white one adds 64 · 4
 * · 255 / 16 = 4080. */
TEST_IN ("blocks/", luma)
{
  static const guint8 three[] = { 10, 20, 30, 255, 50, 50, 50, 1, 9, 9, 9, 0 };
  static const struct
  {
    guint width, height, at, component, code;
    gint64 luma;
  } cases[] = {
    {16, 8, 5, 0, 1, 1}, {13, 10, 5, 2, 1, 0},
    {513, 1, 1, 3, 255, 0}, {513, 1, 30, 3, 255, 4080},
    {513, 1, 32, 3, 255, 0}, {1025, 1, 2, 3, 255, 0},
    {1025, 1, 60, 3, 255, 4080}, {1, 513, 1, 3, 255, 0},
    {1, 1025, 60, 3, 255, 4080}, {1, 1025, 62, 3, 255, 0}
  };
  ReferenceGrid grid = reference_grid (3, 1);

  g_assert_cmpint (reference_luma (&grid, three, 0), ==, 8960);
  grid = reference_grid (1, 1);
  g_assert_cmpint (reference_luma (&grid, three + 8, 0), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    grid = reference_grid (cases[i].width, cases[i].height);
    for (guint k = 0; k < cases[i].width * cases[i].height; k++)
      set_pixel (now + 4 * k, 0);
    for (guint c = 0; c < 3; c++)
      if (cases[i].component == 3 || cases[i].component == c)
        now[4 * cases[i].at + c] = cases[i].code;
    g_assert_cmpint (reference_luma (&grid, now, 0), ==, cases[i].luma);
  }
}

/* Of the two pixels of which R', G' and B' are 60, 70 and 80 in sum, r = 64 · 60 / 2 and so on.
 * Each mean is rounded: of one green code in 128 pixels g is 1, in 130 it is 0. */
TEST_IN ("blocks/", chroma)
{
  static const guint8 three[] = { 10, 20, 30, 255, 50, 50, 50, 1, 9, 8, 7, 0 };
  ReferenceGrid grid = reference_grid (3, 1);
  gint64 chroma[2];

  reference_chroma (&grid, three, 0, chroma);
  g_assert_cmpint (chroma[0], ==, 32 * (60 - 70));
  g_assert_cmpint (chroma[1], ==, 32 * (80 - 70));
  grid = reference_grid (1, 1);
  reference_chroma (&grid, three + 8, 0, chroma);
  g_assert_true (chroma[0] == 0 && chroma[1] == 0);
  memset (now, 255, sizeof now);
  for (guint height = 10; height <= 16; height += 6) {
    for (guint i = 0; i < 130; i++)
      set_pixel (now + 4 * i, 0);
    now[1] = 1;
    grid = height == 10 ? reference_grid (13, 10) : reference_grid (8, 16);
    reference_chroma (&grid, now, 0, chroma);
    g_assert_cmpint (chroma[0], ==, height == 10 ? 0 : -1);
    g_assert_cmpint (chroma[1], ==, height == 10 ? 0 : -1);
  }
}

/* The side is 16, or 32 or 64 where more than 32 blocks were side by side: 513 / 32 = 16.03
 * and 1025 / 64 = 16.02. */
TEST_IN ("blocks/", sides)
{
  static const guint sizes[][3] = {
    {16, 16, 1}, {17, 16, 2}, {512, 512, 32 * 32}, {513, 1, 17}, {1, 513, 17},
    {1025, 64, 17}
  };
  const ReferenceGrid grid = reference_grid (17, 17);

  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    g_assert_cmpuint (reference_grid (sizes[i][0], sizes[i][1]).n, ==,
        sizes[i][2]);
  /* x, y of 15, 0; 16, 0; 0, 16 and 16, 16 */
  g_assert_cmpuint (reference_grid_find (&grid, 15), ==, 0);
  g_assert_cmpuint (reference_grid_find (&grid, 16), ==, 1);
  g_assert_cmpuint (reference_grid_find (&grid, 17 * 16), ==, 2);
  g_assert_cmpuint (reference_grid_find (&grid, 17 * 16 + 16), ==, 3);
}

/* Of one pixel a grey has a luma of 256 times it, and more than the threshold is a cut. That of
 * a block is ⌊0.1 · 65280 + 1/2⌋ = 6528 = 25.5 · 256. Halves are rounded up, and 0 is no
 * threshold. Of two blocks one becomes ten codes lighter and one ten darker: 2560 on
 * average. */
TEST_IN ("blocks/", cut)
{
  static const struct
  {
    gdouble threshold;
    guint8 grey;
    gboolean is_cut;
  } cases[] = {
    {0.1, 25, FALSE}, {0.1, 26, TRUE}, {6399.5 / 65280, 25, FALSE},
    {6399.49 / 65280, 25, TRUE}, {0.4 / 65280, 255, FALSE},
    {0.5 / 65280, 1, TRUE}
  };

  set_pixel (before, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    set_pixel (now, cases[i].grey);
    g_assert_cmpint (reference_is_cut (cases[i].threshold, before, now, 1, 1),
        ==, cases[i].is_cut);
  }
  set_columns (before, 32, 0, 32, 100);
  set_columns (now, 32, 0, 16, 110);
  set_columns (now, 32, 16, 32, 90);
  g_assert_false (reference_is_cut (10. / 255, before, now, 32, 16));
  g_assert_true (reference_is_cut (9.9 / 255, before, now, 32, 16));
}

/* In a colour whose R' + 2 G' + B' stays. From grey, R' - G' changes by 39 and B' - G' by 13
 * codes of 64, in either direction; from green to magenta each by 510, which is 1. A block
 * without counted pixels has no chroma. Of two blocks one becomes redder, one bluer. */
TEST_IN ("blocks/", cut_by_hue)
{
  static const struct
  {
    guint8 from[4], to[4];
    gint change;
  } cases[] = {
    {{100, 100, 100, 255}, {126, 87, 100, 255}, 52 * 64},
    {{126, 87, 100, 255}, {100, 100, 100, 255}, 52 * 64},
    {{100, 100, 100, 255}, {74, 113, 100, 255}, 52 * 64},
    {{100, 100, 100, 255}, {90, 100, 110, 255}, 20 * 64},
    {{0, 255, 0, 255}, {255, 0, 255, 255}, 65280},
    {{0, 0, 0, 255}, {200, 0, 0, 0}, 0},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_false (reference_is_cut (cases[i].change / 65280., cases[i].from,
            cases[i].to, 1, 1));
    if (cases[i].change > 0)
      g_assert_true (reference_is_cut ((cases[i].change - 1) / 65280.,
              cases[i].from, cases[i].to, 1, 1));
  }
  set_columns (before, 32, 0, 32, 100);
  set_columns (now, 32, 0, 32, 100);
  for (guint i = 0; i < 32 * 16; i++) {
    now[4 * i] += i % 32 < 16 ? 20 : -20;
    now[4 * i + 2] += i % 32 < 16 ? -20 : 20;
  }
  g_assert_false (reference_is_cut (10. / 255, before, now, 32, 16));
  g_assert_true (reference_is_cut (9.9 / 255, before, now, 32, 16));
}

/* --- unrest --- */

/* A block of 16 x 16 pixels of one grey, beside a black one, and another grey after
 * it. */
static void
drift (ReferenceBlock * blocks, guint8 grey, guint8 later, gint64 camera,
    gint64 interval)
{
  const ReferencePictures both = reference_pictures (before, now, 32, 16);

  set_columns (before, 32, 0, 32, 0);
  set_columns (now, 32, 0, 32, 0);
  set_columns (before, 32, 0, 16, grey);
  set_columns (now, 32, 0, 16, later);
  reference_blocks_drift (blocks, &both, camera, interval);
}

/* e = max(0, min(|D| − T, 128)), where a code more is 256 more. T is 128 up to a camera of a
 * quarter of 2¹⁶, 384 with three eighths, and 640 from a half on. */
TEST_IN ("blocks/", departure)
{
  static const struct
  {
    gint64 camera, drift;
    guint8 before, now;
    gint64 departure;
  } cases[] = {
    {0, 128, 9, 9, 0}, {0, 129, 9, 9, 1}, {0, -129, 9, 9, 1},
    {0, 255, 9, 9, 127}, {0, 0, 9, 10, 128}, {0, -128, 9, 10, 0},
    {0, -127, 9, 10, 1}, {0, 127, 9, 8, 1}, {0, 300, 9, 9, 128},
    {16384, 129, 9, 9, 1}, {16415, 129, 9, 9, 1}, {16416, 129, 9, 9, 0},
    {16416, 130, 9, 9, 1}, {24576, 384, 9, 9, 0}, {24576, -385, 9, 9, 1},
    {24576, 511, 9, 9, 127}, {24576, 600, 9, 9, 128}, {32768, 640, 9, 9, 0},
    {32768, 641, 9, 9, 1}, {65536, 641, 9, 9, 1}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlock blocks[2] = { {.drift = {cases[i].drift}} };

    drift (blocks, cases[i].before, cases[i].now, cases[i].camera, 1);
    g_assert_cmpint (blocks[0].departure, ==, cases[i].departure);
    g_assert_cmpint (blocks[1].departure, ==, 0);
  }
}

/* The greatest of |D(Y)|, |D(U)| and |D(V)| counts. A code more of red and one less of green add 128
 * to D(U) and 64 to D(V), and take 64 from D(Y). Half of D decays. */
TEST_IN ("blocks/", departure_of_chroma)
{
  static const struct
  {
    gint64 drift[3], departure;
  } cases[] = {
    {{0, 0, 0}, 0}, {{0, 2, 0}, 2}, {{0, -256, 0}, 0}, {{0, -258, 0}, 2},
    {{0, 0, 66}, 2}, {{0, 0, -300}, 108}, {{0, 500, 500}, 128},
    {{264, 0, 0}, 72}
  };
  const ReferencePictures both = reference_pictures (before, now, 16, 16);

  set_columns (before, 16, 0, 16, 100);
  set_columns (now, 16, 0, 16, 100);
  for (guint i = 0; i < 16 * 16; i++) {
    now[4 * i]++;
    now[4 * i + 1]--;
  }
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceBlock block;

    memcpy (block.drift, cases[i].drift, sizeof block.drift);
    reference_blocks_drift (&block, &both, 0, 125000000);
    g_assert_cmpint (block.departure, ==, cases[i].departure);
    g_assert_cmpint (block.drift[1], ==, (cases[i].drift[1] + 128) / 2);
    g_assert_cmpint (block.drift[2], ==, (cases[i].drift[2] + 64) / 2);
  }
}

/* ρ(125·10⁶) is ⌊4096 / 2⌋ = 2048 in an eighth of a second, and ⌊4096 · 33.3 /
 * 158.3⌋ = 862 in a 30th. 416 · 862 / 4096 = 87.5, and 416 - 88 = 328. */
TEST_IN ("blocks/", drift_decays)
{
  ReferenceBlock blocks[2] = { {.drift = {0}} };
  ReferenceBlock others[2] = { {.drift = {416}}, {.drift = {70000}} };

  drift (blocks, 100, 101, 0, 125000000);
  g_assert_cmpint (blocks[0].drift[0], ==, 128);
  drift (others, 100, 100, 0, 33333333);
  g_assert_cmpint (others[0].drift[0], ==, 328);
  others[1].drift[0] = 70000;
  drift (others, 100, 100, 0, 1);
  g_assert_cmpint (others[1].drift[0], ==, 65280);
}

/* Two pixels to the right in the frame before: of the second block, the middle was in the
 * second, too, and of both the light is that of the column there. The two columns on the
 * right were not in view. 14 of 16 columns became lighter by 4, and with 30 to the left
 * both were where the first one is. */
TEST_IN ("blocks/", drift_moves)
{
  ReferenceVector vectors[2] = { {2, 0}, {2, 0}
  };
  ReferencePictures both = reference_pictures (before, now, 32, 16);
  ReferenceBlock blocks[2] = { {.drift = {0}}, {.drift = {40}} };

  for (guint x = 0; x < 32; x++) {
    set_columns (before, 32, x, x + 1, x);
    set_columns (now, 32, x, x + 1, x + 6);
  }
  both.vectors = vectors;
  reference_blocks_drift (blocks, &both, 0, 1);
  g_assert_cmpint (blocks[0].drift[0], ==, 4 * 256);
  g_assert_cmpint (blocks[1].drift[0], ==, 4 * 256 + 40);
  vectors[0] = vectors[1] = (ReferenceVector) {-30, 0};
  reference_blocks_drift (blocks, &both, 0, 1);
  g_assert_cmpint (blocks[0].drift[0], ==, 4 * 256);
  g_assert_cmpint (blocks[1].drift[0], ==, 4 * 256 + 36 * 256);
}

/* Of nine blocks the first and the last are not at rest: 7 is around those left of
 * and above the middle, 3 around the others, and the greater of both in the
 * middle. U = ⌊Σe / (2·number of blocks)⌋: 384 / 8, and 15 / 8. */
TEST_IN ("blocks/", unrest)
{
  static const gint64 around[] = { 7, 7, 0, 7, 7, 3, 0, 3, 3 };
  const ReferenceGrid grid = reference_grid (48, 48);
  const ReferenceBlock few[4] = { {.departure = 15} }, many[4] = {
    {.departure = 128}, {.departure = 128}, {.departure = 0}, {.departure = 128}
  };
  ReferenceBlock blocks[9] = { {.departure = 7} };

  blocks[8].departure = 3;
  for (guint i = 0; i < 9; i++)
    g_assert_cmpint (reference_blocks_unrest_around (blocks, &grid, i), ==,
        around[i]);
  g_assert_cmpint (reference_blocks_unrest_of_all (many, 4), ==, 48);
  g_assert_cmpint (reference_blocks_unrest_of_all (few, 4), ==, 1);
}

/* --- light that changes everywhere --- */

/* Sixteen blocks in a row. */
#define N_BLOCKS 16
#define ROW (16 * N_BLOCKS)

static void
set_block (guint block, guint8 grey, guint8 later)
{
  set_columns (before, ROW, 16 * block, 16 * block + 16, grey);
  set_columns (now, ROW, 16 * block, 16 * block + 16, later);
}

/* Greys of 40, 50 … 190. */
static guint8
grey_of (guint block)
{
  return 40 + 10 * block;
}

/* The components of sample @i of each block, counted along rows of 8, become @by greater. */
static void
change_samples (guint n, guint first, guint last, gint by)
{
  for (guint b = 0; b < N_BLOCKS; b++)
    for (guint i = 0; i < n; i++)
      for (guint c = first; c <= last; c++)
        now[4 * (i / 8 * ROW + 16 * b + i % 8) + c] += by;
}

static void
assert_light (gint64 gain, gint64 shift)
{
  const ReferencePictures both = reference_pictures (before, now, ROW, 16);
  const ReferenceLight light = reference_light_find (&both);

  g_assert_cmpint (light.gain, ==, gain);
  g_assert_cmpint (light.shift, ==, shift);
}

/* A change of a shift, or of none. A tenth is lost: of the luma x in quarters d = -0.8 x 32nds.
 * With x - 460 = ±20, ±60 … ±300 the spread is 2 · 20² · 680 = 544000. 512 · -0.8 · 544000 /
 * (544000 + 16) is -409.59, so the gain is -410, and in the middle 128 · -0.8 · 460 is
 * -47104 = -410 · 115 + 46. */
TEST_IN ("light/", line)
{
  static const struct
  {
    guint tenths, more;
    gint64 gain, shift;
  } changes[] = { {10, 0, 4096, 0}, {10, 5, 4096, 5 * 4096},
  {9, 0, 4096 - 410, 46}
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, grey_of (b), grey_of (b) * changes[i].tenths / 10
          + changes[i].more);
    assert_light (changes[i].gain, changes[i].shift);
  }
}

/* A change of 63 code values and 31 32nds counts, one of 64 does not: an eighth less, in 8 of
 * 256 samples. Nor does less than a quarter of one. */
TEST_IN ("light/", most_and_least)
{
  for (guint n = 0; n <= 8; n += 8) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, 100, 164);
    change_samples (n, 0, 2, -1);
    assert_light (4096, n == 8 ? 128 * 2047 : 0);
  }
  for (guint n = 128; n >= 32; n /= 2) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, grey_of (b), grey_of (b));
    change_samples (n, 0, 2, 1);
    assert_light (4096, n >= 64 ? 16 * n : 0);
  }
}

/* Four blocks of a thing that covers others are not near. With eight more of it, the line
 * leaves more than half of the changes. */
TEST_IN ("light/", thing)
{
  for (guint n = 4; n <= 12; n += 8) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, grey_of (b), b < n ? 40 + b * 77 % 120 : grey_of (b) + 8u);
    assert_light (4096, n == 4 ? 8 * 4096 : 0);
  }
}

/* White stays white, black stays black; and two blocks of sixteen are enough. One sample in 16
 * may be clipped, and not one more. Those add 16 · 2 · 141 to the sum of R' + 2 G' + B',
 * others 256 · 40 in all: the luma changes by 3688, which is 461 32nds. */
TEST_IN ("light/", clipped)
{
  for (guint n = 14; n <= 15; n++) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, b < n ? 255 * (b % 2) : 100, b < n ? 255 * (b % 2) : 107);
    assert_light (4096, n == 14 ? 7 * 4096 : 0);
  }
  for (guint n = 16; n <= 17; n++) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, 100, 110);
    change_samples (n, 1, 1, 251 - 110);
    assert_light (4096, n == 16 ? 128 * 461 : 0);
  }
}

/* Up to half as bright again, and a quarter darker. Of the lumas 20, 30 … 90 in quarters, each
 * twice, the spread is 134400, and their mean is 220. With 2/5 more d = 3.2 x: the gain is
 * 512 · 3.2 · 134400 / (134400 + 16), and 128 · 704 - 1638 · 55 = 22. With a fifth less d =
 * -1.6 x, and 128 · -352 + 820 · 55 = 44. */
TEST_IN ("light/", moderate)
{
  static const struct
  {
    guint tenths;
    gint64 gain, shift;
  } gains[] = {
    {14, 4096 + 1638, 22}, {16, 4096, 0}, {8, 4096 - 820, 44}, {7, 4096, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (gains); i++) {
    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (b, 20 + b / 2 * 10, (20 + b / 2 * 10) * gains[i].tenths / 10);
    assert_light (gains[i].gain, gains[i].shift);
  }
}

/* 101.25 becomes 51.625: 13216 of 256. What may be clipped stays, but modes go along. Changes
 * are from what is expected. */
TEST_IN ("light/", expected)
{
  static const struct
  {
    ReferenceLight light;
    gint64 value, parts, expected, applied;
  } cases[] = {
    {{4096, 0}, 77, 1, 77, 77}, {{2048, 4096}, 100, 1, 51, 51},
    {{2048, 4096}, 101 * 256 + 64, 256, 51 * 256 + 160, 51 * 256 + 160},
    {{6144, 0}, 200, 1, 255, 255}, {{4096, -10 * 4096}, 4, 1, 0, 0},
    {{2048, 0}, 251, 1, 251, 126}, {{2048, 0}, 250, 1, 125, 125},
    {{4096, 9 * 4096}, 3, 1, 3, 12},
    {{4096, 9 * 4096}, 4 * 256 - 1, 256, 4 * 256 - 1, 13 * 256 - 1},
    {{2048, 4096}, 252, 1, 252, 127},
    {{2048, 4096}, 2 * 256, 256, 2 * 256, 2 * 256},
    {{2048, 4096}, 0, 256, 0, 256}
  };
  static const guint8 from[] = { 50, 60, 70 }, to[] = { 60, 71, 77 };
  const ReferenceLight lighter = { 4096, 10 * 4096 };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_assert_cmpint (reference_light_expect (&cases[i].light, cases[i].value,
            cases[i].parts), ==, cases[i].expected);
    g_assert_cmpint (reference_light_apply (&cases[i].light, cases[i].value,
            cases[i].parts), ==, cases[i].applied);
  }
  g_assert_cmpint (reference_colours_change (&lighter, from, to), ==, 4);
}

/* --- motion --- */

#define WIDTH 128
#define HEIGHT 96
#define COLUMNS (WIDTH / 16)
#define TEXTURE -1

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
      set_pixel (picture + 4 * (j * WIDTH + i),
          grey >= 0 ? grey : texture_at (i + x, j + y));
}

static ReferenceVector *
find (gint64 * moving)
{
  const ReferencePictures both =
      reference_pictures (before, now, WIDTH, HEIGHT);

  return reference_motion_new (&both, moving);
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
TEST_IN ("motion/", pan)
{
  static const ReferenceVector pans[] = {
    {0, 0}, {5, -2}, {-16, 16}, {17, 0}, {-17, -17}
  };

  draw (before, 0, WIDTH, 0, 0, TEXTURE);
  for (guint i = 0; i < G_N_ELEMENTS (pans); i++) {
    g_autofree ReferenceVector *vectors = NULL;
    gint64 moving;

    draw (now, 0, WIDTH, pans[i].x, pans[i].y, TEXTURE);
    vectors = find (&moving);
    g_assert_true (i == 0 ? moving == 0 : moving > 128);
    for (guint row = 2; row < 4; row++)
      for (guint column = 2; column < COLUMNS - 2; column++)
        assert_vector (vectors, column, row, pans[i].x, pans[i].y);
  }
}

/* What is at rest stays so beside what moves. Blocks in odd columns have the vector of one
 * of the blocks around. */
TEST_IN ("motion/", halves)
{
  g_autofree ReferenceVector *vectors = NULL;
  gint64 moving;

  draw (before, 0, WIDTH, 0, 0, TEXTURE);
  draw (now, 0, WIDTH / 2, 0, 0, TEXTURE);
  draw (now, WIDTH / 2, WIDTH, 8, 4, TEXTURE);
  vectors = find (&moving);
  g_assert_cmpint (moving, ==, 128);
  for (guint row = 0; row < 5; row++)
    for (guint column = 0; column < COLUMNS - 1; column++)
      assert_vector (vectors, column, row, column < 4 ? 0 : 8,
          column < 4 ? 0 : 4);
}

/* Of a plain wall any vector is as good: it stays, although most of what can be told
 * moves. With a slope it comes from where it is as light, if that is the common
 * vector. */
TEST_IN ("motion/", walls)
{
  g_autofree ReferenceVector *plain = NULL, *sloping = NULL;
  gint64 moving;

  draw (before, 0, WIDTH, 0, 0, TEXTURE);
  draw (now, 0, WIDTH, 4, 0, TEXTURE);
  draw (before, 0, WIDTH / 2, 0, 0, 90);
  draw (now, 0, WIDTH / 2, 0, 0, 90);
  plain = find (&moving);
  g_assert_cmpint (moving, ==, 128);
  assert_vector (plain, 1, 2, 0, 0);
  assert_vector (plain, 6, 2, 4, 0);
  for (gint x = 0; x < WIDTH / 2; x++) {
    draw (before, x, x + 1, 0, 0, 90 + x / 2);
    draw (now, x, x + 1, 0, 0, 92 + x / 2);
  }
  sloping = find (&moving);
  assert_vector (sloping, 1, 2, 4, 0);
}

/* What came into view, or did not count, is not found: 0, or the common vector. One pixel has
 * no cells. */
TEST_IN ("motion/", hidden)
{
  const ReferencePictures pixel = reference_pictures (now, now, 1, 1);
  g_autofree ReferenceVector *vectors = NULL, *of_pixel = NULL;
  gint64 moving;

  draw (before, 0, WIDTH, 0, 0, TEXTURE);
  draw (now, 0, WIDTH, 6, 0, TEXTURE);
  for (gint i = 0; i < 4 * WIDTH * HEIGHT; i += 4)
    if (i / 4 % WIDTH >= WIDTH / 2 + 6)
      before[i + 3] = 0;
  vectors = find (&moving);
  assert_vector (vectors, 2, 2, 6, 0);
  assert_vector (vectors, 6, 2, 0, 0);
  of_pixel = reference_motion_new (&pixel, &moving);
  assert_vector (of_pixel, 0, 0, 0, 0);
  g_assert_cmpint (moving, ==, 0);
}

static gint64
show (ReferenceTemporal * temporal, const guint8 * rgba)
{
  static const ReferenceTemporalSettings settings = {.palette.radius = 0.05,
    .bin_capacity = 65536, .stability = 0.5, .scene_cut_threshold = 0.3};
  const ReferencePicture picture = { rgba, WIDTH, HEIGHT };
  g_autofree guint8 *output = g_malloc (4 * WIDTH * HEIGHT);

  reference_temporal_frame (temporal, &settings, 0, &picture, output, NULL);
  return temporal->camera;
}

/* K is what moves, at rest a part of the way to 0, by ρ(10⁹) = 132, and 0 where the scene
 * is cut. */
TEST_IN ("motion/", camera)
{
  g_autofree ReferenceVector *vectors = NULL;
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  gint64 moving;

  draw (before, 0, WIDTH, 0, 0, TEXTURE);
  draw (now, 0, WIDTH, 5, -2, TEXTURE);
  vectors = find (&moving);
  g_assert_cmpint (show (temporal, before), ==, 0);
  g_assert_cmpint (show (temporal, now), ==, 256 * moving);
  now[0] ^= 1;
  g_assert_cmpint (show (temporal, now), ==,
      256 * moving - (256 * moving * 132 + 2047) / 4096);
  memset (now, 255, sizeof now);
  g_assert_cmpint (show (temporal, now), ==, 0);
}

/* A pixel of the second block comes from its vector, if that is in view. */
TEST_IN ("motion/", sources)
{
  static const ReferenceVector vectors[2] = { {0, 0}, {-20, 3} };
  ReferencePictures both = reference_pictures (NULL, NULL, 32, 16);

  both.vectors = vectors;
  g_assert_cmpint (reference_find_source (&both, 15), ==, 15);
  g_assert_cmpint (reference_find_source (&both, 19), ==, -1);
  g_assert_cmpint (reference_find_source (&both, 20), ==, 3 * 32);
  g_assert_cmpint (reference_find_source (&both, 12 * 32 + 31), ==,
      15 * 32 + 11);
  g_assert_cmpint (reference_find_source (&both, 13 * 32 + 31), ==, -1);
}
