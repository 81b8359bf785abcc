/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lattice.h"
#include "shaders.h"
#include "shaders/palette/cells.h"

#include <math.h>

#define Q30 1073741824.0
#define CELLS_PER_RADIUS 3

/* Of a colour, for gpu_palette_run_sliced(). */
#define PAINT_NS 100

/* Words of the table of ends, of each of which half are taken at most. */
#define WORDS_PER_END 2u

const guint gpu_palette_gamut[3] = { 65536, 34304, 34304 };
const guint gpu_palette_below_zero[3] = { 0, 15872, 20992 };

gdouble
gpu_palette_transfer_srgb (gdouble code, gpointer data)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

gdouble
gpu_palette_transfer_linear (gdouble code, gpointer data)
{
  return code;
}

/* Nothing is below 0 or much above full light, whatever the function says:
 * sums of three must stay within 64 bits. */
static guint32
to_q30 (gdouble light, gdouble most)
{
  return floor (CLAMP (light, 0, most) * Q30 + 0.5);
}

void
gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data)
{
  for (guint i = 0; i < 256; i++) {
    tables->lights[i] = to_q30 (transfer (i / 255.0, data), 1);
    tables->thresholds[i] =
        i == 0 ? 0 : to_q30 (transfer ((i - 0.5) / 255, data), 2);
  }
}

gboolean
gpu_palette_lattice_init (GpuPaletteLattice * lattice, GpuPaletteWork * work,
    GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&lattice->tables, sizeof (GpuPaletteTables) / 4,
        "palette transfer tables"},
  };
  guint32 per_thread = gpu_palette_converted (work->device);

  if (!gpu_palette_make_arrays (work->device, arrays, G_N_ELEMENTS (arrays),
          &lattice->memory, error))
    return FALSE;
  lattice->lattice = gpu_kernel_get (work->device,
      &gpu_shader_palette_lattice, &per_thread, 1, error);
  if (lattice->lattice)
    lattice->paint = gpu_kernel_get (work->device, &gpu_shader_palette_paint,
        NULL, 0, error);
  return lattice->paint != NULL;
}

void
gpu_palette_lattice_clear (GpuPaletteLattice * lattice)
{
  g_clear_pointer (&lattice->tables, gpu_buffer_unref);
}

guint
gpu_palette_lattice_shift (gdouble radius)
{
  guint shift = 16;

  while (ldexp (radius, shift) >= 2048)
    shift--;
  return shift;
}

guint
gpu_palette_radius_squared (gdouble radius, guint shift)
{
  return floor (radius * radius * ldexp (1, 2 * shift));
}

guint
gpu_palette_lattice_pitch (gdouble radius, guint shift)
{
  guint pitch = floor (ldexp (radius, shift) / CELLS_PER_RADIUS + 0.5);

  return MAX (pitch, LEAST_PITCH);
}

static void
choose (GpuPaletteRun * run)
{
  gdouble radius = run->settings->radius;

  run->shift = gpu_palette_lattice_shift (radius);
  run->radius_squared = gpu_palette_radius_squared (radius, run->shift);
}

gboolean
gpu_palette_lattice_record (GpuPaletteLattice * lattice, GpuPaletteRun * run,
    gboolean always, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = {
    lattice->tables, work->list, work->points, work->blocks, work->control
  };
  guint32 push[] = { 0, 0, 0 };

  choose (run);
  push[2] = run->shift;
  gpu_stream_stage (run->stream, "palette-lattice");
  if (always)
    gpu_stream_write (run->stream, lattice->tables, 0, run->tables,
        sizeof *run->tables);
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_indirect (run, lattice->lattice, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, &run->colours, work->room,
      work->blocks, always ? GPU_PALETTE_BLOCKS_AT (colour_groups)
      : GPU_PALETTE_BLOCKS_AT (dispatches.convert_groups), error);
}

void
gpu_palette_lattice_read (GpuPaletteLattice * lattice, GpuPaletteRun * run)
{
  guint32 words[BOX_WORDS] = { 0 };

  for (guint i = 0; i < BOX_COPIES * BOX_WORDS; i++)
    words[i % BOX_WORDS] =
        MAX (words[i % BOX_WORDS], run->control[CONTROL_BOX + i]);
  /* Nobody wrote it where no colour was converted. */
  for (guint i = 0; words[0] != 0 && i < 3; i++) {
    lattice->box.low[i] = ~words[i];
    lattice->box.high[i] = words[i + 3];
  }
  run->box = lattice->box;
}

static gboolean
record_paint (GpuPaletteLattice * lattice, GpuPaletteRun * run,
    GpuBuffer * ends, GpuBuffer * table, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = {
    lattice->tables, ends, work->results, work->used, table, work->control
  };
  guint32 push[] = { 0, 0, run->shift, WORDS_PER_END * run->n };

  gpu_stream_stage (run->stream, "palette-paint");
  gpu_stream_fill (run->stream, work->control, CONTROL_OUTPUT_COLOURS * 4, 8,
      0);
  if (!gpu_palette_run_clear (run, work->used, gpu_buffer_get_size (work->used),
          error)
      || !gpu_palette_run_clear (run, table, push[3] * (gsize) 4, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_sliced (run, lattice->paint, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, run->n, PAINT_NS, error);
}

gboolean
gpu_palette_lattice_paint (GpuPaletteLattice * lattice, GpuPaletteRun * run,
    GpuBuffer * ends, GpuBuffer * table, GError ** error)
{
  if (!record_paint (lattice, run, ends, table, error)
      || !gpu_palette_run_read_control (run, error))
    return FALSE;
  run->report->output_colours = run->control[CONTROL_OUTPUT_COLOURS];
  run->report->ends = run->control[CONTROL_ENDS];
  return TRUE;
}
