/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Exclusive prefix sums modulo 2^32 over buffers of words, by
 * reduce-then-scan: no workgroup waits for another (Merrill and Grimshaw,
 * "Parallel scan for stream architectures", 2009). */
typedef struct _GpuScan GpuScan;

/* Builds the pipelines and scratch space for up to @max_n words. NULL with
 * @error set on failure. */
GpuScan *gpu_scan_new (GpuDevice * device, guint max_n, GError ** error);
void gpu_scan_free (GpuScan * scan);

/* Bytes of the scratch space. */
gsize gpu_scan_get_memory (GpuScan * scan);

/* Records: @to[i] = sum of @from[0…i-1] for i < @n; @n is at most max_n and
 * may be 0. @to may be @from. Barriers come between the parts, none before
 * the first and none after the last. Submits in between where it would take too
 * long; fails as gpu_stream_pace() does. */
gboolean gpu_scan_record (GpuScan * scan, GpuStream * stream,
    GpuBuffer * from, GpuBuffer * to, guint n, GError ** error);

/* Where, after a scan of @n words, the sum of all of them lies: a word of a
 * buffer that @scan owns. Returns the offset in bytes. */
gsize gpu_scan_get_total (GpuScan * scan, guint n, GpuBuffer ** buffer);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuScan, gpu_scan_free)

G_END_DECLS
