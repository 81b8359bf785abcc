/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scan.h"
#include "shaders.h"

/* Words of one workgroup: scan.glsl has the same number. */
#define BLOCK 4096

struct _GpuScan
{
  GpuBuffer *totals;
  GpuKernel *reduce, *scan_totals, *apply;
};

static guint
count_blocks (guint n)
{
  return n / BLOCK + (n % BLOCK > 0);
}

GpuScan *
gpu_scan_new (GpuDevice * device, GpuScanKind kind, guint max_n,
    GError ** error)
{
  GpuScan *scan = g_new0 (GpuScan, 1);
  guint32 constants[] = { kind == GPU_SCAN_BITS };

  scan->totals = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      (count_blocks (max_n) + (gsize) 1) * 4, "scan totals", error);
  if (scan->totals)
    scan->reduce = gpu_kernel_new (device, &gpu_shader_scan_totals, constants,
        1, error);
  if (scan->reduce)
    scan->scan_totals = gpu_kernel_new (device, &gpu_shader_scan_blocks,
        constants, 1, error);
  if (scan->scan_totals)
    scan->apply = gpu_kernel_new (device, &gpu_shader_scan_apply, constants,
        1, error);
  if (!scan->apply)
    g_clear_pointer (&scan, gpu_scan_free);
  return scan;
}

void
gpu_scan_free (GpuScan * scan)
{
  g_clear_pointer (&scan->totals, gpu_buffer_unref);
  g_clear_pointer (&scan->reduce, gpu_kernel_unref);
  g_clear_pointer (&scan->scan_totals, gpu_kernel_unref);
  g_clear_pointer (&scan->apply, gpu_kernel_unref);
  g_free (scan);
}

void
gpu_scan_record (GpuScan * scan, GpuStream * stream, GpuBuffer * from,
    GpuBuffer * to, guint n)
{
  guint blocks = count_blocks (n);
  GpuBuffer *reduced[] = { from, scan->totals };
  GpuBuffer *applied[] = { from, to, scan->totals };

  gpu_stream_dispatch (stream, scan->reduce, reduced, 2, &n, sizeof n, blocks,
      1, 1);
  gpu_stream_barrier (stream);
  gpu_stream_dispatch (stream, scan->scan_totals, &scan->totals, 1, &n,
      sizeof n, 1, 1, 1);
  gpu_stream_barrier (stream);
  gpu_stream_dispatch (stream, scan->apply, applied, 3, &n, sizeof n, blocks,
      1, 1);
}

gsize
gpu_scan_get_total (GpuScan * scan, guint n, GpuBuffer ** buffer)
{
  *buffer = scan->totals;
  return count_blocks (n) * (gsize) 4;
}
