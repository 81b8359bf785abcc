/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Rounding, and colours as points of the lattice and back: "Colour to lattice" and
 * "Lattice to colour" of the numerics. */
#include "test_reference.h"
#include "reference_integer.h"
#include "reference_lattice.h"

#define assert_point(point, wanted_L, wanted_a, wanted_b) \
  G_STMT_START { \
    g_assert_cmpint ((point).L, ==, wanted_L); \
    g_assert_cmpint ((point).a, ==, wanted_a); \
    g_assert_cmpint ((point).b, ==, wanted_b); \
  } G_STMT_END

static void
test_rounding (void)
{
  /* Floors towards minus infinity, halves up, on both sides of zero. */
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

static void
test_shift (void)
{
  /* 2048 / 2^16 = 0.03125 is the first radius that needs a coarser lattice;
   * sqrt (3) · 2^10 is 1773.6. */
  g_assert_cmpuint (reference_lattice_shift (0), ==, 16);
  g_assert_cmpuint (reference_lattice_shift (0.03), ==, 16);
  g_assert_cmpuint (reference_lattice_shift (0.03124999), ==, 16);
  g_assert_cmpuint (reference_lattice_shift (0.03125), ==, 15);
  g_assert_cmpuint (reference_lattice_shift (0.0624), ==, 15);
  g_assert_cmpuint (reference_lattice_shift (0.0625), ==, 14);
  g_assert_cmpuint (reference_lattice_shift (0.3), ==, 12);
  g_assert_cmpuint (reference_lattice_shift (1.7320508075688772), ==, 10);
}

static void
test_radius_squared (void)
{
  /* (0.02 · 65536)² = 1310.72² = 1717986.9; 0.25 · 4^11; 3 · 4^10, and
   * sqrt (3) as a double is a little less. */
  g_assert_cmpint (reference_radius_squared (0, 16), ==, 0);
  g_assert_cmpint (reference_radius_squared (0.02, 16), ==, 1717986);
  g_assert_cmpint (reference_radius_squared (0.5, 11), ==, 1048576);
  g_assert_cmpint (reference_radius_squared (1.7320508075688772, 10), ==,
      3145727);
}

/* The largest x with x³ ≤ cube: 99³ = 970299. Estimates in doubles may be too low for 15,
 * and too high for 95313. */
static void
test_cube_root (void)
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

static void
test_transfer (void)
{
  ReferenceLattice lattice;

  /* 2^30 · 51/255 = 2^30 / 5 = 214748364.8;
   * 2^30 · 50.5/255 = 212642988.67. */
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_LINEAR, NULL, 16);
  g_assert_cmpint (lattice.lin[0], ==, 0);
  g_assert_cmpint (lattice.lin[51], ==, 214748365);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);
  g_assert_cmpint (lattice.threshold[51], ==, 212642989);

  /* Below 0.04045 a straight line: 2^30 · 10 / 255 / 12.92 = 3259096.17;
   * above it IEC 61966-2-1's power: ((188/255 + 0.055) / 1.055)^2.4 is
   * 0.502886458, times 2^30. */
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  g_assert_cmpint (lattice.lin[0], ==, 0);
  g_assert_cmpint (lattice.lin[10], ==, 3259096);
  g_assert_cmpint (ABS (lattice.lin[188] - 539970223), <=, 1);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);

  /* 2^30 · (51/255)² / 2 = 2^30 / 50 */
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_CUSTOM, half_square, 16);
  g_assert_cmpint (lattice.lin[51], ==, 21474836);
  reference_lattice_init (&lattice, REFERENCE_TRANSFER_CUSTOM, above_one, 16);
  g_assert_cmpint (lattice.lin[255], ==, 1 << 30);
}

static void
test_known_points (void)
{
  static const guint8 black[3] = { 0, 0, 0 }, white[3] = { 255, 255, 255 };
  static const guint8 red[3] = { 255, 0, 0 }, blue[3] = { 0, 0, 255 };
  ReferenceLattice lattice;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  assert_point (reference_colour_to_point (&lattice, black), 0, 0, 0);
  assert_point (reference_colour_to_point (&lattice, white), 65536, 0, 0);
  /* Oklab of the primaries, times 2^16: red (0.627955, 0.224863, 0.125846),
   * blue (0.452014, -0.032457, -0.311528). */
  assert_point (reference_colour_to_point (&lattice, red), 41154, 14737, 8247);
  assert_point (reference_colour_to_point (&lattice, blue), 29623, -2127,
      -20416);

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 10);
  assert_point (reference_colour_to_point (&lattice, white), 1024, 0, 0);
}

/* With chroma 8 L is a quarter, a and b are twice as much; 2^(2/3) is 1.587401. */
static void
test_chroma (void)
{
  static const guint8 white[3] = { 255, 255, 255 }, red[3] = { 255, 0, 0 };
  ReferenceLattice lattice;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  reference_lattice_set_chroma (&lattice, 8);
  assert_point (reference_colour_to_point (&lattice, white), 16384, 0, 0);
  assert_point (reference_colour_to_point (&lattice, red), 10288, 29473, 16495);
  reference_lattice_set_chroma (&lattice, 0.5);
  assert_point (reference_colour_to_point (&lattice, white), 104032, 0, 0);
}

/* The points of 16384 colours as one number, which a program of its own in
 * integers of any length found, too: a digit that is wrong anywhere between a
 * colour and its point shows here. */
static void
test_many_points (void)
{
  ReferenceLattice lattice;
  guint64 sum = 0;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  for (guint32 n = 0; n < 16384; n++) {
    const guint32 colour = n * 1021;
    const guint8 rgb[3] = { colour >> 16, colour >> 8 & 255, colour & 255 };
    ReferencePoint point = reference_colour_to_point (&lattice, rgb);

    sum = sum * 31 + (guint64) point.L;
    sum = sum * 31 + (guint64) point.a;
    sum = sum * 31 + (guint64) point.b;
  }
  g_assert_cmphex (sum, ==, G_GUINT64_CONSTANT (0x341159b91f037577));
}

/* A point of its own for each colour, with both transfers, shifts of 16 and 15, and any
 * chroma; of all that there are every 997th, which meets every value of every channel. */
static void
test_round_trip (void)
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

void
test_reference_add_lattice (void)
{
  g_test_add_func ("/lattice/rounding", test_rounding);
  g_test_add_func ("/lattice/shift", test_shift);
  g_test_add_func ("/lattice/radius-squared", test_radius_squared);
  g_test_add_func ("/lattice/cube-root", test_cube_root);
  g_test_add_func ("/lattice/transfer", test_transfer);
  g_test_add_func ("/lattice/known-points", test_known_points);
  g_test_add_func ("/lattice/chroma", test_chroma);
  g_test_add_func ("/lattice/many-points", test_many_points);
  g_test_add_func ("/lattice/round-trip", test_round_trip);
}
