/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "commands.h"

#include <string.h>

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

#ifdef __linux__
#include <unistd.h>
#endif

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
