/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A command buffer and the fence of its submission. The subgroup probe needs no
 * more (gpu/core/open/subgroupprobe.c); the slots of a stream add to it (slot.h). */
#pragma once

#include "vulkan.h"

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

G_END_DECLS
