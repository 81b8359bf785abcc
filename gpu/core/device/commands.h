/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A command buffer and the fence of its submission; how long to wait for it; and tryouts, which
 * run single kernels. The slots of a stream have more (gpu/core/stream/ring.h). */
#pragma once

#include "vulkan.h"

#include <time.h>

G_BEGIN_DECLS

typedef struct
{
  VkCommandPool pool;
  VkCommandBuffer buffer;
  VkFence fence;
} GpuCommands;

/* Creates the Vulkan objects. @commands must be zeroed. @name: for debuggers.
 * Returns FALSE with @error set on failure; the caller must then still call
 * gpu_commands_clear(). */
gboolean gpu_commands_init (GpuCommands * commands, GpuDevice * device,
    const gchar * name, GError ** error);
/* Destroys the Vulkan objects. The device must not be executing the commands. */
void gpu_commands_clear (GpuCommands * commands, GpuDevice * device);

/* Resets the command buffer and begins recording for a single submission. The
 * device must not be executing the previous commands. */
VkResult gpu_commands_begin (GpuCommands * commands, GpuDevice * device);

/* --- devices that hang ---
 *
 * Detects a device that hangs. A thread that waits for a fence wakes up every
 * GPU_LOOK_NS and checks whether the device has made progress. */

#define GPU_LOOK_NS (100 * G_GUINT64_CONSTANT (1000000))

/* State of one waiting thread. Zeroed before the first check. */
typedef struct
{
  guint done;                   /* value at the last check */
  guint looks;                  /* checks in a row without progress */
  clock_t worked;               /* CPU time of the process at the last check, in units
                                   of 1/4 s */
  clock_t worked_before;        /* the same at the last progress */
  guint idle_looks;             /* checks since the last progress and CPU time at which no
                                   other thread was running or waiting for a core */
} GpuHangTimeout;

/* Call this after a check found the fence not signalled. Returns whether @device is
 * taken to hang. @done: a number that changes whenever the device makes progress. */
gboolean gpu_hang_timeout_is_over (GpuHangTimeout * timeout, GpuDevice * device,
    guint done);

/* --- tryouts ---
 *
 * A tryout runs single kernels on a device on which nothing else runs: when a device is opened
 * (gpu/core/open/subgroupprobe.c), and to have kernels compiled early
 * (gpu/core/kernel/rehearsal.c). One thread at a time uses a tryout. */

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
