/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Extensions of Vulkan 1.1 that are used where a device has them, for none is needed:
 * which it has, and enabling them. For threads under the lock of open.c. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* All that there may be. */
#define GPU_MAX_EXTENSIONS 5

/* What a device is made with. All 0 before gpu_extensions_choose(). */
typedef struct
{
  const gchar *names[GPU_MAX_EXTENSIONS];       /* static */
  guint n_names;
  void *features;               /* a chain of those below that are asked for */
  VkPhysicalDeviceShaderFloat16Int8Features halves;
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
} GpuExtensions;

/* FALSE also where the driver does not say. */
gboolean gpu_physical_has_extension (VkPhysicalDevice physical,
    const gchar * name);
/* As of GpuDeviceInfo.has_float16. @controls: of @physical; all 0 where it has none. */
gboolean gpu_physical_has_float16 (VkPhysicalDevice physical,
    const VkPhysicalDeviceFloatControlsProperties * controls);

/* Fills in what @device, whose info and subgroups are known, is to be made with, and sets
 * its get_memory_budget. @extensions: all 0; owned by the caller, and not to be moved
 * afterwards: the chain points into it. */
void gpu_extensions_choose (GpuExtensions * extensions, GpuDevice * device);

G_END_DECLS
