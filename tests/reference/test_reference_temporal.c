/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "test_reference.h"
#include "generated.h"
#include "reference_live.h"
#include "reference_temporal.h"

#include <string.h>

/* Four blocks of 256 pixels. */
#define WIDTH 64
#define HEIGHT 16

#define MS G_GUINT64_CONSTANT (1000000)

/* A film of greys, in which every second frame lacks the last pixel, so that none
 * is as the one before. */
typedef struct
{
  ReferenceTemporal *temporal;
  ReferenceTemporalSettings settings;
  guint64 interval;
  guint width;
  guint8 picture[WIDTH * HEIGHT * 4];
  guint8 shown[WIDTH * HEIGHT * 4];
  ReferenceTemporalStats stats;
} Film;

/* With this transfer function the lightness of a grey is proportional to its
 * code. 65536 / 255 steps a code and a pitch of ⌊0.01176 · 65536 / 3 + 1/2⌋ =
 * 257: the coordinate of a grey's bin is its code, so that codes are 8 eighths
 * of a bin apart. */
static gdouble
even_eotf (gdouble code)
{
  return code * code * code;
}

static void
fill_columns (Film * film, guint from, guint to, guint code)
{
  for (guint i = 0; i < film->width * HEIGHT; i++)
    if (i % film->width >= from && i % film->width < to)
      memset (film->picture + 4 * i, (gint) code, 3);
}

static void
set_pixel (Film * film, guint i, guint code)
{
  memset (film->picture + 4 * i, (gint) code, 3);
}

/* What was 100 becomes 101, but for a pixel: the mode's home stays occupied. */
static void
lighten (Film * film)
{
  fill_columns (film, 0, 48, 101);
  set_pixel (film, 2, 100);
}

static guint
code_of (const Film * film, guint i)
{
  g_assert_cmpuint (film->shown[4 * i], ==, film->shown[4 * i + 1]);
  g_assert_cmpuint (film->shown[4 * i], ==, film->shown[4 * i + 2]);
  return film->shown[4 * i];
}

/* Three blocks of code 100, the last of @code. */
static Film *
film_new_with_slots (gdouble stability, guint code, guint n_slots)
{
  Film *film = g_new0 (Film, 1);

  film->temporal = reference_temporal_new (n_slots);
  film->settings.palette.radius = 0.01176;
  film->settings.palette.transfer = REFERENCE_TRANSFER_CUSTOM;
  film->settings.palette.eotf = even_eotf;
  film->settings.bin_capacity = REFERENCE_LIVE_CAPACITY;
  film->settings.stability = stability;
  film->width = WIDTH;
  memset (film->picture, 255, sizeof film->picture);
  fill_columns (film, 0, 48, 100);
  fill_columns (film, 48, 64, code);
  return film;
}

static Film *
film_new (gdouble stability, guint code)
{
  return film_new_with_slots (stability, code, REFERENCE_TEMPORAL_SLOTS);
}

static void
film_free (Film * film)
{
  reference_temporal_free (film->temporal);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* The very picture. */
static void
show_again (Film * film)
{
  reference_temporal_frame (film->temporal, &film->settings, film->interval,
      film->picture, film->width, HEIGHT, film->shown, &film->stats);
}

static void
show (Film * film)
{
  film->picture[4 * film->width * HEIGHT - 1] ^= 255;
  show_again (film);
}

static void
show_often (Film * film, guint n)
{
  while (n-- > 0)
    show (film);
}

/* A first frame and 250 milliseconds. */
static void
grow_old (Film * film)
{
  show_often (film, 10);
}

static void
test_first_frame_is_live (void)
{
  static const gdouble radii[] = { 0.005, 0.02, 0.05 };

  for (guint i = 0; generated_names[i] != NULL; i++)
    for (guint r = 0; r < 2 * G_N_ELEMENTS (radii); r++) {
      g_autoptr (ReferenceTemporal) temporal =
          reference_temporal_new (REFERENCE_TEMPORAL_SLOTS);
      ReferenceTemporalSettings settings = {
        .palette.radius = radii[r / 2],.palette.weighting = r % 2,
        .bin_capacity = 600,.stability = 0.5,.scene_cut_threshold = 0.1
      };
      g_autofree guint8 *picture =
          generated_picture_new (generated_names[i], 41, 35, 1);
      g_autofree guint8 *wanted = g_malloc (4 * 41 * 35);
      ReferenceTemporalStats stats;
      ReferenceLiveStats live;

      reference_live_with_capacity (&settings.palette, 600, picture, 41, 35,
          wanted, &live);
      reference_temporal_frame (temporal, &settings, 0, picture, 41, 35,
          picture, &stats);
      g_assert_cmpmem (picture, 4 * 41 * 35, wanted, 4 * 41 * 35);
      g_assert_cmpuint (stats.n_bins, ==, live.n_bins);
      g_assert_cmpuint (stats.n_merges, ==, live.n_merges);
      g_assert_cmpuint (stats.n_summits, ==, live.n_summits);
      g_assert_cmpuint (stats.n_held, ==, live.n_summits);
      g_assert_cmpuint (stats.n_strays, ==, 0);
      g_assert_false (stats.is_cut);
    }
}

/* How many frames it takes a pixel to leave; 0 for more than 100. */
static guint
count_frames (Film * film, guint pixel, guint code)
{
  const guint before = code_of (film, pixel);

  set_pixel (film, pixel, code);
  for (guint n = 1; n <= 100; n++) {
    show (film);
    if (code_of (film, pixel) == code)
      return n;
    g_assert_cmpuint (code_of (film, pixel), ==, before);
  }
  return 0;
}

/* M is 60 at σ = 1/2, which is seven codes and a half. It leaves when it has been
 * waiting for more than 75 milliseconds; others in proportion. */
static void
test_hesitation (void)
{
  static const struct
  {
    gdouble stability;
    guint64 interval;
    guint distance, n_frames;
  } cases[] = {
    {0.5, 0, 20, 3}, {0.5, 33333333, 20, 3}, {0.5, 33333333, 8, 3},
    {0.5, 33333333, 7, 0},
    {0.25, 0, 4, 2}, {0.25, 0, 3, 0}, {1, 0, 16, 5}, {1, 0, 15, 0},
    {0.5, 16 * MS, 20, 5}, {0.5, 38 * MS - 1, 20, 3}, {0.5, 38 * MS, 20, 2},
    {0.5, 76 * MS - 1, 20, 2}, {0.5, 76 * MS, 20, 1}, {0.5, 1, 20, 76},
    {0.5, 1000 * 1000 * MS, 20, 1},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = 100 + cases[i].distance;
    g_autoptr (Film) film = film_new (cases[i].stability, other);

    grow_old (film);
    film->interval = cases[i].interval;
    g_assert_cmpuint (count_frames (film, 5, other), ==, cases[i].n_frames);
    g_assert_cmpuint (film->stats.n_held, ==, 2);
  }
}

/* A pixel whose own colour is not that of the mode it is offered. At 108 it is 64
 * eighths from 100, which it holds, 16 from 110 and 24 from 111: 64² is more
 * than 60² + 16², and less than 60² + 24². Fewer and fewer pixels lead there. */
static void
test_both_distances (void)
{
  for (guint far = 0; far < 2; far++) {
    g_autoptr (Film) film = film_new (0.5, 110 + far);

    for (guint i = 0; i < 16; i++)
      set_pixel (film, 48 + i, 109 + far);
    for (guint i = 0; i < 4; i++)
      set_pixel (film, 48 + WIDTH + i, 109);
    grow_old (film);
    g_assert_cmpuint (film->stats.n_summits, ==, 2);
    set_pixel (film, 5, 108);
    show_often (film, 2);
    g_assert_cmpuint (code_of (film, 5), ==, 100);
    show_often (film, 5);
    g_assert_cmpuint (code_of (film, 5), ==, far ? 100 : 110);
  }
}

/* With every frame of 33 milliseconds pixels hesitate more: H is ⌊60 · age · 128
 * / 32000⌋, 15 of 66 and 23 of 99 milliseconds, 55 of 231 and 60 of 250. They
 * do not wait before that. */
static void
test_age (void)
{
  static const struct
  {
    guint frame, distance, n_frames;
  } cases[] = {
    {2, 2, 1}, {3, 3, 1}, {7, 7, 1}, {7, 20, 1}, {8, 8, 3}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint other = 100 + cases[i].distance;
    g_autoptr (Film) film = film_new (0.5, other);

    show_often (film, cases[i].frame);
    g_assert_cmpuint (count_frames (film, 5, other), ==, cases[i].n_frames);
  }
  for (guint frame = 3; frame < 9; frame += 5) {
    const guint other = frame == 3 ? 102 : 107;
    g_autoptr (Film) film = film_new (0.5, other);

    show_often (film, frame);
    g_assert_cmpuint (count_frames (film, 5, other), ==, 0);
  }
}

/* Who was back for a frame waits anew. */
static void
test_waiting_ends (void)
{
  static const gchar flips[] = "110110110111";
  g_autoptr (Film) film = film_new (0.5, 120);

  grow_old (film);
  for (guint i = 0; flips[i]; i++) {
    set_pixel (film, 5, flips[i] == '1' ? 120 : 100);
    show (film);
    g_assert_cmpuint (code_of (film, 5), ==, flips[i + 1] ? 100 : 120);
  }
}

/* So does who is offered a mode that is not clearly nearer. */
static void
test_waiting_ends_near (void)
{
  static const guint codes[] = { 120, 120, 107, 120, 120, 120 };
  g_autoptr (Film) film = film_new (0.5, 120);

  fill_columns (film, 32, 48, 107);
  grow_old (film);
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++) {
    set_pixel (film, 5, codes[i]);
    show (film);
    g_assert_cmpuint (code_of (film, 5), ==, i < 5 ? 100 : 120);
  }
}

/* Frames until a mode that is a code value away shows the colour; each third one
 * is shown again, and again, with another alpha. A pixel stays, so that the mode's
 * home is occupied. */
static guint
count_glide (Film * film, guint code)
{
  const guint before = code_of (film, 2);

  fill_columns (film, 0, 48, code);
  set_pixel (film, 2, before);
  for (guint n = 1; n < 100; n++) {
    show (film);
    for (guint again = 0; n % 3 == 0 && again < 20; again++) {
      const guint shown = code_of (film, 0);

      film->interval = 40 * MS;
      film->picture[4 * 0 + 3] ^= 1;
      show_again (film);
      film->interval = 0;
      g_assert_cmpuint (code_of (film, 0), ==, shown);
      g_assert_cmpuint (film->shown[4 * 0 + 3], ==, 255 - (again + 1) % 2);
    }
    if (code_of (film, 0) == code)
      return n;
  }
  g_assert_not_reached ();
}

/* 409 of 4096 parts of what is left of 256 are 26, 23, 21, 19, 17, 15 and 13,
 * of -256 as many: seven frames to half of it. */
static void
test_glide (void)
{
  g_autoptr (Film) film = film_new (0.5, 120);

  grow_old (film);
  g_assert_cmpuint (count_glide (film, 101), ==, 7);
  show_often (film, 100);
  g_assert_cmpuint (count_glide (film, 100), ==, 7);
}

/* 2041 parts of 256 are 128 and make half a code value, 2037 are 127. */
static void
test_time_constant (void)
{
  static const struct
  {
    gdouble stability;
    guint64 interval;
    guint shown;
  } cases[] = {
    {0.5, 298 * MS, 101}, {0.5, 297 * MS, 100}, {1, 596 * MS, 101},
    {1, 594 * MS, 100}, {0.0000000001, 1, 101}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_new (cases[i].stability, 120);

    grow_old (film);
    lighten (film);
    film->interval = cases[i].interval;
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, cases[i].shown);
  }
}

/* A little of 99 and 100 is around 100, and more of 101: the mean is 100.85, or
 * 100 where each colour weighs 1. What there is of 97 is too far away. */
static void
test_mean_around (void)
{
  for (guint by_colours = 0; by_colours < 2; by_colours++) {
    g_autoptr (Film) film = film_new (0.0000000001, 200);

    film->settings.palette.weighting = by_colours
        ? REFERENCE_WEIGHTING_PALETTE : REFERENCE_WEIGHTING_FREQUENCY;
    show (film);
    fill_columns (film, 0, 2, 99);
    fill_columns (film, 4, 40, 101);
    fill_columns (film, 40, 48, 97);
    show (film);
    g_assert_cmpuint (code_of (film, 20), ==, by_colours ? 100 : 101);
  }
}

/* All blocks become lighter by @codes, or half of them by twice as much. */
static gboolean
is_cut (gdouble threshold, guint codes, gboolean half)
{
  g_autoptr (Film) film = film_new (0.5, 100);

  film->settings.scene_cut_threshold = threshold;
  grow_old (film);
  g_assert_false (film->stats.is_cut);
  fill_columns (film, half ? 32 : 0, 64, 100 + (half ? 2 : 1) * codes);
  show (film);
  return film->stats.is_cut;
}

/* A tenth of 65280 is 25.5 code values. */
static void
test_cut (void)
{
  for (guint half = 0; half < 2; half++) {
    g_assert_false (is_cut (0.1, 25, half));
    g_assert_true (is_cut (0.1, 26, half));
    /* 25 code values are not more than 25. */
    g_assert_false (is_cut (6400.49 / 65280, 25, half));
    g_assert_true (is_cut (6399.49 / 65280, 25, half));
    g_assert_false (is_cut (6399.5 / 65280, 25, half));
    g_assert_false (is_cut (0, 70, half));
    g_assert_false (is_cut (0.49 / 65280, 70, half));
  }
}

/* No mode is left, and who has been holding one does not wait. */
static void
test_after_cut (void)
{
  for (guint is_cut = 0; is_cut < 2; is_cut++) {
    g_autoptr (Film) film = film_new (0.5, 102);

    grow_old (film);
    film->settings.scene_cut_threshold = is_cut ? 0.1 : 0;
    fill_columns (film, 16, 32, 101);
    fill_columns (film, 32, 64, 250);
    show (film);
    g_assert_cmpint (film->stats.is_cut, ==, is_cut);
    show_again (film);
    g_assert_false (film->stats.is_cut);
    g_assert_cmpuint (code_of (film, 20), ==, is_cut ? 101 : 100);
    show (film);
    g_assert_false (film->stats.is_cut);
    g_assert_cmpuint (count_frames (film, 5, 250), ==, is_cut ? 1 : 3);
  }
}

/* Of lumas of 167 pixels that are lighter by a code, and of one that is by
 * two, 41 is unrest, of 168 it is 42: H is 16 or 15 at an age of 99, and the
 * pixel 16 eighths away. */
static void
test_unrest (void)
{
  for (guint more = 0; more < 2; more++) {
    g_autoptr (Film) film = film_new (0.5, 102);

    fill_columns (film, 0, 13, 200);
    show_often (film, 3);
    for (guint i = 0, n = 0; n < 167 + more; i++)
      if (i % WIDTH < 13) {
        set_pixel (film, i, 201);
        n++;
      }
    set_pixel (film, 15, 102);
    set_pixel (film, 40, 102);
    show (film);
    g_assert_cmpuint (code_of (film, 15), ==, more ? 102 : 100);
    g_assert_cmpuint (code_of (film, 40), ==, 100);
  }
}

/* Of 416, what the light of a block departs by, 862 parts of 4096 are gone in
 * each frame: 328 are left, 259. With a pixel that becomes darker by 72 the 328
 * are 256, for which nobody waits; by 4, the 259 are 255. Then H is so small that it
 * begins to wait, and grows before it is done. */
static void
test_unrest_ends (void)
{
  static const struct
  {
    guint n_before, darker, n_frames;
  } cases[] = {
    {0, 72, 1}, {1, 72, 1}, {2, 72, 3}, {2, 4, 0}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint code = 100 + cases[i].darker;
    g_autoptr (Film) film = film_new (0.5, code);

    fill_columns (film, 0, 13, 200);
    set_pixel (film, 15, code);
    grow_old (film);
    fill_columns (film, 0, 13, 202);
    show_often (film, cases[i].n_before);
    g_assert_cmpuint (code_of (film, 15), ==, code);
    g_assert_cmpuint (count_frames (film, 15, 100), ==, cases[i].n_frames);
  }
}

/* While the light of all around departs by two codes, a pixel that is as it was in
 * the frame before hesitates: it waits for the third frame, whatever its alpha. */
static void
test_unrest_is_of_change (void)
{
  for (guint changes = 0; changes < 2; changes++) {
    g_autoptr (Film) film = film_new (0.5, 120);

    grow_old (film);
    set_pixel (film, 5, 120);
    show (film);
    g_assert_cmpuint (code_of (film, 5), ==, 100);
    fill_columns (film, 0, 16, 102);
    set_pixel (film, 5, 120 + changes);
    film->picture[4 * 5 + 3] = 9;
    show (film);
    g_assert_cmpuint (code_of (film, 5), ==, changes ? 120 : 100);
    show (film);
    g_assert_cmpuint (code_of (film, 5), ==, 120);
  }
}

/* A block that nothing of is counted any more is dark. */
static void
test_light_of_nothing (void)
{
  g_autoptr (Film) film = film_new (0.5, 100);

  /* A hundred codes in each of four blocks. */
  film->settings.scene_cut_threshold = 99.9 / 255;
  show (film);
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    film->picture[4 * i + 3] = 0;
  show_again (film);
  g_assert_true (film->stats.is_cut);
  g_assert_cmpuint (film->stats.n_held, ==, 0);
}

/* 100 and 102 come to 101 from either side; until then the summit belongs to the
 * first of them, in order of bins: the last slot of three, for it was the last to
 * come. The others hold what they have. A pixel of each colour stays, so that their
 * homes are occupied. */
static void
test_modes_meet (void)
{
  g_autoptr (Film) film = film_new (0.5, 102);

  fill_columns (film, 0, 16, 102);
  fill_columns (film, 16, 32, 50);
  fill_columns (film, 32, 48, 102);
  show (film);
  fill_columns (film, 32, 48, 100);
  /* At an age of less than 99 they do not hesitate. */
  show (film);
  g_assert_cmpuint (code_of (film, 40), ==, 100);
  grow_old (film);
  g_assert_cmpuint (film->stats.n_held, ==, 3);
  film->picture[3] = 0;
  show (film);
  film->picture[3] = 255;
  fill_columns (film, 0, 16, 101);
  fill_columns (film, 32, 64, 101);
  set_pixel (film, 41, 100);
  set_pixel (film, 61, 102);
  for (guint n = 1; n < 10; n++) {
    show (film);
    g_assert_cmpuint (film->stats.n_summits, ==, 2);
    g_assert_cmpuint (film->stats.n_held, ==, n < 7 ? 3 : 2);
    g_assert_cmpuint (code_of (film, 0), ==, n < 7 ? 100 : 101);
    g_assert_cmpuint (code_of (film, 1), ==, n < 7 ? 102 : 101);
    g_assert_cmpuint (code_of (film, 40), ==, n < 7 ? 100 : 101);
    g_assert_cmpuint (code_of (film, 60), ==, n < 7 ? 102 : 101);
  }
}

/* When bins are merged twice, 101 and 103 are in one bin, but no pixel is: the
 * modes stay apart. So are 200 and 202, where pixels are. */
static void
test_modes_meet_nowhere (void)
{
  static const guint codes[] = { 101, 103, 200, 202 };
  g_autoptr (Film) film = film_new (0.5, 120);

  fill_columns (film, 0, 48, 50);
  for (guint i = 0; i < 4; i++)
    set_pixel (film, 5 + i, codes[i]);
  grow_old (film);
  g_assert_cmpuint (film->stats.n_held, ==, 6);
  set_pixel (film, 5, 50);
  set_pixel (film, 6, 50);
  film->settings.bin_capacity = 3;
  show_often (film, 2);
  g_assert_cmpuint (film->stats.n_merges, ==, 2);
  g_assert_cmpuint (film->stats.n_summits, ==, 3);
  g_assert_cmpuint (film->stats.n_held, ==, 5);
  g_assert_cmpuint (code_of (film, 5), ==, 101);
  g_assert_cmpuint (code_of (film, 6), ==, 103);
}

/* A mode that nothing is around stays where it is, until its only pixel leaves. */
static void
test_nothing_around (void)
{
  g_autoptr (Film) film = film_new (0.5, 100);

  set_pixel (film, 5, 120);
  grow_old (film);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (count_frames (film, 5, 100), ==, 3);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
}

/* A mode lives by its summit alone, as long as its pixels stay with another: it
 * comes to 108 slowly. */
static void
test_not_held (void)
{
  g_autoptr (Film) film = film_new (0.5, 100);

  grow_old (film);
  for (guint i = 5; i < 8; i++)
    g_assert_cmpuint (count_frames (film, i, 107), ==, 0);
  g_assert_cmpuint (film->stats.n_summits, ==, 2);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
  set_pixel (film, 5, 108);
  set_pixel (film, 6, 108);
  show_often (film, 3);
  g_assert_cmpuint (code_of (film, 5), ==, 107);
  g_assert_cmpuint (code_of (film, 7), ==, 100);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
}

/* A summit beside a mode whose home is not occupied has a mode of its own: its
 * pixels stay with the one that they hold. */
static void
test_home_not_occupied (void)
{
  g_autoptr (Film) film = film_new (0.5, 120);

  for (guint i = 0; i < 10; i++)
    set_pixel (film, i, 150);
  grow_old (film);
  for (guint i = 0; i < 10; i++)
    set_pixel (film, i, 151);
  film->picture[4 * 1 + 3] = 0;
  show (film);
  film->picture[4 * 1 + 3] = 255;
  show (film);
  g_assert_cmpuint (code_of (film, 0), ==, 150);
  g_assert_cmpuint (code_of (film, 1), ==, 151);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
}

/* Two summits side by side, as dense as each other, each with a mode at home. A
 * pixel that was not counted before shows which belongs to which. */
static void
test_nearest_mode (void)
{
  g_autoptr (Film) film = film_new (0.5, 120);

  fill_columns (film, 0, 32, 50);
  fill_columns (film, 16, 32, 101);
  fill_columns (film, 32, 48, 100);
  film->picture[3] = 0;
  show (film);
  g_assert_cmpuint (film->stats.n_held, ==, 4);
  for (guint code = 100; code <= 101; code++) {
    film->picture[3] = 255;
    set_pixel (film, 0, code);
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, code);
    film->picture[3] = 0;
    show (film);
  }
}

/* Of what there is no slot for, the summit's colour is shown, in each frame as it
 * is: bins are in order of lightness. */
static void
test_strays (void)
{
  g_autoptr (Film) film = film_new_with_slots (0.5, 150, 2);

  fill_columns (film, 0, 16, 50);
  show (film);
  g_assert_cmpuint (film->stats.n_summits, ==, 3);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  for (guint code = 151; code < 154; code++) {
    fill_columns (film, 48, 64, code);
    show (film);
    g_assert_cmpuint (code_of (film, 60), ==, code);
    g_assert_cmpuint (film->stats.n_strays, ==, 1);
  }
  /* The slot of the first is free with the next frame. */
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (i % WIDTH < 16)
      film->picture[4 * i + 3] = 0;
  show (film);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  show (film);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
  fill_columns (film, 48, 62, 154);
  show (film);
  g_assert_cmpuint (code_of (film, 60), ==, 153);
}

/* A pixel whose colour becomes that of a stray holds nothing, at once. */
static void
test_leaving_for_a_stray (void)
{
  g_autoptr (Film) film = film_new_with_slots (0.5, 120, 1);

  grow_old (film);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  g_assert_cmpuint (count_frames (film, 5, 120), ==, 1);
}

/* A slot that becomes free where modes meet is free with the next frame. */
static void
test_slot_of_who_met (void)
{
  g_autoptr (Film) film = film_new_with_slots (0.5, 200, 2);

  fill_columns (film, 24, 48, 102);
  show (film);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  fill_columns (film, 0, 48, 101);
  set_pixel (film, 0, 100);
  set_pixel (film, 40, 102);
  show_often (film, 7);
  g_assert_cmpuint (film->stats.n_held, ==, 1);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  show (film);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
}

/* A cut frees all slots. */
static void
test_slots_after_cut (void)
{
  g_autoptr (Film) film = film_new_with_slots (0.5, 120, 2);

  film->settings.scene_cut_threshold = 0.1;
  show (film);
  fill_columns (film, 0, 48, 200);
  fill_columns (film, 48, 64, 220);
  show (film);
  g_assert_true (film->stats.is_cut);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
}

/* Modes stay, pixels hold nothing, and nobody hesitates. */
static void
check_kind (guint width, guint format, gdouble radius,
    ReferenceWeighting weighting)
{
  g_autoptr (Film) film = film_new (0.5, 102);

  film->settings.scene_cut_threshold = 0.1;
  grow_old (film);
  film->width = width;
  film->settings.format = format;
  film->settings.palette.radius = radius;
  film->settings.palette.weighting = weighting;
  fill_columns (film, 0, 24, 101);
  fill_columns (film, 24, width, 220);
  set_pixel (film, 23, 100);
  show (film);
  g_assert_false (film->stats.is_cut);
  g_assert_cmpuint (code_of (film, 0), ==, 100);
  g_assert_cmpuint (code_of (film, 30), ==, 220);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  g_assert_cmpuint (count_frames (film, 5, 220), ==, 1);
}

static void
test_other_kinds (void)
{
  check_kind (48, 0, 0.01176, REFERENCE_WEIGHTING_FREQUENCY);
  check_kind (WIDTH, 1, 0.01176, REFERENCE_WEIGHTING_FREQUENCY);
  check_kind (WIDTH, 0, 0.011761, REFERENCE_WEIGHTING_FREQUENCY);
  check_kind (WIDTH, 0, 0.01176, REFERENCE_WEIGHTING_PALETTE);
}

/* Eighths are those of a bin of the radius: 108 is 32 of them away from 100 with
 * one that is twice as large. */
static void
test_radius (void)
{
  for (guint factor = 1; factor < 3; factor++) {
    g_autoptr (Film) film = film_new (0.5, 108);

    film->settings.palette.radius *= factor;
    grow_old (film);
    g_assert_cmpuint (count_frames (film, 5, 108), ==, factor == 1 ? 3 : 0);
  }
}

/* Whether that of any block changes when the only white pixel of a picture goes
 * from one place to another. */
static gboolean
has_light_changed (guint width, guint height, guint from, guint to)
{
  const ReferenceTemporalSettings settings = {
    .palette.radius = 0.02,.stability = 0.5,.bin_capacity = 100,
    .scene_cut_threshold = 1.0 / 65280
  };
  const guint n = width * height;
  g_autoptr (ReferenceTemporal) temporal = reference_temporal_new (10);
  ReferenceTemporalStats stats;

  for (guint frame = 0; frame < 2; frame++) {
    g_autofree guint8 *picture = g_malloc0 (4 * n);

    for (guint i = 0; i < n; i++)
      picture[4 * i + 3] = 255;
    memset (picture + 4 * (frame == 0 ? from : to), 255, 3);
    reference_temporal_frame (temporal, &settings, 0, picture, width, height,
        picture, &stats);
  }
  return stats.is_cut;
}

/* Blocks are squares of 16 pixels, of 32 or 64 where there would be more than 32
 * of them side by side. Then every second or fourth pixel is looked at. */
static void
test_blocks (void)
{
  static const struct
  {
    guint length, from, to;
    gboolean has_changed;
  } cases[] = {
    {17, 15, 16, TRUE}, {17, 14, 15, FALSE},
    {512, 15, 16, TRUE}, {512, 14, 15, FALSE}, {512, 495, 496, TRUE},
    {513, 14, 16, FALSE}, {513, 30, 32, TRUE}, {513, 510, 512, TRUE},
    {513, 14, 15, TRUE}, {513, 13, 15, FALSE},
    {1024, 28, 30, FALSE}, {1024, 30, 32, TRUE},
    {1025, 28, 32, FALSE}, {1025, 60, 64, TRUE}, {1025, 4, 6, TRUE},
    {1025, 1, 2, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const guint from = cases[i].from, to = cases[i].to;

    g_assert_cmpint (has_light_changed (cases[i].length, 1, from, to), ==,
        cases[i].has_changed);
    g_assert_cmpint (has_light_changed (1, cases[i].length, from, to), ==,
        cases[i].has_changed);
  }
  /* The second block of the first row, and the first of the second. */
  g_assert_true (has_light_changed (17, 17, 16, 16 * 17));
}

/* Bins are merged two by two; distances are as before. */
static void
test_merged (void)
{
  static const struct
  {
    guint codes[2], n_frames;
  } cases[] = {
    {{100, 107}, 0}, {{107, 100}, 0}, {{101, 108}, 0}, {{108, 101}, 0},
    {{100, 108}, 3}, {{109, 101}, 3}, {{101, 109}, 3}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_new (0.5, cases[i].codes[1]);

    film->settings.bin_capacity = 4;
    fill_columns (film, 0, 24, cases[i].codes[0]);
    fill_columns (film, 24, 32, 200);
    fill_columns (film, 32, 40, 201);
    fill_columns (film, 40, 48, 220);
    grow_old (film);
    g_assert_cmpuint (film->stats.n_bins, ==, 4);
    g_assert_cmpuint (film->stats.n_merges, ==, 1);
    g_assert_cmpuint (count_frames (film, 5, cases[i].codes[1]), ==,
        cases[i].n_frames);
  }
}

/* A pixel that was not counted for a frame has forgotten its mode; its bytes are
 * kept until then. */
static void
test_alpha (void)
{
  g_autoptr (Film) film = film_new (0.5, 120);

  grow_old (film);
  film->picture[4 * 5 + 3] = 0;
  set_pixel (film, 5, 33);
  show (film);
  g_assert_cmpmem (film->shown + 4 * 5, 4, film->picture + 4 * 5, 4);
  g_assert_cmpuint (film->stats.n_bins, ==, 2);
  film->picture[4 * 5 + 3] = 9;
  set_pixel (film, 5, 120);
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 120);
  g_assert_cmpuint (film->shown[4 * 5 + 3], ==, 9);
}

/* Two steps of 1638 parts of 4096 are more than half of a way. The second is that
 * of a picture that is shown again, with another setting. */
static void
test_other_settings (void)
{
  for (guint i = 0; i < 6; i++) {
    g_autoptr (Film) film = film_new (0.5, 120);
    ReferenceTemporalSettings *settings = &film->settings;

    grow_old (film);
    lighten (film);
    film->interval = 200 * MS;
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, 100);
    settings->stability -= i == 1 ? 0.01 : 0;
    settings->scene_cut_threshold += i == 2 ? 0.5 : 0;
    settings->bin_capacity -= i == 3;
    settings->palette.radius += i == 4 ? 0.000001 : 0;
    settings->palette.weighting += i == 5;
    show_again (film);
    g_assert_cmpuint (code_of (film, 0), ==, i > 0 ? 101 : 100);
  }
}

/* Between frames of which nothing is kept, with another transfer function, and
 * after a reset, each is the first. */
static void
test_forgetting (void)
{
  for (guint i = 0; i < 5; i++) {
    g_autoptr (Film) film = film_new (0.5, 120);

    grow_old (film);
    if (i == 1)
      film->settings.stability = 0;
    if (i == 2)
      film->settings.palette.radius = 0;
    if (i == 3)
      film->settings.palette.transfer = REFERENCE_TRANSFER_SRGB;
    show (film);
    film->settings.stability = 0.5;
    film->settings.palette.radius = 0.01176;
    film->settings.palette.transfer = REFERENCE_TRANSFER_CUSTOM;
    if (i == 4)
      reference_temporal_reset (film->temporal);
    lighten (film);
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, i ? 101 : 100);
  }
}

/* With it a frame that is shown again is not as the one before. */
static void
test_reset_of_the_same (void)
{
  g_autoptr (Film) film = film_new (0.5, 120);

  show (film);
  lighten (film);
  show (film);
  g_assert_cmpuint (code_of (film, 0), ==, 100);
  reference_temporal_reset (film->temporal);
  show_again (film);
  g_assert_cmpuint (code_of (film, 0), ==, 101);
}

/* --- palettes that are held or given --- */

static void
give_greys (Film * film, const guint * codes, guint n)
{
  film->settings.n_colours = n;
  for (guint i = 0; i < n; i++)
    film->settings.colours[i] = codes[i] * 0x010101;
}

/* Modes do not move, nor go when no pixel holds them any more: 118 is clearly nearer
 * to 120 than to 100. When the palette is held no longer, they glide for
 * seven frames, of which the first may be the very picture. */
static void
test_held_modes_stay (void)
{
  static const guint greys[] = { 100, 120 };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (Film) film = film_new (0.5, 120);

    film->settings.update_interval = i == 1 ? 1000 : 1;
    if (i == 2)
      give_greys (film, greys, 2);
    grow_old (film);
    film->settings.hold = i == 0;
    lighten (film);
    fill_columns (film, 48, 64, 100);
    show_often (film, 20);
    g_assert_cmpuint (code_of (film, 0), ==, 100);
    g_assert_cmpuint (film->stats.n_held, ==, 1);
    set_pixel (film, 60, 118);
    show_often (film, 2);
    g_assert_cmpuint (code_of (film, 60), ==, 100);
    show (film);
    g_assert_cmpuint (code_of (film, 60), ==, 120);
    if (i == 2)
      continue;
    film->settings.hold = FALSE;
    film->settings.update_interval = 1;
    show_again (film);
    show_often (film, 6);
    g_assert_cmpuint (code_of (film, 0), ==, 101);
  }
}

/* Nor do they meet, though 200 and 202 are in one bin that was merged twice, and
 * in 201 there is a pixel that chooses between them. */
static void
test_held_modes_do_not_meet (void)
{
  for (guint is_held = 0; is_held < 2; is_held++) {
    g_autoptr (Film) film = film_new (0.5, 200);

    fill_columns (film, 0, 16, 50);
    fill_columns (film, 56, 64, 202);
    grow_old (film);
    g_assert_cmpuint (film->stats.n_held, ==, 4);
    film->settings.bin_capacity = 3;
    film->settings.hold = is_held;
    show (film);
    g_assert_cmpuint (film->stats.n_merges, ==, 2);
    g_assert_cmpuint (film->stats.n_held, ==, is_held ? 4 : 3);
  }
}

/* Of modes as near the first, though it is second in order of bins. Two that are
 * equal are one. */
static void
test_nearest_of_palette (void)
{
  static const struct
  {
    guint code, greys[3], shown;
  } cases[] = {
    {104, {110, 100, 100}, 100}, {106, {110, 100, 100}, 110},
    {105, {110, 100, 100}, 110}, {105, {100, 110, 100}, 100},
    {0, {255, 250, 200}, 200}
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Film) film = film_new (i % 2 ? 0.5 : 0, cases[i].code);

    fill_columns (film, 0, 64, cases[i].code);
    give_greys (film, cases[i].greys, 3);
    show (film);
    g_assert_cmpuint (code_of (film, 0), ==, cases[i].shown);
    g_assert_cmpuint (film->stats.n_held, ==, 1);
  }
}

/* Bins are merged to one of 104 and 105, or of 104 to 107: their middles are 36
 * eighths of a bin from 100 and from 109, or 44 from 100 and from 111. */
static void
test_middle_of_merged (void)
{
  for (guint n_merges = 1; n_merges < 3; n_merges++)
    for (guint first = 0; first < 2; first++) {
      const guint far = n_merges == 1 ? 109 : 111;
      const guint greys[] = { first ? far : 100, first ? 100 : far, 201 };
      g_autoptr (Film) film = film_new (0.5, 200);

      for (guint i = 0; i < 4; i++)
        fill_columns (film, 8 * i, 48, 104 + i % (2 * n_merges));
      fill_columns (film, 56, 64, 202);
      film->settings.bin_capacity = n_merges == 1 ? 3 : 2;
      give_greys (film, greys, 3);
      show (film);
      g_assert_cmpuint (film->stats.n_merges, ==, n_merges);
      for (guint i = 0; i < 48; i++)
        g_assert_cmpuint (code_of (film, i), ==, greys[0]);
      g_assert_cmpuint (code_of (film, 60), ==, 201);
    }
}

/* Modes outlive it, but for those that an interval alone holds. */
static void
test_held_cut (void)
{
  static const guint greys[] = { 100, 102 };

  for (guint i = 0; i < 3; i++) {
    g_autoptr (Film) film = film_new (0.5, 102);

    film->settings.scene_cut_threshold = 0.1;
    film->settings.hold = i == 0;
    film->settings.update_interval = 1000;
    if (i == 1)
      give_greys (film, greys, 2);
    grow_old (film);
    fill_columns (film, 0, 64, 200);
    show (film);
    g_assert_true (film->stats.is_cut);
    g_assert_cmpuint (code_of (film, 60), ==, i < 2 ? 102 : 200);
    /* Nobody hesitates. */
    g_assert_cmpuint (code_of (film, 0), ==, i < 2 ? 102 : 200);
  }
}

/* Frames until what became 101 shows. Modes go all of the way at once. */
static guint
count_held_frames (Film * film)
{
  lighten (film);
  for (guint n = 1; n < 10; n++) {
    show (film);
    if (code_of (film, 0) == 101)
      return n;
    g_assert_cmpuint (code_of (film, 0), ==, 100);
  }
  return 0;
}

/* Frames count whatever is in them, and whatever the interval was. Another palette
 * begins anew. */
static void
test_update_interval (void)
{
  static const guint greys[] = { 50, 150 };

  for (guint i = 0; i < 2; i++) {
    const gdouble stability = i ? 0 : 0.0000000001;

    for (guint n_before = 1; n_before < 12; n_before++) {
      g_autoptr (Film) film = film_new (stability, 120);

      film->settings.update_interval = n_before > 3 ? 2 : 4;
      show (film);
      for (guint n = 1; n < n_before; n++)
        show_again (film);
      film->settings.update_interval = 4;
      g_assert_cmpuint (count_held_frames (film), ==, 4 - (n_before - 1) % 4);
    }
    for (guint is_given = 0; is_given < 2; is_given++) {
      g_autoptr (Film) film = film_new (stability, 120);

      film->settings.update_interval = 4;
      give_greys (film, greys, 2 * is_given);
      show_often (film, 2);
      film->settings.n_colours = 0;
      show (film);
      g_assert_cmpuint (count_held_frames (film), ==, is_given ? 4 : 2);
    }
  }
}

/* A cut within an interval brings other modes, and does not begin another one. */
static void
test_update_interval_with_cut (void)
{
  g_autoptr (Film) film = film_new (0.0000000001, 200);

  film->settings.update_interval = 4;
  film->settings.scene_cut_threshold = 0.1;
  fill_columns (film, 0, 48, 200);
  show_often (film, 2);
  fill_columns (film, 0, 48, 100);
  show (film);
  g_assert_true (film->stats.is_cut);
  g_assert_cmpuint (count_held_frames (film), ==, 2);
}

/* They begin anew, in the very picture too: 100 is as near to 60 as to the 140
 * before. */
static void
test_other_palettes (void)
{
  static const guint palettes[][2] = {
    {50, 150}, {50, 140}, {60, 140}
  };
  g_autoptr (Film) film = film_new (0.5, 200);

  for (guint i = 0; i < G_N_ELEMENTS (palettes); i++) {
    give_greys (film, palettes[i], 2);
    show_again (film);
    g_assert_cmpuint (code_of (film, 0), ==, palettes[i][i == 1]);
    g_assert_cmpuint (code_of (film, 60), ==, palettes[i][1]);
  }
  film->settings.n_colours = 1;
  show_again (film);
  g_assert_cmpuint (code_of (film, 60), ==, 60);
  film->settings.n_colours = 0;
  show_again (film);
  g_assert_cmpuint (code_of (film, 0), ==, 100);
  g_assert_cmpuint (code_of (film, 60), ==, 200);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
}

/* A palette has red first, and any colour. */
static void
test_colours_of_palette (void)
{
  static const guint8 shown[] = { 1, 2, 3, 255 };
  g_autoptr (Film) film = film_new (0.5, 100);

  film->settings.n_colours = 1;
  film->settings.colours[0] = 0x010203;
  show (film);
  g_assert_cmpmem (film->shown, 4, shown, 4);
}

/* Who would gain nothing stays, and who gains anything leaves: 110 is as far from
 * 100 as from 120. As soon as nothing is held, nothing is kept. */
static void
test_hold_without_stability (void)
{
  g_autoptr (Film) film = film_new (0, 120);

  film->settings.hold = TRUE;
  grow_old (film);
  g_assert_cmpuint (film->stats.n_held, ==, 2);
  set_pixel (film, 5, 110);
  set_pixel (film, 60, 110);
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 100);
  g_assert_cmpuint (code_of (film, 60), ==, 120);
  g_assert_cmpuint (count_frames (film, 60, 100), ==, 1);
  set_pixel (film, 5, 111);
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 120);
  film->settings.hold = FALSE;
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 111);
  g_assert_cmpuint (film->stats.n_bins, ==, 0);
}

/* Every third frame is by itself: a pixel that stayed in between leaves, and the
 * summit is 101, where a mode that was kept would be the mean around 100. */
static void
test_interval_without_stability (void)
{
  g_autoptr (Film) film = film_new (0, 120);

  film->settings.update_interval = 3;
  show (film);
  set_pixel (film, 5, 110);
  show_often (film, 2);
  g_assert_cmpuint (code_of (film, 5), ==, 100);
  fill_columns (film, 20, 32, 101);
  fill_columns (film, 32, 48, 102);
  show (film);
  g_assert_cmpuint (code_of (film, 5), ==, 110);
  g_assert_cmpuint (code_of (film, 0), ==, 101);
  g_assert_cmpuint (film->stats.n_held, ==, 3);
}

/* Where there is no mode, summits become some; what finds no slot then has the
 * nearest one from the next frame on. */
static void
test_held_slots (void)
{
  g_autoptr (Film) film = film_new_with_slots (0.5, 120, 1);

  film->settings.hold = TRUE;
  show (film);
  g_assert_cmpuint (film->stats.n_strays, ==, 1);
  g_assert_cmpuint (code_of (film, 60), ==, 120);
  show (film);
  g_assert_cmpuint (film->stats.n_strays, ==, 0);
  g_assert_cmpuint (code_of (film, 60), ==, 100);
}

void
test_reference_add_temporal (void)
{
  g_test_add_func ("/temporal/first-frame-is-live", test_first_frame_is_live);
  g_test_add_func ("/temporal/hesitation", test_hesitation);
  g_test_add_func ("/temporal/both-distances", test_both_distances);
  g_test_add_func ("/temporal/age", test_age);
  g_test_add_func ("/temporal/waiting-ends", test_waiting_ends);
  g_test_add_func ("/temporal/waiting-ends-near", test_waiting_ends_near);
  g_test_add_func ("/temporal/glide", test_glide);
  g_test_add_func ("/temporal/time-constant", test_time_constant);
  g_test_add_func ("/temporal/mean-around", test_mean_around);
  g_test_add_func ("/temporal/cut", test_cut);
  g_test_add_func ("/temporal/after-cut", test_after_cut);
  g_test_add_func ("/temporal/unrest", test_unrest);
  g_test_add_func ("/temporal/unrest-ends", test_unrest_ends);
  g_test_add_func ("/temporal/unrest-is-of-change", test_unrest_is_of_change);
  g_test_add_func ("/temporal/light-of-nothing", test_light_of_nothing);
  g_test_add_func ("/temporal/modes-meet", test_modes_meet);
  g_test_add_func ("/temporal/modes-meet-nowhere", test_modes_meet_nowhere);
  g_test_add_func ("/temporal/nothing-around", test_nothing_around);
  g_test_add_func ("/temporal/not-held", test_not_held);
  g_test_add_func ("/temporal/home-not-occupied", test_home_not_occupied);
  g_test_add_func ("/temporal/nearest-mode", test_nearest_mode);
  g_test_add_func ("/temporal/strays", test_strays);
  g_test_add_func ("/temporal/leaving-for-a-stray", test_leaving_for_a_stray);
  g_test_add_func ("/temporal/slot-of-who-met", test_slot_of_who_met);
  g_test_add_func ("/temporal/slots-after-cut", test_slots_after_cut);
  g_test_add_func ("/temporal/other-kinds", test_other_kinds);
  g_test_add_func ("/temporal/blocks", test_blocks);
  g_test_add_func ("/temporal/radius", test_radius);
  g_test_add_func ("/temporal/merged", test_merged);
  g_test_add_func ("/temporal/alpha", test_alpha);
  g_test_add_func ("/temporal/other-settings", test_other_settings);
  g_test_add_func ("/temporal/forgetting", test_forgetting);
  g_test_add_func ("/temporal/reset-of-the-same", test_reset_of_the_same);
  g_test_add_func ("/temporal/held-modes-stay", test_held_modes_stay);
  g_test_add_func ("/temporal/held-modes-do-not-meet",
      test_held_modes_do_not_meet);
  g_test_add_func ("/temporal/nearest-of-palette", test_nearest_of_palette);
  g_test_add_func ("/temporal/middle-of-merged", test_middle_of_merged);
  g_test_add_func ("/temporal/held-cut", test_held_cut);
  g_test_add_func ("/temporal/update-interval", test_update_interval);
  g_test_add_func ("/temporal/update-interval-with-cut",
      test_update_interval_with_cut);
  g_test_add_func ("/temporal/other-palettes", test_other_palettes);
  g_test_add_func ("/temporal/colours-of-palette", test_colours_of_palette);
  g_test_add_func ("/temporal/hold-without-stability",
      test_hold_without_stability);
  g_test_add_func ("/temporal/interval-without-stability",
      test_interval_without_stability);
  g_test_add_func ("/temporal/held-slots", test_held_slots);
}
