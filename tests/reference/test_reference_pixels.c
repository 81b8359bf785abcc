/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Y'CbCr to R'G'B' and back: "Pixels to 8-bit R'G'B'" of the numerics. Signals of HDR. */
#include "reference_hdr.h"
#include "reference_yuv.h"
#include "tests.h"

#include <string.h>

static const ReferenceYuvSettings bt601 = {.kr = 0.299, .kb = 0.114};
static const ReferenceYuvSettings bt709 = {.kr = 0.2126, .kb = 0.0722};

static const ReferenceYuvSettings full = {.kr = 0.299, .kb = 0.114,
  .full_range = TRUE};

/* A frame of a few codes. */
typedef struct
{
  guint16 codes[3][8];
  ReferenceCodes frame;
} Planes;

static const ReferenceCodes *
frame_of (Planes * planes, guint bits, guint width, guint height,
    guint shift_x, guint shift_y)
{
  planes->frame = (ReferenceCodes) {
    bits, width, height, shift_x, shift_y,
    {planes->codes[0], planes->codes[1], planes->codes[2]}
  };
  return &planes->frame;
}

/* Well-known code values of BT.601 and BT.709, 16…235. In full range 0.299 · 255 = 76.2; 127.5
 * · (1 - 0.299 / 0.886) = 84.97. Of red, BT.709 in limited range has Y' = 16 + 219 · 0.2126 =
 * 62.559, Cb = 128 - 112 · 0.2126 / 0.9278 = 102.336 and Cr = 240, times 4, 16 and 256. In full
 * range of 16 bits Cr would be 32768 + 32767.5. */
TEST_IN ("yuv/", known_codes)
{
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint bits;
    guint8 rgba[4];
    guint yuv[3];
  } cases[] = {
    {&bt601, 8, {255, 255, 255, 255}, {235, 128, 128}},
    {&bt601, 8, {255, 0, 0, 255}, {81, 90, 240}},
    {&bt601, 8, {0, 255, 0, 255}, {145, 54, 34}},
    {&bt601, 8, {0, 0, 255, 255}, {41, 240, 110}},
    {&bt709, 8, {255, 0, 0, 255}, {63, 102, 240}},
    {&bt709, 8, {0, 255, 0, 255}, {173, 42, 26}},
    {&bt709, 8, {0, 0, 255, 255}, {32, 240, 118}},
    {&full, 8, {255, 0, 0, 255}, {76, 85, 255}},
    {&bt709, 10, {255, 0, 0, 255}, {250, 409, 960}},
    {&bt709, 12, {255, 0, 0, 255}, {1001, 1637, 3840}},
    {&bt709, 10, {255, 255, 255, 255}, {940, 512, 512}},
    {&bt709, 16, {255, 255, 255, 255}, {60160, 32768, 32768}},
    {&full, 10, {255, 255, 255, 255}, {1023, 512, 512}},
    {&full, 16, {255, 255, 255, 255}, {65535, 32768, 32768}},
    {&full, 16, {255, 0, 0, 255}, {19595, 21710, 65535}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Planes planes;
    guint8 rgba[4];
    const ReferenceCodes *frame = frame_of (&planes, cases[i].bits, 1, 1, 1, 1);

    reference_codes_from_rgba (cases[i].settings, cases[i].rgba, frame);
    for (guint c = 0; c < 3; c++)
      g_assert_cmpuint (planes.codes[c][0], ==, cases[i].yuv[c]);
    reference_codes_to_rgba (cases[i].settings, frame, rgba);
    for (guint c = 0; c < 4; c++)
      g_assert_cmpint (ABS (rgba[c] - cases[i].rgba[c]), <=, 1);
  }
}

TEST_IN ("yuv/", known_colours)
{
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint16 yuv[3];
    guint8 rgba[4];
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
    Planes planes;
    guint8 rgba[4];

    for (guint c = 0; c < 3; c++)
      planes.codes[c][0] = cases[i].yuv[c];
    reference_codes_to_rgba (cases[i].settings, frame_of (&planes, 8, 1, 1, 1,
            1), rgba);
    g_assert_cmpmem (rgba, 4, cases[i].rgba, 4);
  }
}

/* Luma 128, full range, V as given, in so many positions along one axis. V of 0 and 64 more than
 * 128 is 0, 16, 48 and 64 between samples, 0, 32, 64 and 64 where they are on even positions,
 * and red is 128 + 1.402 times that. Of seven rows of fields, the even ones have the chroma rows
 * 0 and 2, the odd ones 1 and 3, V of 192 and 128: 218, 195, 150. In 4:1:1 the step between
 * samples is divided into four on columns; between columns, pixels are an eighth, three, five
 * and seven of it behind a sample: 0, 0, 8, 24, 40, 56, 64 and 64. */
TEST_IN ("yuv/", chroma_positions)
{
  static const struct
  {
    guint length, shift;
    gboolean is_cosited, is_interlaced;
    guint16 v[4];
    guint8 reds[8];
  } cases[] = {
    {4, 1, FALSE, FALSE, {128, 192}, {128, 150, 195, 218}},
    {3, 1, FALSE, FALSE, {128, 192}, {128, 150, 195}},
    {4, 1, TRUE, FALSE, {128, 192}, {128, 173, 218, 218}},
    {3, 1, TRUE, FALSE, {128, 192}, {128, 173, 218}},
    {7, 1, FALSE, TRUE, {128, 192, 192, 128},
        {128, 218, 150, 195, 195, 150, 218}},
    {8, 2, TRUE, FALSE, {128, 192},
        {128, 150, 173, 195, 218, 218, 218, 218}},
    {8, 2, FALSE, FALSE, {128, 192},
        {128, 128, 139, 162, 184, 207, 218, 218}}
  };

  /* Along x or y; that chroma has a place on the other axis changes nothing. */
  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++) {
    const gboolean along_y = i & 1, other = i >> 1 & 1;
    const guint length = cases[i / 4].length, shift = cases[i / 4].shift;
    ReferenceYuvSettings settings = full;
    Planes planes;
    guint8 rgba[4 * 8];

    if (cases[i / 4].is_interlaced && !along_y)
      continue;
    settings.interlaced = cases[i / 4].is_interlaced;
    settings.h_cosited = along_y ? other : cases[i / 4].is_cosited;
    settings.v_cosited = along_y ? cases[i / 4].is_cosited : other;
    for (guint k = 0; k < 8; k++)
      planes.codes[0][k] = planes.codes[1][k] = 128;
    memcpy (planes.codes[2], cases[i / 4].v, sizeof cases[i / 4].v);
    reference_codes_to_rgba (&settings, along_y
        ? frame_of (&planes, 8, 1, length, 0, shift)
        : frame_of (&planes, 8, length, 1, shift, 0), rgba);
    for (guint k = 0; k < length; k++)
      g_assert_cmpuint (rgba[4 * k], ==, cases[i / 4].reds[k]);
  }
}

/* V is 128 + half of the mean of reds along one axis: of 0, 100, 200 and 40 means are 50 and
 * 120; with 3 pixels the last counts twice: 200. On even positions they are (0 + 0 + 0 + 100) /
 * 4 = 25 and (100 + 400 + 40) / 4 = 135, halves up; with 3 pixels (100 + 400 + 200) / 4 = 175.
 * Of fields, even rows have these reds, odd ones 40, 40 and 80. A single row is one field. */
TEST_IN ("yuv/", chroma_means)
{
  static const struct
  {
    guint length;
    gboolean is_cosited, is_interlaced;
    guint8 reds[8];
    guint n;
    guint16 v[4];
  } cases[] = {
    {4, FALSE, FALSE, {0, 100, 200, 40}, 2, {153, 188}},
    {3, FALSE, FALSE, {0, 100, 200}, 2, {153, 228}},
    {4, TRUE, FALSE, {0, 100, 200, 40}, 2, {141, 196}},
    {3, TRUE, FALSE, {0, 100, 200}, 2, {141, 216}},
    {7, FALSE, TRUE, {0, 40, 100, 40, 200, 80, 40}, 4, {153, 148, 188, 168}},
    {1, FALSE, TRUE, {200}, 1, {228}}
  };

  for (guint i = 0; i < 4 * G_N_ELEMENTS (cases); i++) {
    const gboolean along_y = i & 1, other = i >> 1 & 1;
    const guint length = cases[i / 4].length;
    ReferenceYuvSettings settings = full;
    Planes planes;
    guint8 rgba[4 * 8] = { 0 };

    if (cases[i / 4].is_interlaced && !along_y)
      continue;
    settings.interlaced = cases[i / 4].is_interlaced;
    settings.h_cosited = along_y ? other : cases[i / 4].is_cosited;
    settings.v_cosited = along_y ? cases[i / 4].is_cosited : other;
    for (guint k = 0; k < length; k++)
      rgba[4 * k] = cases[i / 4].reds[k];
    reference_codes_from_rgba (&settings, rgba, along_y
        ? frame_of (&planes, 8, 1, length, 1, 1)
        : frame_of (&planes, 8, length, 1, 1, 1));
    for (guint k = 0; k < cases[i / 4].n; k++)
      g_assert_cmpuint (planes.codes[2][k], ==, cases[i / 4].v[k]);
    /* 0.299 · 40 = 12.0 and 0.299 · 200 = 59.8 */
    for (guint k = 0; k < length; k++)
      if (rgba[4 * k] % 160 == 40)
        g_assert_cmpuint (planes.codes[0][k], ==, rgba[4 * k] == 40 ? 12 : 60);
  }
}

/* Grey has no chroma, and without chroma there is grey, with any matrix: in full range
 * the same. */
TEST_IN ("yuv/", grey_stays_grey)
{
  const ReferenceYuvSettings matrices[] = { bt601, full, bt709,
    {.kr = 0.2627, .kb = 0.0593, .full_range = TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (matrices) * 256; i++) {
    const ReferenceYuvSettings *settings = &matrices[i / 256];
    const guint8 grey = i % 256;
    guint8 rgba[4] = { grey, grey, grey, 0 };
    Planes planes;

    reference_codes_from_rgba (settings, rgba, frame_of (&planes, 8, 1, 1, 1,
            1));
    g_assert_cmpuint (planes.codes[1][0], ==, 128);
    g_assert_cmpuint (planes.codes[2][0], ==, 128);
    reference_codes_to_rgba (settings, &planes.frame, rgba);
    g_assert_cmpuint (rgba[0], ==, rgba[1]);
    g_assert_cmpuint (rgba[0], ==, rgba[2]);
    g_assert_cmpuint (rgba[3], ==, 255);
    if (settings->full_range)
      g_assert_cmpuint (rgba[0], ==, grey);
  }
}

/* Frames of noise of odd and even sizes, as one number, which two programs found, one of them
 * for 4:2:0 of 8 bits alone: a digit that is wrong in a matrix or a weight shows here. */
TEST_IN ("yuv/", noise)
{
  g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA1);
  guint32 state = 1;

  for (guint i = 0; i < 64; i++) {
    const ReferenceYuvSettings settings = {
      0.2126, 0.0722, i & 1, i & 2, i & 4, i & 8
    };
    const guint width = 1 + i % 7, height = 1 + i % 5;
    guint8 bytes[3][64], rgba[4 * 64];
    const ReferenceYuvFrame frame = {
      width, height, bytes[0], bytes[1], bytes[2], width,
      (width + 1) / 2, 1
    };

    for (guint k = 0; k < 3 * 64; k++)
      bytes[k / 64][k % 64] = (state = state * 1664525 + 1013904223) >> 24;
    reference_yuv_to_rgba (&settings, &frame, rgba);
    g_checksum_update (checksum, rgba, 4 * width * height);
    for (guint k = 0; k < 4 * width * height; k++)
      rgba[k] = (state = state * 1664525 + 1013904223) >> 24;
    reference_yuv_from_rgba (&settings, rgba, &frame);
    g_checksum_update (checksum, bytes[0], sizeof bytes);
  }
  g_assert_cmpstr (g_checksum_get_string (checksum), ==,
      "17262ce6af3be6f52274d0b830455e498af6aa03");
}

/* NV12 with padded rows, which nothing is written to. Reds of 0, 100 and 200 are luma 0,
 * 29.9 and 59.8, and V as above; U is 128 − 0.168736 · 50 = 119.6 and 128 − 0.168736 ·
 * 200 = 94.3. Back, red of the first is 0 + 1.402 · 25 = 35. */
TEST_IN ("yuv/", nv12)
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

/* --- HDR --- */

/* Signals and their light as ITU-R BT.2100 and BT.2408 print them: diffuse white and 18 % grey
 * in per cent of the signal. */
TEST_IN ("hdr/", levels)
{
  static const struct
  {
    ReferenceHdr hdr;
    gdouble signal, light, step;
  } levels[] = {
    {REFERENCE_PQ, 0, 0, 2e-6}, {REFERENCE_PQ, 0.58, 1, 0.01},
    {REFERENCE_PQ, 0.38, 26.0 / 203, 0.01},
    {REFERENCE_PQ, 1, 10000.0 / 203, 1e-9}, {REFERENCE_HLG, 0, 0, 1e-9},
    {REFERENCE_HLG, 0.5, 1 / 12.0, 1e-9},
    {REFERENCE_HLG, 0.38, 0.18 * 0.265, 0.01},
    {REFERENCE_HLG, 0.75, 0.265, 0.001}, {REFERENCE_HLG, 1, 1, 1e-7}
  };

  for (guint i = 0; i < G_N_ELEMENTS (levels); i++) {
    const gdouble signal =
        reference_hdr_encode (levels[i].hdr, levels[i].light);

    g_assert_cmpfloat_with_epsilon (signal, levels[i].signal,
        levels[i].step / 2);
    g_assert_cmpfloat_with_epsilon (reference_hdr_decode (levels[i].hdr,
            signal), levels[i].light, 1e-9);
  }
}

/* Code 188 of sRGB is half the light, as far as it can be. */
TEST_IN ("hdr/", codes)
{
  for (ReferenceHdr hdr = REFERENCE_PQ; hdr <= REFERENCE_HLG; hdr++) {
    const gdouble half = reference_hdr_encode (hdr, 0.5);

    g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr, half), 188,
        0.5);
    g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr, 1), 255, 1e-5);
    for (guint code = 0; code < 256; code++)
      g_assert_cmpfloat_with_epsilon (reference_hdr_to_code (hdr,
              reference_hdr_from_code (hdr, code)), code, 1e-4);
  }
}
