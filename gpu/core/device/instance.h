/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "vulkan.h"

G_BEGIN_DECLS

/* The process's connection to Vulkan: the loader and one VkInstance, made when a
 * device is first asked for and kept as long as the process lives. Making one
 * opens every driver of the machine, and with the last one drivers are unloaded:
 * some can be loaded but some thirty times in a process (NVIDIA 580 takes
 * thread-local storage that it never gives back).
 *
 * volk keeps the functions of the newest instance in globals. All of this is
 * therefore for threads under the lock of open.c, but for references, which any
 * thread may take and drop. */
typedef struct _GpuInstance GpuInstance;

struct _GpuInstance
{
  gint refs;
  gint losses;                  /* of devices, before it was made */
  VkInstance handle;
  PFN_vkDestroyInstance destroy;        /* its own, whatever is newest */
  PFN_vkSetDebugUtilsObjectNameEXT set_object_name;     /* or NULL */
};

/* A new reference to the process's instance, which is made where there is none, and
 * renewed where a device was lost since: *@is_new then. NULL with @error set (NO_VULKAN,
 * OUT_OF_MEMORY, FAILED) where it cannot be; the next call tries again. */
GpuInstance *gpu_instance_get (gboolean * is_new, GError ** error);

/* The same, but always made: the process's instance from now on, which knows
 * of drivers and devices that came since the last was made. That one goes with
 * its last device, and stays where this fails. */
GpuInstance *gpu_instance_renew (GError ** error);

/* A device was lost: what instances know of it may be of no use for another. On any
 * thread. */
void gpu_instance_note_loss (void);

/* For tests that bring another loader: the next call opens that. Of the thread
 * that opens devices. */
void gpu_instance_forget (void);

GpuInstance *gpu_instance_ref (GpuInstance * instance);
void gpu_instance_unref (GpuInstance * instance);

/* Whether @name is one of @n extensions. */
gboolean gpu_extensions_have (const VkExtensionProperties * list, guint n,
    const gchar * name);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuInstance, gpu_instance_unref)

G_END_DECLS
