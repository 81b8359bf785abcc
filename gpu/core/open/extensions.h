/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Detects and enables optional extensions of Vulkan 1.1. No extension is required. The
 * caller holds the lock of open.c. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Maximum number of enabled extensions. */
#define GPU_MAX_EXTENSIONS 6

/* The extensions and features to enable on a device. Zeroed before
 * gpu_extensions_choose(). */
typedef struct
{
  const gchar *names[GPU_MAX_EXTENSIONS];       /* static */
  guint n_names;
  void *features;               /* pNext chain of the members below that are enabled */
  VkPhysicalDeviceShaderFloat16Int8Features halves;
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes;
  VkPhysicalDeviceShaderAtomicInt64Features atomic_int64;
  VkPhysicalDeviceFeatures2 core;
} GpuExtensions;

/* Returns whether the device supports the extension; FALSE if the driver fails. */
gboolean gpu_physical_has_extension (VkPhysicalDevice physical,
    const gchar * name);
/* Returns GpuDeviceInfo.has_float16. @controls: properties of @physical; zeroed if it
 * does not report them. */
gboolean gpu_physical_has_float16 (VkPhysicalDevice physical,
    const VkPhysicalDeviceFloatControlsProperties * controls);

/* Returns GpuDeviceInfo.has_atomic_int64. */
gboolean gpu_physical_has_atomic_int64 (VkPhysicalDevice physical);

/* Fills in the extensions and features to enable, and sets get_memory_budget of @device,
 * whose info and subgroups must be set. @extensions must be zeroed. It must not move
 * afterwards, because the chain points into it. */
void gpu_extensions_choose (GpuExtensions * extensions, GpuDevice * device);

G_END_DECLS
