/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Handles exit() while devices are busy. Other threads still run while exit() calls
 * the exit handlers of drivers, which free what those threads use. */
#include "ending.h"
#include "process.h"

#include <stdlib.h>

/* Compiling a pipeline takes seconds on a CPU. */
#define EXIT_TIMEOUT_US (10 * G_USEC_PER_SEC)

static GMutex lock;             /* protects the variables below */
static GSList *devices;         /* the open ones */
static GHashTable *known;       /* all devices ever opened: driver UUID + UUID */

/* Waits for the queue: it runs in order, so a fence submitted last is signalled last.
 * No other thread is inside the gate (process.h). */
static void
drain_queue (GpuDevice * device, VkQueue queue, gint64 deadline)
{
  struct VolkDeviceTable *vk = &device->vk;
  gint64 left = deadline - g_get_monotonic_time ();
  VkFenceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
  };
  VkFence fence;

  if (left <= 0 || g_atomic_int_get (&device->hung)
      || vk->vkCreateFence (device->device, &info, NULL, &fence) != VK_SUCCESS)
    return;
  if (vk->vkQueueSubmit (queue, 0, NULL, fence) != VK_SUCCESS
      || vk->vkWaitForFences (device->device, 1, &fence, VK_TRUE,
          left * 1000) == VK_SUCCESS)
    vk->vkDestroyFence (device->device, fence, NULL);
}

/* Uploads are done before the work that waits for them. */
static void
drain (GpuDevice * device, gint64 deadline)
{
  drain_queue (device, device->queue, deadline);
  if (device->download_queue)
    drain_queue (device, device->download_queue, deadline);
}

/* The handler that was registered last runs first and does all the work. The drivers'
 * handlers run after it, possibly before the other instances of this handler, which do
 * nothing. */
static void
end (void)
{
  gint64 deadline = g_get_monotonic_time () + EXIT_TIMEOUT_US;

  if (!gpu_process_end (deadline))
    return;
  g_mutex_lock (&lock);
  for (GSList * l = devices; l; l = l->next)
    drain (l->data, deadline);
  g_mutex_unlock (&lock);
}

void
gpu_ending_comes_first (void)
{
  if (!gpu_process_is_over ())
    atexit (end);
}

static gpointer
start_watching (GpuDevice * device)
{
  g_mutex_lock (&lock);
  devices = g_slist_prepend (devices, device);
  if (!known)
    known = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* Register once per device and driver, not once per opening. */
  if (g_hash_table_add (known, g_strconcat (device->info.driver_uuid,
              device->info.uuid, NULL)))
    atexit (end);
  g_mutex_unlock (&lock);
  return device;
}

static void
stop_watching (gpointer device)
{
  g_mutex_lock (&lock);
  devices = g_slist_remove (devices, device);
  g_mutex_unlock (&lock);
}

static const GpuDevicePart watch_part = { start_watching, stop_watching };

void
gpu_device_watch_exit (GpuDevice * device)
{
  gpu_device_get_part (device, &watch_part);
}
