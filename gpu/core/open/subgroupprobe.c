/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Checks whether the invocations of a subgroup are consecutive in their workgroup. Sums
 * over workgroups rely on this, but Vulkan does not guarantee it and drivers do not
 * report it. So a shader tests it for one workgroup shape. The probe has its own buffer
 * and pipeline, so that a newly opened device holds no other objects. If the device hangs
 * in the probe, the probe is kept, and later openings check it. */
#include "gpu/core/device/commands.h"
#include "gpu/core/device/hangtimeout.h"
#include "gpu/core/device/pipeline.h"
#include "gpu/core/device/process.h"
#include "gpu/core/device/trace.h"

#include "shaders.h"

#define GROUP_THREADS 256
#define GROUPS 16

/* The reason in trace lines. */
#define REASON "the device is opened and tried out"

typedef struct
{
  GpuDevice *device;
  VkBuffer buffer;
  VkDeviceMemory memory;
  guint32 *in_order;            /* number of consecutive invocations; mapped */
  VkPipeline pipeline;
  VkDescriptorPool set_pool;
  VkDescriptorSet set;
  GpuCommands commands;
  gboolean may_run;             /* submitted, not known to be finished */
  VkDevice kept;                /* set for hanging probes only */
} Probe;

/* Probes whose wait timed out. Protected by the lock of open.c. */
static GSList *hanging;

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
make_buffer (Probe * probe)
{
  GpuDevice *device = probe->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkBufferCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
    .size = sizeof (guint32),
    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT,
  };
  VkMemoryAllocateInfo allocation = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
  };
  VkMemoryRequirements needs;
  void *data;
  VkResult result =
      vk->vkCreateBuffer (device->device, &info, NULL, &probe->buffer);

  if (result)
    return result;
  vk->vkGetBufferMemoryRequirements (device->device, probe->buffer, &needs);
  allocation.allocationSize = needs.size;
  allocation.memoryTypeIndex = find_host_memory (device, needs.memoryTypeBits);
  result = vk->vkAllocateMemory (device->device, &allocation, NULL,
      &probe->memory);
  if (!result)
    result = vk->vkBindBufferMemory (device->device, probe->buffer,
        probe->memory, 0);
  if (!result)
    result = vk->vkMapMemory (device->device, probe->memory, 0, VK_WHOLE_SIZE,
        0, &data);
  if (result)
    return result;
  probe->in_order = data;
  *probe->in_order = 0;
  return VK_SUCCESS;
}

static VkResult
make_set (Probe * probe)
{
  GpuDevice *device = probe->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkDescriptorPoolSize size = {
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, GPU_MAX_BINDINGS
  };
  VkDescriptorPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
    .maxSets = 1,
    .poolSizeCount = 1,
    .pPoolSizes = &size,
  };
  VkDescriptorSetAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
    .descriptorSetCount = 1,
    .pSetLayouts = &device->set_layout,
  };
  VkResult result = vk->vkCreateDescriptorPool (device->device, &pool, NULL,
      &probe->set_pool);

  if (result)
    return result;
  info.descriptorPool = probe->set_pool;
  return vk->vkAllocateDescriptorSets (device->device, &info, &probe->set);
}

/* All bindings refer to the same buffer, because Mesa's CPU rasteriser also reads unused
 * bindings. */
static void
fill_set (const Probe * probe)
{
  GpuDevice *device = probe->device;
  VkDescriptorBufferInfo infos[GPU_MAX_BINDINGS];
  VkWriteDescriptorSet write = {
    .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
    .dstSet = probe->set,
    .descriptorCount = GPU_MAX_BINDINGS,
    .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
    .pBufferInfo = infos,
  };

  for (guint i = 0; i < GPU_MAX_BINDINGS; i++) {
    VkDescriptorBufferInfo whole = { probe->buffer, 0, VK_WHOLE_SIZE };

    infos[i] = whole;
  }
  device->vk.vkUpdateDescriptorSets (device->device, 1, &write, 0, NULL);
}

static VkResult
record (Probe * probe)
{
  GpuDevice *device = probe->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkCommandBuffer commands = probe->commands.buffer;
  VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT,
  };
  VkResult result = gpu_commands_begin (&probe->commands, device);

  if (result)
    return result;
  vk->vkCmdBindPipeline (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
      probe->pipeline);
  vk->vkCmdBindDescriptorSets (commands, VK_PIPELINE_BIND_POINT_COMPUTE,
      device->pipeline_layout, 0, 1, &probe->set, 0, NULL);
  vk->vkCmdDispatch (commands, GROUPS, 1, 1);
  vk->vkCmdPipelineBarrier (commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
  return vk->vkEndCommandBuffer (commands);
}

static VkResult
run (Probe * probe)
{
  GpuDevice *device = probe->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .commandBufferCount = 1,
    .pCommandBuffers = &probe->commands.buffer,
  };
  GpuHangTimeout timeout = { 0 };
  gint64 begin = gpu_trace_begin ();
  VkResult result =
      vk->vkQueueSubmit (device->queue, 1, &info, probe->commands.fence);

  gpu_trace_end (begin, "submit", REASON, "device %s", device->info.name);
  if (result)
    return result;
  begin = gpu_trace_begin ();
  do
    result =
        vk->vkWaitForFences (device->device, 1, &probe->commands.fence,
        VK_TRUE, GPU_LOOK_NS);
  while (result == VK_TIMEOUT && !gpu_process_is_over ()
      && !gpu_hang_timeout_is_over (&timeout, device, 0));
  gpu_trace_end (begin, "wait", REASON, "device %s", device->info.name);
  /* According to Vulkan, a lost device no longer uses its objects. */
  probe->may_run = result && result != VK_ERROR_DEVICE_LOST;
  return result;
}

static VkResult
make_pipeline (Probe * probe)
{
  gint64 begin = gpu_trace_begin ();
  VkResult result = gpu_pipeline_create (probe->device,
      &gpu_shader_subgroup_probe, NULL, 0, VK_NULL_HANDLE, &probe->pipeline);

  gpu_trace_end (begin, "build", REASON, "kernel %s",
      gpu_shader_subgroup_probe.name);
  return result;
}

static VkResult
try_out (Probe * probe)
{
  gint64 begin = gpu_trace_begin ();
  VkResult result = make_buffer (probe);

  gpu_trace_end (begin, "allocate", REASON, "device %s",
      probe->device->info.name);
  if (!result)
    result = make_pipeline (probe);
  if (!result)
    result = make_set (probe);
  if (result)
    return result;
  fill_set (probe);
  result = record (probe);
  return result ? result : run (probe);
}

static void
clear (Probe * probe)
{
  GpuDevice *device = probe->device;
  struct VolkDeviceTable *vk = &device->vk;

  gpu_commands_clear (&probe->commands, device);
  vk->vkDestroyDescriptorPool (device->device, probe->set_pool, NULL);
  vk->vkDestroyPipeline (device->device, probe->pipeline, NULL);
  vk->vkDestroyBuffer (device->device, probe->buffer, NULL);
  vk->vkFreeMemory (device->device, probe->memory, NULL);
}

/* --- devices that hang in the probe --- */

/* Keeps the objects that the device may still use. It takes the VkDevice away from
 * @device, so that the opener does not destroy it. Another reference to @device keeps the
 * instance. */
static void
keep (const Probe * probe)
{
  GpuDevice *device = gpu_device_ref (probe->device);
  Probe *copy = g_memdup2 (probe, sizeof *probe);

  copy->kept = device->device;
  device->device = VK_NULL_HANDLE;
  gpu_device_mark_lost (device);
  hanging = g_slist_prepend (hanging, copy);
}

static void
let_go (Probe * probe)
{
  hanging = g_slist_remove (hanging, probe);
  probe->device->device = probe->kept;
  clear (probe);
  gpu_device_unref (probe->device);
  g_free (probe);
}

static Probe *
find_hanging (const GpuDeviceInfo * info)
{
  for (GSList * l = hanging; l; l = l->next) {
    Probe *probe = l->data;

    if (gpu_device_info_is_same (&probe->device->info, info))
      return probe;
  }
  return NULL;
}

gboolean
gpu_device_check_not_hanging (const GpuDeviceInfo * info, GError ** error)
{
  Probe *probe = find_hanging (info);
  VkResult result;

  if (!probe)
    return TRUE;
  result = probe->device->vk.vkGetFenceStatus (probe->kept,
      probe->commands.fence);
  if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) {
    let_go (probe);
    return TRUE;
  }
  g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
      "%s hangs: it has not finished what it was given when it was opened "
      "before; restart the program, and if it happens again update the driver "
      "or choose another device", info->name);
  return FALSE;
}

/* --- the probe --- */

gboolean
gpu_device_probe_subgroups (GpuDevice * device, GError ** error)
{
  Probe probe = { device };
  gboolean is_done, is_in_order;

  is_done = gpu_commands_init (&probe.commands, device, "lanes", error)
      && gpu_device_check (device, try_out (&probe), device->info.name, error);
  if (probe.may_run) {
    keep (&probe);
    return FALSE;
  }
  is_in_order = is_done && *probe.in_order == GROUPS * GROUP_THREADS;
  clear (&probe);
  if (is_done && !is_in_order)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "%s lacks subgroups that are full and in the order of the threads",
        device->info.name);
  return is_in_order;
}
