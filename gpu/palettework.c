/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "palettework.h"

#include <string.h>

/* Items of one dispatch, of the costliest kernel that runs once per colour:
 * some 30 ms on two cores of a CPU; and dispatches of one submission. */
#define SLICE_CPU (1u << 18)
#define SLICE_GPU (1u << 22)
#define SLICES_PER_SUBMISSION 12

/* Points visited per colour that the set has room for, as a power of two,
 * and the limits that its words impose (visited.glsl). */
#define VISITS_LOG2 4
#define MIN_TABLE_BITS 22
#define MAX_TABLE_BITS 25

static gboolean
make (GpuPaletteWork * work, GpuBuffer ** buffer, GpuBufferKind kind,
    gsize words, const gchar * name, GError ** error)
{
  *buffer = gpu_buffer_new (work->device, kind, words * 4, name, error);
  return *buffer != NULL;
}

gboolean
gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error)
{
  gsize n = MIN (n_pixels, 1u << 24);

  work->device = device;
  work->n_pixels = n_pixels;
  work->max_colours = n;
  work->max_table_bits = CLAMP (g_bit_storage (n - 1) + VISITS_LOG2,
      MIN_TABLE_BITS, MAX_TABLE_BITS);
  return make (work, &work->control, GPU_BUFFER_DEVICE,
      GPU_PALETTE_CONTROL_WORDS, "palette control", error)
      && make (work, &work->readback, GPU_BUFFER_HOST,
      GPU_PALETTE_CONTROL_WORDS, "palette readback", error)
      && make (work, &work->list, GPU_BUFFER_DEVICE, n, "palette list", error)
      && make (work, &work->weights, GPU_BUFFER_DEVICE, n, "palette weights",
      error)
      && make (work, &work->points, GPU_BUFFER_DEVICE, n * 2,
      "palette points", error)
      && make (work, &work->results, GPU_BUFFER_DEVICE, n, "palette results",
      error)
      && make (work, &work->walkers, GPU_BUFFER_DEVICE, n * 2,
      "palette walkers", error)
      && make (work, &work->active[0], GPU_BUFFER_DEVICE, n,
      "palette active walkers", error)
      && make (work, &work->active[1], GPU_BUFFER_DEVICE, n,
      "palette active walkers", error)
      && make (work, &work->visited, GPU_BUFFER_DEVICE,
      (gsize) 1 << work->max_table_bits, "palette visited points", error);
}

void
gpu_palette_work_clear (GpuPaletteWork * work)
{
  GpuBuffer **buffers[] = {
    &work->control, &work->readback, &work->list, &work->weights,
    &work->points, &work->results, &work->walkers, &work->active[0],
    &work->active[1], &work->visited
  };

  for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
    g_clear_pointer (buffers[i], gpu_buffer_unref);
}

gboolean
gpu_palette_run_submit (GpuPaletteRun * run, GError ** error)
{
  GpuTicket ticket = { 0 };
  gboolean done = gpu_stream_submit (run->stream, &ticket, error)
      && gpu_ticket_wait (&ticket, error);

  gpu_ticket_clear (&ticket);
  run->recorded = 0;
  run->report->submissions++;
  if (done && run->cancel && run->cancel (run->cancel_data)) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_CANCELLED,
        "the palette was cancelled");
    return FALSE;
  }
  return done && gpu_stream_begin (run->stream, error);
}

gboolean
gpu_palette_run_sliced (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, guint n, GError ** error)
{
  gboolean is_cpu =
      gpu_device_get_info (run->work->device)->kind == GPU_DEVICE_CPU;
  guint slice = is_cpu ? SLICE_CPU : SLICE_GPU;

  for (guint first = 0; first < n; first += slice) {
    push[0] = first;
    push[1] = MIN (n - first, slice) + first;
    gpu_stream_dispatch (run->stream, kernel, buffers, n_buffers, push,
        push_size, (push[1] - first + 255) / 256, 1, 1);
    if (++run->recorded == SLICES_PER_SUBMISSION
        && !gpu_palette_run_submit (run, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_run_read_control (GpuPaletteRun * run, GError ** error)
{
  GpuPaletteWork *work = run->work;

  gpu_stream_barrier (run->stream);
  gpu_stream_copy (run->stream, work->control, 0, work->readback, 0,
      sizeof run->control);
  if (!gpu_palette_run_submit (run, error))
    return FALSE;
  gpu_buffer_invalidate (work->readback);
  memcpy (run->control, gpu_buffer_get_data (work->readback),
      sizeof run->control);
  return TRUE;
}

guint64
gpu_palette_run_get_wide (const GpuPaletteRun * run, guint word)
{
  return run->control[word] | (guint64) run->control[word + 1] << 32;
}
