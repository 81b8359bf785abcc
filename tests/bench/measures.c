/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "measures.h"
#include "reference_count.h"

#include <math.h>

/* Share of the pixels up to which a colour is not seen. */
#define LEAST_SHARE 1e-4

typedef struct
{
  guint32 rgb;
  guint pixels;
  MeasureOklab place;
} Colour;

/* --- places --- */

static gdouble
compute_light (guint8 code)
{
  gdouble x = code / 255.0;

  return x <= 0.04045 ? x / 12.92 : pow ((x + 0.055) / 1.055, 2.4);
}

/* From a table, because clips have millions of pixels. */
gdouble
measure_light (guint8 code)
{
  static gsize is_filled;
  static gdouble lights[256];

  if (g_once_init_enter (&is_filled)) {
    for (guint i = 0; i < 256; i++)
      lights[i] = compute_light (i);
    g_once_init_leave (&is_filled, 1);
  }
  return lights[code];
}

/* Björn Ottosson, "A perceptual color space for image processing" (2020). */
MeasureOklab
measure_oklab (const guint8 * rgb)
{
  gdouble r = measure_light (rgb[0]);
  gdouble g = measure_light (rgb[1]);
  gdouble b = measure_light (rgb[2]);
  gdouble l = cbrt (0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  gdouble m = cbrt (0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  gdouble s = cbrt (0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);

  return (MeasureOklab) {
    0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s,
  };
}

gdouble
measure_oklab_distance (MeasureOklab p, MeasureOklab q)
{
  gdouble L = p.L - q.L, a = p.a - q.a, b = p.b - q.b;

  return sqrt (L * L + a * a + b * b);
}

gdouble
measure_chroma (MeasureOklab place)
{
  return hypot (place.a, place.b);
}

gdouble
measure_hue_between (MeasureOklab p, MeasureOklab q)
{
  return fabs (atan2 (p.a * q.b - p.b * q.a, p.a * q.a + p.b * q.b));
}

gdouble
measure_distance (const guint8 * rgb, const guint8 * other)
{
  return measure_oklab_distance (measure_oklab (rgb), measure_oklab (other));
}

/* --- palette size --- */

/* So that colours of the same weight have an order too. */
static gint
compare_weights (gconstpointer a, gconstpointer b)
{
  const Colour *x = a, *y = b;

  if (x->pixels != y->pixels)
    return x->pixels > y->pixels ? -1 : 1;
  return (x->rgb > y->rgb) - (x->rgb < y->rgb);
}

static GArray *
list_colours (const guint8 * rgba, gsize n_pixels)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  GArray *colours = g_array_new (FALSE, FALSE, sizeof (Colour));
  GHashTableIter iter;
  gpointer key, count;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &key, &count)) {
    Colour colour = { GPOINTER_TO_UINT (key), GPOINTER_TO_UINT (count) };
    guint8 rgb[3];

    reference_unpack_rgb (colour.rgb, rgb);
    colour.place = measure_oklab (rgb);
    g_array_append_val (colours, colour);
  }
  g_array_sort (colours, compare_weights);
  return colours;
}

static Colour *
find_near (Colour * colours, guint n, MeasureOklab place, gdouble radius)
{
  for (guint i = 0; i < n; i++)
    if (measure_oklab_distance (colours[i].place, place) <= radius)
      return &colours[i];
  return NULL;
}

/* Leaves in front those that joined none; returns how many they are. */
static guint
join_near (Colour * colours, guint n, gdouble radius)
{
  guint n_left = 0;

  for (guint i = 0; i < n; i++) {
    Colour *heavier = find_near (colours, n_left, colours[i].place, radius);

    if (heavier)
      heavier->pixels += colours[i].pixels;
    else
      colours[n_left++] = colours[i];
  }
  return n_left;
}

guint
measure_palette_size (const guint8 * rgba, gsize n_pixels, gdouble radius)
{
  g_autoptr (GArray) list = list_colours (rgba, n_pixels);
  Colour *colours = (Colour *) list->data;
  gdouble all = 0;
  guint n_left, n_seen = 0;

  for (guint i = 0; i < list->len; i++)
    all += colours[i].pixels;
  n_left = join_near (colours, list->len, radius / 2);
  for (guint i = 0; i < n_left; i++)
    n_seen += colours[i].pixels > LEAST_SHARE * all;
  return n_seen;
}

/* --- distortion --- */

gdouble
measure_distortion (const guint8 * before, const guint8 * after, gsize n_pixels)
{
  gdouble sum = 0;
  gsize n = 0;

  for (gsize i = 0; i < n_pixels; i++) {
    if (before[4 * i + 3] == 0)
      continue;
    sum += measure_distance (before + 4 * i, after + 4 * i);
    n++;
  }
  return n > 0 ? sum / n : 0;
}

gdouble
measure_ratio (gdouble value, gdouble other, gdouble least)
{
  return MAX (value, least) / MAX (other, least);
}
