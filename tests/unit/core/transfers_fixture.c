/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "transfers_fixture.h"

#include "affine.h"
#include "gpu_hooks.h"

static VkQueue queues[N_QUEUES];        /* those of the device, or only names */

Queue
transfers_fixture_find (VkQueue queue)
{
  Queue i = 0;

  while (queues[i] != queue)
    i++;
  return i;
}

VkResult
transfers_fixture_send (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  GpuDevice *device = the_fixture.device;

  if (device->transfer_family == device->queue_family)
    queue = device->queue;
  return gpu_hooks_get_driver ()->vkQueueSubmit (queue, n, infos, fence);
}

Fixture *
transfers_fixture_setup (PFN_vkQueueSubmit see)
{
  Fixture *fixture = setup (1);
  GpuDevice *device = fixture->device;

  if (!device->upload_queue) {
    device->upload_queue = (VkQueue) & queues[UPLOADS];
    device->download_queue = (VkQueue) & queues[DOWNLOADS];
  }
  queues[UPLOADS] = device->upload_queue;
  queues[WORK] = device->queue;
  queues[DOWNLOADS] = device->download_queue;
  device->vk.vkQueueSubmit = see;
  g_clear_pointer (&fixture->stream, gpu_stream_unref);
  fixture->stream = new_stream (device, 4);
  return fixture;
}

void
transfers_fixture_work (GpuStream * stream, GpuBuffer * from, GpuBuffer * work,
    GpuBuffer * to, guint addend)
{
  begin (stream);
  if (from)
    gpu_stream_upload (stream, from, work);
  affine_record (stream, the_fixture.kernel, work, N, addend);
  if (to)
    gpu_stream_download (stream, work, to);
  submit (stream, NULL);
}
