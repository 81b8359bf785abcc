/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Makes the VkDevice with its queue, and the layouts that all kernels share, on the
 * physical device and queue family that were chosen. FALSE with @error set
 * (OUT_OF_MEMORY, LOST, FAILED), and maybe some of it made: gpu_device_close() then still
 * has to run. For threads under the lock of open.c. */
gboolean gpu_device_create (GpuDevice * device, GError ** error);

G_END_DECLS
