/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scan.h"
#include "shaders.h"
#include "shaders/core/shared.h"

/* *INDENT-OFF* */
/* The same push constants. */
G_STATIC_ASSERT (sizeof (GpuScanApplyPush) == sizeof (GpuScanTotalsPush));
/* *INDENT-ON* */

/* Of a word, in either of two passes: on two cores of a CPU, on slow GPUs. */
#define WORD_NS_CPU 20
#define WORD_NS_GPU 1

struct _GpuScan
{
  gdouble word_ns;              /* as far as one knows at first */
  guint max_groups;             /* of one dispatch */
  GpuBuffer *totals;
  GpuKernel *reduce, *scan_totals, *apply;
};

static guint
count_blocks (guint n)
{
  return n / SCAN_BLOCK + (n % SCAN_BLOCK > 0);
}

GpuScan *
gpu_scan_new (GpuDevice * device, guint max_n, GError ** error)
{
  GpuScan *scan = g_new0 (GpuScan, 1);
  /* At a barrier a CPU switches between all threads. */
  guint32 per_thread = gpu_device_is_slow (device) ? 16 : 4;

  scan->word_ns = gpu_device_is_slow (device) ? WORD_NS_CPU : WORD_NS_GPU;
  scan->max_groups = gpu_device_get_info (device)->max_groups[0];
  scan->totals = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      (count_blocks (max_n) + (gsize) 1) * 4, "scan totals", error);
  if (scan->totals)
    scan->reduce = gpu_kernel_get (device, &gpu_shader_scan_totals, &per_thread,
        1, error);
  if (scan->reduce)
    scan->scan_totals = gpu_kernel_get (device, &gpu_shader_scan_blocks,
        &per_thread, 1, error);
  if (scan->scan_totals)
    scan->apply = gpu_kernel_get (device, &gpu_shader_scan_apply, &per_thread,
        1, error);
  if (!scan->apply)
    g_clear_pointer (&scan, gpu_scan_free);
  return scan;
}

void
gpu_scan_free (GpuScan * scan)
{
  g_clear_pointer (&scan->totals, gpu_buffer_unref);
  g_free (scan);
}

gsize
gpu_scan_get_memory (GpuScan * scan)
{
  return gpu_buffer_get_size (scan->totals);
}

/* Records @dispatch, with push constants of each slice, over all blocks of @n words.
 * In place, one dispatch reads other blocks of the buffer that another one writes. Vulkan
 * knows of buffers, not of blocks: hence the barrier. */
static gboolean
record_blocks (GpuScan * scan, GpuStream * stream, GpuDispatch dispatch,
    guint n, GError ** error)
{
  const GpuCost cost = { dispatch.kernel, scan->word_ns };
  guint blocks = count_blocks (n);

  for (guint first = 0, slice; first < blocks; first += slice) {
    guint64 most = gpu_stream_get_dispatch_units (stream, &cost) / SCAN_BLOCK;
    const GpuScanApplyPush push = { n, first };

    slice = MIN (CLAMP (most, 1, scan->max_groups), blocks - first);
    if (!gpu_stream_pace (stream, &cost, (guint64) slice * SCAN_BLOCK, error))
      return FALSE;
    if (first > 0)
      gpu_stream_barrier (stream);
    gpu_stream_measure (stream, &cost, (guint64) slice * SCAN_BLOCK);
    dispatch.push = &push;
    gpu_stream_dispatch (stream, &dispatch, slice, 1, 1);
  }
  return TRUE;
}

gboolean
gpu_scan_record (GpuScan * scan, GpuStream * stream, GpuBuffer * from,
    GpuBuffer * to, guint n, GError ** error)
{
  const GpuDispatch reduce = {
    .kernel = scan->reduce,
    .buffers = {
          [SCAN_TOTALS_INPUT] = from,
          [SCAN_TOTALS_TOTALS] = scan->totals,
        },
  };
  const GpuDispatch scan_totals = {
    .kernel = scan->scan_totals,
    .buffers = {[SCAN_BLOCKS_TOTALS] = scan->totals},
    .push = &(GpuScanBlocksPush) {n, 0},
  };
  const GpuDispatch apply = {
    .kernel = scan->apply,
    .buffers = {
          [SCAN_APPLY_INPUT] = from,
          [SCAN_APPLY_OUTPUT] = to,
          [SCAN_APPLY_TOTALS] = scan->totals,
        },
  };

  if (!record_blocks (scan, stream, reduce, n, error))
    return FALSE;
  gpu_stream_barrier (stream);
  gpu_stream_dispatch (stream, &scan_totals, 1, 1, 1);
  gpu_stream_barrier (stream);
  return record_blocks (scan, stream, apply, n, error);
}

gsize
gpu_scan_get_total (GpuScan * scan, guint n, GpuBuffer ** buffer)
{
  *buffer = scan->totals;
  return count_blocks (n) * (gsize) 4;
}
