/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* YUV to R'G'B' and back: "Pixels to 8-bit R'G'B'" of the numerics. */
#include "test_reference.h"
#include "reference_yuv.h"

#include <string.h>

static const ReferenceYuvSettings bt601 = {.kr = 0.299, .kb = 0.114};
static const ReferenceYuvSettings bt709 = {.kr = 0.2126, .kb = 0.0722};

static const ReferenceYuvSettings full = {.kr = 0.299, .kb = 0.114,
  .full_range = TRUE};

/* A frame of a few samples. */
typedef struct
{
  guint8 y[8], u[4], v[4];
  ReferenceYuvFrame frame;
} Planes;

static const ReferenceYuvFrame *
frame_of (Planes * planes, guint width, guint height)
{
  planes->frame = (ReferenceYuvFrame) {width, height, planes->y, planes->u,
    planes->v, width, (width + 1) / 2, 1};
  return &planes->frame;
}

/* Well-known code values of BT.601 and BT.709, 16…235. */
static void
test_known_codes (void)
{
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint8 rgba[4], yuv[3];
  } cases[] = {
    {&bt601, {255, 255, 255, 255}, {235, 128, 128}},
    {&bt601, {255, 0, 0, 255}, {81, 90, 240}},
    {&bt601, {0, 255, 0, 255}, {145, 54, 34}},
    {&bt601, {0, 0, 255, 255}, {41, 240, 110}},
    {&bt709, {255, 0, 0, 255}, {63, 102, 240}},
    {&bt709, {0, 255, 0, 255}, {173, 42, 26}},
    {&bt709, {0, 0, 255, 255}, {32, 240, 118}},
    /* 0.299 · 255 = 76.2; 127.5 · (1 - 0.299 / 0.886) = 84.97 */
    {&full, {255, 0, 0, 255}, {76, 85, 255}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Planes planes;

    reference_yuv_from_rgba (cases[i].settings, cases[i].rgba,
        frame_of (&planes, 1, 1));
    g_assert_cmpuint (planes.y[0], ==, cases[i].yuv[0]);
    g_assert_cmpuint (planes.u[0], ==, cases[i].yuv[1]);
    g_assert_cmpuint (planes.v[0], ==, cases[i].yuv[2]);
  }
}

static void
test_known_colours (void)
{
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint8 yuv[3], rgba[4];
  } cases[] = {
    /* (81 - 16) · 255/219 = 75.68; 240 - 128 = 112, times 255/224 · 1.402 =
     * 1.596 is 178.76: R = 254.4. G loses 1.402 · 0.299 / 0.587 · 255/224 =
     * 0.81297 times 112 = 91.05 and gains 0.39176 times 38 = 14.89: -0.5. B
     * loses 2.01723 times 38 = 76.65: -1. */
    {&bt601, {81, 90, 240}, {254, 0, 0, 255}},
    {&bt601, {0, 128, 128}, {0, 0, 0, 255}},
    {&bt601, {255, 128, 128}, {255, 255, 255, 255}},
    /* 126 - 16 = 110, times 255/219 = 128.08 */
    {&bt601, {126, 128, 128}, {128, 128, 128, 255}},
    /* 1.402 · 10 = 14.02; -0.714136 · 10 + 0.344136 · 20 = -0.26;
     * 1.772 · -20 = -35.44 */
    {&full, {100, 108, 138}, {114, 100, 65, 255}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Planes planes = { {cases[i].yuv[0]}, {cases[i].yuv[1]}, {cases[i].yuv[2]}
    };
    guint8 rgba[4];

    reference_yuv_to_rgba (cases[i].settings, frame_of (&planes, 1, 1), rgba);
    g_assert_cmpmem (rgba, 4, cases[i].rgba, 4);
  }
}

/* Luma 128, full range, V as given, in @length positions along one axis. */
static void
assert_reds (ReferenceYuvSettings settings, gboolean along_y, guint length,
    const guint8 * v, const guint8 * reds)
{
  Planes planes;
  guint8 rgba[4 * 8];

  memset (planes.y, 128, sizeof planes.y);
  memset (planes.u, 128, sizeof planes.u);
  memcpy (planes.v, v, sizeof planes.v);
  reference_yuv_to_rgba (&settings, along_y ? frame_of (&planes, 1, length)
      : frame_of (&planes, length, 1), rgba);
  for (guint i = 0; i < length; i++)
    g_assert_cmpuint (rgba[4 * i], ==, reds[i]);
}

/* V of 0 and 64 more than 128 is 0, 16, 48 and 64 between samples, 0, 32, 64 and 64
 * where they are on even positions, and red is 128 + 1.402 times that. */
static void
test_chroma_positions (void)
{
  static const guint8 v[4] = { 128, 192 };
  static const guint8 between[] = { 128, 150, 195, 218 };
  static const guint8 cosited[] = { 128, 173, 218, 218 };

  for (guint i = 0; i < 4; i++) {
    ReferenceYuvSettings settings = full;

    settings.h_cosited = i & 1;
    settings.v_cosited = i >> 1;
    for (guint length = 3; length <= 4; length++) {
      assert_reds (settings, FALSE, length, v, i & 1 ? cosited : between);
      assert_reds (settings, TRUE, length, v, i >> 1 ? cosited : between);
    }
  }
}

/* Reds of 0, 100, 200 and 40 along one axis: V is 128 + half of their mean. */
static void
assert_chroma (ReferenceYuvSettings settings, gboolean along_y, guint length,
    guint first, guint second)
{
  static const guint8 rgba[4 * 4] = { 0, 0, 0, 9, 100, 0, 0, 9, 200, 0, 0, 9,
    40
  };
  Planes planes;

  reference_yuv_from_rgba (&settings, rgba, along_y
      ? frame_of (&planes, 1, length) : frame_of (&planes, length, 1));
  g_assert_cmpuint (planes.v[0], ==, first);
  g_assert_cmpuint (planes.v[1], ==, second);
}

static void
test_chroma_means (void)
{
  for (guint along_y = 0; along_y < 2; along_y++) {
    ReferenceYuvSettings settings = full;

    /* Means 50 and 120; with 3 pixels the last counts twice: 200. */
    settings.h_cosited = along_y;
    settings.v_cosited = !along_y;
    assert_chroma (settings, along_y, 4, 153, 188);
    assert_chroma (settings, along_y, 3, 153, 228);
    /* (0 + 0 + 0 + 100) / 4 = 25 and (100 + 400 + 40) / 4 = 135, halves up;
     * with 3 pixels (100 + 400 + 200) / 4 = 175. */
    settings.h_cosited = !along_y;
    settings.v_cosited = along_y;
    assert_chroma (settings, along_y, 4, 141, 196);
    assert_chroma (settings, along_y, 3, 141, 216);
  }
}

/* Grey has no chroma, and without chroma there is grey, with any matrix: in full range
 * the same. */
static void
test_grey_stays_grey (void)
{
  const ReferenceYuvSettings matrices[] = { bt601, full, bt709,
    {.kr = 0.2627, .kb = 0.0593, .full_range = TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (matrices) * 256; i++) {
    const ReferenceYuvSettings *settings = &matrices[i / 256];
    const guint8 grey = i % 256;
    guint8 rgba[4] = { grey, grey, grey, 0 };
    Planes planes;

    reference_yuv_from_rgba (settings, rgba, frame_of (&planes, 1, 1));
    g_assert_cmpuint (planes.u[0], ==, 128);
    g_assert_cmpuint (planes.v[0], ==, 128);
    reference_yuv_to_rgba (settings, &planes.frame, rgba);
    g_assert_cmpuint (rgba[0], ==, rgba[1]);
    g_assert_cmpuint (rgba[0], ==, rgba[2]);
    g_assert_cmpuint (rgba[3], ==, 255);
    if (settings->full_range)
      g_assert_cmpuint (rgba[0], ==, grey);
  }
}

/* Of seven rows the even ones have the chroma rows 0 and 2, V of 128 and 192, the odd
 * ones 1 and 3, 192 and 128. Their reds are as above: 128, 150, 195, 218, and 218, 195,
 * 150. */
static void
test_interlaced (void)
{
  static const guint8 v[] = { 128, 192, 192, 128 };
  static const guint8 reds[] = { 128, 218, 150, 195, 195, 150, 218 };
  ReferenceYuvSettings settings = full;

  settings.interlaced = TRUE;
  assert_reds (settings, TRUE, 7, v, reds);
}

/* Even rows have reds of 0, 100, 200 and 40, odd ones of 40, 40 and 80: means are 50,
 * 120, 40 and 80, and V is 128 + half of them. A single row is one field. */
static void
test_interlaced_means (void)
{
  static const guint8 reds[] = { 0, 40, 100, 40, 200, 80, 40 };
  static const guint8 v[] = { 153, 148, 188, 168 };
  ReferenceYuvSettings settings = full;
  Planes planes;
  guint8 rgba[4 * 7] = { 0 };

  settings.interlaced = TRUE;
  for (guint i = 0; i < 7; i++)
    rgba[4 * i] = reds[i];
  reference_yuv_from_rgba (&settings, rgba, frame_of (&planes, 1, 7));
  g_assert_cmpmem (planes.v, 4, v, 4);
  /* 0.299 · 40 = 12.0 and 0.299 · 200 = 59.8 */
  g_assert_cmpuint (planes.y[1], ==, 12);
  g_assert_cmpuint (planes.y[4], ==, 60);
  reference_yuv_from_rgba (&settings, rgba + 4 * 4, frame_of (&planes, 1, 1));
  g_assert_cmpuint (planes.v[0], ==, 228);
}

/* NV12 with padded rows, which nothing is written to. Reds of 0, 100 and 200 are luma 0,
 * 29.9 and 59.8, and V as above; U is 128 − 0.168736 · 50 = 119.6 and 128 − 0.168736 ·
 * 200 = 94.3. Back, red of the first is 0 + 1.402 · 25 = 35. */
static void
test_nv12 (void)
{
  static const guint8 wanted_luma[] = { 0, 30, 60, 99, 0, 30, 60, 99 };
  static const guint8 wanted_chroma[] = { 120, 153, 94, 228, 99 };
  guint8 luma[8], chroma[5], rgba[4 * 6] = { 0 };
  const ReferenceYuvFrame nv12 = { 3, 2, luma, chroma, chroma + 1, 4, 5, 2 };

  memset (luma, 99, sizeof luma);
  memset (chroma, 99, sizeof chroma);
  for (guint i = 0; i < 6; i++)
    rgba[4 * i] = 100 * (i % 3);
  reference_yuv_from_rgba (&full, rgba, &nv12);
  g_assert_cmpmem (luma, 8, wanted_luma, 8);
  g_assert_cmpmem (chroma, 5, wanted_chroma, 5);
  reference_yuv_to_rgba (&full, &nv12, rgba);
  g_assert_cmpuint (rgba[0], ==, 35);
  g_assert_cmpuint (rgba[4 * 3], ==, 35);
}

void
test_reference_add_yuv (void)
{
  g_test_add_func ("/yuv/known-codes", test_known_codes);
  g_test_add_func ("/yuv/known-colours", test_known_colours);
  g_test_add_func ("/yuv/chroma-positions", test_chroma_positions);
  g_test_add_func ("/yuv/chroma-means", test_chroma_means);
  g_test_add_func ("/yuv/grey-stays-grey", test_grey_stays_grey);
  g_test_add_func ("/yuv/interlaced", test_interlaced);
  g_test_add_func ("/yuv/interlaced-means", test_interlaced_means);
  g_test_add_func ("/yuv/nv12", test_nv12);
}
