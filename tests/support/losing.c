/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "losing.h"

#include "gpu_hooks.h"

/* One for all devices: those below it tell them apart by their handles. */
static struct VolkDeviceTable next;
static void (*edit_next) (GpuDevice * device);

static GMutex lock;             /* of all below */
static GHashTable *devices;     /* VkDevice, by each handle of it that is called */
static GHashTable *lost;        /* of VkDevice */
static GThread *caller;         /* whose calls count; NULL: those of all threads do */
static guint left, losses, alive;
static gboolean has_lost;

/* What it was given before is done: who hears of the loss frees what that uses. */
static void
lose (gpointer device)
{
  next.vkDeviceWaitIdle (device);
  g_hash_table_add (lost, device);
  losses++;
  has_lost = TRUE;
}

/* With the lock held. @handle: a device, its queues, or a command buffer of its. */
static gboolean
fails (gpointer handle)
{
  gpointer device = g_hash_table_lookup (devices, handle);

  if (g_hash_table_contains (lost, device))
    return TRUE;
  if (left == 0 || (caller && caller != g_thread_self ()) || --left > 0)
    return FALSE;
  lose (device);
  return TRUE;
}

/* *INDENT-OFF* */
#define ARGS(...) (__VA_ARGS__)

/* Name, parameters, and arguments, of which the first is the handle. The lock is held
 * meanwhile, so that nothing is submitted to a device that is being lost. These have no
 * result that says so, but the next ones do. */
#define FOR_EACH_CALL(DO) \
  DO (BindBufferMemory, ARGS (VkDevice device, VkBuffer buffer, \
      VkDeviceMemory memory, VkDeviceSize offset), \
      device, buffer, memory, offset) \
  DO (MapMemory, ARGS (VkDevice device, VkDeviceMemory memory, \
      VkDeviceSize offset, VkDeviceSize size, VkMemoryMapFlags flags, \
      void **data), device, memory, offset, size, flags, data) \
  DO (FlushMappedMemoryRanges, ARGS (VkDevice device, uint32_t n, \
      const VkMappedMemoryRange *ranges), device, n, ranges) \
  DO (InvalidateMappedMemoryRanges, ARGS (VkDevice device, uint32_t n, \
      const VkMappedMemoryRange *ranges), device, n, ranges) \
  DO (CreateComputePipelines, ARGS (VkDevice device, VkPipelineCache cache, \
      uint32_t n, const VkComputePipelineCreateInfo *infos, \
      const VkAllocationCallbacks *allocator, VkPipeline *pipelines), \
      device, cache, n, infos, allocator, pipelines) \
  DO (GetPipelineCacheData, ARGS (VkDevice device, VkPipelineCache cache, \
      size_t *size, void *data), device, cache, size, data) \
  DO (MergePipelineCaches, ARGS (VkDevice device, VkPipelineCache cache, \
      uint32_t n, const VkPipelineCache *caches), device, cache, n, caches) \
  DO (AllocateDescriptorSets, ARGS (VkDevice device, \
      const VkDescriptorSetAllocateInfo *info, VkDescriptorSet *sets), \
      device, info, sets) \
  DO (ResetCommandPool, ARGS (VkDevice device, VkCommandPool pool, \
      VkCommandPoolResetFlags flags), device, pool, flags) \
  DO (BeginCommandBuffer, ARGS (VkCommandBuffer commands, \
      const VkCommandBufferBeginInfo *info), commands, info) \
  DO (EndCommandBuffer, ARGS (VkCommandBuffer commands), commands) \
  DO (ResetFences, ARGS (VkDevice device, uint32_t n, const VkFence *fences), \
      device, n, fences)

#define FOR_EACH_TELLING_CALL(DO) \
  DO (GetFenceStatus, ARGS (VkDevice device, VkFence fence), device, fence) \
  DO (GetQueryPoolResults, ARGS (VkDevice device, VkQueryPool pool, \
      uint32_t first, uint32_t n, size_t size, void *data, \
      VkDeviceSize stride, VkQueryResultFlags flags), \
      device, pool, first, n, size, data, stride, flags) \
  DO (QueueSubmit, ARGS (VkQueue queue, uint32_t n, \
      const VkSubmitInfo *infos, VkFence fence), queue, n, infos, fence)

#define FOR_EACH_TYPE(DO) \
  DO (Buffer) DO (CommandPool) DO (DescriptorPool) DO (DescriptorSetLayout) \
  DO (Fence) DO (PipelineCache) DO (PipelineLayout) DO (QueryPool) \
  DO (Semaphore) DO (ShaderModule)

#define FIRST(first, ...) first
#define DEFINE(Name, failure, parameters, ...) \
static VkResult VKAPI_CALL \
call_##Name parameters \
{ \
  VkResult result = failure; \
\
  g_mutex_lock (&lock); \
  if (!fails (FIRST (__VA_ARGS__, ))) \
    result = next.vk##Name (__VA_ARGS__); \
  g_mutex_unlock (&lock); \
  return result; \
}

#define DEFINE_CALL(Name, parameters, ...) \
  DEFINE (Name, VK_ERROR_OUT_OF_DEVICE_MEMORY, parameters, __VA_ARGS__)
#define DEFINE_TELLING_CALL(Name, parameters, ...) \
  DEFINE (Name, VK_ERROR_DEVICE_LOST, parameters, __VA_ARGS__)
FOR_EACH_CALL (DEFINE_CALL)
FOR_EACH_TELLING_CALL (DEFINE_TELLING_CALL)

#define DEFINE_CREATE(Type) \
DEFINE_CALL (Create##Type, ARGS (VkDevice device, \
    const Vk##Type##CreateInfo *info, const VkAllocationCallbacks *allocator, \
    Vk##Type *handle), device, info, allocator, handle)
FOR_EACH_TYPE (DEFINE_CREATE)

DEFINE_CALL (AllocateMemory, ARGS (VkDevice device, \
    const VkMemoryAllocateInfo *info, const VkAllocationCallbacks *allocator, \
    VkDeviceMemory *memory), device, info, allocator, memory)
/* *INDENT-ON* */

static VkResult VKAPI_CALL
allocate_commands (VkDevice device, const VkCommandBufferAllocateInfo * info,
    VkCommandBuffer * commands)
{
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;

  g_mutex_lock (&lock);
  if (!fails (device))
    result = next.vkAllocateCommandBuffers (device, info, commands);
  for (guint i = 0; result == VK_SUCCESS && i < info->commandBufferCount; i++)
    g_hash_table_insert (devices, commands[i], device);
  g_mutex_unlock (&lock);
  return result;
}

/* Others submit meanwhile. */
static VkResult VKAPI_CALL
wait_for_fences (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  VkResult result;
  gboolean is_lost;

  g_mutex_lock (&lock);
  is_lost = fails (device);
  g_mutex_unlock (&lock);
  if (is_lost)
    return VK_ERROR_DEVICE_LOST;
  result = next.vkWaitForFences (device, n, fences, all, timeout);
  g_mutex_lock (&lock);
  is_lost = g_hash_table_contains (lost, device);
  g_mutex_unlock (&lock);
  return is_lost ? VK_ERROR_DEVICE_LOST : result;
}

static gboolean
is_of (gpointer handle, gpointer owner, gpointer device)
{
  return owner == device;
}

static void VKAPI_CALL
destroy_device (VkDevice device, const VkAllocationCallbacks * allocator)
{
  g_mutex_lock (&lock);
  g_hash_table_foreach_remove (devices, is_of, device);
  g_hash_table_remove (lost, device);
  alive--;
  g_mutex_unlock (&lock);
  next.vkDestroyDevice (device, allocator);
}

static void
make_losable (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  if (edit_next)
    edit_next (device);
  gpu_hooks_add (device);
  g_mutex_lock (&lock);
  next = *vk;
  g_hash_table_insert (devices, device->device, device->device);
  g_hash_table_insert (devices, device->queue, device->device);
  if (device->upload_queue) {
    g_hash_table_insert (devices, device->upload_queue, device->device);
    g_hash_table_insert (devices, device->download_queue, device->device);
  }
  /* Others destroy one that was adopted, and another may have its handle then. */
  g_hash_table_remove (lost, device->device);
  alive += !device->foreign.device;
  g_mutex_unlock (&lock);
#define INSTALL(Name, ...) vk->vk##Name = call_##Name;
#define INSTALL_CREATE(Type) INSTALL (Create##Type)
  FOR_EACH_CALL (INSTALL);
  FOR_EACH_TELLING_CALL (INSTALL);
  FOR_EACH_TYPE (INSTALL_CREATE);
  INSTALL (AllocateMemory);
  vk->vkAllocateCommandBuffers = allocate_commands;
  vk->vkWaitForFences = wait_for_fences;
  vk->vkDestroyDevice = destroy_device;
}

void
losing_begin (void)
{
  edit_next = gpu_device_edit;
  gpu_device_edit = make_losable;
  devices = g_hash_table_new (NULL, NULL);
  lost = g_hash_table_new (NULL, NULL);
  left = losses = 0;
  gpu_hooks_begin ();
}

void
losing_end (void)
{
  g_assert_cmpuint (alive, ==, 0);
  g_assert_cmpint (gpu_hooks_get_alive (), ==, 0);
  g_assert_cmpint (gpu_hooks_get_allocations (), ==, 0);
  gpu_device_edit = edit_next;
  g_clear_pointer (&devices, g_hash_table_unref);
  g_clear_pointer (&lost, g_hash_table_unref);
}

static void
choose_call (GThread * thread, guint call)
{
  g_mutex_lock (&lock);
  caller = thread;
  left = call;
  has_lost = FALSE;
  g_mutex_unlock (&lock);
}

void
losing_at (guint call)
{
  choose_call (NULL, call);
}

void
losing_here (void)
{
  choose_call (g_thread_self (), 1);
}

gboolean
losing_has_lost (void)
{
  gboolean answer;

  g_mutex_lock (&lock);
  answer = has_lost;
  g_mutex_unlock (&lock);
  return answer;
}

guint
losing_get_losses (void)
{
  guint n;

  g_mutex_lock (&lock);
  n = losses;
  g_mutex_unlock (&lock);
  return n;
}
