/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake_loader.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

G_MODULE_EXPORT FakeLoader fake_loader;
/* What the real loader opens this module for. */
G_MODULE_EXPORT PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr (VkInstance instance, const char *name);

static PFN_vkGetInstanceProcAddr get_real;
static PFN_vkEnumeratePhysicalDevices real_enumerate;
static PFN_vkGetPhysicalDeviceProperties2 real_properties;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties real_families;
static PFN_vkCreateInstance real_create_instance;
static PFN_vkCreateDevice real_create_device;
static PFN_vkGetDeviceProcAddr real_device_proc;
static PFN_vkGetDeviceQueue real_queue;
static PFN_vkCreateCommandPool real_pool;
static PFN_vkWaitForFences real_wait;
static PFN_vkGetFenceStatus real_status;
static PFN_vkDestroyFence real_destroy_fence;
static PFN_vkGetPhysicalDeviceFeatures2 real_features;
static PFN_vkCreateComputePipelines real_pipelines;
static PFN_vkCmdDispatch real_dispatch;
static PFN_vkMapMemory real_map;
static PFN_vkEnumerateDeviceExtensionProperties real_extensions;
static PFN_vkGetPhysicalDeviceExternalSemaphoreProperties real_semaphores;
static PFN_vkGetPhysicalDeviceExternalBufferProperties real_buffers;
static PFN_vkCreateSemaphore real_create_semaphore;
static guint32 *mapped;         /* the newest */
static guint next_device;       /* whose properties come next */
static gboolean lists_portability;

#define PORTABILITY_SUBSET "VK_KHR_portability_subset"

static VkResult VKAPI_CALL
get_version (uint32_t * version)
{
  *version = fake_loader.version;
  return VK_SUCCESS;
}

static gboolean
is_listed (const char *name, const char *const *names, guint n)
{
  for (guint i = 0; i < n; i++)
    if (!strcmp (names[i], name))
      return TRUE;
  return FALSE;
}

static VkResult VKAPI_CALL
create_instance (const VkInstanceCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkInstance * instance)
{
  if (fake_loader.create_instance)
    return fake_loader.create_instance;
  lists_portability =
      (info->flags & VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR)
      && is_listed (VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME,
      info->ppEnabledExtensionNames, info->enabledExtensionCount);
  fake_loader.instances++;
  return real_create_instance (info, allocator, instance);
}

static VkResult VKAPI_CALL
list_no_extensions (const char *layer, uint32_t * n,
    VkExtensionProperties * properties)
{
  *n = 0;
  return VK_SUCCESS;
}

static guint
count_known (void)
{
  return fake_loader.instances > 1 ? fake_loader.n_devices
      : fake_loader.n_devices - fake_loader.n_plugged;
}

static VkResult VKAPI_CALL
enumerate (VkInstance instance, uint32_t * n, VkPhysicalDevice * devices)
{
  VkPhysicalDevice first;
  guint32 one = 1;
  VkResult result;

  next_device = 0;
  if (fake_loader.is_portability && !lists_portability) {
    *n = 0;
    return VK_SUCCESS;
  }
  if (!fake_loader.replaces_devices)
    return real_enumerate (instance, n, devices);
  if (devices) {
    result = real_enumerate (instance, &one, &first);
    if (result < 0)
      return result;
    for (guint i = 0; i < MIN (*n, count_known ()); i++)
      devices[i] = first;
  }
  *n = count_known ();
  return VK_SUCCESS;
}

/* --- subgroups --- */

static void *
find_structure (void *chain, VkStructureType type)
{
  VkBaseOutStructure *structure = chain;

  while (structure && structure->sType != type)
    structure = structure->pNext;
  return structure;
}

static void
edit_subgroups (VkPhysicalDeviceProperties2 * properties)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = find_structure (properties,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES);
  VkPhysicalDeviceSubgroupSizeControlProperties *sizes =
      find_structure (properties,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES);

  subgroup->subgroupSize = fake_loader.reported_lanes;
  if (!sizes)
    return;
  sizes->minSubgroupSize = fake_loader.least_lanes;
  sizes->maxSubgroupSize = fake_loader.most_lanes;
  sizes->maxComputeWorkgroupSubgroups = fake_loader.max_subgroups;
  sizes->requiredSubgroupSizeStages = fake_loader.sized_stages;
}

static void VKAPI_CALL
get_features (VkPhysicalDevice device, VkPhysicalDeviceFeatures2 * features)
{
  VkPhysicalDeviceSubgroupSizeControlFeatures *sizes = find_structure (features,
      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES);

  real_features (device, features);
  if (sizes && fake_loader.reported_lanes)
    sizes->subgroupSizeControl = fake_loader.most_lanes > 0;
}

static VkResult VKAPI_CALL
create_pipelines (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  VkComputePipelineCreateInfo real = *infos;
  const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size =
      infos->stage.pNext;

  g_assert_cmpuint (n, ==, 1);
  fake_loader.sizes |= size ? size->requiredSubgroupSize : 1;
  if (infos->stage.flags)
    g_atomic_int_inc (&fake_loader.full);
  if (fake_loader.reported_lanes) {
    real.stage.pNext = NULL;
    real.stage.flags = 0;
  }
  return real_pipelines (device, cache, n, &real, allocator, pipelines);
}

static void VKAPI_CALL
dispatch (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
  if (!fake_loader.skips_dispatches
      && !(fake_loader.most_lanes && (fake_loader.sizes & 1)))
    real_dispatch (commands, x, y, z);
}

static VkResult VKAPI_CALL
map_memory (VkDevice device, VkDeviceMemory memory, VkDeviceSize offset,
    VkDeviceSize size, VkMemoryMapFlags flags, void **data)
{
  VkResult result = real_map (device, memory, offset, size, flags, data);

  mapped = *data;
  return result;
}

/* --- exports --- */

#define PLAYED_EXTENSION VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME

static gboolean
has_played_extension (VkPhysicalDevice device)
{
  g_autofree VkExtensionProperties *properties = NULL;
  guint32 n = 0;

  real_extensions (device, NULL, &n, NULL);
  properties = g_new0 (VkExtensionProperties, n);
  real_extensions (device, NULL, &n, properties);
  for (guint i = 0; i < n; i++)
    if (!strcmp (properties[i].extensionName, PLAYED_EXTENSION))
      return TRUE;
  return FALSE;
}

static VkResult VKAPI_CALL
list_extensions (VkPhysicalDevice device, const char *layer, uint32_t * n,
    VkExtensionProperties * properties)
{
  const guint32 room = *n;
  VkResult result = real_extensions (device, layer, n, properties);

  if (!fake_loader.exports || layer || result != VK_SUCCESS
      || has_played_extension (device))
    return result;
  if (properties && *n == room)
    return VK_INCOMPLETE;
  if (properties) {
    properties[*n].specVersion = 1;
    g_strlcpy (properties[*n].extensionName, PLAYED_EXTENSION,
        sizeof properties->extensionName);
  }
  ++*n;
  return VK_SUCCESS;
}

static void VKAPI_CALL
get_semaphores (VkPhysicalDevice device,
    const VkPhysicalDeviceExternalSemaphoreInfo * info,
    VkExternalSemaphoreProperties * answer)
{
  real_semaphores (device, info, answer);
  if (fake_loader.exports)
    answer->externalSemaphoreFeatures |=
        VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT;
}

static void VKAPI_CALL
get_buffers (VkPhysicalDevice device,
    const VkPhysicalDeviceExternalBufferInfo * info,
    VkExternalBufferProperties * answer)
{
  real_buffers (device, info, answer);
  if (fake_loader.exports
      && info->handleType == VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT)
    answer->externalMemoryProperties.externalMemoryFeatures =
        VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
}

/* Returns how many of @names are @kept. */
static guint
drop_played_extension (const char *const *names, guint n, const char **kept)
{
  guint n_kept = 0;

  for (guint i = 0; i < n; i++)
    if (strcmp (names[i], PLAYED_EXTENSION))
      kept[n_kept++] = names[i];
  return n_kept;
}

/* The real device need not know of exports, so it does not hear of them. */
static VkResult VKAPI_CALL
create_semaphore (VkDevice device, const VkSemaphoreCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkSemaphore * semaphore)
{
  const VkSemaphoreTypeCreateInfo *type = find_structure ((void *) info->pNext,
      VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO);
  VkSemaphoreTypeCreateInfo real_type;
  VkSemaphoreCreateInfo real = *info;

  real.pNext = NULL;
  if (type) {
    real_type = *type;
    real_type.pNext = NULL;
    real.pNext = &real_type;
  }
  return real_create_semaphore (device, &real, allocator, semaphore);
}

static VkResult
write_export (const FakeExport * export, int *fd)
{
  *fd = memfd_create ("fake export", MFD_CLOEXEC);
  if (*fd < 0)
    return VK_ERROR_TOO_MANY_OBJECTS;
  if (write (*fd, export, sizeof *export) == sizeof *export)
    return VK_SUCCESS;
  close (*fd);
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static VkResult VKAPI_CALL
get_memory_fd (VkDevice device, const VkMemoryGetFdInfoKHR * info, int *fd)
{
  const FakeExport export = {
    .device = device,
    .memory = info->memory,
    .map = (PFN_vkMapMemory) real_device_proc (device, "vkMapMemory"),
  };

  return write_export (&export, fd);
}

static VkResult VKAPI_CALL
get_semaphore_fd (VkDevice device, const VkSemaphoreGetFdInfoKHR * info,
    int *fd)
{
  const FakeExport export = {
    .device = device,
    .semaphore = info->semaphore,
    .wait = (PFN_vkWaitSemaphoresKHR) real_device_proc (device,
        "vkWaitSemaphoresKHR"),
    .signal = (PFN_vkSignalSemaphoreKHR) real_device_proc (device,
        "vkSignalSemaphoreKHR"),
  };

  return write_export (&export, fd);
}

/* --- devices --- */

static void VKAPI_CALL
get_properties (VkPhysicalDevice device,
    VkPhysicalDeviceProperties2 * properties)
{
  guint index = next_device++;

  real_properties (device, properties);
  if (fake_loader.replaces_devices && index < fake_loader.n_devices)
    properties->properties.deviceType = fake_loader.types[index];
  if (fake_loader.reported_lanes)
    edit_subgroups (properties);
  if (fake_loader.edit_properties)
    fake_loader.edit_properties (properties, index);
}

static void VKAPI_CALL
get_families (VkPhysicalDevice device, uint32_t * n,
    VkQueueFamilyProperties * families)
{
  guint32 one = 1;

  if (!fake_loader.n_families) {
    real_families (device, n, families);
  } else {
    *n = fake_loader.n_families;
    for (guint i = 0; families && i < *n; i++) {
      real_families (device, &one, &families[i]);
      families[i].queueFlags = fake_loader.family_flags[i];
      families[i].queueCount = 1;
    }
  }
  for (guint i = 0; families && fake_loader.edit_queue_family && i < *n; i++)
    fake_loader.edit_queue_family (&families[i]);
}

/* The only one that devices have; NULL: what they have in truth. */
static const char *
only_extension (void)
{
  return fake_loader.is_portability ? PORTABILITY_SUBSET
      : fake_loader.say_budget ? VK_EXT_MEMORY_BUDGET_EXTENSION_NAME : NULL;
}

static VkResult VKAPI_CALL
list_only_extension (VkPhysicalDevice device, const char *layer,
    uint32_t * n, VkExtensionProperties * properties)
{
  *n = 1;
  if (properties)
    g_strlcpy (properties->extensionName, only_extension (),
        sizeof properties->extensionName);
  return VK_SUCCESS;
}

static void VKAPI_CALL
get_budget (VkPhysicalDevice device, VkPhysicalDeviceMemoryProperties2 * memory)
{
  fake_loader.say_budget (memory->pNext);
}

/* Whatever family was chosen, it is the first one in truth. */
static VkResult VKAPI_CALL
create_device (VkPhysicalDevice physical, const VkDeviceCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkDevice * device)
{
  VkDeviceCreateInfo real = *info;
  VkDeviceQueueCreateInfo queue = *info->pQueueCreateInfos;
  g_autofree const char **kept = g_new (const char *,
      info->enabledExtensionCount);

  if (fake_loader.n_failing > 0) {
    fake_loader.n_failing--;
    return fake_loader.create_device;
  }
  if (only_extension ()) {
    if (!is_listed (only_extension (), info->ppEnabledExtensionNames,
            info->enabledExtensionCount))
      return VK_ERROR_INITIALIZATION_FAILED;
    real.enabledExtensionCount = 0;
  } else if (fake_loader.exports && !has_played_extension (physical)) {
    real.enabledExtensionCount =
        drop_played_extension (info->ppEnabledExtensionNames,
        info->enabledExtensionCount, kept);
    real.ppEnabledExtensionNames = kept;
  }
  queue.queueFamilyIndex = 0;
  if (fake_loader.n_families)
    real.pQueueCreateInfos = &queue;
  return real_create_device (physical, &real, allocator, device);
}

static void VKAPI_CALL
get_first_queue (VkDevice device, uint32_t family, uint32_t index,
    VkQueue * queue)
{
  real_queue (device, fake_loader.n_families ? 0 : family, index, queue);
}

static VkResult VKAPI_CALL
create_first_pool (VkDevice device, const VkCommandPoolCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkCommandPool * pool)
{
  VkCommandPoolCreateInfo real = *info;

  if (fake_loader.n_families)
    real.queueFamilyIndex = 0;
  return real_pool (device, &real, allocator, pool);
}

/* Calls that need hardware, or a command buffer for it; whatever they take. */
static const char *const hardware_calls[] = {
  "vkCreateFence", "vkWaitForFences", "vkDestroyFence", "vkResetCommandPool",
  "vkBeginCommandBuffer", "vkEndCommandBuffer", "vkCmdBindPipeline",
  "vkCmdBindDescriptorSets", "vkCmdDispatch", "vkCmdPipelineBarrier",
};

static VkResult VKAPI_CALL
do_nothing (void)
{
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
submit_nothing (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  *mapped = 16 * 256;
  return VK_SUCCESS;
}

/* What it says is not to depend on how fast the real device is, which is done by then: who
 * hears that it was lost frees what its work uses. */
static VkResult VKAPI_CALL
wait_for_fences (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  VkResult result = real_wait (device, n, fences, all,
      fake_loader.wait ? UINT64_MAX : timeout);

  if (fake_loader.waits++ < fake_loader.looks_in_vain)
    return VK_TIMEOUT;
  return fake_loader.wait ? fake_loader.wait : result;
}

static VkResult VKAPI_CALL
get_fence_status (VkDevice device, VkFence fence)
{
  return fake_loader.fence_status ? fake_loader.fence_status
      : real_status (device, fence);
}

static void VKAPI_CALL
destroy_fence (VkDevice device, VkFence fence,
    const VkAllocationCallbacks * allocator)
{
  fake_loader.destroyed++;
  real_destroy_fence (device, fence, allocator);
}

#define STAND_IN(function, real_function, own) \
  if (real && !strcmp (name, #function)) { \
    real_function = (PFN_##function) real; \
    return (PFN_vkVoidFunction) own; \
  }

static PFN_vkVoidFunction VKAPI_CALL
get_device_proc (VkDevice device, const char *name)
{
  PFN_vkVoidFunction real = real_device_proc (device, name);

  if (fake_loader.runs_nothing && is_listed (name, hardware_calls,
          G_N_ELEMENTS (hardware_calls)))
    return (PFN_vkVoidFunction) do_nothing;
  if (fake_loader.runs_nothing && !strcmp (name, "vkQueueSubmit"))
    return (PFN_vkVoidFunction) submit_nothing;
  if (fake_loader.exports && !strcmp (name, "vkGetMemoryFdKHR"))
    return (PFN_vkVoidFunction) get_memory_fd;
  if (fake_loader.exports && !strcmp (name, "vkGetSemaphoreFdKHR"))
    return (PFN_vkVoidFunction) get_semaphore_fd;
  if (fake_loader.exports)
    STAND_IN (vkCreateSemaphore, real_create_semaphore, create_semaphore);
  STAND_IN (vkCmdDispatch, real_dispatch, dispatch);
  STAND_IN (vkCreateComputePipelines, real_pipelines, create_pipelines);
  STAND_IN (vkMapMemory, real_map, map_memory);
  STAND_IN (vkGetDeviceQueue, real_queue, get_first_queue);
  STAND_IN (vkCreateCommandPool, real_pool, create_first_pool);
  STAND_IN (vkWaitForFences, real_wait, wait_for_fences);
  STAND_IN (vkGetFenceStatus, real_status, get_fence_status);
  STAND_IN (vkDestroyFence, real_destroy_fence, destroy_fence);
  return real;
}

static void
open_real_loader (void)
{
  void *module = dlopen ("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);

  if (module)
    get_real = (PFN_vkGetInstanceProcAddr) dlsym (module,
        "vkGetInstanceProcAddr");
}

PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr (VkInstance instance, const char *name)
{
  PFN_vkVoidFunction real;

  if (!get_real)
    open_real_loader ();
  real = get_real ? get_real (instance, name) : NULL;
  if (!strcmp (name, "vkEnumerateInstanceVersion") && fake_loader.version)
    return (PFN_vkVoidFunction) get_version;
  if (fake_loader.hides_extensions
      && !strcmp (name, "vkEnumerateInstanceExtensionProperties"))
    return (PFN_vkVoidFunction) list_no_extensions;
  if (fake_loader.hides_extensions && g_str_has_suffix (name, "EXT"))
    return NULL;
  if (only_extension ()
      && !strcmp (name, "vkEnumerateDeviceExtensionProperties"))
    return (PFN_vkVoidFunction) list_only_extension;
  if (fake_loader.say_budget
      && !strcmp (name, "vkGetPhysicalDeviceMemoryProperties2"))
    return (PFN_vkVoidFunction) get_budget;
  STAND_IN (vkCreateInstance, real_create_instance, create_instance);
  STAND_IN (vkCreateDevice, real_create_device, create_device);
  STAND_IN (vkGetDeviceProcAddr, real_device_proc, get_device_proc);
  STAND_IN (vkEnumeratePhysicalDevices, real_enumerate, enumerate);
  STAND_IN (vkGetPhysicalDeviceFeatures2, real_features, get_features);
  STAND_IN (vkGetPhysicalDeviceProperties2, real_properties, get_properties);
  STAND_IN (vkGetPhysicalDeviceQueueFamilyProperties, real_families,
      get_families);
  STAND_IN (vkEnumerateDeviceExtensionProperties, real_extensions,
      list_extensions);
  STAND_IN (vkGetPhysicalDeviceExternalBufferProperties, real_buffers,
      get_buffers);
  STAND_IN (vkGetPhysicalDeviceExternalSemaphoreProperties, real_semaphores,
      get_semaphores);
  STAND_IN (vkGetPhysicalDeviceExternalSemaphorePropertiesKHR, real_semaphores,
      get_semaphores);
  return real;
}
