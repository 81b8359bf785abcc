/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The descriptor sets of all kernels have one layout: as many storage buffers as a kernel may
 * have and, on a device that reads texels, as many uniform texel buffers with the same
 * content (shaders/texels.py). All pipelines are built here, so that those of a device have the
 * same layout and subgroup size. */
#pragma once

#include "shaders/shader.h"
#include "vulkan.h"

G_BEGIN_DECLS

/* The buffers of a descriptor set. */
typedef struct
{
  VkDescriptorBufferInfo buffers[GPU_MAX_BINDINGS];
  VkBufferView texels[GPU_MAX_BINDINGS];        /* views of the same bytes, if the device
                                                   reads texels: words or fours */
} GpuBindings;

/* Returns whether kernels should read texels, which Mesa's CPU device fetches faster than
 * words of storage buffers (docs/internals/design.md). FALSE if a binding can be larger than
 * a texel buffer. */
gboolean gpu_bindings_want_texels (const GpuDevice * device);

/* Creates the layouts of sets and pipelines of @device. Returns FALSE with @error set on
 * failure (OUT_OF_MEMORY, LOST, FAILED). */
gboolean gpu_bindings_create_layouts (GpuDevice * device, GError ** error);

/* Creates a pool for @n sets, which the caller owns, and allocates them from it. *@pool is
 * VK_NULL_HANDLE if it could not be created. */
VkResult gpu_bindings_allocate (GpuDevice * device, guint n,
    VkDescriptorPool * pool, VkDescriptorSet * sets);

/* Returns how buffers that kernels bind are used. */
VkBufferUsageFlags gpu_bindings_get_usage (const GpuDevice * device);

/* Texels of a buffer (GpuShader.fours). */
typedef enum
{
  GPU_TEXELS_WORDS,
  GPU_TEXELS_FOURS,
  GPU_N_TEXELS
} GpuTexels;

/* Creates a view of the @size bytes (whole words) of @buffer at @offset, as whole texels; if
 * these are less than a four, of words. If the device reads no texels, *@view is
 * VK_NULL_HANDLE. The caller owns it. */
VkResult gpu_bindings_create_view (GpuDevice * device, VkBuffer buffer,
    gsize offset, gsize size, GpuTexels texels, VkBufferView * view);

/* Lets @set have @bindings, all of which must be valid. */
void gpu_bindings_write (GpuDevice * device, VkDescriptorSet set,
    const GpuBindings * bindings);

/* Builds a compute pipeline from @shader with the subgroup size of the device.
 * @constants: see gpu_kernel_request(). @cache may be VK_NULL_HANDLE. The caller owns
 * @pipeline, which is VK_NULL_HANDLE on failure. Thread safe. */
VkResult gpu_pipeline_create (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, VkPipelineCache cache,
    VkPipeline * pipeline);

G_END_DECLS
