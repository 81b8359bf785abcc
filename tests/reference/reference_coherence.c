/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bins by which pixels choose their modes, with coherence. */
#include "reference_integer.h"
#include "reference_steps.h"

#include <string.h>

#define ROUNDS 2

/* The bins that a pixel decides with, in raster order, and its own first. */
typedef struct
{
  ReferencePlace bins[10];
  guint n;
} Beside;

static gboolean
is_counted (const ReferenceTemporal * film, gint x, gint y)
{
  const gint width = film->pictures.grid.width;
  const gint height = film->pictures.grid.height;

  return x >= 0 && x < width && y >= 0 && y < height
      && film->picture[4 * (y * width + x) + 3] > 0;
}

/* Up to which distance bins are near, squared. */
static gint64
square_of_range (const ReferenceTemporal * film)
{
  const gdouble range = ldexp (0.12 * film->settings.coherence,
      (gint) film->bins.lattice.shift) / film->bins.pitch;

  return reference_floor (range * range);
}

static Beside
find_beside (const ReferenceTemporal * film, const ReferencePlace * bins,
    gint x, gint y)
{
  const gint width = film->pictures.grid.width;
  const ReferencePlace own = bins[y * width + x];
  Beside beside = {.bins = {own}, .n = 1};

  for (gint v = y - 1; v <= y + 1; v++)
    for (gint u = x - 1; u <= x + 1; u++)
      if (is_counted (film, u, v)
          && reference_places_distance_squared (own, bins[v * width + u])
          <= square_of_range (film))
        beside.bins[beside.n++] = bins[v * width + u];
  return beside;
}

static gint64
spread_of (const Beside * beside, ReferencePlace bin)
{
  gint64 spread = 0;

  /* The first one is there twice. */
  for (guint i = 1; i < beside->n; i++)
    spread += reference_places_distance_squared (bin, beside->bins[i]);
  return spread;
}

static ReferencePlace
find_typical (const Beside * beside)
{
  guint best = 0;

  for (guint i = 1; i < beside->n; i++)
    if (spread_of (beside, beside->bins[i])
        < spread_of (beside, beside->bins[best]))
      best = i;
  return beside->bins[best];
}

ReferencePlace *
reference_pixels_find_bins (const ReferenceTemporal * film)
{
  const gint width = film->pictures.grid.width;
  ReferencePlace *bins = g_new (ReferencePlace, film->n_pixels);
  g_autofree ReferencePlace *before = g_new (ReferencePlace, film->n_pixels);

  for (gsize i = 0; i < film->n_pixels; i++)
    bins[i] =
        reference_bins_place_unmerged (&film->bins, film->picture + 4 * i);
  for (guint round = 0; round < ROUNDS && film->settings.coherence > 0; round++) {
    memcpy (before, bins, film->n_pixels * sizeof *bins);
    for (gint i = 0; i < (gint) film->n_pixels; i++)
      if (is_counted (film, i % width, i / width)) {
        const Beside beside = find_beside (film, before, i % width, i / width);

        bins[i] = find_typical (&beside);
      }
  }
  return bins;
}
