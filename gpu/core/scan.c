/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scan.h"
#include "shaders.h"
#include "shaders/common/shared.h"

/* Blocks of one dispatch on a CPU: some 20 ms on two cores. */
#define SLICE_CPU 256
#define NS_PER_WORD 20

struct _GpuScan
{
  guint slice;                  /* blocks of one dispatch */
  GpuBuffer *totals;
  GpuKernel *reduce, *scan_totals, *apply;
};

static guint
count_blocks (guint n)
{
  return n / SCAN_BLOCK + (n % SCAN_BLOCK > 0);
}

GpuScan *
gpu_scan_new (GpuDevice * device, GpuScanKind kind, guint max_n,
    GError ** error)
{
  GpuScan *scan = g_new0 (GpuScan, 1);
  guint32 constants[] = { kind == GPU_SCAN_BITS };

  scan->slice = gpu_device_is_slow (device)
      ? SLICE_CPU : count_blocks (G_MAXUINT32);
  scan->totals = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      (count_blocks (max_n) + (gsize) 1) * 4, "scan totals", error);
  if (scan->totals)
    scan->reduce = gpu_kernel_get (device, &gpu_shader_scan_totals, constants,
        1, error);
  if (scan->reduce)
    scan->scan_totals = gpu_kernel_get (device, &gpu_shader_scan_blocks,
        constants, 1, error);
  if (scan->scan_totals)
    scan->apply = gpu_kernel_get (device, &gpu_shader_scan_apply, constants,
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

/* @kernel over all blocks of @n words. In place, one dispatch reads the buffer
 * that another writes; that they mean different blocks nobody can see. */
static void
record_blocks (GpuScan * scan, GpuStream * stream, GpuKernel * kernel,
    GpuBuffer * const *buffers, guint n_buffers, guint n)
{
  guint blocks = count_blocks (n);

  for (guint first = 0; first < blocks; first += scan->slice) {
    guint32 push[] = { n, first };

    if (first > 0)
      gpu_stream_barrier (stream);
    gpu_stream_dispatch (stream, kernel, buffers, n_buffers, push,
        sizeof push, MIN (blocks - first, scan->slice), 1, 1);
  }
}

void
gpu_scan_record (GpuScan * scan, GpuStream * stream, GpuBuffer * from,
    GpuBuffer * to, guint n)
{
  GpuBuffer *reduced[] = { from, scan->totals };
  GpuBuffer *applied[] = { from, to, scan->totals };
  guint32 push[] = { n, 0 };

  record_blocks (scan, stream, scan->reduce, reduced, 2, n);
  gpu_stream_barrier (stream);
  gpu_stream_dispatch (stream, scan->scan_totals, &scan->totals, 1, push,
      sizeof push, 1, 1, 1);
  gpu_stream_barrier (stream);
  record_blocks (scan, stream, scan->apply, applied, 3, n);
}

guint64
gpu_scan_estimate_ns (guint n)
{
  return (guint64) n *NS_PER_WORD;
}

gsize
gpu_scan_get_total (GpuScan * scan, guint n, GpuBuffer ** buffer)
{
  *buffer = scan->totals;
  return count_blocks (n) * (gsize) 4;
}
