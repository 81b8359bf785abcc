/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram.h"
#include "shaders.h"

/* Counting changes the first words of the control buffer. */
G_STATIC_ASSERT (CONTROL_CHANGED_PIXELS * 4
    == offsetof (struct PaletteChanged, pixels));
G_STATIC_ASSERT (CONTROL_SET_CHANGED * 4
    == offsetof (struct PaletteChanged, presence));

/* --- building --- */

static gboolean
make_counts (GpuPaletteHistogram * histogram, const GpuPaletteFormat * format,
    GpuPaletteWork * work, GError ** error)
{
  gboolean is_yuv = gpu_pixels_get_format (format->in)->is_yuv;
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];
  GpuKernel *count, *luma;

  gpu_palette_pixel_constants (format, constants);
  count = gpu_kernel_get (format->device, is_yuv
      ? &gpu_shader_palette_count_yuv : &gpu_shader_palette_count, constants,
      GPU_PALETTE_PIXEL_CONSTANTS, error);
  if (!count)
    return FALSE;
  luma = gpu_kernel_get (format->device, is_yuv
      ? &gpu_shader_palette_scene_luma_yuv : &gpu_shader_palette_scene_luma,
      constants, GPU_PALETTE_PIXEL_CONSTANTS, error);
  return luma && gpu_palette_counts_init (&histogram->counts, format->device,
      format->width * format->height, count, luma, work->blocks,
      work->control, error);
}

gboolean
gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteWork * work, GError ** error)
{
  histogram->width = format->width;
  histogram->height = format->height;
  histogram->list = gpu_kernel_get (format->device, &gpu_shader_palette_list,
      NULL, 0, error);
  if (!histogram->list)
    return FALSE;
  histogram->ranks = gpu_buffer_new (format->device, GPU_BUFFER_DEVICE,
      GPU_PALETTE_ALL_COLOURS / 8, "palette ranks", error);
  return histogram->ranks && make_counts (histogram, format, work, error);
}

void
gpu_palette_histogram_clear (GpuPaletteHistogram * histogram)
{
  gpu_palette_counts_clear (&histogram->counts);
  g_clear_pointer (&histogram->ranks, gpu_buffer_unref);
}

gsize
gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram)
{
  return gpu_palette_counts_get_memory (&histogram->counts)
      + gpu_buffers_get_size ((GpuBuffer **) & histogram->ranks, 1);
}

/* --- a frame --- */

/* Returns whether colours weigh something else than they were listed with. */
static gboolean
choose_weights (GpuPaletteHistogram * histogram, const GpuPaletteSolve * solve)
{
  GpuPaletteWeighting weighting = solve->run->settings->weighting;
  guint least = gpu_palette_get_least_frequency (solve->run->settings);
  gboolean chooses = weighting != histogram->weighting
      || least != histogram->least;

  histogram->weighting = weighting;
  histogram->least = least;
  return chooses;
}

static gboolean
run_list (GpuPaletteHistogram * histogram, GpuPaletteSolve * solve,
    gsize groups_at, GError ** error)
{
  GpuPaletteWork *work = solve->work;
  GpuBuffer *list[] = {
    histogram->counts.counters, histogram->counts.present, work->blocks,
    histogram->ranks, work->list, work->weights, work->control
  };

  return gpu_palette_counts_run (&histogram->counts, solve->run,
      histogram->list, list, G_N_ELEMENTS (list), NULL, work->room, groups_at,
      error);
}

gboolean
gpu_palette_histogram_list (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, GError ** error)
{
  gpu_stream_stage (solve->run->stream, "palette-list");
  return run_list (histogram, solve, GPU_PALETTE_BLOCKS_AT (present_groups),
      error);
}

static gboolean
record_list (GpuPaletteHistogram * histogram, GpuPaletteSolve * solve,
    GError ** error)
{
  gboolean lists_all = choose_weights (histogram, solve);

  gpu_stream_stage (solve->run->stream, "palette-list");
  return gpu_palette_counts_rank (&histogram->counts, solve->run, lists_all,
      error)
      && run_list (histogram, solve,
      GPU_PALETTE_BLOCKS_AT (dispatches.list_groups), error);
}

/* A changed pixel costs two counts by difference and one anew, but counting
 * anew also forgets every colour. What the last frame did is the best guess
 * at what the next will do. */
static gboolean
is_recounting_cheaper (GpuPaletteHistogram * histogram, guint changed,
    guint n_colours)
{
  guint64 n_pixels = (guint64) histogram->width * histogram->height;

  return 2 * (guint64) changed > n_pixels + n_colours;
}

void
gpu_palette_histogram_forget (GpuPaletteHistogram * histogram)
{
  gpu_palette_counts_forget (&histogram->counts);
}

static gboolean
count (GpuPaletteHistogram * histogram, GpuPaletteSolve * solve,
    const GpuFrame * in, GError ** error)
{
  GpuPaletteCounts *counts = &histogram->counts;
  GpuPaletteWork *work = solve->work;
  const GpuPalettePixels pixels = {.in = &in->info,.arrays = 1 << 1 };

  if (!gpu_palette_counts_begin (counts, solve->run, error))
    return FALSE;
  solve->colours = counts->items;
  gpu_palette_work_set_pixels (work,
      counts->window.n_pixels * counts->window.room);
  return gpu_palette_counts_add (counts, solve->run, in->buffer, &pixels,
      histogram->recount ? work->room : 0, error);
}

gboolean
gpu_palette_histogram_update (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, const GpuFrame * in, GError ** error)
{
  gpu_stream_fill (solve->run->stream, solve->work->control, 0,
      CONTROL_WORDS * 4, 0);
  gpu_stream_stage (solve->run->stream, "palette-count");
  if (!count (histogram, solve, in, error)
      || !record_list (histogram, solve, error))
    return FALSE;
  histogram->recount = FALSE;
  return TRUE;
}

gboolean
gpu_palette_histogram_read (GpuPaletteHistogram * histogram,
    GpuPaletteSolve * solve, GError ** error)
{
  gpu_stream_barrier (solve->run->stream);
  gpu_stream_copy (solve->run->stream, solve->work->blocks,
      GPU_PALETTE_BLOCKS_AT (n_colours), solve->work->control,
      CONTROL_COLOURS * 4, 4);
  if (!gpu_palette_solve_read_control (solve, error))
    return FALSE;
  solve->n = solve->control[CONTROL_COLOURS];
  solve->run->report->colours = solve->n;
  if (histogram->counts.was_replaced)
    solve->run->report->changed_pixels = solve->control[CONTROL_CHANGED_PIXELS];
  histogram->recount = is_recounting_cheaper (histogram,
      solve->run->report->changed_pixels, solve->n);
  return TRUE;
}
