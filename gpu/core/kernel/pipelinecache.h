/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/vulkan.h"

G_BEGIN_DECLS

/* Bytes of a file, its checksum aside. A larger one is not read, nor written: where
 * it would be, the file goes, and what another device or process builds begins the
 * next. */
#define GPU_PIPELINE_CACHE_MAX (64 << 20)

/* A device's pipeline cache, kept in the user's cache directory so that
 * shaders are compiled once per driver. It is written when nothing was built for
 * some seconds, by a thread that lives no longer than that, and when the device
 * goes; with all that is in the file by then, for other processes write theirs. A
 * file is checked against its own checksum before a driver sees it, and replaced
 * atomically, so that neither corruption nor concurrent writers do harm: of two that
 * write in the same instant one is kept. Failures are not errors: the cache then
 * starts empty or is not kept. */
typedef struct
{
  GpuDevice *device;
  VkPipelineCache handle;       /* null where the driver has none */
  gchar *file;
  gboolean is_full;             /* had more than a file may have, and is not written
                                   any more; of one writer at a time */

  GMutex lock;                  /* of all below */
  GCond is_stopping;
  gboolean is_grown;            /* a pipeline was built since: worth keeping */
  gint64 due;                   /* when it is written: g_get_monotonic_time() */
  GThread *saver;               /* the newest, or NULL */
  gboolean is_saver_alive, is_stopped;
} GpuPipelineCache;

/* Never NULL. @device is not referenced. */
GpuPipelineCache *gpu_pipeline_cache_load (GpuDevice * device);
/* A pipeline was built with it. In any thread; does not wait. */
void gpu_pipeline_cache_grew (GpuPipelineCache * cache);
/* Writes it at once where it grew. */
void gpu_pipeline_cache_free (GpuPipelineCache * cache);

/* How long nothing is built before it is written, in microseconds. For tests. */
extern gint64 gpu_pipeline_cache_delay;

G_END_DECLS
