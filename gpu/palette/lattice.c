/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "lattice.h"
#include "shaders.h"

#include <math.h>

#define Q30 1073741824.0
#define BITMAP_BYTES (1u << 21)

/* Of a colour, for gpu_palette_run_sliced(). */
#define LATTICE_NS 50
#define PAINT_NS 100

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
gpu_palette_lattice_init (GpuPaletteLattice * lattice, GpuDevice * device,
    GError ** error)
{
  lattice->tables = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      sizeof (GpuPaletteTables), "palette transfer tables", error);
  if (lattice->tables)
    lattice->used = gpu_buffer_new (device, GPU_BUFFER_DEVICE, BITMAP_BYTES,
        "palette output colours", error);
  if (lattice->used)
    lattice->lattice =
        gpu_kernel_get (device, &gpu_shader_palette_lattice, NULL, 0, error);
  if (lattice->lattice)
    lattice->paint =
        gpu_kernel_get (device, &gpu_shader_palette_paint, NULL, 0, error);
  return lattice->paint != NULL;
}

void
gpu_palette_lattice_clear (GpuPaletteLattice * lattice)
{
  g_clear_pointer (&lattice->tables, gpu_buffer_unref);
  g_clear_pointer (&lattice->used, gpu_buffer_unref);
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

gboolean
gpu_palette_lattice_record (GpuPaletteLattice * lattice, GpuPaletteRun * run,
    const GpuPaletteTables * tables, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = { lattice->tables, work->list, work->points };
  guint32 push[] = { 0, 0, run->shift };

  gpu_stream_stage (run->stream, "palette-lattice");
  gpu_stream_write (run->stream, lattice->tables, 0, tables, sizeof *tables);
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_sliced (run, lattice->lattice, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, run->n, LATTICE_NS, error);
}

gboolean
gpu_palette_paint_record (GpuPaletteLattice * lattice, GpuPaletteRun * run,
    GpuBuffer * ends, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = {
    lattice->tables, ends, work->results, lattice->used, work->visited,
    work->control
  };
  guint32 push[] = { 0, 0, run->shift, run->table_bits };

  gpu_stream_stage (run->stream, "palette-paint");
  if (!gpu_palette_run_clear (run, lattice->used, BITMAP_BYTES, error))
    return FALSE;
  if (!gpu_palette_run_clear (run, work->visited,
          (gsize) 4 << run->table_bits, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  return gpu_palette_run_sliced (run, lattice->paint, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, run->n, PAINT_NS, error);
}
