/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernelhandle.h"
#include "vulkan.h"

#define MAX_CONSTANTS 32

static gboolean
create_pipeline (GpuKernel * kernel, VkShaderModule module,
    const guint32 * constants, guint n_constants, GError ** error)
{
  GpuDevice *device = kernel->device;
  VkSpecializationMapEntry entries[MAX_CONSTANTS];
  VkSpecializationInfo specialization = {
    .mapEntryCount = n_constants,
    .pMapEntries = entries,
    .dataSize = n_constants * sizeof (guint32),
    .pData = constants,
  };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
      .module = module,
      .pName = "main",
      .pSpecializationInfo = &specialization,
    },
    .layout = device->pipeline_layout,
  };

  for (guint i = 0; i < n_constants; i++)
    entries[i] = (VkSpecializationMapEntry) {
      i, i * sizeof (guint32), sizeof (guint32)
    };
  return gpu_device_check (device,
      device->vk.vkCreateComputePipelines (device->device,
          device->pipeline_cache, 1, &info, NULL, &kernel->pipeline),
      kernel->name, error);
}

GpuKernel *
gpu_kernel_new (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error)
{
  VkShaderModuleCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
    .codeSize = shader->size,
    .pCode = shader->words,
  };
  VkShaderModule module;
  GpuKernel *kernel;
  gboolean built;

  g_return_val_if_fail (n_constants <= MAX_CONSTANTS, NULL);
  if (!gpu_device_check_alive (device, error)
      || !gpu_device_check (device,
          device->vk.vkCreateShaderModule (device->device, &info, NULL,
              &module), shader->name, error))
    return NULL;
  kernel = g_new0 (GpuKernel, 1);
  kernel->refs = 1;
  kernel->device = gpu_device_ref (device);
  kernel->name = shader->name;
  built = create_pipeline (kernel, module, constants, n_constants, error);
  device->vk.vkDestroyShaderModule (device->device, module, NULL);
  if (!built) {
    gpu_kernel_unref (kernel);
    return NULL;
  }
  g_atomic_int_inc (&device->pipelines_built);
  gpu_device_name_object (device, VK_OBJECT_TYPE_PIPELINE,
      (guint64) kernel->pipeline, kernel->name);
  return kernel;
}

GpuKernel *
gpu_kernel_ref (GpuKernel * kernel)
{
  g_atomic_int_inc (&kernel->refs);
  return kernel;
}

void
gpu_kernel_unref (GpuKernel * kernel)
{
  if (!g_atomic_int_dec_and_test (&kernel->refs))
    return;
  kernel->device->vk.vkDestroyPipeline (kernel->device->device,
      kernel->pipeline, NULL);
  gpu_device_unref (kernel->device);
  g_free (kernel);
}

const gchar *
gpu_kernel_get_name (GpuKernel * kernel)
{
  return kernel->name;
}
