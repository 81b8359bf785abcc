/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "histogram.h"
#include "shaders.h"
#include "shaders/palette/count/luma.h"
#include "shaders/palette/shared/pixels.h"

#include <math.h>
#include <string.h>

/* Kernels over words have the same push constants. */
G_STATIC_ASSERT (sizeof (GpuPaletteListPush) ==
    sizeof (GpuPaletteWindowOccupyPush)
    && sizeof (GpuPaletteListPush) == sizeof (GpuPaletteWindowWeighPush));
G_STATIC_ASSERT (WINDOW_SLOTS >= GPU_PALETTE_MAX_HISTORY);

#define BITMAP_WORDS (GPU_PALETTE_ALL_COLOURS / 32)
#define CODE 256                /* luma of a code value */

/* --- building --- */

static gsize
size_of_frame (const GpuPaletteWindow * window)
{
  return window->n_words * (gsize) 4;
}

static gboolean
make_frame (GpuPaletteWindow * window, guint at, GError ** error)
{
  window->frames[at] = gpu_buffer_new_large (window->device,
      GPU_BUFFER_DEVICE, size_of_frame (window), "palette pixel colours",
      error);
  return window->frames[at] != NULL;
}

static gboolean
make_buffers (GpuPaletteHistogram * histogram, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&histogram->counts, GPU_PALETTE_ALL_COLOURS, "palette counts"},
    {&histogram->touched, BITMAP_WORDS, "palette touched colours"},
    {&histogram->presence, BITMAP_WORDS, "palette present colours"},
    {&histogram->state, sizeof (struct Scene) / 4, "palette scene"},
  };

  return make_frame (&histogram->window, 0, error)
      && gpu_palette_make_arrays (histogram->window.device, arrays,
      G_N_ELEMENTS (arrays), error);
}

static gboolean
make_kernels (GpuPaletteHistogram * histogram, const GpuPaletteFormat * format,
    GpuPaletteCountFrom from, GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS];
  const GpuKernelWanted kernels[] = {
    {&histogram->kernels.count, &gpu_shader_palette_count, constants,
        FORMAT_CONSTANTS},
    {&histogram->kernels.luma, &gpu_shader_palette_scene_luma, constants,
        FORMAT_CONSTANTS},
    {&histogram->kernels.leave, &gpu_shader_palette_leave},
    {&histogram->kernels.cut, &gpu_shader_palette_scene_cut},
    {&histogram->kernels.forget, &gpu_shader_palette_forget},
    {&histogram->kernels.collect, &gpu_shader_palette_collect},
    {&histogram->kernels.presence, &gpu_shader_palette_presence},
    {&histogram->kernels.rank, &gpu_shader_palette_rank},
  };

  gpu_pixels_get_constants (histogram->window.device, format->in, format->out,
      &format->yuv, constants);
  /* An array by pixel (IN_PLANES in pixels.glsl), whatever the format. */
  if (from == GPU_PALETTE_COUNT_COLOURS)
    memset (constants, 0, sizeof constants);
  return gpu_kernels_request (histogram->window.device, kernels,
      G_N_ELEMENTS (kernels), GPU_KERNEL_SOON, error);
}

gboolean
gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteCountFrom from,
    GpuBuffer * blocks, GpuBuffer * changed, GError ** error)
{
  GpuPaletteWindow *window = &histogram->window;

  histogram->blocks = blocks;
  histogram->changed = changed;
  window->device = gpu_buffer_get_device (blocks);
  window->n_pixels = format->width * format->height;
  window->n_words = PIXELS_ROW_WORDS (format->width) * format->height;
  window->wanted = window->room = 1;
  for (guint i = 0; i < G_N_ELEMENTS (window->slots); i++)
    window->slots[i] = i;
  return make_kernels (histogram, format, from, error)
      && make_buffers (histogram, error);
}

void
gpu_palette_histogram_clear (GpuPaletteHistogram * histogram)
{
  gpu_palette_clear_arrays (histogram->window.frames, GPU_PALETTE_MAX_HISTORY);
  gpu_palette_clear_arrays (GPU_PALETTE_BUFFERS_OF (histogram->owned));
}

gsize
gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram)
{
  return gpu_buffers_get_size (GPU_PALETTE_BUFFERS_OF (histogram->owned))
      + gpu_buffers_get_size (histogram->window.frames,
      GPU_PALETTE_MAX_HISTORY);
}

/* --- window --- */

/* Sets the number of frames wanted. If it changed, estimates how many of them memory
 * suffices for: half of the device's free memory is left to buffers that grow with the
 * number of colours, and to other users. */
static void
set_history (GpuPaletteWindow * window, guint history)
{
  guint64 memory;

  if (history == window->wanted)
    return;
  memory = gpu_buffers_get_size (window->frames, GPU_PALETTE_MAX_HISTORY)
      + gpu_device_get_memory_left (window->device) / 2;
  window->wanted = history;
  window->room = MIN (history, memory / size_of_frame (window));
}

/* Frees the buffers beyond the window's room. For those with frames, records the
 * subtraction of their pixels, whose colours it marks as touched. */
static void
drop_frames (GpuPaletteHistogram * histogram, GpuPaletteContext * context)
{
  GpuPaletteWindow *window = &histogram->window;
  const GpuRowBinding rows = gpu_row_binding_of_array (window->n_words, 4,
      1 << PALETTE_LEAVE_NUMBERS);

  for (guint i = GPU_PALETTE_MAX_HISTORY; i-- > window->room;) {
    histogram->numbers = window->frames[i];
    if (i < window->n)
      gpu_slicer_run_over_rows (&context->slicer, &(GpuDispatch) {
        histogram->kernels.leave, PALETTE_LEAVE_BUFFERS (histogram),
        &(GpuPaletteLeavePush) {.slot = window->slots[i]},
      }, &rows,
          rows.height);
    g_clear_pointer (&window->frames[i], gpu_buffer_unref);
  }
  window->n = MIN (window->n, window->room);
}

void
gpu_palette_histogram_shrink (GpuPaletteHistogram * histogram)
{
  set_history (&histogram->window, 1);
  gpu_palette_clear_arrays (histogram->window.frames + 1,
      GPU_PALETTE_MAX_HISTORY - 1);
}

/* Checks free memory again, as others may have used it since the window's room was
 * computed: drivers then move memory about, and do not fail the allocation. */
static gboolean
may_make_frame (const GpuPaletteWindow * window)
{
  return gpu_device_get_memory_left (window->device) >= size_of_frame (window);
}

/* Sets @at to the buffer for the next frame's colours: a new one, or that of the oldest
 * frame if the window is full or the device has no more memory. */
static gboolean
choose_place (GpuPaletteWindow * window, guint * at, GError ** error)
{
  GError *refused = NULL;

  *at = MIN (window->n, window->room - 1);
  if (window->frames[*at] || (may_make_frame (window)
          && make_frame (window, *at, &refused)))
    return TRUE;
  if (refused && !g_error_matches (refused, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY)) {
    g_propagate_error (error, refused);
    return FALSE;
  }
  g_clear_error (&refused);
  window->room = *at;
  *at -= 1;
  return TRUE;
}

static void
make_newest (GpuPaletteWindow * window, guint at)
{
  GpuBuffer *frame = window->frames[at];
  guint32 slot = window->slots[at];

  memmove (window->frames + 1, window->frames, at * sizeof *window->frames);
  memmove (window->slots + 1, window->slots, at * sizeof *window->slots);
  window->frames[0] = frame;
  window->slots[0] = slot;
}

/* Makes frames[0] the buffer for the next frame's colours, and sets was_replaced to
 * whether it holds the colours of the frame that the next one replaces. If not, and the
 * window has other frames, records a fill with NO_PIXEL. */
static gboolean
advance (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    GError ** error)
{
  GpuPaletteWindow *window = &histogram->window;
  guint at;

  if (!choose_place (window, &at, error))
    return FALSE;
  histogram->was_replaced = at < window->n;
  make_newest (window, at);
  histogram->numbers = window->frames[0];
  if (!histogram->was_replaced && window->n++ > 0)
    gpu_slicer_fill (&context->slicer, window->frames[0],
        size_of_frame (window), NO_PIXEL);
  return TRUE;
}

/* --- beginning --- */

/* Discards all counts. */
static void
clear_all (GpuPaletteHistogram * histogram, GpuPaletteContext * context)
{
  GpuBuffer *buffers[] = {
    histogram->counts, histogram->touched, histogram->presence,
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

  gpu_stream_write (context->slicer.stream, histogram->blocks, 0, &dispatches,
      sizeof dispatches);
}

void
gpu_palette_histogram_begin (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context)
{
  set_history (&histogram->window,
      MAX (context->settings->counting.history, 1));
  if (!histogram->is_known)
    clear_all (histogram, context);
  choose_slices (histogram, context);
  begin_blocks (histogram, context);
}

/* --- scenes --- */

static guint
blocks_along (guint size, guint shift)
{
  return ((size - 1) >> shift) + 1;
}

GpuPixelBlocks
gpu_palette_luma_blocks (guint width, guint height)
{
  guint shift = LUMA_SHIFT;

  while (blocks_along (MAX (width, height), shift) > LUMA_COLUMNS)
    shift++;
  return (GpuPixelBlocks) {
    shift, blocks_along (width, shift), blocks_along (height, shift),
  };
}

guint
gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPixelBlocks * blocks)
{
  guint of_block =
      floor (settings->counting.scene_cut_threshold * 255 * CODE + 0.5);

  return of_block * blocks->columns * blocks->rows;
}

/* Records the detection of a scene cut between the newest frame of the window and the
 * frame to count; the result is in the blocks. */
static void
look_for_cut (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    const GpuPixelsBound * pixels, const GpuPixelBlocks * blocks)
{
  const struct Scene state = {
    .block_shift = blocks->shift,
    .columns = blocks->columns,
    .rows = blocks->rows,
    .cut_sum = gpu_palette_cut_sum (context->settings, blocks)
  };
  const GpuDispatch luma = {
    histogram->kernels.luma, PALETTE_SCENE_LUMA_BUFFERS (histogram)
  };
  const GpuDispatch cut = {
    histogram->kernels.cut, PALETTE_SCENE_CUT_BUFFERS (histogram)
  };

  gpu_stream_write (context->slicer.stream, histogram->state, 0, &state,
      offsetof (struct Scene, now));
  gpu_pixels_run_over_blocks (&context->slicer, &luma, pixels, blocks);
  gpu_stream_dispatch (context->slicer.stream, &cut, 1, 1, 1);
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

/* Records the clearing of the colours in the blocks whose workgroup counts are at
 * @groups_at. @bound: about how many there are. */
static void
forget_counts (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    guint bound, gsize groups_at)
{
  const GpuSlicerItems words = gpu_palette_histogram_words (histogram, bound);

  gpu_palette_histogram_run (histogram, context, &(GpuDispatch) {
    histogram->kernels.forget, PALETTE_FORGET_BUFFERS (histogram)
  }, &words,
      groups_at);
}

/* If the window has a frame, and the frame to count begins another scene, clears the
 * counts. */
static void
end_scene (GpuPaletteHistogram * histogram, GpuPaletteContext * context,
    const GpuPixelsBound * pixels)
{
  const GpuPixelBlocks blocks =
      gpu_palette_luma_blocks (pixels->in->width, pixels->in->height);

  if (histogram->window.n == 0 || histogram->window.room == 1
      || gpu_palette_cut_sum (context->settings, &blocks) == 0)
    return;
  histogram->numbers = histogram->window.frames[0];
  look_for_cut (histogram, context, pixels, &blocks);
  forget_counts (histogram, context, 0, GPU_PALETTE_BLOCKS_AT (cut_groups));
}

gboolean
gpu_palette_histogram_add (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    guint anew, GError ** error)
{
  GpuPaletteWindow *window = &histogram->window;
  gboolean recounts;

  histogram->frame = in;
  end_scene (histogram, context, pixels);
  drop_frames (histogram, context);
  if (!advance (histogram, context, error))
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
  gpu_pixels_run (&context->slicer, &(GpuDispatch) {
    histogram->kernels.count, PALETTE_COUNT_BUFFERS (histogram),
    &(GpuPaletteCountPush) {.recount = recounts},
  }, pixels);
  return TRUE;
}

void
gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, gboolean always)
{
  GpuStream *stream = context->slicer.stream;
  const GpuSlicerItems words = gpu_palette_histogram_words (histogram,
      histogram->items.most);
  const GpuDispatch collect = {
    histogram->kernels.collect, PALETTE_COLLECT_BUFFERS (histogram)
  };
  const GpuDispatch presence = {
    histogram->kernels.presence, PALETTE_PRESENCE_BUFFERS (histogram)
  };
  const GpuDispatch rank = {
    histogram->kernels.rank, PALETTE_RANK_BUFFERS (histogram)
  };

  gpu_stream_dispatch (stream, &collect, 1, 1, 1);
  gpu_palette_histogram_run (histogram, context, &presence, &words,
      GPU_PALETTE_BLOCKS_AT (dispatches.touched_groups));
  /* Ranking also sizes the dispatches that list and convert colours. */
  if (always || histogram->is_sliced_anew)
    gpu_stream_dispatch (stream, &rank, 1, 1, 1);
  else
    gpu_stream_dispatch_indirect (stream, &rank, histogram->blocks,
        GPU_PALETTE_BLOCKS_AT (dispatches.rank_groups));
}

void
gpu_palette_histogram_forget (GpuPaletteHistogram * histogram)
{
  histogram->is_known = FALSE;
  histogram->window.n = 0;
}
