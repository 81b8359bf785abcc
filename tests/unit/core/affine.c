/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "affine.h"
#include "gpu_fixture.h"
#include "test_shaders.h"

GpuKernel *
affine_kernel_get (GpuDevice * device)
{
  return OK (gpu_kernel_get (device, &gpu_shader_affine, NULL, 0, &error));
}

void
affine_record (GpuStream * stream, GpuKernel * kernel, GpuBuffer * buffer,
    guint n, guint addend)
{
  const GpuDispatch affine = {
    .kernel = kernel,
    .buffers = {[AFFINE_WORDS] = buffer},
    .push = &(GpuAffinePush) {n, addend},
  };

  gpu_stream_dispatch (stream, &affine, (n + 63) / 64, 1, 1);
}

void
affine_record_indirect (GpuStream * stream, GpuKernel * kernel,
    GpuBuffer * buffer, guint n, guint addend, const AffineGroups * groups)
{
  const GpuDispatch affine = {
    .kernel = kernel,
    .buffers = {[AFFINE_WORDS] = buffer},
    .push = &(GpuAffinePush) {n, addend},
  };

  gpu_stream_dispatch_indirect (stream, &affine, groups->buffer,
      groups->offset);
}

guint32
affine_step (guint32 x, guint addend)
{
  return 3 * x + addend;
}
