/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reference_live.h"
#include "reference_cells.h"
#include "reference_count.h"

#include <string.h>

static void
map_pixel (const ReferenceCells * cells, const guint8 * input, guint8 * output)
{
  const ReferencePlace place = reference_cells_place (cells, input);

  memmove (output, input, 4);
  if (input[3] != 0)
    reference_cells_colour (cells, reference_cells_find (cells, place), output);
}

static gsize
count_output_colours (const ReferenceCells * cells)
{
  g_autoptr (GHashTable) colours = g_hash_table_new (NULL, NULL);

  for (gsize i = 0; i < cells->n_cells; i++) {
    guint8 rgb[3];

    if (reference_cells_colour (cells, &cells->cells[i], rgb))
      g_hash_table_add (colours, GUINT_TO_POINTER (reference_pack_rgb (rgb)));
  }
  return g_hash_table_size (colours);
}

static ReferenceLiveStats
collect_stats (const ReferenceCells * cells)
{
  ReferenceLiveStats stats = {.n_cells = cells->n_cells,
    .n_merges = cells->n_merges,
    .n_output_colours = count_output_colours (cells)
  };

  for (gsize i = 0; i < cells->n_cells; i++)
    stats.n_summits += reference_cells_is_summit (cells, i);
  return stats;
}

static ReferenceLiveStats
reduce (const ReferencePaletteSettings * settings, gsize capacity,
    const guint8 * counted, gsize n_counted, const guint8 * input,
    gsize n_pixels, guint8 * output)
{
  ReferenceCells cells;
  ReferenceLiveStats stats;

  reference_cells_init (&cells, settings, capacity, counted, n_counted);
  for (gsize i = 0; i < n_pixels; i++)
    map_pixel (&cells, input + 4 * i, output + 4 * i);
  stats = collect_stats (&cells);
  reference_cells_clear (&cells);
  return stats;
}

void
reference_live_from (const ReferencePaletteSettings * settings,
    gsize capacity, const guint8 * counted, gsize n_counted,
    const guint8 * input, gsize n_pixels, guint8 * output,
    ReferenceLiveStats * stats)
{
  ReferenceLiveStats own = { 0 };

  if (settings->radius > 0)
    own = reduce (settings, capacity, counted, n_counted, input, n_pixels,
        output);
  else
    memmove (output, input, 4 * n_pixels);
  if (stats != NULL)
    *stats = own;
}

void
reference_live_with_capacity (const ReferencePaletteSettings * settings,
    gsize capacity, const guint8 * input, guint width, guint height,
    guint8 * output, ReferenceLiveStats * stats)
{
  const gsize n_pixels = (gsize) width * height;

  reference_live_from (settings, capacity, input, n_pixels, input, n_pixels,
      output, stats);
}

void
reference_live (const ReferencePaletteSettings * settings,
    const guint8 * input, guint width, guint height, guint8 * output,
    ReferenceLiveStats * stats)
{
  reference_live_with_capacity (settings, REFERENCE_LIVE_CAPACITY, input, width,
      height, output, stats);
}
