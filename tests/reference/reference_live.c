/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_live.h"
#include "reference_count.h"
#include "reference_integer.h"

#include <stdlib.h>
#include <string.h>

/* --- places --- */

ReferencePlace
reference_bins_place_unmerged (const ReferenceBins * bins, const guint8 * rgb)
{
  const ReferencePoint point = reference_colour_to_point (&bins->lattice, rgb);
  const gint64 pitch = bins->pitch, half = pitch / 2;

  return (ReferencePlace) {
    reference_floor_divide (point.a + half, pitch),
    reference_floor_divide (point.b + half, pitch),
    reference_floor_divide (point.L + half, pitch)
  };
}

static ReferencePlace
merge_place (ReferencePlace place, guint n_merges)
{
  return (ReferencePlace) {
    reference_shift (place.a, n_merges), reference_shift (place.b, n_merges),
    reference_shift (place.L, n_merges)
  };
}

ReferencePlace
reference_bins_place (const ReferenceBins * bins, const guint8 * rgb)
{
  return reference_bins_merge (bins, reference_bins_place_unmerged (bins, rgb));
}

ReferencePlace
reference_bins_merge (const ReferenceBins * bins, ReferencePlace place)
{
  return merge_place (place, bins->n_merges);
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

gint64
reference_places_distance_squared (ReferencePlace p, ReferencePlace q)
{
  return (p.a - q.a) * (p.a - q.a) + (p.b - q.b) * (p.b - q.b)
      + (p.L - q.L) * (p.L - q.L);
}

static gint
compare_bins (gconstpointer one, gconstpointer other)
{
  return reference_places_compare (((const ReferenceBin *) one)->place,
      ((const ReferenceBin *) other)->place);
}

/* --- occupied bins --- */

void
reference_bin_add (ReferenceBin * bin, const ReferenceBin * other)
{
  bin->n += other->n;
  for (guint i = 0; i < 3; i++)
    bin->sum[i] += other->sum[i];
}

/* Sorts bins, and makes one of those at one place. */
static void
join_equal (ReferenceBins * bins)
{
  ReferenceBin *all = bins->bins;
  gsize n = 0;

  qsort (all, bins->n_bins, sizeof *all, compare_bins);
  for (gsize i = 0; i < bins->n_bins; i++) {
    if (n > 0 && compare_bins (&all[n - 1], &all[i]) == 0)
      reference_bin_add (&all[n - 1], &all[i]);
    else
      all[n++] = all[i];
  }
  bins->n_bins = n;
}

/* A bin for each colour, as if there were no other. */
static void
fill (ReferenceBins * bins, const ReferencePaletteSettings * settings,
    const guint8 * rgba, gsize n_pixels)
{
  g_autoptr (GHashTable) counts = reference_count_colours (rgba, n_pixels);
  GHashTableIter iter;
  gpointer colour, count;

  bins->bins = g_new0 (ReferenceBin, g_hash_table_size (counts) + 1);
  bins->n_bins = 0;
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &colour, &count)) {
    ReferenceBin *bin = &bins->bins[bins->n_bins++];
    guint8 rgb[3];

    reference_unpack_rgb (GPOINTER_TO_UINT (colour), rgb);
    bin->place = reference_bins_place_unmerged (bins, rgb);
    if (GPOINTER_TO_UINT (count) >= settings->min_frequency)
      bin->n = settings->weighting == REFERENCE_WEIGHTING_FREQUENCY
          ? GPOINTER_TO_UINT (count) : 1;
    for (guint i = 0; i < 3; i++)
      bin->sum[i] = bin->n * rgb[i];
  }
}

ReferenceBin *
reference_bins_find (const ReferenceBins * bins, ReferencePlace place)
{
  const ReferenceBin wanted = {.place = place};

  return bsearch (&wanted, bins->bins, bins->n_bins, sizeof wanted,
      compare_bins);
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

/* Bins of a row, where L alone differs, are next to each other: most of the tests' time
 * would go into looking for each. */
guint
reference_bins_find_around (const ReferenceBins * bins, ReferencePlace place,
    ReferenceBin * around[27])
{
  guint n = 0;

  for (gint a = -1; a <= 1; a++)
    for (gint b = -1; b <= 1; b++) {
      const ReferencePlace first = { place.a + a, place.b + b, place.L - 1 };
      const ReferencePlace last = { first.a, first.b, first.L + 2 };

      for (gsize i = first_from (bins, first); i < bins->n_bins
          && reference_places_compare (bins->bins[i].place, last) <= 0; i++)
        around[n++] = &bins->bins[i];
    }
  return n;
}

/* --- ways --- */

static gint64
density_at (const ReferenceBins * bins, const ReferenceBin * bin)
{
  ReferenceBin *around[27];
  const guint n = reference_bins_find_around (bins, bin->place, around);
  gint64 density = 0;

  for (guint i = 0; i < n; i++)
    density += (4 - reference_places_distance_squared (around[i]->place,
            bin->place)) * around[i]->n;
  return density;
}

/* Bins around are looked at in order, so that the first of several equal ones stays the
 * best. */
static gsize
uphill_from (const ReferenceBins * bins, const ReferenceBin * bin)
{
  const gint64 enough = bin->density + MIN (bin->density / 64, 8);
  ReferenceBin *around[27];
  const guint n = reference_bins_find_around (bins, bin->place, around);
  const ReferenceBin *best = NULL;

  for (guint i = 0; i < n; i++)
    if (around[i] != bin && around[i]->n > 0
        && (best == NULL || around[i]->density > best->density))
      best = around[i];
  if (best == NULL || (bin->n > 0 && best->density <= enough))
    best = bin;
  return best - bins->bins;
}

static gsize
summit_from (const ReferenceBins * bins, gsize i)
{
  while (bins->bins[i].uphill != i)
    i = bins->bins[i].uphill;
  return i;
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
reference_bins_colour (const ReferenceBins * bins, const ReferenceBin * bin,
    guint8 * rgb)
{
  const ReferenceBin *summit = &bins->bins[bin->summit];

  for (guint i = 0; i < 3 && summit->n > 0; i++)
    rgb[i] = reference_bins_mean (summit->sum[i], summit->n);
  return summit->n > 0;
}

void
reference_bins_init (ReferenceBins * bins,
    const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * rgba, gsize n_pixels)
{
  reference_palette_lattice (settings, &bins->lattice);
  bins->pitch = MAX (reference_floor (ldexp (settings->radius,
              (gint) bins->lattice.shift) / 3 + 0.5), 109);
  bins->n_merges = 0;
  fill (bins, settings, rgba, n_pixels);
  join_equal (bins);
  for (; bins->n_bins > capacity; bins->n_merges++) {
    for (gsize i = 0; i < bins->n_bins; i++)
      bins->bins[i].place = merge_place (bins->bins[i].place, 1);
    join_equal (bins);
  }
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].density = density_at (bins, &bins->bins[i]);
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].uphill = uphill_from (bins, &bins->bins[i]);
  for (gsize i = 0; i < bins->n_bins; i++)
    bins->bins[i].summit = summit_from (bins, i);
}

void
reference_bins_clear (ReferenceBins * bins)
{
  g_free (bins->bins);
}

/* --- pictures --- */

static ReferenceLiveStats
collect_stats (const ReferenceBins * bins)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);
  ReferenceLiveStats stats = {.n_bins = bins->n_bins,
    .n_merges = bins->n_merges};

  for (gsize i = 0; i < bins->n_bins; i++) {
    guint8 rgb[3];

    stats.n_summits += reference_bins_is_summit (bins, i);
    if (reference_bins_colour (bins, &bins->bins[i], rgb))
      g_hash_table_add (colours, GUINT_TO_POINTER (reference_pack_rgb (rgb)));
  }
  stats.n_output_colours = g_hash_table_size (colours);
  return stats;
}

void
reference_live_from (const ReferencePaletteSettings * settings,
    gsize capacity, const ReferencePixels * counted,
    const ReferencePixels * input, guint8 * output, ReferenceLiveStats * stats)
{
  ReferenceLiveStats own = { 0 };
  ReferenceBins bins;

  memmove (output, input->bytes, 4 * input->n);
  if (settings->radius > 0) {
    reference_bins_init (&bins, settings, capacity, counted->bytes, counted->n);
    for (guint8 * pixel = output; pixel < output + 4 * input->n; pixel += 4)
      if (pixel[3] != 0)
        reference_bins_colour (&bins, reference_bins_find (&bins,
                reference_bins_place (&bins, pixel)), pixel);
    own = collect_stats (&bins);
    reference_bins_clear (&bins);
  }
  if (stats != NULL)
    *stats = own;
}

void
reference_live_with_capacity (const ReferencePaletteSettings * settings,
    gsize capacity, const ReferencePixels * input, guint8 * output,
    ReferenceLiveStats * stats)
{
  reference_live_from (settings, capacity, input, input, output, stats);
}

void
reference_live (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferenceLiveStats * stats)
{
  const ReferencePixels pixels = { input, (gsize) width * height };

  reference_live_from (settings, REFERENCE_LIVE_CAPACITY, &pixels, &pixels,
      output, stats);
}
