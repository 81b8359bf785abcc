/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Y'CbCr of any depth and subsampling to R'G'B' and back. */
#include "test_reference.h"
#include "reference_codes.h"

static const ReferenceYuvSettings bt709 = {.kr = 0.2126, .kb = 0.0722};

static const ReferenceYuvSettings full = {.kr = 0.299, .kb = 0.114,
  .full_range = TRUE};

/* A frame of a few codes. */
typedef struct
{
  guint16 codes[3][160];
  ReferenceCodes frame;
} Planes;

static const ReferenceCodes *
frame_of (Planes * planes, guint bits, guint width, guint height,
    guint shift_x, guint shift_y)
{
  planes->frame = (ReferenceCodes) {
    bits, width, height, shift_x, shift_y, {
      planes->codes[0], planes->codes[1], planes->codes[2]}
  };
  return &planes->frame;
}

/* Of red, BT.709 in limited range has Y' = 16 + 219 · 0.2126 = 62.559, Cb = 128 - 112 ·
 * 0.2126 / 0.9278 = 102.336 and Cr = 240, times 4, 16 and 256. */
static void
test_known_codes (void)
{
  static const guint8 red[] = { 255, 0, 0, 255 }, white[] = {
    255, 255, 255, 255
  };
  static const struct
  {
    const ReferenceYuvSettings *settings;
    guint bits;
    const guint8 *rgba;
    guint yuv[3];
  } cases[] = {
    {&bt709, 8, red, {63, 102, 240}},
    {&bt709, 10, red, {250, 409, 960}},
    {&bt709, 12, red, {1001, 1637, 3840}},
    {&bt709, 10, white, {940, 512, 512}},
    {&bt709, 16, white, {60160, 32768, 32768}},
    {&full, 10, white, {1023, 512, 512}},
    {&full, 16, white, {65535, 32768, 32768}},
    /* Cr would be 32768 + 32767.5. */
    {&full, 16, red, {19595, 21710, 65535}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Planes planes;
    guint8 rgba[4];
    const ReferenceCodes *frame = frame_of (&planes, cases[i].bits, 1, 1, 1, 1);

    reference_codes_from_rgba (cases[i].settings, cases[i].rgba, frame);
    for (guint c = 0; c < 3; c++)
      g_assert_cmpuint (planes.codes[c][0], ==, cases[i].yuv[c]);
    reference_codes_to_rgba (cases[i].settings, frame, rgba);
    for (guint c = 0; c < 3; c++)
      g_assert_cmpint (ABS (rgba[c] - cases[i].rgba[c]), <=, 1);
  }
}

/* Of full range, Cb = 128 + 64 · i of 4:1:1 makes B' = 100 + 1.772 · (Cb - 128) between the
 * samples. On columns, the step between samples is divided into four. Between columns, pixels
 * are an eighth, three, five and seven of it behind a sample. */
static void
test_quarters (void)
{
  static const guint blue_on[] = { 100, 128, 157, 185, 213, 213, 213, 213 };
  static const guint blue_between[] =
      { 100, 100, 114, 143, 171, 199, 213, 213 };

  for (guint cosited = 0; cosited < 2; cosited++) {
    ReferenceYuvSettings settings = full;
    const guint *blue = cosited ? blue_on : blue_between;
    Planes planes;
    guint8 rgba[4 * 8];

    settings.h_cosited = cosited;
    frame_of (&planes, 8, 8, 1, 2, 0);
    for (guint i = 0; i < 8; i++)
      planes.codes[0][i] = 100;
    for (guint i = 0; i < 2; i++) {
      planes.codes[1][i] = 128 + 64 * i;
      planes.codes[2][i] = 128;
    }
    reference_codes_to_rgba (&settings, &planes.frame, rgba);
    for (guint i = 0; i < 8; i++)
      g_assert_cmpuint (rgba[4 * i + 2], ==, blue[i]);
  }
}

/* Of 8 bits and 4:2:0 it is the same as what has been defined for these alone. */
static void
test_same (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  for (guint i = 0; i < 32; i++) {
    const ReferenceYuvSettings settings = { 0.2126, 0.0722, i & 1, i & 2, i & 4,
      i & 8
    };
    const guint width = 1 + i % 7, height = 1 + i % 5;
    guint8 bytes[3][64], rgba[2][4 * 64];
    ReferenceYuvFrame old =
        { width, height, bytes[0], bytes[1], bytes[2], width,
      (width + 1) / 2, 1
    };
    Planes planes;
    const ReferenceCodes *frame = frame_of (&planes, 8, width, height, 1, 1);

    for (guint c = 0; c < 3; c++)
      for (guint k = 0; k < 64; k++)
        bytes[c][k] = planes.codes[c][k] = g_rand_int (random) >> 24;
    reference_yuv_to_rgba (&settings, &old, rgba[0]);
    reference_codes_to_rgba (&settings, frame, rgba[1]);
    g_assert_cmpmem (rgba[0], 4 * width * height, rgba[1], 4 * width * height);
    reference_yuv_from_rgba (&settings, rgba[0], &old);
    reference_codes_from_rgba (&settings, rgba[0], frame);
    for (guint c = 0; c < 3; c++)
      for (guint k = 0; k < 64; k++)
        g_assert_cmpuint (bytes[c][k], ==, planes.codes[c][k]);
  }
}

void
test_reference_add_codes (void)
{
  g_test_add_func ("/reference-codes/known-codes", test_known_codes);
  g_test_add_func ("/reference-codes/quarters", test_quarters);
  g_test_add_func ("/reference-codes/same", test_same);
}
