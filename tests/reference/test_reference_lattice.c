/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rounding, colours as points of the lattice and back, and mean shift, step by step and over
 * pictures: "Colour to lattice", "Mean shift" and "Lattice to colour" of the numerics. */
#include "generated.h"
#include "reference_integer.h"
#include "reference_palette.h"
#include "tests.h"

#define assert_point(point, wanted_L, wanted_a, wanted_b) \
  G_STMT_START { \
    const ReferencePoint found = (point); \
    \
    g_assert_cmpint (found.L, ==, wanted_L); \
    g_assert_cmpint (found.a, ==, wanted_a); \
    g_assert_cmpint (found.b, ==, wanted_b); \
  } G_STMT_END

/* --- lattice --- */

/* Floors towards minus infinity, halves up, on both sides of zero. */
TEST_IN ("lattice/", rounding)
{
  g_assert_cmpint (reference_shift (7, 2), ==, 1);
  g_assert_cmpint (reference_shift (-1, 2), ==, -1);
  g_assert_cmpint (reference_shift (-8, 2), ==, -2);
  g_assert_cmpint (reference_shift (-9, 2), ==, -3);
  g_assert_cmpint (reference_shift_rounded (6, 2), ==, 2);
  g_assert_cmpint (reference_shift_rounded (-6, 2), ==, -1);
  g_assert_cmpint (reference_shift_rounded (-7, 2), ==, -2);
  g_assert_cmpint (reference_floor_divide (7, 3), ==, 2);
  g_assert_cmpint (reference_floor_divide (-6, 3), ==, -2);
  g_assert_cmpint (reference_floor_divide (-7, 3), ==, -3);
  g_assert_cmpint (reference_fixed (0.625, 2), ==, 3);
  g_assert_cmpint (reference_fixed (-0.625, 2), ==, -2);
}

/* 2048 / 2^16 = 0.03125 is the first radius that needs a coarser lattice; sqrt (3) · 2^10 is
 * 1773.6. Squares are (0.02 · 65536)² = 1310.72² = 1717986.9; 0.5² · 4^12; and 3 · 4^10, but
 * sqrt (3) as a double is a little less. */
TEST_IN ("lattice/", radius)
{
  static const struct
  {
    gdouble radius;
    guint shift;
    gint64 squared;             /* -1: whatever it is */
  } cases[] = {
    {0, 16, 0}, {0.02, 16, 1717986}, {0.03, 16, -1}, {0.03124999, 16, -1},
    {0.03125, 15, -1}, {0.0624, 15, -1}, {0.0625, 14, -1}, {0.3, 12, -1},
    {0.5, 11, 1048576}, {1.7320508075688772, 10, 3145727}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint shift = reference_lattice_shift (cases[i].radius);

    g_assert_cmpuint (shift, ==, cases[i].shift);
    if (cases[i].squared >= 0)
      g_assert_cmpint (reference_radius_squared (cases[i].radius, shift), ==,
          cases[i].squared);
  }
}

/* The largest x with x³ ≤ cube: 99³ = 970299. Estimates in doubles may be too low for 15,
 * and too high for 95313. */
TEST_IN ("lattice/", cube_root)
{
  static const gint64 roots[] = { 1, 15, 27, 95313, 95950, (1 << 20) + 1 };

  g_assert_cmpint (reference_cube_root (0), ==, 0);
  g_assert_cmpint (reference_cube_root (970298), ==, 98);
  for (guint i = 0; i < G_N_ELEMENTS (roots); i++) {
    const gint64 x = roots[i];

    g_assert_cmpint (reference_cube_root (x * x * x - 1), ==, x - 1);
    g_assert_cmpint (reference_cube_root (x * x * x), ==, x);
    g_assert_cmpint (reference_cube_root (x * x * x + 1), ==, x);
  }
}

static gdouble
half_square (gdouble code)
{
  return code * code / 2;
}

static gdouble
above_one (gdouble code)
{
  return 2 * code;
}

/* 2^30 · 51/255 = 2^30 / 5 = 214748364.8; 2^30 · 50.5/255 = 212642988.67. In sRGB, below
 * 0.04045 a straight line: 2^30 · 10 / 255 / 12.92 = 3259096.17; above it IEC 61966-2-1's
 * power: ((188/255 + 0.055) / 1.055)^2.4 is 0.502886458, times 2^30. Of a function of the
 * caller's, 2^30 · (51/255)² / 2 = 2^30 / 50, and 2^30 at most. */
TEST_IN ("lattice/", transfer)
{
  ReferenceLattice lattice;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_LINEAR, NULL, 16);
  g_assert_cmpint (lattice.lin[0], ==, 0);
  g_assert_cmpint (lattice.lin[51], ==, 214748365);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);
  g_assert_cmpint (lattice.threshold[51], ==, 212642989);
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  g_assert_cmpint (lattice.lin[0], ==, 0);
  g_assert_cmpint (lattice.lin[10], ==, 3259096);
  g_assert_cmpint (ABS (lattice.lin[188] - 539970223), <=, 1);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_CUSTOM, half_square, 16);
  g_assert_cmpint (lattice.lin[51], ==, 21474836);
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_CUSTOM, above_one, 16);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);
}

/* Oklab of the primaries, times 2^16: red (0.627955, 0.224863, 0.125846), blue (0.452014,
 * -0.032457, -0.311528). With chroma 8 L is a quarter, a and b are twice as much; 2^(2/3) is
 * 1.587401. */
TEST_IN ("lattice/", known_points)
{
  static const struct
  {
    guint8 rgb[3];
    gdouble chroma;
    guint shift;
    ReferencePoint point;
  } cases[] = {
    {{0, 0, 0}, 1, 16, {0, 0, 0}}, {{255, 255, 255}, 1, 16, {65536, 0, 0}},
    {{255, 0, 0}, 1, 16, {41154, 14737, 8247}},
    {{0, 0, 255}, 1, 16, {29623, -2127, -20416}},
    {{255, 255, 255}, 1, 10, {1024, 0, 0}},
    {{255, 255, 255}, 8, 16, {16384, 0, 0}},
    {{255, 0, 0}, 8, 16, {10288, 29473, 16495}},
    {{255, 255, 255}, 0.5, 16, {104032, 0, 0}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePoint wanted = cases[i].point;
    ReferenceLattice lattice;

    reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL,
        cases[i].shift);
    reference_lattice_set_chroma (&lattice, cases[i].chroma);
    assert_point (reference_colour_to_point (&lattice, cases[i].rgb), wanted.L,
        wanted.a, wanted.b);
  }
}

/* The points of 16384 colours as one number, which a program of its own in
 * integers of any length found, too: a digit that is wrong anywhere between a
 * colour and its point shows here. */
TEST_IN ("lattice/", many_points)
{
  ReferenceLattice lattice;
  guint64 sum = 0;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  for (guint32 n = 0; n < 16384; n++) {
    const guint32 colour = n * 1021;
    const guint8 rgb[3] = { colour >> 16, colour >> 8 & 255, colour & 255 };
    const ReferencePoint point = reference_colour_to_point (&lattice, rgb);

    sum = sum * 31 + (guint64) point.L;
    sum = sum * 31 + (guint64) point.a;
    sum = sum * 31 + (guint64) point.b;
  }
  g_assert_cmphex (sum, ==, G_GUINT64_CONSTANT (0x341159b91f037577));
}

/* A point of its own for each colour, with both transfers, shifts of 16 and 15, and any
 * chroma; of all that there are every 997th, which meets every value of every channel. */
TEST_IN ("lattice/", round_trip)
{
  static const gdouble chromas[] = { 1, 0.5, 2, 3 };

  for (guint i = 0; i < 16; i++) {
    ReferenceLattice lattice;

    reference_lattice_init (&lattice, i % 2 ? REFERENCE_TRANSFER_LINEAR
        : REFERENCE_TRANSFER_SRGB, NULL, 16 - i / 2 % 2);
    reference_lattice_set_chroma (&lattice, chromas[i / 4]);
    for (guint32 colour = 0; colour < 1 << 24; colour += 997) {
      const guint8 rgb[3] = { colour >> 16, colour >> 8 & 255, colour & 255 };
      guint8 back[3];

      reference_point_to_colour (&lattice,
          reference_colour_to_point (&lattice, rgb), back);
      g_assert_cmpmem (back, 3, rgb, 3);
    }
  }
}

/* --- steps --- */

static const ReferencePoint origin = { 0, 0, 0 };

/* The means of points 0, 0, 0 and 3, -3, 1 are 1.5, -1.5 and 0.5, and with weights of 1 and 3,
 * as of weights that need 32 bits, 2.25, -2.25 and 0.75. A ball is closed, 2² + 3² + 6² = 49,
 * and one of which nothing is in reach is empty. */
TEST_IN ("palette/", next)
{
  static const struct
  {
    ReferencePoint other;
    guint32 weights[2];
    gint64 radius_squared;
    ReferencePoint from, next;
  } cases[] = {
    {{3, -3, 1}, {1, 1}, 100, {0, 0, 0}, {2, -1, 1}},
    {{3, -3, 1}, {1, 3}, 100, {0, 0, 0}, {2, -2, 1}},
    {{3, -3, 1}, {1000000000, 3000000000}, 100, {0, 0, 0}, {2, -2, 1}},
    {{2, 3, 6}, {1, 1}, 49, {0, 0, 0}, {1, 2, 3}},
    {{2, 3, 6}, {1, 1}, 48, {0, 0, 0}, {0, 0, 0}},
    {{2, 3, 6}, {1, 1}, 49, {0, -13, 0}, {0, -13, 0}}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const ReferencePoint points[2] = { origin, cases[i].other };
    const ReferencePoint next = cases[i].next;
    g_autoptr (ReferenceColours) colours = reference_colours_new (points,
        cases[i].weights, 2, cases[i].radius_squared);

    assert_point (reference_next (colours, cases[i].from), next.L, next.a,
        next.b);
  }
}

/* Weights 1, 3 and 9 at 0, 2 and 5, radius 3. From 0: (0 + 6) / 4 = 1.5, so 2;
 * from 2: (0 + 6 + 45) / 13 = 3.9, so 4; from 4, where 0 is out of reach:
 * 51 / 12 = 4.25, so 4 again. */
TEST_IN ("palette/", walk)
{
  static const ReferencePoint points[3] = { {0, 0, 0}, {2, 0, 0}, {5, 0, 0} };
  static const guint32 weights[3] = { 1, 3, 9 };
  static const gint32 ends[] = { 4, 2, 4, 4 };
  static const guint counts[] = { 2, 1, 2, 2 };
  g_autoptr (ReferenceColours) colours =
      reference_colours_new (points, weights, 3, 9);

  for (guint limit = 0; limit < 4; limit++) {
    guint moves;

    assert_point (reference_walk (colours, origin, limit, &moves), ends[limit],
        0, 0);
    g_assert_cmpuint (moves, ==, counts[limit]);
  }
}

/* --- pictures --- */

/* A pixel of a grey, or of any other colour 0xRRGGBBAA. */
#define GREY(code) (code * 0x01010100u | 255)
#define PIXELS 5

static void
unpack (const guint32 * pixels, guint8 * bytes)
{
  for (guint i = 0; i < PIXELS; i++)
    for (guint c = 0; c < 4; c++)
      bytes[4 * i + c] = pixels[i] >> (24 - 8 * c);
}

TEST_IN ("palette/", pictures)
{
  static const struct
  {
    ReferencePaletteSettings settings;
    guint32 counted[PIXELS], input[PIXELS], wanted[PIXELS];
    ReferencePaletteStats stats;
  } cases[] = {
    /* The picture's own colours do not attract: what is near a counted colour goes
     * there, the rest stays. A counted pixel without alpha is none, and one of the picture
     * keeps its bytes; other alphas are kept. */
    {{.radius = 0.02},
          {0x646464ff, 0x64646409, 0xc8000000},
          {0x656464ff, 0x656464ff, 0x0000c81e, 0xc80100ff, 0x63646400},
          {0x646464ff, 0x646464ff, 0x0000c81e, 0xc80100ff, 0x63646400},
        {1, 3, 3, 1}},
    /* Two pixels of one colour, one of its neighbour: with a minimum of 2 the
     * neighbour attracts nothing and goes where the two are; with 3 nothing does. */
    {{.radius = 0.02, .min_frequency = 2},
          {0x323c46ff, 0x323c46ff, 0x323d46ff},
          {0x323c46ff, 0x323c46ff, 0x323d46ff},
        {0x323c46ff, 0x323c46ff, 0x323c46ff}, {1, 1, 1, 1}},
    {{.radius = 0.02, .min_frequency = 3},
          {0x323c46ff, 0x323c46ff, 0x323d46ff},
          {0x323c46ff, 0x323c46ff, 0x323d46ff},
        {0x323c46ff, 0x323c46ff, 0x323d46ff}, {0, 2, 2, 0}},
    /* Three pixels of 80 and one of 84: by frequency the mean is a quarter of the way,
     * 81, by palette half of it, 82. */
    {{.radius = 0.03}, {GREY (80), GREY (80), GREY (80), GREY (84)},
        {GREY (80), GREY (80), GREY (80), GREY (84)},
        {GREY (81), GREY (81), GREY (81), GREY (81)}, {2, 1, 1, 1}},
    {{.radius = 0.03, .weighting = REFERENCE_WEIGHTING_PALETTE},
          {GREY (80), GREY (80), GREY (80), GREY (84)},
          {GREY (80), GREY (80), GREY (80), GREY (84)},
        {GREY (82), GREY (82), GREY (82), GREY (82)}, {2, 1, 1, 1}},
    /* Black and white differ in the 17th bit of L alone. */
    {{.radius = 0.02}, {GREY (0), GREY (255)}, {GREY (0), GREY (255)},
        {GREY (0), GREY (255)}, {2, 2, 2, 0}}
  };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (cases); i++) {
    const ReferencePaletteStats *wanted_stats = &cases[i / 2].stats;
    guint8 bytes[4 * PIXELS], others[4 * PIXELS], wanted[4 * PIXELS];
    const ReferencePixels counted = { others, PIXELS };
    const ReferencePixels input = { bytes, PIXELS };
    ReferencePaletteSettings settings = cases[i / 2].settings;
    ReferencePaletteStats stats;

    settings.walks = i % 2;
    unpack (cases[i / 2].counted, others);
    unpack (cases[i / 2].input, bytes);
    unpack (cases[i / 2].wanted, wanted);
    reference_palette_from (&settings, &counted, &input, bytes, &stats);
    g_assert_cmpmem (bytes, sizeof bytes, wanted, sizeof wanted);
    g_assert_cmpuint (stats.n_colours, ==, wanted_stats->n_colours);
    g_assert_cmpuint (stats.n_ends, ==, wanted_stats->n_ends);
    g_assert_cmpuint (stats.n_output_colours, ==,
        wanted_stats->n_output_colours);
    g_assert_cmpuint (stats.longest_walk, ==, wanted_stats->longest_walk);
  }
}

/* The same steps, found sooner. */
TEST_IN ("palette/", shortcut_is_plain)
{
  g_autofree guint8 *picture = generated_picture_new ("blobs", 24, 15, 0);

  for (guint limit = 0; limit <= 3; limit += 3) {
    ReferencePaletteSettings settings = {.radius = 0.1,
      .iteration_limit = limit};
    ReferencePaletteStats plain_stats, stats;
    guint8 plain[4 * 24 * 15], output[4 * 24 * 15];

    reference_palette (&settings, picture, 24, 15, plain, &plain_stats);
    settings.walks = REFERENCE_WALKS_SHORTCUT;
    reference_palette (&settings, picture, 24, 15, output, &stats);
    g_assert_cmpmem (output, sizeof output, plain, sizeof plain);
    g_assert_cmpuint (stats.n_ends, ==, plain_stats.n_ends);
    g_assert_cmpuint (stats.longest_walk, ==, plain_stats.longest_walk);
    g_assert_true (limit > 0 ? stats.longest_walk == 3
        : stats.longest_walk > 3);
  }
}
