/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette with a number of colours as an element: its bytes against the
 * oracle, what the number takes the place of, and what it does not go with. */
#include "palette_film.h"

/* The last frame once more. */
static void
show_unchanged (Film * film, const ReferenceTemporalSettings * settings)
{
  film->seed--;
  film_show_as (film, settings, INTERVAL);
}

/* --- frame by frame --- */

/* How far modes go depends on the time, but with a scene cut. */
static void
test_frames (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette colors=1", "meanshiftpalette colors=8",
    "meanshiftpalette colors=256", "meanshiftpalette colors=8 stability=0",
    "meanshiftpalette colors=16 weighting=palette transfer=linear"
  };
  static const GstClockTime intervals[] = { 40, 15, 400, 40, 2000, 40 };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);
    const ReferenceTemporalSettings settings = film_settings (film);

    g_test_message ("%s", elements[i]);
    for (guint k = 0; k < G_N_ELEMENTS (intervals); k++) {
      film_lighten (film, k == 4 ? 30 : 0);
      film_show_as (film, &settings, intervals[k] * GST_MSECOND);
      g_assert_cmpuint (fixture_stat (film->h->element, "modes"), <=,
          settings.colors);
    }
  }
}

static void
test_change_while_playing (void)
{
  static const FilmStep steps[] = {
    {"colors", "8", 4, 3}, {"colors", "16", -4, 3}, {"colors", "0", 4, 3},
    {"colors", "256", -4, 3}, {"colors", "3", 4, 3},
    {"stability", "0", -4, 3}, {"colors", "5", 4, 3}, {"colors", "0", -4, 3},
    {"stability", "1", 4, 3}, {"colors", "1", -4, 3}, {"hold", "true", 4, 3},
    {"colors", "6", -4, 3}, {"hold", "false", 4, 3}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette");

  film_run (film, steps, G_N_ELEMENTS (steps));
}

static void
test_controller (void)
{
  static const gdouble colors[] = { 0, 8, 8, 256, 256, 3, 3, 3, 0, 0, 1 };
  const guint n = G_N_ELEMENTS (colors);
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  ReferenceTemporalSettings settings = film_settings (film);

  film_control (film, "colors", colors, n);
  for (guint i = 0; i < n; i++) {
    settings.colors = colors[i];
    film_show_as (film, &settings, i == 0 ? 0 : INTERVAL);
  }
}

/* --- in place of the radius --- */

/* It is as if it were always the same. */
static void
test_radius (void)
{
  static const gdouble radii[] = { 0.02, 0.3, 0, 1.7, 0.001, 0.02 };
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");
  const ReferenceTemporalSettings settings = film_settings (film);

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    film_show_as (film, &settings, INTERVAL);
    g_object_set (film->h->element, "radius", radii[i], NULL);
    show_unchanged (film, &settings);
    film_show_as (film, &settings, INTERVAL);
  }
}

/* Another one makes a first frame. The default is 2 here, and 1 without a number. */
static void
test_chroma (void)
{
  static const FilmStep steps[] = {
    {NULL, NULL, 0, 3}, {"chroma", "1", 0, 3}, {"chroma", "2", 0, 3},
    {"chroma", "0", 0, 3}, {"colors", "0", 0, 3}, {"chroma", "3", 0, 3},
    {"colors", "16", 0, 3}
  };
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");

  film_run (film, steps, G_N_ELEMENTS (steps));
}

static void
assert_passes (Film * film, gboolean passes)
{
  g_autofree guint8 *picture = film_next_picture (film);

  g_assert_cmpint (fixture_passes (film->h, film_frame_of (film, picture,
              film->pts += INTERVAL)), ==, passes);
}

/* 0 hands frames on, but not where there is a number; nothing is known of frames
 * before those that passed. */
static void
test_radius_0 (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette radius=0");

  for (guint i = 0; i < 3; i++) {
    assert_passes (film, TRUE);
    film_set (film, "colors", "8");
    reference_temporal_forget_modes (film->temporal);
    film_show (film, 3);
    film_set (film, "colors", "0");
  }
  film_set (film, "colors", "4");
  film_set (film, "palette", "<0x102030>");
  assert_passes (film, TRUE);
  film_set (film, "palette", "<>");
  assert_passes (film, FALSE);
}

/* --- what it does not go with --- */

/* Beside a palette it means nothing, not even where it changes. */
static void
test_palette (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=2");

  film_set (film, "palette", "<0xe02010,0x20c040,0x8090a0>");
  for (guint i = 0; i < 3; i++) {
    ReferenceTemporalSettings settings = film_settings (film);

    settings.colors = 0;
    film_show_as (film, &settings, INTERVAL);
    g_object_set (film->h->element, "colors", 64 * i, NULL);
    show_unchanged (film, &settings);
    film_show_as (film, &settings, INTERVAL);
  }
  film_set (film, "palette", "<>");
  film_show (film, 2);
}

/* To `exact` the number means nothing, at the start and later. */
static void
test_exact (void)
{
  g_autoptr (Film) film =
      film_new ("meanshiftpalette quality=exact radius=0.1 colors=8");

  film_show (film, 1);
  film_set (film, "colors", "0");
  film_show (film, 1);
  film_set (film, "colors", "8");
  film_show (film, 1);
  film_set (film, "quality", "live");
  reference_temporal_reset (film->temporal);
  film_show (film, 2);
  film_set (film, "quality", "exact");
  film_show (film, 1);
  film_set (film, "radius", "0");
  assert_passes (film, TRUE);
  fixture_check_messages (film->h->element, GST_MESSAGE_ERROR, 0);
}

/* --- what it costs --- */

static void
show_numbers (Film * film)
{
  static const FilmStep steps[] = {
    {"colors", "8", 0, 3}, {"colors", "16", 0, 3}, {"colors", "0", 0, 3},
    {"colors", "16", 0, 3}, {"colors", "8", 0, 3}
  };

  film_run (film, steps, G_N_ELEMENTS (steps));
}

/* Once all was used, nothing is made for another number. */
static void
test_nothing_is_made (void)
{
  film_check_nothing_is_made ("meanshiftpalette", show_numbers);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/meanshiftpalette-colors/");
  fixture_share_device ();
  fixture_add ("frames", test_frames);
  fixture_add ("change-while-playing", test_change_while_playing);
  fixture_add ("controller", test_controller);
  fixture_add ("radius", test_radius);
  fixture_add ("chroma", test_chroma);
  fixture_add ("radius-0", test_radius_0);
  fixture_add ("palette", test_palette);
  fixture_add ("exact", test_exact);
  fixture_add ("nothing-is-made", test_nothing_is_made);
  return fixture_run ();
}
