/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Vulkan declarations for use inside gpu/. Code above gpu/, such as gst/, uses device.h,
 * buffer.h, kernel.h and stream.h instead. */
#pragma once

#include <volk.h>
#include "foreign.h"

G_BEGIN_DECLS

/* The subgroup size that pipelines require (VK_EXT_subgroup_size_control). */
typedef struct
{
  guint lanes;                  /* required subgroup size; 0: none is required */
  guint max_subgroups;          /* maximum subgroups per workgroup with a required size */
  gboolean can_be_full;         /* pipelines may require full subgroups */
} GpuSubgroupControl;

struct _GpuDevice
{
  gint refs;
  GpuDeviceInfo info;
  guint n_listed;               /* number of devices that the loader listed */
  gchar *passed_over;           /* atomic; see gpu_device_get_passed_over() */
  gint lost;                    /* atomic */
  gint hung;                    /* atomic; a wait timed out: do not wait again */
  gint submissions_done;        /* atomic; submissions known to be finished */
  gsize allocated[VK_MAX_MEMORY_HEAPS]; /* atomic; bytes */

  struct _GpuInstance *instance;        /* a reference */
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;            /* 0: not reported */
  VkPhysicalDeviceMemoryProperties memory;
  VkDeviceSize atom;            /* nonCoherentAtomSize */
  gboolean reads_texels;        /* see bindings.h */
  GpuSubgroupControl subgroups;
  gboolean is_portability_subset;       /* VK_KHR_portability_subset is there */
  GpuForeignDevice foreign;     /* zeroed if the VkDevice is our own */
  VkDevice device;
  struct VolkDeviceTable vk;    /* used for every device call; tests replace entries */

  PFN_vkSetDebugUtilsObjectNameEXT set_object_name;     /* or NULL */
  PFN_vkGetPhysicalDeviceMemoryProperties2 get_memory_budget;   /* NULL without
                                   VK_EXT_memory_budget */

  guint32 queue_family;
  guint64 timestamp_mask;       /* valid bits of a timestamp */
  gboolean queries_wait;        /* to read them, as on Mesa's CPU device, waits for all work */
  VkQueue queue;
  guint32 transfer_family;      /* of the two queues below; queue_family if they are NULL */
  VkQueue upload_queue, download_queue; /* transfer queues (stream/ring.h), both or
                                   none */
  guint64 transfer_timestamp_mask;      /* of these queues */
  GMutex queue_lock;            /* see gpu_device_lock_queues() */
  struct
  {
    gconstpointer stream;
    gint64 time;                /* of its last submission: g_get_monotonic_time() */
  } submitters[2];              /* the last two distinct streams, newest first;
                                   protected by queue_lock */

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout pipeline_layout;

  GMutex objects_lock;
  GArray *objects;              /* created by gpu_device_get_object() */
};

/* Allocates a GpuDevice; gpu_device_open() adds the VkInstance and the VkDevice. */
GpuDevice *gpu_device_new (void);
/* Destroys all objects, and the VkDevice if it is our own. The device must be idle. */
void gpu_device_close (GpuDevice * device);

/* Call these around every use of the queues. They also lock what the owner of an adopted device
 * locks. */
void gpu_device_lock_queues (GpuDevice * device);
void gpu_device_unlock_queues (GpuDevice * device);

/* Makes @device available to gpu_device_find_shared(), as long as it exists and is not
 * lost. */
void gpu_device_share (GpuDevice * device);
/* Returns a new reference to the shared device that @info describes, or NULL: the one that
 * adopted @foreign, or if that is NULL, one with a VkDevice of its own. */
GpuDevice *gpu_device_find_shared (const GpuDeviceInfo * info,
    VkDevice foreign);
/* Returns whether both describe the same device and driver. Two drivers may list the
 * same card. */
gboolean gpu_device_info_is_same (const GpuDeviceInfo * one,
    const GpuDeviceInfo * other);

/* Like gpu_device_open(), but always returns a new device that is not shared. For tests
 * that break the device. */
GpuDevice *gpu_device_open_own (const gchar * selector, const GpuNeeds * needs,
    GError ** error);

/* Returns a new VkDevice of the same physical device, with a queue of its own, which is not
 * shared or tried out. Returns NULL with @error set on failure. Thread safe. (open/open.c) */
GpuDevice *gpu_device_open_again (GpuDevice * device, GError ** error);

/* Hook for tests, NULL otherwise. It is called for each device that gpu_device_open()
 * or gpu_device_open_own() opens, before any object is created on it, and may change the
 * kind and memory that the driver reported, and what follows from these. */
extern void (*gpu_device_edit) (GpuDevice * device);

/* A kind of object that exists once per device. It is created on first use and destroyed
 * with the device. Heaps and kernels are attached to a device this way. */
typedef struct
{
  gpointer (*make) (GpuDevice * device);        /* never returns NULL */
  GDestroyNotify destroy;       /* called when the device is idle */
} GpuDeviceObject;

/* Returns the object of this @kind, which @device owns. @kind must be static: its address
 * identifies it. Thread safe. The functions of @kind must not call this function. */
gpointer gpu_device_get_object (GpuDevice * device,
    const GpuDeviceObject * kind);

/* Like gpu_result_check(). Marks the device lost on
 * VK_ERROR_DEVICE_LOST and on VK_TIMEOUT; after VK_TIMEOUT it also counts as hung, and no
 * thread waits for it again. Returns TRUE for VK_SUCCESS. */
gboolean gpu_device_check (GpuDevice * device, VkResult result,
    const gchar * what, GError ** error);

/* Registers a handler for exit(). It stops new submissions to @device and waits a few
 * seconds for those in flight, before the driver's own exit handlers run. exit()
 * runs handlers in reverse order, so call this after the device has executed work:
 * the driver must have registered its handlers by then. */
void gpu_device_watch_exit (GpuDevice * device);
/* Lets the handler of exit() run before the handlers that were registered since. Call this
 * when a driver may have registered handlers of its own, on any thread. */
void gpu_ending_comes_first (void);

/* Names a Vulkan object for debuggers and validation messages. Does nothing without
 * VK_EXT_debug_utils. */
void gpu_device_name_object (GpuDevice * device, VkObjectType type,
    guint64 handle, const gchar * name);

/* Runs a dispatch to check that subgroups are full and consist of consecutive invocations;
 * if they do not, kernels cannot use them. Returns FALSE with @error set if the device failed.
 * (open/subgroupprobe.c) */
gboolean gpu_device_probe_subgroups (GpuDevice * device, GError ** error);
/* Returns FALSE with @error set (LOST) if the device still hangs in the probe dispatch
 * of an earlier opening; otherwise TRUE. Does not wait. The caller holds the lock of
 * open.c. (open/subgroupprobe.c) */
gboolean gpu_device_check_not_hanging (const GpuDeviceInfo * info,
    GError ** error);

/* Queues of a transfer family that a device needs, or has none (stream/ring.h). */
#define GPU_TRANSFER_QUEUES 2

/* Sets *@work to the index of the family of the queue for all work, and *@transfer to that
 * of the transfer queues, or to *@work if there are none. Returns FALSE if no family in
 * @list, of @n, does compute. (open/open.c) */
gboolean gpu_queues_choose (const VkQueueFamilyProperties * list, guint n,
    guint32 * work, guint32 * transfer);

G_END_DECLS
