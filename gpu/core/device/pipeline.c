/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* All compute pipelines are built here, so that all pipelines of a device use the same
 * subgroup size. */
#include "pipeline.h"
#include "texels.h"

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
 * workgroups of the engines (gpu_device_choose_lanes()); benchmarks also try larger ones.
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
    info.pCode = words = gpu_texels_rewrite (shader, &info.codeSize);
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
  for (guint i = 0; i < n_constants; i++) {
    VkSpecializationMapEntry entry = {
      i, i * sizeof (guint32), sizeof (guint32)
    };

    entries[i] = entry;
  }
  require_size (&info.stage, &size, &device->subgroups, columns, threads);
  result = create_module (device, shader, &info.stage.module);
  if (result)
    return result;
  result = vk->vkCreateComputePipelines (device->device, cache, 1, &info, NULL,
      pipeline);
  vk->vkDestroyShaderModule (device->device, info.stage.module, NULL);
  return result;
}
