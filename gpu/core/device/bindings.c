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

gboolean
gpu_bindings_create_layouts (GpuDevice * device, GError ** error)
{
  VkDescriptorSetLayoutBinding bindings[2 * GPU_MAX_BINDINGS];
  VkDescriptorSetLayoutCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
    .bindingCount = device->reads_texels ? 2 * GPU_MAX_BINDINGS
        : device->info.max_buffers,
    .pBindings = bindings,
  };
  VkPushConstantRange push = {
    .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    .size = GPU_MAX_PUSH,
  };
  VkPipelineLayoutCreateInfo layout = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
    .setLayoutCount = 1,
    .pSetLayouts = &device->set_layout,
    .pushConstantRangeCount = 1,
    .pPushConstantRanges = &push,
  };

  for (guint i = 0; i < info.bindingCount; i++)
    bindings[i] = (VkDescriptorSetLayoutBinding) {
      .binding = i,
      .descriptorType = i < GPU_MAX_BINDINGS ? BUFFER : TEXELS,
      .descriptorCount = 1,
      .stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
    };
  return gpu_device_check (device,
      device->vk.vkCreateDescriptorSetLayout (device->device, &info, NULL,
          &device->set_layout), "creating a descriptor set layout", error)
      && gpu_device_check (device,
      device->vk.vkCreatePipelineLayout (device->device, &layout, NULL,
          &device->pipeline_layout), "creating a pipeline layout", error);
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

/* --- pipelines --- */

/* Returns the number of invocations of a workgroup along an axis. */
static guint
threads_along (const GpuShader * shader, guint axis, const guint32 * constants,
    guint n_constants)
{
  gint constant = shader->group[axis].constant;

  return constant >= 0 && (guint) constant < n_constants
      ? constants[constant] : shader->group[axis].threads;
}

/* Requires the subgroup size if Vulkan allows it for this workgroup size. It does for all
 * workgroups of the engines (choose_lanes() of candidate.c); benchmarks also try larger ones.
 * @size must live as long as @stage. */
static void
require_size (VkPipelineShaderStageCreateInfo * stage,
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo * size,
    const GpuSubgroupControl * control, guint columns, guint64 threads)
{
  if (!control->lanes
      || threads > (guint64) control->lanes * control->max_subgroups)
    return;
  size->sType =
      VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO;
  size->requiredSubgroupSize = control->lanes;
  stage->pNext = size;
  if (control->can_be_full && columns % control->lanes == 0)
    stage->flags |= VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
}

/* Returns the module of @shader that fetches texels. Sets *@size to its bytes. */
static guint32 *
apply_changes (const GpuShader * shader, gsize * size)
{
  GArray *words = g_array_new (FALSE, FALSE, sizeof (guint32));
  gsize at = 0;

  for (gsize i = 0; i < shader->n_texels;) {
    const guint32 change = shader->texels[i++];

    g_array_append_vals (words, shader->words + at, GPU_CHANGE_KEPT (change));
    g_array_append_vals (words, shader->texels + i, GPU_CHANGE_ADDED (change));
    at += GPU_CHANGE_KEPT (change) + GPU_CHANGE_DROPPED (change);
    i += GPU_CHANGE_ADDED (change);
  }
  g_array_append_vals (words, shader->words + at,
      shader->size / sizeof (guint32) - at);
  *size = words->len * sizeof (guint32);
  return (guint32 *) g_array_free (words, FALSE);
}

static VkResult
create_module (GpuDevice * device, const GpuShader * shader,
    VkShaderModule * module)
{
  VkShaderModuleCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
    .codeSize = shader->size,
    .pCode = shader->words,
  };
  g_autofree guint32 *words = NULL;

  if (device->reads_texels)
    info.pCode = words = apply_changes (shader, &info.codeSize);
  return device->vk.vkCreateShaderModule (device->device, &info, NULL, module);
}

VkResult
gpu_pipeline_create (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, VkPipelineCache cache,
    VkPipeline * pipeline)
{
  struct VolkDeviceTable *vk = &device->vk;
  VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS];
  VkSpecializationInfo specialization = {
    .mapEntryCount = n_constants,
    .pMapEntries = entries,
    .dataSize = n_constants * sizeof (guint32),
    .pData = constants,
  };
  VkPipelineShaderStageRequiredSubgroupSizeCreateInfo size = { 0 };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
    .stage.stage = VK_SHADER_STAGE_COMPUTE_BIT,
    .stage.pName = "main",
    .stage.pSpecializationInfo = &specialization,
    .layout = device->pipeline_layout,
  };
  guint columns = threads_along (shader, 0, constants, n_constants);
  guint64 threads = (guint64) columns
      * threads_along (shader, 1, constants, n_constants)
      * threads_along (shader, 2, constants, n_constants);
  VkResult result;

  *pipeline = VK_NULL_HANDLE;
  for (guint i = 0; i < n_constants; i++)
    entries[i] = (VkSpecializationMapEntry) {
      i, i * sizeof (guint32), sizeof (guint32)
    };
  require_size (&info.stage, &size, &device->subgroups, columns, threads);
  result = create_module (device, shader, &info.stage.module);
  if (result)
    return result;
  result = vk->vkCreateComputePipelines (device->device, cache, 1, &info, NULL,
      pipeline);
  vk->vkDestroyShaderModule (device->device, info.stage.module, NULL);
  return result;
}
