/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bins, their density, and what becomes of pixels: docs/internals/live.md. */
#include "test_reference.h"
#include "grey_film.h"
#include "reference_bins.h"
#include "reference_count.h"
#include "reference_live.h"

/* So many pixels of a colour; a list ends with 0 of them. */
typedef struct
{
  guint32 colour;
  guint n;
} Count;

static guint8 *
pixels_new (const Count * counts, gsize * n_pixels)
{
  GByteArray *pixels = g_byte_array_new ();

  for (; counts->n > 0; counts++) {
    guint8 pixel[4] = { 0, 0, 0, 255 };

    reference_unpack_rgb (counts->colour, pixel);
    for (guint i = 0; i < counts->n; i++)
      g_byte_array_append (pixels, pixel, sizeof pixel);
  }
  *n_pixels = pixels->len / 4;
  return g_byte_array_free (pixels, FALSE);
}

/* What becomes of @colour where these are counted. */
static guint32
reduce (const ReferencePaletteSettings * settings, gsize capacity,
    const Count * counts, guint32 colour, ReferenceLiveStats * stats)
{
  gsize n;
  g_autofree guint8 *bytes = pixels_new (counts, &n);
  guint8 pixel[4] = { 0, 0, 0, 9 };
  const ReferencePixels counted = { bytes, n }, input = { pixel, 1 };

  reference_unpack_rgb (colour, pixel);
  reference_live_from (settings, capacity, &counted, &input, pixel, stats);
  g_assert_cmpuint (pixel[3], ==, 9);
  return reference_pack_rgb (pixel);
}

/* The same for greys, with a bin for each. */
static guint
reduce_grey (const Count * greys, guint code)
{
  return reduce (&grey_bin_per_code, REFERENCE_LIVE_CAPACITY, greys, code,
      NULL) & 255;
}

static const ReferencePaletteSettings plain = {.radius = 0.02};

/* --- 1: bins --- */

/* ⌊radius·2^s / 3 + 1/2⌋, 109 at least: 0.0005 · 65536 / 3 = 10.9, 0.00504 · 65536 /
 * 3 = 110.1, 218.45, 218.67; from 0.03125 on 2^s is 32768: 341.3 */
static void
test_pitch (void)
{
  static const guint8 pixel[4] = { 1, 2, 3, 255 };
  static const struct
  {
    gdouble radius;
    gint64 pitch;
  } cases[] = {
    {0.0005, 109}, {0.00504, 110}, {0.01, 218}, {0.01001, 219}, {0.03125, 341}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePaletteSettings settings = {.radius = cases[i].radius};
    ReferenceBins bins;

    reference_bins_init (&bins, &settings, 10, pixel, 1);
    g_assert_cmpint (bins.pitch, ==, cases[i].pitch);
    reference_bins_clear (&bins);
  }
}

/* ⌊(x + ⌊P/2⌋) / P⌋ of L, a and b. Blue is at 29623, −2127, −20416, P is 437:
 * 29841 / 437 = 68.3, −1909 / 437 = −4.4, −20198 / 437 = −46.2. Merged once these are
 * halves, down: 34, −3 and −24. */
static void
test_place (void)
{
  static const guint8 blue[] = { 0, 0, 255, 255 };
  ReferenceBins bins;
  ReferencePlace place;

  reference_bins_init (&bins, &plain, 10, blue, 1);
  bins.n_merges = 1;
  place = reference_bins_place_unmerged (&bins, blue);
  g_assert_cmpint (place.L, ==, 68);
  g_assert_cmpint (place.a, ==, -5);
  g_assert_cmpint (place.b, ==, -47);
  place = reference_bins_place (&bins, blue);
  g_assert_cmpint (place.L, ==, 34);
  g_assert_cmpint (place.a, ==, -3);
  g_assert_cmpint (place.b, ==, -24);
  reference_bins_clear (&bins);
}

/* By a, then b, then L. */
static void
test_order (void)
{
  static const ReferencePlace places[] = {
    {-1, 5, 5}, {0, -1, 9}, {0, 0, 7}, {0, 0, 8}, {0, 1, 0}, {1, 0, 0}
  };

  for (gint i = 0; i < 6; i++)
    for (gint k = 0; k < 6; k++)
      g_assert_cmpint (reference_places_compare (places[i], places[k]), ==,
          (i > k) - (i < k));
}

/* --- 2: capacity --- */

/* Greys in bins 100, 102, 200 and 206. Merged once, 50, 51, 100, 103, they are still
 * four; twice, 25, 25, 50, 51, three; three times, 12, 12, 25, 25, two. Means are
 * (5 · 100 + 3 · 102) / 8 = 100.75 and (4 · 200 + 2 · 206) / 6 = 202. Of 50 and 51 the
 * densities are 4·4 + 3·2 = 22 and 4·2 + 3·4 = 20. */
static void
test_capacity (void)
{
  static const Count greys[] = {
    {0x646464, 5}, {0x666666, 3}, {0xc8c8c8, 4}, {0xcecece, 2}, {0}
  };
  static const struct
  {
    gsize capacity, n_bins;
    guint n_merges, of_102, of_206;
  } cases[] = { {4, 4, 0, 102, 206}, {3, 3, 2, 101, 200}, {2, 2, 3, 101, 202} };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    ReferenceLiveStats stats;

    g_assert_cmphex (reduce (&grey_bin_per_code, cases[i].capacity, greys,
            0x666666, &stats), ==, cases[i].of_102 * 0x010101);
    g_assert_cmphex (reduce (&grey_bin_per_code, cases[i].capacity, greys,
            0xcecece, NULL), ==, cases[i].of_206 * 0x010101);
    g_assert_cmpuint (stats.n_bins, ==, cases[i].n_bins);
    g_assert_cmpuint (stats.n_merges, ==, cases[i].n_merges);
  }
}

/* --- 3: weight --- */

/* All greys are one bin: 3 · 20, 30 and 41 are (60 + 30 + 41) / 5 = 26.2 by pixels and
 * 91 / 3 = 30.3 by colours. Of those with 3 pixels at least there is one, with 4
 * none. */
static void
test_weight (void)
{
  static const Count greys[] = { {0x141414, 3}, {0x1e1e1e, 1}, {0x292929, 1},
  {0}
  };
  ReferencePaletteSettings settings = grey_bin_per_code;
  const gsize one_bin = REFERENCE_LIVE_CAPACITY;

  settings.radius = 1;
  g_assert_cmphex (reduce (&settings, one_bin, greys, 0x141414, NULL), ==,
      0x1a1a1a);
  settings.weighting = REFERENCE_WEIGHTING_PALETTE;
  g_assert_cmphex (reduce (&settings, one_bin, greys, 0x141414, NULL), ==,
      0x1e1e1e);
  settings.min_frequency = 3;
  g_assert_cmphex (reduce (&settings, one_bin, greys, 0x292929, NULL), ==,
      0x141414);
  settings.min_frequency = 4;
  g_assert_cmphex (reduce (&settings, one_bin, greys, 0x292929, NULL), ==,
      0x292929);
}

/* --- 4: density --- */

/* A colour of a bin that is so far from grey's, −1, 0 or 1 in each of L, a and b. */
static guint32
colour_beside (gint L, gint a, gint b)
{
  static guint32 found[3][3][3];

  if (found[1][1][1] == 0) {
    const guint8 grey[] = { 128, 128, 128, 255 };
    ReferenceBins bins;
    ReferencePlace middle;

    reference_bins_init (&bins, &plain, 10, grey, 1);
    middle = reference_bins_place (&bins, grey);
    for (guint i = 0; i < 64 * 64 * 64; i++) {
      const guint8 rgb[3] = { 96 + i / 4096, 96 + i / 64 % 64, 96 + i % 64 };
      const ReferencePlace at = reference_bins_place (&bins, rgb);

      if (ABS (at.L - middle.L) <= 1 && ABS (at.a) <= 1 && ABS (at.b) <= 1)
        found[at.L - middle.L + 1][at.a + 1][at.b + 1] =
            reference_pack_rgb (rgb);
    }
    reference_bins_clear (&bins);
  }
  g_assert_cmphex (found[L + 1][a + 1][b + 1], !=, 0);
  return found[L + 1][a + 1][b + 1];
}

/* D at grey's bin is 4·10 + (4 − |o|²)·3 with 3 pixels at an offset o of each length:
 * 40 + 9, 40 + 6 and 40 + 3, whatever the direction. */
static void
test_density (void)
{
  for (gint i = 0; i < 27; i++) {
    const gint L = i / 9 - 1, a = i / 3 % 3 - 1, b = i % 3 - 1;
    const Count counts[] = {
      {colour_beside (0, 0, 0), 10}, {colour_beside (L, a, b), 3}, {0}
    };
    gsize n;
    g_autofree guint8 *pixels = pixels_new (counts, &n);
    guint8 rgb[3];
    ReferenceBins bins;
    const ReferenceBin *bin;

    reference_unpack_rgb (counts[0].colour, rgb);
    reference_bins_init (&bins, &plain, 100, pixels, n);
    bin = reference_bins_find (&bins, reference_bins_place (&bins, rgb));
    g_assert_cmpint (bin->density, ==, 40 + 3 * (4 - (L * L + a * a + b * b)));
    reference_bins_clear (&bins);
  }
}

/* --- 5: uphill --- */

/* Of 20 beside 22 D is 4·20 + 3·22 = 146, beside 23 it is 149; a 64th is 2, which
 * is how much denser the neighbour is, or one less. Of 1000 beside 1008 a 64th is
 * 109, but 8 is enough. */
static void
test_plateau (void)
{
  static const struct
  {
    guint n[2];
    gboolean goes;
  } cases[] = {
    {{20, 20}, FALSE}, {{20, 22}, FALSE}, {{20, 23}, TRUE},
    {{1000, 1008}, FALSE}, {{1000, 1009}, TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Count greys[] = { {0x646464, cases[i].n[0]},
    {0x656565, cases[i].n[1]}, {0}
    };

    g_assert_cmpuint (reduce_grey (greys, 0x646464), ==,
        cases[i].goes ? 101 : 100);
    g_assert_cmpuint (reduce_grey (greys, 0x656565), ==, 101);
  }
}

/* 1, 2, … 5 pixels: D is 4 + 6 = 10, 8 + 12, 12 + 18, 16 + 24 = 40 and 20 + 12 =
 * 32. All go on to the last but one. */
static void
test_chain (void)
{
  static const Count greys[] = {
    {0x5a5a5a, 1}, {0x5b5b5b, 2}, {0x5c5c5c, 3}, {0x5d5d5d, 4}, {0x5e5e5e, 5},
    {0}
  };

  for (guint i = 0; i < 5; i++)
    g_assert_cmpuint (reduce_grey (greys, greys[i].colour), ==, 0x5d);
}

/* Beside a pixel in the middle there are 20 in each of two corners, which differ in a, in
 * b or in L: their D is 4·20 + 1. It goes to the first in order. A bin beyond its
 * neighbours is none: 103 stays. */
static void
test_first_of_equal (void)
{
  static const Count greys[] = { {0x646464, 9}, {0x656565, 9}, {0x676767, 1},
  {0}
  };

  for (guint i = 0; i < 3; i++) {
    const gint L = i == 2 ? -1 : 1, a = i == 0 ? -1 : 1, b = i == 1 ? -1 : 1;
    const Count counts[] = { {colour_beside (0, 0, 0), 1},
    {colour_beside (1, 1, 1), 20}, {colour_beside (L, a, b), 20}, {0}
    };

    g_assert_cmphex (reduce (&plain, 100, counts, counts[0].colour, NULL), ==,
        counts[2].colour);
  }
  g_assert_cmpuint (reduce_grey (greys, 0x676767), ==, 0x67);
}

/* From 3 pixels on a colour attracts. D is most at 101, 3·20, but n is 0 there:
 * nobody goes there, and who is there goes to the first of two equal ones, even
 * though D is less. Rare ones with rare ones beside them stay, and have no colour. */
static void
test_rare (void)
{
  static const Count greys[] = {
    {0x646464, 10}, {0x656565, 2}, {0x666666, 10}, {0x909090, 2},
    {0x919191, 2}, {0}
  };
  static const guint32 becomes[] = {
    0x646464, 0x646464, 0x666666, 0x909090, 0x919191
  };
  ReferencePaletteSettings settings = grey_bin_per_code;
  ReferenceLiveStats stats;

  settings.min_frequency = 3;
  for (guint i = 0; i < 5; i++)
    g_assert_cmphex (reduce (&settings, 100, greys, greys[i].colour, &stats),
        ==, becomes[i]);
  g_assert_cmpuint (stats.n_bins, ==, 5);
  g_assert_cmpuint (stats.n_summits, ==, 4);
  g_assert_cmpuint (stats.n_output_colours, ==, 2);
}

/* --- 6: colour --- */

/* ⌊(2·S + n) / (2·n)⌋ of each component: 10.5 is 11, 10.25 is 10, 20.67 is 21. */
static void
test_mean (void)
{
  static const Count counts[] = { {0x0a1400, 2}, {0x0b1502, 1}, {0x0b1502, 1},
  {0}
  };
  const ReferencePaletteSettings settings = {.radius = 1};

  g_assert_cmpint (reference_bins_mean (21, 2), ==, 11);
  g_assert_cmpint (reference_bins_mean (41, 4), ==, 10);
  g_assert_cmpint (reference_bins_mean (62, 3), ==, 21);
  /* 10.5, 20.5 and 1 */
  g_assert_cmphex (reduce (&settings, 100, counts, 0x0a1400, NULL), ==,
      0x0b1501);
}

/* --- 7: pixels --- */

/* Those with alpha 0, of which there are most, are not counted, and keep their bytes;
 * others keep their alpha. Nothing at all is no bin, and radius 0 counts none. */
static void
test_alpha (void)
{
  static const guint8 input[] = {
    100, 100, 100, 9, 101, 101, 101, 0, 101, 101, 101, 0, 101, 101, 101, 0,
    100, 100, 100, 255, 101, 101, 101, 1
  };
  static const guint8 wanted[] = {
    100, 100, 100, 9, 101, 101, 101, 0, 101, 101, 101, 0, 101, 101, 101, 0,
    100, 100, 100, 255, 100, 100, 100, 1
  };
  static const ReferencePaletteSettings nothing = {.radius = 0};
  guint8 output[sizeof input];
  ReferenceLiveStats stats;

  reference_live (&grey_bin_per_code, input, 6, 1, output, &stats);
  g_assert_cmpmem (output, sizeof output, wanted, sizeof wanted);
  g_assert_cmpuint (stats.n_bins, ==, 2);
  reference_live (&grey_bin_per_code, input + 4, 3, 1, output, &stats);
  g_assert_cmpmem (output, 12, input + 4, 12);
  g_assert_cmpuint (stats.n_bins, ==, 0);
  reference_live (&nothing, input, 2, 3, output, &stats);
  g_assert_cmpmem (output, sizeof output, input, sizeof input);
  g_assert_cmpuint (stats.n_bins, ==, 0);
}

void
test_reference_add_live (void)
{
  g_test_add_func ("/live/pitch", test_pitch);
  g_test_add_func ("/live/place", test_place);
  g_test_add_func ("/live/order", test_order);
  g_test_add_func ("/live/capacity", test_capacity);
  g_test_add_func ("/live/weight", test_weight);
  g_test_add_func ("/live/density", test_density);
  g_test_add_func ("/live/plateau", test_plateau);
  g_test_add_func ("/live/chain", test_chain);
  g_test_add_func ("/live/first-of-equal", test_first_of_equal);
  g_test_add_func ("/live/rare", test_rare);
  g_test_add_func ("/live/mean", test_mean);
  g_test_add_func ("/live/alpha", test_alpha);
}
