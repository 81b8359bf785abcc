/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "exact.h"

/* Words of the hash table of fixed points for each colour: it is half full at most. */
#define WORDS_PER_FIXED_POINT 2u

void
gpu_palette_lattice_record (GpuPaletteExact * exact, gboolean always)
{
  GpuPaletteSolve *solve = &exact->solve;
  gdouble radius = exact->context->settings->making.radius;
  const GpuDispatch convert = {
    exact->kernels.lattice, PALETTE_LATTICE_BUFFERS (&exact->buffers),
    &(GpuPaletteLatticePush) {
      .shift = gpu_palette_lattice_shift (radius),
    },
  };

  solve->shift = gpu_palette_lattice_shift (radius);
  solve->radius_squared = gpu_palette_radius_squared (radius, solve->shift);
  gpu_stream_stage (exact->stream, "palette-lattice");
  if (always)
    gpu_stream_write (exact->stream, exact->buffers.tables, 0,
        exact->context->tables, sizeof *exact->context->tables);
  gpu_palette_exact_over_colours (exact, &convert, always);
}

void
gpu_palette_lattice_read (GpuPaletteExact * exact)
{
  guint32 words[BOX_WORDS] = { 0 };

  for (guint i = 0; i < BOX_COPIES * BOX_WORDS; i++)
    words[i % BOX_WORDS] =
        MAX (words[i % BOX_WORDS], exact->solve.control[CONTROL_BOX + i]);
  /* If no colour was converted, the words are 0, and the last box stays valid. */
  for (guint i = 0; words[0] != 0 && i < 3; i++) {
    exact->box.low[i] = ~words[i];
    exact->box.high[i] = words[i + 3];
  }
  exact->solve.box = exact->box;
}

gboolean
gpu_palette_lattice_paint (GpuPaletteExact * exact, GError ** error)
{
  const GpuPaletteExactBuffers *buffers = &exact->buffers;
  const GpuSlicer *slicer = &exact->context->slicer;
  GpuPaletteReport *report = exact->context->report;
  const GpuPalettePaintPush push = {
    .shift = exact->solve.shift,
    .n_slots = WORDS_PER_FIXED_POINT * exact->solve.n,
  };
  const GpuDispatch paint = {
    exact->kernels.paint, PALETTE_PAINT_BUFFERS (buffers), &push,
  };

  gpu_stream_stage (exact->stream, "palette-paint");
  gpu_stream_fill (exact->stream, buffers->control, CONTROL_OUTPUT_COLOURS * 4,
      8, 0);
  gpu_slicer_fill (slicer, buffers->used, gpu_buffer_get_size (buffers->used),
      0);
  gpu_slicer_fill (slicer, buffers->fixed_point_table,
      push.n_slots * (gsize) 4, 0);
  gpu_slicer_run (slicer, &paint, exact->solve.n);
  if (!gpu_palette_exact_read_control (exact, error))
    return FALSE;
  report->made.output_colours = exact->solve.control[CONTROL_OUTPUT_COLOURS];
  report->made.fixed_points = exact->solve.control[CONTROL_FIXED_POINTS];
  return TRUE;
}
