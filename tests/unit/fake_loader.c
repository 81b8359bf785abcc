/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake_loader.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <string.h>

G_MODULE_EXPORT FakeLoader fake_loader;
/* What the real loader opens this module for. */
G_MODULE_EXPORT PFN_vkVoidFunction VKAPI_CALL
vkGetInstanceProcAddr (VkInstance instance, const char *name);

static PFN_vkGetInstanceProcAddr get_real;
static PFN_vkEnumeratePhysicalDevices real_enumerate;
static PFN_vkGetPhysicalDeviceProperties2 real_properties;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties real_families;
static guint next_device;       /* whose properties come next */

static VkResult VKAPI_CALL
get_version (uint32_t * version)
{
  *version = fake_loader.version;
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
refuse_instance (const VkInstanceCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkInstance * instance)
{
  return fake_loader.create_instance;
}

static VkResult VKAPI_CALL
list_no_extensions (const char *layer, uint32_t * n,
    VkExtensionProperties * properties)
{
  *n = 0;
  return VK_SUCCESS;
}

static VkResult VKAPI_CALL
enumerate (VkInstance instance, uint32_t * n, VkPhysicalDevice * devices)
{
  VkPhysicalDevice first;
  guint32 one = 1;
  VkResult result;

  if (!fake_loader.replaces_devices)
    return real_enumerate (instance, n, devices);
  next_device = 0;
  if (devices) {
    result = real_enumerate (instance, &one, &first);
    if (result < 0)
      return result;
    for (guint i = 0; i < MIN (*n, fake_loader.n_devices); i++)
      devices[i] = first;
  }
  *n = fake_loader.n_devices;
  return VK_SUCCESS;
}

static void VKAPI_CALL
get_properties (VkPhysicalDevice device,
    VkPhysicalDeviceProperties2 * properties)
{
  real_properties (device, properties);
  if (fake_loader.replaces_devices && next_device < fake_loader.n_devices)
    properties->properties.deviceType = fake_loader.types[next_device++];
  if (fake_loader.edit_properties)
    fake_loader.edit_properties (properties);
}

static void VKAPI_CALL
get_families (VkPhysicalDevice device, uint32_t * n,
    VkQueueFamilyProperties * families)
{
  real_families (device, n, families);
  for (guint i = 0; families && fake_loader.edit_queue_family && i < *n; i++)
    fake_loader.edit_queue_family (&families[i]);
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
  if (!strcmp (name, "vkCreateInstance") && fake_loader.create_instance)
    return (PFN_vkVoidFunction) refuse_instance;
  if (fake_loader.hides_extensions
      && !strcmp (name, "vkEnumerateInstanceExtensionProperties"))
    return (PFN_vkVoidFunction) list_no_extensions;
  if (fake_loader.hides_extensions && g_str_has_suffix (name, "EXT"))
    return NULL;
  if (!strcmp (name, "vkEnumeratePhysicalDevices")) {
    real_enumerate = (PFN_vkEnumeratePhysicalDevices) real;
    return (PFN_vkVoidFunction) enumerate;
  }
  if (!strcmp (name, "vkGetPhysicalDeviceProperties2")) {
    real_properties = (PFN_vkGetPhysicalDeviceProperties2) real;
    return (PFN_vkVoidFunction) get_properties;
  }
  if (!strcmp (name, "vkGetPhysicalDeviceQueueFamilyProperties")) {
    real_families = (PFN_vkGetPhysicalDeviceQueueFamilyProperties) real;
    return (PFN_vkVoidFunction) get_families;
  }
  return real;
}
