/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "counts.h"
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
make_buffers (GpuPaletteCounts * counts, GpuDevice * device, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&counts->counters, GPU_PALETTE_ALL_COLOURS, "palette counts"},
    {&counts->touched, BITMAP_WORDS, "palette touched colours"},
    {&counts->present, BITMAP_WORDS, "palette present colours"},
  };

  return gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
      error);
}

static gboolean
make_kernels (GpuPaletteCounts * counts, GpuDevice * device, GError ** error)
{
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&counts->forget, &gpu_shader_palette_forget},
    {&counts->collect, &gpu_shader_palette_collect},
    {&counts->presence, &gpu_shader_palette_presence},
    {&counts->rank, &gpu_shader_palette_rank},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_counts_init (GpuPaletteCounts * counts, GpuDevice * device,
    guint n_pixels, GpuKernel * count, GpuKernel * luma, GpuBuffer * blocks,
    GpuBuffer * changed, GError ** error)
{
  counts->count = count;
  counts->blocks = blocks;
  counts->changed = changed;
  return gpu_palette_window_init (&counts->window, device, n_pixels, error)
      && gpu_palette_scene_init (&counts->scene, device, luma, error)
      && make_buffers (counts, device, error)
      && make_kernels (counts, device, error);
}

void
gpu_palette_counts_clear (GpuPaletteCounts * counts)
{
  gpu_palette_window_clear (&counts->window);
  gpu_palette_scene_clear (&counts->scene);
  g_clear_pointer (&counts->counters, gpu_buffer_unref);
  g_clear_pointer (&counts->touched, gpu_buffer_unref);
  g_clear_pointer (&counts->present, gpu_buffer_unref);
}

gsize
gpu_palette_counts_get_memory (const GpuPaletteCounts * counts)
{
  GpuBuffer *buffers[] = {
    counts->counters, counts->touched, counts->present, counts->scene.state
  };

  return gpu_buffers_get_size (buffers, G_N_ELEMENTS (buffers))
      + gpu_palette_window_get_memory (&counts->window);
}

/* --- beginning --- */

/* Nothing is known of what was counted before. */
static gboolean
clear_all (GpuPaletteCounts * counts, GpuPaletteRun * run, GError ** error)
{
  GpuBuffer *buffers[] = {
    counts->counters, counts->touched, counts->present, counts->blocks
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
choose_slices (GpuPaletteCounts * counts, GpuPaletteRun * run)
{
  guint most = MIN ((guint64) counts->window.n_pixels * counts->window.room,
      GPU_PALETTE_ALL_COLOURS);

  counts->is_sliced_anew = !counts->is_known || most != counts->items.most;
  if (counts->is_sliced_anew) {
    counts->words = (GpuPaletteItems) {
    .most = BITMAP_WORDS,.ns = COLOUR_NS * (1 + most / BITMAP_WORDS)};
    counts->items = (GpuPaletteItems) {
    .most = most,.ns = CONVERT_NS};
    gpu_palette_run_choose_slice (run, &counts->words);
    gpu_palette_run_choose_slice (run, &counts->items);
  }
}

/* No block is touched yet, and no dispatch has anything to do. */
static void
begin_blocks (GpuPaletteCounts * counts, GpuPaletteRun * run)
{
  PaletteDispatches dispatches = {
    .rank_groups = {0, 1, 1},
    .words_per_slice = counts->words.slice,
    .colours_per_slice = counts->items.slice,
    .colours_per_group =
        256 * gpu_palette_run_converted (counts->window.device),
  };

  for (guint i = 0; i < SLICE_WORDS; i += 3)
    dispatches.touched_groups[i + 1] = dispatches.touched_groups[i + 2] =
        dispatches.list_groups[i + 1] = dispatches.list_groups[i + 2] =
        dispatches.convert_groups[i + 1] = dispatches.convert_groups[i + 2] = 1;
  gpu_stream_write (run->stream, counts->blocks, 0, &dispatches,
      sizeof dispatches);
}

gboolean
gpu_palette_counts_begin (GpuPaletteCounts * counts, GpuPaletteRun * run,
    GError ** error)
{
  gpu_palette_window_set_history (&counts->window,
      MAX (run->settings->history, 1));
  if (!counts->is_known && !clear_all (counts, run, error))
    return FALSE;
  choose_slices (counts, run);
  begin_blocks (counts, run);
  return TRUE;
}

/* --- counting --- */

gboolean
gpu_palette_counts_run (GpuPaletteCounts * counts, GpuPaletteRun * run,
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
      sizeof push, items ? items : &counts->words, bound, counts->blocks,
      groups_at, error);
}

static gboolean
forget_counts (GpuPaletteCounts * counts, GpuPaletteRun * run, guint bound,
    gsize groups_at, GError ** error)
{
  GpuBuffer *forget[] = {
    counts->counters, counts->touched, counts->present, counts->blocks
  };

  return gpu_palette_counts_run (counts, run, counts->forget, forget,
      G_N_ELEMENTS (forget), NULL, bound, groups_at, error);
}

/* Where there is another frame, and another scene begins, that is forgotten. */
static gboolean
end_scene (GpuPaletteCounts * counts, GpuPaletteRun * run, GpuBuffer * in,
    const GpuPalettePixels * pixels, GError ** error)
{
  const GpuPaletteWindow *window = &counts->window;

  if (window->n == 0 || window->room == 1
      || !gpu_palette_scenes_end (run->settings))
    return TRUE;
  return gpu_palette_scene_look (&counts->scene, run, in, pixels,
      window->frames[0], counts->blocks, error)
      && forget_counts (counts, run, 0, GPU_PALETTE_BLOCKS_AT (cut_groups),
      error);
}

gboolean
gpu_palette_counts_add (GpuPaletteCounts * counts, GpuPaletteRun * run,
    GpuBuffer * in, const GpuPalettePixels * pixels, guint anew,
    GError ** error)
{
  GpuPaletteWindow *window = &counts->window;
  GpuBuffer *count[] = {
    in, NULL, counts->counters, counts->touched, counts->blocks,
    counts->changed
  };
  gboolean recounts;

  if (!end_scene (counts, run, in, pixels, error)
      || !gpu_palette_window_drop (window, run, counts->counters,
          counts->touched, counts->blocks, error)
      || !gpu_palette_window_advance (window, run, &counts->was_replaced,
          error))
    return FALSE;
  recounts = window->n == 1 && (anew > 0 || !counts->is_known);
  if (counts->is_known && recounts && !forget_counts (counts, run, anew,
          GPU_PALETTE_BLOCKS_AT (present_groups), error))
    return FALSE;
  count[1] = window->frames[0];
  gpu_stream_barrier (run->stream);
  gpu_stream_write (run->stream, counts->blocks,
      GPU_PALETTE_BLOCKS_AT (dispatches.newest), window->slots, 4);
  gpu_stream_barrier (run->stream);
  counts->is_known = TRUE;
  run->report->recounted = recounts;
  run->report->history = window->room;
  return gpu_palette_run_over_pixels (run, counts->count, count,
      G_N_ELEMENTS (count), pixels, recounts, error);
}

/* Ranks the blocks, on which listing and converting depend; unless @always, where
 * a count changed. */
static void
record_ranks (GpuPaletteCounts * counts, GpuPaletteRun * run, gboolean always)
{
  gpu_stream_barrier (run->stream);
  if (always)
    gpu_stream_dispatch (run->stream, counts->rank, &counts->blocks, 1, NULL, 0,
        1, 1, 1);
  else
    gpu_stream_dispatch_indirect (run->stream, counts->rank, &counts->blocks,
        1, NULL, 0, counts->blocks,
        GPU_PALETTE_BLOCKS_AT (dispatches.rank_groups));
}

gboolean
gpu_palette_counts_rank (GpuPaletteCounts * counts, GpuPaletteRun * run,
    gboolean always, GError ** error)
{
  GpuBuffer *presence[] = {
    counts->counters, counts->touched, counts->present, counts->blocks,
    counts->changed
  };

  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, counts->collect, &counts->blocks, 1, NULL,
      0, 1, 1, 1);
  if (!gpu_palette_counts_run (counts, run, counts->presence, presence,
          G_N_ELEMENTS (presence), NULL, counts->items.most,
          GPU_PALETTE_BLOCKS_AT (dispatches.touched_groups), error))
    return FALSE;
  record_ranks (counts, run, always || counts->is_sliced_anew);
  return TRUE;
}

void
gpu_palette_counts_forget (GpuPaletteCounts * counts)
{
  counts->is_known = FALSE;
  counts->window.n = 0;
}
