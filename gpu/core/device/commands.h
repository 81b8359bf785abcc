/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A command buffer and the fence of its submission: all that a single piece of
 * work needs. Slots of streams have more (slot.h), the look at a device's lanes
 * has not. */
#pragma once

#include "vulkan.h"

G_BEGIN_DECLS

typedef struct
{
  VkCommandPool pool;
  VkCommandBuffer buffer;
  VkFence fence;
} GpuCommands;

/* @commands: all zero. @name: for debuggers. FALSE with @error on failure;
 * gpu_commands_clear() then still has to run. */
gboolean gpu_commands_init (GpuCommands * commands, GpuDevice * device,
    const gchar * name, GError ** error);
/* Nothing of it may be running. */
void gpu_commands_clear (GpuCommands * commands, GpuDevice * device);

/* Opens the buffer for what is submitted once; nothing of it may be running. */
VkResult gpu_commands_begin (GpuCommands * commands, GpuDevice * device);

G_END_DECLS
