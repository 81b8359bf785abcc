/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A kernel as the other files of gpu/ see it. */
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

G_END_DECLS
