/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "topoutputs.h"
#include "gpu/palette/shared/topcolours.h"
#include "gpu/palette/oklab.h"
#include "shaders.h"
#include "gpu/core/compute/scan.h"
#include "gpu/core/rounding.h"
#include "shaders/palette/exact/topoutputs.h"
#include "shaders/palette/shared/pixels.h"

#define MAX_GROUPS ((1u << 24) / TOP_GROUP)

struct _GpuPaletteTopOutputs
{
  GpuKernel *ones, *count, *best, *list;
  GpuScan *scan;
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *before;            /* by word of buffers->used: output colours before it */
  GpuBuffer *bests;             /* TopOfGroup, by group */
  GpuBuffer *counters;          /* pixels, by index of an output colour */
  guint room;                   /* number of counters */
  guint64 ranked;               /* GpuPaletteOutputs.n_solves for which tables and
                                   before are valid; 0: none */
};

/* --- building --- */

static gboolean
make_kernels (GpuPaletteTopOutputs * top, GpuDevice * device, GError ** error)
{
  const guint32 gathers = !gpu_device_is_slow (device);
  const GpuKernelWanted kernels[] = {
    {&top->count, &gpu_shader_palette_top_count_outputs, &gathers, 1},
    {&top->ones, &gpu_shader_palette_top_count_bits},
    {&top->best, &gpu_shader_palette_top_list_groups},
    {&top->list, &gpu_shader_palette_top_list_outputs},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

static gboolean
build (GpuPaletteTopOutputs * top, GpuDevice * device, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&top->tables, sizeof (GpuPaletteTables) / 4,
        "palette transfer tables"},
    {&top->before, TOP_COLOUR_WORDS, "palette ranks of output colours"},
    {&top->counters, GPU_PALETTE_LEAST_ROOM, "palette pixels of colours"},
    {&top->bests, MAX_GROUPS * sizeof (struct TopOfGroup) / 4,
        "palette most frequent colours"},
  };

  if (!make_kernels (top, device, error)
      || !gpu_palette_make_arrays (device, arrays, G_N_ELEMENTS (arrays), NULL,
          error))
    return FALSE;
  top->room = GPU_PALETTE_LEAST_ROOM;
  top->scan = gpu_scan_new (device, TOP_COLOUR_WORDS, error);
  return top->scan != NULL;
}

GpuPaletteTopOutputs *
gpu_palette_top_outputs_new (GpuDevice * device, GError ** error)
{
  GpuPaletteTopOutputs *top = g_new0 (GpuPaletteTopOutputs, 1);

  if (build (top, device, error))
    return top;
  gpu_palette_top_outputs_free (top);
  return NULL;
}

void
gpu_palette_top_outputs_free (GpuPaletteTopOutputs * top)
{
  g_clear_pointer (&top->scan, gpu_scan_free);
  g_clear_pointer (&top->tables, gpu_buffer_unref);
  g_clear_pointer (&top->before, gpu_buffer_unref);
  g_clear_pointer (&top->bests, gpu_buffer_unref);
  g_clear_pointer (&top->counters, gpu_buffer_unref);
  g_free (top);
}

gsize
gpu_palette_top_outputs_get_memory (GpuPaletteTopOutputs * top)
{
  GpuBuffer *all[] = {
    top->tables, top->before, top->bests, top->counters
  };

  return gpu_scan_get_memory (top->scan)
      + gpu_buffers_get_size (all, G_N_ELEMENTS (all));
}

/* --- a frame --- */

/* Makes room for a counter of each output colour. */
static gboolean
make_room (GpuPaletteTopOutputs * top, const GpuPaletteSolve * solve,
    guint n_colours, GError ** error)
{
  guint room = gpu_palette_exact_buffers_room_for (solve->buffers, n_colours);

  if (n_colours <= top->room)
    return TRUE;
  if (!gpu_buffer_ensure (&top->counters, solve->buffers->device,
          (gsize) room * 4, "palette pixels of colours", error))
    return FALSE;
  top->room = room;
  return TRUE;
}

/* Records the ranks of output colours, unless they are valid. */
static void
rank_colours (GpuPaletteTopOutputs * top, GpuPaletteSolve * solve,
    guint64 n_solves)
{
  const GpuDispatch ones = {
    .kernel = top->ones,
    .buffers = {
      [PALETTE_TOP_COUNT_BITS_USED] = solve->buffers->used,
      [PALETTE_TOP_COUNT_BITS_ONES] = top->before,
    },
  };

  if (top->ranked == n_solves)
    return;
  top->ranked = n_solves;
  gpu_stream_write (solve->context->slicer.stream, top->tables, 0,
      solve->context->tables, sizeof *solve->context->tables);
  gpu_slicer_run (&solve->context->slicer, &ones, TOP_COLOUR_WORDS);
  gpu_scan_record (top->scan, solve->context->slicer.stream, top->before,
      top->before, TOP_COLOUR_WORDS);
}

static void
count_pixels (GpuPaletteTopOutputs * top, GpuPaletteSolve * solve,
    const GpuPaletteColourList * colour_list)
{
  const GpuPaletteHistogram *histogram = &colour_list->histogram;
  const guint n_words = histogram->window.n_words;
  const GpuRowBinding rows = gpu_row_binding_of_array (n_words,
      PIXELS_PER_THREAD, 1 << PALETTE_TOP_COUNT_OUTPUTS_NUMBERS);
  const GpuDispatch count = {
    .kernel = top->count,
    .buffers = {
      [PALETTE_TOP_COUNT_OUTPUTS_USED] = solve->buffers->used,
      [PALETTE_TOP_COUNT_OUTPUTS_BEFORE] = top->before,
      [PALETTE_TOP_COUNT_OUTPUTS_NUMBERS] = histogram->window.frames[0],
      [PALETTE_TOP_COUNT_OUTPUTS_PRESENCE] = histogram->present,
      [PALETTE_TOP_COUNT_OUTPUTS_RANKS] = colour_list->ranks,
      [PALETTE_TOP_COUNT_OUTPUTS_RESULTS] = solve->buffers->results,
      [PALETTE_TOP_COUNT_OUTPUTS_COUNTERS] = top->counters,
    },
    .push = &(GpuPaletteTopCountOutputsPush) {.n_words = n_words},
  };

  gpu_slicer_run_over_rows (&solve->context->slicer, &count, &rows,
      rows.height);
}

/* Records the lists of the output colours with the most pixels of each group. */
static void
list_bests (GpuPaletteTopOutputs * top, GpuPaletteSolve * solve,
    guint n_colours, guint n_groups)
{
  const GpuDispatch best = {
    .kernel = top->best,
    .buffers = {
      [PALETTE_TOP_LIST_GROUPS_COUNTERS] = top->counters,
      [PALETTE_TOP_LIST_GROUPS_BESTS] = top->bests,
    },
    .push = &(GpuPaletteTopListGroupsPush) {.n_colours = n_colours},
  };

  gpu_slicer_run (&solve->context->slicer, &best, n_groups * 256);
}

/* Records the list of the output colours with the most pixels of all groups. */
static void
list_colours (GpuPaletteTopOutputs * top, GpuPaletteSolve * solve,
    guint n_groups)
{
  gdouble radius = solve->context->settings->making.radius;
  guint shift = gpu_palette_lattice_shift (radius);
  const GpuPaletteTopListOutputsPush push = {
    .n_groups = n_groups,
    .shift = shift,
    .pitch = gpu_palette_lattice_pitch (radius, shift),
  };
  const GpuDispatch list = {
    .kernel = top->list,
    .buffers = {
      [PALETTE_TOP_LIST_OUTPUTS_TABLES] = top->tables,
      [PALETTE_TOP_LIST_OUTPUTS_USED] = solve->buffers->used,
      [PALETTE_TOP_LIST_OUTPUTS_BEFORE] = top->before,
      [PALETTE_TOP_LIST_OUTPUTS_BESTS] = top->bests,
      [PALETTE_TOP_LIST_OUTPUTS_LIST] = solve->context->top->list,
    },
    .push = &push,
  };

  gpu_stream_dispatch (solve->context->slicer.stream, &list, 1, 1, 1);
}

static gboolean
take (GpuPaletteTopOutputs * top, GpuPaletteSolve * solve,
    const GpuPaletteColourList * colour_list, const GpuPaletteOutputs * outputs,
    GError ** error)
{
  guint n_colours = outputs->n_colours;
  guint n_groups = DIV_UP (n_colours, TOP_GROUP);

  if (!make_room (top, solve, n_colours, error))
    return FALSE;
  gpu_slicer_fill (&solve->context->slicer, top->counters,
      (gsize) n_colours * 4, 0);
  rank_colours (top, solve, outputs->n_solves);
  count_pixels (top, solve, colour_list);
  list_bests (top, solve, n_colours, n_groups);
  list_colours (top, solve, n_groups);
  return TRUE;
}

gboolean
gpu_palette_top_outputs_record (GpuPaletteTopOutputs * top,
    GpuPaletteSolve * solve, const GpuPaletteColourList * colour_list,
    const GpuPaletteOutputs * outputs, GError ** error)
{
  GpuPaletteContext *context = solve->context;

  gpu_palette_top_colours_begin (context->top, context);
  if (!(outputs->are_same && context->top->was_taken)
      && !take (top, solve, colour_list, outputs, error))
    return FALSE;
  gpu_palette_top_colours_end (context->top, context);
  return TRUE;
}
