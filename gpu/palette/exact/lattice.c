/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lattice.h"
#include "shaders.h"

/* Words of the hash table of fixed points for each colour: it is half full at most. */
#define WORDS_PER_FIXED_POINT 2u

gboolean
gpu_palette_lattice_init (GpuPaletteLattice * lattice,
    GpuPaletteExactBuffers * buffers, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&lattice->tables, sizeof (GpuPaletteTables) / 4,
        "palette transfer tables"},
  };
  const GpuKernelWanted kernels[] = {
    {&lattice->lattice, &gpu_shader_palette_lattice},
    {&lattice->paint, &gpu_shader_palette_paint},
  };

  return gpu_palette_make_arrays (buffers->device, arrays,
      G_N_ELEMENTS (arrays), &lattice->memory, error)
      && gpu_kernels_request (buffers->device, kernels, G_N_ELEMENTS (kernels),
      GPU_KERNEL_SOON, error);
}

void
gpu_palette_lattice_clear (GpuPaletteLattice * lattice)
{
  g_clear_pointer (&lattice->tables, gpu_buffer_unref);
}

static void
choose (GpuPaletteSolve * solve)
{
  gdouble radius = solve->context->settings->making.radius;

  solve->shift = gpu_palette_lattice_shift (radius);
  solve->radius_squared = gpu_palette_radius_squared (radius, solve->shift);
}

void
gpu_palette_lattice_record (GpuPaletteLattice * lattice,
    GpuPaletteSolve * solve, gboolean always)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  GpuPaletteLatticePush push = { 0 };
  const GpuDispatch convert = {
    .kernel = lattice->lattice,
    .buffers = {
      [PALETTE_LATTICE_TABLES] = lattice->tables,
      [PALETTE_LATTICE_LIST] = buffers->list,
      [PALETTE_LATTICE_POINTS] = buffers->points,
      [PALETTE_LATTICE_BLOCKS] = buffers->blocks,
      [PALETTE_LATTICE_CONTROL] = buffers->control,
    },
    .push = &push,
  };

  choose (solve);
  push.shift = solve->shift;
  gpu_stream_stage (solve->context->slicer.stream, "palette-lattice");
  if (always)
    gpu_stream_write (solve->context->slicer.stream, lattice->tables, 0,
        solve->context->tables, sizeof *solve->context->tables);
  gpu_palette_solve_over_colours (solve, &convert, always);
}

void
gpu_palette_lattice_read (GpuPaletteLattice * lattice, GpuPaletteSolve * solve)
{
  guint32 words[BOX_WORDS] = { 0 };

  for (guint i = 0; i < BOX_COPIES * BOX_WORDS; i++)
    words[i % BOX_WORDS] =
        MAX (words[i % BOX_WORDS], solve->control[CONTROL_BOX + i]);
  /* If no colour was converted, the words are 0, and the last box stays valid. */
  for (guint i = 0; words[0] != 0 && i < 3; i++) {
    lattice->box.low[i] = ~words[i];
    lattice->box.high[i] = words[i + 3];
  }
  solve->box = lattice->box;
}

static void
record_paint (GpuPaletteLattice * lattice, GpuPaletteSolve * solve,
    GpuBuffer * fixed_points, GpuBuffer * table)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuPalettePaintPush push = {
    .shift = solve->shift, .n_slots = WORDS_PER_FIXED_POINT * solve->n,
  };
  const GpuDispatch paint = {
    .kernel = lattice->paint,
    .buffers = {
      [PALETTE_PAINT_TABLES] = lattice->tables,
      [PALETTE_PAINT_FIXED_POINTS] = fixed_points,
      [PALETTE_PAINT_RESULTS] = buffers->results,
      [PALETTE_PAINT_USED] = buffers->used,
      [PALETTE_PAINT_TABLE] = table,
      [PALETTE_PAINT_CONTROL] = buffers->control,
    },
    .push = &push,
  };

  gpu_stream_stage (solve->context->slicer.stream, "palette-paint");
  gpu_stream_fill (solve->context->slicer.stream, buffers->control,
      CONTROL_OUTPUT_COLOURS * 4, 8, 0);
  gpu_slicer_fill (&solve->context->slicer, buffers->used,
      gpu_buffer_get_size (buffers->used), 0);
  gpu_slicer_fill (&solve->context->slicer, table, push.n_slots * (gsize) 4, 0);
  gpu_slicer_run (&solve->context->slicer, &paint, solve->n);
}

gboolean
gpu_palette_lattice_paint (GpuPaletteLattice * lattice, GpuPaletteSolve * solve,
    GpuBuffer * fixed_points, GpuBuffer * table, GError ** error)
{
  record_paint (lattice, solve, fixed_points, table);
  if (!gpu_palette_solve_read_control (solve, error))
    return FALSE;
  solve->context->report->made.output_colours =
      solve->control[CONTROL_OUTPUT_COLOURS];
  solve->context->report->made.fixed_points =
      solve->control[CONTROL_FIXED_POINTS];
  return TRUE;
}
