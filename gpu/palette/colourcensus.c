/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourcensus.h"
#include "census.h"
#include "lattice.h"
#include "shaders.h"
#include "gpu/core/scan.h"
#include "shaders/palette/cells.h"
#include "shaders/palette/steady.h"
#include "shaders/palette/census.h"

/* On two cores of a CPU: of sixteen pixels, of a word of the bitmap. */
#define COUNT_NS 300
#define ONES_NS 5

/* Of 256 colours, which are looked at once for every bit of the largest number. */
#define BEST_NS 5000

#define MAX_GROUPS ((1u << 24) / CENSUS_GROUP)

struct _GpuPaletteColourCensus
{
  GpuKernel *ones, *count, *best, *list;
  GpuScan *scan;
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *before;            /* output colours before each word of used */
  GpuBuffer *bests;             /* CensusBest, by group */
  GpuBuffer *counters;          /* by output colour */
  guint room;                   /* of these */
  guint64 ranked;               /* the solve whose output colours are ranked, and
                                   whose tables are there; 0: none */
};

/* --- building --- */

static gboolean
make_kernels (GpuPaletteColourCensus * census, GpuDevice * device,
    GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (device);

  census->count = gpu_kernel_get (device,
      &gpu_shader_palette_census_count_colours, &gathers, 1, error);
  if (census->count)
    census->ones = gpu_kernel_get (device, &gpu_shader_palette_census_ones,
        NULL, 0, error);
  if (census->ones)
    census->best = gpu_kernel_get (device, &gpu_shader_palette_census_best,
        NULL, 0, error);
  if (census->best)
    census->list = gpu_kernel_get (device,
        &gpu_shader_palette_census_list_colours, NULL, 0, error);
  return census->list != NULL;
}

static gboolean
build (GpuPaletteColourCensus * census, GpuDevice * device, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&census->tables, sizeof (GpuPaletteTables) / 4,
        "palette transfer tables"},
    {&census->before, CENSUS_COLOUR_WORDS, "palette ranks of output colours"},
    {&census->counters, GPU_PALETTE_LEAST_ROOM, "palette pixels of colours"},
    {&census->bests, MAX_GROUPS * sizeof (struct CensusBest) / 4,
        "palette most frequent colours"},
  };

  if (!make_kernels (census, device, error)
      || !gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
          error))
    return FALSE;
  census->room = GPU_PALETTE_LEAST_ROOM;
  census->scan = gpu_scan_new (device, CENSUS_COLOUR_WORDS, error);
  return census->scan != NULL;
}

GpuPaletteColourCensus *
gpu_palette_colour_census_new (GpuDevice * device, GError ** error)
{
  GpuPaletteColourCensus *census = g_new0 (GpuPaletteColourCensus, 1);

  if (build (census, device, error))
    return census;
  gpu_palette_colour_census_free (census);
  return NULL;
}

void
gpu_palette_colour_census_free (GpuPaletteColourCensus * census)
{
  g_clear_pointer (&census->scan, gpu_scan_free);
  g_clear_pointer (&census->tables, gpu_buffer_unref);
  g_clear_pointer (&census->before, gpu_buffer_unref);
  g_clear_pointer (&census->bests, gpu_buffer_unref);
  g_clear_pointer (&census->counters, gpu_buffer_unref);
  g_free (census);
}

gsize
gpu_palette_colour_census_get_memory (GpuPaletteColourCensus * census)
{
  GpuBuffer *buffers[] = {
    census->tables, census->before, census->bests, census->counters
  };

  return gpu_scan_get_memory (census->scan)
      + gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers));
}

/* --- a frame --- */

/* For a counter of each output colour. */
static gboolean
make_room (GpuPaletteColourCensus * census, const GpuPaletteRun * run,
    guint n_colours, GError ** error)
{
  guint room = gpu_palette_work_room_for (run->work, n_colours);
  GpuBuffer *counters;

  if (n_colours <= census->room)
    return TRUE;
  counters = gpu_buffer_new (run->work->device, GPU_BUFFER_DEVICE,
      (gsize) room * 4, "palette pixels of colours", error);
  if (!counters)
    return FALSE;
  g_clear_pointer (&census->counters, gpu_buffer_unref);
  census->counters = counters;
  census->room = room;
  return TRUE;
}

/* Which place each output colour has among them. */
static gboolean
rank_colours (GpuPaletteColourCensus * census, GpuPaletteRun * run,
    guint64 n_solves, GError ** error)
{
  GpuBuffer *buffers[] = { run->work->used, census->before };
  guint32 push[] = { 0, 0 };

  if (census->ranked == n_solves)
    return TRUE;
  census->ranked = n_solves;
  gpu_stream_write (run->stream, census->tables, 0, run->tables,
      sizeof *run->tables);
  if (!gpu_palette_run_sliced (run, census->ones, buffers,
          G_N_ELEMENTS (buffers), push, sizeof push, CENSUS_COLOUR_WORDS,
          ONES_NS, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_scan_record (census->scan, run->stream, census->before,
      census->before, CENSUS_COLOUR_WORDS, error);
}

static gboolean
count_pixels (GpuPaletteColourCensus * census, GpuPaletteRun * run,
    const GpuPaletteHistogram * histogram, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = {
    work->used, census->before, histogram->counts.window.frames[0],
    histogram->counts.present, histogram->ranks, work->results,
    census->counters
  };
  guint n_pixels = histogram->width * histogram->height;
  const GpuPaletteRows rows =
      gpu_palette_rows_of_array (n_pixels, PIXELS_PER_THREAD, 1 << 2);
  guint32 push[] = { 0, 0, 0, n_pixels };

  return gpu_palette_run_over_rows (run, census->count, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &rows, rows.height, COUNT_NS,
      error);
}

/* Of each group of colours. */
static gboolean
list_bests (GpuPaletteColourCensus * census, GpuPaletteRun * run,
    guint n_colours, guint n_groups, GError ** error)
{
  GpuBuffer *buffers[] = { census->counters, census->bests };
  guint32 push[] = { 0, 0, n_colours };

  return gpu_palette_run_sliced (run, census->best, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, n_groups * 256, BEST_NS,
      error);
}

/* Of all of them. */
static void
list_colours (GpuPaletteColourCensus * census, GpuPaletteRun * run,
    guint n_groups)
{
  GpuBuffer *list[] = {
    census->tables, run->work->used, census->before, census->bests,
    run->census->list
  };
  guint shift = gpu_palette_lattice_shift (run->settings->radius);
  guint32 push[] = {
    n_groups, shift, gpu_palette_lattice_pitch (run->settings->radius, shift)
  };

  gpu_stream_dispatch (run->stream, census->list, list, G_N_ELEMENTS (list),
      push, sizeof push, 1, 1, 1);
}

static gboolean
take (GpuPaletteColourCensus * census, GpuPaletteRun * run,
    const GpuPaletteHistogram * histogram, guint n_colours, guint64 n_solves,
    GError ** error)
{
  guint n_groups = (n_colours + CENSUS_GROUP - 1) / CENSUS_GROUP;

  if (!make_room (census, run, n_colours, error)
      || !gpu_palette_run_clear (run, census->counters, (gsize) n_colours * 4,
          error)
      || !rank_colours (census, run, n_solves, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!count_pixels (census, run, histogram, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  if (!list_bests (census, run, n_colours, n_groups, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  list_colours (census, run, n_groups);
  return TRUE;
}

gboolean
gpu_palette_colour_census_record (GpuPaletteColourCensus * census,
    GpuPaletteRun * run, const GpuPaletteHistogram * histogram,
    guint n_colours, guint64 n_solves, gboolean is_same, GError ** error)
{
  gpu_palette_census_begin (run->census, run);
  gpu_stream_barrier (run->stream);
  if (!(is_same && run->census->was_taken)
      && !take (census, run, histogram, n_colours, n_solves, error))
    return FALSE;
  gpu_palette_census_end (run->census, run);
  return TRUE;
}
