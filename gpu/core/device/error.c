/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "error.h"

#include <vulkan/vulkan_core.h>

/* *INDENT-OFF* */
G_DEFINE_QUARK (gpu-error-quark, gpu_error)
/* *INDENT-ON* */

static gint
error_code_of (VkResult result)
{
  switch (result) {
    case VK_ERROR_DEVICE_LOST:
    case VK_TIMEOUT:
      return GPU_ERROR_LOST;
    case VK_ERROR_OUT_OF_HOST_MEMORY:
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
    case VK_ERROR_TOO_MANY_OBJECTS:
      return GPU_ERROR_OUT_OF_MEMORY;
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return GPU_ERROR_NO_VULKAN;
    case VK_ERROR_INVALID_EXTERNAL_HANDLE:
      return GPU_ERROR_UNSUPPORTED;
    default:
      return GPU_ERROR_FAILED;
  }
}

static const gchar *
explain (VkResult result)
{
  switch (result) {
    case VK_ERROR_DEVICE_LOST:
      return "the device was lost (reset or removed); restart the pipeline, "
          "and if it happens again update the driver or choose another device";
    case VK_TIMEOUT:
      return "the device has finished nothing for 10 seconds (the CPU: for a "
          "minute) and is taken to be "
          "lost; restart the pipeline, and if it happens again update the "
          "driver or choose another device";
    case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory; close other programs or use smaller frames";
    case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory; close other programs that use the device, "
          "or use smaller frames";
    case VK_ERROR_TOO_MANY_OBJECTS:
      return "the driver ran out of allocations; use fewer elements";
    case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "no Vulkan driver was found; install one (for the CPU: "
          "mesa-vulkan-drivers), and where VK_DRIVER_FILES or VK_ICD_FILENAMES "
          "is set, let it name one";
    case VK_ERROR_INITIALIZATION_FAILED:
      return "the driver could not be initialised; check it with vulkaninfo";
    default:
      return "the driver reported an error; check it with vulkaninfo";
  }
}

gboolean
gpu_result_check (gint result, const gchar * what, GError ** error)
{
  if (result == VK_SUCCESS)
    return TRUE;
  g_set_error (error, GPU_ERROR, error_code_of (result),
      "%s: %s (VkResult %d)", what, explain (result), result);
  return FALSE;
}
