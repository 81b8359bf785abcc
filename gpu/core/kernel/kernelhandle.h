/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The members of GpuKernel, for use inside gpu/. */
#pragma once

#include "kernel.h"
#include <volk.h>

G_BEGIN_DECLS

typedef enum
{
  GPU_KERNEL_WAITING,           /* for a thread */
  GPU_KERNEL_IN_PROGRESS,
  GPU_KERNEL_BUILT,
  GPU_KERNEL_FAILED,
} GpuKernelState;

struct _GpuKernel
{
  GpuDevice *device;            /* the owner */
  const GpuShader *shader;
  guint32 constants[GPU_MAX_CONSTANTS];
  guint n_constants;
  gint state;                   /* atomic: GpuKernelState; changed under the lock of
                                   kernels.c */
  VkPipeline pipeline;          /* does not change once it is built */
  gboolean is_urgent;           /* requested or waited for to be built soon */
  gint64 usable_from;           /* built, but not compiled before this time: see
                                   rehearsal.h. Like pipeline, written by the thread that
                                   builds it, and read once it is built */
  GError *failure;              /* of the last build, if it failed */
};

G_END_DECLS
