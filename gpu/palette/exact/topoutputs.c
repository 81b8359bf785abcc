/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact.h"
#include "gpu/core/rounding.h"
#include "shaders/palette/shared/topcolours.h"
#include "shaders/palette/shared/pixels.h"

#define MAX_GROUPS ((1u << 24) / TOP_GROUP)

gboolean
gpu_palette_top_outputs_init (GpuPaletteExact * exact, GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (exact->device);
  const GpuKernelWanted kernels[] = {
    {&exact->kernels.count_outputs, &gpu_shader_palette_top_count_outputs,
        &gathers, 1},
    {&exact->kernels.count_bits, &gpu_shader_palette_top_count_bits},
    {&exact->kernels.list_groups, &gpu_shader_palette_top_list_groups},
    {&exact->kernels.list_outputs, &gpu_shader_palette_top_list_outputs},
  };
  const GpuPaletteArray arrays[] = {
    {&exact->buffers.used_before, TOP_COLOUR_WORDS,
        "palette ranks of output colours"},
    {&exact->buffers.bests, MAX_GROUPS * sizeof (struct TopOfGroup) / 4,
        "palette most frequent colours"},
    {&exact->buffers.pixels, GPU_PALETTE_LEAST_ROOM,
        "palette pixels of colours"},
  };

  if (exact->top_scan)
    return TRUE;
  if (!gpu_kernels_request (exact->device, kernels, G_N_ELEMENTS (kernels),
          GPU_KERNEL_SOON, error)
      || !gpu_palette_make_arrays (exact->device, arrays, G_N_ELEMENTS (arrays),
          error))
    return FALSE;
  exact->top_scan = gpu_scan_new (exact->device, TOP_COLOUR_WORDS, error);
  return exact->top_scan != NULL;
}

/* Records the ranks of output colours, unless they are valid. */
static void
rank_colours (GpuPaletteExact * exact)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  const GpuDispatch count_bits = {
    exact->kernels.count_bits, PALETTE_TOP_COUNT_BITS_BUFFERS (buffers)
  };

  if (exact->ranked == exact->n_solves)
    return;
  exact->ranked = exact->n_solves;
  gpu_slicer_run (&exact->context->slicer, &count_bits, TOP_COLOUR_WORDS);
  gpu_scan_record (exact->top_scan, exact->stream, buffers->used_before,
      buffers->used_before, TOP_COLOUR_WORDS);
}

static void
count_pixels (GpuPaletteExact * exact)
{
  const guint n_words = exact->histogram.window.n_words;
  const GpuRowBinding rows = gpu_row_binding_of_array (n_words,
      PIXELS_PER_THREAD, 1 << PALETTE_TOP_COUNT_OUTPUTS_NUMBERS);
  const GpuDispatch count = {
    exact->kernels.count_outputs,
    PALETTE_TOP_COUNT_OUTPUTS_BUFFERS (&exact->buffers),
    &(GpuPaletteTopCountOutputsPush) {.n_words = n_words},
  };

  gpu_slicer_run_over_rows (&exact->context->slicer, &count, &rows,
      rows.height);
}

/* Records the lists of the output colours with the most pixels: of each group, and of all. */
static void
list_colours (GpuPaletteExact * exact, guint n_colours)
{
  gdouble radius = exact->context->settings->making.radius;
  guint n_groups = DIV_UP (n_colours, TOP_GROUP);
  guint shift = gpu_palette_lattice_shift (radius);
  const GpuPaletteTopListOutputsPush push = {
    .n_groups = n_groups,
    .shift = shift,
    .pitch = gpu_palette_lattice_pitch (radius, shift),
  };
  const GpuDispatch of_groups = {
    exact->kernels.list_groups,
    PALETTE_TOP_LIST_GROUPS_BUFFERS (&exact->buffers),
    &(GpuPaletteTopListGroupsPush) {.n_colours = n_colours},
  };
  const GpuDispatch of_all = {
    exact->kernels.list_outputs,
    PALETTE_TOP_LIST_OUTPUTS_BUFFERS (&exact->buffers),
    &push,
  };

  gpu_slicer_run (&exact->context->slicer, &of_groups, n_groups * 256);
  gpu_stream_dispatch (exact->stream, &of_all, 1, 1, 1);
}

static gboolean
list_anew (GpuPaletteExact * exact, guint n_colours, GError ** error)
{
  GpuBuffer **pixels = &exact->buffers.pixels;

  if (n_colours * (gsize) 4 > gpu_buffer_get_size (*pixels)
      && !gpu_buffer_ensure (pixels, exact->device,
          gpu_palette_exact_room_for (exact, n_colours) * (gsize) 4,
          "palette pixels of colours", error))
    return FALSE;
  gpu_slicer_fill (&exact->context->slicer, *pixels, n_colours * (gsize) 4, 0);
  rank_colours (exact);
  count_pixels (exact);
  list_colours (exact, n_colours);
  return TRUE;
}

gboolean
gpu_palette_top_outputs_record (GpuPaletteExact * exact, guint n_colours,
    gboolean are_same, GError ** error)
{
  GpuPaletteContext *context = exact->context;

  exact->buffers.top = context->top->list;
  gpu_palette_top_colours_begin (context->top, context);
  if (!(are_same && context->top->was_taken)
      && !list_anew (exact, n_colours, error))
    return FALSE;
  gpu_palette_top_colours_end (context->top, context);
  return TRUE;
}
