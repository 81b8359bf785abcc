/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "error.h"

G_BEGIN_DECLS

/* Storage buffers that one kernel can bind. All kernels share one descriptor
 * set layout of this many, so that sets are interchangeable. */
#define GPU_MAX_BINDINGS 16

/* Bytes of push constants, Vulkan's guaranteed minimum. */
#define GPU_MAX_PUSH 128

/* One Vulkan device with one compute queue. Reference counted, safe to share
 * between threads. The loader is opened when a device is first asked for. */
typedef struct _GpuDevice GpuDevice;

typedef enum
{
  GPU_DEVICE_DISCRETE,
  GPU_DEVICE_INTEGRATED,
  GPU_DEVICE_VIRTUAL,
  GPU_DEVICE_OTHER,
  GPU_DEVICE_CPU,
} GpuDeviceKind;                /* best first */

/* What callers may want to know of a device; fixed for its lifetime. */
typedef struct
{
  gchar name[256];
  gchar driver[600];            /* its name and version, and that of its Vulkan:
                                   for reports */
  gchar uuid[37];               /* lower case, 8-4-4-4-12 */
  gchar driver_uuid[37];        /* likewise; of its driver */
  GpuDeviceKind kind;
  guint index;                  /* in the order the loader lists them */
  guint subgroup_size;          /* lanes; 4 to 64; those that kernels require,
                                   where they can */
  guint max_group_threads;      /* threads of one workgroup */
  guint max_groups[3];          /* workgroups of one dispatch, per axis */
  gsize max_binding;            /* bytes one buffer binding may cover */
  gsize max_buffer;             /* bytes of a buffer */
  gsize max_shared;             /* bytes of shared memory of a workgroup */
  gboolean has_float16;         /* whether shaders may sum in halves, to the
                                   nearest one */
  gboolean requires_lanes;      /* whether kernels require subgroup_size; else it is
                                   what the driver reports */
  gboolean has_memory_budget;   /* whether the driver says what others take of its
                                   memory */
  gdouble timestamp_period;     /* ns per tick; 0 = no timestamps */
} GpuDeviceInfo;

/* Opens a device. @selector: NULL or "" for any, an index, a UUID, or a part
 * of the name in any case; digits that are no device's index are a part of a
 * name. Of those it names, the best that has what kernels need is opened
 * (discrete before integrated before virtual before CPU).
 *
 * A process has one device of each UUID and driver: where one is open and not lost, a
 * new reference to it is returned. One that hangs while it is opened is waited
 * for once, as gpu_ticket_wait() waits; as long as it does not come round, those
 * who ask later are not given it, and do not wait. Returns NULL with @error set
 * (NO_VULKAN, NO_DEVICE, UNSUPPORTED, OUT_OF_MEMORY, LOST, FAILED) where there is
 * none; the message says what each lacks, and what to do. */
GpuDevice *gpu_device_open (const gchar * selector, GError ** error);

GpuDevice *gpu_device_ref (GpuDevice * device);
/* In a forked child, and once the process ends, what was made on a device is not
 * freed any more, by this and all other functions. */
void gpu_device_unref (GpuDevice * device);

/* Whether dispatches have to be small to be short: the device is a CPU, or
 * nobody knows what. */
gboolean gpu_device_is_slow (GpuDevice * device);

/* Whether @selector, as of gpu_device_open(), names @device. NULL and ""
 * match any device. */
gboolean gpu_device_matches (GpuDevice * device, const gchar * selector);

/* Owned by @device. */
const GpuDeviceInfo *gpu_device_get_info (GpuDevice * device);

/* Better devices that were passed over for @device, by the first gpu_device_open() that
 * tried any, what was wrong with each, and what to do, in words that a user can read;
 * NULL where there were none. Owned by @device. */
const gchar *gpu_device_get_passed_over (GpuDevice * device);

/* A lost device stays lost: every later call that needs it fails with
 * GPU_ERROR_LOST at once. The flag is set by whichever call the driver
 * reported the loss to, and by a wait that timed out. The next
 * gpu_device_open() opens another in its place. To a process that was forked, or
 * that ends, every device is lost; the error is then that of
 * gpu_process_check(). */
gboolean gpu_device_is_lost (GpuDevice * device);
void gpu_device_mark_lost (GpuDevice * device);

/* Asks the driver whether the device is lost, and returns whether it is not. For calls
 * that failed: many have no result that says so, and then tell of something else. Any
 * thread. */
gboolean gpu_device_look (GpuDevice * device);

/* Sets @error and returns FALSE when the device is lost. */
gboolean gpu_device_check_alive (GpuDevice * device, GError ** error);

/* Bytes of device and of host memory taken from the driver so far, free
 * parts of the allocator's blocks included. */
guint64 gpu_device_get_allocated (GpuDevice * device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuDevice, gpu_device_unref)

G_END_DECLS
