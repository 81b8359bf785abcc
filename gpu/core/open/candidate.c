/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "candidate.h"
#include "gpu/core/memory/bufferhandle.h"
#include "gpu/core/memory/export.h"

#include <string.h>

/* --- what a device must have ---
 *
 * For every kernel, and for the engine that it is opened for. Limits that Vulkan guarantees are
 * checked too, because drivers have bugs. */

#define NEEDED_SUBGROUP_OPERATIONS (VK_SUBGROUP_FEATURE_BASIC_BIT \
    | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT | VK_SUBGROUP_FEATURE_BALLOT_BIT \
    | VK_SUBGROUP_FEATURE_SHUFFLE_BIT)

#define INTEL 0x8086            /* a vendorID */
#define INTEL_LANES 16

/* Shaders use only two of the four words of a ballot. Tables with one word per subgroup
 * have room for subgroups of at least four invocations. */
#define LEAST_LANES 4
#define MOST_LANES 64

#define GROUP_THREADS 256
#define SHARED_BYTES 16384

static gboolean
has_subgroup_operations (const VkPhysicalDeviceSubgroupProperties * subgroup)
{
  return (subgroup->supportedStages & VK_SHADER_STAGE_COMPUTE_BIT)
      && !(~subgroup->supportedOperations & NEEDED_SUBGROUP_OPERATIONS);
}

/* Returns why kernels cannot use subgroups of @lanes, as text to follow "lacks"; NULL if they
 * can. Static. */
static const gchar *
find_subgroup_fault (const VkPhysicalDeviceSubgroupProperties *
    subgroup, guint lanes)
{
  if (!has_subgroup_operations (subgroup))
    return "subgroup basic, arithmetic, ballot and shuffle operations in "
        "compute shaders";
  if (lanes < LEAST_LANES || lanes > MOST_LANES)
    return "subgroups of " G_STRINGIFY (LEAST_LANES) " to "
        G_STRINGIFY (MOST_LANES) " lanes, by default or through "
        "VK_EXT_subgroup_size_control";
  return NULL;
}

/* Returns the number of storage buffers that a kernel may have. All bindings are in one set of
 * one stage, so all three limits apply. */
static guint
count_buffers (const VkPhysicalDeviceLimits * limits)
{
  return MIN (MIN (limits->maxPerStageDescriptorStorageBuffers,
          limits->maxDescriptorSetStorageBuffers),
      MIN (limits->maxPerStageResources, GPU_MAX_BINDINGS));
}

/* Returns the subgroup size that every pipeline requires, or 0 if none can be required. Chooses
 * the size that the device reports, clamped to the supported range. On AMD the
 * driver compiles for the reported size. Intel's drivers report 32 but compile for 8 or
 * 16: with 32, an invocation has half as many registers, and these kernels need many. */
static guint
choose_lanes (const VkPhysicalDeviceProperties * properties,
    const VkPhysicalDeviceSubgroupProperties * subgroup,
    const VkPhysicalDeviceSubgroupSizeControlProperties * control)
{
  guint least = MAX (control->minSubgroupSize, LEAST_LANES);
  guint most = MIN (control->maxSubgroupSize, MOST_LANES);
  guint lanes = properties->vendorID == INTEL
      ? INTEL_LANES : subgroup->subgroupSize;

  if (!(control->requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)
      || least > most)
    return 0;
  lanes = CLAMP (lanes, least, most);
  /* Require it for all kernels or for none, because kernels are given a single size. */
  return (guint64) lanes *control->maxComputeWorkgroupSubgroups
      >= GROUP_THREADS ? lanes : 0;
}

/* Takes ownership of @what. */
static void
expect (GPtrArray * missing, gboolean is_there, gchar * what)
{
  if (is_there)
    g_free (what);
  else
    g_ptr_array_add (missing, what);
}

static void
expect_needs (GPtrArray * missing, const GpuDeviceInfo * info,
    const GpuNeeds * needs)
{
  if (needs->subgroups)
    expect (missing, info->subgroup_size > 0, g_strdup (info->subgroup_fault));
  expect (missing, info->max_buffers >= needs->buffers,
      g_strdup_printf ("%u storage buffers per shader", needs->buffers));
}

/* Returns the texts with commas, or NULL if there are none. */
static gchar *
join (GPtrArray * missing)
{
  if (missing->len == 0)
    return NULL;
  g_ptr_array_add (missing, NULL);
  return g_strjoinv (", ", (gchar **) missing->pdata);
}

/* Mesa's CPU device crashes with two lanes, which LP_NATIVE_VECTOR_WIDTH=64 gives it. */
static gboolean
has_long_vectors (const GpuCandidate * candidate)
{
  return candidate->driver != VK_DRIVER_ID_MESA_LLVMPIPE
      || candidate->info.subgroup_size > 0
      || candidate->subgroup.subgroupSize > 2;
}

gchar *
gpu_candidate_list_missing (const GpuCandidate * candidate,
    const GpuNeeds * needs, gboolean has_queue)
{
  const VkPhysicalDeviceLimits *limits = &candidate->properties.limits;
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);

  expect (missing, candidate->properties.apiVersion >= VK_API_VERSION_1_1,
      g_strdup ("Vulkan 1.1"));
  if (needs)
    expect_needs (missing, &candidate->info, needs);
  expect (missing, limits->maxPushConstantsSize >= GPU_MAX_PUSH,
      g_strdup (G_STRINGIFY (GPU_MAX_PUSH) " bytes of push constants"));
  expect (missing, MIN (limits->maxComputeWorkGroupInvocations,
          limits->maxComputeWorkGroupSize[0]) >= GROUP_THREADS,
      g_strdup ("workgroups of " G_STRINGIFY (GROUP_THREADS) " threads"));
  expect (missing, limits->maxComputeSharedMemorySize >= SHARED_BYTES,
      g_strdup (G_STRINGIFY (SHARED_BYTES) " bytes of shared memory"));
  expect (missing, has_long_vectors (candidate),
      g_strdup ("vectors of 128 bits or more"));
  expect (missing, has_queue, g_strdup ("a queue for compute"));
  return join (missing);
}

gboolean
gpu_device_meets (GpuDevice * device, const GpuNeeds * needs, GError ** error)
{
  g_autoptr (GPtrArray) missing = g_ptr_array_new_with_free_func (g_free);
  g_autofree gchar *list = NULL;

  if (needs)
    expect_needs (missing, &device->info, needs);
  list = join (missing);
  if (list)
    g_set_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED, "%s lacks %s",
        device->info.name, list);
  return list == NULL;
}

/* --- optional extensions and features --- */

typedef struct
{
  VkExtensionProperties *list;
  guint32 n;
} Extensions;

static gboolean
has (const Extensions * extensions, const gchar * name)
{
  return gpu_extensions_have (extensions->list, extensions->n, name);
}

/* There are none if the driver fails. The caller frees the list. */
static void
list_extensions (Extensions * extensions, VkPhysicalDevice physical)
{
  *extensions = (Extensions) {0};
  if (vkEnumerateDeviceExtensionProperties (physical, NULL, &extensions->n,
          NULL) != VK_SUCCESS) {
    extensions->n = 0;
    return;
  }
  extensions->list = g_new0 (VkExtensionProperties, extensions->n);
  if (vkEnumerateDeviceExtensionProperties (physical, NULL, &extensions->n,
          extensions->list) < 0)
    extensions->n = 0;
}

/* Has the driver also fill in @more, if the device has the extension @name; otherwise it stays
 * zero. @list: a structure of Vulkan, such as @more. An extension must be present even if the
 * device supports a version of Vulkan that includes it, because the instance has version 1.1. */
static void
chain (gpointer list, gpointer more, const Extensions * extensions,
    const gchar * name)
{
  VkBaseOutStructure *first = list, *second = more;

  if (!has (extensions, name))
    return;
  second->pNext = first->pNext;
  first->pNext = second;
}

/* Returns whether buffers can be dma-bufs of others. */
static gboolean
imports_dmabufs (VkPhysicalDevice physical, const Extensions * extensions)
{
  const VkPhysicalDeviceExternalBufferInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
    .usage = GPU_IMPORT_USAGE,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_DMA_BUF_BIT_EXT,
  };
  VkExternalBufferProperties answer = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES,
  };

  if (!has (extensions, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)
      || !has (extensions, VK_EXT_EXTERNAL_MEMORY_DMA_BUF_EXTENSION_NAME)
      || !has (extensions, VK_EXT_QUEUE_FAMILY_FOREIGN_EXTENSION_NAME))
    return FALSE;
  vkGetPhysicalDeviceExternalBufferProperties (physical, &info, &answer);
  return (answer.externalMemoryProperties.externalMemoryFeatures
      & VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT) != 0;
}

/* Returns whether others can have the memory of buffers that shaders use. */
static gboolean
exports_buffers (VkPhysicalDevice physical)
{
  const VkPhysicalDeviceExternalBufferInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_BUFFER_INFO,
    .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT
        | VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT
        | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT
        | VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  VkExternalBufferProperties answer = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_BUFFER_PROPERTIES,
  };

  vkGetPhysicalDeviceExternalBufferProperties (physical, &info, &answer);
  return (answer.externalMemoryProperties.externalMemoryFeatures
      & (VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT
          | VK_EXTERNAL_MEMORY_FEATURE_DEDICATED_ONLY_BIT))
      == VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT;
}

/* Returns the same of images for copies. */
static gboolean
exports_images (VkPhysicalDevice physical)
{
  static const VkFormat formats[] = GPU_SHARED_IMAGE_FORMATS;
  const VkPhysicalDeviceExternalImageFormatInfo external = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_IMAGE_FORMAT_INFO,
    .handleType = VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  gboolean exports_all = TRUE;

  for (guint texel = 1; texel < G_N_ELEMENTS (formats); texel++) {
    const VkPhysicalDeviceImageFormatInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_IMAGE_FORMAT_INFO_2,
      .pNext = &external,
      .format = formats[texel],
      .type = VK_IMAGE_TYPE_2D,
      .usage = GPU_SHARED_IMAGE_USAGE,
    };
    VkExternalImageFormatProperties answer = {
      .sType = VK_STRUCTURE_TYPE_EXTERNAL_IMAGE_FORMAT_PROPERTIES,
    };
    VkImageFormatProperties2 properties = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_FORMAT_PROPERTIES_2,
      .pNext = &answer,
    };

    if (info.format == VK_FORMAT_UNDEFINED)
      continue;
    exports_all &= vkGetPhysicalDeviceImageFormatProperties2 (physical, &info,
        &properties) == VK_SUCCESS
        && (answer.externalMemoryProperties.externalMemoryFeatures
        & VK_EXTERNAL_MEMORY_FEATURE_EXPORTABLE_BIT);
  }
  return exports_all;
}

static gboolean
exports_semaphores (VkPhysicalDevice physical)
{
  const VkSemaphoreTypeCreateInfo timeline = {
    .sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
    .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE,
  };
  const VkPhysicalDeviceExternalSemaphoreInfo info = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTERNAL_SEMAPHORE_INFO,
    .pNext = &timeline,
    .handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
  };
  VkExternalSemaphoreProperties answer = {
    .sType = VK_STRUCTURE_TYPE_EXTERNAL_SEMAPHORE_PROPERTIES,
  };

  vkGetPhysicalDeviceExternalSemaphoreProperties (physical, &info, &answer);
  return (answer.externalSemaphoreFeatures
      & VK_EXTERNAL_SEMAPHORE_FEATURE_EXPORTABLE_BIT) != 0;
}

/* Asks which features the device has of those that are used if they are there. @controls
 * and @sizes are properties of the candidate. */
static void
read_features (GpuCandidate * candidate, const Extensions * extensions,
    const VkPhysicalDeviceFloatControlsProperties * controls,
    const VkPhysicalDeviceSubgroupSizeControlProperties * sizes)
{
  VkPhysicalDeviceShaderFloat16Int8Features halves = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_FLOAT16_INT8_FEATURES,
  };
  VkPhysicalDeviceSubgroupSizeControlFeatures control = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES,
  };
  VkPhysicalDeviceShaderAtomicInt64Features atomics = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_INT64_FEATURES,
  };
  VkPhysicalDeviceFeatures2 features = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
  };
  GpuDeviceInfo *info = &candidate->info;

  chain (&features, &halves, extensions,
      VK_KHR_SHADER_FLOAT16_INT8_EXTENSION_NAME);
  chain (&features, &control, extensions,
      VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  chain (&features, &atomics, extensions,
      VK_KHR_SHADER_ATOMIC_INT64_EXTENSION_NAME);
  vkGetPhysicalDeviceFeatures2 (candidate->physical, &features);
  info->has_float16 = halves.shaderFloat16
      && controls->shaderRoundingModeRTEFloat16
      && controls->roundingModeIndependence
      != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  info->has_atomic_int64 = atomics.shaderBufferInt64Atomics
      && features.features.shaderInt64;
  info->has_memory_budget =
      has (extensions, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
  info->imports_dmabufs = imports_dmabufs (candidate->physical, extensions);
  info->exports_memory =
      has (extensions, VK_KHR_EXTERNAL_MEMORY_FD_EXTENSION_NAME)
      && exports_buffers (candidate->physical)
      && exports_images (candidate->physical);
  info->exports_semaphores = info->exports_memory
      && has (extensions, VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME)
      && has (extensions, VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME)
      && exports_semaphores (candidate->physical);
  candidate->is_portability_subset = has (extensions, GPU_PORTABILITY_SUBSET);
  if (!control.subgroupSizeControl)
    return;
  candidate->subgroups = (GpuSubgroupControl) {
    .lanes = choose_lanes (&candidate->properties, &candidate->subgroup, sizes),
    .max_subgroups = sizes->maxComputeWorkgroupSubgroups,
    .can_be_full = control.computeFullSubgroups,
  };
}

/* --- the devices that there are --- */

static GpuDeviceKind
kind_of (VkPhysicalDeviceType type)
{
  switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU:
      return GPU_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU:
      return GPU_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU:
      return GPU_DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU:
      return GPU_DEVICE_CPU;
    default:
      return GPU_DEVICE_OTHER;
  }
}

void
gpu_uuid_format (const guint8 bytes[16], gchar text[37])
{
  for (guint i = 0; i < VK_UUID_SIZE; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      *text++ = '-';
    g_snprintf (text, 3, "%02x", bytes[i]);
    text += 2;
  }
}

static void
fill_info (GpuDeviceInfo * info, const GpuCandidate * candidate, guint index)
{
  const VkPhysicalDeviceLimits *limits = &candidate->properties.limits;
  guint required = candidate->subgroups.lanes;
  guint lanes = required ? required : candidate->subgroup.subgroupSize;

  g_strlcpy (info->name, candidate->properties.deviceName, sizeof info->name);
  info->kind = kind_of (candidate->properties.deviceType);
  info->index = index;
  info->subgroup_fault = find_subgroup_fault (&candidate->subgroup, lanes);
  info->subgroup_size = info->subgroup_fault ? 0 : lanes;
  info->requires_lanes = info->subgroup_size > 0 && required;
  info->max_buffers = count_buffers (limits);
  info->max_group_threads = limits->maxComputeWorkGroupInvocations;
  for (guint i = 0; i < 3; i++)
    info->max_groups[i] = limits->maxComputeWorkGroupCount[i];
  info->max_binding = limits->maxStorageBufferRange;
  info->max_shared = limits->maxComputeSharedMemorySize;
  info->timestamp_period = limits->timestampPeriod;
}

/* A driver that does not report its name is described by its version number, whose
 * format depends on the vendor. */
static void
describe_driver (GpuDeviceInfo * info,
    const VkPhysicalDeviceDriverProperties * driver,
    const VkPhysicalDeviceProperties * properties)
{
  const guint32 vulkan = properties->apiVersion;
  g_autofree gchar *name = driver->driverName[0] ?
      g_strdup_printf ("%s %s", driver->driverName, driver->driverInfo)
      : g_strdup_printf ("version 0x%x", properties->driverVersion);

  g_snprintf (info->driver, sizeof info->driver, "%s, Vulkan %u.%u.%u", name,
      VK_API_VERSION_MAJOR (vulkan), VK_API_VERSION_MINOR (vulkan),
      VK_API_VERSION_PATCH (vulkan));
}

void
gpu_candidate_read (GpuCandidate * candidate, VkPhysicalDevice physical,
    guint index)
{
  VkPhysicalDeviceDriverProperties driver = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES,
  };
  VkPhysicalDeviceFloatControlsProperties controls = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES,
  };
  VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
  };
  VkPhysicalDeviceSubgroupProperties subgroup = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES,
  };
  VkPhysicalDeviceMaintenance3Properties memory = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES,
    .pNext = &subgroup,
  };
  VkPhysicalDeviceIDProperties id = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ID_PROPERTIES,
    .pNext = &memory,
  };
  VkPhysicalDeviceProperties2 properties = {
    .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
    .pNext = &id,
  };
  Extensions extensions;

  list_extensions (&extensions, physical);
  chain (&properties, &driver, &extensions,
      VK_KHR_DRIVER_PROPERTIES_EXTENSION_NAME);
  chain (&properties, &controls, &extensions,
      VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME);
  chain (&properties, &sizes, &extensions,
      VK_EXT_SUBGROUP_SIZE_CONTROL_EXTENSION_NAME);
  vkGetPhysicalDeviceProperties2 (physical, &properties);
  candidate->physical = physical;
  candidate->properties = properties.properties;
  candidate->driver = driver.driverID;
  candidate->subgroup = subgroup;
  read_features (candidate, &extensions, &controls, &sizes);
  g_free (extensions.list);
  gpu_uuid_format (id.deviceUUID, candidate->info.uuid);
  gpu_uuid_format (id.driverUUID, candidate->info.driver_uuid);
  fill_info (&candidate->info, candidate, index);
  candidate->info.max_buffer = memory.maxMemoryAllocationSize;
  describe_driver (&candidate->info, &driver, &candidate->properties);
}

/* Returns a new array of GpuCandidate with all devices of @instance, in the order of the
 * loader; it may be empty. The caller owns it. Returns NULL with @error set on failure
 * (NO_VULKAN, OUT_OF_MEMORY, LOST, FAILED). */
static GArray *
list_candidates (GpuInstance * instance, GError ** error)
{
  g_autoptr (GArray) candidates = NULL;
  guint32 n = 0;
  VkResult result = vkEnumeratePhysicalDevices (instance->handle, &n, NULL);

  if (!gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;

  g_autofree VkPhysicalDevice *list = g_new0 (VkPhysicalDevice, n + 1);

  result = vkEnumeratePhysicalDevices (instance->handle, &n, list);
  if (result != VK_INCOMPLETE
      && !gpu_result_check (result, "listing Vulkan devices", error))
    return NULL;
  candidates = g_array_new (FALSE, TRUE, sizeof (GpuCandidate));
  g_array_set_size (candidates, n);
  for (guint i = 0; i < n; i++)
    gpu_candidate_read (&g_array_index (candidates, GpuCandidate, i), list[i],
        i);
  return g_steal_pointer (&candidates);
}

/* --- those that match a selector --- */

static gboolean
is_index (const gchar * selector, guint n_listed, guint * index)
{
  guint64 value;

  if (n_listed == 0 || !g_ascii_string_to_unsigned (selector, 10, 0,
          n_listed - 1, &value, NULL))
    return FALSE;
  *index = value;
  return TRUE;
}

/* An index or a UUID must match exactly. Anything else is matched as a part of the name,
 * including a number that is no valid index. */
static gboolean
info_matches (const GpuDeviceInfo * info, guint n_listed,
    const gchar * selector)
{
  guint index;

  if (!selector || !*selector)
    return TRUE;
  if (is_index (selector, n_listed, &index))
    return index == info->index;
  if (!g_ascii_strcasecmp (selector, info->uuid))
    return TRUE;

  /* Independent of the locale, which may define other lower-case letters. */
  g_autofree gchar *wanted = g_ascii_strdown (selector, -1);
  g_autofree gchar *name = g_ascii_strdown (info->name, -1);

  return strstr (name, wanted) != NULL;
}

gboolean
gpu_device_matches (GpuDevice * device, const gchar * selector)
{
  return info_matches (&device->info, device->n_listed, selector);
}

static gint
compare_candidates (gconstpointer a, gconstpointer b)
{
  const GpuDeviceInfo *one = &((const GpuCandidate *) a)->info;
  const GpuDeviceInfo *other = &((const GpuCandidate *) b)->info;

  return one->kind != other->kind ? (gint) one->kind - (gint) other->kind
      : (gint) one->index - (gint) other->index;
}

static void
set_none_matches (const GArray * candidates, const gchar * selector,
    GError ** error)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < candidates->len; i++) {
    const GpuDeviceInfo *info =
        &g_array_index (candidates, GpuCandidate, i).info;

    g_string_append_printf (names, "%s%u: %s (%s)", i ? "; " : "", i,
        info->name, info->uuid);
  }
  if (candidates->len == 0)
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "there is no Vulkan device; install a driver (for the CPU: "
        "mesa-vulkan-drivers)");
  else
    g_set_error (error, GPU_ERROR, GPU_ERROR_NO_DEVICE,
        "no Vulkan device matches \"%s\"; choose one by index, UUID or a part of its name: %s",
        selector, names->str);
}

/* Returns the candidates that match @selector, best first. */
static GArray *
choose_candidates (GpuDevice * device, const gchar * selector, GError ** error)
{
  g_autoptr (GArray) all = list_candidates (device->instance, error);
  g_autoptr (GArray) chosen = NULL;

  if (!all)
    return NULL;
  device->n_listed = all->len;
  chosen = g_array_new (FALSE, FALSE, sizeof (GpuCandidate));
  for (guint i = 0; i < all->len; i++) {
    GpuCandidate *candidate = &g_array_index (all, GpuCandidate, i);

    if (info_matches (&candidate->info, all->len, selector))
      g_array_append_vals (chosen, candidate, 1);
  }
  g_array_sort (chosen, compare_candidates);
  if (chosen->len > 0)
    return g_steal_pointer (&chosen);
  set_none_matches (all, selector, error);
  return NULL;
}

static void
set_instance (GpuDevice * device, GpuInstance * instance)
{
  g_clear_pointer (&device->instance, gpu_instance_unref);
  device->instance = instance;
  device->set_object_name = instance->set_object_name;
}

/* An instance knows only the drivers, and often only the devices, that existed when it
 * was created. If nothing matches, searches a new instance as well. */
GArray *
gpu_device_find_candidates (GpuDevice * device, const gchar * selector,
    GError ** error)
{
  g_autoptr (GError) missing = NULL;
  GpuInstance *instance;
  GArray *candidates;
  gboolean is_new;

  instance = gpu_instance_get (&is_new, error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  candidates = choose_candidates (device, selector, &missing);
  if (candidates)
    return candidates;
  if (is_new || missing->code != GPU_ERROR_NO_DEVICE) {
    g_propagate_error (error, g_steal_pointer (&missing));
    return NULL;
  }
  instance = gpu_instance_renew (error);
  if (!instance)
    return NULL;
  set_instance (device, instance);
  return choose_candidates (device, selector, error);
}
