/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which pixels moved: steps 3 and 7 of docs/internals/temporal.md. A grey that changes by
 * a code changes by 3 in sum. The last three of four blocks flicker. */
#include "test_reference.h"
#include "grey_film.h"

/* Blocks that are as light as before, where every pixel changes by 12. */
#define FLICKER "200*128 204*128 "
#define FLICKERED "204*128>200 200*128>204 "
#define REST "200*256 "

static GreyFilm *
film_new (void)
{
  GreyFilm *film = grey_film_new ();

  film->settings.is_noisy = FALSE;
  return film;
}

/* The pixel of 100 becomes one of @other: at once, or not in this frame. */
static void
check_moves (GreyFilm * film, guint other, gboolean moves, const gchar * blocks)
{
  grey_film_show (film, "100*200 %u*1>%u %u*55 %s", other, moves ? other : 100,
      other, blocks);
}

/* Without noise, it takes more than 16: 18 is six codes, for which no pixel would leave
 * that did not move. */
static void
test_rest (void)
{
  for (guint other = 105; other < 107; other++) {
    g_autoptr (GreyFilm) film = film_new ();

    grey_film_grow_old (film, "100*200 100*1 %u*55 " REST REST REST, other);
    check_moves (film, other, other == 106, REST REST REST);
  }
}

/* The mean change is 12, 96 eighths: 24 576 / 512 + 16 = 64, and 63 and 66 are 21 and 22
 * codes. In the frame with the flicker it is 16 still. */
static void
test_noise (void)
{
  for (guint other = 121; other < 123; other++) {
    g_autoptr (GreyFilm) film = film_new ();

    grey_film_grow_old (film, "100*200 100*1 %u*55 " FLICKER FLICKER FLICKER,
        other);
    grey_film_show (film,
        "100*200 100*1 %u*55 " FLICKERED FLICKERED FLICKERED, other);
    check_moves (film, other, other == 122, FLICKER FLICKER FLICKER);
  }
}

/* Of changes 0, 0, 96, 96 the third is the median; of 0, 0, 0, 96 it is 0. */
static void
test_median (void)
{
  g_autoptr (GreyFilm) two = film_new ();
  g_autoptr (GreyFilm) one = film_new ();

  grey_film_grow_old (two, "100*200 100*1 121*55 " REST FLICKER FLICKER);
  grey_film_show (two, "100*200 100*1 121*55 " REST FLICKERED FLICKERED);
  check_moves (two, 121, FALSE, REST FLICKER FLICKER);
  grey_film_grow_old (one, "100*200 100*1 121*55 " REST REST FLICKER);
  grey_film_show (one, "100*200 100*1 121*55 " REST REST FLICKERED);
  check_moves (one, 121, TRUE, REST REST FLICKER);
}

/* In a frame at rest it goes a part of the way to 0, by ρ(10⁹) = 132: 24 576 - 792 is
 * 23 784, and 46 + 16 = 62. In a frame with more noise it is that. */
static void
test_decay (void)
{
  g_autoptr (GreyFilm) film = film_new ();

  grey_film_grow_old (film, "100*200 100*1 121*55 " FLICKER FLICKER FLICKER);
  grey_film_show (film, "100*200 100*1 121*55 " FLICKERED FLICKERED FLICKERED);
  grey_film_show (film, "100*200 100*1 121*55 " FLICKERED FLICKERED FLICKERED);
  check_moves (film, 121, TRUE, FLICKERED FLICKERED FLICKERED);
}

/* Every pixel changes by 120, and moves. The mean counts as 255 eighths: 127 + 16 = 143,
 * and 141 and 144 are 47 and 48 codes. */
static void
test_most (void)
{
  for (guint other = 147; other < 149; other++) {
    g_autoptr (GreyFilm) film = film_new ();

    grey_film_grow_old (film, "100*200 100*1 %u*55 200*128 240*128 200*128 "
        "240*128 200*128 240*128", other);
    grey_film_show (film, "100*200 100*1 %u*55 240*128 200*128 240*128 "
        "200*128 240*128 200*128", other);
    check_moves (film, other, other == 148, "200*128>240 240*128>200 "
        "200*128>240 240*128>200 200*128>240 240*128>200");
  }
}

void
test_reference_add_noise (void)
{
  g_test_add_func ("/noise/rest", test_rest);
  g_test_add_func ("/noise/noise", test_noise);
  g_test_add_func ("/noise/median", test_median);
  g_test_add_func ("/noise/decay", test_decay);
  g_test_add_func ("/noise/most", test_most);
}
