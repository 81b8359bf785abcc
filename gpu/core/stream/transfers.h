/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfer queues. A card has engines that only copy. Where a family of queues is for these
 * alone, and has two (gpu/core/open/queues.c), frames are uploaded on one of them and
 * downloaded on the other, while shaders work on other frames. On other devices, and in
 * streams with few slots, both are commands among those of the work.
 *
 * A submission is then a chain of up to three batches, on three queues: the upload, the
 * work, the download. Each waits for the one before it by a semaphore, and the last one
 * signals the fence. So a ticket is that of the whole chain. The fences of a stream are
 * signalled in order: if the chain of an earlier submission that may be under way ends on the
 * download queue, this one ends there too, with an empty batch.
 *
 * The work of all submissions is done in order. So later work also sees what was uploaded
 * for earlier work. But an upload may run before earlier work, or an earlier download, is
 * done; and work may run before an earlier download is done. This matters if they use the
 * same buffers, which is rare: the CPU waits for both before it writes a frame, and a pool
 * has more frames than are under way. So the submissions under way that use a buffer are
 * counted. If it matters, the chain begins with an empty batch on the queue that must be
 * waited for. Its semaphore is signalled when all that was submitted to that queue is
 * done. */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Of a chain: an empty batch each on two queues, and the three above. Between each two of
 * them is a semaphore. */
#define GPU_MAX_BATCHES 5

/* A copy on a transfer queue. */
typedef struct
{
  VkCommandBuffer commands;
  guint first_query;            /* timestamps: before the copy, and after it */
  GpuBuffer *from, *to;         /* kept by the slot; NULL: nothing is recorded */
} GpuTransfer;

/* What a slot has for them; all NULL on a device without transfer queues. */
typedef struct
{
  VkCommandPool pool;
  GpuTransfer upload, download;
  gboolean ends_there;          /* after an earlier submission of the stream whose last batch
                                   is on the download queue, and may be under way */
  VkQueryPool queries;          /* VK_NULL_HANDLE if the queues have no timestamps */
  gboolean is_reset;            /* the queries can be used */
  gboolean is_timed;            /* they are, by the copies at hand */
  VkSemaphore semaphores[GPU_MAX_BATCHES - 1];
} GpuTransfers;

/* Creates the Vulkan objects. @transfers must be zeroed. @name: for debuggers. Returns FALSE
 * with @error set on failure; the caller must then still call gpu_transfers_clear(). */
gboolean gpu_transfers_init (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error);
void gpu_transfers_clear (GpuTransfers * transfers, GpuDevice * device);

/* Returns whether @transfer, which is done, was timed, and sets *@time to its ns then. */
gboolean gpu_transfer_get_time (const GpuTransfer * transfer,
    const GpuTransfers * transfers, GpuDevice * device, guint64 * time);

G_END_DECLS
