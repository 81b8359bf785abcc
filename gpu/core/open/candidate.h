/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Lists the available devices and their properties before one is opened, finds those that match
 * a selector, and says what they lack. The caller holds the lock of open.c. */
#pragma once

#include "gpu/core/device/instance.h"
#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Defined in vulkan_beta.h, which is not included here. */
#define GPU_PORTABILITY_SUBSET "VK_KHR_portability_subset"

typedef struct
{
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;
  VkPhysicalDeviceSubgroupProperties subgroup;  /* as the driver reports them */
  GpuSubgroupControl subgroups;
  gboolean is_portability_subset;       /* see GpuDevice */
  GpuDeviceInfo info;
} GpuCandidate;

/* Returns a new array of GpuCandidate with at least one entry: the devices that match
 * @selector (see gpu_device_open()), best first. The caller owns it. Sets the instance of
 * @device, which must not be open yet. Returns NULL with @error set on failure
 * (NO_VULKAN, NO_DEVICE, OUT_OF_MEMORY, LOST, FAILED). */
GArray *gpu_device_find_candidates (GpuDevice * device,
    const gchar * selector, GError ** error);

/* Sets @candidate to what @physical is, a device of any VkInstance. @index: its position in the
 * loader's list. */
void gpu_candidate_read (GpuCandidate * candidate, VkPhysicalDevice physical,
    guint index);

/* Returns the list of what @candidate lacks of what every kernel needs, and of @needs, which
 * may be NULL, as text to follow "lacks"; NULL if it lacks nothing. @has_queue: it has a queue for
 * compute. The caller frees it. */
gchar *gpu_candidate_list_missing (const GpuCandidate * candidate,
    const GpuNeeds * needs, gboolean has_queue);

G_END_DECLS
