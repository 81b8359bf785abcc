/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bins, their density, and what becomes of pixels: docs/internals/live.md. Lists of modes, and
 * generated pictures. */
#include "test_reference.h"
#include "generated.h"
#include "grey_film.h"
#include "reference_count.h"
#include "reference_list.h"
#include "reference_live.h"
#include "tests.h"

#include <string.h>

static const ReferencePaletteSettings plain = {.radius = 0.02};

/* --- bins --- */

/* ⌊radius·2^s / 3 + 1/2⌋, 109 at least: 0.0005 · 65536 / 3 = 10.9, 0.00504 · 65536 /
 * 3 = 110.1, 218.45, 218.67; from 0.03125 on 2^s is 32768: 341.3 */
TEST_IN ("live/", pitch)
{
  static const guint8 pixel[4] = { 1, 2, 3, 255 };
  static const gdouble radii[] = { 0.0005, 0.00504, 0.01, 0.01001, 0.03125 };
  static const gint64 pitches[] = { 109, 110, 218, 219, 341 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    const ReferencePaletteSettings settings = {.radius = radii[i]};
    ReferenceBins bins;

    reference_bins_init (&bins, &settings, 10, pixel, 1);
    g_assert_cmpint (bins.pitch, ==, pitches[i]);
    reference_bins_clear (&bins);
  }
}

/* ⌊(x + ⌊P/2⌋) / P⌋ of L, a and b. Blue is at 29623, −2127, −20416, P is 437:
 * 29841 / 437 = 68.3, −1909 / 437 = −4.4, −20198 / 437 = −46.2. Merged once these are
 * halves, down: 34, −3 and −24. Places are in order of a, then b, then L. */
TEST_IN ("live/", place)
{
  static const guint8 blue[] = { 0, 0, 255, 255 };
  static const ReferencePlace once = { -5, -47, 68 }, twice = { -3, -24, 34 };
  static const ReferencePlace places[] = {
    {-1, 5, 5}, {0, -1, 9}, {0, 0, 7}, {0, 0, 8}, {0, 1, 0}, {1, 0, 0}
  };
  const ReferencePlace p = { 1, 2, 3 }, q = { 3, 5, -3 };
  ReferenceBins bins;

  reference_bins_init (&bins, &plain, 10, blue, 1);
  bins.n_merges = 1;
  g_assert_cmpint (reference_places_compare (reference_bins_place_unmerged
          (&bins, blue), once), ==, 0);
  g_assert_cmpint (reference_places_compare (reference_bins_place (&bins,
              blue), twice), ==, 0);
  reference_bins_clear (&bins);
  for (gint i = 0; i < 6; i++)
    for (gint k = 0; k < 6; k++)
      g_assert_cmpint (reference_places_compare (places[i], places[k]), ==,
          (i > k) - (i < k));
  /* 2² + 3² + 6² */
  g_assert_cmpint (reference_places_distance_squared (p, q), ==, 49);
}

/* Puts so many pixels of a colour behind @n others. */
static gsize
add_pixels (guint8 * pixels, gsize n, guint32 colour, guint count)
{
  for (const gsize end = n + count; n < end; n++) {
    reference_unpack_rgb (colour, pixels + 4 * n);
    pixels[4 * n + 3] = 255;
  }
  return n;
}

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
TEST_IN ("live/", density)
{
  for (gint i = 0; i < 27; i++) {
    const gint L = i / 9 - 1, a = i / 3 % 3 - 1, b = i % 3 - 1;
    guint8 pixels[4 * 13];
    ReferenceBins bins;

    add_pixels (pixels, add_pixels (pixels, 0, colour_beside (0, 0, 0), 10),
        colour_beside (L, a, b), 3);
    reference_bins_init (&bins, &plain, 100, pixels, 13);
    g_assert_cmpint (reference_bins_find (&bins, reference_bins_place (&bins,
                pixels))->density, ==, 40 + 3 * (4 - (L * L + a * a + b * b)));
    reference_bins_clear (&bins);
  }
}

/* Beside a pixel in the middle there are 20 in each of two corners, which differ in a, in
 * b or in L: their D is 4·20 + 1. It goes to the first in order. */
TEST_IN ("live/", first_of_equal)
{
  for (guint i = 0; i < 3; i++) {
    const guint32 first = colour_beside (i == 2 ? -1 : 1, i == 0 ? -1 : 1,
        i == 1 ? -1 : 1);
    guint8 pixels[4 * 41];
    gsize n = add_pixels (pixels, 0, colour_beside (0, 0, 0), 1);

    n = add_pixels (pixels, n, colour_beside (1, 1, 1), 20);
    n = add_pixels (pixels, n, first, 20);
    reference_live (&plain, pixels, n, 1, pixels, NULL);
    g_assert_cmphex (reference_pack_rgb (pixels), ==, first);
  }
}

/* --- pictures --- */

/* ⌊(2·S + n) / (2·n)⌋ of each component: 10.5 is 11, 10.25 is 10, 20.67 is 21. */
TEST_IN ("live/", mean)
{
  const ReferencePaletteSettings settings = {.radius = 1};
  guint8 pixels[4 * 4];

  g_assert_cmpint (reference_bins_mean (21, 2), ==, 11);
  g_assert_cmpint (reference_bins_mean (41, 4), ==, 10);
  g_assert_cmpint (reference_bins_mean (62, 3), ==, 21);
  /* 10.5, 20.5 and 1 */
  add_pixels (pixels, add_pixels (pixels, 0, 0x0a1400, 2), 0x0b1502, 2);
  reference_live (&settings, pixels, 4, 1, pixels, NULL);
  g_assert_cmphex (reference_pack_rgb (pixels), ==, 0x0b1501);
}

/* Those with alpha 0, of which there are most, are not counted, and keep their bytes;
 * others keep their alpha. Nothing at all is no bin, and radius 0 counts none. */
TEST_IN ("live/", alpha)
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
  g_assert_cmpuint (stats.n_summits, ==, 1);
  g_assert_cmpuint (stats.n_output_colours, ==, 1);
  reference_live (&grey_bin_per_code, input + 4, 3, 1, output, &stats);
  g_assert_cmpmem (output, 12, input + 4, 12);
  g_assert_cmpuint (stats.n_bins, ==, 0);
  reference_live (&nothing, input, 2, 3, output, &stats);
  g_assert_cmpmem (output, sizeof output, input, sizeof input);
  g_assert_cmpuint (stats.n_bins, ==, 0);
}

/* Frames of which nothing is kept, or first ones, are those of live.md. */
static const GreyFilm films[] = {
  /* Greys in bins 100, 102, 200 and 206. Merged once, 50, 51, 100, 103, they are still
   * four; twice, 25, 25, 50, 51, three; three times, 12, 12, 25, 25, two. Means are
   * (5 · 100 + 3 · 102) / 8 = 100.75 and (4 · 200 + 2 · 206) / 6 = 202. Of 50 and 51 the
   * densities are 4·4 + 3·2 = 22 and 4·2 + 3·4 = 20. */
  {"/live/capacity",
      "capacity=4; 100*5 102*3 200*4 206*2; ? bins=4 merges=0; new;"
        "capacity=3; 100*5>101 102*3>101 200*4 206*2>200; ? bins=3 merges=2;"
        "new; capacity=2; 100*5>101 102*3>101 200*4>202 206*2>202;"
        "? bins=2 merges=3"},

  /* All greys are one bin: 3 · 20, 30 and 41 are (60 + 30 + 41) / 5 = 26.2 by pixels and
   * 91 / 3 = 30.3 by colours. Of those with 3 pixels at least there is one, with 4
   * none. */
  {"/live/weight",
      "stability=0; radius=1; 20*3>26 30*1>26 41*1>26; weighting=1;"
        "20*3>30 30*1 41*1>30; min-frequency=3; 20*3 30*1>20 41*1>20;"
        "min-frequency=4; 20*3 30*1 41*1"},

  /* Of 20 beside 22 D is 4·20 + 3·22 = 146, beside 23 it is 149; a 64th is 2, which
   * is how much denser the neighbour is, or one less. Of 1000 beside 1008 a 64th is
   * 109, but 8 is enough. */
  {"/live/plateau", "stability=0; height=256; 100*20 101*20; 100*20 101*22;"
        "100*20>101 101*23; 100*1000 101*1008; 100*1000>101 101*1009"},

  /* 1, 2, … 5 pixels: D is 4 + 6 = 10, 8 + 12, 12 + 18, 16 + 24 = 40 and 20 + 12 =
   * 32. All go on to the last but one. A bin beyond its neighbours is none: 103 stays. */
  {"/live/chain", "stability=0; 90*1>93 91*2>93 92*3>93 93*4 94*5>93;"
        "100*9 101*9 103*1"},

  /* From 3 pixels on a colour attracts. D is most at 101, 3·20, but n is 0 there:
   * nobody goes there, and who is there goes to the first of two equal ones, even
   * though D is less. Rare ones with rare ones beside them stay, and have no colour. */
  {"/live/rare", "min-frequency=3; 100*10 101*2>100 102*10 144*2 145*2;"
        "? bins=5 summits=4 held=2"},
};

/* --- lists of modes --- */

#define GREY 0x808080
#define GREYER 0x818181
#define RED 0xc02020

/* Of a picture of six pixels of grey, three of it a little lighter, one red, and one that does
 * not count. With a radius of 0.05 both greys are near each other. */
TEST_IN ("list/", faults)
{
  static const struct
  {
    gdouble radius;
    ReferenceListed modes[3];
    guint n;
    const gchar *fault;         /* some words of it; NULL: there is none */
  } cases[] = {
    {0.05, {{GREY, 0.9}, {RED, 0.1}}, 2, NULL},
    {0.001, {{GREY, 0.6}, {GREYER, 0.3}, {RED, 0.1}}, 3, NULL},
    {0.05, {{RED, 0.1}, {GREY, 0.9}}, 2, "sorted"},
    {0.05, {{GREY, 0.6}, {GREYER, 0.3}, {RED, 0.1}}, 3, "is near"},
    {0.05, {{GREYER, 0.9}, {RED, 0.1}}, 2, "is missing"},
    {0.05, {{GREY, 0.9}, {GREY, 0.1}}, 2, "twice"},
    {0.05, {{GREY, 0.9}, {0xc02021, 0.1}}, 2, "no pixel"},
    {0.05, {{GREY, 0.8}, {RED, 0.2}}, 2, "not 9 to 9"},
    {0.05, {{GREY, 0.9}}, 1, "is missing"}
  };
  guint8 picture[4 * 11];
  gsize n = add_pixels (picture, 0, GREY, 6);

  n = add_pixels (picture, n, GREYER, 3);
  n = add_pixels (picture, n, RED, 2);
  picture[4 * 4 + 3] = 1;
  picture[4 * 10 + 3] = 0;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePaletteSettings settings = {.radius = cases[i].radius};
    guint n_merged;
    g_autofree gchar *fault = reference_list_find_fault (&settings, picture, n,
        cases[i].modes, cases[i].n, &n_merged);

    if (cases[i].fault) {
      g_assert_nonnull (fault);
      g_assert_nonnull (strstr (fault, cases[i].fault));
    } else {
      g_assert_null (fault);
      g_assert_cmpuint (n_merged, ==, 3 - cases[i].n);
    }
  }
}

/* --- generated pictures --- */

/* SHA-1 of each picture, 33 · 17 pixels, seed 5: wherever this runs, tests see
 * the same bytes. */
TEST_IN ("generated/", same_everywhere)
{
  static const gchar *const checksums[] = {
    "b4a8a8a19ccebade41d69d19e4bbeacf148ee137",
    "3a70f2d4cec4baca6d9f49cff3445be8d47e67ec",
    "38ce7e57ceee563fd093f621e2f9af91b1222f66",
    "a224f1178da787e0bfced53fbeef2f45b85a1b6b",
    "92fa87c43bdd0194ca76e1093e961d09d4cdbe5b",
    "8df44355e2abf2ca596b2fa73fc37487fb6e3e8f",
    "da5f0c1ddf0da965b2fc5eb3aaa6112218a235c4",
    "346aa3f6463f96981a57e581afe667c72dfda260",
    "3713853ce787085dd074a6543c45ed7610f72546",
  };

  for (guint i = 0; generated_names[i] != NULL; i++) {
    g_autofree guint8 *picture =
        generated_picture_new (generated_names[i], 33, 17, 5);
    g_autofree gchar *checksum =
        g_compute_checksum_for_data (G_CHECKSUM_SHA1, picture, 4 * 33 * 17);

    g_assert_cmpstr (checksum, ==, checksums[i]);
  }
}

void
test_reference_add_live (void)
{
  grey_film_add (films, G_N_ELEMENTS (films));
}
