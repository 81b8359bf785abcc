/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Maximum size of the file in bytes, without its checksum. A larger file is neither read
 * nor written. If the content becomes larger, the file is deleted; another device or
 * process then starts a new one. */
#define GPU_PIPELINE_CACHE_MAX (64 << 20)

/* The pipeline cache of a device. It is stored in a file in the user's cache directory,
 * so that shaders are compiled once per driver. A short-lived thread writes the file a
 * few seconds after the last build; it is also written when the device is destroyed.
 * Writing merges the current content of the file, because other processes write it too.
 * A checksum is verified before the driver sees the content, and the file is replaced
 * atomically, so corruption and concurrent writers do no harm: of two simultaneous
 * writes one is kept. Failures are not errors: the cache then starts empty or is not
 * stored. */
typedef struct
{
  GpuDevice *device;
  VkPipelineCache handle;       /* VK_NULL_HANDLE if it could not be created */
  gchar *file;
  gboolean is_full;             /* exceeded the maximum size and is not written again;
                                   used by one writer at a time */

  GMutex lock;                  /* protects the members below */
  GCond is_stopping;
  gboolean is_grown;            /* a pipeline was built since the last write */
  gint64 due;                   /* time of the next write: g_get_monotonic_time() */
  GThread *saver;               /* the last thread that was started, or NULL */
  gboolean is_saver_alive, is_stopped;
} GpuPipelineCache;

/* Returns a new cache with the content of the file; never NULL. Holds no reference to
 * @device. */
GpuPipelineCache *gpu_pipeline_cache_load (GpuDevice * device);
/* Call this after a pipeline was built. Schedules a write and returns at once. Thread
 * safe. */
void gpu_pipeline_cache_grew (GpuPipelineCache * cache);
/* Writes the cache if it has grown, and frees it. */
void gpu_pipeline_cache_free (GpuPipelineCache * cache);

/* Delay in microseconds between the last build and the write. Set by tests. */
extern gint64 gpu_pipeline_cache_delay;

G_END_DECLS
