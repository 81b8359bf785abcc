/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "generated.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <math.h>
#include <string.h>

/* Every 256 pixels are a block, up to a height of 512. */
#define WIDTH 16
#define HEIGHT 256

#define MS G_GUINT64_CONSTANT (1000000)

/* So short that what weighs upon a mode stays what it was at first. */
#define NO_TIME 1

/* Small enough that modes go all of their way at once. */
#define HARDLY_STABLE 0.0000000001

/* Some pixels, and what they are to show. */
typedef struct
{
  guint code, n, shown;
} Patch;

/* A film of greys, one patch behind the other, the rest of it transparent. */
typedef struct
{
  ReferenceTemporal *temporal;
  ReferenceTemporalSettings settings;
  guint64 interval;
  guint height;
  guint8 *picture, *shown;
  ReferenceTemporalStats stats;
} Film;

/* Light with which greys have so many steps of a lattice to a code, and some
 * more. */
static gdouble
light_of (gdouble code, gdouble steps, gdouble more, gdouble unit)
{
  const gdouble lightness = (255 * code * steps + more) / unit;

  return lightness * lightness * lightness;
}

/* By the pitch for 1, 2, 3, 4, 16 and 64 colours: the coordinate of a grey's bin is
 * its code, it is in the middle of that, and codes are 8 eighths apart. Ten steps
 * more, so that no rounding leads to the eighth before. */
static gdouble
eotf_of_1 (gdouble code)
{
  return light_of (code, 437, 10, 32768);
}

static gdouble
eotf_of_2 (gdouble code)
{
  return light_of (code, 618, 10, 65536);
}

static gdouble
eotf_of_3 (gdouble code)
{
  return light_of (code, 504, 10, 65536);
}

static gdouble
eotf_of_4 (gdouble code)
{
  return light_of (code, 437, 10, 65536);
}

static gdouble
eotf_of_16 (gdouble code)
{
  return light_of (code, 218, 10, 65536);
}

static gdouble
eotf_of_64 (gdouble code)
{
  return light_of (code, 109, 10, 65536);
}

/* Greys are two eighths beside the middles of their bins. */
static gdouble
eotf_beside (gdouble code)
{
  return light_of (code, 437, 120, 65536);
}

/* 98 and 102 are in the bin of 100, and 100, their mean, is in that of 120. */
static gdouble
eotf_astray (gdouble code)
{
  const glong grey = lround (255 * code);

  if (grey == 98 || grey == 102)
    return eotf_of_4 (100.0 / 255);
  return eotf_of_4 (grey == 100 ? 120.0 / 255 : code);
}

static Film *
film_new_of (guint n_colours, ReferenceEotf eotf, guint height)
{
  Film *film = g_new0 (Film, 1);

  film->temporal = reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  film->settings.palette.radius = 0.1;
  film->settings.palette.transfer = REFERENCE_TRANSFER_CUSTOM;
  film->settings.palette.eotf = eotf;
  film->settings.bin_capacity = REFERENCE_LIVE_CAPACITY;
  film->settings.stability = 0.5;
  film->settings.colors = n_colours;
  film->height = height;
  film->picture = g_malloc (4 * WIDTH * height);
  film->shown = g_malloc (4 * WIDTH * height);
  return film;
}

/* Of four colours. */
static Film *
film_new (void)
{
  return film_new_of (4, eotf_of_4, HEIGHT);
}

static void
film_free (Film * film)
{
  reference_temporal_free (film->temporal);
  g_free (film->picture);
  g_free (film->shown);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

static void
paint (Film * film, const Patch * patches)
{
  guint8 *at = film->picture, *end = at + 4 * WIDTH * film->height;

  memset (at, 0, end - at);
  for (; patches->n > 0; patches++)
    for (guint i = 0; i < patches->n; i++, at += 4) {
      g_assert_true (at < end);
      memset (at, (gint) patches->code, 3);
      at[3] = 255;
    }
}

static void
check (const Film * film, const Patch * patches)
{
  const guint8 *at = film->shown;

  for (; patches->n > 0; patches++)
    for (guint i = 0; i < patches->n; i++, at += 4) {
      for (guint k = 0; k < 3; k++)
        g_assert_cmpuint (at[k], ==, patches->shown);
      g_assert_cmpuint (at[3], ==, 255);
    }
}

/* With the same settings as the frame before. */
static void
show_again (Film * film, const Patch * patches)
{
  paint (film, patches);
  reference_temporal_frame (film->temporal, &film->settings, film->interval,
      film->picture, WIDTH, film->height, film->shown, &film->stats);
  check (film, patches);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
}

/* With settings that mean the same, and are others, so that no frame is as the one
 * before. */
static void
show (Film * film, const Patch * patches)
{
  film->settings.bin_capacity ^= 1;
  show_again (film, patches);
}

static void
show_often (Film * film, const Patch * patches, guint n)
{
  while (n-- > 0)
    show (film, patches);
}

/* A first frame and 250 milliseconds. */
static void
grow_old (Film * film, const Patch * patches)
{
  show_often (film, patches, 10);
}

/* --- how many, and which --- */

static guint
count_bins (gdouble radius, guint n_colours, ReferenceTemporalStats * stats)
{
  g_autofree guint8 *picture = generated_picture_new ("blobs", 64, 64, 1);
  g_autoptr (ReferenceTemporal) temporal =
      reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
  ReferenceTemporalSettings settings = {
    .palette.radius = radius,.stability = 0.5,.colors = n_colours,
    .bin_capacity = REFERENCE_LIVE_CAPACITY
  };

  reference_temporal_frame (temporal, &settings, 0, picture, 64, 64, picture,
      stats);
  return stats->n_bins;
}

/* Whatever the property says, 0 too. */
static void
test_radius (void)
{
  static const struct
  {
    guint n_colours;
    gdouble radius;
  } cases[] = {
    {1, 0.04}, {2, 0.0282842712}, {4, 0.02}, {16, 0.01}, {49, 0.04 / 7},
    {64, 0.005}, {100, 0.005}, {256, 0.005}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint radius = 0; radius < 2; radius++) {
      ReferenceTemporalStats live, stats;
      const guint n_bins = count_bins (cases[i].radius, 0, &live);

      g_assert_cmpuint (count_bins (radius, cases[i].n_colours, &stats), ==,
          n_bins);
      g_assert_cmpuint (n_bins, >, 300);
      g_assert_cmpuint (stats.n_held, ==, cases[i].n_colours);
      g_assert_cmpuint (stats.n_summits, ==,
          live.n_summits < cases[i].n_colours ? n_bins : live.n_summits);
    }
}

/* 10 weighs most. Then G is 99.5 million for 100, 192 times 720², and less for all
 * others; then 22.9 million for 60, 224 times 320²; then 409600 for 20. By weight
 * alone 104 were better, by distance alone 106. Stability changes nothing. */
static void
test_greatest_gain (void)
{
  static const Patch patches[] = {
    {10, 320, 10}, {60, 224, 60}, {100, 192, 100}, {104, 160, 100},
    {20, 64, 20}, {106, 64, 100}, {0}
  };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Film) film = film_new ();

    film->settings.stability = i ? 0.5 : 0;
    show (film, patches);
    g_assert_cmpuint (film->stats.n_bins, ==, 6);
    g_assert_cmpuint (film->stats.n_summits, ==, 6);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
  }
}

/* Of 70 and 78, as heavy and as far from 74. */
static void
test_first_in_order (void)
{
  static const Patch patches[] = {
    {74, 300, 74}, {34, 100, 34}, {114, 100, 114}, {78, 50, 74}, {70, 50, 70},
    {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, patches);
}

/* 101 comes to 100: their 75 are more than the 60 of 40, as far from 70. This is
 * left to 10 and 70, as far from it, of which 70 is in the first slot. */
static void
test_weight_of_summit (void)
{
  static const Patch patches[] = {
    {10, 300, 10}, {40, 60, 70}, {70, 400, 70}, {100, 45, 100}, {101, 30, 100},
    {140, 300, 140}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, patches);
}

/* The mean of all that comes to 100 is 100.76. */
static const Patch lopsided[] = {
  {10, 300, 10}, {60, 300, 60}, {140, 300, 140}, {99, 40, 100},
  {100, 80, 100}, {101, 60, 100}, {102, 36, 100}, {103, 32, 100}, {0}
};

/* The same when modes have moved. */
static const Patch lopsided_moved[] = {
  {10, 300, 10}, {60, 300, 60}, {140, 300, 140}, {99, 40, 101},
  {100, 80, 101}, {101, 60, 101}, {102, 36, 101}, {103, 32, 101}, {0}
};

static void
test_colour_of_summit (void)
{
  g_autoptr (Film) film = film_new ();

  show (film, lopsided);
  g_assert_cmpuint (film->stats.n_summits, ==, 4);
}

/* Fewer than four, and no more than four bins; fewer than four, and five bins,
 * each of its own weight: 41.5 million is the most, 80 times 720², then 10.2 that of
 * 60, then 3840 that of 101, more than the 1280 of 99; four. */
static void
test_few_summits (void)
{
  static const Patch four_bins[] = {
    {10, 100, 10}, {60, 100, 60}, {100, 80, 100}, {101, 60, 101}, {0}
  };
  static const Patch five_bins[] = {
    {10, 100, 10}, {60, 100, 60}, {99, 20, 100}, {100, 80, 100}, {101, 60, 101},
    {0}
  };
  static const Patch four_summits[] = {
    {10, 100, 10}, {60, 100, 60}, {140, 10, 140}, {100, 80, 100},
    {101, 60, 100}, {0}
  };
  static const struct
  {
    const Patch *patches;
    guint n_summits;
  } cases[] = {
    {four_bins, 4}, {five_bins, 5}, {four_summits, 4}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_new ();

    show (film, cases[i].patches);
    g_assert_cmpuint (film->stats.n_summits, ==, cases[i].n_summits);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
  }
}

/* A summit that a mode is at home in gains nothing more, though its 1000 are two
 * eighths from the middle: 10 at 14 eighths come next. */
static void
test_gain_at_home (void)
{
  static const Patch patches[] = {
    {10, 300, 10}, {100, 1000, 100}, {140, 300, 140}, {102, 10, 102},
    {104, 1, 102}, {0}
  };
  g_autoptr (Film) film = film_new_of (4, eotf_beside, HEIGHT);

  show (film, patches);
}

/* Nor one that has just become a mode whose colour is elsewhere. */
static void
test_home_elsewhere (void)
{
  static const Patch patches[] = {
    {10, 300, 10}, {98, 250, 100}, {102, 250, 100}, {140, 300, 140},
    {60, 1, 60}, {0}
  };
  g_autoptr (Film) film = film_new_of (4, eotf_astray, HEIGHT);

  show (film, patches);
  g_assert_cmpuint (film->stats.n_bins, ==, 4);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
}

/* 1051 times 96² is less than 913 times 103², by one, in 24 bits of 30. 2621 times 88²
 * is less than 1841 times 105², by one, but not in 24 bits of 31: the first in order
 * becomes a mode. */
static void
test_leading_bits_of_gain (void)
{
  static const Patch differs[] = {
    {0, 1052, 0}, {96, 1051, 103}, {103, 913, 103}, {0}
  };
  static const Patch does_not[] = {
    {0, 2622, 0}, {88, 2621, 88}, {105, 1841, 88}, {0}
  };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Film) film = film_new_of (2, eotf_of_2, 512);

    show (film, i ? differs : does_not);
  }
}

/* Modes stay where they are, and what is far from them takes a slot that is free.
 * While the palette is held nothing does. */
static void
test_free_slots (void)
{
  static const Patch before[] = {
    {10, 300, 10}, {140, 200, 140}, {140, 100, 140}, {0}
  };
  static const Patch behind[] = {
    {10, 300, 10}, {140, 200, 140}, {60, 100, 60}, {0}
  };
  static const Patch held[] = {
    {10, 300, 10}, {140, 200, 140}, {60, 100, 10}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, before);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  film->settings.hold = TRUE;
  show (film, held);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  film->settings.hold = FALSE;
  show (film, behind);
  g_assert_cmpuint (film->stats.n_held, ==, 3);
}

/* Of two the one that gains more takes the first: 90 is as far from both. */
static void
test_first_free_slot (void)
{
  static const Patch before[] = {
    {10, 400, 10}, {140, 390, 140}, {64, 3, 64}, {60, 3, 60}, {0}
  };
  static const Patch between[] = {
    {10, 400, 10}, {140, 390, 140}, {10, 6, 10}, {0}
  };
  static const Patch behind[] = {
    {10, 400, 10}, {140, 390, 140}, {100, 5, 100}, {80, 6, 80}, {90, 1, 80}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, before);
  show (film, between);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  show (film, behind);
}

/* Where there is no mode slots are taken though the palette is held. */
static void
test_held_from_the_first (void)
{
  g_autoptr (Film) film = film_new ();

  film->settings.stability = HARDLY_STABLE;
  film->settings.hold = TRUE;
  show_often (film, lopsided, 3);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
  film->settings.hold = FALSE;
  show (film, lopsided);
  show (film, lopsided_moved);
}

/* Of two other colours, with more pixels each. */
static void
check_nearest (const guint8 * colour, const guint8 * near, const guint8 * far)
{
  const guint8 *colours[] = { near, near, far, far, colour };
  const ReferenceTemporalSettings settings = {.colors = 2,.bin_capacity = 100 };
  g_autoptr (ReferenceTemporal) temporal = reference_temporal_new (2);
  guint8 picture[5 * 4];

  memset (picture, 255, sizeof picture);
  for (guint i = 0; i < 5; i++)
    memcpy (picture + 4 * i, colours[i], 3);
  reference_temporal_frame (temporal, &settings, 0, picture, 5, 1, picture,
      NULL);
  g_assert_cmpmem (picture + 4 * 4, 3, near, 3);
}

/* By all of Oklab: orange is nearer to red, though to green in L and b, pale blue
 * to blue, though to yellow in L. */
static void
test_nearest_colour (void)
{
  static const guint8 red[] = { 255, 0, 0 }, green[] = { 0, 255, 0 };
  static const guint8 blue[] = { 0, 0, 255 }, yellow[] = { 255, 255, 0 };
  static const guint8 orange[] = { 255, 165, 0 }, pale[] = { 160, 160, 255 };

  check_nearest (orange, red, green);
  check_nearest (pale, blue, yellow);
}

/* Bins are merged: the middle of that of 104 and 105 is at 836, 36 eighths from 100
 * and from 109, of which the heavier has the first slot. No pixel holds one any
 * more, for the format is another one. */
static void
test_middle_of_merged (void)
{
  for (guint i = 0; i < 2; i++) {
    const guint near = i ? 109 : 100, other = i ? 100 : 109;
    const Patch before[] = {
      {10, 100, 10}, {near, 100, near}, {other, 20, other}, {140, 100, 140}, {0}
    };
    const Patch merged[] = {
      {10, 100, 10}, {104, 60, near}, {105, 60, near}, {140, 100, 140}, {0}
    };
    g_autoptr (Film) film = film_new ();

    show (film, before);
    film->settings.bin_capacity = 3;
    film->settings.format++;
    show_again (film, merged);
    g_assert_cmpuint (film->stats.n_merges, ==, 1);
  }
}

/* --- pixels --- */

/* M is 42, 60, 120 and 240 at half the stability there is; 63.46 and 63.58 are rounded.
 * A pixel leaves for what is more than that many eighths away, in the third frame,
 * or the fifth. */
static void
test_hesitation (void)
{
  static const struct
  {
    guint n_colours;
    ReferenceEotf eotf;
    gdouble stability;
    guint distance;
    gint n_frames;              /* until it leaves, -1: never */
  } cases[] = {
    {2, eotf_of_2, 0.5, 5, -1}, {2, eotf_of_2, 0.5, 6, 3},
    {4, eotf_of_4, 0.5, 7, -1}, {4, eotf_of_4, 0.5, 8, 3},
    {4, eotf_of_4, 0.529, 8, 3}, {4, eotf_of_4, 0.53, 8, -1},
    {4, eotf_of_4, 1, 15, -1}, {4, eotf_of_4, 1, 16, 5},
    {16, eotf_of_16, 0.5, 15, -1}, {16, eotf_of_16, 0.5, 16, 3},
    {64, eotf_of_64, 0.5, 30, -1}, {64, eotf_of_64, 0.5, 31, 3}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = 60 + cases[i].distance;
    const Patch before[] = { {60, 255, 60}, {60, 1, 60}, {other, 300, other},
    {0}
    };
    g_autoptr (Film) film =
        film_new_of (cases[i].n_colours, cases[i].eotf, HEIGHT);

    film->settings.stability = cases[i].stability;
    grow_old (film, before);
    for (gint frame = 1; frame < 20; frame++) {
      const gboolean has_left =
          cases[i].n_frames > 0 && frame >= cases[i].n_frames;
      const Patch behind[] = { {60, 255, 60}, {other, 1, has_left ? other : 60},
      {other, 300, other}, {0}
      };

      show (film, behind);
    }
  }
}

/* --- modes move --- */

/* Of one more bin than modes the one at @distance from @base becomes none, and counts
 * for the mode there where it is within reach. Others are far, and weigh 90. */
static void
check_reach (guint n_colours, ReferenceEotf eotf, guint apart, guint base,
    guint distance, gboolean is_reached)
{
  Patch patches[70] = { {base, 3, base}, {base + distance, 1, base} };
  g_autoptr (Film) film = film_new_of (n_colours, eotf, 2 * HEIGHT);

  for (guint i = 0; i + 1 < n_colours; i++)
    patches[2 + i] = (Patch) {
    i *apart, 90, i * apart};
  film->settings.stability = HARDLY_STABLE;
  show (film, patches);
  g_assert_cmpuint (film->stats.n_bins, ==, n_colours + 1);
  g_assert_cmpuint (film->stats.n_held, ==, n_colours);
  if (is_reached)
    patches[0].shown = patches[1].shown = base + (distance + 2) / 4;
  show (film, patches);
}

/* B is 23, 47, 96 and 192 eighths, and codes are 8. The mean of what weighs 3 and 1
 * is a quarter of the way. */
static void
test_reach (void)
{
  check_reach (1, eotf_of_1, 0, 40, 2, TRUE);
  check_reach (1, eotf_of_1, 0, 40, 3, FALSE);
  check_reach (4, eotf_of_4, 20, 100, 5, TRUE);
  check_reach (4, eotf_of_4, 20, 100, 6, FALSE);
  check_reach (16, eotf_of_16, 5, 100, 12, TRUE);
  check_reach (16, eotf_of_16, 5, 100, 13, FALSE);
  check_reach (64, eotf_of_64, 3, 225, 24, TRUE);
  check_reach (64, eotf_of_64, 3, 225, 25, FALSE);
}

/* What is within reach, but another mode's, counts for that one only. */
static void
test_own_bins (void)
{
  static const Patch patches[] = {
    {10, 300, 10}, {100, 300, 100}, {103, 300, 103}, {140, 300, 140}, {0}
  };
  g_autoptr (Film) film = film_new ();

  film->settings.stability = HARDLY_STABLE;
  show_often (film, patches, 3);
}

/* Nothing moves where nothing changes, but the property that is the radius
 * otherwise. */
static void
test_nothing_changes (void)
{
  g_autoptr (Film) film = film_new ();

  film->settings.stability = HARDLY_STABLE;
  show (film, lopsided);
  film->settings.palette.radius = 0.2;
  show_again (film, lopsided);
  show (film, lopsided_moved);
}

static const Patch darker[] = {
  {10, 300, 10}, {60, 300, 60}, {140, 300, 140}, {100, 400, 100}, {0}
};

static const Patch lighter[] = {
  {10, 300, 10}, {60, 300, 60}, {140, 300, 140}, {102, 200, 100},
  {100, 200, 100}, {0}
};

static const Patch lighter_moved[] = {
  {10, 300, 10}, {60, 300, 60}, {140, 300, 140}, {102, 200, 101},
  {100, 200, 101}, {0}
};

/* What another format begins has no unrest: modes have 256 to go. 132 of 4096 parts
 * of what is left are 8 three times, 7 and 6 five times, 5 six times and 4 three
 * times, more than half. */
static void
test_glide (void)
{
  g_autoptr (Film) film = film_new ();

  show (film, darker);
  film->settings.format++;
  show_often (film, lighter, 22);
  show (film, lighter_moved);
}

/* In 993 milliseconds they go half of the way, in 992 less; those of held frames
 * count. */
static void
test_time (void)
{
  for (guint is_held = 0; is_held < 2; is_held++)
    for (guint ms = 992; ms < 994; ms++) {
      g_autoptr (Film) film = film_new ();

      show (film, darker);
      film->settings.format++;
      film->settings.hold = is_held;
      film->interval = is_held ? 200 * MS : ms * MS;
      show (film, lighter);
      if (is_held) {
        film->settings.hold = FALSE;
        film->interval = (ms - 200) * MS;
        show (film, lighter);
      }
      film->interval = NO_TIME;
      show (film, ms == 992 ? lighter : lighter_moved);
    }
}

/* e is 128 in twelve of sixteen blocks: U is 48, the part 132 + 3964 · 48 / 64, and
 * 1024 times 3105 parts are 776: 103 and less than a half. */
static void
test_unrest_of_many (void)
{
  static const Patch before[] = {
    {100, 3072, 100}, {10, 341, 10}, {60, 341, 60}, {140, 342, 140}, {0}
  };
  static const Patch behind[] = {
    {104, 3072, 100}, {10, 341, 10}, {60, 341, 60}, {140, 342, 140}, {0}
  };
  static const Patch moved[] = {
    {104, 3072, 103}, {10, 341, 10}, {60, 341, 60}, {140, 342, 140}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, before);
  show (film, behind);
  show (film, moved);
}

/* U is 64: modes go all of the way. */
static void
test_unrest_of_all (void)
{
  static const Patch before[] = {
    {100, 1024, 100}, {10, 1024, 10}, {60, 1024, 60}, {140, 1024, 140}, {0}
  };
  static const Patch behind[] = {
    {101, 1024, 100}, {11, 1024, 10}, {61, 1024, 60}, {141, 1024, 140}, {0}
  };
  static const Patch moved[] = {
    {101, 1024, 101}, {11, 1024, 11}, {61, 1024, 61}, {141, 1024, 141}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, before);
  show (film, behind);
  show (film, moved);
}

/* --- one goes --- */

/* @n of 108 come. They are as far from 100 as it takes not to hesitate, but wait for
 * their mode in a film that is old. */
static void
check_one_goes (guint n, gboolean goes, gboolean is_old)
{
  static const Patch before[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {14, 7, 14}, {15, 3, 14},
    {0}
  };
  const guint lost = goes ? 10 : 14;
  const Patch behind[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {14, 7, 14}, {15, 3, 14},
    {108, n, 100}, {0}
  };
  const Patch then[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {14, 7, lost}, {15, 3, lost},
    {108, n, goes && !is_old ? 108 : 100}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show_often (film, before, is_old ? 10 : 1);
  film->interval = NO_TIME;
  show (film, behind);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
  show_often (film, then, 3);
  g_assert_cmpuint (film->stats.n_held, ==, goes && is_old ? 3 : 4);
}

/* 14, with 15, is worth 10 times 32², less than 140, of which there are fewer, and
 * than 10, which is as near. Four times that are 40960, as much as 10 at 108 gain:
 * that is not enough. For 11 it goes; who held it has the nearest in the next frame,
 * not what is in its slot. */
static void
test_one_goes (void)
{
  for (guint is_old = 0; is_old < 2; is_old++) {
    check_one_goes (10, FALSE, is_old);
    check_one_goes (11, TRUE, is_old);
  }
}

/* 10 and 14 are worth the same. */
static void
test_first_of_several_goes (void)
{
  static const Patch before[] = {
    {60, 400, 60}, {100, 400, 100}, {14, 10, 14}, {10, 10, 10}, {0}
  };
  static const Patch behind[] = {
    {60, 400, 60}, {100, 400, 100}, {14, 10, 14}, {10, 10, 10}, {108, 11, 100},
    {0}
  };
  static const Patch then[] = {
    {60, 400, 60}, {100, 400, 100}, {14, 10, 14}, {10, 10, 14}, {108, 11, 108},
    {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, before);
  film->interval = NO_TIME;
  show (film, behind);
  show (film, then);
}

/* In a second what weighs 1000 and becomes 100 is 550, be one half of it held. It is
 * worth as much as 550 at 108, four times. The first time it is 100 at once. */
static void
test_weight_follows (void)
{
  static const Patch before[] = {
    {10, 2000, 10}, {100, 400, 100}, {140, 50, 140}, {14, 1000, 14}, {0}
  };
  static const struct
  {
    gboolean is_first_held, is_second_held;
    guint n;
    gboolean goes;
  } cases[] = {
    {FALSE, FALSE, 550, FALSE}, {FALSE, FALSE, 551, TRUE},
    {FALSE, TRUE, 550, FALSE}, {FALSE, TRUE, 551, TRUE},
    {TRUE, FALSE, 100, FALSE}, {TRUE, FALSE, 101, TRUE}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const gboolean is_in_two = cases[i].is_second_held;
    const Patch behind[] = {
      {10, 2000, 10}, {100, 400, 100}, {140, 50, 140}, {14, 100, 14},
      {108, cases[i].n, 100}, {0}
    };
    const Patch then[] = {
      {10, 2000, 10}, {100, 400, 100}, {140, 50, 140},
      {14, 100, cases[i].goes ? 10 : 14},
      {108, cases[i].n, cases[i].goes ? 108 : 100}, {0}
    };
    g_autoptr (Film) film = film_new ();

    film->settings.hold = cases[i].is_first_held;
    show (film, before);
    film->interval = (is_in_two ? 500 : 1000) * MS;
    film->settings.hold = TRUE;
    if (is_in_two)
      show (film, behind);
    film->settings.hold = FALSE;
    show (film, behind);
    film->interval = 1000 * MS;
    show (film, then);
  }
}

/* 14 moves to 16 behind this frame, where it would be worth more than twice as
 * much. */
static void
test_worth_before_moving (void)
{
  static const Patch before[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {14, 10, 14}, {0}
  };
  static const Patch behind[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {16, 10, 14}, {108, 11, 100},
    {0}
  };
  static const Patch then[] = {
    {10, 400, 10}, {100, 400, 100}, {140, 5, 140}, {16, 10, 10}, {108, 11, 108},
    {0}
  };
  g_autoptr (Film) film = film_new ();

  film->settings.stability = HARDLY_STABLE;
  show (film, before);
  film->interval = NO_TIME;
  show (film, behind);
  show (film, then);
}

/* What is at home gains nothing, two eighths from the middle of its bin: 11 stays,
 * though four times 64 is less than 1000 times 4. In the second frame no slot could
 * be taken again. */
static void
test_no_gain_from_home (void)
{
  static const Patch patches[] = {
    {10, 300, 10}, {11, 1, 11}, {100, 1000, 100}, {140, 300, 140}, {0}
  };
  g_autoptr (Film) film = film_new_of (4, eotf_beside, HEIGHT);

  show (film, patches);
  film->settings.hold = TRUE;
  show (film, patches);
}

/* The only one stays, however far others are. */
static void
test_only_one (void)
{
  static const Patch before[] = {
    {40, 100, 40}, {60, 10, 40}, {0}
  };
  static const Patch behind[] = {
    {40, 10, 40}, {60, 100, 40}, {0}
  };
  g_autoptr (Film) film = film_new_of (1, eotf_of_1, HEIGHT);

  show (film, before);
  film->settings.hold = TRUE;
  show (film, behind);
}

/* Four times 2336 times 43² are less than 4353 times 63², by one, but not in 24 bits
 * of 31. */
static void
test_leading_bits_of_worth (void)
{
  static const Patch before[] = {
    {0, 2337, 0}, {43, 2336, 43}, {0}
  };

  for (guint n = 4353; n < 4355; n++) {
    const gboolean goes = n > 4353;
    const Patch behind[] = { {0, 10, 0}, {43, 10, 43}, {106, n, 43}, {0} };
    const Patch then[] = {
      {0, 10, 0}, {43, 10, goes ? 0 : 43}, {106, n, goes ? 106 : 43}, {0}
    };
    g_autoptr (Film) film = film_new_of (2, eotf_of_2, 512);

    show (film, before);
    film->interval = NO_TIME;
    show (film, behind);
    show (film, then);
  }
}

/* 20563 times 41² are more than 21604 times 40², by three, but not in 24 bits of 32: 0
 * goes, which is in the slot before 81. Four times that are less than 62593 times
 * 47². */
static void
test_leading_bits_of_several (void)
{
  static const Patch before[] = {
    {0, 20563, 0}, {41, 21605, 41}, {81, 21604, 81}, {0}
  };
  static const Patch behind[] = {
    {0, 10, 0}, {41, 10, 41}, {81, 10, 81}, {128, 62593, 81}, {0}
  };
  static const Patch then[] = {
    {0, 10, 41}, {41, 10, 41}, {81, 10, 81}, {128, 62593, 128}, {0}
  };
  g_autoptr (Film) film = film_new_of (3, eotf_of_3, 4096);

  show (film, before);
  film->interval = NO_TIME;
  show (film, behind);
  show (film, then);
}

static const Patch with_140[] = {
  {10, 400, 10}, {60, 400, 60}, {100, 400, 100}, {140, 3, 140}, {0}
};

/* One that no pixel holds any more, and no summit belongs to, goes, and its slot is
 * taken in the frame behind. Pixels wait for two frames, with both. */
static void
test_not_held (void)
{
  static const guint shown[] = { 140, 140, 100, 100, 100, 108, 108 };
  g_autoptr (Film) film = film_new ();

  grow_old (film, with_140);
  for (guint i = 0; i < G_N_ELEMENTS (shown); i++) {
    const Patch patches[] = {
      {10, 400, 10}, {60, 400, 60}, {100, 400, 100}, {108, 3, shown[i]}, {0}
    };

    show (film, patches);
    g_assert_cmpuint (film->stats.n_held, ==, shown[i] == 100 ? 3 : 4);
  }
}

/* In a young film they do not wait. Where it was nothing is at home, nor near, and
 * while the palette is held no summit belongs to it. */
static void
test_back_again (void)
{
  static const Patch without[] = {
    {10, 400, 10}, {60, 400, 60}, {100, 400, 100}, {100, 3, 100}, {0}
  };
  static const Patch held[] = {
    {10, 400, 10}, {60, 400, 60}, {100, 400, 100}, {140, 3, 100}, {0}
  };
  g_autoptr (Film) film = film_new ();

  show (film, with_140);
  show (film, without);
  film->settings.hold = TRUE;
  show (film, held);
  film->settings.hold = FALSE;
  show (film, with_140);
}

/* --- what frames are --- */

/* While a palette is held none goes: what is back finds it. */
static void
test_held_modes_stay (void)
{
  static const Patch without[] = {
    {10, 400, 10}, {60, 400, 60}, {100, 400, 100}, {105, 3, 100}, {0}
  };

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Film) film = film_new ();

    film->settings.update_interval = i ? 1000 : 1;
    show (film, with_140);
    film->settings.hold = !i;
    show_often (film, without, 5);
    g_assert_cmpuint (film->stats.n_held, ==, 3);
    show (film, with_140);
  }
}

/* Every third frame of stability 0 knows no modes. Behind it modes go all of their
 * way, and nobody hesitates: 81 is nearer to 100, 80 is not. */
static void
test_without_stability (void)
{
  static const Patch held[] = {
    {10, 300, 10}, {60, 298, 60}, {80, 1, 60}, {81, 1, 101}, {140, 300, 140},
    {99, 40, 101}, {100, 80, 101}, {0}
  };
  g_autoptr (Film) film = film_new ();

  film->settings.stability = 0;
  film->settings.update_interval = 3;
  show (film, lopsided);
  show (film, lopsided_moved);
  show (film, held);
  show (film, lopsided);
  film->settings.update_interval = 1;
  show (film, darker);
  show (film, lopsided);
}

static const Patch in_the_dark[] = {
  {10, 100, 10}, {12, 100, 12}, {14, 100, 14}, {16, 100, 16}, {0}
};

static const Patch in_the_light[] = {
  {120, 100, 120}, {122, 100, 122}, {124, 100, 124}, {126, 100, 126}, {0}
};

static const Patch in_a_light_too_bright[] = {
  {120, 100, 16}, {122, 100, 16}, {124, 100, 16}, {126, 100, 16}, {0}
};

/* All slots are free behind it, be the palette held or not, but for hold. */
static void
test_cut (void)
{
  for (guint i = 0; i < 4; i++) {
    g_autoptr (Film) film = film_new ();

    film->settings.scene_cut_threshold = i < 3 ? 0.01 : 0;
    film->settings.update_interval = i == 1 ? 1000 : 1;
    show (film, in_the_dark);
    film->settings.hold = i == 2;
    show (film, i < 2 ? in_the_light : in_a_light_too_bright);
    g_assert_cmpint (film->stats.is_cut, ==, i < 3);
  }
}

/* Each is a first frame, with one colour less, with none, with four. Else modes would
 * stay with the colours before. */
static void
test_other_numbers (void)
{
  static const Patch four[] = {
    {10, 400, 10}, {60, 400, 60}, {100, 300, 100}, {140, 400, 140}, {0}
  };
  static const Patch three[] = {
    {11, 400, 11}, {61, 400, 61}, {100, 300, 61}, {141, 400, 141}, {0}
  };
  static const Patch next[] = {
    {12, 400, 12}, {62, 400, 62}, {101, 300, 101}, {142, 400, 142}, {0}
  };
  static const Patch last[] = {
    {13, 400, 13}, {63, 400, 63}, {102, 300, 102}, {143, 400, 143}, {0}
  };
  g_autoptr (Film) film = film_new ();

  film->settings.palette.radius = 0.02;
  show (film, four);
  film->settings.colors = 0;
  show (film, next);
  film->settings.colors = 4;
  show (film, last);
  film->settings.colors = 3;
  show (film, three);
}

/* Then the number means nothing: who is not much nearer to 107 hesitates as before,
 * and the radius is the property. */
static void
test_beside_a_palette (void)
{
  static const Patch before[] = {
    {100, 299, 100}, {100, 1, 100}, {107, 300, 107}, {0}
  };
  static const Patch behind[] = {
    {100, 299, 100}, {107, 1, 100}, {107, 300, 107}, {0}
  };
  static const Patch in_one_bin[] = {
    {100, 300, 100}, {107, 300, 100}, {0}
  };
  g_autoptr (Film) film = film_new ();

  film->settings.palette.radius = 0.02;
  film->settings.n_colours = 2;
  film->settings.colours[0] = 100 * 0x010101;
  film->settings.colours[1] = 107 * 0x010101;
  grow_old (film, before);
  film->settings.colors = 16;
  show_often (film, behind, 5);
  g_assert_cmpuint (film->stats.n_bins, ==, 2);
  film->settings.palette.radius = 1;
  show (film, in_one_bin);
  g_assert_cmpuint (film->stats.n_bins, ==, 1);
}

/* --- pictures --- */

static guint
count_colours (const guint8 * picture, guint n_pixels)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (guint i = 0; i < n_pixels; i++)
    if (picture[4 * i + 3] != 0)
      g_hash_table_add (colours, GUINT_TO_POINTER (picture[4 * i] << 16
              | picture[4 * i + 1] << 8 | picture[4 * i + 2]));
  return g_hash_table_size (colours);
}

/* There are never more, whatever they become. */
static void
test_pictures (void)
{
  static const guint numbers[] = { 1, 3, 16, 256 };

  for (guint i = 0; generated_names[i] != NULL; i++)
    for (guint n = 0; n < G_N_ELEMENTS (numbers); n++) {
      g_autoptr (ReferenceTemporal) temporal =
          reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
      const ReferenceTemporalSettings settings = {
        .colors = numbers[n],.stability = 0.5,.bin_capacity = 600
      };

      for (guint frame = 0; frame < 3; frame++) {
        g_autofree guint8 *picture =
            generated_picture_new (generated_names[i], 41, 35, 1 + frame);
        ReferenceTemporalStats stats;

        reference_temporal_frame (temporal, &settings, 0, picture, 41, 35,
            picture, &stats);
        g_assert_cmpuint (stats.n_strays, ==, 0);
        g_assert_cmpuint (stats.n_held, <=, numbers[n]);
        g_assert_cmpuint (count_colours (picture, 41 * 35), <=, stats.n_held);
      }
    }
}

void
test_reference_add_colour_limit (void)
{
  g_test_add_func ("/colours/radius", test_radius);
  g_test_add_func ("/colours/greatest-gain", test_greatest_gain);
  g_test_add_func ("/colours/first-in-order", test_first_in_order);
  g_test_add_func ("/colours/weight-of-summit", test_weight_of_summit);
  g_test_add_func ("/colours/colour-of-summit", test_colour_of_summit);
  g_test_add_func ("/colours/few-summits", test_few_summits);
  g_test_add_func ("/colours/gain-at-home", test_gain_at_home);
  g_test_add_func ("/colours/home-elsewhere", test_home_elsewhere);
  g_test_add_func ("/colours/leading-bits-of-gain", test_leading_bits_of_gain);
  g_test_add_func ("/colours/free-slots", test_free_slots);
  g_test_add_func ("/colours/first-free-slot", test_first_free_slot);
  g_test_add_func ("/colours/nearest-colour", test_nearest_colour);
  g_test_add_func ("/colours/held-from-the-first", test_held_from_the_first);
  g_test_add_func ("/colours/middle-of-merged", test_middle_of_merged);
  g_test_add_func ("/colours/hesitation", test_hesitation);
  g_test_add_func ("/colours/reach", test_reach);
  g_test_add_func ("/colours/own-bins", test_own_bins);
  g_test_add_func ("/colours/nothing-changes", test_nothing_changes);
  g_test_add_func ("/colours/glide", test_glide);
  g_test_add_func ("/colours/time", test_time);
  g_test_add_func ("/colours/unrest-of-many", test_unrest_of_many);
  g_test_add_func ("/colours/unrest-of-all", test_unrest_of_all);
  g_test_add_func ("/colours/one-goes", test_one_goes);
  g_test_add_func ("/colours/first-of-several-goes",
      test_first_of_several_goes);
  g_test_add_func ("/colours/weight-follows", test_weight_follows);
  g_test_add_func ("/colours/worth-before-moving", test_worth_before_moving);
  g_test_add_func ("/colours/no-gain-from-home", test_no_gain_from_home);
  g_test_add_func ("/colours/only-one", test_only_one);
  g_test_add_func ("/colours/leading-bits-of-worth",
      test_leading_bits_of_worth);
  g_test_add_func ("/colours/leading-bits-of-several",
      test_leading_bits_of_several);
  g_test_add_func ("/colours/not-held", test_not_held);
  g_test_add_func ("/colours/back-again", test_back_again);
  g_test_add_func ("/colours/held-modes-stay", test_held_modes_stay);
  g_test_add_func ("/colours/without-stability", test_without_stability);
  g_test_add_func ("/colours/cut", test_cut);
  g_test_add_func ("/colours/other-numbers", test_other_numbers);
  g_test_add_func ("/colours/beside-a-palette", test_beside_a_palette);
  g_test_add_func ("/colours/pictures", test_pictures);
}
