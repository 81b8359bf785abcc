/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "shaders/shader.h"
#include "vulkan.h"

G_BEGIN_DECLS

/* Builds @shader with the subgroup size that the device requires; @constants as of
 * gpu_kernel_get(). @cache may be null. The caller owns @pipeline, which is null on
 * failure. Thread safe. */
VkResult gpu_pipeline_create (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, VkPipelineCache cache,
    VkPipeline * pipeline);

G_END_DECLS
