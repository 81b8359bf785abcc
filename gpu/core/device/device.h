/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "error.h"

G_BEGIN_DECLS

/* Maximum number of storage buffers per kernel. All kernels share one descriptor set
 * layout, so descriptor sets are interchangeable. */
#define GPU_MAX_BINDINGS 16

/* Bytes of push constants, Vulkan's guaranteed minimum. */
#define GPU_MAX_PUSH 128

/* A Vulkan device with one compute queue. It is reference counted and thread safe.
 * The first gpu_device_open() loads the Vulkan loader. */
typedef struct _GpuDevice GpuDevice;

typedef enum
{
  GPU_DEVICE_DISCRETE,
  GPU_DEVICE_INTEGRATED,
  GPU_DEVICE_VIRTUAL,
  GPU_DEVICE_OTHER,
  GPU_DEVICE_CPU,
} GpuDeviceKind;                /* best first */

/* Properties of a device. They do not change during its lifetime. */
typedef struct
{
  gchar name[256];
  gchar driver[600];            /* name and version of the driver, and its Vulkan
                                   version; for reports */
  gchar uuid[37];               /* lower case, 8-4-4-4-12 */
  gchar driver_uuid[37];        /* of the driver, in the same form */
  GpuDeviceKind kind;
  guint index;                  /* position in the loader's list of devices */
  guint subgroup_size;          /* invocations per subgroup, 4 to 64; 0: kernels cannot
                                   use subgroups */
  const gchar *subgroup_fault;  /* why not, to follow "lacks"; static */
  guint max_buffers;            /* storage buffers per kernel, up to GPU_MAX_BINDINGS */
  guint max_group_threads;      /* invocations per workgroup */
  guint max_groups[3];          /* workgroups per dispatch and axis */
  gsize max_binding;            /* bytes of a buffer binding */
  gsize max_buffer;             /* bytes of a buffer */
  gsize max_shared;             /* bytes of shared memory per workgroup */
  gboolean has_float16;         /* shaders can add 16-bit floats, rounding to nearest */
  gboolean has_atomic_int64;    /* shaders can add 64-bit integers in buffers atomically */
  gboolean requires_lanes;      /* kernels require subgroup_size; otherwise it is the
                                   size that the driver reports */
  gboolean has_memory_budget;   /* the driver reports how much memory other processes
                                   use (VK_EXT_memory_budget) */
  gboolean imports_dmabufs;     /* buffers can have the memory of dma-bufs
                                   (gpu/core/memory/import.h) */
  gboolean exports_memory;      /* other libraries can have memory (gpu/core/memory/export.h,
                                   gpu/core/stream/sharedimage.h) */
  gboolean exports_semaphores;  /* and timeline semaphores, too */
  gdouble timestamp_period;     /* ns per tick; 0 = no timestamps */
} GpuDeviceInfo;

/* What an engine needs beyond what every device has that can be opened. */
typedef struct
{
  guint buffers;                /* storage buffers per kernel */
  gboolean subgroups;           /* operations within subgroups of 4 to 64 invocations that
                                   are full and in the order of the threads */
} GpuNeeds;

/* Opens a device for an engine with @needs, which may be NULL. @selector: NULL or "" for any
 * device, an index, a UUID, or a part of the name (case-insensitive). A number that is no valid
 * index is matched against the names. Opens the best matching device that has what every kernel
 * needs, and @needs; the order is that of GpuDeviceKind.
 *
 * There is one such GpuDevice per UUID and driver in a process. If it is already open and not
 * lost, a new reference to it is returned. If the device hangs while it is opened, the
 * call waits as long as gpu_ticket_wait() does and fails. While it still hangs, later
 * calls skip it without waiting. Returns NULL with @error set on failure (NO_VULKAN,
 * NO_DEVICE, UNSUPPORTED, OUT_OF_MEMORY, LOST, CANCELLED, FAILED). The message says what
 * each device lacks, and what to do. */
GpuDevice *gpu_device_open (const gchar * selector, const GpuNeeds * needs,
    GError ** error);

/* Returns whether @device has @needs, which may be NULL. On FALSE, @error is set
 * (UNSUPPORTED), and says what is missing. */
gboolean gpu_device_meets (GpuDevice * device, const GpuNeeds * needs,
    GError ** error);

/* Returns @device. */
GpuDevice *gpu_device_ref (GpuDevice * device);
/* Drops a reference; the last one destroys the device. In a forked child, and once the
 * process ends, this function and all others that free Vulkan objects leak them
 * (process.h). */
void gpu_device_unref (GpuDevice * device);

/* Returns whether the device may be slow, so that dispatches must be small: it is a CPU
 * or of unknown kind. */
gboolean gpu_device_is_slow (GpuDevice * device);

/* Writes the UUID @bytes as GpuDeviceInfo has it. (open/candidate.c) */
void gpu_uuid_format (const guint8 bytes[16], gchar text[37]);

/* Returns whether @selector matches @device (see gpu_device_open()). */
gboolean gpu_device_matches (GpuDevice * device, const gchar * selector);

/* The result is owned by @device. */
const GpuDeviceInfo *gpu_device_get_info (GpuDevice * device);

/* Returns a message for users: which better devices were rejected before @device was
 * opened, why, and what to do. It is from the first gpu_device_open() that returned
 * @device and rejected others; NULL if none did. Owned by @device. */
const gchar *gpu_device_get_passed_over (GpuDevice * device);

/* Returns whether the device is lost. A device becomes lost if a Vulkan call reports it,
 * or if a wait times out. It stays lost: every later call that needs it fails at once
 * with GPU_ERROR_LOST. The next gpu_device_open() opens a new GpuDevice. In a forked
 * child and in a process that ends, every device is lost; the error is then that of
 * gpu_process_check(). */
gboolean gpu_device_is_lost (GpuDevice * device);
/* Marks the device as lost. Thread safe. */
void gpu_device_mark_lost (GpuDevice * device);

/* Asks the driver whether the device is lost; returns FALSE if it is. Call this after a
 * failed Vulkan call: many calls cannot report a lost device and return another error.
 * Thread safe. The driver may wait, so hold no lock that other threads need. */
gboolean gpu_device_look (GpuDevice * device);

/* Returns FALSE with @error set if the device is lost. */
gboolean gpu_device_check_alive (GpuDevice * device, GError ** error);

/* Returns how many bytes of device and host memory are allocated from the driver now,
 * including unused parts of the allocator's blocks. */
guint64 gpu_device_get_allocated (GpuDevice * device);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuDevice, gpu_device_unref)

G_END_DECLS
