/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Opens a device: the first of the matching candidates that has what is needed. */
#include "candidate.h"
#include "gpu/core/device/bindings.h"
#include "gpu/core/device/process.h"

void (*gpu_device_edit) (GpuDevice * device);

/* Protects volk's globals, which hold the functions of the newest instance. */
static GMutex volk_lock;

/* --- families of queues --- */

/* Such queues drive the engines that copy. Families that also decode or encode are not for
 * copies. */
static gboolean
only_copies (const VkQueueFamilyProperties * family)
{
  const VkQueueFlags copies = VK_QUEUE_TRANSFER_BIT
      | VK_QUEUE_SPARSE_BINDING_BIT | VK_QUEUE_PROTECTED_BIT;

  return family->queueFlags & VK_QUEUE_TRANSFER_BIT
      && !(family->queueFlags & ~copies);
}

/* For the work, prefers a family that supports compute but not graphics: on a discrete
 * card, such a queue does not wait for the drawing of the desktop. */
gboolean
gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer)
{
  gint best = -1;

  for (guint i = n; i-- > 0;)
    if ((list[i].queueFlags & VK_QUEUE_COMPUTE_BIT)
        && (best < 0 || !(list[i].queueFlags & VK_QUEUE_GRAPHICS_BIT)
            || (list[best].queueFlags & VK_QUEUE_GRAPHICS_BIT)))
      best = i;
  if (best < 0)
    return FALSE;
  *work = *transfer = best;
  for (guint i = n; i-- > 0;)
    if (only_copies (&list[i]) && list[i].queueCount >= GPU_TRANSFER_QUEUES)
      *transfer = i;
  return TRUE;
}

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
  if (device->foreign.device)
    device->queue_family = device->transfer_family = device->foreign.family;
  else if (!gpu_queues_choose (list, n, &device->queue_family,
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

/* --- the VkDevice --- */

static VkDeviceQueueCreateInfo
queue_info (guint32 family, guint n)
{
  static const gfloat priorities[GPU_TRANSFER_QUEUES] = { 1, 1 };

  return (VkDeviceQueueCreateInfo) {
    .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
    .queueFamilyIndex = family,
    .queueCount = n,
    .pQueuePriorities = priorities,
  };
}

/* @name: for debuggers and validation messages. */
static VkQueue
get_queue (GpuDevice * device, guint32 family, guint index, const gchar * name)
{
  VkQueue queue;

  device->vk.vkGetDeviceQueue (device->device, family, index, &queue);
  gpu_device_name_object (device, VK_OBJECT_TYPE_QUEUE, (guint64) (gsize) queue,
      name);
  return queue;
}

static void
get_queues (GpuDevice * device)
{
  guint32 family = device->transfer_family;

  /* A candidate before may have had some. */
  device->upload_queue = device->download_queue = NULL;
  device->queue = get_queue (device, device->queue_family, 0, "work");
  if (family == device->queue_family)
    return;
  device->upload_queue = get_queue (device, family, 0, "uploads");
  device->download_queue = get_queue (device, family, 1, "downloads");
}

/* Extensions that create_device() may enable. */
#define MOST_EXTENSIONS 11

/* Enables the extension @name, with its @features, a structure of Vulkan or NULL. */
static void
enable (VkDeviceCreateInfo * info, const gchar ** names, const gchar * name,
    gpointer features)
{
  g_assert (info->enabledExtensionCount < MOST_EXTENSIONS);
  names[info->enabledExtensionCount++] = name;
  if (features) {
    ((VkBaseOutStructure *) features)->pNext = (gpointer) info->pNext;
    info->pNext = features;
  }
}

/* Enables what memory and semaphores that others have, too, need. @timeline: its features. */
static void
enable_sharing (VkDeviceCreateInfo * info, const gchar ** names,
    const GpuDeviceInfo * has,
    VkPhysicalDeviceTimelineSemaphoreFeatures * timeline)
{
  if (has->imports_dmabufs || has->exports_memory)
    enable (info, names, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME, NULL);
  if (has->exports_semaphores) {
    enable (info, names, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME, NULL);
    enable (info, names, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME, timeline);
  }
  if (has->imports_dmabufs) {
    enable (info, names, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME, NULL);
    enable (info, names, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME, NULL);
  }
}

/* Creates the VkDevice with its queues and optional extensions; none is required. The physical
 * device, the info, the subgroups and the queue families of @device must be set. Returns FALSE
 * with @error set on failure (OUT_OF_MEMORY, LOST, FAILED); the caller must then still call
 * gpu_device_close(). The caller holds the lock. */
static gboolean
create_device (GpuDevice * device, GError ** error)
{
  const GpuDeviceInfo *has = &device->info;
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
    .shaderFloat16 = VK_TRUE,
  };
  VkPhysicalDeviceShaderAtomicInt64Features atomics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
    .shaderBufferInt64Atomics = VK_TRUE,
  };
  VkPhysicalDeviceSubgroupSizeControlFeatures sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
    .subgroupSizeControl = VK_TRUE,
    .computeFullSubgroups = device->subgroups.can_be_full,
  };
  /* Who has the extension has the feature. */
  VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
    .timelineSemaphore = VK_TRUE,
  };
  const VkPhysicalDeviceFeatures core = {.shaderInt64 = has->has_atomic_int64};
  const VkDeviceQueueCreateInfo queues[] = {
    queue_info (device->queue_family, 1),
    queue_info (device->transfer_family, GPU_TRANSFER_QUEUES),
  };
  const gchar *names[MOST_EXTENSIONS];
  VkDeviceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
    .queueCreateInfoCount =
        device->transfer_family == device->queue_family ? 1 : 2,
    .pQueueCreateInfos = queues,
    .ppEnabledExtensionNames = names,
    .pEnabledFeatures = &core,
  };
  VkResult result;

  /* Vulkan requires it to be enabled if the device supports it. */
  if (device->is_portability_subset)
    enable (&info, names, GPU_PORTABILITY_SUBSET, NULL);
  if (has->has_float16) {
    enable (&info, names, VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME, &halves);
    enable (&info, names, VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME, NULL);
  }
  if (has->has_atomic_int64)
    enable (&info, names, VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME, &atomics);
  if (device->subgroups.lanes)
    enable (&info, names, VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME, &sizes);
  if (has->has_memory_budget)
    enable (&info, names, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, NULL);
  enable_sharing (&info, names, has, &timeline);
  device->get_memory_budget = has->has_memory_budget
      ? vkGetPhysicalDeviceMemoryProperties2 : NULL;
  result = vkCreateDevice (device->physical, &info, NULL, &device->device);
  if (!gpu_result_check (result, device->info.name, error))
    return FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
  get_queues (device);
  return TRUE;
}

/* Uses the VkDevice of others in place of an own one. */
static void
take_foreign (GpuDevice * device)
{
  device->device = device->foreign.device;
  device->queue = device->foreign.queue;
  device->get_memory_budget = device->info.has_memory_budget
      ? vkGetPhysicalDeviceMemoryProperties2 : NULL;
  /* Their VkInstance may lack the extension, and their VkDevice those for imports and exports. */
  device->set_object_name = NULL;
  device->info.imports_dmabufs = FALSE;
  device->info.exports_memory = device->info.exports_semaphores = FALSE;
  volkLoadDeviceTable (&device->vk, device->device);
}

/* @edit: see gpu_device_edit. */
static gboolean
create (GpuDevice * device, void (*edit) (GpuDevice * device), GError ** error)
{
  if (device->foreign.device)
    take_foreign (device);
  else if (!create_device (device, error))
    return FALSE;
  if (edit)
    edit (device);
  return gpu_bindings_create_layouts (device, error);
}

static gboolean
check_requirements (GpuDevice * device, const GpuCandidate * candidate,
    const GpuNeeds * needs, GError ** error)
{
  g_autofree gchar *missing =
      gpu_candidate_list_missing (candidate, needs, choose_queues (device));

  if (missing)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED,
        "%s lacks %s", device->info.name, missing);
  return missing == NULL;
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
  device->is_portability_subset = candidate->is_portability_subset;
  device->atom = candidate->properties.limits.nonCoherentAtomSize;
  device->reads_texels = gpu_bindings_want_texels (device);
  device->queries_wait = device->info.kind == GPU_DEVICE_CPU;
  vkGetPhysicalDeviceMemoryProperties (device->physical, &device->memory);
  if (!check_requirements (device, candidate, needs, error)
      || !gpu_device_check_not_hanging (&device->info, error)
      || !create (device, gpu_device_edit, error)
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
      is_shared ? gpu_device_find_shared (&candidate->info,
      (*device)->foreign.device) : NULL;

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
  g_autofree gchar *message = NULL;
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
  message = describe_refused (reasons, code);
  g_set_error_literal (error, GPU_ERROR, code, message);
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

/* --- devices of others --- */

/* Returns the candidate that is @physical. That may be of another VkInstance, but the handle in
 * the candidate is of ours. Returns NULL with @error set if there is none. */
static const GpuCandidate *
find_physical (const GArray * candidates, VkPhysicalDevice physical,
    GError ** error)
{
  GpuCandidate wanted = { 0 };

  gpu_candidate_read (&wanted, physical, 0);
  for (guint i = 0; i < candidates->len; i++) {
    const GpuCandidate *candidate = &g_array_index (candidates, GpuCandidate,
        i);

    if (gpu_device_info_is_same (&candidate->info, &wanted.info))
      return candidate;
  }
  g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
      "%s is not among the devices that this process can open; choose another one",
      wanted.info.name);
  return NULL;
}

/* @device: a new one with what it adopts; see share_or_open(). */
static GpuDevice *
adopt_locked (GpuDevice ** device, const GpuNeeds * needs, GError ** error)
{
  const GpuForeignDevice *foreign = &(*device)->foreign;
  g_autoptr (GArray) candidates =
      gpu_device_find_candidates (*device, NULL, error);
  const GpuCandidate *candidate;

  candidate = candidates
      ? find_physical (candidates, foreign->physical, error) : NULL;
  return candidate ? share_or_open (device, candidate, needs, TRUE, error)
      : NULL;
}

GpuDevice *
gpu_device_adopt (const GpuForeignDevice * foreign, const GpuNeeds * needs,
    GError ** error)
{
  GpuDevice *device, *adopted;

  gpu_process_watch_forks ();
  if (!gpu_process_enter (error)) {
    foreign->release (foreign->owner);
    return NULL;
  }
  device = gpu_device_new ();
  device->foreign = *foreign;
  g_mutex_lock (&volk_lock);
  adopted = adopt_locked (&device, needs, error);
  g_mutex_unlock (&volk_lock);
  /* If it is not the result, it releases the owner, who may take that lock. */
  g_clear_pointer (&device, gpu_device_unref);
  gpu_process_leave ();
  return adopted;
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
  copy->is_portability_subset = device->is_portability_subset;
  copy->queue_family = device->queue_family;
  copy->transfer_family = device->transfer_family;
  copy->timestamp_mask = device->timestamp_mask;
  copy->transfer_timestamp_mask = device->transfer_timestamp_mask;
  return copy;
}

static gboolean
create_copy (GpuDevice * copy, GError ** error)
{
  /* After the loss of a device there may be a newer instance. */
  if (!gpu_instance_is_current (copy->instance)) {
    g_set_error (error, GPU_ERROR, GPU_ERROR_LOST,
        "%s belongs to an older Vulkan instance; open it anew",
        copy->info.name);
    return FALSE;
  }
  vkGetPhysicalDeviceMemoryProperties (copy->physical, &copy->memory);
  return create (copy, NULL, error);
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
