/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Stands between one device and its driver and counts what is made. Calls may
 * come from any thread. To make a call fail, a test puts a function of its own
 * into device->vk. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Defines a function to be called in place of one of the driver that does nothing, and
 * returns @result. The rest are its parameters. */
#define GPU_HOOK_RETURNS(name, result, ...) \
  static VkResult VKAPI_CALL \
  name (__VA_ARGS__) \
  { \
    return result; \
  }

/* From now on calls are counted, from 0. For one device at a time. */
void gpu_hooks_install (GpuDevice * device);
/* The same in two steps, the second for each of several devices of one driver. */
void gpu_hooks_begin (void);
void gpu_hooks_add (GpuDevice * device);
/* Ends that, and whatever else a test put into device->vk since. */
void gpu_hooks_remove (GpuDevice * device);
/* The driver's own functions. */
const struct VolkDeviceTable *gpu_hooks_get_driver (void);

/* How many vkCreate* and vkAllocate* calls came, successful or not. */
guint gpu_hooks_get_made (void);
/* Objects created less objects destroyed; memory, pipelines and their cache,
 * which the device keeps, are not counted. */
gint gpu_hooks_get_alive (void);
/* Bytes of the buffers among them. */
guint64 gpu_hooks_get_buffer_bytes (void);
/* Memory allocated less memory freed, in allocations. */
gint gpu_hooks_get_allocations (void);

/* For tests that decide when kernels are built on @device: from the first call to the last,
 * builds wait from hold until allow, which one thread calls. */
void gpu_hooks_watch_builds (GpuDevice * device);
void gpu_hooks_hold_builds (void);
void gpu_hooks_allow_builds (void);
void gpu_hooks_leave_builds (GpuDevice * device);

G_END_DECLS
