/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "run.h"

/* What any GPU is in comparison with a CPU, at least. */
#define GPU_SPEED 16

/* Of a fill, on two cores. */
#define NS_PER_BYTE 0.5

/* Of an item that takes @ns on two cores of a CPU. */
static gdouble
ns_on_device (GpuPaletteRun * run, gdouble ns)
{
  return gpu_device_is_slow (gpu_stream_get_device (run->stream)) ? ns
      : ns / GPU_SPEED;
}

guint
gpu_palette_least_frequency (const GpuPaletteSettings * settings)
{
  return MAX (settings->min_frequency, 1);
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
  run->report->submissions =
      gpu_stream_get_serial (run->stream) - run->first_serial;
}

gboolean
gpu_palette_run_submit (GpuPaletteRun * run, GError ** error)
{
  gboolean done = gpu_stream_submit (run->stream, NULL, error)
      && gpu_stream_wait_idle (run->stream, error)
      && gpu_stream_begin (run->stream, error);

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

gboolean
gpu_palette_run_sliced (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, guint n, guint ns, GError ** error)
{
  const GpuCost cost = { kernel, ns_on_device (run, ns) };

  for (guint first = 0, of_slice; first < n; first += of_slice) {
    of_slice = choose_slice (run, &cost);
    of_slice = MIN (n - first, of_slice);
    if (!gpu_palette_run_pace (run, &cost, of_slice, error))
      return FALSE;
    push[0] = first;
    push[1] = first + of_slice;
    gpu_stream_measure (run->stream, &cost, of_slice);
    gpu_stream_dispatch (run->stream, kernel, buffers, n_buffers, push,
        push_size, (of_slice + 255) / 256, 1, 1);
  }
  return TRUE;
}

gboolean
gpu_palette_run_alone (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint64 n, guint ns,
    GError ** error)
{
  const GpuCost cost = { kernel, ns_on_device (run, ns) };

  if (!gpu_palette_run_pace (run, &cost, n, error))
    return FALSE;
  gpu_stream_measure (run->stream, &cost, n);
  gpu_stream_dispatch (run->stream, kernel, buffers, n_buffers, NULL, 0, 1, 1,
      1);
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

  items->slice = MAX (choose_slice (run, &cost),
      (items->most / MAX_SLICES + 256) & ~255u);
}

gboolean
gpu_palette_run_indirect (GpuPaletteRun * run, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint32 * push,
    gsize push_size, const GpuPaletteItems * items, guint bound,
    GpuBuffer * groups, gsize groups_at, GError ** error)
{
  GpuCost cost = cost_of_item (run, items);

  for (guint first = 0; first < items->most; first += items->slice) {
    guint end = MIN (items->most - first, items->slice) + first;
    guint of_slice = CLAMP (bound, first, end) - first;

    if (!gpu_palette_run_pace (run, &cost, of_slice, error))
      return FALSE;
    push[0] = first;
    push[1] = end;
    if (items->key && of_slice > 0)
      gpu_stream_measure (run->stream, &cost, of_slice);
    gpu_stream_dispatch_indirect (run->stream, kernel, buffers, n_buffers,
        push, push_size, groups, groups_at);
    groups_at += 3 * sizeof (guint32);
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
