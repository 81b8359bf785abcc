/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "binwindow.h"
#include "gpu/palette/count/histogram.h"
#include "shaders.h"

struct _GpuPaletteBinWindow
{
  GpuPaletteHistogram histogram;
  GpuKernel *occupy, *weigh;
  GpuBuffer *blocks;            /* struct PaletteBlocks */
};

gboolean
gpu_palette_bin_window_is_wanted (const GpuPaletteSettings * settings)
{
  return settings->counting.history > 1 || settings->making.min_frequency > 1;
}

/* --- building --- */

static gboolean
make_kernels (GpuPaletteBinWindow * window, GpuDevice * device, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&window->occupy, &gpu_shader_palette_window_occupy},
    {&window->weigh, &gpu_shader_palette_window_weigh},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

static gboolean
make_buffers (GpuPaletteBinWindow * window, GpuDevice * device, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&window->blocks, sizeof (struct PaletteBlocks) / 4,
        "palette blocks of colours"},
  };

  return gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
      error);
}

GpuPaletteBinWindow *
gpu_palette_bin_window_new (GpuDevice * device,
    const GpuPaletteFormat * format, GpuBuffer * changed, GError ** error)
{
  GpuPaletteBinWindow *window = g_new0 (GpuPaletteBinWindow, 1);

  if (make_kernels (window, device, error)
      && make_buffers (window, device, error)
      && gpu_palette_histogram_init (&window->histogram, format,
          GPU_PALETTE_COUNT_COLOURS, window->blocks, changed, error))
    return window;
  gpu_palette_bin_window_free (window);
  return NULL;
}

void
gpu_palette_bin_window_free (GpuPaletteBinWindow * window)
{
  gpu_palette_histogram_clear (&window->histogram);
  g_clear_pointer (&window->blocks, gpu_buffer_unref);
  g_free (window);
}

gsize
gpu_palette_bin_window_get_memory (GpuPaletteBinWindow * window)
{
  return gpu_buffers_get_size (&window->blocks, 1)
      + gpu_palette_histogram_get_memory (&window->histogram);
}

void
gpu_palette_bin_window_forget (GpuPaletteBinWindow * window)
{
  gpu_palette_histogram_forget (&window->histogram);
}

void
gpu_palette_bin_window_empty (GpuPaletteBinWindow * window)
{
  gpu_palette_histogram_forget (&window->histogram);
  gpu_palette_histogram_shrink (&window->histogram);
}

/* --- a frame --- */

static gboolean
count (GpuPaletteBinWindow * window, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuFrameInfo * info, GError ** error)
{
  GpuPaletteHistogram *histogram = &window->histogram;
  const GpuPixelsBound pixels = {
    .in = info,
    .arrays = 1 << PALETTE_COUNT_FRAME | 1 << PALETTE_COUNT_NUMBERS,
  };

  if (!gpu_palette_histogram_add (histogram, context,
          gpu_palette_bins_get_colours (bins), &pixels, 0, error))
    return FALSE;
  gpu_palette_histogram_rank (histogram, context, FALSE);
  return TRUE;
}

gboolean
gpu_palette_bin_window_begin (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuFrameInfo * info, gboolean has_frame, GError ** error)
{
  const GpuPaletteWindow *frames = &window->histogram.window;

  gpu_palette_histogram_begin (&window->histogram, context);
  if (!has_frame || frames->n > 0 || frames->room == 1)
    return TRUE;
  /* The window was not in use when the frame before was processed. */
  if (!count (window, context, bins, info, error))
    return FALSE;
  return TRUE;
}

/* Records @dispatch over the words of the bitmap of the window's colours. */
static void
over_colours (GpuPaletteBinWindow * window, GpuPaletteContext * context,
    const GpuDispatch * dispatch)
{
  GpuSlicerItems words = gpu_palette_histogram_words (&window->histogram,
      window->histogram.items.most);

  words.work = dispatch->kernel;
  gpu_palette_histogram_run (&window->histogram, context, dispatch,
      &words, GPU_PALETTE_BLOCKS_AT (present_groups));
}

gboolean
gpu_palette_bin_window_mark (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuFrameInfo * info, GError ** error)
{
  const GpuDispatch occupy = {
    .kernel = window->occupy,
    .buffers = {
      [PALETTE_WINDOW_OCCUPY_LIVE] = bins->state,
      [PALETTE_WINDOW_OCCUPY_OCCUPIED] = bins->occupied,
      [PALETTE_WINDOW_OCCUPY_TABLES] = bins->tables,
      [PALETTE_WINDOW_OCCUPY_PRESENCE] = window->histogram.presence,
      [PALETTE_WINDOW_OCCUPY_BLOCKS] = window->blocks,
    },
  };

  if (!count (window, context, bins, info, error))
    return FALSE;
  if (gpu_palette_get_radius (context->settings) > 0)
    over_colours (window, context, &occupy);
  return TRUE;
}

void
gpu_palette_bin_window_weigh (GpuPaletteBinWindow * window,
    GpuPaletteContext * context, GpuPaletteBins * bins)
{
  const GpuDispatch weigh = {
    .kernel = window->weigh,
    .buffers = {
      [PALETTE_WINDOW_WEIGH_LIVE] = bins->state,
      [PALETTE_WINDOW_WEIGH_OCCUPIED] = bins->occupied,
      [PALETTE_WINDOW_WEIGH_RANKS] = bins->ranks,
      [PALETTE_WINDOW_WEIGH_TABLES] = bins->tables,
      [PALETTE_WINDOW_WEIGH_PRESENCE] = window->histogram.presence,
      [PALETTE_WINDOW_WEIGH_BLOCKS] = window->blocks,
      [PALETTE_WINDOW_WEIGH_COUNTS] = window->histogram.counts,
      [PALETTE_WINDOW_WEIGH_SUMS] = bins->sums,
      [PALETTE_WINDOW_WEIGH_CARRIES] = bins->carries,
    },
  };

  if (gpu_palette_get_radius (context->settings) > 0)
    over_colours (window, context, &weigh);
}
