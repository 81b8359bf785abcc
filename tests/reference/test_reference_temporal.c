/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Worked examples for the steps of docs/internals/temporal.md, the window of live.md, held
 * palettes and films at rest. */
#include "test_reference.h"
#include "generated.h"
#include "grey_film.h"
#include "reference_live.h"
#include "reference_steps.h"
#include "tests.h"

/* So small that modes go all of their way at once, and a film that stands still is settled
 * at once. */
#define HARDLY "stability=0.0000000001; "

/* What was 100 becomes 101, but for a pixel that keeps the home of its mode occupied, so that
 * the mode stays at home and moves. */
#define DARKER "100*700 120*300"
#define LIGHTER "100*1 101*699>100 120*300"
#define LIGHTER_MOVED "100*1>101 101*699 120*300"

/* --- modes --- */

static void
assert_place (ReferencePlace place, gint64 a, gint64 b, gint64 L)
{
  g_assert_cmpint (place.a, ==, a);
  g_assert_cmpint (place.b, ==, b);
  g_assert_cmpint (place.L, ==, L);
}

/* x + ⌊((y − x)·ρ + 2048) / 4096⌋: 256 · 2040 / 4096 = 127.5, up; 256 · 2039 /
 * 4096 = 127.4; −127.5, up. ρ is rounded down, 4096 · 1 / (1 + 2) = 1365.3. */
TEST_IN ("modes/", approach)
{
  g_assert_cmpint (reference_approach (10, 266, 2040), ==, 138);
  g_assert_cmpint (reference_approach (10, 266, 2039), ==, 137);
  g_assert_cmpint (reference_approach (0, -256, 2040), ==, -127);
  g_assert_cmpint (reference_approach (5, 77, 4096), ==, 77);
  g_assert_cmpint (reference_part (1, 2), ==, 1365);
}

/* Blue is at L, a, b of 29623, −2127, −20416 (Oklab's 0.452014, −0.032457,
 * −0.311528 times 65536), the pitch is 437. Home: ⌊(29623 + 218) / 437⌋ = 68,
 * ⌊−1909 / 437⌋ = −5, ⌊−20198 / 437⌋ = −47. Place: ⌊8 · 29623 / 437⌋ = 542,
 * ⌊−38.9⌋ = −39, ⌊−373.8⌋ = −374. The middle of a bin after l mergings is at 8·2^l·i +
 * 4·(2^l − 1). */
TEST_IN ("modes/", places)
{
  static const guint8 blue[] = { 0, 0, 255, 255 };
  static const ReferencePlace bin = { -1, 0, 3 };
  const ReferencePaletteSettings settings = {.radius = 0.02};
  ReferenceMode mode = {.colour = {127, 0, 255 * 256 - 128}};
  ReferenceBins bins;

  reference_bins_init (&bins, &settings, 10, blue, 1);
  reference_mode_show (&mode, &bins);
  g_assert_cmpmem (mode.shown, 3, blue, 3);
  assert_place (mode.home, -5, -47, 68);
  assert_place (mode.at, -39, -374, 542);
  assert_place (reference_bins_middle (&bins, bin), -8, 0, 24);
  bins.n_merges = 1;
  assert_place (reference_bins_middle (&bins, bin), -12, 4, 52);
  bins.n_merges = 2;
  assert_place (reference_bins_middle (&bins, bin), -20, 12, 108);
  reference_bins_clear (&bins);
}

/* Places 10, 20, 30 and 16: 15 is nearest to 16, as near to 10 and 20, and nearest
 * to 20 where 10 is gone. */
TEST_IN ("modes/", nearest)
{
  const ReferencePlace place = { 0, 0, 15 };
  ReferenceMode modes[4] = {
    {.exists = TRUE, .at = {0, 0, 10}}, {.exists = TRUE, .at = {0, 0, 20}},
    {.exists = TRUE, .at = {0, 0, 30}}, {.exists = TRUE, .at = {0, 0, 16}}
  };

  g_assert_cmpint (reference_modes_find_nearest (modes, 4, place), ==, 3);
  g_assert_cmpint (reference_modes_find_nearest (modes, 3, place), ==, 0);
  modes[0].exists = FALSE;
  g_assert_cmpint (reference_modes_find_nearest (modes, 3, place), ==, 1);
  g_assert_cmpint (reference_modes_find_nearest (modes, 1, place), ==,
      REFERENCE_NO_MODE);
}

static const GreyFilm of_modes[] = {
  /* Step 4. 6·10⁸·σ is 300 ms. ρ is ⌊4096 · 298 / 598⌋ = 2041 in 298 ms, and 256 · 2041 /
   * 4096 = 127.6 is half a code; in 297 ms it is 2037, and 127.3 is less. */
  {"/modes/glide", "100*700 150*300; ms=297; 101*699>100 100*1 150*300; new;"
        "100*700 150*300; ms=298; 101*699 100*1>101 150*300"},

  /* The mean around 100 is (32 · 99 + 32 · 100 + 576 · 101) / 640 = 100.85. With 97 it
   * would be 100.2. */
  {"/modes/mean-around",
      HARDLY "100*640 97*128; 99*32>101 100*32>101 101*576 97*128"},

  /* Step 5. Bins are merged twice: 101 and 103 are in 25, which no pixel is in, and stay apart.
   * 200 and 202 are in 50, which is occupied: the first slot stays. The others are 12
   * and 30. */
  {"/modes/meet", "10: 50*700 101*1 103*1 200*1 202*1 120*200; capacity=3;"
        "50*700 50*1>101 50*1>103 200*1 202*1>200 120*200; ? merges=2 held=5"},

  /* Where 100 and 102 meet slot 1 becomes free, but not for 200 in this frame. */
  {"/modes/slot-of-who-met", "slots=2; 100*300 102*300 200*300; capacity=2;"
        "100*300 102*300>100 200*300; ? strays=1;"
        "100*300 102*300>100 200*300; ? strays=0"},

  /* Step 6. The summit 101 is as near to 100 as to 102: it belongs to 100, the first in order,
   * though in the later slot. The last pixel, of which there was none, shows it. */
  {"/modes/first-of-near", "102*300 200*300; 102*300 200*300 100*300;"
        "102*1 101*299>102 200*300 100*1 101*299>100 101*1>100; ? held=3"},

  /* 100 and 101 are as dense as each other, two summits with a mode each. Each has the
   * nearest, that at home, though 100 comes first in order. */
  {"/modes/nearest-home",
      "101*300 100*300; 101*300 100*300 101*1 100*1"},

  /* The summit 151 is beside 150, where no pixel is any more: it becomes a mode, which
   * the last pixel shows. The others do not leave for a code of difference. */
  {"/modes/home-not-occupied",
      "10: 150*10 50*600; 151*10>150 50*600 151*1"},

  /* 102 gets slot 0, which 50 has left, not slot 3: it stays where it meets 100. */
  {"/modes/first-free-slot", "ms=100; 50*1 100*300 200*300; 100*301 200*300;"
        "102*1 100*300 200*300; capacity=2; 102*1 100*300>102 200*300"},

  /* There are two slots: 150 is left over, shows what it is in each frame, and a pixel
   * that comes to it holds nothing at once. When 50 is gone its slot is free in the
   * frame behind. */
  {"/modes/strays", "slots=2; 10: 100*300 100*1 150*300 50*300;"
        "? summits=3 held=2 strays=1; 100*300 151*1 151*300 50*300;"
        "100*300 151*301; ? held=1 strays=1; 100*300 151*301; ? held=2 strays=0"},

  /* The bin of 102 comes to 100, then to 103, and keeps the mode of 100, as the last pixel
   * shows, of which there was none: 16² is not more than 8² + 256. That of 103 goes to 104, as
   * 24² is more. */
  {"/modes/bin-keeps-its-mode",
      "10: 100*240 101*16>100 102*8>100 103*116;"
        "100*256 102*8>100 103*116 102*1>100; new;"
        "10: 100*240 101*16>100 102*8>100 103*4>100;"
        "100*256 102*8>100 103*4>100 104*112 103*1>104"},

  /* Step 8. There are two slots. In a young film the pixel of 150 leaves it at once: then it
   * is gone, and 180 finds its slot. */
  {"/modes/goes", "slots=2; 150*1 100*300; ? held=2; 100*1 100*300;"
        "100*1 100*300 180*1; ? strays=0"},

  /* 107 is not far enough from 100 for its pixels to leave, so that no pixel holds its
   * mode, but its summit belongs to it. Two go on to 108, and leave in the fifth frame for
   * that mode, which has come three tenths nearer at most. */
  {"/modes/stays-with-summit", "10: 100*600 100*3; 4: 100*600 107*3>100;"
        "? held=1; 100*600 108*2>107 107*1>100"},
};

/* --- 7: pixels --- */

/* A pixel of 100 becomes one of another code, and leaves in the frame @n. H is M = ⌊120·σ +
 * 1/2⌋: 60 is more than 56 and less than 64. 0.604 · 120 = 72.48 is 72, as far
 * as 109, and 0.596 · 120 = 71.52 is 72, too. w is to be more than ⌊300·σ⌋ = 150, and more than
 * 450 as far as H. It grows by a whole number of milliseconds, 1 at least and 65 535 at
 * most. */
TEST_IN ("pixel-modes/", leaves)
{
  static const struct
  {
    gdouble stability, ns;
    guint other, n;
  } cases[] = {
    {0.5, 0, 107, 14},          /* 429, 462 */
    {0.5, 75e6, 107, 7},        /* 450 is not more */
    {0.5, 76e6, 107, 6}, {0.5, 100e9, 107, 1},
    {0.5, 0, 108, 5},           /* 132, 165 */
    {0.604, 0, 109, 17}, {0.596, 0, 109, 17},   /* 543, 534: 528, 561 */
    {0.595, 0, 109, 6}, {0.604, 0, 110, 6},
    {0.5, 38e6 - 1, 120, 5},    /* 148, 185 */
    {0.5, 38e6, 120, 4},        /* 114, 152 */
    {0.5, 76e6 - 1, 120, 3},    /* 150 is not more */
    {0.5, 76e6, 120, 2}, {0.5, 1, 120, 151}, {0.5, 100e9, 120, 1},
    {0.505, 76e6, 120, 2},      /* 151.5 is 151 */
    {0.505, 76e6, 107, 6}       /* 456 is more than 3 · 151 */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = cases[i].other, n = cases[i].n;

    grey_film_run ("stability=%g; 11: 100*700 100*1 %u*300; ns=%.0f;"
        "%u: 100*700 %u*1>100 %u*300; 100*700 %u*1 %u*300",
        cases[i].stability, other, cases[i].ns, n - 1, other, other, other,
        other);
  }
}

/* All bins from 105 on come to 110. */
#define SLOPE "110*240 109*16>110 108*8>110 107*4>110 106*2>110"

#define AT_REST "3: 200*208 100*1 100*147 100*1 100*255 100*1 100*100 105*100;"

static const GreyFilm of_pixels[] = {
  /* At 108 it is 64 eighths from 100, which it holds: 64² = 4096 is more than 60² + 16²
   * = 3856, to 110, and less than 60² + 24² = 4176, to 111. */
  {"/pixel-modes/both-distances", "10: 100*700 100*1 110*240 109*16>110;"
        "4: 100*700 108*1>100 110*240 109*16>110;"
        "100*700 108*1>110 110*240 109*16>110; new;"
        "10: 100*700 100*1 111*240 110*16>111 109*4>111;"
        "6: 100*700 108*1>100 111*240 110*16>111 109*4>111"},

  /* The age is 33 · 9 = 297 in the tenth frame, and 300 in the eleventh. Under 300 a pixel does
   * not wait for 108, and for 107 until 99 is more than 75. */
  {"/pixel-modes/age",
      "9: 100*500 100*1 108*500; 100*500 108*1 108*500; new;"
        "10: 100*500 100*1 108*500; 100*500 108*1>100 108*500; new;"
        "1: 100*500 100*1 107*500; 2: 100*500 107*1>100 107*500;"
        "100*500 107*1 107*500; new;"
        "7: 100*500 100*1 107*500; 2: 100*500 107*1>100 107*500;"
        "100*500 107*1 107*500; new;"
        "8: 100*500 100*1 107*500; 3: 100*500 107*1>100 107*500"},

  /* 105 is as near to 100, which it holds, as to 110, which it is offered: it stays. 106 is
   * nearer, and leaves in the 14th frame. Six with a frame of 105 behind them are three: 198 − 99
   * = 99, and with ten more 429. */
  {"/pixel-modes/nearer-at-all", "10: 100*700 100*1 " SLOPE "; "
        "20: 100*700 105*1>100 " SLOPE "; 13: 100*700 106*1>100 " SLOPE "; "
        "100*700 106*1>110 " SLOPE "; new; 10: 100*700 100*1 " SLOPE "; "
        "6: 100*700 106*1>100 " SLOPE "; 100*700 105*1>100 " SLOPE "; "
        "10: 100*700 106*1>100 " SLOPE "; 100*700 106*1>110 " SLOPE},

  /* A pixel that is back for a frame waits for three frames less, but not for less than none:
   * with 165 − 99 it leaves in the third frame, with 132 − 99 − 99 in the fifth. What it waited
   * for what is not clearly nearer counts. */
  {"/pixel-modes/waits-less", "10: 100*500 100*1 120*200 107*200;"
        "5: 100*500 107*1>100 120*200 107*200; 100*500 100*1 120*200 107*200;"
        "2: 100*500 120*1>100 120*200 107*200; 100*500 120*1 120*200 107*200; new;"
        "10: 100*500 100*1 120*200 107*200;"
        "4: 100*500 120*1>100 120*200 107*200;"
        "2: 100*500 100*1 120*200 107*200;"
        "4: 100*500 120*1>100 120*200 107*200; 100*500 120*1 120*200 107*200; new;"
        "10: 100*500 100*1 120*200 107*200;"
        "4: 100*500 107*1>100 120*200 107*200;"
        "100*500 120*1 120*200 107*200"},

  /* In the first block 165 pixels are a code lighter, and one five codes: Y departs by
   * 170, e is 42, and H = ⌊60 · 86 / 128⌋ = 40, as far as 105. With 166 pixels e is 43, and
   * H 39. So it is in the second block, but not in the third. */
  {"/pixel-modes/unrest", AT_REST "201*165>200 200*43 105*1>100 100*147 "
        "105*1>100 100*255 105*1>100 100*100 105*100; new;"
        AT_REST "201*166>200 200*42 105*1 100*147 "
        "105*1 100*255 105*1>100 100*100 105*100"},

  /* 254 pixels of the first block become two codes lighter, and e is 128. H is ⌊60 · 32 /
   * 128⌋ = 15: another pixel stays where a code is between the modes, and leaves at once
   * where these are two, which are 16 eighths. */
  {"/pixel-modes/unrest-leaves-a-margin",
      "200*254 100*2 100*250 101*252; ms=200; =200*254 100*2 100*250 101*252;"
        "ms=50; 202*254 101*1>100 100*1 100*250 101*252; new;"
        "10: 200*254 100*2 100*250 102*252;"
        "202*254 102*1 100*1 100*250 102*252"},

  /* 253 pixels of the first block become two codes lighter, and e is 128: of two others
   * that have been waiting for a frame the one that changes, to 121, leaves at once. The
   * other, whose alpha alone changes, waits for the fifth frame. */
  {"/pixel-modes/unrest-is-of-change", "10: 100*2 100*253 100*245 120*300;"
        "120*2>100 100*253 100*245 120*300;"
        "=121*1>120 120*1@9>100 102*253 100*245 120*300;"
        "2: 121*1>120 120*1>100 102*253 100*245 120*300;"
        "121*1>120 120*1 102*253 100*245 120*300"},

  /* Bins are merged to four, 50, 54, 100 and 110. Distances are as before: 56 eighths of a
   * bin from 101 to 108, and 64 to 109. */
  {"/pixel-modes/merged",
      "capacity=4; 10: 101*300 101*1 108*300 200*9 201*8>200 220*9;"
        "? merges=1; 5: 101*300 108*1>101 108*300 200*9 201*8>200 220*9; new;"
        "capacity=4; 10: 101*300 101*1 109*300 200*9 201*8>200 220*9;"
        "? merges=1; 4: 101*300 109*1>101 109*300 200*9 201*8>200 220*9;"
        "101*300 109*1 109*300 200*9 201*8>200 220*9"},

  /* A pixel that was not counted for a frame keeps its bytes, and has forgotten its
   * mode. */
  {"/pixel-modes/alpha", "10: 100*700 120*300;"
        "=#212223*1@0 100*699 120*300; ? bins=2; 120*1 100*699 120*300"},
};

/* --- which pixels moved --- */

/* A grey that changes by a code changes by 3 in sum. Blocks that flicker are as light as before,
 * where every pixel changes by 12. */
#define NOISY(first, second) "noisy=0; 10: " first "; " second "; new;"
#define FLICKER "200*128 204*128 "
#define FLICKERED "204*128>200 200*128>204 "
#define REST "200*256 "
#define ALL(block) block block block

static const GreyFilm of_noise[] = {
  /* Without noise, it takes more than 16: 18 is six codes, for which no pixel would leave
   * that did not move. */
  {"/noise/rest",
        NOISY ("100*200 100*1 105*55 " ALL (REST),
            "100*200 105*1>100 105*55 " ALL (REST))
        NOISY ("100*200 100*1 106*55 " ALL (REST),
          "100*200 106*1 106*55 " ALL (REST))},

  /* The mean change is 12, 96 eighths: 24 576 / 512 + 16 = 64, and 63 and 66 are 21 and 22
   * codes. In the frame with the flicker it is 16 still. */
  {"/noise/noise",
        NOISY ("100*200 100*1 121*55 " ALL (FLICKER),
            "100*200 100*1 121*55 " ALL (FLICKERED)
            "; 100*200 121*1>100 121*55 " ALL (FLICKER))
        NOISY ("100*200 100*1 122*55 " ALL (FLICKER),
            "100*200 100*1 122*55 " ALL (FLICKERED)
          "; 100*200 122*1 122*55 " ALL (FLICKER))},

  /* Of changes 0, 0, 96, 96 the third is the median; of 0, 0, 0, 96 it is 0. */
  {"/noise/median",
        NOISY ("100*200 100*1 121*55 " REST FLICKER FLICKER,
            "100*200 100*1 121*55 " REST FLICKERED FLICKERED
            "; 100*200 121*1>100 121*55 " REST FLICKER FLICKER)
        NOISY ("100*200 100*1 121*55 " REST REST FLICKER,
          "100*200 100*1 121*55 " REST REST FLICKERED
            "; 100*200 121*1 121*55 " REST REST FLICKER)},

  /* In a frame at rest it goes a part of the way to 0, by ρ(10⁹) = 132: 24 576 - 792 is
   * 23 784, and 46 + 16 = 62. In a frame with more noise it is that. */
  {"/noise/decay",
        NOISY ("100*200 100*1 121*55 " ALL (FLICKER),
            "2: 100*200 100*1 121*55 " ALL (FLICKERED)
          "; 100*200 121*1 121*55 " ALL (FLICKERED))},

  /* Every pixel changes by 120, and moves. The mean counts as 255 eighths: 127 + 16 = 143,
   * and 141 and 144 are 47 and 48 codes. */
  {"/noise/most",
        NOISY ("100*200 100*1 147*55 " ALL ("200*128 240*128 "),
            "100*200 100*1 147*55 " ALL ("240*128 200*128 ")
            "; 100*200 147*1>100 147*55 " ALL ("200*128>240 240*128>200 "))
        NOISY ("100*200 100*1 148*55 " ALL ("200*128 240*128 "),
            "100*200 100*1 148*55 " ALL ("240*128 200*128 ")
          "; 100*200 148*1 148*55 " ALL ("200*128>240 240*128>200 "))},
};

/* --- frames at rest, and first ones --- */

TEST_IN ("temporal/", first_frame_is_live)
{
  const ReferenceTemporalSettings settings = {.palette.radius = 0.02,
    .bin_capacity = 600, .stability = 0.5};
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  g_autofree guint8 *picture = generated_picture_new ("blobs", 41, 35, 1);
  g_autofree guint8 *wanted = g_malloc (4 * 41 * 35);
  const ReferencePixels pixels = { picture, 41 * 35 };
  const ReferencePicture frame = { picture, 41, 35 };
  ReferenceTemporalStats stats;
  ReferenceLiveStats live;

  reference_live_with_capacity (&settings.palette, 600, &pixels, wanted, &live);
  reference_temporal_frame (temporal, &settings, 0, &frame, picture, &stats);
  g_assert_cmpmem (picture, 4 * 41 * 35, wanted, 4 * 41 * 35);
  g_assert_cmpuint (stats.n_bins, ==, live.n_bins);
  g_assert_cmpuint (stats.n_merges, ==, live.n_merges);
  g_assert_cmpuint (stats.n_summits, ==, live.n_summits);
  g_assert_cmpuint (stats.n_held, ==, live.n_summits);
}

/* In 200 ms a mode takes ⌊4096 · 200 / 500⌋ = 1638 parts of the way to 101: 256 · 1638 /
 * 4096 = 102 is less than a half, and with 154 · 1638 / 4096 = 62 the second step is more. So
 * it moves on, but not in a settled film, in which only alphas above 0 change. A setting that
 * changes ends the rest. */
TEST_IN ("temporal/", at_rest)
{
  static const gchar *const changes[] = {
    "stability-=0.01", "threshold+=0.5", "capacity-=1", "radius+=0.000001",
    "weighting+=1", "min-frequency=2",
    /* 0 is as 1 */
    "", "min-frequency=1; history=1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    grey_film_run ("10: " DARKER "; ms=200; " LIGHTER "; =" LIGHTER_MOVED
        "; rest=62; ms=201; =100*1>101 101*4 101*1@9 101*694 120*300;"
        "? settled=1; ms=200; %s; =" LIGHTER_MOVED "; ? settled=%u",
        changes[i], i >= 6);
}

/* 65536 · 10 / (6 · 300) = 364, 180 of which are less than 65536; with a number of colours,
 * 65536 · 10 / (6 · 1000) = 109, and 601. In 200 ms this is more than a part for each of 64
 * frames, or of as many as there are colours, and for each that a palette is for. */
TEST_IN ("temporal/", length_of_rest)
{
  static const struct
  {
    gdouble stability;
    guint ms, colors, update_interval, n;
  } films[] = {
    {0.5, 10, 0, 0, 180}, {0.5, 10, 4, 0, 601}, {0.5, 200, 4, 1, 63},
    {0.5, 200, 256, 1, 255}, {0.5, 10, 0, 2, 180}, {0.5, 200, 0, 3, 192},
    {0, 200, 4, 1, 0}, {0, 200, 0, 3, 3}
  };

  for (guint i = 0; i < G_N_ELEMENTS (films); i++)
    grey_film_run ("stability=%g; ms=%u; colors=%u; update-interval=%u; ~"
        DARKER "; rest=%u", films[i].stability, films[i].ms, films[i].colors,
        films[i].update_interval, films[i].n);
}

/* A frame that nothing is kept of, one with another transfer function, or a reset:
 * the next one is a first one, whose modes are where colours are. So is a frame that
 * is shown again after a reset. */
TEST_IN ("temporal/", first_frames)
{
  static const gchar *const ways[][3] = {
    {"", "", LIGHTER}, {"stability=0", "", LIGHTER_MOVED},
    {"radius=0", "", LIGHTER_MOVED}, {"transfer=1", "", LIGHTER_MOVED},
    {"", "reset", LIGHTER_MOVED}, {"", LIGHTER "; reset", LIGHTER_MOVED}
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    grey_film_run ("10: " DARKER "; %s; ~" DARKER "; stability=0.5;"
        "radius=0.01176; transfer=2; %s; =%s", ways[i][0], ways[i][1],
        ways[i][2]);
}

/* With another size, format, radius or weighting modes stay, but no pixel holds one:
 * all that come to 101 have 100, the first in order, also those that had 102. There
 * is no cut, though most become much lighter. */
TEST_IN ("temporal/", other_kinds)
{
  static const gchar *const changes[] = {
    "height-=1", "format+=1", "radius+=0.000001", "weighting+=1"
  };

  for (guint i = 0; i < G_N_ELEMENTS (changes); i++)
    grey_film_run ("threshold=0.1; 10: 100*700 102*300; %s;"
        "240*700 100*1 102*1>100 101*298>100; ? cut=0 held=2", changes[i]);
}

static const GreyFilm of_frames[] = {
  /* The second frame is as the first, but 300 ms older: in the third a pixel hesitates. */
  {"/temporal/older-at-rest", "100*500 100*1 120*500; ms=300;"
        "=100*500 100*1 120*500; ms=0; 100*500 120*1>100 120*500"},

  /* With a cut no mode is left, both slots are free, and in the next frame who held a
   * mode does not wait. */
  {"/temporal/cut", "slots=2; threshold=0.1; 10: 100*500 102*500; ? cut=0;"
        "101*500 240*500; ? cut=1 held=2; =101*500 240*500; ? cut=0;"
        "101*499 240*1 240*500"},
};

/* --- the window --- */

#define CHANGED "=100*500 120*1 120*500; "

static const GreyFilm of_windows[] = {
  /* A grey beside another goes to that which more of the last frames have: the
   * densities of 2 frames of 100 and one of 101 are 4·2 + 3 = 11 and 4 + 3·2 = 10. A
   * lower history drops the oldest at once, 0 is as 1. */
  {"/window/window", "stability=0; history=3; 2: 100*256; 101*256>100;"
        "101*256; 100*256>101; 100*256; history=1; 101*256; history=3;"
        "2: 100*256; 101*256>100; history=2; 101*256; history=0; 100*256"},

  /* As many pixels in rows of another length are another size. */
  {"/window/other-width", "stability=0; history=3; 2: 100*256;"
        "width=32; height=32; =101*256"},

  /* With another weighting it goes on: 3 frames of 100 and 2 of 101 are 4·3 + 3·2 = 18 and
   * 17. */
  {"/window/other-weighting", "stability=0; history=5; 3: 100*256;"
        "weighting=1; 101*256; weighting=0; 101*256>100"},

  /* Two of four blocks become 40 codes lighter, 20 on average: more than 0.05 · 255 =
   * 12.75. With 10 codes, 5 on average, the window goes on, and 101 goes to the 100 of
   * two frames. Only where modes are kept a cut is told. */
  {"/window/cut",
      "history=3; threshold=0.05; 2: 100*512 10*512; 101*512 50*512; ? cut=1;"
        "new; history=3; threshold=0.05; 2: 100*512 10*512;"
        "101*512>100 20*512; ? cut=0; new; stability=0;"
        "history=3; threshold=0.05; 2: 100*512 10*512; 101*512 50*512; ? cut=0;"
        "new; stability=0; history=3; threshold=0.05; 2: 100*512 10*512;"
        "101*512>100 20*512; ? cut=0"},

  /* A summit that nothing weighs at has no mode, though one has its home beside it, but
   * in a held frame: there 104 has the nearest, 103. */
  {"/window/rare-summits", "history=1; 103*20 200*200; min-frequency=3;"
        "103*1 104*1 200*200; ? held=1 strays=0; new; history=1;"
        "103*20 200*200; hold=1; min-frequency=3; 103*1 104*1>103 200*200;"
        "? held=2 strays=0"},

  /* Nor does one become a mode where there is none to hold. */
  {"/window/nothing-to-hold", "history=1; hold=1; min-frequency=257; 100*256;"
        "? held=0; min-frequency=1; 120*256; ? held=1"},

  /* A film stands still once the window is full and a frame leaves it that is as the one
   * before. With so little stability it is settled then. */
  {"/window/unchanged", HARDLY "history=2; 10: 100*500 100*1 120*500; "
        CHANGED "? settled=0; " CHANGED "? settled=0; " CHANGED "? settled=1;"
        "new; " HARDLY "history=3; 10: 100*500 100*1 120*500; "
        CHANGED "? settled=0; " CHANGED CHANGED "? settled=0; "
        CHANGED "? settled=1; " CHANGED "? settled=1"},

  /* While a window fills, equal frames change what is counted, and grow old: after ten
   * the pixel does not leave at once. */
  {"/window/filling", "history=10; 10= 100*500 100*1 120*500;"
        "=100*500 120*1>100 120*500"},
};

/* A reset, another format, transfer function or size end a window; without modes it goes
 * on. */
TEST_IN ("window/", emptied)
{
  static const gchar *const ways[] = {
    "reset", "format=7", "transfer=0", "height=63", "", "forget"
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    grey_film_run ("stability=0; history=3; 2: 100*256; %s; 101*256>%u",
        ways[i], i < 4 ? 101 : 100);
}

/* --- held palettes --- */

/* Steps 4 and 8 are left out: modes do not move, nor go when no pixel holds them any
 * more. 118 is nearer to 120, and finds it. With the first frame that is not held
 * modes move, even with the very picture. */
TEST_IN ("held/", stay)
{
  static const gchar *const ways[][3] = {
    {"", "hold=1", LIGHTER_MOVED}, {"update-interval=1000", "", LIGHTER_MOVED},
    {"palette=100,120", "", LIGHTER}
  };

  for (guint i = 0; i < G_N_ELEMENTS (ways); i++)
    grey_film_run (HARDLY "update-interval=1; %s; " DARKER "; %s;"
        "3: 100*1 101*700>100 100*300; ? held=1;"
        "100*1 101*700>100 118*1>120 100*299; " LIGHTER
        "; hold=0; update-interval=1; =%s", ways[i][0], ways[i][1], ways[i][2]);
}

static const GreyFilm of_held[] = {
  /* Step 5 is left out: 100 and 102, both in bin 25 when bins were merged twice, do
   * not meet. The summit belongs to the first slot, which is that of 100. */
  {"/held/do-not-meet", "10: 100*300 102*300 200*300; hold=1; capacity=2;"
        "100*300 102*300 200*300 102*1>100; ? merges=2 held=3"},

  /* With a palette any summit has the nearest mode, in the first slot of several: 105 is as
   * near to 100 as to 110, 104 is nearer to 100. */
  {"/held/nearest", "stability=0; palette=110,100; 104*500>100; ? held=1; new;"
        "palette=110,100; 105*500>110; ? held=1; new;"
        "stability=0; palette=100,110; 105*500>100; ? held=1; new;"
        "palette=255,200; 0*500>200; ? held=1"},

  /* Modes outlive a scene cut, but not one within an update interval alone. Pixels
   * hold nothing: who held 100 has 102 at once. */
  {"/held/cut", "threshold=0.1; hold=1; update-interval=1000;"
        "10: 100*700 102*300; 200*1000>102; ? cut=1; new;"
        "threshold=0.1; palette=100,102; update-interval=1000;"
        "10: 100*700 102*300; 200*1000>102; ? cut=1; new;"
        "threshold=0.1; update-interval=1000;"
        "10: 100*700 102*300; 200*1000; ? cut=1"},

  /* Every fourth frame is not held, the first one and unchanged ones count, and
   * whatever the interval was: those that are not have the numbers 4, 8 and 12. */
  {"/held/update-interval", "stability=0; update-interval=3; " DARKER "; ="
        DARKER "; update-interval=4; 2: " LIGHTER "; " LIGHTER_MOVED "; new;"
        HARDLY "update-interval=3; " DARKER "; =" DARKER
        "; update-interval=4; 2: " LIGHTER "; " LIGHTER_MOVED},

  /* In 298 ms, of which 200 are those of a held frame, a mode moves by half of the way,
   * and in 297 by less (see /modes/glide). */
  {"/held/time", "10: " DARKER "; hold=1; ms=200; " LIGHTER "; hold=0; ms=97; "
        LIGHTER "; new; 10: " DARKER "; hold=1; ms=200; " LIGHTER
        "; hold=0; ms=98; " LIGHTER_MOVED},

  /* A cut within an interval brings other modes, but begins no other count: number 4 is
   * not held. */
  {"/held/cut-in-interval", HARDLY "update-interval=4; threshold=0.1;"
        "2: 200*700 240*300; " DARKER "; ? cut=1; " LIGHTER "; " LIGHTER_MOVED},

  /* With another palette, or none any more, a frame is a first one, with the very
   * picture, too, and for the count. 100 is as near to 60 as to the 140 before. */
  {"/held/other-palettes", HARDLY "update-interval=3;"
        "palette=50,150; =100*700>50 120*300>150;"
        "palette=50,140; =100*700>140 120*300>140;"
        "palette=60,140; =100*700>60 120*300>140;"
        "palette=; =" DARKER "; 2: " LIGHTER "; " LIGHTER_MOVED},

  /* Red 1, green 2 and blue 3. */
  {"/held/colours", "palette=#010203; =100*700>#010203"},

  /* Where σ is 0 a bin keeps no mode: that of 102 has that of its summit, 103, in the frame in
   * which this is denser than 101. */
  {"/held/bins-without-stability", "stability=0; hold=1;"
        "100*240 101*16>100 102*8>100 103*116;"
        "100*256 102*8>103 103*116 102*1>103"},

  /* Where σ is 0 a pixel leaves at once for what is nearer, 111, and stays where it is as
   * near, 110. The frame that is not held any more comes out as in live. */
  {"/held/without-stability", "stability=0; hold=1;"
        "10: 100*698 100*1 100*1 120*300; ? held=2;"
        "100*698 110*1>100 111*1>120 120*300; hold=0;"
        "100*698 110*1 115*1 120*300; ? bins=0"},

  /* Every third frame knows no modes: the summit is 101, by D = 4·200 + 3·250 + 3·190. A mode
   * kept at 100 would stay there, for the mean around it, (250 · 100 + 200 · 101) / 450 =
   * 100.4, and have the summit. */
  {"/held/begins-anew", "stability=0; update-interval=3; 3: " DARKER
        "; 100*250>101 101*200 102*190>101 120*300"},
};

void
test_reference_add_temporal (void)
{
  grey_film_add (of_modes, G_N_ELEMENTS (of_modes));
  grey_film_add (of_pixels, G_N_ELEMENTS (of_pixels));
  grey_film_add (of_noise, G_N_ELEMENTS (of_noise));
  grey_film_add (of_frames, G_N_ELEMENTS (of_frames));
  grey_film_add (of_windows, G_N_ELEMENTS (of_windows));
  grey_film_add (of_held, G_N_ELEMENTS (of_held));
}
