/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the files of gpu/ share about Vulkan. Not for gst/: everything above
 * this layer goes through device.h, buffer.h, kernel.h and stream.h. */
#pragma once

#include "device.h"
#include <volk.h>

G_BEGIN_DECLS

/* The subgroups that pipelines ask for. */
typedef struct
{
  guint lanes;                  /* 0: no size is asked for */
  guint max_subgroups;          /* of a workgroup that asks for a size */
  gboolean can_be_full;         /* full ones may be asked for */
} GpuSubgroupControl;

struct _GpuDevice
{
  gint refs;
  GpuDeviceInfo info;
  guint n_listed;               /* devices that the loader listed */
  gchar *passed_over;           /* atomic; see gpu_device_get_passed_over() */
  gint lost;                    /* atomic */
  gint hung;                    /* atomic; nobody waits for it any more */
  gint submissions_done;        /* atomic; known to be */
  gsize allocated[VK_MAX_MEMORY_HEAPS]; /* atomic; bytes */

  struct _GpuInstance *instance;        /* a reference */
  VkPhysicalDevice physical;
  VkPhysicalDeviceProperties properties;
  VkDriverId driver;            /* 0 where it does not say */
  VkPhysicalDeviceMemoryProperties memory;
  VkDeviceSize atom;            /* nonCoherentAtomSize */
  GpuSubgroupControl subgroups;
  VkDevice device;
  struct VolkDeviceTable vk;    /* every call on the device; tests hook it */

  PFN_vkSetDebugUtilsObjectNameEXT set_object_name;     /* or NULL */
  PFN_vkGetPhysicalDeviceMemoryProperties2 get_memory_budget;   /* NULL without
                                   VK_EXT_memory_budget */

  guint32 queue_family;
  guint64 timestamp_mask;       /* the valid bits */
  VkQueue queue;
  GMutex queue_lock;            /* around every use of the queue */
  struct
  {
    gconstpointer stream;
    gint64 time;                /* g_get_monotonic_time() */
  } submitters[2];              /* the newest, and the newest before that was
                                   another; with the lock held */

  VkDescriptorSetLayout set_layout;
  VkPipelineLayout pipeline_layout;

  GMutex parts_lock;
  GArray *parts;                /* of what gpu_device_get_part() made */
};

/* Without a VkInstance or VkDevice yet, which gpu_device_open() adds. */
GpuDevice *gpu_device_new (void);
/* Destroys the VkDevice with all that stands on it; nothing may be running. */
void gpu_device_close (GpuDevice * device);

/* From now on gpu_device_find_shared() finds @device, as long as it lives and
 * is not lost. */
void gpu_device_share (GpuDevice * device);
/* Returns a new reference, or NULL where no shared device is the same. */
GpuDevice *gpu_device_find_shared (const GpuDeviceInfo * info);
/* Whether both are one device of one driver: two drivers may list the same card. */
gboolean gpu_device_info_is_same (const GpuDeviceInfo * one,
    const GpuDeviceInfo * other);

/* As gpu_device_open(), but always a device of the caller's own, which nobody
 * else is given: for tests that spoil it. */
GpuDevice *gpu_device_open_own (const gchar * selector, GError ** error);

/* Where tests say of what kind a device is and what memory it has: called for each
 * that is opened, before anything is made on it. NULL, as it is outside of tests: what
 * the driver says. */
extern void (*gpu_device_edit) (GpuDevice * device);

/* Something that a device has one of, made when it is first asked for, which
 * lives as long as the device. That is how files above device.c keep what is
 * theirs (heaps, kernels, the pipeline cache) without its knowing them. */
typedef struct
{
  gpointer (*make) (GpuDevice * device);        /* never NULL */
  GDestroyNotify destroy;       /* no work is left then */
} GpuDevicePart;

/* @part: static; its address is what tells one part from another. Owned by
 * @device. Thread safe; @part's functions ask for no other part. */
gpointer gpu_device_get_part (GpuDevice * device, const GpuDevicePart * part);

/* Turns a result into a GError that names @what was being done. Marks the
 * device lost on VK_ERROR_DEVICE_LOST and on VK_TIMEOUT, for which it is also
 * said to hang: nobody waits for it again. TRUE for VK_SUCCESS. */
gboolean gpu_device_check (GpuDevice * device, VkResult result,
    const gchar * what, GError ** error);
/* The same where there is no device yet. (result.c) */
gboolean gpu_result_check (VkResult result, const gchar * what,
    GError ** error);

/* Names a Vulkan object for debuggers and validation messages; does nothing
 * where VK_EXT_debug_utils is absent. */
void gpu_device_name_object (GpuDevice * device, VkObjectType type,
    guint64 handle, const gchar * name);

/* The size that every pipeline is to require, or 0 where none can be: @control is
 * all 0 where the device does not let one choose. (open/requirements.c) */
guint gpu_device_choose_lanes (const VkPhysicalDeviceProperties * properties,
    const VkPhysicalDeviceSubgroupProperties * subgroup,
    const VkPhysicalDeviceSubgroupSizeControlProperties * control);
/* What the device lacks of that every kernel relies on, in words to be read
 * after "lacks"; NULL where it has it all. @lanes: of a subgroup, required or as
 * reported. (open/requirements.c) */
gchar *gpu_device_list_missing (const VkPhysicalDeviceProperties * properties,
    const VkPhysicalDeviceSubgroupProperties * subgroup, guint lanes);
/* The same of what only a dispatch can tell: subgroups are full and their lanes
 * consecutive threads. FALSE with @error set where they are not, or where the
 * device failed. (open/subgroupprobe.c) */
gboolean gpu_device_probe_subgroups (GpuDevice * device, GError ** error);
/* Whether such a dispatch, of an earlier opening, has ended by now: nothing is
 * waited for. FALSE with @error set (LOST) where it has not; always TRUE where
 * there was none. Of threads that open devices one at a time. (open/subgroupprobe.c) */
gboolean gpu_device_check_not_hanging (const GpuDeviceInfo * info,
    GError ** error);

G_END_DECLS
