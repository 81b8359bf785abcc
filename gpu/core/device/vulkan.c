/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The lifetime of a device, and the errors of its driver. Objects that depend on a device
 * register themselves (see GpuDeviceObject); candidate.c and open.c choose the device. */
#include "instance.h"
#include "process.h"
#include "vulkan.h"

#include <stdlib.h>
#include <string.h>

/* --- losses --- */

gboolean
gpu_device_check (GpuDevice * device, VkResult result, const gchar * what,
    GError ** error)
{
  /* In a forked child or at exit, results have no meaning. */
  if (result != VK_SUCCESS && !gpu_process_check (error))
    return FALSE;
  if (result == VK_ERROR_DEVICE_LOST || result == VK_TIMEOUT)
    gpu_device_mark_lost (device);
  if (result == VK_TIMEOUT)
    g_atomic_int_set (&device->hung, TRUE);
  return gpu_result_check (result, what, error);
}

gboolean
gpu_device_is_lost (GpuDevice * device)
{
  return g_atomic_int_get (&device->lost) || gpu_process_is_over ();
}

void
gpu_device_mark_lost (GpuDevice * device)
{
  if (g_atomic_int_compare_and_exchange (&device->lost, FALSE, TRUE))
    gpu_instance_note_loss ();
}

gboolean
gpu_device_look (GpuDevice * device)
{
  VkResult result;

  if (gpu_device_is_lost (device) || !gpu_process_enter (NULL))
    return FALSE;
  gpu_device_lock_queues (device);
  result = device->vk.vkQueueSubmit (device->queue, 0, NULL, VK_NULL_HANDLE);
  gpu_device_unlock_queues (device);
  gpu_process_leave ();
  return gpu_device_check (device, result, device->info.name, NULL)
      || !gpu_device_is_lost (device);
}

gboolean
gpu_device_check_alive (GpuDevice * device, GError ** error)
{
  return gpu_process_check (error) && (!gpu_device_is_lost (device)
      || gpu_result_check (VK_ERROR_DEVICE_LOST, device->info.name, error));
}

/* --- queues --- */

void
gpu_device_lock_queues (GpuDevice * device)
{
  g_mutex_lock (&device->queue_lock);
  if (device->foreign.lock)
    device->foreign.lock (device->foreign.owner);
}

void
gpu_device_unlock_queues (GpuDevice * device)
{
  if (device->foreign.unlock)
    device->foreign.unlock (device->foreign.owner);
  g_mutex_unlock (&device->queue_lock);
}

const GpuForeignDevice *
gpu_device_get_adopted (GpuDevice * device)
{
  return device->foreign.device ? &device->foreign : NULL;
}

/* --- names --- */

void
gpu_device_name_object (GpuDevice * device, VkObjectType type,
    guint64 handle, const gchar * name)
{
  VkDebugUtilsObjectNameInfoEXT info = {
    .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
    .objectType = type,
    .objectHandle = handle,
    .pObjectName = name,
  };

  if (device->set_object_name)
    device->set_object_name (device->device, &info);
}

/* --- objects of a device --- */

typedef struct
{
  const GpuDeviceObject *kind;
  gpointer object;
} OwnedObject;

gpointer
gpu_device_get_object (GpuDevice * device, const GpuDeviceObject * kind)
{
  OwnedObject owned = { kind, NULL };

  g_mutex_lock (&device->objects_lock);
  for (guint i = 0; i < device->objects->len && !owned.object; i++) {
    OwnedObject *known = &g_array_index (device->objects, OwnedObject, i);

    if (known->kind == kind)
      owned.object = known->object;
  }
  if (!owned.object) {
    owned.object = kind->make (device);
    g_array_append_val (device->objects, owned);
  }
  g_mutex_unlock (&device->objects_lock);
  return owned.object;
}

/* In reverse order: later objects may use earlier ones. */
static void
destroy_objects (GpuDevice * device)
{
  for (guint i = device->objects->len; i-- > 0;) {
    OwnedObject *owned = &g_array_index (device->objects, OwnedObject, i);

    owned->kind->destroy (owned->object);
  }
  g_array_set_size (device->objects, 0);
}

/* --- exit() ---
 *
 * Other threads still run while exit() calls the exit handlers of drivers, which free what
 * those threads use. */

/* Compiling a pipeline takes seconds on a CPU. */
#define EXIT_TIMEOUT_US (10 * G_USEC_PER_SEC)

static GMutex watch_lock;       /* protects the variables below */
static GSList *watched;         /* the open devices */
static GHashTable *known_ids;   /* all devices ever opened: driver UUID + UUID */

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
  VkResult result;

  if (left <= 0 || g_atomic_int_get (&device->hung)
      || vk->vkCreateFence (device->device, &info, NULL, &fence) != VK_SUCCESS)
    return;
  gpu_device_lock_queues (device);
  result = vk->vkQueueSubmit (queue, 0, NULL, fence);
  gpu_device_unlock_queues (device);
  if (result != VK_SUCCESS
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

  if (!gpu_process_close_at_end (deadline))
    return;
  g_mutex_lock (&watch_lock);
  for (GSList * l = watched; l; l = l->next)
    drain (l->data, deadline);
  g_mutex_unlock (&watch_lock);
}

void
gpu_ending_comes_first (void)
{
  if (!gpu_process_is_over ())
    atexit (end);
}

void
gpu_device_watch_exit (GpuDevice * device)
{
  g_mutex_lock (&watch_lock);
  if (!g_slist_find (watched, device))
    watched = g_slist_prepend (watched, device);
  if (!known_ids)
    known_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  /* Register once per device and driver, not once per opening. */
  if (g_hash_table_add (known_ids, g_strconcat (device->info.driver_uuid,
              device->info.uuid, NULL)))
    atexit (end);
  g_mutex_unlock (&watch_lock);
}

static void
stop_watching (GpuDevice * device)
{
  g_mutex_lock (&watch_lock);
  watched = g_slist_remove (watched, device);
  g_mutex_unlock (&watch_lock);
}

/* --- shared devices --- */

static GMutex shared_lock;
static GSList *shared;          /* of GpuDevice; holds no references */

void
gpu_device_share (GpuDevice * device)
{
  g_mutex_lock (&shared_lock);
  shared = g_slist_prepend (shared, device);
  g_mutex_unlock (&shared_lock);
}

static void
stop_sharing (GpuDevice * device)
{
  g_mutex_lock (&shared_lock);
  shared = g_slist_remove (shared, device);
  g_mutex_unlock (&shared_lock);
}

/* Returns FALSE if the last reference is already gone. */
static gboolean
try_ref (GpuDevice * device)
{
  gint refs;

  do {
    refs = g_atomic_int_get (&device->refs);
    if (refs == 0)
      return FALSE;
  } while (!g_atomic_int_compare_and_exchange (&device->refs, refs, refs + 1));
  return TRUE;
}

gboolean
gpu_device_info_is_same (const GpuDeviceInfo * one, const GpuDeviceInfo * other)
{
  return !strcmp (one->uuid, other->uuid)
      && !strcmp (one->driver_uuid, other->driver_uuid);
}

GpuDevice *
gpu_device_find_shared (const GpuDeviceInfo * info, VkDevice foreign)
{
  GpuDevice *found = NULL;

  g_mutex_lock (&shared_lock);
  for (GSList * l = shared; l && !found; l = l->next) {
    GpuDevice *device = l->data;

    if (gpu_device_info_is_same (&device->info, info)
        && device->foreign.device == foreign && !gpu_device_is_lost (device)
        && try_ref (device))
      found = device;
  }
  g_mutex_unlock (&shared_lock);
  return found;
}

/* --- lifetime --- */

GpuDevice *
gpu_device_new (void)
{
  GpuDevice *device = g_new0 (GpuDevice, 1);

  device->refs = 1;
  g_mutex_init (&device->queue_lock);
  g_mutex_init (&device->objects_lock);
  device->objects = g_array_new (FALSE, FALSE, sizeof (OwnedObject));
  return device;
}

GpuDevice *
gpu_device_ref (GpuDevice * device)
{
  g_atomic_int_inc (&device->refs);
  return device;
}

/* Does not wait for the device: every stream has waited for its own work, or has
 * leaked its reference to the device (see gpu_stream_unref()). */
void
gpu_device_close (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  if (!device->device)
    return;
  destroy_objects (device);
  stop_watching (device);
  vk->vkDestroyPipelineLayout (device->device, device->pipeline_layout, NULL);
  vk->vkDestroyDescriptorSetLayout (device->device, device->set_layout, NULL);
  if (!device->foreign.device)
    vk->vkDestroyDevice (device->device, NULL);
  device->pipeline_layout = VK_NULL_HANDLE;
  device->set_layout = VK_NULL_HANDLE;
  device->device = VK_NULL_HANDLE;
}

void
gpu_device_unref (GpuDevice * device)
{
  if (!g_atomic_int_dec_and_test (&device->refs)
      || !gpu_process_enter (NULL))
    return;
  stop_sharing (device);
  gpu_device_close (device);
  if (device->foreign.release)
    device->foreign.release (device->foreign.owner);
  g_clear_pointer (&device->instance, gpu_instance_unref);
  g_free (device->passed_over);
  g_array_unref (device->objects);
  g_mutex_clear (&device->objects_lock);
  g_mutex_clear (&device->queue_lock);
  g_free (device);
  gpu_process_leave ();
}

/* --- properties --- */

const GpuDeviceInfo *
gpu_device_get_info (GpuDevice * device)
{
  return &device->info;
}

const gchar *
gpu_device_get_passed_over (GpuDevice * device)
{
  return g_atomic_pointer_get (&device->passed_over);
}

gboolean
gpu_device_is_slow (GpuDevice * device)
{
  return device->info.kind == GPU_DEVICE_CPU
      || device->info.kind == GPU_DEVICE_OTHER;
}

guint64
gpu_device_get_allocated (GpuDevice * device)
{
  guint64 sum = 0;

  for (guint i = 0; i < VK_MAX_MEMORY_HEAPS; i++)
    sum += (gsize) g_atomic_pointer_get (&device->allocated[i]);
  return sum;
}
