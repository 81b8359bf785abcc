/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the available devices and their properties before one is opened. The caller holds
 * the lock of open.c. */
#pragma once

#include "gpu/core/device/instance.h"

G_BEGIN_DECLS

typedef struct
{
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;
  VkPhysicalDeviceSubgroupProperties subgroup;  /* as the driver reports them */
  GpuSubgroupControl subgroups;
  GpuDeviceInfo info;
} GpuCandidate;

/* Returns a new array of GpuCandidate with all devices of @instance, in the order of the
 * loader; it may be empty. The caller owns it. Returns NULL with @error set on failure
 * (NO_VULKAN, OUT_OF_MEMORY, LOST, FAILED). */
GArray *gpu_candidates_list (GpuInstance * instance, GError ** error);

G_END_DECLS
