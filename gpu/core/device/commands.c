/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "commands.h"
#include "bindings.h"
#include "process.h"
#include "trace.h"

#include <string.h>
#ifdef __linux__
#include <unistd.h>
#endif

static void
name_objects (const GpuCommands * commands, GpuDevice * device,
    const gchar * name)
{
  gpu_device_name_object (device, VK_OBJECT_TYPE_COMMAND_BUFFER,
      (guint64) (gsize) commands->buffer, name);
  gpu_device_name_object (device, VK_OBJECT_TYPE_FENCE,
      (guint64) commands->fence, name);
  gpu_device_name_object (device, VK_OBJECT_TYPE_COMMAND_POOL,
      (guint64) commands->pool, name);
}

gboolean
gpu_commands_init (GpuCommands * commands, GpuDevice * device,
    const gchar * name, GError ** error)
{
  struct VolkDeviceTable *vk = &device->vk;
  VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .queueFamilyIndex = device->queue_family,
  };
  VkCommandBufferAllocateInfo buffer = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 1,
  };
  VkFenceCreateInfo fence = {
    .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
  };

  if (!gpu_device_check (device, vk->vkCreateCommandPool (device->device,
              &pool, NULL, &commands->pool), name, error))
    return FALSE;
  buffer.commandPool = commands->pool;
  if (!gpu_device_check (device, vk->vkAllocateCommandBuffers (device->device,
              &buffer, &commands->buffer), name, error)
      || !gpu_device_check (device, vk->vkCreateFence (device->device, &fence,
              NULL, &commands->fence), name, error))
    return FALSE;
  name_objects (commands, device, name);
  return TRUE;
}

void
gpu_commands_clear (GpuCommands * commands, GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  vk->vkDestroyFence (device->device, commands->fence, NULL);
  vk->vkDestroyCommandPool (device->device, commands->pool, NULL);
}

VkResult
gpu_commands_begin (GpuCommands * commands, GpuDevice * device)
{
  VkCommandBufferBeginInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  VkResult result =
      device->vk.vkResetCommandPool (device->device, commands->pool, 0);

  return result ? result : device->vk.vkBeginCommandBuffer (commands->buffer,
      &info);
}

/* --- devices that hang --- */

/* Submissions are far shorter than a second, so a device that finishes nothing for ten
 * seconds hangs. A busy CPU device gets a minute of CPU time, and at least a minute of
 * real time: its first submissions include compilation. */
#define MAX_IDLE_LOOKS 100
#define MAX_LOOKS 600
#define MAX_WORKED (60 * 4)

#ifdef __linux__
/* @thread: the name of its folder. */
static gboolean
is_runnable (const gchar * thread)
{
  g_autofree gchar *path = g_build_filename ("/proc/self/task", thread, "stat",
      NULL);
  g_autofree gchar *stat = NULL;
  const gchar *name_end;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return FALSE;
  name_end = strrchr (stat, ')');
  return name_end && g_str_has_prefix (name_end, ") R");
}
#endif

/* Whether another thread of this process runs, or waits for a core that others use. */
static gboolean
others_are_runnable (void)
{
  gboolean found = FALSE;
#ifdef __linux__
  g_autofree gchar *own = g_strdup_printf ("%d", (int) gettid ());
  g_autoptr (GDir) threads = g_dir_open ("/proc/self/task", 0, NULL);
  const gchar *thread;

  while (!found && threads && (thread = g_dir_read_name (threads)))
    found = !g_str_equal (thread, own) && is_runnable (thread);
#endif
  return found;
}

/* A CPU device counts as busy while this process uses CPU time: it may compile a shader,
 * and other processes may share its cores. Other work of the process also uses CPU time,
 * hence the limit MAX_WORKED. A process that others leave no CPU time is not idle either. */
gboolean
gpu_hang_timeout_is_over (GpuHangTimeout * timeout, GpuDevice * device,
    guint done)
{
  gboolean is_cpu = device->info.kind == GPU_DEVICE_CPU;
  clock_t worked = is_cpu ? clock () / (CLOCKS_PER_SEC / 4) : 0;

  if (done != timeout->done || timeout->looks == 0) {
    timeout->looks = timeout->idle_looks = 0;
    timeout->worked_before = worked;
  }
  if (worked != timeout->worked)
    timeout->idle_looks = 0;
  timeout->done = done;
  timeout->worked = worked;
  if (!is_cpu || !others_are_runnable ())
    timeout->idle_looks++;
  return timeout->idle_looks >= MAX_IDLE_LOOKS
      || (++timeout->looks >= MAX_LOOKS
      && worked - timeout->worked_before >= MAX_WORKED);
}

/* --- tryouts --- */

/* Vulkan guarantees every buffer a memory type with both properties. */
static guint32
find_host_memory (GpuDevice * device, guint32 allowed)
{
  const VkMemoryPropertyFlags needed =
      VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
      VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  guint32 type = 0;

  while (type + 1 < device->memory.memoryTypeCount && (!(allowed & (1u << type))
          || (needed & ~device->memory.memoryTypes[type].propertyFlags)))
    type++;
  return type;
}

static VkResult
make_buffer (GpuTryout * tryout)
{
  GpuDevice *device = tryout->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = sizeof (guint32),
    .usage = gpu_bindings_get_usage (device),
  };
  VkMemoryAllocateInfo allocation = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
  };
  VkMemoryRequirements needs;
  void *data;
  VkResult result =
      vk->vkCreateBuffer (device->device, &info, NULL, &tryout->buffer);

  if (result)
    return result;
  vk->vkGetBufferMemoryRequirements (device->device, tryout->buffer, &needs);
  allocation.allocationSize = needs.size;
  allocation.memoryTypeIndex = find_host_memory (device, needs.memoryTypeBits);
  result = vk->vkAllocateMemory (device->device, &allocation, NULL,
      &tryout->memory);
  if (!result)
    result = vk->vkBindBufferMemory (device->device, tryout->buffer,
        tryout->memory, 0);
  if (!result)
    result = vk->vkMapMemory (device->device, tryout->memory, 0, VK_WHOLE_SIZE,
        0, &data);
  if (result)
    return result;
  tryout->word = data;
  *tryout->word = 0;
  return VK_SUCCESS;
}

/* All bindings refer to the same buffer, because Mesa's CPU rasteriser also reads unused
 * bindings. */
static void
fill_set (const GpuTryout * tryout)
{
  GpuBindings bindings;

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    VkDescriptorBufferInfo whole = { tryout->buffer, 0, VK_WHOLE_SIZE };

    bindings.buffers[i] = whole;
    bindings.texels[i] = tryout->texels;
  }
  gpu_bindings_write (tryout->device, tryout->set, &bindings);
}

static VkResult
record (GpuTryout * tryout, VkPipeline pipeline, guint groups)
{
  GpuDevice *device = tryout->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkCommandBuffer commands = tryout->commands.buffer;
  VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
  };
  static const guint8 zeros[GPU_MAX_PUSH];
  VkResult result = gpu_commands_begin (&tryout->commands, device);

  if (result)
    return result;
  vk->vkCmdBindPipeline (commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  vk->vkCmdBindDescriptorSets (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
      device->pipeline_layout, 0, 1, &tryout->set, 0, NULL);
  vk->vkCmdPushConstants (commands, device->pipeline_layout,
      VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof zeros, zeros);
  vk->vkCmdDispatch (commands, groups, 1, 1);
  vk->vkCmdPipelineBarrier (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
  return vk->vkEndCommandBuffer (commands);
}

/* Steps of a look at the fence. */
#define STEPS 10

/* Waits for the time between two looks. Mesa's CPU driver compiles the kernel meanwhile. The
 * first compilation of a process registers handlers of exit(), which free what compilers of
 * other threads use. */
static VkResult
wait_for_look (GpuTryout * tryout)
{
  VkResult result = VK_TIMEOUT;

  for (guint i = 0; i < STEPS && result == VK_TIMEOUT; i++) {
    result = tryout->device->vk.vkWaitForFences (tryout->device->device, 1,
        &tryout->commands.fence, VK_TRUE, GPU_LOOK_NS / STEPS);
    gpu_ending_comes_first ();
  }
  return result;
}

static VkResult
submit_and_wait (GpuTryout * tryout, const gchar * reason)
{
  GpuDevice *device = tryout->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &tryout->commands.buffer,
  };
  GpuHangTimeout timeout = { 0 };
  gint64 begin = gpu_trace_begin ();
  VkResult result = tryout->has_run ? vk->vkResetFences (device->device, 1,
      &tryout->commands.fence) : VK_SUCCESS;

  if (!result) {
    gpu_device_lock_queues (device);
    result =
        vk->vkQueueSubmit (device->queue, 1, &info, tryout->commands.fence);
    gpu_device_unlock_queues (device);
  }
  gpu_trace_end (begin, "submit", reason, "device %s", device->info.name);
  if (result)
    return result;
  begin = gpu_trace_begin ();
  do
    result = wait_for_look (tryout);
  while (result == VK_TIMEOUT && !gpu_process_is_over ()
      && !gpu_hang_timeout_is_over (&timeout, device, 0));
  gpu_trace_end (begin, "wait", reason, "device %s", device->info.name);
  tryout->has_run |= result == VK_SUCCESS;
  /* According to Vulkan, a lost device no longer uses its objects. */
  tryout->may_run = result && result != VK_ERROR_DEVICE_LOST;
  return result;
}

gboolean
gpu_tryout_init (GpuTryout * tryout, GpuDevice * device, const gchar * name,
    GError ** error)
{
  VkResult result;

  tryout->device = device;
  if (!gpu_commands_init (&tryout->commands, device, name, error))
    return FALSE;
  result = make_buffer (tryout);
  if (!result)
    result = gpu_bindings_create_view (device, tryout->buffer, 0,
        sizeof (guint32), GPU_TEXELS_WORDS, &tryout->texels);
  if (!result)
    result = gpu_bindings_allocate (device, 1, &tryout->set_pool, &tryout->set);
  if (!gpu_device_check (device, result, device->info.name, error))
    return FALSE;
  fill_set (tryout);
  return TRUE;
}

void
gpu_tryout_clear (GpuTryout * tryout)
{
  GpuDevice *device = tryout->device;
  struct VolkDeviceTable *vk = &device->vk;

  gpu_commands_clear (&tryout->commands, device);
  vk->vkDestroyDescriptorPool (device->device, tryout->set_pool, NULL);
  vk->vkDestroyBufferView (device->device, tryout->texels, NULL);
  vk->vkDestroyBuffer (device->device, tryout->buffer, NULL);
  vk->vkFreeMemory (device->device, tryout->memory, NULL);
}

VkResult
gpu_tryout_run (GpuTryout * tryout, VkPipeline pipeline, guint groups,
    const gchar * reason)
{
  VkResult result = record (tryout, pipeline, groups);

  return result ? result : submit_and_wait (tryout, reason);
}
