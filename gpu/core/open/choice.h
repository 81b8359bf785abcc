/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which of the devices that there are a user asked for. For threads under the lock of
 * open.c. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* A new array of the GpuCandidates that @selector names, as of gpu_device_open(), best
 * first, and at least one. @device, which is not open, is given the instance that they
 * are of. NULL with @error set (NO_VULKAN, NO_DEVICE, OUT_OF_MEMORY, LOST, FAILED). */
GArray *gpu_device_find_candidates (GpuDevice * device,
    const gchar * selector, GError ** error);

G_END_DECLS
