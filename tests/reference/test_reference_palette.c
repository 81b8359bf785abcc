/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Mean shift, step by step and over pictures: "Mean shift" of the numerics. */
#include "test_reference.h"
#include "generated.h"
#include "reference_palette.h"

#define assert_point(point, wanted_L, wanted_a, wanted_b) \
  G_STMT_START { \
    g_assert_cmpint ((point).L, ==, wanted_L); \
    g_assert_cmpint ((point).a, ==, wanted_a); \
    g_assert_cmpint ((point).b, ==, wanted_b); \
  } G_STMT_END

static const ReferencePoint origin = { 0, 0, 0 };

/* The means are 1.5, -1.5 and 0.5, and with weights of 1 and 3, as of weights that need
 * 32 bits, 2.25, -2.25 and 0.75. */
static void
test_next_rounds (void)
{
  static const ReferencePoint points[2] = { {0, 0, 0}, {3, -3, 1} };
  static const guint32 weights[][2] =
      { {1, 1}, {1, 3}, {1000000000, 3000000000} };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (ReferenceColours) colours =
        reference_colours_new (points, weights[i], 2, 100);

    assert_point (reference_next (colours, origin), 2, i ? -2 : -1, 1);
  }
}

/* 2² + 3² + 6² = 49. A ball of which nothing is in reach is empty. */
static void
test_ball_is_closed (void)
{
  static const ReferencePoint points[2] = { {0, 0, 0}, {2, 3, 6} };
  static const ReferencePoint away = { 0, -13, 0 };
  static const guint32 weights[2] = { 1, 1 };
  g_autoptr (ReferenceColours) reached =
      reference_colours_new (points, weights, 2, 49);
  g_autoptr (ReferenceColours) missed =
      reference_colours_new (points, weights, 2, 48);

  assert_point (reference_next (reached, origin), 1, 2, 3);
  assert_point (reference_next (missed, origin), 0, 0, 0);
  assert_point (reference_next (reached, away), 0, -13, 0);
}

/* Weights 1, 3 and 9 at 0, 2 and 5, radius 3. From 0: (0 + 6) / 4 = 1.5, so 2;
 * from 2: (0 + 6 + 45) / 13 = 3.9, so 4; from 4, where 0 is out of reach:
 * 51 / 12 = 4.25, so 4 again. */
static void
test_walk (void)
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

/* Black and white differ in the 17th bit of L alone. */
static void
test_black_beside_white (void)
{
  g_autofree guint8 *picture = generated_picture_new ("black-white", 9, 5, 0);
  ReferencePaletteSettings settings = {.radius = 0.02};
  ReferencePaletteStats stats;
  guint8 output[4 * 9 * 5];

  for (guint walks = 0; walks < 2; walks++) {
    settings.walks = walks;
    reference_palette (&settings, picture, 9, 5, output, &stats);
    g_assert_cmpmem (output, sizeof output, picture, sizeof output);
    g_assert_cmpuint (stats.n_colours, ==, 2);
    g_assert_cmpuint (stats.n_ends, ==, 2);
    g_assert_cmpuint (stats.n_output_colours, ==, 2);
    g_assert_cmpuint (stats.longest_walk, ==, 0);
  }
}

/* The same steps, found sooner. */
static void
test_shortcut_is_plain (void)
{
  static const guint limits[] = { 0, 3 };
  g_autofree guint8 *picture = generated_picture_new ("blobs", 24, 15, 0);

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    ReferencePaletteSettings settings = {.radius = 0.1,
      .iteration_limit = limits[i]};
    ReferencePaletteStats plain_stats, stats;
    guint8 plain[4 * 24 * 15], output[4 * 24 * 15];

    reference_palette (&settings, picture, 24, 15, plain, &plain_stats);
    settings.walks = REFERENCE_WALKS_SHORTCUT;
    reference_palette (&settings, picture, 24, 15, output, &stats);
    g_assert_cmpmem (output, sizeof output, plain, sizeof plain);
    g_assert_cmpuint (stats.n_ends, ==, plain_stats.n_ends);
    g_assert_cmpuint (stats.longest_walk, ==, plain_stats.longest_walk);
    if (limits[i] > 0)
      g_assert_cmpuint (stats.longest_walk, ==, 3);
    else
      g_assert_cmpuint (stats.longest_walk, >, 3);
  }
}

/* The picture's own colours do not attract: what is near a counted colour goes
 * there, the rest stays. A counted pixel without alpha is none, and one of the picture
 * keeps its bytes; other alphas are kept. */
static void
test_other_pixels_counted (void)
{
  static const guint8 others[] =
      { 100, 100, 100, 255, 100, 100, 100, 9, 200, 0, 0, 0 };
  static const guint8 picture[] = { 101, 100, 100, 255, 101, 100, 100, 255,
    0, 0, 200, 30, 200, 1, 0, 255, 99, 100, 100, 0
  };
  static const guint8 wanted[] = { 100, 100, 100, 255, 100, 100, 100, 255,
    0, 0, 200, 30, 200, 1, 0, 255, 99, 100, 100, 0
  };
  const ReferencePixels counted = { others, 3 }, input = { picture, 5 };
  ReferencePaletteSettings settings = {.radius = 0.02};
  ReferencePaletteStats stats;
  guint8 output[sizeof picture];

  reference_palette_from (&settings, &counted, &input, output, &stats);
  g_assert_cmpmem (output, sizeof output, wanted, sizeof wanted);
  g_assert_cmpuint (stats.n_colours, ==, 1);
  g_assert_cmpuint (stats.n_ends, ==, 3);
  g_assert_cmpuint (stats.n_output_colours, ==, 3);
  g_assert_cmpuint (stats.longest_walk, ==, 1);
}

/* Two pixels of one colour, one of its neighbour: with a minimum of 2 the
 * neighbour attracts nothing and goes where the two are; with 3 nothing does. */
static void
test_min_frequency (void)
{
  static const guint8 input[] =
      { 50, 60, 70, 255, 50, 60, 70, 255, 50, 61, 70, 255 };
  static const guint8 wanted[] =
      { 50, 60, 70, 255, 50, 60, 70, 255, 50, 60, 70, 255 };
  ReferencePaletteSettings settings = {.radius = 0.02, .min_frequency = 2};
  ReferencePaletteStats stats;
  guint8 output[sizeof input];

  reference_palette (&settings, input, 3, 1, output, &stats);
  g_assert_cmpmem (output, sizeof output, wanted, sizeof wanted);
  g_assert_cmpuint (stats.n_colours, ==, 1);
  settings.min_frequency = 3;
  reference_palette (&settings, input, 3, 1, output, &stats);
  g_assert_cmpmem (output, sizeof output, input, sizeof input);
  g_assert_cmpuint (stats.n_colours, ==, 0);
}

/* Three pixels of 80 and one of 84: by frequency the mean is a quarter of the way, 81,
 * by palette half of it, 82. */
static void
test_weighting (void)
{
  static const guint8 input[] = { 80, 80, 80, 255, 80, 80, 80, 255,
    80, 80, 80, 255, 84, 84, 84, 255
  };

  for (guint weighting = 0; weighting < 2; weighting++) {
    const ReferencePaletteSettings settings = {.radius = 0.03,
      .weighting = weighting
    };
    guint8 output[sizeof input];

    reference_palette (&settings, input, 4, 1, output, NULL);
    for (guint i = 0; i < sizeof output; i++)
      g_assert_cmpuint (output[i], ==, i % 4 == 3 ? 255 : 81 + weighting);
  }
}

void
test_reference_add_palette (void)
{
  g_test_add_func ("/palette/next-rounds", test_next_rounds);
  g_test_add_func ("/palette/ball-is-closed", test_ball_is_closed);
  g_test_add_func ("/palette/walk", test_walk);
  g_test_add_func ("/palette/black-beside-white", test_black_beside_white);
  g_test_add_func ("/palette/shortcut-is-plain", test_shortcut_is_plain);
  g_test_add_func ("/palette/other-pixels-counted", test_other_pixels_counted);
  g_test_add_func ("/palette/min-frequency", test_min_frequency);
  g_test_add_func ("/palette/weighting", test_weighting);
}
