/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram.h"
#include "shaders.h"

#define BITMAP_WORDS (GPU_PALETTE_ALL_COLOURS / 32)

/* Of a colour that a word of a bitmap tells of, for gpu_palette_run_sliced(). */
#define COLOUR_NS 30

/* Of a colour that is turned into a point. */
#define CONVERT_NS 50

/* --- building --- */

static gboolean
make_buffers (GpuPaletteHistogram * histogram, GpuDevice * device,
    GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&histogram->counts, GPU_PALETTE_ALL_COLOURS, "palette counts"},
    {&histogram->touched, BITMAP_WORDS, "palette touched colours"},
    {&histogram->present, BITMAP_WORDS, "palette present colours"},
    {&histogram->ranks, BITMAP_WORDS, "palette ranks"},
  };

  return gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
      error);
}

static gboolean
make_kernels (GpuPaletteHistogram * histogram, GpuDevice * device,
    const GpuShader * count, const guint32 * constants, GError ** error)
{
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&histogram->forget, &gpu_shader_palette_forget},
    {&histogram->collect, &gpu_shader_palette_collect},
    {&histogram->presence, &gpu_shader_palette_presence},
    {&histogram->rank, &gpu_shader_palette_rank},
    {&histogram->list, &gpu_shader_palette_list},
  };

  histogram->count = gpu_kernel_get (device, count, constants,
      GPU_PALETTE_PIXEL_CONSTANTS, error);
  if (!histogram->count)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GError ** error)
{
  guint32 constants[GPU_PALETTE_PIXEL_CONSTANTS];

  histogram->width = format->width;
  histogram->height = format->height;
  gpu_palette_pixel_constants (format, constants);
  return gpu_palette_window_init (&histogram->window, format->device,
      format->width * format->height, error)
      && make_buffers (histogram, format->device, error)
      && make_kernels (histogram, format->device,
      gpu_pixels_get_format (format->in)->is_yuv
      ? &gpu_shader_palette_count_yuv : &gpu_shader_palette_count, constants,
      error);
}

void
gpu_palette_histogram_clear (GpuPaletteHistogram * histogram)
{
  gpu_palette_window_clear (&histogram->window);
  g_clear_pointer (&histogram->counts, gpu_buffer_unref);
  g_clear_pointer (&histogram->touched, gpu_buffer_unref);
  g_clear_pointer (&histogram->present, gpu_buffer_unref);
  g_clear_pointer (&histogram->ranks, gpu_buffer_unref);
}

/* --- counting --- */

/* Nothing is known of what was counted before. */
static gboolean
clear_all (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GError ** error)
{
  GpuBuffer *buffers[] = {
    histogram->counts, histogram->touched, histogram->present,
    run->work->blocks
  };

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    if (!gpu_palette_run_clear (run, buffers[i],
            gpu_buffer_get_size (buffers[i]), error))
      return FALSE;
  gpu_stream_barrier (run->stream);
  return TRUE;
}

/* How dispatches are sliced stays as it is as long as colours are known and can
 * be no more: on the device they are counted by slice. A word of their bitmap
 * costs what its colours do. Returns whether they have to be counted so once
 * more. */
static gboolean
choose_slices (GpuPaletteHistogram * histogram, GpuPaletteRun * run)
{
  guint most = run->work->max_colours;
  gboolean chooses = !histogram->is_known || most != histogram->items.most;

  if (chooses) {
    histogram->words = (GpuPaletteItems) {
    .most = BITMAP_WORDS,.ns = COLOUR_NS * (1 + most / BITMAP_WORDS)};
    histogram->items = (GpuPaletteItems) {
    .most = most,.ns = CONVERT_NS};
    gpu_palette_run_choose_slice (run, &histogram->words);
    gpu_palette_run_choose_slice (run, &histogram->items);
  }
  run->words = histogram->words;
  run->colours = histogram->items;
  return chooses;
}

/* Returns whether colours weigh something else than they were listed with. */
static gboolean
choose_weights (GpuPaletteHistogram * histogram, const GpuPaletteRun * run)
{
  guint is_weighted = run->settings->weighting == GPU_PALETTE_FREQUENCY;
  guint min_frequency = MAX (run->settings->min_frequency, 1);
  gboolean chooses = is_weighted != histogram->is_weighted
      || min_frequency != histogram->min_frequency;

  histogram->is_weighted = is_weighted;
  histogram->min_frequency = min_frequency;
  return chooses;
}

/* No block is touched yet, and no dispatch has anything to do. */
static void
begin_blocks (GpuPaletteRun * run)
{
  PaletteDispatches dispatches = {
    .rank_groups = {0, 1, 1},
    .words_per_slice = run->words.slice,
    .colours_per_slice = run->colours.slice,
    .colours_per_group = 256 * gpu_palette_work_converted (run->work),
  };

  for (guint i = 0; i < SLICE_WORDS; i += 3)
    dispatches.touched_groups[i + 1] = dispatches.touched_groups[i + 2] =
        dispatches.list_groups[i + 1] = dispatches.list_groups[i + 2] =
        dispatches.convert_groups[i + 1] = dispatches.convert_groups[i + 2] = 1;
  gpu_stream_write (run->stream, run->work->blocks, 0, &dispatches,
      sizeof dispatches);
}

/* Records @kernel over the words of listed blocks, @bound of which have work to
 * do. The last frame says little of that: what is by rank stops where the room
 * ends, and what was touched are any colours. */
static gboolean
run_over_blocks (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GpuKernel * kernel, GpuBuffer * const *buffers, guint n_buffers,
    guint bound, gsize groups_at, GError ** error)
{
  guint32 push[] = { 0, 0, histogram->is_weighted, histogram->min_frequency };

  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, kernel, buffers, n_buffers, push,
      sizeof push, &run->words, bound, run->work->blocks, groups_at, error);
}

static gboolean
forget_counts (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GError ** error)
{
  GpuBuffer *forget[] = {
    histogram->counts, histogram->touched, histogram->present,
    run->work->blocks
  };

  return run_over_blocks (histogram, run, histogram->forget, forget,
      G_N_ELEMENTS (forget), run->work->room,
      GPU_PALETTE_BLOCKS_AT (present_groups), error);
}

/* The newest frame into the window, and whatever leaves it out of the counts.
 * Where it is the only one, counting anew may be cheaper. */
static gboolean
record_counts (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    const GpuFrame * in, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuPaletteWindow *window = &histogram->window;
  GpuBuffer *count[] = {
    in->buffer, NULL, histogram->counts, histogram->touched, work->blocks,
    work->control
  };

  if (!gpu_palette_window_drop (window, run, histogram->counts,
          histogram->touched, error)
      || !gpu_palette_window_advance (window, run, &histogram->was_replaced,
          error))
    return FALSE;
  run->report->recounted = window->n == 1
      && (histogram->recount || !histogram->is_known);
  if (histogram->is_known && run->report->recounted
      && !forget_counts (histogram, run, error))
    return FALSE;
  count[1] = window->frames[0];
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_over_pixels (run, histogram->count, count,
      G_N_ELEMENTS (count), &in->info, NULL, run->report->recounted, error);
}

static gboolean
run_list (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    gsize groups_at, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *list[] = {
    histogram->counts, histogram->present, work->blocks, histogram->ranks,
    work->list, work->weights, work->control
  };

  return run_over_blocks (histogram, run, histogram->list, list,
      G_N_ELEMENTS (list), work->room, groups_at, error);
}

gboolean
gpu_palette_histogram_list (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, GError ** error)
{
  gpu_stream_stage (run->stream, "palette-list");
  return run_list (histogram, run, GPU_PALETTE_BLOCKS_AT (present_groups),
      error);
}

/* Ranks the blocks, on which listing and converting depend; unless @always, where
 * a count changed. */
static void
record_ranks (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    gboolean always)
{
  GpuBuffer *blocks = run->work->blocks;

  gpu_stream_barrier (run->stream);
  if (always)
    gpu_stream_dispatch (run->stream, histogram->rank, &blocks, 1, NULL, 0, 1,
        1, 1);
  else
    gpu_stream_dispatch_indirect (run->stream, histogram->rank, &blocks, 1,
        NULL, 0, blocks, GPU_PALETTE_BLOCKS_AT (dispatches.rank_groups));
}

static gboolean
record_list (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    gboolean always, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *presence[] = {
    histogram->counts, histogram->touched, histogram->present, work->blocks,
    work->control
  };

  gpu_stream_stage (run->stream, "palette-list");
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, histogram->collect, &work->blocks, 1,
      NULL, 0, 1, 1, 1);
  if (!run_over_blocks (histogram, run, histogram->presence, presence,
          G_N_ELEMENTS (presence), work->max_colours,
          GPU_PALETTE_BLOCKS_AT (dispatches.touched_groups), error))
    return FALSE;
  record_ranks (histogram, run, always);
  return run_list (histogram, run,
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
  histogram->is_known = FALSE;
  histogram->window.n = 0;
}

/* How many frames the window is to have, and what that means to the others. */
static gboolean
choose_history (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GError ** error)
{
  guint history = MAX (run->settings->history, 1);
  GpuPaletteWindow *window = &histogram->window;

  if (!gpu_palette_check_history (histogram->width, histogram->height, history,
          error))
    return FALSE;
  gpu_palette_window_set_history (window, history);
  gpu_palette_work_set_pixels (run->work, window->n_pixels * window->room);
  return TRUE;
}

gboolean
gpu_palette_histogram_update (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, const GpuFrame * in, GError ** error)
{
  gboolean lists_all;

  if (!choose_history (histogram, run, error))
    return FALSE;
  gpu_stream_fill (run->stream, run->work->control, 0, CONTROL_WORDS * 4, 0);
  gpu_stream_stage (run->stream, "palette-count");
  if (!histogram->is_known && !clear_all (histogram, run, error))
    return FALSE;
  lists_all = choose_slices (histogram, run);
  lists_all |= choose_weights (histogram, run);
  begin_blocks (run);
  if (!record_counts (histogram, run, in, error)
      || !record_list (histogram, run, lists_all, error))
    return FALSE;
  histogram->is_known = TRUE;
  histogram->recount = FALSE;
  run->report->history = histogram->window.room;
  return TRUE;
}

gboolean
gpu_palette_histogram_read (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, GError ** error)
{
  gpu_stream_barrier (run->stream);
  gpu_stream_copy (run->stream, run->work->blocks,
      GPU_PALETTE_BLOCKS_AT (n_colours), run->work->control,
      CONTROL_COLOURS * 4, 4);
  if (!gpu_palette_run_read_control (run, error))
    return FALSE;
  run->n = run->control[CONTROL_COLOURS];
  run->report->colours = run->n;
  if (histogram->was_replaced)
    run->report->changed_pixels = run->control[CONTROL_CHANGED_PIXELS];
  histogram->recount = is_recounting_cheaper (histogram,
      run->report->changed_pixels, run->n);
  return TRUE;
}
