/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "repack.h"
#include "components.h"
#include "shaders.h"

gboolean
gpu_repack_request (GpuRepack * repack, GpuDevice * device, GpuPixels from,
    GpuPixels to, GpuKernelUrgency urgency, GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS];

  *repack = (GpuRepack) {.from = from, .to = to};
  for (guint i = 0; i < gpu_pixels_get_format (to)->n_planes; i++) {
    gpu_components_get_constants (from, to, i, constants);
    repack->kernels[i] = gpu_kernel_request (device, &gpu_shader_repack,
        constants, FORMAT_CONSTANTS, urgency, error);
    if (!repack->kernels[i])
      return FALSE;
  }
  return TRUE;
}

void
gpu_repack_record (const GpuRepack * repack, GpuStream * stream,
    const GpuFrame * in, const GpuFrame * out)
{
  const GpuSlicer slicer = {.stream = stream};

  gpu_stream_begin_disjoint (stream);
  for (guint i = 0; i < gpu_pixels_get_format (repack->to)->n_planes; i++) {
    const GpuDispatch dispatch = {
      .kernel = repack->kernels[i],
      .buffers = {[REPACK_INPUT] = in->buffer,[REPACK_OUTPUT] = out->buffer},
    };

    gpu_components_run (&slicer, &dispatch, &in->info, &out->info, i);
  }
  gpu_stream_end_disjoint (stream);
}
