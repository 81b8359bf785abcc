/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pipelinecache.h"

#include <glib/gstdio.h>
#include <string.h>

#define DIRECTORY "gst-gpu-video-filters"
#define DIGEST_SIZE 32          /* SHA-256, before the driver's data */

static gchar *
file_name (GpuDevice * device)
{
  const VkPhysicalDeviceProperties *properties = &device->properties;
  g_autoptr (GString) name = g_string_new ("pipelines-");

  g_string_append_printf (name, "%04x-%04x-", properties->vendorID,
      properties->deviceID);
  for (guint i = 0; i < VK_UUID_SIZE; i++)
    g_string_append_printf (name, "%02x", properties->pipelineCacheUUID[i]);
  return g_build_filename (g_get_user_cache_dir (), DIRECTORY, name->str, NULL);
}

static void
digest_of (const gchar * data, gsize size, guint8 * digest)
{
  GChecksum *checksum = g_checksum_new (G_CHECKSUM_SHA256);
  gsize digest_size = DIGEST_SIZE;

  g_checksum_update (checksum, (const guchar *) data, size);
  g_checksum_get_digest (checksum, digest, &digest_size);
  g_checksum_free (checksum);
}

static gboolean
is_intact (const gchar * content, gsize size)
{
  guint8 digest[DIGEST_SIZE];

  if (size <= DIGEST_SIZE)
    return FALSE;
  digest_of (content + DIGEST_SIZE, size - DIGEST_SIZE, digest);
  return !memcmp (content, digest, DIGEST_SIZE);
}

GpuPipelineCache *
gpu_pipeline_cache_load (GpuDevice * device)
{
  GpuPipelineCache *cache = g_new0 (GpuPipelineCache, 1);
  g_autofree gchar *content = NULL;
  gsize size = 0;
  VkPipelineCacheCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
  };

  cache->device = device;
  cache->file = file_name (device);
  if (g_file_get_contents (cache->file, &content, &size, NULL)
      && is_intact (content, size)) {
    info.pInitialData = content + DIGEST_SIZE;
    info.initialDataSize = size - DIGEST_SIZE;
  }
  /* Pipelines are built without a cache where this fails. */
  if (device->vk.vkCreatePipelineCache (device->device, &info, NULL,
          &cache->handle) != VK_SUCCESS)
    cache->handle = VK_NULL_HANDLE;
  return cache;
}

void
gpu_pipeline_cache_save (GpuPipelineCache * cache)
{
  GpuDevice *device = cache->device;
  g_autofree gchar *directory = NULL;
  g_autofree gchar *content = NULL;
  size_t size = 0;

  if (!cache->handle || gpu_device_is_lost (device)
      || !cache->is_grown
      || device->vk.vkGetPipelineCacheData (device->device, cache->handle,
          &size, NULL) != VK_SUCCESS)
    return;
  content = g_try_malloc (DIGEST_SIZE + size);
  if (!content || device->vk.vkGetPipelineCacheData (device->device,
          cache->handle, &size, content + DIGEST_SIZE) != VK_SUCCESS)
    return;
  digest_of (content + DIGEST_SIZE, size, (guint8 *) content);
  directory = g_path_get_dirname (cache->file);
  if (g_mkdir_with_parents (directory, 0700) == 0)
    g_file_set_contents (cache->file, content, DIGEST_SIZE + size, NULL);
}

void
gpu_pipeline_cache_free (GpuPipelineCache * cache)
{
  cache->device->vk.vkDestroyPipelineCache (cache->device->device,
      cache->handle, NULL);
  g_free (cache->file);
  g_free (cache);
}
