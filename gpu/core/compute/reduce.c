/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "reduce.h"
#include "shaders.h"
#include "shaders/core/shared.h"

struct _GpuReduce
{
  GpuKernel *kernel;
  GpuBuffer *levels[2];         /* results of one level, input of the next */
};

/* Nothing still takes a workgroup, which writes the neutral element. */
static guint
count_blocks (guint n)
{
  return MAX (n / REDUCE_BLOCK + (n % REDUCE_BLOCK > 0), 1);
}

GpuReduce *
gpu_reduce_new (GpuDevice * device, GpuReduceOperation operation, guint max_n,
    GError ** error)
{
  GpuReduce *reduce = g_new0 (GpuReduce, 1);
  guint32 constants[] = { operation };
  gboolean made;

  reduce->kernel =
      gpu_kernel_get (device, &gpu_shader_reduce, constants, 1, error);
  made = reduce->kernel != NULL;
  for (guint i = 0; made && i < 2; i++) {
    max_n = count_blocks (max_n);
    reduce->levels[i] = gpu_buffer_new (device, GPU_BUFFER_DEVICE,
        max_n * (gsize) 4, "reduce level", error);
    made = reduce->levels[i] != NULL;
  }
  if (!made)
    g_clear_pointer (&reduce, gpu_reduce_free);
  return reduce;
}

void
gpu_reduce_free (GpuReduce * reduce)
{
  for (guint i = 0; i < 2; i++)
    g_clear_pointer (&reduce->levels[i], gpu_buffer_unref);
  g_free (reduce);
}

void
gpu_reduce_record (GpuReduce * reduce, GpuStream * stream, GpuBuffer * from,
    guint n, GpuBuffer * to, guint to_word)
{
  for (guint level = 0;; level++) {
    guint blocks = count_blocks (n);
    gboolean last = blocks == 1;
    GpuBuffer *buffers[] = { from, last ? to : reduce->levels[level % 2] };
    guint32 push[] = { n, last ? to_word : 0 };

    gpu_stream_dispatch (stream, reduce->kernel, buffers, 2, push, sizeof push,
        blocks, 1, 1);
    if (last)
      return;
    gpu_stream_barrier (stream);
    from = buffers[1];
    n = blocks;
  }
}
