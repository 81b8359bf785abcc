/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Chooses the families of a device's queues. */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Queues of a transfer family that a device needs, or has none (stream/transfers.h). */
#define GPU_TRANSFER_QUEUES 2

/* Sets *@work to the index of the family of the queue for all work, and *@transfer to that
 * of the transfer queues, or to *@work if there are none. Returns FALSE if no family in
 * @list, of @n, does compute. */
gboolean gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer);

G_END_DECLS
