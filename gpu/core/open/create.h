/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Creates the VkDevice with its queues, and then the layouts that all kernels share. The
 * physical device and the queue families of @device must be set. Both return FALSE with
 * @error set on failure (OUT_OF_MEMORY, LOST, FAILED); the caller must then still call
 * gpu_device_close(). The caller holds the lock of open.c. */
gboolean gpu_device_create (GpuDevice * device, GError ** error);
gboolean gpu_device_create_layouts (GpuDevice * device, GError ** error);

G_END_DECLS
