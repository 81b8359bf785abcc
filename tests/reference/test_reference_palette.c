/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "generated.h"
#include "reference_integer.h"
#include "reference_palette.h"

#include <string.h>

#define assert_point(point, wanted_L, wanted_a, wanted_b) \
  G_STMT_START { \
    g_assert_cmpint ((point).L, ==, wanted_L); \
    g_assert_cmpint ((point).a, ==, wanted_a); \
    g_assert_cmpint ((point).b, ==, wanted_b); \
  } G_STMT_END

#define SQRT_3 1.7320508075688772

static ReferencePoint
point_at (gint32 L, gint32 a, gint32 b)
{
  ReferencePoint point = { L, a, b };

  return point;
}

static void
test_next_rounds_halves_up (void)
{
  const ReferencePoint points[2] = { {0, 0, 0}, {3, -3, 1} };
  const guint32 weights[2] = { 1, 1 };
  g_autoptr (ReferenceColours) colours =
      reference_colours_new (points, weights, 2, 100);

  /* Means 1.5, -1.5 and 0.5. */
  assert_point (reference_next (colours, point_at (0, 0, 0)), 2, -1, 1);
}

static void
test_next_weighs (void)
{
  const ReferencePoint points[2] = { {0, 0, 0}, {10, -10, 7} };
  const guint32 weights[2] = { 3, 4294967000u };
  g_autoptr (ReferenceColours) colours =
      reference_colours_new (points, weights, 2, 1000);
  const guint32 few[2] = { 1, 3 };
  g_autoptr (ReferenceColours) lighter =
      reference_colours_new (points, few, 2, 1000);

  assert_point (reference_next (colours, point_at (0, 0, 0)), 10, -10, 7);
  /* Means 7.5, -7.5 and 5.25. */
  assert_point (reference_next (lighter, point_at (0, 0, 0)), 8, -7, 5);
}

static void
test_next_ball_is_closed (void)
{
  const ReferencePoint points[2] = { {0, 0, 0}, {2, 3, 6} };
  const guint32 weights[2] = { 1, 1 };
  g_autoptr (ReferenceColours) reached =
      reference_colours_new (points, weights, 2, 49);
  g_autoptr (ReferenceColours) missed =
      reference_colours_new (points, weights, 2, 48);

  assert_point (reference_next (reached, point_at (0, 0, 0)), 1, 2, 3);
  assert_point (reference_next (missed, point_at (0, 0, 0)), 0, 0, 0);
  /* An empty ball: 13 away from the nearest point. */
  assert_point (reference_next (reached, point_at (0, -13, 0)), 0, -13, 0);
}

/* Weights 1, 3 and 9 at 0, 2 and 5, radius 3. From 0: (0 + 6) / 4 = 1.5, so 2;
 * from 2: (0 + 6 + 45) / 13 = 3.9, so 4; from 4, where 0 is out of reach:
 * 51 / 12 = 4.25, so 4 again. */
static void
test_walk (void)
{
  const ReferencePoint points[3] = { {0, 0, 0}, {2, 0, 0}, {5, 0, 0} };
  const guint32 weights[3] = { 1, 3, 9 };
  static const gint32 ends[] = { 4, 2, 4, 4 };
  static const guint counts[] = { 2, 1, 2, 2 };
  g_autoptr (ReferenceColours) colours =
      reference_colours_new (points, weights, 3, 9);

  for (guint limit = 0; limit < 4; limit++) {
    guint moves;

    assert_point (reference_walk (colours, point_at (0, 0, 0), limit, &moves),
        ends[limit], 0, 0);
    g_assert_cmpuint (moves, ==, counts[limit]);
  }
}

/* All pixels of a picture, reduced. */
static guint8 *
reduce (const ReferencePaletteSettings * settings, const guint8 * picture,
    guint width, guint height, ReferencePaletteStats * stats)
{
  guint8 *output = g_malloc (4 * (gsize) width * height);

  reference_palette (settings, picture, width, height, output, stats);
  return output;
}

static const ReferenceWeighting weightings[] =
    { REFERENCE_WEIGHTING_FREQUENCY, REFERENCE_WEIGHTING_PALETTE };

/* Black and white differ in the 17th bit of L alone. */
static void
test_black_beside_white (void)
{
  g_autofree guint8 *picture = generated_picture_new ("black-white", 9, 5, 0);

  for (guint i = 0; i < G_N_ELEMENTS (weightings); i++) {
    for (guint walks = 0; walks < 2; walks++) {
      ReferencePaletteSettings settings = {.radius = 0.02,
        .weighting = weightings[i],.walks = walks
      };
      ReferencePaletteStats stats;
      g_autofree guint8 *output = reduce (&settings, picture, 9, 5, &stats);

      g_assert_cmpmem (output, 4 * 9 * 5, picture, 4 * 9 * 5);
      g_assert_cmpuint (stats.n_colours, ==, 2);
      g_assert_cmpuint (stats.n_ends, ==, 2);
      g_assert_cmpuint (stats.n_output_colours, ==, 2);
      g_assert_cmpuint (stats.longest_walk, ==, 0);
    }
  }
}

/* In a picture of 10 columns 120, 90, 60 and 121, 90, 60 weigh the same, in
 * one of 9 columns 4 and 5 ninths, in one of 3 columns 1 and 2 thirds. */
static void
test_neighbours (void)
{
  static const guint8 left[3] = { 120, 90, 60 }, right[3] = { 121, 90, 60 };
  ReferencePaletteSettings settings = {.radius = 0.02 };
  ReferenceLattice lattice;
  ReferencePoint p, q;
  guint8 wanted[4] = { 0, 0, 0, 255 };

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  p = reference_colour_to_point (&lattice, left);
  q = reference_colour_to_point (&lattice, right);
  for (guint width = 2; width < 12; width++) {
    const gint n = (gint) width, l = n / 2, r = n - l;
    g_autofree guint8 *picture =
        generated_picture_new ("neighbours", width, 1, 0);
    ReferencePaletteStats stats;
    g_autofree guint8 *output = reduce (&settings, picture, width, 1, &stats);

    reference_point_to_colour (&lattice,
        point_at ((gint32) reference_floor_divide (2 * (p.L * l + q.L * r) + n,
                2 * n),
            (gint32) reference_floor_divide (2 * (p.a * l + q.a * r) + n,
                2 * n),
            (gint32) reference_floor_divide (2 * (p.b * l + q.b * r) + n,
                2 * n)), wanted);
    for (guint x = 0; x < width; x++)
      g_assert_cmpmem (output + 4 * x, 4, wanted, 4);
    g_assert_cmpuint (stats.n_colours, ==, 2);
    g_assert_cmpuint (stats.n_ends, ==, 1);
    g_assert_cmpuint (stats.n_output_colours, ==, 1);
    g_assert_cmpuint (stats.longest_walk, ==, 1);
  }
}

/* With all colours within reach everything goes to the mean in one move. */
static void
test_everything_in_reach (void)
{
  g_autofree guint8 *picture = generated_picture_new ("noise", 12, 7, 0);

  for (guint i = 0; i < G_N_ELEMENTS (weightings); i++) {
    ReferencePaletteSettings settings = {.radius = SQRT_3,
      .weighting = weightings[i]
    };
    ReferencePaletteStats stats;
    g_autofree guint8 *output = reduce (&settings, picture, 12, 7, &stats);

    g_assert_cmpuint (stats.n_ends, ==, 1);
    g_assert_cmpuint (stats.n_output_colours, ==, 1);
    g_assert_cmpuint (stats.longest_walk, ==, 1);
    for (guint pixel = 1; pixel < 12 * 7; pixel++)
      g_assert_cmpmem (output + 4 * pixel, 4, output, 4);
  }
}

static void
test_radius_0_changes_nothing (void)
{
  ReferencePaletteSettings settings = {.radius = 0 };

  for (guint i = 0; generated_names[i] != NULL; i++) {
    g_autofree guint8 *picture =
        generated_picture_new (generated_names[i], 31, 17, 0);
    g_autofree guint8 *output = reduce (&settings, picture, 31, 17, NULL);

    g_assert_cmpmem (output, 4 * 31 * 17, picture, 4 * 31 * 17);
  }
}

/* A picture's colours as points that weigh 1, with their walks. */
static void
test_walks_end_on_fixed_points (void)
{
  const guint n = 40 * 30;
  g_autofree guint8 *picture = generated_picture_new ("blobs", 40, 30, 0);
  g_autofree ReferencePoint *points = g_new (ReferencePoint, n);
  g_autofree guint32 *weights = g_new (guint32, n);
  g_autoptr (ReferenceColours) colours = NULL;
  ReferenceLattice lattice;
  guint longest = 0;

  reference_lattice_init (&lattice, REFERENCE_TRANSFER_SRGB, NULL, 16);
  for (guint i = 0; i < n; i++) {
    points[i] = reference_colour_to_point (&lattice, picture + 4 * i);
    weights[i] = 1;
  }
  colours = reference_colours_new (points, weights, n,
      reference_radius_squared (0.02, 16));
  for (guint i = 0; i < n; i++) {
    ReferencePoint at = points[i];
    guint moves;
    ReferencePoint end = reference_walk (colours, at, 0, &moves);
    ReferencePoint third = reference_walk (colours, at, 3, NULL);

    for (guint k = 0; k < moves; k++) {
      if (k == 3)
        assert_point (third, at.L, at.a, at.b);
      at = reference_next (colours, at);
    }
    assert_point (end, at.L, at.a, at.b);
    at = reference_next (colours, end);
    assert_point (end, at.L, at.a, at.b);
    longest = MAX (longest, moves);
  }
  g_assert_cmpuint (longest, >, 5);
}

/* Fewer steps reduce less, and a limit that no walk reaches does nothing. */
static void
test_iteration_limit (void)
{
  static const guint limits[] = { 1, 3, 50, 0 };
  g_autofree guint8 *picture = generated_picture_new ("blobs", 40, 30, 0);
  ReferencePaletteStats stats[G_N_ELEMENTS (limits)];
  guint8 *outputs[G_N_ELEMENTS (limits)];

  for (guint i = 0; i < G_N_ELEMENTS (limits); i++) {
    ReferencePaletteSettings settings = {.radius = 0.02,
      .iteration_limit = limits[i]
    };

    outputs[i] = reduce (&settings, picture, 40, 30, &stats[i]);
  }
  g_assert_cmpuint (stats[0].longest_walk, ==, 1);
  g_assert_cmpuint (stats[1].longest_walk, ==, 3);
  g_assert_cmpuint (stats[3].longest_walk, >, 3);
  g_assert_cmpuint (stats[3].longest_walk, <, 50);
  g_assert_cmpuint (stats[0].n_ends, >, stats[1].n_ends);
  g_assert_cmpuint (stats[1].n_ends, >, stats[3].n_ends);
  g_assert_cmpuint (stats[3].n_output_colours, <=, stats[3].n_ends);
  g_assert_cmpmem (outputs[2], 4 * 40 * 30, outputs[3], 4 * 40 * 30);
  g_assert_cmpint (memcmp (outputs[1], outputs[3], 4 * 40 * 30), !=, 0);
  for (guint i = 0; i < G_N_ELEMENTS (limits); i++)
    g_free (outputs[i]);
}

static void
assert_shortcut_is_plain (ReferencePaletteSettings settings, const gchar * name)
{
  const guint width = 24, height = 15;
  g_autofree guint8 *picture = generated_picture_new (name, width, height, 0);
  ReferencePaletteStats plain_stats, stats;
  g_autofree guint8 *plain = NULL;
  g_autofree guint8 *output = NULL;

  settings.walks = REFERENCE_WALKS_PLAIN;
  plain = reduce (&settings, picture, width, height, &plain_stats);
  settings.walks = REFERENCE_WALKS_SHORTCUT;
  output = reduce (&settings, picture, width, height, &stats);
  g_assert_cmpmem (output, 4 * width * height, plain, 4 * width * height);
  g_assert_cmpuint (stats.n_colours, ==, plain_stats.n_colours);
  g_assert_cmpuint (stats.n_ends, ==, plain_stats.n_ends);
  g_assert_cmpuint (stats.n_output_colours, ==, plain_stats.n_output_colours);
  g_assert_cmpuint (stats.longest_walk, ==, plain_stats.longest_walk);
}

static void
test_shortcut_is_plain (void)
{
  static const gdouble radii[] = { 0, 0.005, 0.02, 0.1, 0.3, SQRT_3 };
  static const guint limits[] = { 0, 1, 3 };
  static const gchar *const names[] =
      { "gradient", "noise", "alpha-noise", "blobs" };

  for (guint name = 0; name < G_N_ELEMENTS (names); name++) {
    for (guint radius = 0; radius < G_N_ELEMENTS (radii); radius++) {
      for (guint limit = 0; limit < G_N_ELEMENTS (limits); limit++) {
        ReferencePaletteSettings settings = {.radius = radii[radius],
          .weighting = weightings[(name + limit) % 2],
          .iteration_limit = limits[limit],
          .transfer = radius % 2 ? REFERENCE_TRANSFER_LINEAR :
              REFERENCE_TRANSFER_SRGB
        };

        assert_shortcut_is_plain (settings, names[name]);
      }
    }
  }
}

static void
test_alpha (void)
{
  const guint n = 20 * 20;
  ReferencePaletteSettings settings = {.radius = 0.3 };
  g_autofree guint8 *picture = generated_picture_new ("alpha-noise", 20, 20, 0);
  g_autofree guint8 *output = reduce (&settings, picture, 20, 20, NULL);
  g_autofree guint8 *other_output = NULL;
  guint n_changed = 0;

  for (guint i = 0; i < n; i++) {
    g_assert_cmpuint (output[4 * i + 3], ==, picture[4 * i + 3]);
    if (picture[4 * i + 3] == 0)
      g_assert_cmpmem (output + 4 * i, 4, picture + 4 * i, 4);
    else
      n_changed += memcmp (output + 4 * i, picture + 4 * i, 3) != 0;
  }
  g_assert_cmpuint (n_changed, >, n / 2);

  /* Colours that cannot be seen have no say. */
  for (guint i = 0; i < n; i++)
    if (picture[4 * i + 3] == 0)
      memset (picture + 4 * i, 77, 3);
  other_output = reduce (&settings, picture, 20, 20, NULL);
  for (guint i = 0; i < n; i++)
    if (picture[4 * i + 3] != 0)
      g_assert_cmpmem (output + 4 * i, 4, other_output + 4 * i, 4);
}

/* The picture's own colours do not attract: what is near a counted colour goes
 * there, the rest stays, and a counted pixel without alpha is none. */
static void
test_other_pixels_counted (void)
{
  static const guint8 counted[] =
      { 100, 100, 100, 255, 100, 100, 100, 9, 200, 0, 0, 0 };
  static const guint8 input[] = { 101, 100, 100, 255, 101, 100, 100, 255,
    0, 0, 200, 30, 200, 1, 0, 255, 99, 100, 100, 0
  };
  static const guint8 wanted[] = { 100, 100, 100, 255, 100, 100, 100, 255,
    0, 0, 200, 30, 200, 1, 0, 255, 99, 100, 100, 0
  };
  ReferencePaletteSettings settings = {.radius = 0.02 };
  ReferencePaletteStats stats;
  guint8 output[sizeof input];

  reference_palette_from (&settings, counted, 3, input, 5, output, &stats);
  g_assert_cmpmem (output, sizeof output, wanted, sizeof wanted);
  g_assert_cmpuint (stats.n_colours, ==, 1);
  g_assert_cmpuint (stats.n_ends, ==, 3);
  g_assert_cmpuint (stats.n_output_colours, ==, 3);
  g_assert_cmpuint (stats.longest_walk, ==, 1);
}

/* Two pixels of one colour, one of its neighbour: with a minimum of 2 the
 * neighbour attracts nothing and goes where the two are. */
static void
test_min_frequency (void)
{
  static const guint8 input[] =
      { 50, 60, 70, 255, 50, 60, 70, 255, 50, 61, 70, 255 };
  static const guint8 wanted[] =
      { 50, 60, 70, 255, 50, 60, 70, 255, 50, 60, 70, 255 };
  ReferencePaletteSettings settings = {.radius = 0.02,.min_frequency = 2 };
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

/* Three pixels of one colour and one of another: by frequency the mean is a
 * quarter of the way, by palette half of it. */
static void
test_weighting (void)
{
  static const guint8 input[] = { 80, 80, 80, 255, 80, 80, 80, 255,
    80, 80, 80, 255, 84, 84, 84, 255
  };
  ReferencePaletteSettings settings = {.radius = 0.03 };
  guint8 output[sizeof input];

  reference_palette (&settings, input, 4, 1, output, NULL);
  for (guint i = 0; i < sizeof output; i++)
    g_assert_cmpuint (output[i], ==, i % 4 == 3 ? 255 : 81);
  settings.weighting = REFERENCE_WEIGHTING_PALETTE;
  reference_palette (&settings, input, 4, 1, output, NULL);
  for (guint i = 0; i < sizeof output; i++)
    g_assert_cmpuint (output[i], ==, i % 4 == 3 ? 255 : 82);
}

void
test_reference_add_palette (void)
{
  g_test_add_func ("/palette/next/rounds-halves-up",
      test_next_rounds_halves_up);
  g_test_add_func ("/palette/next/weighs", test_next_weighs);
  g_test_add_func ("/palette/next/ball-is-closed", test_next_ball_is_closed);
  g_test_add_func ("/palette/walk", test_walk);
  g_test_add_func ("/palette/black-beside-white", test_black_beside_white);
  g_test_add_func ("/palette/neighbours", test_neighbours);
  g_test_add_func ("/palette/everything-in-reach", test_everything_in_reach);
  g_test_add_func ("/palette/radius-0-changes-nothing",
      test_radius_0_changes_nothing);
  g_test_add_func ("/palette/walks-end-on-fixed-points",
      test_walks_end_on_fixed_points);
  g_test_add_func ("/palette/iteration-limit", test_iteration_limit);
  g_test_add_func ("/palette/shortcut-is-plain", test_shortcut_is_plain);
  g_test_add_func ("/palette/alpha", test_alpha);
  g_test_add_func ("/palette/other-pixels-counted", test_other_pixels_counted);
  g_test_add_func ("/palette/min-frequency", test_min_frequency);
  g_test_add_func ("/palette/weighting", test_weighting);
}
