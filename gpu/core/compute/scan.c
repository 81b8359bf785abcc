/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "scan.h"
#include "slicer.h"
#include "shaders.h"
#include "shaders/core/shared.h"

/* Both kernels are given a GpuScanApplyPush. */
G_STATIC_ASSERT (sizeof (GpuScanApplyPush) == sizeof (GpuScanTotalsPush));

struct _GpuScan
{
  guint max_groups;             /* maximum number of workgroups per dispatch */
  GpuBuffer *totals;
  GpuKernel *sum_blocks, *scan_sums, *apply;
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
  const GpuKernelWanted kernels[] = {
    {&scan->sum_blocks, &gpu_shader_scan_totals},
    {&scan->scan_sums, &gpu_shader_scan_blocks},
    {&scan->apply, &gpu_shader_scan_apply},
  };

  scan->max_groups = gpu_device_get_info (device)->max_groups[0];
  scan->totals = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
      count_blocks (max_n) * (gsize) 4, "scan totals", error);
  if (!scan->totals
      || !gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels),
          GPU_KERNEL_SOON, error))
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

/* Records @dispatch over all blocks of @n words, in slices with their own push constants. */
static void
record_blocks (GpuScan * scan, GpuStream * stream, GpuDispatch dispatch,
    guint n, gboolean is_in_place)
{
  GpuPieces pieces = {
    .work = dispatch.kernel,
    .units = SCAN_BLOCK,
    .n = count_blocks (n),
    .step = 1,
    .most = scan->max_groups,
    .is_in_place = is_in_place,
  };

  while (gpu_pieces_next (&pieces, stream)) {
    const GpuScanApplyPush push = { n, pieces.first };

    dispatch.push = &push;
    gpu_stream_dispatch (stream, &dispatch, pieces.end - pieces.first, 1, 1);
  }
}

void
gpu_scan_record (GpuScan * scan, GpuStream * stream, GpuBuffer * from,
    GpuBuffer * to, guint n)
{
  const GpuDispatch sum_blocks = {
    .kernel = scan->sum_blocks,
    .buffers = {
      [SCAN_TOTALS_INPUT] = from,
      [SCAN_TOTALS_TOTALS] = scan->totals,
    },
  };
  const GpuDispatch scan_sums = {
    .kernel = scan->scan_sums,
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

  record_blocks (scan, stream, sum_blocks, n, FALSE);
  gpu_stream_dispatch (stream, &scan_sums, 1, 1, 1);
  record_blocks (scan, stream, apply, n, from == to);
}
