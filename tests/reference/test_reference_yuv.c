/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* YUV to R'G'B' and back: "Pixels to 8-bit R'G'B'" of the numerics. */
#include "test_reference.h"
#include "generated.h"
#include "reference_yuv.h"

#include <string.h>

static const ReferenceYuvSettings bt601 = {.kr = 0.299,.kb = 0.114 };
static const ReferenceYuvSettings bt709 = {.kr = 0.2126,.kb = 0.0722 };

static const ReferenceYuvSettings full = {.kr = 0.299,.kb = 0.114,
  .full_range = TRUE
};

/* Three planes that are not a byte larger than they must be. */
typedef struct
{
  ReferenceYuvFrame frame;
  guint chroma_width, chroma_height;
} Planes;

static Planes
planes_new (guint width, guint height, guint chroma_height)
{
  Planes planes = {.frame = {.width = width,.height = height,
      .y_stride = width,.uv_step = 1}
  };

  planes.chroma_width = (width + 1) / 2;
  planes.chroma_height = chroma_height;
  planes.frame.uv_stride = planes.chroma_width;
  planes.frame.y = g_malloc0 (width * height);
  planes.frame.u = g_malloc0 (planes.chroma_width * chroma_height);
  planes.frame.v = g_malloc0 (planes.chroma_width * chroma_height);
  return planes;
}

static void
planes_clear (Planes * planes)
{
  g_free (planes->frame.y);
  g_free (planes->frame.u);
  g_free (planes->frame.v);
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
    {&bt601, {0, 0, 0, 255}, {16, 128, 128}},
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
    Planes planes = planes_new (1, 1, 1);

    reference_yuv_from_rgba (cases[i].settings, cases[i].rgba, &planes.frame);
    g_assert_cmpuint (planes.frame.y[0], ==, cases[i].yuv[0]);
    g_assert_cmpuint (planes.frame.u[0], ==, cases[i].yuv[1]);
    g_assert_cmpuint (planes.frame.v[0], ==, cases[i].yuv[2]);
    planes_clear (&planes);
  }
}

/* 16…235 by hand: (81 - 16) · 255/219 = 75.68; 240 - 128 = 112, times
 * 255/224 · 1.402 = 1.596 is 178.76: R = 254.4. G takes away 1.402 · 0.299 /
 * 0.587 · 255/224 = 0.81297 times 112 = 91.05 and gains 0.39176 times 38 =
 * 14.89: -0.5. B loses 2.01723 times 38 = 76.65: -1. */
static void
test_known_colours (void)
{
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint8 yuv[3], rgba[4];
  } cases[] = {
    {&bt601, {81, 90, 240}, {254, 0, 0, 255}},
    {&bt601, {16, 128, 128}, {0, 0, 0, 255}},
    {&bt601, {235, 128, 128}, {255, 255, 255, 255}},
    {&bt601, {0, 128, 128}, {0, 0, 0, 255}},
    {&bt601, {255, 128, 128}, {255, 255, 255, 255}},
    /* 126 - 16 = 110, times 255/219 = 128.08 */
    {&bt601, {126, 128, 128}, {128, 128, 128, 255}},
    /* 1.402 · 10 = 14.02; -0.714136 · 10 + 0.344136 · 20 = -0.26;
     * 1.772 · -20 = -35.44 */
    {&full, {100, 108, 138}, {114, 100, 65, 255}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Planes planes = planes_new (1, 1, 1);
    guint8 rgba[4];

    planes.frame.y[0] = cases[i].yuv[0];
    planes.frame.u[0] = cases[i].yuv[1];
    planes.frame.v[0] = cases[i].yuv[2];
    reference_yuv_to_rgba (cases[i].settings, &planes.frame, rgba);
    g_assert_cmpmem (rgba, 4, cases[i].rgba, 4);
    planes_clear (&planes);
  }
}

/* Luma 128, full range, V of 128 and 192 in @length positions along one axis:
 * red is 128 + 1.402 times the chroma there. */
static void
assert_reds (ReferenceYuvSettings settings, gboolean along_y, guint length,
    const guint8 * reds)
{
  Planes planes = along_y ? planes_new (1, length, 2)
      : planes_new (length, 1, 1);
  g_autofree guint8 *rgba = g_malloc (4 * length);

  memset (planes.frame.y, 128, length);
  memset (planes.frame.u, 128, 2);
  planes.frame.v[0] = 128;
  planes.frame.v[1] = 192;
  reference_yuv_to_rgba (&settings, &planes.frame, rgba);
  for (guint i = 0; i < length; i++)
    g_assert_cmpuint (rgba[4 * i], ==, reds[i]);
  planes_clear (&planes);
}

static void
test_chroma_positions (void)
{
  /* 0 and 64 make 0, 16, 48, 64 between, 0, 32, 64, 64 on even positions. */
  static const guint8 between[] = { 128, 150, 195, 218 };
  static const guint8 cosited[] = { 128, 173, 218, 218 };

  for (guint length = 3; length <= 4; length++) {
    ReferenceYuvSettings settings = full;

    assert_reds (settings, FALSE, length, between);
    assert_reds (settings, TRUE, length, between);
    settings.h_cosited = TRUE;
    assert_reds (settings, FALSE, length, cosited);
    assert_reds (settings, TRUE, length, between);
    settings.h_cosited = FALSE;
    settings.v_cosited = TRUE;
    assert_reds (settings, FALSE, length, between);
    assert_reds (settings, TRUE, length, cosited);
  }
}

/* Reds of 0, 100, 200 and 40 alone: V is 128 + half of their mean. */
static void
assert_chroma (ReferenceYuvSettings settings, gboolean along_y, guint length,
    guint first, guint second)
{
  static const guint8 rgba[] =
      { 0, 0, 0, 255, 100, 0, 0, 255, 200, 0, 0, 255, 40, 0, 0, 255 };
  Planes planes = along_y ? planes_new (1, length, 2)
      : planes_new (length, 1, 1);

  reference_yuv_from_rgba (&settings, rgba, &planes.frame);
  g_assert_cmpuint (planes.frame.v[0], ==, first);
  g_assert_cmpuint (planes.frame.v[1], ==, second);
  planes_clear (&planes);
}

static void
test_chroma_means (void)
{
  for (guint along_y = 0; along_y < 2; along_y++) {
    ReferenceYuvSettings settings = full;

    /* Means 50 and 120; with 3 pixels the last counts twice: 200. */
    assert_chroma (settings, along_y, 4, 153, 188);
    assert_chroma (settings, along_y, 3, 153, 228);
    /* (0 + 0 + 0 + 100) / 4 = 25 and (100 + 400 + 40) / 4 = 135, halves up;
     * with 3 pixels (100 + 400 + 200) / 4 = 175. */
    settings.h_cosited = !along_y;
    settings.v_cosited = along_y;
    assert_chroma (settings, along_y, 4, 141, 196);
    assert_chroma (settings, along_y, 3, 141, 216);
    settings.h_cosited = along_y;
    settings.v_cosited = !along_y;
    assert_chroma (settings, along_y, 4, 153, 188);
  }
}

/* With each matrix grey has no chroma, and without chroma there is grey: in full range
 * the same. */
static void
test_grey_stays_grey (void)
{
  static const gdouble matrices[][2] =
      { {0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593} };

  for (guint i = 0; i < 6; i++) {
    const ReferenceYuvSettings settings = {.kr = matrices[i / 2][0],
      .kb = matrices[i / 2][1],.full_range = i % 2
    };

    for (guint grey = 0; grey < 256; grey++) {
      Planes planes = planes_new (1, 1, 1);
      guint8 rgba[4] = { grey, grey, grey, 0 };

      reference_yuv_from_rgba (&settings, rgba, &planes.frame);
      g_assert_cmpuint (planes.frame.u[0], ==, 128);
      g_assert_cmpuint (planes.frame.v[0], ==, 128);
      reference_yuv_to_rgba (&settings, &planes.frame, rgba);
      g_assert_cmpuint (rgba[0], ==, rgba[1]);
      g_assert_cmpuint (rgba[0], ==, rgba[2]);
      g_assert_cmpuint (rgba[3], ==, 255);
      g_assert_cmpint (ABS ((gint) rgba[0] - (gint) grey), <=, !(i % 2));
      planes_clear (&planes);
    }
  }
}

/* Seven rows: the even ones are four, with chroma rows 0 and 2, the odd ones three,
 * with 1 and 3. In each field V is 128 and 192, or 192 and 128, and reds are as above:
 * 128, 150, 195, 218, and 218, 195, 150. */
static void
test_interlaced (void)
{
  static const guint8 v[] = { 128, 192, 192, 128 };
  static const guint8 reds[] = { 128, 218, 150, 195, 195, 150, 218 };
  ReferenceYuvSettings settings = full;
  Planes planes = planes_new (1, 7, 4);
  guint8 rgba[4 * 7];

  settings.interlaced = TRUE;
  memset (planes.frame.y, 128, 7);
  memset (planes.frame.u, 128, 4);
  memcpy (planes.frame.v, v, 4);
  reference_yuv_to_rgba (&settings, &planes.frame, rgba);
  for (guint i = 0; i < 7; i++)
    g_assert_cmpuint (rgba[4 * i], ==, reds[i]);
  planes_clear (&planes);
}

/* Even rows have reds of 0, 100, 200 and 40, odd ones of 40, 40 and 80: means are 50,
 * 120, 40 and 80, and V is 128 + half of them. A single row is one field. */
static void
test_interlaced_means (void)
{
  static const guint8 reds[] = { 0, 40, 100, 40, 200, 80, 40 };
  static const guint8 v[] = { 153, 148, 188, 168 };
  ReferenceYuvSettings settings = full;
  Planes planes = planes_new (1, 7, 4), row = planes_new (1, 1, 1);
  guint8 rgba[4 * 7] = { 0 };

  settings.interlaced = TRUE;
  for (guint i = 0; i < 7; i++)
    rgba[4 * i] = reds[i];
  reference_yuv_from_rgba (&settings, rgba, &planes.frame);
  g_assert_cmpmem (planes.frame.v, 4, v, 4);
  /* 0.299 · 40 = 12.0 and 0.299 · 200 = 59.8 */
  g_assert_cmpuint (planes.frame.y[1], ==, 12);
  g_assert_cmpuint (planes.frame.y[4], ==, 60);
  reference_yuv_from_rgba (&settings, rgba + 4 * 4, &row.frame);
  g_assert_cmpuint (row.frame.v[0], ==, 228);
  planes_clear (&planes);
  planes_clear (&row);
}

/* The same frame as NV12 with padded rows: the same bytes, and none in the
 * padding. */
static void
test_nv12 (void)
{
  const guint width = 7, height = 5;
  Planes i420 = planes_new (width, height, 3);
  guint8 luma[5 * 11], chroma[3 * 13];
  ReferenceYuvFrame nv12 = { width, height, luma, chroma, chroma + 1, 11, 13,
    2
  };
  g_autofree guint8 *picture = generated_picture_new ("noise", width, height,
      0);
  guint8 rgba[2][4 * 7 * 5];

  memset (luma, 99, sizeof luma);
  memset (chroma, 99, sizeof chroma);
  reference_yuv_from_rgba (&bt709, picture, &i420.frame);
  reference_yuv_from_rgba (&bt709, picture, &nv12);
  for (guint i = 0; i < sizeof luma; i++)
    g_assert_cmpuint (luma[i], ==, i % 11 < width
        ? i420.frame.y[i / 11 * width + i % 11] : 99);
  for (guint i = 0; i < sizeof chroma; i++) {
    const guint8 *plane = i % 13 % 2 ? i420.frame.v : i420.frame.u;

    g_assert_cmpuint (chroma[i], ==, i % 13 < 8
        ? plane[i / 13 * 4 + i % 13 / 2] : 99);
  }
  reference_yuv_to_rgba (&bt709, &i420.frame, rgba[0]);
  reference_yuv_to_rgba (&bt709, &nv12, rgba[1]);
  g_assert_cmpmem (rgba[0], sizeof rgba[0], rgba[1], sizeof rgba[1]);
  planes_clear (&i420);
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
