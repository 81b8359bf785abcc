/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The devices that there are, and what is known of each before it is opened. For threads
 * under the lock of open.c. */
#pragma once

#include "gpu/core/device/instance.h"

G_BEGIN_DECLS

typedef struct
{
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;
  VkPhysicalDeviceSubgroupProperties subgroup;
  GpuSubgroupControl subgroups;
  GpuDeviceInfo info;
} GpuCandidate;

/* A new array of all GpuCandidates that @instance knows, in its order; it may be empty.
 * NULL with @error set (NO_VULKAN, OUT_OF_MEMORY, LOST, FAILED). */
GArray *gpu_candidates_list (GpuInstance * instance, GError ** error);

G_END_DECLS
