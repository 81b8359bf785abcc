/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gpu_hooks.h"

static struct VolkDeviceTable driver;
static gint made, alive, allocations;

static VkResult
count (VkResult result, gint * counter, gint n)
{
  g_atomic_int_inc (&made);
  if (result == VK_SUCCESS)
    g_atomic_int_add (counter, n);
  return result;
}

/* *INDENT-OFF* */
/* What is made one by one. */
#define FOR_EACH_TYPE(DO) \
  DO (Buffer) DO (BufferView) DO (CommandPool) DO (DescriptorPool) \
  DO (DescriptorSetLayout) DO (Event) DO (Fence) DO (Framebuffer) DO (Image) \
  DO (ImageView) DO (PipelineLayout) DO (QueryPool) DO (RenderPass) \
  DO (Sampler) DO (Semaphore) DO (ShaderModule)

#define COUNT(Type) \
static VkResult VKAPI_CALL \
create_##Type (VkDevice device, const Vk##Type##CreateInfo * info, \
    const VkAllocationCallbacks * allocator, Vk##Type * handle) \
{ \
  return count (driver.vkCreate##Type (device, info, allocator, handle), \
      &alive, 1); \
} \
\
static void VKAPI_CALL \
destroy_##Type (VkDevice device, Vk##Type handle, \
    const VkAllocationCallbacks * allocator) \
{ \
  if (handle) \
    g_atomic_int_add (&alive, -1); \
  driver.vkDestroy##Type (device, handle, allocator); \
}

FOR_EACH_TYPE (COUNT)
/* *INDENT-ON* */

static VkResult VKAPI_CALL
create_pipelines (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  return count (driver.vkCreateComputePipelines (device, cache, n, infos,
          allocator, pipelines), &alive, 0);
}

static VkResult VKAPI_CALL
allocate_memory (VkDevice device, const VkMemoryAllocateInfo * info,
    const VkAllocationCallbacks * allocator, VkDeviceMemory * memory)
{
  return count (driver.vkAllocateMemory (device, info, allocator, memory),
      &allocations, 1);
}

static void VKAPI_CALL
free_memory (VkDevice device, VkDeviceMemory memory,
    const VkAllocationCallbacks * allocator)
{
  if (memory)
    g_atomic_int_add (&allocations, -1);
  driver.vkFreeMemory (device, memory, allocator);
}

/* Sets and command buffers go with their pools. */

static VkResult VKAPI_CALL
allocate_sets (VkDevice device, const VkDescriptorSetAllocateInfo * info,
    VkDescriptorSet * sets)
{
  return count (driver.vkAllocateDescriptorSets (device, info, sets), &alive,
      0);
}

static VkResult VKAPI_CALL
allocate_commands (VkDevice device, const VkCommandBufferAllocateInfo * info,
    VkCommandBuffer * commands)
{
  return count (driver.vkAllocateCommandBuffers (device, info, commands),
      &alive, 0);
}

void
gpu_hooks_install (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  driver = *vk;
  made = alive = allocations = 0;
#define INSTALL(Type) \
  vk->vkCreate##Type = create_##Type; \
  vk->vkDestroy##Type = destroy_##Type;
  FOR_EACH_TYPE (INSTALL);
  vk->vkCreateComputePipelines = create_pipelines;
  vk->vkAllocateMemory = allocate_memory;
  vk->vkFreeMemory = free_memory;
  vk->vkAllocateDescriptorSets = allocate_sets;
  vk->vkAllocateCommandBuffers = allocate_commands;
}

void
gpu_hooks_remove (GpuDevice * device)
{
  device->vk = driver;
}

const struct VolkDeviceTable *
gpu_hooks_get_driver (void)
{
  return &driver;
}

guint
gpu_hooks_get_made (void)
{
  return g_atomic_int_get (&made);
}

gint
gpu_hooks_get_alive (void)
{
  return g_atomic_int_get (&alive);
}

gint
gpu_hooks_get_allocations (void)
{
  return g_atomic_int_get (&allocations);
}
