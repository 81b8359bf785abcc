/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens a device: the first of the matching candidates that has what is needed. */
#include "candidate.h"
#include "choice.h"
#include "create.h"
#include "gpu/core/device/bindings.h"
#include "gpu/core/device/ending.h"
#include "gpu/core/device/instance.h"
#include "gpu/core/device/process.h"
#include "queues.h"

void (*gpu_device_edit) (GpuDevice * device);

/* Protects volk's globals, which hold the functions of the newest instance. */
static GMutex volk_lock;

static guint64
get_timestamp_mask (const VkQueueFamilyProperties * family)
{
  guint bits = family->timestampValidBits;

  return bits > 0 ? G_MAXUINT64 >> (64 - bits) : 0;
}

static gboolean
choose_queues (GpuDevice * device)
{
  guint32 n = 0;

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, NULL);

  g_autofree VkQueueFamilyProperties *list =
      g_new0 (VkQueueFamilyProperties, n + 1);

  vkGetPhysicalDeviceQueueFamilyProperties (device->physical, &n, list);
  if (!gpu_queues_choose (list, n, &device->queue_family,
          &device->transfer_family))
    return FALSE;
  /* Nothing is copied where the CPU and the device share their memory. */
  if (device->info.kind == GPU_DEVICE_INTEGRATED
      || device->info.kind == GPU_DEVICE_CPU)
    device->transfer_family = device->queue_family;
  device->timestamp_mask = get_timestamp_mask (&list[device->queue_family]);
  device->transfer_timestamp_mask =
      get_timestamp_mask (&list[device->transfer_family]);
  if (device->timestamp_mask == 0)
    device->info.timestamp_period = 0;
  return TRUE;
}

/* Mesa's CPU device crashes with two lanes, which LP_NATIVE_VECTOR_WIDTH=64 gives it. */
static gboolean
has_long_vectors (GpuDevice * device, const GpuCandidate * candidate)
{
  return device->driver != VK_DRIVER_ID_MESA_LLVMPIPE
      || device->info.subgroup_size > 0 || candidate->subgroup.subgroupSize > 2;
}

/* Appends @what to the list @missing, which may be NULL, unless @is_there. Takes ownership
 * of @missing. */
static gchar *
expect (gchar * missing, gboolean is_there, const gchar * what)
{
  g_autofree gchar *before = is_there ? NULL : missing;

  if (is_there)
    return missing;
  return before ? g_strconcat (before, ", ", what, NULL) : g_strdup (what);
}

static gboolean
check_requirements (GpuDevice * device, const GpuCandidate * candidate,
    const GpuNeeds * needs, GError ** error)
{
  g_autofree gchar *missing =
      gpu_device_list_missing (&device->properties, &device->info, needs);

  missing = expect (missing, has_long_vectors (device, candidate),
      "vectors of 128 bits or more");
  missing = expect (missing, choose_queues (device), "a queue for compute");
  if (missing)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "%s lacks %s", device->info.name, missing);
  return missing == NULL;
}

static gboolean
create (GpuDevice * device, GError ** error)
{
  if (!gpu_device_create (device, error))
    return FALSE;
  if (gpu_device_edit)
    gpu_device_edit (device);
  return gpu_device_create_layouts (device, error);
}

static gboolean
open_candidate (GpuDevice * device, const GpuCandidate * candidate,
    const GpuNeeds * needs, GError ** error)
{
  device->physical = candidate->physical;
  device->properties = candidate->properties;
  device->driver = candidate->driver;
  device->info = candidate->info;
  device->subgroups = candidate->subgroups;
  device->atom = candidate->properties.limits.nonCoherentAtomSize;
  device->reads_texels = gpu_bindings_want_texels (device);
  device->queries_wait = device->info.kind == GPU_DEVICE_CPU;
  vkGetPhysicalDeviceMemoryProperties (device->physical, &device->memory);
  if (!check_requirements (device, candidate, needs, error)
      || !gpu_device_check_not_hanging (&device->info, error)
      || !create (device, error)
      || !gpu_device_probe_subgroups (device, error)
      || !gpu_device_meets (device, needs, error)) {
    gpu_device_close (device);
    return FALSE;
  }
  return TRUE;
}

/* Returns the shared device if it is already open. Otherwise opens *@device, returns it,
 * and sets *@device to NULL. */
static GpuDevice *
share_or_open (GpuDevice ** device, const GpuCandidate * candidate,
    const GpuNeeds * needs, gboolean is_shared, GError ** error)
{
  g_autoptr (GpuDevice) shared =
      is_shared ? gpu_device_find_shared (&candidate->info) : NULL;

  if (shared)
    return gpu_device_meets (shared, needs, error)
        ? g_steal_pointer (&shared) : NULL;
  if (!open_candidate (*device, candidate, needs, error))
    return NULL;
  gpu_device_watch_exit (*device);
  if (is_shared)
    gpu_device_share (*device);
  return g_steal_pointer (device);
}

/* Returns the message about the rejected devices. @code: error code of the best one. */
static gchar *
describe_refused (const GString * reasons, gint code)
{
  return g_strconcat (reasons->str, code == GPU_ERROR_UNSUPPORTED
      ? "; update the driver or choose another device" : "", NULL);
}

static void
set_refused (const GString * reasons, gint code, GError ** error)
{
  g_autofree gchar *message = describe_refused (reasons, code);

  g_set_error_literal (error, GPU_ERROR, code, message);
}

/* Sets the message once only, because other threads may be reading it. */
static void
keep_refused (GpuDevice * device, const GString * reasons, gint code)
{
  if (reasons->len > 0 && !device->passed_over)
    g_atomic_pointer_set (&device->passed_over,
        describe_refused (reasons, code));
}

static GpuDevice *
open_locked (const gchar * selector, const GpuNeeds * needs,
    gboolean is_shared, GError ** error)
{
  g_autoptr (GpuDevice) device = gpu_device_new ();
  g_autoptr (GString) reasons = g_string_new (NULL);
  g_autoptr (GArray) candidates = NULL;
  gint code = 0;

  candidates = gpu_device_find_candidates (device, selector, error);
  if (!candidates)
    return NULL;
  for (guint i = 0; i < candidates->len; i++) {
    g_autoptr (GError) refusal = NULL;
    GpuDevice *opened = share_or_open (&device,
        &g_array_index (candidates, GpuCandidate, i), needs, is_shared,
        &refusal);

    if (opened) {
      keep_refused (opened, reasons, code);
      return opened;
    }
    /* Lack of memory or a lost device may be temporary, so fail instead of choosing a
     * worse device. A device that still hangs since an earlier opening is skipped: that
     * opening has already failed. */
    if (refusal->code == GPU_ERROR_OUT_OF_MEMORY || gpu_device_is_lost (device)) {
      g_propagate_error (error, g_steal_pointer (&refusal));
      return NULL;
    }
    g_info ("passed over: %s", refusal->message);
    if (i == 0)
      code = refusal->code;
    g_string_append_printf (reasons, "%s%s", i ? "; " : "", refusal->message);
  }
  set_refused (reasons, code, error);
  return NULL;
}

static GpuDevice *
open_device (const gchar * selector, const GpuNeeds * needs,
    gboolean is_shared, GError ** error)
{
  GpuDevice *device;

  gpu_process_watch_forks ();
  if (!gpu_process_enter (error))
    return NULL;
  g_mutex_lock (&volk_lock);
  device = open_locked (selector, needs, is_shared, error);
  g_mutex_unlock (&volk_lock);
  gpu_process_leave ();
  return device;
}

GpuDevice *
gpu_device_open (const gchar * selector, const GpuNeeds * needs,
    GError ** error)
{
  return open_device (selector, needs, TRUE, error);
}

GpuDevice *
gpu_device_open_own (const gchar * selector, const GpuNeeds * needs,
    GError ** error)
{
  return open_device (selector, needs, FALSE, error);
}

/* --- the same device once more --- */

/* Except its memory, which tests may have changed (gpu_device_edit). */
static GpuDevice *
copy_description (GpuDevice * device)
{
  GpuDevice *copy = gpu_device_new ();

  copy->instance = gpu_instance_ref (device->instance);
  copy->info = device->info;
  copy->physical = device->physical;
  copy->properties = device->properties;
  copy->driver = device->driver;
  copy->atom = device->atom;
  copy->reads_texels = device->reads_texels;
  copy->queries_wait = device->queries_wait;
  copy->subgroups = device->subgroups;
  copy->queue_family = device->queue_family;
  copy->transfer_family = device->transfer_family;
  copy->timestamp_mask = device->timestamp_mask;
  copy->transfer_timestamp_mask = device->transfer_timestamp_mask;
  return copy;
}

/* After the loss of a device there may be a newer instance. */
static gboolean
check_instance (GpuDevice * device, GError ** error)
{
  if (gpu_instance_is_current (device->instance))
    return TRUE;
  g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
      "%s belongs to an older Vulkan instance; open it anew",
      device->info.name);
  return FALSE;
}

static gboolean
create_copy (GpuDevice * copy, GError ** error)
{
  if (!check_instance (copy, error))
    return FALSE;
  vkGetPhysicalDeviceMemoryProperties (copy->physical, &copy->memory);
  return gpu_device_create (copy, error)
      && gpu_device_create_layouts (copy, error);
}

GpuDevice *
gpu_device_open_again (GpuDevice * device, GError ** error)
{
  GpuDevice *again;
  gboolean done;

  if (!gpu_process_enter (error))
    return NULL;
  again = copy_description (device);
  g_mutex_lock (&volk_lock);
  done = create_copy (again, error);
  g_mutex_unlock (&volk_lock);
  if (done)
    gpu_device_watch_exit (again);
  else
    g_clear_pointer (&again, gpu_device_unref);
  gpu_process_leave ();
  return again;
}
