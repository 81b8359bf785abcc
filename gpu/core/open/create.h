/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Creates a VkDevice: with which queues, and with which optional extensions of Vulkan 1.1. No
 * extension is required. The caller holds the lock of open.c. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Returns whether the device supports the extension; FALSE if the driver fails. */
gboolean gpu_physical_has_extension (VkPhysicalDevice physical,
    const gchar * name);
/* Returns GpuDeviceInfo.has_float16. @controls: properties of @physical; zeroed if it
 * does not report them. */
gboolean gpu_physical_has_float16 (VkPhysicalDevice physical,
    const VkPhysicalDeviceFloatControlsProperties * controls);

/* Returns GpuDeviceInfo.has_atomic_int64. */
gboolean gpu_physical_has_atomic_int64 (VkPhysicalDevice physical);

/* Queues of a transfer family that a device needs, or has none (stream/transfers.h). */
#define GPU_TRANSFER_QUEUES 2

/* Sets *@work to the index of the family of the queue for all work, and *@transfer to that
 * of the transfer queues, or to *@work if there are none. Returns FALSE if no family in
 * @list, of @n, does compute. */
gboolean gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer);

/* Creates the VkDevice with its queues, and then the layouts that all kernels share. The
 * physical device and the queue families of @device must be set. Both return FALSE with
 * @error set on failure (OUT_OF_MEMORY, LOST, FAILED); the caller must then still call
 * gpu_device_close(). The caller holds the lock of open.c. */
gboolean gpu_device_create (GpuDevice * device, GError ** error);
gboolean gpu_device_create_layouts (GpuDevice * device, GError ** error);

G_END_DECLS
