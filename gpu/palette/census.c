/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "census.h"
#include "arrays.h"
#include "shaders.h"
#include "gpu/core/readback.h"
#include "shaders/palette/steady.h"
#include "shaders/palette/census.h"

#include <stddef.h>
#include <string.h>

/* Of sixteen pixels, on two cores of a CPU. */
#define COUNT_NS 100

/* A quarter of the radius, of which a cell is a third, in eighths of cells. */
#define NEAR 6

G_STATIC_ASSERT (CENSUS_MODES == GPU_PALETTE_MAX_MODES);

struct _GpuPaletteCensus
{
  GpuKernel *count, *list;
  GpuBuffer *counters;
  GpuBuffer *census;            /* struct Census */
  GpuReadback *news;
  gboolean is_known;            /* that of the frame before, on the device */
};

/* --- building --- */

static gboolean
make_kernels (GpuPaletteCensus * census, GpuDevice * device, GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (device);

  census->count = gpu_kernel_get (device, &gpu_shader_palette_census_count,
      &gathers, 1, error);
  if (census->count)
    census->list = gpu_kernel_get (device, &gpu_shader_palette_census_list,
        NULL, 0, error);
  return census->list != NULL;
}

static gboolean
make_buffers (GpuPaletteCensus * census, GpuDevice * device, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&census->counters, CENSUS_COUNTERS, "palette pixels of modes"},
    {&census->census, sizeof (struct Census) / 4, "palette census"},
  };

  census->news = gpu_readback_new (device, sizeof (struct Census) / 4, error);
  return census->news && gpu_palette_make_arrays (device, arrays,
      G_N_ELEMENTS (arrays), NULL, error);
}

GpuPaletteCensus *
gpu_palette_census_new (GpuDevice * device, GError ** error)
{
  GpuPaletteCensus *census = g_new0 (GpuPaletteCensus, 1);

  if (make_kernels (census, device, error)
      && make_buffers (census, device, error))
    return census;
  gpu_palette_census_free (census);
  return NULL;
}

void
gpu_palette_census_free (GpuPaletteCensus * census)
{
  g_clear_pointer (&census->counters, gpu_buffer_unref);
  g_clear_pointer (&census->census, gpu_buffer_unref);
  g_clear_pointer (&census->news, gpu_readback_free);
  g_free (census);
}

gsize
gpu_palette_census_get_memory (GpuPaletteCensus * census)
{
  GpuBuffer *buffers[] = { census->counters, census->census };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers))
      + gpu_readback_get_memory (census->news);
}

/* --- a frame --- */

static gboolean
count_pixels (GpuPaletteCensus * census, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * holds, GError ** error)
{
  GpuBuffer *buffers[] = {
    cells->grid, cells->cells, holds, census->counters
  };
  guint32 push[] = { 0, 0, !census->is_known };

  return gpu_palette_run_sliced (run, census->count, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, cells->of_pixels.most,
      COUNT_NS, error);
}

static void
list_modes (GpuPaletteCensus * census, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * modes)
{
  GpuBuffer *buffers[] = {
    cells->grid, modes, census->counters, census->census
  };
  const guint32 recount = !census->is_known;

  gpu_stream_dispatch (run->stream, census->list, buffers,
      G_N_ELEMENTS (buffers), &recount, sizeof recount, 1, 1, 1);
}

gboolean
gpu_palette_census_record (GpuPaletteCensus * census, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * holds, GpuBuffer * modes,
    GError ** error)
{
  gpu_stream_stage (run->stream, "palette-census");
  gpu_stream_write (run->stream, census->census,
      offsetof (struct Census, tag), &run->settings->tag, sizeof (guint64));
  if (!gpu_palette_run_clear (run, census->counters,
          gpu_buffer_get_size (census->counters), error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!count_pixels (census, run, cells, holds, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  list_modes (census, run, cells, modes);
  gpu_stream_barrier (run->stream);
  gpu_readback_record (census->news, run->stream, census->census, 0);
  census->is_known = TRUE;
  return TRUE;
}

void
gpu_palette_census_forget (GpuPaletteCensus * census)
{
  census->is_known = FALSE;
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
