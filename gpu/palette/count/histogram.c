/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram.h"
#include "gpu/core/compute/pixels.h"
#include "shaders.h"

/* Kernels over words have the same push constants. */
G_STATIC_ASSERT (sizeof (GpuPaletteListPush) ==
    sizeof (GpuPaletteWindowOccupyPush)
    && sizeof (GpuPaletteListPush) == sizeof (GpuPaletteWindowWeighPush));
G_STATIC_ASSERT (WINDOW_SLOTS >= GPU_PALETTE_MAX_HISTORY);

#define BITMAP_WORDS (GPU_PALETTE_ALL_COLOURS / 32)

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
  const GpuKernelWanted kernels[] = {
    {&histogram->forget, &gpu_shader_palette_forget},
    {&histogram->collect, &gpu_shader_palette_collect},
    {&histogram->presence, &gpu_shader_palette_presence},
    {&histogram->rank, &gpu_shader_palette_rank},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

/* Makes the kernels that read pixels: counting and block luma. */
static gboolean
make_pixel_kernels (GpuPaletteHistogram * histogram, GpuDevice * device,
    const GpuPaletteFormat * format, GpuPaletteCountFrom from, GError ** error)
{
  static const GpuPixelShaders count = {
    &gpu_shader_palette_count, &gpu_shader_palette_count_yuv
  };
  static const GpuPixelShaders luma = {
    &gpu_shader_palette_scene_luma, &gpu_shader_palette_scene_luma_yuv
  };
  guint32 constants[PIXELS_CONSTANTS];
  const GpuKernelWanted of_frames[] = {
    {&histogram->count, gpu_pixels_choose_shader (&count, format->in),
        constants, PIXELS_CONSTANTS},
    {&histogram->scene.luma, gpu_pixels_choose_shader (&luma, format->in),
        constants, PIXELS_CONSTANTS},
  };
  const GpuKernelWanted of_colours[] = {
    {&histogram->count, &gpu_shader_palette_count_marked},
    {&histogram->scene.luma, &gpu_shader_palette_scene_luma_marked},
  };

  gpu_pixels_get_constants (device, format->in, format->out, &format->yuv,
      constants);
  return gpu_kernels_request (device,
      from == GPU_PALETTE_COUNT_FRAMES ? of_frames : of_colours,
      G_N_ELEMENTS (of_frames), GPU_KERNEL_SOON, error);
}

gboolean
gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteCountFrom from,
    GpuBuffer * blocks, GpuBuffer * changed, GError ** error)
{
  GpuDevice *device = gpu_buffer_get_device (blocks);

  histogram->blocks = blocks;
  histogram->changed = changed;
  return make_pixel_kernels (histogram, device, format, from, error)
      && gpu_palette_window_init (&histogram->window, device,
      format->width, format->height, error)
      && gpu_palette_scene_init (&histogram->scene, device, blocks, error)
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

/* Discards all counts. */
static void
clear_all (GpuPaletteHistogram * histogram, GpuPaletteContext * context)
{
  GpuBuffer *buffers[] = {
    histogram->counters, histogram->touched, histogram->present,
    histogram->blocks
  };

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    gpu_slicer_fill (&context->slicer, buffers[i],
        gpu_buffer_get_size (buffers[i]), 0);
}

/* Chooses slices of words and colours. They stay the same while counts are known and
 * the largest number of colours is unchanged, as workgroup counts on the device are by
 * slice. So they do not depend on what is learned. */
static void
choose_slices (GpuPaletteHistogram * histogram, GpuPaletteContext * context)
{
  guint most =
      MIN ((guint64) histogram->window.n_pixels * histogram->window.room,
      GPU_PALETTE_ALL_COLOURS);

  histogram->is_sliced_anew = !histogram->is_known
      || most != histogram->items.most;
  if (histogram->is_sliced_anew) {
    histogram->words = (GpuSlicerItems) {
      .most = BITMAP_WORDS,
      .units = MAX (most / BITMAP_WORDS, 4),
    };
    histogram->items = (GpuSlicerItems) {.most = most};
    gpu_slicer_choose_slice (&context->slicer, &histogram->words);
    gpu_slicer_choose_slice (&context->slicer, &histogram->items);
    histogram->words.work = "words of colours";
    histogram->items.work = "colours";
  }
}

/* Resets the indirect dispatches to no workgroups. */
static void
begin_blocks (GpuPaletteHistogram * histogram, GpuPaletteContext * context)
{
  PaletteDispatches dispatches = {
    .rank_groups = {0, 1, 1},
    .words_per_slice = histogram->words.slice,
    .colours_per_slice = histogram->items.slice,
  };

  for (guint i = 0; i < SLICE_WORDS; i += 3)
    dispatches.touched_groups[i + 1] = dispatches.touched_groups[i + 2] =
        dispatches.list_groups[i + 1] = dispatches.list_groups[i + 2] =
        dispatches.convert_groups[i + 1] = dispatches.convert_groups[i + 2] = 1;
  gpu_stream_write (context->slicer.stream, histogram->blocks, 0, &dispatches,
      sizeof dispatches);
}

void
gpu_palette_histogram_begin (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context)
{
  gpu_palette_window_set_history (&histogram->window,
      MAX (context->settings->counting.history, 1));
  if (!histogram->is_known)
    clear_all (histogram, context);
  choose_slices (histogram, context);
  begin_blocks (histogram, context);
}

/* --- counting --- */

GpuSlicerItems
gpu_palette_histogram_words (const GpuPaletteHistogram * histogram, guint bound)
{
  GpuSlicerItems words = histogram->words;

  words.bound = bound;
  return words;
}

void
gpu_palette_histogram_run (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, const GpuDispatch * dispatch,
    const GpuSlicerItems * words, gsize groups_at)
{
  GpuDispatch with_push = *dispatch;
  const GpuPaletteListPush push = {
    .is_weighted = context->settings->making.weighting == GPU_PALETTE_FREQUENCY,
    .min_frequency = gpu_palette_get_least_frequency (context->settings)
  };
  const GpuSlicerGroups groups = { histogram->blocks, groups_at };

  with_push.push = &push;
  gpu_slicer_run_indirect (&context->slicer, &with_push, words, groups);
}

static void
forget_counts (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    guint bound, gsize groups_at)
{
  const GpuDispatch forget = {
    .kernel = histogram->forget,
    .buffers = {
      [PALETTE_FORGET_COUNTS] = histogram->counters,
      [PALETTE_FORGET_TOUCHED] = histogram->touched,
      [PALETTE_FORGET_PRESENCE] = histogram->present,
      [PALETTE_FORGET_BLOCKS] = histogram->blocks,
    },
  };

  const GpuSlicerItems words = gpu_palette_histogram_words (histogram, bound);

  gpu_palette_histogram_run (histogram, context, &forget, &words, groups_at);
}

/* If the window has a frame, and @in begins another scene, clears the counts. */
static void
end_scene (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    GpuBuffer * in, const GpuPixelsBound * pixels)
{
  const GpuPaletteWindow *window = &histogram->window;

  if (window->n == 0 || window->room == 1
      || !gpu_palette_scenes_end (context->settings))
    return;
  gpu_palette_scene_look (&histogram->scene, context, in, pixels,
      window->frames[0]);
  forget_counts (histogram, context, 0, GPU_PALETTE_BLOCKS_AT (cut_groups));
}

static void
count_pixels (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    GpuBuffer * in, const GpuPixelsBound * pixels, gboolean recounts)
{
  const GpuDispatch count = {
    .kernel = histogram->count,
    .buffers = {
      [PALETTE_COUNT_FRAME] = in,
      [PALETTE_COUNT_NUMBERS] = histogram->window.frames[0],
      [PALETTE_COUNT_COUNTS] = histogram->counters,
      [PALETTE_COUNT_TOUCHED] = histogram->touched,
      [PALETTE_COUNT_BLOCKS] = histogram->blocks,
      [PALETTE_COUNT_CHANGED] = histogram->changed,
    },
    .push = &(GpuPaletteCountPush) {.recount = recounts},
  };

  gpu_pixels_run (&context->slicer, &count, pixels);
}

gboolean
gpu_palette_histogram_add (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    guint anew, GError ** error)
{
  GpuPaletteWindow *window = &histogram->window;
  gboolean recounts;

  end_scene (histogram, context, in, pixels);
  gpu_palette_window_drop (window, context, histogram->counters,
      histogram->touched, histogram->blocks);
  if (!gpu_palette_window_advance (window, context, &histogram->was_replaced,
          error))
    return FALSE;
  recounts = window->n == 1 && (anew > 0 || !histogram->is_known);
  if (histogram->is_known && recounts)
    forget_counts (histogram, context, anew,
        GPU_PALETTE_BLOCKS_AT (present_groups));
  gpu_stream_write (context->slicer.stream, histogram->blocks,
      GPU_PALETTE_BLOCKS_AT (dispatches.newest), window->slots, 4);
  histogram->is_known = TRUE;
  context->report->counted.recounted = recounts;
  context->report->counted.history = window->room;
  count_pixels (histogram, context, in, pixels, recounts);
  return TRUE;
}

/* Records the ranking of blocks, which also sizes the dispatches that list and convert
 * colours. Without @always, it is skipped on the device if no count changed. */
static void
record_ranks (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    gboolean always)
{
  const GpuDispatch rank = {
    .kernel = histogram->rank,
    .buffers = {[PALETTE_RANK_BLOCKS] = histogram->blocks},
  };

  if (always)
    gpu_stream_dispatch (context->slicer.stream, &rank, 1, 1, 1);
  else
    gpu_stream_dispatch_indirect (context->slicer.stream, &rank,
        histogram->blocks, GPU_PALETTE_BLOCKS_AT (dispatches.rank_groups));
}

void
gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, gboolean always)
{
  const GpuDispatch collect = {
    .kernel = histogram->collect,
    .buffers = {[PALETTE_COLLECT_BLOCKS] = histogram->blocks},
  };
  const GpuDispatch presence = {
    .kernel = histogram->presence,
    .buffers = {
      [PALETTE_PRESENCE_COUNTS] = histogram->counters,
      [PALETTE_PRESENCE_TOUCHED] = histogram->touched,
      [PALETTE_PRESENCE_PRESENCE] = histogram->present,
      [PALETTE_PRESENCE_BLOCKS] = histogram->blocks,
      [PALETTE_PRESENCE_CHANGED] = histogram->changed,
    },
  };
  const GpuSlicerItems words = gpu_palette_histogram_words (histogram,
      histogram->items.most);

  gpu_stream_dispatch (context->slicer.stream, &collect, 1, 1, 1);
  gpu_palette_histogram_run (histogram, context, &presence, &words,
      GPU_PALETTE_BLOCKS_AT (dispatches.touched_groups));
  record_ranks (histogram, context, always || histogram->is_sliced_anew);
}

void
gpu_palette_histogram_forget (GpuPaletteHistogram * histogram)
{
  histogram->is_known = FALSE;
  histogram->window.n = 0;
}
