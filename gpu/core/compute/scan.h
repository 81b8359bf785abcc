/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Computes exclusive prefix sums modulo 2^32 over buffers of words. The method is
 * reduce-then-scan, in which no workgroup waits for another (Merrill and Grimshaw,
 * "Parallel scan for stream architectures", 2009). */
typedef struct _GpuScan GpuScan;

/* Requests the kernels and allocates scratch space for up to @max_n words (> 0). Returns
 * NULL with @error set on failure. */
GpuScan *gpu_scan_new (GpuDevice * device, guint max_n, GError ** error);
void gpu_scan_free (GpuScan * scan);

/* Returns the size of the scratch space in bytes. */
gsize gpu_scan_get_memory (GpuScan * scan);

/* Records @to[i] = sum of @from[0…i-1] for i < @n. @n is at most max_n and may be 0.
 * @to may be @from. May submit in between to keep submissions short. */
void gpu_scan_record (GpuScan * scan, GpuStream * stream,
    GpuBuffer * from, GpuBuffer * to, guint n);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuScan, gpu_scan_free)

G_END_DECLS
