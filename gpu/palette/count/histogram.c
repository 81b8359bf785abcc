/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram.h"
#include "gpu/palette/shared/pixels.h"
#include "shaders.h"

G_STATIC_ASSERT (WINDOW_SLOTS >= GPU_PALETTE_MAX_HISTORY);

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
    {&histogram->counters, GPU_PALETTE_ALL_COLOURS, "palette counts"},
    {&histogram->touched, BITMAP_WORDS, "palette touched colours"},
    {&histogram->present, BITMAP_WORDS, "palette present colours"},
  };

  return gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
      error);
}

static gboolean
make_kernels (GpuPaletteHistogram * histogram, GpuDevice * device,
    GError ** error)
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
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_histogram_init (GpuPaletteHistogram * histogram, GpuDevice * device,
    guint n_pixels, GpuKernel * count, GpuKernel * luma, GpuBuffer * blocks,
    GpuBuffer * changed, GError ** error)
{
  histogram->count = count;
  histogram->blocks = blocks;
  histogram->changed = changed;
  return gpu_palette_window_init (&histogram->window, device, n_pixels, error)
      && gpu_palette_scene_init (&histogram->scene, device, luma, error)
      && make_buffers (histogram, device, error)
      && make_kernels (histogram, device, error);
}

void
gpu_palette_histogram_clear (GpuPaletteHistogram * histogram)
{
  gpu_palette_window_clear (&histogram->window);
  gpu_palette_scene_clear (&histogram->scene);
  g_clear_pointer (&histogram->counters, gpu_buffer_unref);
  g_clear_pointer (&histogram->touched, gpu_buffer_unref);
  g_clear_pointer (&histogram->present, gpu_buffer_unref);
}

gsize
gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram)
{
  GpuBuffer *buffers[] = {
    histogram->counters, histogram->touched, histogram->present,
    histogram->scene.state
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers))
      + gpu_palette_window_get_memory (&histogram->window);
}

/* --- beginning --- */

/* Nothing is known of what was counted before. */
static gboolean
clear_all (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GError ** error)
{
  GpuBuffer *buffers[] = {
    histogram->counters, histogram->touched, histogram->present,
    histogram->blocks
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
 * costs what its colours do. */
static void
choose_slices (GpuPaletteHistogram * histogram, GpuPaletteRun * run)
{
  guint most =
      MIN ((guint64) histogram->window.n_pixels * histogram->window.room,
      GPU_PALETTE_ALL_COLOURS);

  histogram->is_sliced_anew = !histogram->is_known
      || most != histogram->items.most;
  if (histogram->is_sliced_anew) {
    histogram->words = (GpuPaletteItems) {
    .most = BITMAP_WORDS,.ns = COLOUR_NS * (1 + most / BITMAP_WORDS)};
    histogram->items = (GpuPaletteItems) {
    .most = most,.ns = CONVERT_NS};
    gpu_palette_run_choose_slice (run, &histogram->words);
    gpu_palette_run_choose_slice (run, &histogram->items);
  }
}

/* No block is touched yet, and no dispatch has anything to do. */
static void
begin_blocks (GpuPaletteHistogram * histogram, GpuPaletteRun * run)
{
  PaletteDispatches dispatches = {
    .rank_groups = {0, 1, 1},
    .words_per_slice = histogram->words.slice,
    .colours_per_slice = histogram->items.slice,
    .colours_per_group =
        256 * gpu_palette_run_converted (histogram->window.device),
  };

  for (guint i = 0; i < SLICE_WORDS; i += 3)
    dispatches.touched_groups[i + 1] = dispatches.touched_groups[i + 2] =
        dispatches.list_groups[i + 1] = dispatches.list_groups[i + 2] =
        dispatches.convert_groups[i + 1] = dispatches.convert_groups[i + 2] = 1;
  gpu_stream_write (run->stream, histogram->blocks, 0, &dispatches,
      sizeof dispatches);
}

gboolean
gpu_palette_histogram_begin (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, GError ** error)
{
  gpu_palette_window_set_history (&histogram->window,
      MAX (run->settings->history, 1));
  if (!histogram->is_known && !clear_all (histogram, run, error))
    return FALSE;
  choose_slices (histogram, run);
  begin_blocks (histogram, run);
  return TRUE;
}

/* --- counting --- */

gboolean
gpu_palette_histogram_run (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GpuKernel * kernel, GpuBuffer * const *buffers, guint n_buffers,
    const GpuPaletteItems * items, guint bound, gsize groups_at,
    GError ** error)
{
  guint32 push[] = {
    0, 0, run->settings->weighting == GPU_PALETTE_FREQUENCY,
    gpu_palette_get_least_frequency (run->settings)
  };

  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, kernel, buffers, n_buffers, push,
      sizeof push, items ? items : &histogram->words, bound, histogram->blocks,
      groups_at, error);
}

static gboolean
forget_counts (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    guint bound, gsize groups_at, GError ** error)
{
  GpuBuffer *forget[] = {
    histogram->counters, histogram->touched, histogram->present,
    histogram->blocks
  };

  return gpu_palette_histogram_run (histogram, run, histogram->forget, forget,
      G_N_ELEMENTS (forget), NULL, bound, groups_at, error);
}

/* Where there is another frame, and another scene begins, that is forgotten. */
static gboolean
end_scene (GpuPaletteHistogram * histogram, GpuPaletteRun * run, GpuBuffer * in,
    const GpuPalettePixels * pixels, GError ** error)
{
  const GpuPaletteWindow *window = &histogram->window;

  if (window->n == 0 || window->room == 1
      || !gpu_palette_scenes_end (run->settings))
    return TRUE;
  return gpu_palette_scene_look (&histogram->scene, run, in, pixels,
      window->frames[0], histogram->blocks, error)
      && forget_counts (histogram, run, 0, GPU_PALETTE_BLOCKS_AT (cut_groups),
      error);
}

gboolean
gpu_palette_histogram_add (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    GpuBuffer * in, const GpuPalettePixels * pixels, guint anew,
    GError ** error)
{
  GpuPaletteWindow *window = &histogram->window;
  GpuBuffer *count[] = {
    in, NULL, histogram->counters, histogram->touched, histogram->blocks,
    histogram->changed
  };
  gboolean recounts;

  if (!end_scene (histogram, run, in, pixels, error)
      || !gpu_palette_window_drop (window, run, histogram->counters,
          histogram->touched, histogram->blocks, error)
      || !gpu_palette_window_advance (window, run, &histogram->was_replaced,
          error))
    return FALSE;
  recounts = window->n == 1 && (anew > 0 || !histogram->is_known);
  if (histogram->is_known && recounts && !forget_counts (histogram, run, anew,
          GPU_PALETTE_BLOCKS_AT (present_groups), error))
    return FALSE;
  count[1] = window->frames[0];
  gpu_stream_barrier (run->stream);
  gpu_stream_write (run->stream, histogram->blocks,
      GPU_PALETTE_BLOCKS_AT (dispatches.newest), window->slots, 4);
  gpu_stream_barrier (run->stream);
  histogram->is_known = TRUE;
  run->report->recounted = recounts;
  run->report->history = window->room;
  return gpu_palette_run_over_pixels (run, histogram->count, count,
      G_N_ELEMENTS (count), pixels, recounts, error);
}

/* Ranks the blocks, on which listing and converting depend; unless @always, where
 * a count changed. */
static void
record_ranks (GpuPaletteHistogram * histogram, GpuPaletteRun * run,
    gboolean always)
{
  gpu_stream_barrier (run->stream);
  if (always)
    gpu_stream_dispatch (run->stream, histogram->rank, &histogram->blocks, 1,
        NULL, 0, 1, 1, 1);
  else
    gpu_stream_dispatch_indirect (run->stream, histogram->rank,
        &histogram->blocks, 1, NULL, 0, histogram->blocks,
        GPU_PALETTE_BLOCKS_AT (dispatches.rank_groups));
}

gboolean
gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteRun * run, gboolean always, GError ** error)
{
  GpuBuffer *presence[] = {
    histogram->counters, histogram->touched, histogram->present,
    histogram->blocks,
    histogram->changed
  };

  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, histogram->collect, &histogram->blocks, 1,
      NULL, 0, 1, 1, 1);
  if (!gpu_palette_histogram_run (histogram, run, histogram->presence, presence,
          G_N_ELEMENTS (presence), NULL, histogram->items.most,
          GPU_PALETTE_BLOCKS_AT (dispatches.touched_groups), error))
    return FALSE;
  record_ranks (histogram, run, always || histogram->is_sliced_anew);
  return TRUE;
}

void
gpu_palette_histogram_forget (GpuPaletteHistogram * histogram)
{
  histogram->is_known = FALSE;
  histogram->window.n = 0;
}
