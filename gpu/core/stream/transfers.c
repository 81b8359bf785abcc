/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transfers.h"
#include "gpu/core/memory/bufferhandle.h"
#include "slot.h"
#include "timings.h"

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

/* The barrier does for a download what that at the end of the work does (submit.c). An
 * upload does not need it. */
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

static void
transfer (GpuStream * stream, GpuTransfer * transfer, GpuBuffer * from,
    GpuBuffer * to)
{
  GpuSlot *slot = stream->recording;

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
  if (stream->error)
    return;
  if (uses_transfer_queues (stream)) {
    transfer (stream, &stream->recording->transfers.upload, from, to);
    return;
  }
  gpu_stream_stage (stream, "upload");
  gpu_stream_copy (stream, from, 0, to, 0, to->size);
}

void
gpu_stream_download (GpuStream * stream, GpuBuffer * from, GpuBuffer * to)
{
  if (stream->error)
    return;
  if (uses_transfer_queues (stream)) {
    transfer (stream, &stream->recording->transfers.download, from, to);
    return;
  }
  gpu_stream_stage (stream, "download");
  gpu_stream_copy (stream, from, 0, to, 0, to->size);
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

void
gpu_stream_ready_transfers (GpuStream * stream, GpuSlot * slot)
{
  slot->transfers.upload.to = slot->transfers.download.to = NULL;
  if (uses_transfer_queues (stream))
    ready_queries (stream, slot);
}

void
gpu_transfers_end (GpuTransfers * transfers)
{
  transfers->is_reset = !transfers->is_timed
      || (!transfers->upload.to && !transfers->download.to);
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
