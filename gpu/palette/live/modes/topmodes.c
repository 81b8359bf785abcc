/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "topmodes.h"
#include "gpu/palette/shared/topcolours.h"
#include "shaders.h"
#include "shaders/palette/live/modes/topmodes.h"

struct _GpuPaletteTopModes
{
  GpuKernel *count, *list;
  GpuBuffer *counters;
};

/* --- building --- */

static gboolean
request_kernels (GpuPaletteTopModes * top, GpuDevice * device,
    GpuKernelUrgency urgency, GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (device);
  const GpuKernelWanted kernels[] = {
    {&top->count, &gpu_shader_palette_top_count_modes, &gathers, 1},
    {&top->list, &gpu_shader_palette_top_list_modes},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels), urgency,
      error);
}

void
gpu_palette_top_modes_expect (GpuDevice * device)
{
  GpuPaletteTopModes unused;

  request_kernels (&unused, device, GPU_KERNEL_LATER, NULL);
}

static gboolean
build (GpuPaletteTopModes * top, GpuDevice * device, GError ** error)
{
  if (request_kernels (top, device, GPU_KERNEL_SOON, error))
    top->counters =
        gpu_buffer_new (device, GPU_BUFFER_DEVICE, TOP_COUNTERS * 4,
        "palette pixels of modes", error);
  return top->counters != NULL;
}

GpuPaletteTopModes *
gpu_palette_top_modes_new (GpuDevice * device, GError ** error)
{
  GpuPaletteTopModes *top = g_new0 (GpuPaletteTopModes, 1);

  if (build (top, device, error))
    return top;
  gpu_palette_top_modes_free (top);
  return NULL;
}

void
gpu_palette_top_modes_free (GpuPaletteTopModes * top)
{
  g_clear_pointer (&top->counters, gpu_buffer_unref);
  g_free (top);
}

gsize
gpu_palette_top_modes_get_memory (GpuPaletteTopModes * top)
{
  return gpu_buffer_get_size (top->counters);
}

/* --- a frame --- */

static void
count_pixels (GpuPaletteTopModes * top, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * pixel_modes)
{
  GpuRowBinding rows = bins->pixel_rows;
  const GpuDispatch count = {
    .kernel = top->count,
    .buffers = {
      [PALETTE_TOP_COUNT_MODES_LIVE] = bins->state,
      [PALETTE_TOP_COUNT_MODES_PIXEL_BINS] = bins->pixel_bins,
      [PALETTE_TOP_COUNT_MODES_PIXEL_MODES] = pixel_modes,
      [PALETTE_TOP_COUNT_MODES_COUNTERS] = top->counters,
    },
    .push = &(GpuPaletteTopCountModesPush) {.recount =
          !context->top->was_taken},
  };

  rows.arrays = 1 << PALETTE_TOP_COUNT_MODES_PIXEL_BINS
      | 1 << PALETTE_TOP_COUNT_MODES_PIXEL_MODES;
  gpu_slicer_run_over_rows (&context->slicer, &count, &rows,
      bins->pixel_rows.height);
}

static void
list_modes (GpuPaletteTopModes * top, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * modes)
{
  const GpuDispatch list = {
    .kernel = top->list,
    .buffers = {
      [PALETTE_TOP_LIST_MODES_LIVE] = bins->state,
      [PALETTE_TOP_LIST_MODES_MODES] = modes,
      [PALETTE_TOP_LIST_MODES_COUNTERS] = top->counters,
      [PALETTE_TOP_LIST_MODES_LIST] = context->top->list,
    },
    .push = &(GpuPaletteTopListModesPush) {.recount = !context->top->was_taken},
  };

  gpu_stream_dispatch (context->slicer.stream, &list, 1, 1, 1);
}

void
gpu_palette_top_modes_record (GpuPaletteTopModes * top,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * pixel_modes,
    GpuBuffer * modes)
{
  gpu_palette_top_colours_begin (context->top, context);
  gpu_slicer_fill (&context->slicer, top->counters,
      gpu_buffer_get_size (top->counters), 0);
  count_pixels (top, context, bins, pixel_modes);
  list_modes (top, context, bins, modes);
  gpu_palette_top_colours_end (context->top, context);
}
