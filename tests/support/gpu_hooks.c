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

/* Of buffers sizes count too. */
static struct
{
  GMutex lock;
  GHashTable *sizes;            /* guint64, by handle */
  guint64 sum;
} buffers;

static VkResult VKAPI_CALL
create_sized_buffer (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * handle)
{
  VkResult result = create_Buffer (device, info, allocator, handle);

  if (result == VK_SUCCESS) {
    g_mutex_lock (&buffers.lock);
    g_hash_table_insert (buffers.sizes, g_memdup2 (handle, 8),
        g_memdup2 (&info->size, 8));
    buffers.sum += info->size;
    g_mutex_unlock (&buffers.lock);
  }
  return result;
}

static void VKAPI_CALL
destroy_sized_buffer (VkDevice device, VkBuffer handle,
    const VkAllocationCallbacks * allocator)
{
  guint64 *size;

  g_mutex_lock (&buffers.lock);
  size = g_hash_table_lookup (buffers.sizes, &handle);
  if (size) {
    buffers.sum -= *size;
    g_hash_table_remove (buffers.sizes, &handle);
  }
  g_mutex_unlock (&buffers.lock);
  destroy_Buffer (device, handle, allocator);
}

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
gpu_hooks_begin (void)
{
  made = alive = allocations = 0;
  g_clear_pointer (&buffers.sizes, g_hash_table_unref);
  buffers.sizes = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free,
      g_free);
  buffers.sum = 0;
}

void
gpu_hooks_add (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  driver = *vk;
#define INSTALL(Type) \
  vk->vkCreate##Type = create_##Type; \
  vk->vkDestroy##Type = destroy_##Type;
  FOR_EACH_TYPE (INSTALL);
  vk->vkCreateBuffer = create_sized_buffer;
  vk->vkDestroyBuffer = destroy_sized_buffer;
  vk->vkCreateComputePipelines = create_pipelines;
  vk->vkAllocateMemory = allocate_memory;
  vk->vkFreeMemory = free_memory;
  vk->vkAllocateDescriptorSets = allocate_sets;
  vk->vkAllocateCommandBuffers = allocate_commands;
}

void
gpu_hooks_install (GpuDevice * device)
{
  gpu_hooks_begin ();
  gpu_hooks_add (device);
}

void
gpu_hooks_remove (GpuDevice * device)
{
  device->vk = driver;
  g_clear_pointer (&buffers.sizes, g_hash_table_unref);
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

guint64
gpu_hooks_get_buffer_bytes (void)
{
  return buffers.sum;
}

gint
gpu_hooks_get_allocations (void)
{
  return g_atomic_int_get (&allocations);
}

/* --- when kernels are built --- */

static GMutex no_building;      /* held: no pipeline is built */
static PFN_vkCreateComputePipelines build_pipelines;

static VkResult VKAPI_CALL
build_when_allowed (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  VkResult result;

  g_mutex_lock (&no_building);
  result = build_pipelines (device, cache, n, infos, allocator, pipelines);
  g_mutex_unlock (&no_building);
  return result;
}

void
gpu_hooks_watch_builds (GpuDevice * device)
{
  build_pipelines = device->vk.vkCreateComputePipelines;
  device->vk.vkCreateComputePipelines = build_when_allowed;
}

void
gpu_hooks_hold_builds (void)
{
  g_mutex_lock (&no_building);
}

void
gpu_hooks_allow_builds (void)
{
  g_mutex_unlock (&no_building);
}

void
gpu_hooks_leave_builds (GpuDevice * device)
{
  device->vk.vkCreateComputePipelines = build_pipelines;
}
