/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "process.h"

#include "vulkan.h"

#include <pthread.h>
#include <stdlib.h>

/* --- the gate --- */

#define LOOK_US 1000            /* interval at which the end checks for threads inside */

enum
{
  OPEN,
  FORKED,
  ENDING,
};

static gint state;              /* atomic, like the next two */
static gint inside;             /* number of entries not yet left */
static gint is_used;            /* an instance was created */

/* Runs in the child. If a thread of the parent was inside, the child must not use Vulkan
 * either: the locks of that thread are never released. */
static void
close_in_child (void)
{
  if (g_atomic_int_get (&is_used) || g_atomic_int_get (&inside) > 0)
    g_atomic_int_set (&state, FORKED);
}

void
gpu_process_watch_forks (void)
{
  static gsize is_watching;

  if (g_once_init_enter (&is_watching)) {
    pthread_atfork (NULL, NULL, close_in_child);
    g_once_init_leave (&is_watching, TRUE);
  }
}

void
gpu_process_note_use (void)
{
  g_atomic_int_set (&is_used, TRUE);
}

gboolean
gpu_process_is_over (void)
{
  return g_atomic_int_get (&state) != OPEN;
}

gboolean
gpu_process_check (GError ** error)
{
  switch (g_atomic_int_get (&state)) {
    case OPEN:
      return TRUE;
    case FORKED:
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_FAILED,
          "this process was forked from one that had used Vulkan, and so cannot "
          "use it; fork before GStreamer opens a device, or let the child "
          "start a program of its own (exec)");
      return FALSE;
    default:
      g_set_error_literal (error, GPU_ERROR, GPU_ERROR_CANCELLED,
          "the process is ending");
      return FALSE;
  }
}

/* Increments the count before it checks the state. So either close_at_end() sees the
 * count, or this thread sees the new state. */
gboolean
gpu_process_enter (GError ** error)
{
  g_atomic_int_inc (&inside);
  if (gpu_process_check (error))
    return TRUE;
  gpu_process_leave ();
  return FALSE;
}

void
gpu_process_leave (void)
{
  g_atomic_int_add (&inside, -1);
}

/* Closes the gate because the process ends, and waits for the threads inside until
 * @deadline (g_get_monotonic_time()). Returns FALSE if threads are still inside, or if
 * the gate was already closed. */
static gboolean
close_at_end (gint64 deadline)
{
  if (!g_atomic_int_compare_and_exchange (&state, OPEN, ENDING))
    return FALSE;
  while (g_atomic_int_get (&inside) > 0 && g_get_monotonic_time () < deadline)
    g_usleep (LOOK_US);
  return g_atomic_int_get (&inside) <= 0;
}

/* --- exit() ---
 *
 * Other threads still run while exit() calls the exit handlers of drivers, which free what
 * those threads use. */

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

  if (!close_at_end (deadline))
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
