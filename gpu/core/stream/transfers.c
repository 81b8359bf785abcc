/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A submission is a chain of batches, most often of one: the work. With transfer queues there
 * are up to three, on three queues: the upload, the work, the download. Each waits for the one
 * before it by a semaphore, and the last one signals the fence. So a ticket is that of the
 * whole chain. The fences of a stream are signalled in order: if the chain of an earlier
 * submission that may be under way ends on the download queue, this one ends there too, with
 * an empty batch.
 *
 * The work of all submissions is done in order. So later work also sees what was uploaded
 * for earlier work. But an upload may run before earlier work, or an earlier download, is
 * done; and work may run before an earlier download is done. This matters if they use the
 * same buffers, which is rare: the CPU waits for both before it writes a frame, and a pool
 * has more frames than are under way. So the submissions under way that use a buffer are
 * counted. If it matters, the chain begins with an empty batch on the queue that must be
 * waited for. Its semaphore is signalled when all that was submitted to that queue is
 * done. */
#include "gpu/core/memory/bufferhandle.h"
#include "ring.h"

/* --- objects --- */

static gboolean
init_commands (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error)
{
  struct VolkDeviceTable *vk = &device->vk;
  VkCommandPoolCreateInfo pool = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
    .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
    .queueFamilyIndex = device->transfer_family,
  };
  VkCommandBufferAllocateInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
    .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
    .commandBufferCount = 2,
  };
  VkCommandBuffer buffers[2];

  if (!gpu_device_check (device, vk->vkCreateCommandPool (device->device,
              &pool, NULL, &transfers->pool), name, error))
    return FALSE;
  info.commandPool = transfers->pool;
  if (!gpu_device_check (device, vk->vkAllocateCommandBuffers (device->device,
              &info, buffers), name, error))
    return FALSE;
  transfers->upload.commands = buffers[0];
  transfers->download.commands = buffers[1];
  return TRUE;
}

/* Of each copy. */
#define QUERIES 2

static gboolean
init_queries (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error)
{
  const VkQueryPoolCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
    .queryType = VK_QUERY_TYPE_TIMESTAMP,
    .queryCount = 2 * QUERIES,
  };

  transfers->download.first_query = QUERIES;
  return device->info.timestamp_period == 0
      || device->transfer_timestamp_mask == 0
      || gpu_device_check (device, device->vk.vkCreateQueryPool
      (device->device, &info, NULL, &transfers->queries), name, error);
}

static gboolean
init_semaphores (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error)
{
  VkSemaphoreCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
  };

  for (guint i = 0; i < G_N_ELEMENTS (transfers->semaphores); i++)
    if (!gpu_device_check (device, device->vk.vkCreateSemaphore
            (device->device, &info, NULL, &transfers->semaphores[i]), name,
            error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_transfers_init (GpuTransfers * transfers, GpuDevice * device,
    const gchar * name, GError ** error)
{
  return !device->upload_queue
      || (init_commands (transfers, device, name, error)
      && init_queries (transfers, device, name, error)
      && init_semaphores (transfers, device, name, error));
}

void
gpu_transfers_clear (GpuTransfers * transfers, GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  for (guint i = 0; i < G_N_ELEMENTS (transfers->semaphores); i++)
    vk->vkDestroySemaphore (device->device, transfers->semaphores[i], NULL);
  vk->vkDestroyQueryPool (device->device, transfers->queries, NULL);
  vk->vkDestroyCommandPool (device->device, transfers->pool, NULL);
}

/* --- recording --- */

/* With fewer submissions in flight, too little goes on beside a copy to make up for the
 * waits between queues (docs/internals/benchmarks.md). */
#define FEWEST_SLOTS 3

static gboolean
uses_transfer_queues (const GpuStream * stream)
{
  return stream->device->upload_queue && stream->n_slots >= FEWEST_SLOTS;
}

static void
write_tick (GpuDevice * device, const GpuTransfer * transfer,
    const GpuTransfers * transfers, guint i)
{
  if (transfers->is_timed)
    device->vk.vkCmdWriteTimestamp (transfer->commands,
        VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, transfers->queries,
        transfer->first_query + i);
}

/* The barrier makes a download visible to the CPU, as that at the end of the work does for
 * what shaders write (submit.c). An upload does not need it. */
static VkResult
record (GpuDevice * device, const GpuTransfer * transfer,
    const GpuTransfers * transfers)
{
  struct VolkDeviceTable *vk = &device->vk;
  const VkCommandBufferBeginInfo info = {
    .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
    .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
  };
  const VkBufferCopy region = {.size = transfer->to->size};
  const VkMemoryBarrier barrier = {
    .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
    .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
    .dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT,
  };
  VkResult result = vk->vkBeginCommandBuffer (transfer->commands, &info);

  if (result != VK_SUCCESS)
    return result;
  write_tick (device, transfer, transfers, 0);
  vk->vkCmdCopyBuffer (transfer->commands, transfer->from->handle,
      transfer->to->handle, 1, &region);
  write_tick (device, transfer, transfers, 1);
  vk->vkCmdPipelineBarrier (transfer->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
      VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
  return vk->vkEndCommandBuffer (transfer->commands);
}

/* @stage: "upload" or "download", where there is no transfer queue. */
static void
copy_frame (GpuStream * stream, GpuBuffer * from, GpuBuffer * to,
    gboolean is_upload, const gchar * stage)
{
  GpuSlot *slot = stream->recording;
  GpuTransfer *transfer;

  if (stream->error)
    return;
  g_return_if_fail (slot != NULL);
  if (!uses_transfer_queues (stream)) {
    gpu_stream_stage (stream, stage);
    gpu_stream_copy (stream, from, 0, to, 0, to->size);
    return;
  }
  transfer = is_upload ? &slot->transfers.upload : &slot->transfers.download;
  g_return_if_fail (transfer->to == NULL);
  g_ptr_array_add (slot->buffers, gpu_buffer_ref (from));
  g_ptr_array_add (slot->buffers, gpu_buffer_ref (to));
  transfer->from = from;
  transfer->to = to;
  gpu_device_check (stream->device, record (stream->device, transfer,
          &slot->transfers), stream->name, &stream->error);
}

void
gpu_stream_upload (GpuStream * stream, GpuBuffer * from, GpuBuffer * to)
{
  copy_frame (stream, from, to, TRUE, "upload");
}

void
gpu_stream_download (GpuStream * stream, GpuBuffer * from, GpuBuffer * to)
{
  copy_frame (stream, from, to, FALSE, "download");
}

/* --- times --- */

/* Transfer queues cannot reset queries. The work does, once those of an earlier submission
 * were read; so copies are timed at most in every second submission of a slot. They are
 * timed if commands are, and until the time of one is known. */
static void
ready_queries (GpuStream * stream, GpuSlot * slot)
{
  GpuTransfers *transfers = &slot->transfers;

  transfers->is_timed = transfers->queries && transfers->is_reset
      && (slot->times_commands || !stream->knows_copies);
  if (transfers->queries && !transfers->is_reset)
    stream->device->vk.vkCmdResetQueryPool (slot->commands.buffer,
        transfers->queries, 0, 2 * QUERIES);
}

gboolean
gpu_transfer_get_time (const GpuTransfer * transfer,
    const GpuTransfers * transfers, GpuDevice * device, guint64 * time)
{
  const GpuTickClock clock = { device->transfer_timestamp_mask,
    device->info.timestamp_period
  };
  guint64 ticks[QUERIES];

  if (!transfers->is_timed
      || device->vk.vkGetQueryPoolResults (device->device, transfers->queries,
          transfer->first_query, QUERIES, sizeof ticks, ticks, sizeof ticks[0],
          VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
    return FALSE;
  *time = gpu_timings_get_ns (&clock, ticks[0], ticks[1]);
  return TRUE;
}

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
  GpuTransfers *transfers = &slot->transfers;

  gpu_slot_wait_for_signals (slot, device);
  count (slot, device, -1);
  transfers->is_reset = !transfers->is_timed
      || (!transfers->upload.to && !transfers->download.to);
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
gpu_stream_ready_transfers (GpuStream * stream, GpuSlot * slot)
{
  slot->transfers.upload.to = slot->transfers.download.to = NULL;
  if (uses_transfer_queues (stream))
    ready_queries (stream, slot);
  slot->transfers.follows_download_queue = follows_download_queue (stream);
}

/* --- batches --- */

typedef struct
{
  VkQueue queue;
  VkCommandBuffer commands;     /* NULL: none */
} Batch;

/* Fills in the batches of a submission and returns their number. */
static guint
list_batches (Batch batches[GPU_MAX_BATCHES], const GpuSlot * slot,
    const GpuDevice * device)
{
  const GpuTransfer *upload = &slot->transfers.upload;
  const GpuTransfer *download = &slot->transfers.download;
  guint n = 0;

  if (device->download_queue && uses_downloaded (slot))
    batches[n++] = (Batch) {device->download_queue, NULL};
  if (upload->to && is_used (upload))
    batches[n++] = (Batch) {device->queue, NULL};
  if (upload->to)
    batches[n++] = (Batch) {device->upload_queue, upload->commands};
  batches[n++] = (Batch) {device->queue, slot->commands.buffer};
  if (ends_on_download_queue (&slot->transfers))
    batches[n++] = (Batch) {device->download_queue,
      download->to ? download->commands : NULL};
  return n;
}

/* @has_values: some semaphores are timeline semaphores. */
static VkResult
send_batch (GpuDevice * device, const Batch * batch,
    const GpuSemaphores * waits, const GpuSemaphores * signals,
    gboolean has_values, VkFence fence)
{
  VkPipelineStageFlags stages[GPU_MAX_SEMAPHORES];
  const VkTimelineSemaphoreSubmitInfo values = {
    .sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
    .waitSemaphoreValueCount = waits->n,
    .pWaitSemaphoreValues = waits->values,
    .signalSemaphoreValueCount = signals->n,
    .pSignalSemaphoreValues = signals->values,
  };
  const VkSubmitInfo info = {
    .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
    .pNext = has_values ? &values : NULL,
    .waitSemaphoreCount = waits->n,
    .pWaitSemaphores = waits->handles,
    .pWaitDstStageMask = stages,
    .commandBufferCount = batch->commands ? 1 : 0,
    .pCommandBuffers = &batch->commands,
    .signalSemaphoreCount = signals->n,
    .pSignalSemaphores = signals->handles,
  };

  for (guint i = 0; i < waits->n; i++)
    stages[i] = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
  return device->vk.vkQueueSubmit (batch->queue, 1, &info, fence);
}

/* Sends batch @i of @n of @slot. What others signal, and wait for, concerns the work. */
static VkResult
send_nth (GpuSlot * slot, GpuDevice * device, const Batch * batches, guint i,
    guint n)
{
  const VkSemaphore *between = slot->transfers.semaphores;
  const gboolean is_work = batches[i].commands == slot->commands.buffer;
  const gboolean is_last = i + 1 == n;
  GpuSemaphores waits = { 0 }, signals = { 0 };

  if (is_work) {
    waits = slot->waits;
    signals = slot->signals;
  }
  if (i > 0)
    waits.handles[waits.n++] = between[i - 1];
  if (!is_last)
    signals.handles[signals.n++] = between[i];
  return send_batch (device, &batches[i], &waits, &signals,
      is_work && slot->waits.n + slot->signals.n > 0,
      is_last ? slot->commands.fence : VK_NULL_HANDLE);
}

VkResult
gpu_slot_send (GpuSlot * slot, GpuDevice * device)
{
  Batch batches[GPU_MAX_BATCHES];
  const guint n = list_batches (batches, slot, device);
  VkResult result = VK_SUCCESS;

  for (guint i = 0; i < n && result == VK_SUCCESS; i++) {
    result = send_nth (slot, device, batches, i, n);
    if (result != VK_SUCCESS && i > 0) {
      /* Batches that were submitted cannot be taken back. A fence is signalled after all that
       * was submitted to its queue before, so the stream can still wait for them. */
      device->vk.vkQueueSubmit (batches[i - 1].queue, 0, NULL,
          slot->commands.fence);
      result = VK_ERROR_DEVICE_LOST;
    }
  }
  /* If the device was lost, the submission may be under way (submit.c). */
  if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST)
    count (slot, device, 1);
  return result;
}
