/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This file also compiles volk, which loads libvulkan at run time. */
#define VOLK_IMPLEMENTATION
#include "instance.h"
#include "process.h"

#include <string.h>

/* The process's instance; a reference. */
static GpuInstance *current;

static gint losses;             /* number of lost devices; atomic */

/* --- extensions --- */

gboolean
gpu_extensions_have (const VkExtensionProperties * list, guint n,
    const gchar * name)
{
  for (guint i = 0; i < n; i++)
    if (!strcmp (list[i].extensionName, name))
      return TRUE;
  return FALSE;
}

/* Appends @name to @names if the loader supports it. */
static gboolean
enable_if_there (const gchar * name, const gchar ** names, guint32 * n_names)
{
  guint32 n = 0;

  if (vkEnumerateInstanceExtensionProperties (NULL, &n, NULL) != VK_SUCCESS)
    return FALSE;

  g_autofree VkExtensionProperties *list = g_new0 (VkExtensionProperties, n);

  if (vkEnumerateInstanceExtensionProperties (NULL, &n, list) < 0
      || !gpu_extensions_have (list, n, name))
    return FALSE;
  names[(*n_names)++] = name;
  return TRUE;
}

/* --- creation --- */

static gboolean
open_loader (GError ** error)
{
  if (volkInitialize () != VK_SUCCESS) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_VULKAN,
        "the Vulkan loader (libvulkan.so.1) could not be opened; install "
        "libvulkan1 and a Vulkan driver (for the CPU: mesa-vulkan-drivers)");
    return FALSE;
  }
  if (volkGetInstanceVersion () < VK_API_VERSION_1_1) {
    g_set_error_literal (error, GPU_ERROR, GPU_ERROR_NO_VULKAN,
        "the Vulkan loader is older than 1.1; update libvulkan1");
    return FALSE;
  }
  return TRUE;
}

static GpuInstance *
create_instance (GError ** error)
{
  const gchar *extensions[2];
  VkApplicationInfo application = {
    .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
    .pEngineName = "gst-gpu-video-filters",
    .apiVersion = VK_API_VERSION_1_1,
  };
  VkInstanceCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
    .pApplicationInfo = &application,
    .ppEnabledExtensionNames = extensions,
  };
  gboolean has_debug_utils =
      enable_if_there (VK_EXT_DEBUG_UTILS_EXTENSION_NAME, extensions,
      &info.enabledExtensionCount);
  gint losses_before = g_atomic_int_get (&losses);
  GpuInstance *instance;
  VkInstance handle;

  /* Without this extension the loader hides drivers that support only a portability
   * subset of Vulkan. The missing features are not needed here. */
  if (enable_if_there (VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME,
          extensions, &info.enabledExtensionCount))
    info.flags = VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR;
  if (!gpu_result_check (vkCreateInstance (&info, NULL, &handle),
          "creating a Vulkan instance", error))
    return NULL;
  gpu_process_note_use ();
  volkLoadInstanceOnly (handle);
  instance = g_new0 (GpuInstance, 1);
  instance->refs = 1;
  instance->losses = losses_before;
  instance->handle = handle;
  instance->destroy = vkDestroyInstance;
  if (has_debug_utils)
    instance->set_object_name = vkSetDebugUtilsObjectNameEXT;
  return instance;
}

/* --- the process's instance --- */

/* Creates the new instance before it drops the old one, so that drivers stay loaded. */
gboolean
gpu_instance_is_current (const GpuInstance * instance)
{
  return instance == current;
}

GpuInstance *
gpu_instance_renew (GError ** error)
{
  GpuInstance *instance = create_instance (error);

  if (!instance)
    return NULL;
  gpu_instance_forget ();
  current = gpu_instance_ref (instance);
  return instance;
}

GpuInstance *
gpu_instance_get (gboolean * is_new, GError ** error)
{
  *is_new = !current || current->losses != g_atomic_int_get (&losses);
  if (!*is_new)
    return gpu_instance_ref (current);
  return current || open_loader (error) ? gpu_instance_renew (error) : NULL;
}

void
gpu_instance_note_loss (void)
{
  g_atomic_int_inc (&losses);
}

void
gpu_instance_forget (void)
{
  g_clear_pointer (&current, gpu_instance_unref);
}

/* --- lifetime --- */

GpuInstance *
gpu_instance_ref (GpuInstance * instance)
{
  g_atomic_int_inc (&instance->refs);
  return instance;
}

void
gpu_instance_unref (GpuInstance * instance)
{
  if (!g_atomic_int_dec_and_test (&instance->refs))
    return;
  instance->destroy (instance->handle, NULL);
  g_free (instance);
}
