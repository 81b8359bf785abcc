/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "error.h"
#include <volk.h>

G_BEGIN_DECLS

/* The Vulkan loader and a VkInstance. The process creates one when a device is first
 * opened, and keeps it. Creating an instance loads every driver of the machine, and
 * destroying the last instance unloads them. Some drivers can be loaded only about
 * thirty times per process (NVIDIA 580 never frees its thread-local storage).
 *
 * volk keeps the functions of the newest instance in globals. Callers therefore hold
 * the lock of open.c, except for gpu_instance_ref(), gpu_instance_unref() and
 * gpu_instance_note_loss(), which are thread safe. */
typedef struct _GpuInstance GpuInstance;

struct _GpuInstance
{
  gint refs;
  gint losses;                  /* number of lost devices when it was created */
  VkInstance handle;
  PFN_vkDestroyInstance destroy;        /* of this instance; volk's global may belong to
                                           a newer one */
  PFN_vkSetDebugUtilsObjectNameEXT set_object_name;     /* or NULL */
};

/* Returns a new reference to the process's instance. Creates it if there is none, or if
 * a device was lost since it was created; sets *@is_new accordingly. Returns NULL with
 * @error set on failure (NO_VULKAN, OUT_OF_MEMORY, FAILED); the next call tries again. */
GpuInstance *gpu_instance_get (gboolean * is_new, GError ** error);

/* Like gpu_instance_get(), but always creates a new instance, which replaces the
 * process's instance. The new one also lists drivers and devices that were added since.
 * The old one is destroyed with its last device. On failure the old one stays. */
GpuInstance *gpu_instance_renew (GError ** error);

/* Call this when a device is lost. The next gpu_instance_get() then creates a new
 * instance, because the old one may not be able to open the device again. Thread safe. */
void gpu_instance_note_loss (void);

/* Drops the process's instance, so that the next call opens the loader again. For tests
 * that use another loader. */
void gpu_instance_forget (void);

/* Returns whether @instance is the process's one, whose functions volk's globals have. */
gboolean gpu_instance_is_current (const GpuInstance * instance);

/* Both are thread safe. Dropping the last reference destroys the VkInstance. */
GpuInstance *gpu_instance_ref (GpuInstance * instance);
void gpu_instance_unref (GpuInstance * instance);

/* Returns whether @name is in the @list of @n extensions. */
gboolean gpu_extensions_have (const VkExtensionProperties * list, guint n,
    const gchar * name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuInstance, gpu_instance_unref)

G_END_DECLS
