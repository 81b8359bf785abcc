/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "work.h"

#include <string.h>

/* Of a submission, as estimated; it may take twice that. */
#define SUBMISSION_NS (10 * GPU_PALETTE_DISPATCH_NS)

/* What any GPU is in comparison with a CPU, at least, and items that it
 * should have in one dispatch at most. */
#define GPU_SPEED 16
#define MAX_SLICE (1u << 22)

/* Bytes that are cleared in a microsecond, and by one command. */
#define CLEARED_PER_US 2000
#define MAX_CLEARED ((gsize) CLEARED_PER_US * GPU_PALETTE_DISPATCH_NS / 1000)

/* Walks of a photograph visit some 25 points per colour: the set has room for
 * so many, as a power of two. But colours are far fewer than pixels, most of
 * the time, and pixels are what memory is taken for. The least and the most
 * in all; the latter is a limit of the set's words (visited.glsl). */
#define VISITS_PER_COLOUR_LOG2 5
#define VISITS_PER_PIXEL_LOG2 4
#define MIN_TABLE_BITS 22
#define MAX_TABLE_BITS 25

static gboolean
make (GpuPaletteWork * work, GpuBuffer ** buffer, GpuBufferKind kind,
    gsize words, const gchar * name, GError ** error)
{
  *buffer = gpu_buffer_new (work->device, kind, words * 4, name, error);
  return *buffer != NULL;
}

guint
gpu_palette_work_table_bits (const GpuPaletteWork * work, guint n_colours)
{
  return CLAMP (g_bit_storage (n_colours - 1) + VISITS_PER_COLOUR_LOG2,
      MIN_TABLE_BITS, work->max_table_bits);
}

gboolean
gpu_palette_work_init (GpuPaletteWork * work, GpuDevice * device,
    guint n_pixels, GError ** error)
{
  gsize n = MIN (n_pixels, 1u << 24);

  work->device = device;
  work->n_pixels = n_pixels;
  work->max_colours = n;
  work->max_table_bits =
      CLAMP (g_bit_storage (n - 1) + VISITS_PER_PIXEL_LOG2, MIN_TABLE_BITS,
      MAX_TABLE_BITS);
  work->speed = gpu_device_is_slow (device) ? 1 : GPU_SPEED;
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
  return done && gpu_stream_begin (run->stream, error);
}

gboolean
gpu_palette_run_reserve (GpuPaletteRun * run, guint64 ns, GError ** error)
{
  guint64 budget = (guint64) SUBMISSION_NS * run->work->speed;
  const gchar *stage = gpu_stream_get_stage (run->stream);

  if (run->recorded > 0 && run->recorded + ns > budget) {
    if (!gpu_palette_run_submit (run, error))
      return FALSE;
    /* In the middle of a stage, most of the time. */
    gpu_stream_stage (run->stream, stage);
  }
  run->recorded += ns;
  return TRUE;
}

gboolean
gpu_palette_run_sliced (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, guint n, guint ns, GError ** error)
{
  guint64 items = (guint64) GPU_PALETTE_DISPATCH_NS * run->work->speed / ns;
  guint slice = run->settings->slice ? run->settings->slice
      : CLAMP (items, 256, MAX_SLICE) & ~255u;

  for (guint first = 0; first < n; first += slice) {
    guint of_slice = MIN (n - first, slice);

    if (!gpu_palette_run_reserve (run, (guint64) of_slice * ns, error))
      return FALSE;
    push[0] = first;
    push[1] = first + of_slice;
    gpu_stream_dispatch (run->stream, kernel, buffers, n_buffers, push,
        push_size, (of_slice + 255) / 256, 1, 1);
  }
  return TRUE;
}

gboolean
gpu_palette_run_clear (GpuPaletteRun * run, GpuBuffer * buffer, gsize size,
    GError ** error)
{
  gsize most = MAX_CLEARED * run->work->speed;

  for (gsize at = 0; at < size; at += most) {
    gsize n = MIN (size - at, most);

    if (!gpu_palette_run_reserve (run, n * 1000 / CLEARED_PER_US, error))
      return FALSE;
    gpu_stream_fill (run->stream, buffer, at, n, 0);
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
