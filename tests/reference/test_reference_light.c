/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Light that changes everywhere: docs/internals/temporal.md. */
#include "test_reference.h"
#include "reference_light.h"

#include <string.h>

/* Blocks in a row, of 16 x 16 pixels. */
#define N_BLOCKS 16
#define WIDTH (16 * N_BLOCKS)
#define HEIGHT 16

typedef struct
{
  guint8 before[4 * WIDTH * HEIGHT], now[4 * WIDTH * HEIGHT];
} Pictures;

static void
set_block (guint8 * picture, guint block, guint8 grey)
{
  for (guint y = 0; y < HEIGHT; y++)
    for (guint x = 16 * block; x < 16 * block + 16; x++) {
      guint8 *rgba = picture + 4 * (y * WIDTH + x);

      memset (rgba, grey, 3);
      rgba[3] = 255;
    }
}

/* Greys of 40, 50 … 190. */
static guint8
grey_of (guint block)
{
  return 40 + 10 * block;
}

static Pictures *
pictures_new (void)
{
  Pictures *pictures = g_new (Pictures, 1);

  for (guint b = 0; b < N_BLOCKS; b++) {
    set_block (pictures->before, b, grey_of (b));
    set_block (pictures->now, b, grey_of (b));
  }
  return pictures;
}

static void
assert_light (const Pictures * pictures, gint64 gain, gint64 shift)
{
  const ReferencePictures both = {
    pictures->before, pictures->now, WIDTH, HEIGHT, NULL,
    REFERENCE_SAME_LIGHT
  };
  const ReferenceLight light = reference_light_find (&both);

  g_assert_cmpint (light.gain, ==, gain);
  g_assert_cmpint (light.shift, ==, shift);
}

static void
test_shift (void)
{
  g_autofree Pictures *pictures = pictures_new ();

  assert_light (pictures, 4096, 0);
  for (guint b = 0; b < N_BLOCKS; b++)
    set_block (pictures->now, b, grey_of (b) + 5);
  assert_light (pictures, 4096, 5 * 4096);
}

/* A change of 63 code values and 31 32nds counts, one of 64 does not. */
static void
test_most (void)
{
  for (guint n = 0; n <= 1; n++) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint b = 0; b < N_BLOCKS; b++) {
      set_block (pictures->before, b, 100);
      set_block (pictures->now, b, 164);
      /* An eighth less than 64 in all 256 samples, in steps of 256ths. */
      for (guint i = 0; i < 8 * n; i++)
        for (guint k = 0; k < 3; k++)
          pictures->now[4 * (16 * b + i) + k]--;
    }
    assert_light (pictures, 4096, n == 1 ? 128 * 2047 : 0);
  }
}

/* A tenth is lost: of the luma x in quarters d = -0.8 x 32nds. With x - 460 = ±20, ±60 …
 * ±300 the spread is 2 · 20² · 680 = 544000. 512 · -0.8 · 544000 / (544000 + 16) is
 * -409.59, so the gain is -410, and in the middle 128 · -0.8 · 460 is -47104 =
 * -410 · 115 + 46. */
static void
test_gain (void)
{
  g_autofree Pictures *pictures = pictures_new ();

  for (guint b = 0; b < N_BLOCKS; b++)
    set_block (pictures->now, b, grey_of (b) * 9 / 10);
  assert_light (pictures, 4096 - 410, 46);
}

/* A half of the samples of each block changes by one code value, or a quarter, or only an
 * eighth. */
static void
test_least (void)
{
  for (guint step = 2; step <= 8; step *= 2) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint i = 0; i < WIDTH * HEIGHT; i += step)
      for (guint k = 0; k < 3; k++)
        pictures->now[4 * i + k]++;
    assert_light (pictures, 4096, step <= 4 ? 4096 / step : 0);
  }
}

/* Four blocks of a thing that covers others are not near. With eight more of it, the line
 * leaves more than half of the changes. */
static void
test_thing (void)
{
  for (guint n = 4; n <= 12; n += 8) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint b = 0; b < N_BLOCKS; b++)
      set_block (pictures->now, b, b < n ? 40 + b * 77 % 120
          : grey_of (b) + 8u);
    assert_light (pictures, 4096, n == 4 ? 8 * 4096 : 0);
  }
}

/* White stays white, black stays black; and two blocks of sixteen are enough. */
static void
test_clipped (void)
{
  for (guint n = 14; n <= 15; n++) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint b = 0; b < N_BLOCKS; b++) {
      const gboolean is_clipped = b < n;

      set_block (pictures->before, b, is_clipped ? 255 * (b % 2) : 100);
      set_block (pictures->now, b, is_clipped ? 255 * (b % 2) : 107);
    }
    assert_light (pictures, 4096, n == 14 ? 7 * 4096 : 0);
  }
}

/* One sample in 16 may be clipped, and not one more. Those add 16 · 2 · 141 to the sum of R'
 * + 2 G' + B', others 256 · 40 in all: the luma changes by 3688, which is 461 32nds. */
static void
test_clipped_samples (void)
{
  for (guint n = 16; n <= 17; n++) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint b = 0; b < N_BLOCKS; b++) {
      set_block (pictures->before, b, 100);
      set_block (pictures->now, b, 110);
      for (guint i = 0; i < n; i++) {
        guint8 *rgba = pictures->now + 4 * (i / 8 * WIDTH + 16 * b + i % 8);

        rgba[1] = 251;
      }
    }
    assert_light (pictures, 4096, n == 16 ? 128 * 461 : 0);
  }
}

/* Up to half as bright again, and a quarter darker. Of the lumas 20, 30 … 90 in quarters, each
 * twice, the spread is 134400, and their mean is 220. With 2/5 more d = 3.2 x: the gain is
 * 512 · 3.2 · 134400 / (134400 + 16), and 128 · 704 - 1638 · 55 = 22. With a fifth less d =
 * -1.6 x, and 128 · -352 + 820 · 55 = 44. */
static void
test_moderate (void)
{
  static const struct
  {
    guint tenths;
    gint64 gain, shift;
  } gains[] = {
    {14, 4096 + 1638, 22}, {16, 4096, 0}, {8, 4096 - 820, 44}, {7, 4096, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (gains); i++) {
    g_autofree Pictures *pictures = pictures_new ();

    for (guint b = 0; b < N_BLOCKS; b++) {
      set_block (pictures->before, b, 20 + 10 * (b / 2));
      set_block (pictures->now, b, (20 + 10 * (b / 2)) * gains[i].tenths / 10);
    }
    assert_light (pictures, gains[i].gain, gains[i].shift);
  }
}

static void
assert_expected (gint64 gain, gint64 shift, gint64 value, gint64 parts,
    gint64 expected)
{
  const ReferenceLight light = { gain, shift };

  g_assert_cmpint (reference_light_expect (&light, value, parts), ==, expected);
}

static void
test_expected (void)
{
  assert_expected (4096, 0, 77, 1, 77);
  assert_expected (2048, 4096, 100, 1, 51);
  /* 101.25 becomes 51.625: 13216 of 256. */
  assert_expected (2048, 4096, 101 * 256 + 64, 256, 51 * 256 + 160);
  assert_expected (6144, 0, 200, 1, 255);
  assert_expected (4096, -10 * 4096, 4, 1, 0);
  /* What may be clipped stays. */
  assert_expected (2048, 0, 251, 1, 251);
  assert_expected (2048, 0, 250, 1, 125);
  assert_expected (4096, 9 * 4096, 3, 1, 3);
  assert_expected (4096, 9 * 4096, 4 * 256 - 1, 256, 4 * 256 - 1);
}

/* Modes go along also where they may be clipped. */
static void
test_applied (void)
{
  const ReferenceLight light = { 2048, 4096 };

  g_assert_cmpint (reference_light_apply (&light, 252, 1), ==, 127);
  g_assert_cmpint (reference_light_apply (&light, 2 * 256, 256), ==, 2 * 256);
  g_assert_cmpint (reference_light_apply (&light, 0, 256), ==, 256);
}

/* Changes are from what is expected. */
static void
test_change (void)
{
  const ReferenceLight light = { 4096, 10 * 4096 };
  const guint8 from[] = { 50, 60, 70 }, to[] = { 60, 71, 77 };

  g_assert_cmpint (reference_colours_change (&light, from, to), ==, 4);
}

void
test_reference_add_light (void)
{
  g_test_add_func ("/light/shift", test_shift);
  g_test_add_func ("/light/most", test_most);
  g_test_add_func ("/light/gain", test_gain);
  g_test_add_func ("/light/least", test_least);
  g_test_add_func ("/light/thing", test_thing);
  g_test_add_func ("/light/clipped", test_clipped);
  g_test_add_func ("/light/clipped-samples", test_clipped_samples);
  g_test_add_func ("/light/moderate", test_moderate);
  g_test_add_func ("/light/applied", test_applied);
  g_test_add_func ("/light/expected", test_expected);
  g_test_add_func ("/light/change", test_change);
}
