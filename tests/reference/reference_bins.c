/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_bins.h"
#include "reference_count.h"
#include "reference_integer.h"

#include <stdlib.h>

typedef struct
{
  ReferencePoint at;
  guint8 rgb[3];
  gint64 weight;
} WeightedColour;

static gint64
find_pitch (gdouble radius, guint shift)
{
  return MAX ((gint64) floor (ldexp (radius, (gint) shift) / 3 + 0.5), 109);
}

/* Where a point's bin is when bins were merged @n_merges times. */
static ReferencePlace
place_of (const ReferenceBins * bins, ReferencePoint point, guint n_merges)
{
  const gint64 pitch = bins->pitch, half = pitch / 2;
  const ReferencePlace place = {
    reference_shift (reference_floor_divide (point.a + half, pitch), n_merges),
    reference_shift (reference_floor_divide (point.b + half, pitch), n_merges),
    reference_shift (reference_floor_divide (point.L + half, pitch), n_merges)
  };

  return place;
}

ReferencePlace
reference_bins_place (const ReferenceBins * bins, const guint8 * rgb)
{
  return place_of (bins, reference_colour_to_point (&bins->lattice, rgb),
      bins->n_merges);
}

ReferencePlace
reference_bins_place_unmerged (const ReferenceBins * bins, const guint8 * rgb)
{
  return place_of (bins, reference_colour_to_point (&bins->lattice, rgb), 0);
}

static gint64
weight_of (const ReferencePaletteSettings * settings, guint count)
{
  if (count < settings->min_frequency)
    return 0;
  return settings->weighting == REFERENCE_WEIGHTING_FREQUENCY ? count : 1;
}

static WeightedColour *
collect_colours (const ReferencePaletteSettings * settings,
    const ReferenceLattice * lattice, const guint8 * rgba, gsize n_pixels,
    gsize * n_colours)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  WeightedColour *colours = g_new (WeightedColour, g_hash_table_size (counts));
  gsize n = 0;
  GHashTableIter iter;
  gpointer colour, count;

  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &count)) {
    reference_unpack_rgb (GPOINTER_TO_UINT (colour), colours[n].rgb);
    colours[n].at = reference_colour_to_point (lattice, colours[n].rgb);
    colours[n++].weight = weight_of (settings, GPOINTER_TO_UINT (count));
  }
  *n_colours = n;
  return colours;
}

gint
reference_places_compare (ReferencePlace p, ReferencePlace q)
{
  if (p.a != q.a)
    return p.a < q.a ? -1 : 1;
  if (p.b != q.b)
    return p.b < q.b ? -1 : 1;
  return (p.L > q.L) - (p.L < q.L);
}

static gint
compare_bins (gconstpointer one, gconstpointer other)
{
  return reference_places_compare (((const ReferenceBin *) one)->place,
      ((const ReferenceBin *) other)->place);
}

/* The bin of one colour, as if there were no other. */
static ReferenceBin
bin_of_colour (const ReferenceBins * bins, const WeightedColour * colour)
{
  ReferenceBin bin = {.place = place_of (bins, colour->at, bins->n_merges),
    .n = colour->weight};

  for (guint i = 0; i < 3; i++)
    bin.sum[i] = colour->weight * colour->rgb[i];
  return bin;
}

static void
add_bin (ReferenceBin * bin, const ReferenceBin * other)
{
  bin->n += other->n;
  for (guint i = 0; i < 3; i++)
    bin->sum[i] += other->sum[i];
}

static void
fill_bins (ReferenceBins * bins, const WeightedColour * colours,
    gsize n_colours)
{
  ReferenceBin *filled = bins->bins;
  gsize n = 0;

  for (gsize i = 0; i < n_colours; i++)
    filled[i] = bin_of_colour (bins, &colours[i]);
  if (n_colours > 0)
    qsort (filled, n_colours, sizeof (ReferenceBin), compare_bins);
  for (gsize i = 0; i < n_colours; i++) {
    if (n > 0 && compare_bins (&filled[n - 1], &filled[i]) == 0)
      add_bin (&filled[n - 1], &filled[i]);
    else
      filled[n++] = filled[i];
  }
  bins->n_bins = n;
}

ReferenceBin *
reference_bins_find (const ReferenceBins * bins, ReferencePlace place)
{
  const ReferenceBin wanted = {.place = place};

  return bsearch (&wanted, bins->bins, bins->n_bins, sizeof (ReferenceBin),
      compare_bins);
}

ReferenceBin *
reference_bins_find_beside (const ReferenceBins * bins,
    ReferencePlace place, gint a, gint b, gint L)
{
  const ReferencePlace beside = { place.a + a, place.b + b, place.L + L };

  return reference_bins_find (bins, beside);
}

/* Which is the first of the bins that are not before @place. */
static gsize
first_from (const ReferenceBins * bins, ReferencePlace place)
{
  gsize first = 0, end = bins->n_bins;

  while (first < end) {
    const gsize middle = first + (end - first) / 2;

    if (reference_places_compare (bins->bins[middle].place, place) < 0)
      first = middle + 1;
    else
      end = middle;
  }
  return first;
}

/* Those around a bin and itself, in the order of bins; returns how many. Of a row,
 * where L alone differs, they are next to each other: most of the tests' time would
 * go into looking for each. */
static guint
find_around (const ReferenceBins * bins, const ReferenceBin * bin,
    const ReferenceBin ** around)
{
  guint n = 0;

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++) {
      const ReferencePlace first =
          { bin->place.a + a, bin->place.b + b, bin->place.L - 1 };
      const ReferencePlace last = { first.a, first.b, first.L + 2 };

      for (gsize i = first_from (bins, first); i < bins->n_bins
          && reference_places_compare (bins->bins[i].place, last) <= 0; i++)
        around[n++] = &bins->bins[i];
    }
  return n;
}

static gint64
density_at (const ReferenceBins * bins, const ReferenceBin * bin)
{
  const ReferenceBin *around[27];
  const guint n = find_around (bins, bin, around);
  gint64 density = 0;

  for (guint i = 0; i < n; i++) {
    const gint64 a = around[i]->place.a - bin->place.a;
    const gint64 b = around[i]->place.b - bin->place.b;
    const gint64 L = around[i]->place.L - bin->place.L;

    density += (4 - (a * a + b * b + L * L)) * around[i]->n;
  }
  return density;
}

/* The densest of those around where something weighs, which are looked at in the
 * order of bins, so that the first of several equal ones stays the best; NULL where
 * there are none. */
static const ReferenceBin *
densest_around (const ReferenceBins * bins, const ReferenceBin * bin)
{
  const ReferenceBin *around[27];
  const guint n = find_around (bins, bin, around);
  const ReferenceBin *best = NULL;

  for (guint i = 0; i < n; i++)
    if (around[i] != bin && around[i]->n > 0
        && (best == NULL || around[i]->density > best->density))
      best = around[i];
  return best;
}

static gsize
uphill_from (const ReferenceBins * bins, const ReferenceBin * bin)
{
  const ReferenceBin *best = densest_around (bins, bin);
  const gint64 enough = bin->density + MIN (bin->density / 64, 8);

  if (best == NULL || (bin->n > 0 && best->density <= enough))
    best = bin;
  return (gsize) (best - bins->bins);
}

static gsize
summit_from (const ReferenceBins * bins, gsize i)
{
  while (bins->bins[i].uphill != i)
    i = bins->bins[i].uphill;
  return i;
}

static void
climb (ReferenceBins * bins)
{
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].density = density_at (bins, &bins->bins[i]);
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].uphill = uphill_from (bins, &bins->bins[i]);
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].summit = summit_from (bins, i);
}

gboolean
reference_bins_is_summit (const ReferenceBins * bins, gsize i)
{
  return bins->bins[i].summit == i;
}

gint64
reference_bins_mean (gint64 sum, gint64 n)
{
  return (2 * sum + n) / (2 * n);
}

gboolean
reference_bins_colour (const ReferenceBins * bins,
    const ReferenceBin * bin, guint8 * rgb)
{
  const ReferenceBin *summit = &bins->bins[bin->summit];

  if (summit->n == 0)
    return FALSE;
  for (guint i = 0; i < 3; i++)
    rgb[i] = reference_bins_mean (summit->sum[i], summit->n);
  return TRUE;
}

void
reference_bins_init (ReferenceBins * bins,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels)
{
  g_autofree WeightedColour *colours = NULL;
  gsize n_colours;

  reference_lattice_init (&bins->lattice, settings->transfer, settings->eotf,
      reference_lattice_shift (settings->radius));
  if (settings->chroma > 0)
    reference_lattice_set_chroma (&bins->lattice, settings->chroma);
  bins->pitch = find_pitch (settings->radius, bins->lattice.shift);
  colours = collect_colours (settings, &bins->lattice, rgba, n_pixels,
      &n_colours);
  bins->bins = g_new (ReferenceBin, n_colours);
  bins->n_merges = 0;
  fill_bins (bins, colours, n_colours);
  while (bins->n_bins > capacity) {
    bins->n_merges++;
    fill_bins (bins, colours, n_colours);
  }
  climb (bins);
}

void
reference_bins_clear (ReferenceBins * bins)
{
  g_free (bins->bins);
}
