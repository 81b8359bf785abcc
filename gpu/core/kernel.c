/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "kernelhandle.h"
#include "vulkan.h"

#include <string.h>

static gboolean
create_pipeline (GpuKernel * kernel, VkShaderModule module, GError ** error)
{
  GpuDevice *device = kernel->device;
  VkSpecializationMapEntry entries[GPU_MAX_CONSTANTS];
  VkSpecializationInfo specialization = {
    .mapEntryCount = kernel->n_constants,
    .pMapEntries = entries,
    .dataSize = kernel->n_constants * sizeof (guint32),
    .pData = kernel->constants,
  };
  VkPipelineShaderStageCreateInfo stage = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
    .stage = VK_SHADER_STAGE_COMPUTE_BIT,
    .module = module,
    .pName = "main",
    .pSpecializationInfo = &specialization,
  };
  VkComputePipelineCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
    .stage = stage,
    .layout = device->pipeline_layout,
  };

  for (guint i = 0; i < kernel->n_constants; i++) {
    VkSpecializationMapEntry entry = {
      i, i * sizeof (guint32), sizeof (guint32)
    };

    entries[i] = entry;
  }
  return gpu_device_check (device,
      device->vk.vkCreateComputePipelines (device->device,
          device->pipeline_cache, 1, &info, NULL, &kernel->pipeline),
      kernel->shader->name, error);
}

static GpuKernel *
find_kernel (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants)
{
  for (guint i = 0; i < device->kernels->len; i++) {
    GpuKernel *kernel = g_ptr_array_index (device->kernels, i);

    if (kernel->shader == shader && kernel->n_constants == n_constants
        && !memcmp (kernel->constants, constants, n_constants * 4))
      return kernel;
  }
  return NULL;
}

static GpuKernel *
build_kernel (GpuDevice * device, const GpuShader * shader,
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

  if (!gpu_device_check (device,
          device->vk.vkCreateShaderModule (device->device, &info, NULL,
              &module), shader->name, error))
    return NULL;
  kernel = g_new0 (GpuKernel, 1);
  kernel->device = device;
  kernel->shader = shader;
  kernel->n_constants = n_constants;
  if (n_constants > 0)
    memcpy (kernel->constants, constants, n_constants * 4);
  built = create_pipeline (kernel, module, error);
  device->vk.vkDestroyShaderModule (device->device, module, NULL);
  if (!built) {
    gpu_kernel_free (kernel);
    return NULL;
  }
  g_atomic_int_inc (&device->pipelines_built);
  gpu_device_name_object (device, VK_OBJECT_TYPE_PIPELINE,
      (guint64) kernel->pipeline, shader->name);
  return kernel;
}

GpuKernel *
gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error)
{
  GpuKernel *kernel;

  g_return_val_if_fail (n_constants <= GPU_MAX_CONSTANTS, NULL);
  if (!gpu_device_check_alive (device, error))
    return NULL;
  g_mutex_lock (&device->kernels_lock);
  kernel = find_kernel (device, shader, constants, n_constants);
  if (!kernel) {
    kernel = build_kernel (device, shader, constants, n_constants, error);
    if (kernel)
      g_ptr_array_add (device->kernels, kernel);
  }
  g_mutex_unlock (&device->kernels_lock);
  return kernel;
}

void
gpu_kernel_free (GpuKernel * kernel)
{
  kernel->device->vk.vkDestroyPipeline (kernel->device->device,
      kernel->pipeline, NULL);
  g_free (kernel);
}

const gchar *
gpu_kernel_get_name (GpuKernel * kernel)
{
  return kernel->shader->name;
}
