/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "shaders/shader.h"
#include "vulkan.h"

G_BEGIN_DECLS

/* Builds a compute pipeline from @shader with the subgroup size of the device.
 * @constants: see gpu_kernel_request(). @cache may be VK_NULL_HANDLE. The caller owns
 * @pipeline, which is VK_NULL_HANDLE on failure. Thread safe. */
VkResult gpu_pipeline_create (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, VkPipelineCache cache,
    VkPipeline * pipeline);

G_END_DECLS
