/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Transfer queues. A card has engines that only copy. Where a family of queues is for these
 * alone, and has two (gpu/core/open/create.c), frames are uploaded on one of them and
 * downloaded on the other, while shaders work on other frames. On other devices, and in
 * streams with few slots, both are commands among those of the work. What is in order then is
 * told in chain.h. */
#pragma once

#include "gpu/core/memory/buffer.h"
#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Of a chain (chain.h): an empty batch each on two queues, the upload, the work, the download.
 * Between each two of them is a semaphore. */
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
  gboolean follows_download_queue;      /* an earlier submission of the stream, whose last
                                   batch is on the download queue, may be under way */
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

/* Call this when the submission that they belong to is done. */
void gpu_transfers_end (GpuTransfers * transfers);

/* Returns whether @transfer, which is done, was timed, and sets *@time to its ns then. */
gboolean gpu_transfer_get_time (const GpuTransfer * transfer,
    const GpuTransfers * transfers, GpuDevice * device, guint64 * time);

G_END_DECLS
