/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the available devices and their properties before one is opened, and finds those
 * that match a selector. The caller holds the lock of open.c. */
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

/* Returns a new array of GpuCandidate with at least one entry: the devices that match
 * @selector (see gpu_device_open()), best first. The caller owns it. Sets the instance of
 * @device, which must not be open yet. Returns NULL with @error set on failure
 * (NO_VULKAN, NO_DEVICE, OUT_OF_MEMORY, LOST, FAILED). */
GArray *gpu_device_find_candidates (GpuDevice * device,
    const gchar * selector, GError ** error);

G_END_DECLS
