/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of GpuKernel, for use inside gpu/. */
#pragma once

#include "kernel.h"
#include <volk.h>

G_BEGIN_DECLS

struct _GpuKernel
{
  GpuDevice *device;            /* the owner */
  const GpuShader *shader;
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
  VkPipeline pipeline;
};

/* Like gpu_kernel_get(). @reason: reason of a build for the trace (trace.h); NULL: the
 * frame that this thread is recording, if any. */
GpuKernel *gpu_kernel_get_because (GpuDevice * device,
    const GpuShader * shader, const guint32 * constants, guint n_constants,
    const gchar * reason, GError ** error);

G_END_DECLS
