/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "run.h"
#include "shaders/palette/shared/slices.h"

#include <string.h>

/* What any GPU is in comparison with a CPU, at least. */
#define GPU_SPEED 16

/* Of a fill, on two cores. */
#define NS_PER_BYTE 0.5

/* Colours that a thread of a CPU device turns into points. */
#define CONVERTED_CPU 8

/* Of an item that takes @ns on two cores of a CPU. */
static gdouble
ns_on_device (GpuPaletteRun * run, gdouble ns)
{
  return gpu_device_is_slow (gpu_stream_get_device (run->stream)) ? ns
      : ns / GPU_SPEED;
}

gboolean
gpu_palette_run_is_weighted (const GpuPaletteRun * run)
{
  return run->settings->weighting == GPU_PALETTE_FREQUENCY
      || run->settings->min_frequency > 1;
}

static void
count_submissions (GpuPaletteRun * run)
{
  guint n = gpu_stream_get_serial (run->stream) - run->first_serial;

  if (n == run->report->submissions)
    return;
  run->report->submissions = n;
  if (run->progress && run->n_left > 0)
    run->progress (run->n_colours - run->n_left, run->n_colours,
        run->progress_data);
}

gboolean
gpu_palette_run_submit (GpuPaletteRun * run, GError ** error)
{
  gboolean done = gpu_stream_go_on (run->stream, error);

  count_submissions (run);
  return done;
}

gboolean
gpu_palette_run_pace (GpuPaletteRun * run, const GpuCost * cost, guint64 units,
    GError ** error)
{
  gboolean done = gpu_stream_pace (run->stream, cost, units, error);

  count_submissions (run);
  return done;
}

/* Items of one dispatch, a multiple of a workgroup's. */
static guint
choose_slice (GpuPaletteRun * run, const GpuCost * cost)
{
  guint64 items = gpu_stream_get_dispatch_units (run->stream, cost);
  guint most =
      gpu_device_get_info (gpu_stream_get_device (run->stream))->max_groups[0];

  return run->tuning->slice ? run->tuning->slice
      : CLAMP (items / 256, 1, most) * 256;
}

/* --- rows --- */

/* Bytes of a buffer that a dispatch may be bound to. */
static gsize
part_limit (const GpuPaletteRun * run)
{
  return run->tuning->max_part ? run->tuning->max_part
      : gpu_device_get_info (gpu_stream_get_device (run->stream))->max_binding;
}

gboolean
gpu_palette_run_takes_parts (const GpuPaletteRun * run,
    const GpuPaletteRows * rows, GpuBuffer * const *buffers)
{
  return rows->width > 0
      && gpu_palette_rows_are_parts (rows, buffers, part_limit (run));
}

/* A dispatch of a slice: its own push constants, and parts of buffers where these
 * are bound by rows. */
typedef struct
{
  GpuDispatch dispatch;
  guint32 push[GPU_MAX_PUSH / 4];
  gboolean owns_buffers;
} Slice;

static gboolean
begin_slice (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPaletteRows * rows, const GpuPaletteRange * range, Slice * slice,
    GError ** error)
{
  *slice = (Slice) {
  .dispatch = *dispatch};
  slice->dispatch.push = slice->push;
  if (dispatch->push)
    memcpy (slice->push, dispatch->push,
        gpu_kernel_get_push_size (dispatch->kernel));
  slice->push[0] = range->first;
  slice->push[1] = range->end;
  if (rows->width == 0)
    return TRUE;
  slice->push[2] = 0;
  if (!gpu_palette_run_takes_parts (run, rows, dispatch->buffers))
    return TRUE;
  slice->push[2] = gpu_palette_rows_get_first (rows, range->first);
  slice->owns_buffers = gpu_palette_rows_take (rows, dispatch->buffers, range,
      part_limit (run), slice->dispatch.buffers, error);
  return slice->owns_buffers;
}

static void
end_slice (Slice * slice)
{
  for (guint i = 0; slice->owns_buffers && i < GPU_MAX_BINDINGS; i++)
    g_clear_pointer (&slice->dispatch.buffers[i], gpu_buffer_unref);
}

/* --- slices --- */

gboolean
gpu_palette_run_over_rows (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPaletteRows * rows, guint n, guint ns, GError ** error)
{
  const GpuCost cost = { dispatch->kernel, ns_on_device (run, ns) };
  guint most = gpu_palette_run_takes_parts (run, rows, dispatch->buffers)
      ? gpu_palette_rows_get_most (rows, part_limit (run)) : n;
  GpuPaletteRange range;
  Slice slice;

  for (range.first = 0; range.first < n; range.first = range.end) {
    guint of_slice = MIN (choose_slice (run, &cost), most);

    of_slice = MIN (n - range.first, of_slice);
    range.end = range.first + of_slice;
    if (!gpu_palette_run_pace (run, &cost, of_slice, error)
        || !begin_slice (run, dispatch, rows, &range, &slice, error))
      return FALSE;
    gpu_stream_measure (run->stream, &cost, of_slice);
    gpu_stream_dispatch (run->stream, &slice.dispatch, (of_slice + 255) / 256,
        1, 1);
    end_slice (&slice);
  }
  return TRUE;
}

gboolean
gpu_palette_run_sliced (GpuPaletteRun * run, const GpuDispatch * dispatch,
    guint n, guint ns, GError ** error)
{
  const GpuPaletteRows none = { 0 };

  return gpu_palette_run_over_rows (run, dispatch, &none, n, ns, error);
}

gboolean
gpu_palette_run_alone (GpuPaletteRun * run, const GpuDispatch * dispatch,
    guint64 n, guint ns, GError ** error)
{
  const GpuCost cost = { dispatch->kernel, ns_on_device (run, ns) };

  if (!gpu_palette_run_pace (run, &cost, n, error))
    return FALSE;
  gpu_stream_measure (run->stream, &cost, n);
  gpu_stream_dispatch (run->stream, dispatch, 1, 1, 1);
  return TRUE;
}

static GpuCost
cost_of_item (GpuPaletteRun * run, const GpuPaletteItems * items)
{
  return (GpuCost) {
  items->key, ns_on_device (run, items->ns), items->is_by_data};
}

void
gpu_palette_run_choose_slice (GpuPaletteRun * run, GpuPaletteItems * items)
{
  GpuCost cost = cost_of_item (run, items);
  const GpuPaletteRows *rows = &items->rows;
  guint slice = choose_slice (run, &cost);

  if ((gsize) rows->width * rows->height * 4 > part_limit (run))
    slice = MIN (slice, gpu_palette_rows_get_most (rows, part_limit (run)));
  items->slice = MAX (slice, (items->most / MAX_SLICES + 256) & ~255u);
}

gboolean
gpu_palette_run_indirect (GpuPaletteRun * run, const GpuDispatch * dispatch,
    const GpuPaletteItems * items, GpuPaletteGroups groups, GError ** error)
{
  GpuCost cost = cost_of_item (run, items);
  GpuPaletteRange range;
  Slice slice;

  for (range.first = 0; range.first < items->most; range.first = range.end) {
    guint of_slice;

    range.end = MIN (items->most - range.first, items->slice) + range.first;
    of_slice = CLAMP (items->bound, range.first, range.end) - range.first;
    if (!gpu_palette_run_pace (run, &cost, of_slice, error)
        || !begin_slice (run, dispatch, &items->rows, &range, &slice, error))
      return FALSE;
    if (items->key && of_slice > 0)
      gpu_stream_measure (run->stream, &cost, of_slice);
    gpu_stream_dispatch_indirect (run->stream, &slice.dispatch, groups.buffer,
        groups.offset);
    end_slice (&slice);
    groups.offset += 3 * sizeof (guint32);
  }
  return TRUE;
}

gboolean
gpu_palette_run_clear (GpuPaletteRun * run, GpuBuffer * buffer, gsize size,
    GError ** error)
{
  return gpu_palette_run_fill (run, buffer, size, 0, error);
}

gboolean
gpu_palette_run_fill (GpuPaletteRun * run, GpuBuffer * buffer, gsize size,
    guint32 word, GError ** error)
{
  const GpuCost cost = { "palette-clear", ns_on_device (run, NS_PER_BYTE) };
  gsize n;

  for (gsize at = 0; at < size; at += n) {
    n = gpu_stream_get_dispatch_units (run->stream, &cost) / 4 * 4 + 4;
    n = MIN (size - at, n);
    if (!gpu_palette_run_pace (run, &cost, n, error))
      return FALSE;
    gpu_stream_measure (run->stream, &cost, n);
    gpu_stream_fill (run->stream, buffer, at, n, word);
  }
  return TRUE;
}

guint
gpu_palette_run_converted (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? CONVERTED_CPU : 1;
}
