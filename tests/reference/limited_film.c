/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "limited_film.h"

#include <math.h>

/* Light with which greys have so many steps of a lattice to a code, and some
 * more. */
static gdouble
light_of (gdouble code, gdouble steps, gdouble more, gdouble unit)
{
  const gdouble lightness = (255 * code * steps + more) / unit;

  return lightness * lightness * lightness;
}

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

static ReferenceEotf
eotf_of (guint n_colours)
{
  switch (n_colours) {
    case 1:
      return eotf_of_1;
    case 2:
      return eotf_of_2;
    case 3:
      return eotf_of_3;
    case 4:
      return eotf_of_4;
    default:
      g_assert_cmpuint (n_colours, ==, 16);
      return eotf_of_16;
  }
}

gdouble
limited_film_beside (gdouble code)
{
  return light_of (code, 437, 120, 65536);
}

gdouble
limited_film_astray (gdouble code)
{
  const glong grey = lround (255 * code);

  if (grey == 98 || grey == 102)
    return eotf_of_4 (100.0 / 255);
  return eotf_of_4 (grey == 100 ? 120.0 / 255 : code);
}

GreyFilm *
limited_film_new (guint n_colours, guint height)
{
  GreyFilm *film = grey_film_new_full (height, REFERENCE_TEMPORAL_SLOTS);

  film->settings.palette.eotf = eotf_of (n_colours);
  film->settings.palette.chroma = 1;
  film->settings.colors = n_colours;
  return film;
}
