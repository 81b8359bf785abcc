/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs single kernels on a device on which nothing else runs: when a device is opened
 * (gpu/core/open/subgroupprobe.c), and to have kernels compiled early
 * (gpu/core/kernel/rehearsal.c). One thread at a time uses a tryout. */
#pragma once

#include "commands.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  VkBuffer buffer;              /* bound to every binding */
  VkBufferView texels;          /* the same, if the device reads texels */
  VkDeviceMemory memory;
  guint32 *word;                /* the content of the buffer; mapped, coherent */
  VkDescriptorPool set_pool;
  VkDescriptorSet set;
  GpuCommands commands;
  gboolean has_run;             /* the fence is signalled */
  gboolean may_run;             /* submitted, not known to be finished */
} GpuTryout;

/* Creates the objects on @device. @tryout must be zeroed. @name: for debuggers. Returns
 * FALSE with @error set on failure (OUT_OF_MEMORY, LOST, FAILED); the caller must then
 * still call gpu_tryout_clear(). */
gboolean gpu_tryout_init (GpuTryout * tryout, GpuDevice * device,
    const gchar * name, GError ** error);
/* Destroys the objects. The device must not be using them. */
void gpu_tryout_clear (GpuTryout * tryout);

/* Dispatches @groups workgroups of @pipeline, which may be 0, with zeros as push
 * constants, and waits until they are done. @reason: for traces. Returns VK_TIMEOUT if the
 * device hangs (commands.h) or the process ends; tryout->may_run says then whether the
 * device may still be using the objects. */
VkResult gpu_tryout_run (GpuTryout * tryout, VkPipeline pipeline, guint groups,
    const gchar * reason);

G_END_DECLS
