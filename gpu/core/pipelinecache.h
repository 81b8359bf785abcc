/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "vulkan.h"

G_BEGIN_DECLS

/* A device's pipeline cache, kept in the user's cache directory so that
 * shaders are compiled once per driver. A file is checked against its own
 * checksum before a driver sees it, and replaced atomically, so that neither
 * corruption nor concurrent writers do harm. Failures are not errors: the
 * cache then starts empty or is not kept. */
typedef struct
{
  GpuDevice *device;
  VkPipelineCache handle;       /* null where the driver has none */
  gchar *file;
  gboolean is_grown;            /* a pipeline was built since: worth keeping */
} GpuPipelineCache;

/* Never NULL. @device is not referenced. */
GpuPipelineCache *gpu_pipeline_cache_load (GpuDevice * device);
/* Writes it where it is worth keeping. */
void gpu_pipeline_cache_save (GpuPipelineCache * cache);
void gpu_pipeline_cache_free (GpuPipelineCache * cache);

G_END_DECLS
