/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "bindings.h"

#define FOUR_SIZE 16            /* bytes */

#define BUFFER VK_DESCRIPTOR_TYPE_STORAGE_BUFFER
#define TEXELS VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER

gboolean
gpu_bindings_want_texels (const GpuDevice * device)
{
  const VkPhysicalDeviceLimits *limits = &device->properties.limits;

  return device->driver == VK_DRIVER_ID_MESA_LLVMPIPE
      && limits->maxTexelBufferElements
      >= device->info.max_binding / sizeof (guint32)
      && device->info.max_buffers == GPU_MAX_BINDINGS
      && limits->maxPerStageDescriptorSampledImages >= GPU_MAX_BINDINGS
      && limits->maxPerStageResources >= 2 * GPU_MAX_BINDINGS;
}

/* Returns how many bindings a set has. */
static guint
count_bindings (const GpuDevice * device)
{
  return device->reads_texels ? 2 * GPU_MAX_BINDINGS : device->info.max_buffers;
}

gboolean
gpu_bindings_create_layout (GpuDevice * device, GError ** error)
{
  VkDescriptorSetLayoutBinding bindings[2 * GPU_MAX_BINDINGS];
  VkDescriptorSetLayoutCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
    .bindingCount = count_bindings (device),
    .pBindings = bindings,
  };

  for (guint i = 0; i < info.bindingCount; i++) {
    VkDescriptorSetLayoutBinding binding = {
      .binding = i,
      .descriptorType = i < GPU_MAX_BINDINGS ? BUFFER : TEXELS,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };

    bindings[i] = binding;
  }
  return gpu_device_check (device,
      device->vk.vkCreateDescriptorSetLayout (device->device, &info, NULL,
          &device->set_layout), "creating a descriptor set layout", error);
}

VkResult
gpu_bindings_allocate (GpuDevice * device, guint n, VkDescriptorPool * pool,
    VkDescriptorSet * sets)
{
  const VkDescriptorPoolSize sizes[] = {
    {BUFFER, n * GPU_MAX_BINDINGS}, {TEXELS, n * GPU_MAX_BINDINGS}
  };
  VkDescriptorPoolCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
    .maxSets = n,
    .poolSizeCount = device->reads_texels ? 2 : 1,
    .pPoolSizes = sizes,
  };
  g_autofree VkDescriptorSetLayout *layouts = g_new (VkDescriptorSetLayout, n);
  VkDescriptorSetAllocateInfo allocation = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
    .descriptorSetCount = n,
    .pSetLayouts = layouts,
  };
  VkResult result;

  for (guint i = 0; i < n; i++)
    layouts[i] = device->set_layout;
  *pool = VK_NULL_HANDLE;
  result =
      device->vk.vkCreateDescriptorPool (device->device, &info, NULL, pool);
  if (result)
    return result;
  allocation.descriptorPool = *pool;
  return device->vk.vkAllocateDescriptorSets (device->device, &allocation,
      sets);
}

VkBufferUsageFlags
gpu_bindings_get_usage (const GpuDevice * device)
{
  return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
      | (device->reads_texels ? VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT : 0);
}

VkResult
gpu_bindings_create_view (GpuDevice * device, VkBuffer buffer, gsize offset,
    gsize size, GpuTexels texels, VkBufferView * view)
{
  const gboolean in_fours = texels == GPU_TEXELS_FOURS && size >= FOUR_SIZE;
  VkBufferViewCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
    .buffer = buffer,
    .format = in_fours ? VK_FORMAT_R32G32B32A32_UINT : VK_FORMAT_R32_UINT,
    .offset = offset,
    .range = in_fours ? size / FOUR_SIZE * FOUR_SIZE : size,
  };

  *view = VK_NULL_HANDLE;
  return device->reads_texels ? device->vk.vkCreateBufferView (device->device,
      &info, NULL, view) : VK_SUCCESS;
}

void
gpu_bindings_write (GpuDevice * device, VkDescriptorSet set,
    const GpuBindings * bindings)
{
  const VkWriteDescriptorSet writes[] = {
    {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = set,
      .descriptorCount = device->info.max_buffers,
      .descriptorType = BUFFER,
      .pBufferInfo = bindings->buffers,
    },
    {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .dstSet = set,
      .dstBinding = GPU_MAX_BINDINGS,
      .descriptorCount = GPU_MAX_BINDINGS,
      .descriptorType = TEXELS,
      .pTexelBufferView = bindings->texels,
    },
  };

  device->vk.vkUpdateDescriptorSets (device->device,
      device->reads_texels ? 2 : 1, writes, 0, NULL);
}
