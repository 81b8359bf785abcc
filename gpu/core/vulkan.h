/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of gpu/ share about Vulkan. Not for gst/: everything above
 * this layer goes through device.h, buffer.h, kernel.h and stream.h. */
#pragma once

#include "device.h"
#include "heap.h"
#include <volk.h>

G_BEGIN_DECLS

/* Storage buffers that one kernel can bind. All kernels share one descriptor
 * set layout of this many, so that sets are interchangeable. */
#define GPU_MAX_BINDINGS 16
/* Bytes of push constants, Vulkan's guaranteed minimum. */
#define GPU_MAX_PUSH 128

struct _GpuDevice
{
  gint refs;
  GpuDeviceInfo info;
  gint lost;                    /* atomic */

  VkInstance instance;
  VkPhysicalDevice physical;
  VkPhysicalDeviceMemoryProperties memory;
  VkDeviceSize atom;            /* nonCoherentAtomSize */
  VkDevice device;
  struct VolkDeviceTable vk;    /* every call on the device; tests hook it */

  /* Of this instance, whatever others were made since. */
  PFN_vkDestroyInstance destroy_instance;
  PFN_vkSetDebugUtilsObjectNameEXT set_object_name;     /* or NULL */

  guint32 queue_family;
  guint64 timestamp_mask;       /* the valid bits */
  VkQueue queue;
  GMutex queue_lock;            /* around every use of the queue */

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout pipeline_layout;
  VkPipelineCache pipeline_cache;
  gchar *pipeline_cache_file;
  gint pipelines_built;         /* atomic; > 0: the cache is worth keeping */

  GMutex kernels_lock;
  GPtrArray *kernels;           /* all that were built (kernel.h) */

  GpuHeap *heaps[2];            /* by GpuBufferKind */
};

/* Turns a result into a GError that names @what was being done; marks the
 * device lost on VK_ERROR_DEVICE_LOST. TRUE for VK_SUCCESS. */
gboolean gpu_device_check (GpuDevice * device, VkResult result,
    const gchar * what, GError ** error);

/* Names a Vulkan object for debuggers and validation messages; does nothing
 * where VK_EXT_debug_utils is absent. */
void gpu_device_name_object (GpuDevice * device, VkObjectType type,
    guint64 handle, const gchar * name);

G_END_DECLS
