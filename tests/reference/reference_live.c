/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_live.h"
#include "reference_bins.h"
#include "reference_count.h"

#include <string.h>

static void
map_pixel (const ReferenceBins * bins, const guint8 * input, guint8 * output)
{
  const ReferencePlace place = reference_bins_place (bins, input);

  memmove (output, input, 4);
  if (input[3] != 0)
    reference_bins_colour (bins, reference_bins_find (bins, place), output);
}

static gsize
count_output_colours (const ReferenceBins * bins)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < bins->n_bins; i++) {
    guint8 rgb[3];

    if (reference_bins_colour (bins, &bins->bins[i], rgb))
      g_hash_table_add (colours, GUINT_TO_POINTER (reference_pack_rgb (rgb)));
  }
  return g_hash_table_size (colours);
}

static ReferenceLiveStats
collect_stats (const ReferenceBins * bins)
{
  ReferenceLiveStats stats = {.n_bins = bins->n_bins,
    .n_merges = bins->n_merges,
    .n_output_colours = count_output_colours (bins)
  };

  for (gsize i = 0; i < bins->n_bins; i++)
    stats.n_summits += reference_bins_is_summit (bins, i);
  return stats;
}

static ReferenceLiveStats
reduce (const ReferencePaletteSettings * settings, gsize capacity,
    const ReferencePixels * counted, const ReferencePixels * input,
    guint8 * output)
{
  ReferenceBins bins;
  ReferenceLiveStats stats;

  reference_bins_init (&bins, settings, capacity, counted->bytes, counted->n);
  for (gsize i = 0; i < input->n; i++)
    map_pixel (&bins, input->bytes + 4 * i, output + 4 * i);
  stats = collect_stats (&bins);
  reference_bins_clear (&bins);
  return stats;
}

void
reference_live_from (const ReferencePaletteSettings * settings,
    gsize capacity, const ReferencePixels * counted,
    const ReferencePixels * input, guint8 * output, ReferenceLiveStats * stats)
{
  ReferenceLiveStats own = { 0 };

  if (settings->radius > 0)
    own = reduce (settings, capacity, counted, input, output);
  else
    memmove (output, input->bytes, 4 * input->n);
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

  reference_live_with_capacity (settings, REFERENCE_LIVE_CAPACITY, &pixels,
      output, stats);
}
