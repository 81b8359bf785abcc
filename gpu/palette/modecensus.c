/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "modecensus.h"
#include "census.h"
#include "shaders.h"
#include "shaders/palette/steady.h"
#include "shaders/palette/census.h"

/* Of sixteen pixels, on two cores of a CPU. */
#define COUNT_NS 100

struct _GpuPaletteModeCensus
{
  GpuKernel *count, *list;
  GpuBuffer *counters;
};

/* --- building --- */

static gboolean
build (GpuPaletteModeCensus * census, GpuDevice * device, GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (device);

  census->count = gpu_kernel_get (device, &gpu_shader_palette_census_count,
      &gathers, 1, error);
  if (census->count)
    census->list = gpu_kernel_get (device, &gpu_shader_palette_census_list,
        NULL, 0, error);
  if (census->list)
    census->counters = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
        CENSUS_COUNTERS * 4, "palette pixels of modes", error);
  return census->counters != NULL;
}

GpuPaletteModeCensus *
gpu_palette_mode_census_new (GpuDevice * device, GError ** error)
{
  GpuPaletteModeCensus *census = g_new0 (GpuPaletteModeCensus, 1);

  if (build (census, device, error))
    return census;
  gpu_palette_mode_census_free (census);
  return NULL;
}

void
gpu_palette_mode_census_free (GpuPaletteModeCensus * census)
{
  g_clear_pointer (&census->counters, gpu_buffer_unref);
  g_free (census);
}

gsize
gpu_palette_mode_census_get_memory (GpuPaletteModeCensus * census)
{
  return gpu_buffer_get_size (census->counters);
}

/* --- a frame --- */

static gboolean
count_pixels (GpuPaletteModeCensus * census, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * holds, GError ** error)
{
  GpuBuffer *buffers[] = {
    cells->grid, cells->cells, holds, census->counters
  };
  guint32 push[] = { 0, 0, 0, !run->census->was_taken };
  GpuPaletteRows rows = cells->of_pixels.rows;

  rows.arrays = 1 << 1 | 1 << 2;
  return gpu_palette_run_over_rows (run, census->count, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &rows,
      cells->of_pixels.most, COUNT_NS, error);
}

static void
list_modes (GpuPaletteModeCensus * census, GpuPaletteRun * run,
    GpuPaletteCells * cells, GpuBuffer * modes)
{
  GpuBuffer *buffers[] = {
    cells->grid, modes, census->counters, run->census->list
  };
  const guint32 recount = !run->census->was_taken;

  gpu_stream_dispatch (run->stream, census->list, buffers,
      G_N_ELEMENTS (buffers), &recount, sizeof recount, 1, 1, 1);
}

gboolean
gpu_palette_mode_census_record (GpuPaletteModeCensus * census,
    GpuPaletteRun * run, GpuPaletteCells * cells, GpuBuffer * holds,
    GpuBuffer * modes, GError ** error)
{
  gpu_palette_census_begin (run->census, run);
  if (!gpu_palette_run_clear (run, census->counters,
          gpu_buffer_get_size (census->counters), error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!count_pixels (census, run, cells, holds, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  list_modes (census, run, cells, modes);
  gpu_palette_census_end (run->census, run);
  return TRUE;
}
