/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "census.h"
#include "shaders/palette/steady.h"
#include "shaders/palette/census.h"

#include <string.h>

/* A quarter of the radius, of which a cell is a third, in eighths of cells. */
#define NEAR 6

G_STATIC_ASSERT (CENSUS_MODES == GPU_PALETTE_MAX_MODES);

GpuPaletteCensus *
gpu_palette_census_new (GpuDevice * device, GError ** error)
{
  GpuPaletteCensus *census = g_new0 (GpuPaletteCensus, 1);

  census->list = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof (struct Census), "palette census", error);
  if (census->list)
    census->news = gpu_readback_new (device, sizeof (struct Census) / 4, error);
  if (!census->news)
    g_clear_pointer (&census, gpu_palette_census_free);
  return census;
}

void
gpu_palette_census_free (GpuPaletteCensus * census)
{
  g_clear_pointer (&census->list, gpu_buffer_unref);
  g_clear_pointer (&census->news, gpu_readback_free);
  g_free (census);
}

gsize
gpu_palette_census_get_memory (const GpuPaletteCensus * census)
{
  return gpu_buffer_get_size (census->list)
      + gpu_readback_get_memory (census->news);
}

/* --- a frame --- */

void
gpu_palette_census_next (GpuPaletteCensus * census, gboolean is_same_map)
{
  census->was_taken = census->is_taken && is_same_map;
  census->is_taken = FALSE;
}

void
gpu_palette_census_begin (GpuPaletteCensus * census, GpuPaletteRun * run)
{
  gpu_stream_stage (run->stream, "palette-census");
  gpu_stream_write (run->stream, census->list, offsetof (struct Census, tag),
      &run->settings->tag, sizeof (guint64));
}

void
gpu_palette_census_end (GpuPaletteCensus * census, GpuPaletteRun * run)
{
  gpu_stream_barrier (run->stream);
  gpu_readback_record (census->news, run->stream, census->list, 0);
  census->is_taken = TRUE;
}

void
gpu_palette_census_forget (GpuPaletteCensus * census)
{
  census->is_taken = FALSE;
  gpu_readback_forget (census->news);
}

/* --- what the host knows --- */

static gboolean
are_near (const CensusMode * a, const CensusMode * b)
{
  gint squared = 0;

  for (guint axis = 0; axis < 3; axis++) {
    gint way = (gint) a->place[axis] - (gint) b->place[axis];

    squared += way * way;
  }
  return squared <= NEAR * NEAR;
}

static gint
compare_pixels (gconstpointer a, gconstpointer b, gpointer unused)
{
  const CensusMode *p = a, *q = b;

  return (p->n < q->n) - (p->n > q->n);
}

/* Each of the @n takes in those near to it that are behind it. Returns how many
 * are left, again in order. */
static guint
merge (CensusMode * modes, guint n)
{
  guint n_left = 0;

  for (guint i = 0; i < n; i++) {
    guint other = 0;

    while (other < n_left && !are_near (&modes[i], &modes[other]))
      other++;
    if (other < n_left)
      modes[other].n += modes[i].n;
    else
      modes[n_left++] = modes[i];
  }
  g_qsort_with_data (modes, n_left, sizeof *modes, compare_pixels, NULL);
  return n_left;
}

gboolean
gpu_palette_census_get_modes (GpuPaletteCensus * census,
    GpuPaletteMode * modes, guint * n, guint64 * tag)
{
  struct Census news;

  if (!gpu_readback_read (census->news, (guint32 *) & news))
    return FALSE;
  *n = merge (news.modes, news.n_modes);
  for (guint i = 0; i < *n; i++)
    modes[i] = (GpuPaletteMode) {
    news.modes[i].colour, (gdouble) news.modes[i].n / news.n_pixels};
  memcpy (tag, news.tag, sizeof *tag);
  return TRUE;
}
