/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "chain.h"
#include "gpu/core/memory/bufferhandle.h"

/* --- submissions under way --- */

static GpuBuffer *
whole_of (GpuBuffer * buffer)
{
  return buffer->whole ? buffer->whole : buffer;
}

/* @n: 1 when the submission begins, -1 when it is done. */
static void
count (GpuSlot * slot, GpuDevice * device, gint n)
{
  const GpuTransfer *download = &slot->transfers.download;

  if (!device->upload_queue)
    return;
  for (guint i = 0; i < slot->buffers->len; i++)
    g_atomic_int_add (&whole_of (slot->buffers->pdata[i])->uses, n);
  if (!download->to)
    return;
  g_atomic_int_add (&download->from->downloads, n);
  g_atomic_int_add (&download->to->downloads, n);
}

void
gpu_slot_end_chain (GpuSlot * slot, GpuDevice * device)
{
  count (slot, device, -1);
  gpu_transfers_end (&slot->transfers);
}

static gboolean
is_used (const GpuTransfer * upload)
{
  return g_atomic_int_get (&upload->from->uses) > 0
      || g_atomic_int_get (&upload->to->uses) > 0;
}

static gboolean
uses_downloaded (const GpuSlot * slot)
{
  for (guint i = 0; i < slot->buffers->len; i++)
    if (g_atomic_int_get (&whole_of (slot->buffers->pdata[i])->downloads) > 0)
      return TRUE;
  return FALSE;
}

/* Whether the last batch of the submission is on the download queue. */
static gboolean
ends_on_download_queue (const GpuTransfers * transfers)
{
  return transfers->download.to || transfers->follows_download_queue;
}

static gboolean
follows_download_queue (const GpuStream * stream)
{
  for (guint i = 0; i < stream->n_slots; i++)
    if (stream->slots[i].pending
        && ends_on_download_queue (&stream->slots[i].transfers))
      return TRUE;
  return FALSE;
}

void
gpu_stream_ready_chain (GpuStream * stream, GpuSlot * slot)
{
  slot->transfers.follows_download_queue = follows_download_queue (stream);
}

/* --- batches --- */

typedef struct
{
  VkQueue queue;
  VkCommandBuffer commands;     /* NULL: none */
} Batch;

typedef struct
{
  guint n;
  Batch batches[GPU_MAX_BATCHES];
} Chain;

static void
add_batch (Chain * chain, VkQueue queue, VkCommandBuffer commands)
{
  const Batch batch = { queue, commands };

  chain->batches[chain->n++] = batch;
}

static void
make_chain (Chain * chain, const GpuSlot * slot, const GpuDevice * device)
{
  const GpuTransfer *upload = &slot->transfers.upload;
  const GpuTransfer *download = &slot->transfers.download;

  chain->n = 0;
  if (device->download_queue && uses_downloaded (slot))
    add_batch (chain, device->download_queue, NULL);
  if (upload->to && is_used (upload))
    add_batch (chain, device->queue, NULL);
  if (upload->to)
    add_batch (chain, device->upload_queue, upload->commands);
  add_batch (chain, device->queue, slot->commands.buffer);
  if (ends_on_download_queue (&slot->transfers))
    add_batch (chain, device->download_queue,
        download->to ? download->commands : NULL);
}

/* @before, @after: semaphores, or NULL. */
static VkResult
send_batch (GpuDevice * device, const Batch * batch, const VkSemaphore * before,
    const VkSemaphore * after, VkFence fence)
{
  const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .waitSemaphoreCount = before ? 1 : 0,
    .pWaitSemaphores = before,
    .pWaitDstStageMask = &stages,
    .commandBufferCount = batch->commands ? 1 : 0,
    .pCommandBuffers = &batch->commands,
    .signalSemaphoreCount = after ? 1 : 0,
    .pSignalSemaphores = after,
  };

  return device->vk.vkQueueSubmit (batch->queue, 1, &info, fence);
}

/* What began cannot be taken back. The fence alone follows all of it, as a fence follows
 * all that was sent to its queue before. So the stream's end can wait for it. */
static VkResult
break_off (const GpuSlot * slot, GpuDevice * device, const Batch * last)
{
  device->vk.vkQueueSubmit (last->queue, 0, NULL, slot->commands.fence);
  return VK_ERROR_DEVICE_LOST;
}

VkResult
gpu_slot_send (GpuSlot * slot, GpuDevice * device)
{
  const VkSemaphore *semaphores = slot->transfers.semaphores;
  VkResult result = VK_SUCCESS;
  Chain chain;

  make_chain (&chain, slot, device);
  for (guint i = 0; i < chain.n && result == VK_SUCCESS; i++) {
    gboolean is_last = i + 1 == chain.n;

    result = send_batch (device, &chain.batches[i],
        i > 0 ? &semaphores[i - 1] : NULL, is_last ? NULL : &semaphores[i],
        is_last ? slot->commands.fence : VK_NULL_HANDLE);
    if (result != VK_SUCCESS && i > 0)
      result = break_off (slot, device, &chain.batches[i - 1]);
  }
  /* If the device was lost, the submission may be under way (submit.c). */
  if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST)
    count (slot, device, 1);
  return result;
}
