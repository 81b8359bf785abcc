/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/stream/stream.h"

G_BEGIN_DECLS

/* Parallel reduction of buffers of words to one word: a tree of workgroups,
 * so the result is the same whatever order they run in. */
typedef struct _GpuReduce GpuReduce;

typedef enum
{
  GPU_REDUCE_SUM,               /* modulo 2^32; of nothing: 0 */
  GPU_REDUCE_MINIMUM,           /* unsigned; of nothing: 2^32 - 1 */
  GPU_REDUCE_MAXIMUM,           /* unsigned; of nothing: 0 */
} GpuReduceOperation;

/* Builds the pipeline and scratch space for up to @max_n words. NULL with
 * @error set on failure. */
GpuReduce *gpu_reduce_new (GpuDevice * device, GpuReduceOperation operation,
    guint max_n, GError ** error);
void gpu_reduce_free (GpuReduce * reduce);

/* Records: word @to_word of @to becomes the reduction of the first @n words
 * of @from; @n is at most max_n and may be 0. Barriers come between the
 * parts, none before the first and none after the last. */
void gpu_reduce_record (GpuReduce * reduce, GpuStream * stream,
    GpuBuffer * from, guint n, GpuBuffer * to, guint to_word);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuReduce, gpu_reduce_free)

G_END_DECLS
