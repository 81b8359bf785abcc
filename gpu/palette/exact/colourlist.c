/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourlist.h"
#include "shaders.h"

/* The first words of the control buffer serve as struct PaletteChanged. */
G_STATIC_ASSERT (CONTROL_CHANGED_PIXELS * 4
    == offsetof (struct PaletteChanged, pixels));
G_STATIC_ASSERT (CONTROL_SET_CHANGED * 4
    == offsetof (struct PaletteChanged, presence));

/* --- building --- */

gboolean
gpu_palette_colour_list_init (GpuPaletteColourList * colour_list,
    const GpuPaletteFormat * format, GpuPaletteExactBuffers * buffers,
    GError ** error)
{
  colour_list->width = format->width;
  colour_list->height = format->height;
  colour_list->list =
      gpu_kernel_request (buffers->device, &gpu_shader_palette_list, NULL, 0,
      GPU_KERNEL_SOON, error);
  if (!colour_list->list)
    return FALSE;
  colour_list->ranks = gpu_buffer_new (buffers->device, GPU_BUFFER_DEVICE,
      GPU_PALETTE_ALL_COLOURS / 8, "palette ranks", error);
  return colour_list->ranks
      && gpu_palette_histogram_init (&colour_list->histogram, format,
      GPU_PALETTE_COUNT_FRAMES, buffers->blocks, buffers->control, error);
}

void
gpu_palette_colour_list_clear (GpuPaletteColourList * colour_list)
{
  gpu_palette_histogram_clear (&colour_list->histogram);
  g_clear_pointer (&colour_list->ranks, gpu_buffer_unref);
}

gsize
gpu_palette_colour_list_get_memory (const GpuPaletteColourList * colour_list)
{
  return gpu_palette_histogram_get_memory (&colour_list->histogram)
      + gpu_buffers_get_size ((GpuBuffer **) & colour_list->ranks, 1);
}

/* --- a frame --- */

/* Sets the weighting of the list. Returns whether it differs from that of the last
 * list. */
static gboolean
choose_weights (GpuPaletteColourList * colour_list,
    const GpuPaletteSolve * solve)
{
  GpuPaletteWeighting weighting = solve->context->settings->making.weighting;
  guint least = gpu_palette_get_least_frequency (solve->context->settings);
  gboolean chooses = weighting != colour_list->weighting
      || least != colour_list->least;

  colour_list->weighting = weighting;
  colour_list->least = least;
  return chooses;
}

static void
run_list (GpuPaletteColourList * colour_list, GpuPaletteSolve * solve,
    gsize groups_at)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  GpuPaletteHistogram *histogram = &colour_list->histogram;
  const GpuSlicerItems words =
      gpu_palette_histogram_words (histogram, buffers->room);
  const GpuDispatch list = {
    .kernel = colour_list->list,
    .buffers = {
      [PALETTE_LIST_COUNTS] = histogram->counters,
      [PALETTE_LIST_PRESENCE] = histogram->present,
      [PALETTE_LIST_BLOCKS] = buffers->blocks,
      [PALETTE_LIST_RANKS] = colour_list->ranks,
      [PALETTE_LIST_LIST] = buffers->list,
      [PALETTE_LIST_WEIGHTS] = buffers->weights,
      [PALETTE_LIST_CONTROL] = buffers->control,
    },
  };

  gpu_palette_histogram_run (histogram, solve->context, &list, &words,
      groups_at);
}

void
gpu_palette_colour_list_list (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve)
{
  gpu_stream_stage (solve->context->slicer.stream, "palette-list");
  run_list (colour_list, solve, GPU_PALETTE_BLOCKS_AT (present_groups));
}

static void
record_list (GpuPaletteColourList * colour_list, GpuPaletteSolve * solve)
{
  gboolean lists_all = choose_weights (colour_list, solve);

  gpu_stream_stage (solve->context->slicer.stream, "palette-list");
  gpu_palette_histogram_rank (&colour_list->histogram, solve->context,
      lists_all);
  run_list (colour_list, solve, GPU_PALETTE_BLOCKS_AT (dispatches.list_groups));
}

/* By difference, each changed pixel takes two atomic additions. Anew, each pixel takes
 * one, and each colour is cleared. The next frame is assumed to change as many pixels as
 * the last one. */
static gboolean
is_recounting_cheaper (GpuPaletteColourList * colour_list, guint changed,
    guint n_colours)
{
  guint64 n_pixels = (guint64) colour_list->width * colour_list->height;

  return 2 * (guint64) changed > n_pixels + n_colours;
}

void
gpu_palette_colour_list_forget (GpuPaletteColourList * colour_list)
{
  gpu_palette_histogram_forget (&colour_list->histogram);
}

static gboolean
count (GpuPaletteColourList * colour_list, GpuPaletteSolve * solve,
    const GpuFrame * in, GError ** error)
{
  GpuPaletteHistogram *histogram = &colour_list->histogram;
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuPixelsBound pixels = {
    .in = &in->info,
    .arrays = 1 << PALETTE_COUNT_NUMBERS,
    .least_alpha = solve->context->settings->counting.least_alpha
  };

  gpu_palette_histogram_begin (histogram, solve->context);
  solve->colours = histogram->items;
  gpu_palette_exact_buffers_set_pixels (buffers,
      histogram->window.n_pixels * histogram->window.room);
  return gpu_palette_histogram_add (histogram, solve->context, in->buffer,
      &pixels, colour_list->recount ? buffers->room : 0, error);
}

gboolean
gpu_palette_colour_list_update (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, const GpuFrame * in, GError ** error)
{
  gpu_stream_fill (solve->context->slicer.stream, solve->buffers->control, 0,
      CONTROL_WORDS * 4, 0);
  gpu_stream_stage (solve->context->slicer.stream, "palette-count");
  if (!count (colour_list, solve, in, error))
    return FALSE;
  record_list (colour_list, solve);
  colour_list->recount = FALSE;
  return TRUE;
}

gboolean
gpu_palette_colour_list_read (GpuPaletteColourList * colour_list,
    GpuPaletteSolve * solve, GError ** error)
{
  gpu_stream_copy (solve->context->slicer.stream, solve->buffers->blocks,
      GPU_PALETTE_BLOCKS_AT (n_colours), solve->buffers->control,
      CONTROL_COLOURS * 4, 4);
  if (!gpu_palette_solve_read_control (solve, error))
    return FALSE;
  solve->n = solve->control[CONTROL_COLOURS];
  solve->context->report->counted.colours = solve->n;
  if (colour_list->histogram.was_replaced)
    solve->context->report->counted.changed_pixels =
        solve->control[CONTROL_CHANGED_PIXELS];
  colour_list->recount =
      is_recounting_cheaper (colour_list,
      solve->context->report->counted.changed_pixels, solve->n);
  return TRUE;
}
