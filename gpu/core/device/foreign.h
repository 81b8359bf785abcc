/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "device.h"
#include <vulkan/vulkan_core.h>

G_BEGIN_DECLS

/* A VkDevice that another library of this process opened. Who adopts it shares the images and
 * buffers of that library. */
typedef struct
{
  VkPhysicalDevice physical;    /* of any VkInstance */
  VkDevice device;              /* with Vulkan 1.3, of which it has enabled all features that
                                   the physical device has */
  VkQueue queue;                /* for compute */
  guint32 family;               /* of the queue */

  /* Called around every use of the queue, on any thread. */
  void (*lock) (gpointer owner);
  void (*unlock) (gpointer owner);
  gpointer owner;               /* keeps all of this alive */
  GDestroyNotify release;       /* of the owner */
} GpuForeignDevice;

/* Returns a GpuDevice that works on @foreign, with its one queue; gpu_device_open() never
 * returns it. The GpuDevices of the same VkDevice are one. Takes over the owner: releases it
 * with the last reference to the result, or on failure. Returns NULL with @error set on failure
 * (NO_DEVICE, UNSUPPORTED, OUT_OF_MEMORY, LOST, CANCELLED, FAILED). */
GpuDevice *gpu_device_adopt (const GpuForeignDevice * foreign,
    const GpuNeeds * needs, GError ** error);

/* Returns what @device has adopted, which it owns, or NULL. */
const GpuForeignDevice *gpu_device_get_adopted (GpuDevice * device);

G_END_DECLS
