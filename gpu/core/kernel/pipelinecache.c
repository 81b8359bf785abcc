/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pipelinecache.h"
#include "gpu/core/device/process.h"

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

/* Creates a cache from the file, or an empty one if the file cannot be used. */
static VkPipelineCache
create_from_file (GpuPipelineCache * cache)
{
  GpuDevice *device = cache->device;
  g_autofree gchar *content = NULL;
  GStatBuf status;
  gsize size = 0;
  VkPipelineCacheCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
  };
  VkPipelineCache handle;

  if (g_stat (cache->file, &status) == 0
      && status.st_size <= DIGEST_SIZE + GPU_PIPELINE_CACHE_MAX
      && g_file_get_contents (cache->file, &content, &size, NULL)
      && is_intact (content, size)) {
    info.pInitialData = content + DIGEST_SIZE;
    info.initialDataSize = size - DIGEST_SIZE;
  }
  /* If this fails, pipelines are built without a cache. */
  return device->vk.vkCreatePipelineCache (device->device, &info, NULL,
      &handle) == VK_SUCCESS ? handle : VK_NULL_HANDLE;
}

/* --- writing --- */

/* Returns the driver's data, preceded by room for the checksum. Returns NULL if the
 * driver returns no data, or more than GPU_PIPELINE_CACHE_MAX; in the latter case @size
 * is still set. */
static gchar *
get_content (GpuDevice * device, VkPipelineCache handle, size_t *size)
{
  struct VolkDeviceTable *vk = &device->vk;
  g_autofree gchar *content = NULL;

  if (vk->vkGetPipelineCacheData (device->device, handle, size,
          NULL) != VK_SUCCESS || *size > GPU_PIPELINE_CACHE_MAX)
    return NULL;
  content = g_try_malloc (DIGEST_SIZE + *size);
  if (!content || vk->vkGetPipelineCacheData (device->device, handle, size,
          content + DIGEST_SIZE) != VK_SUCCESS)
    return NULL;
  return g_steal_pointer (&content);
}

static void
replace_file (GpuPipelineCache * cache, VkPipelineCache handle)
{
  size_t size = 0;
  g_autofree gchar *content = get_content (cache->device, handle, &size);
  g_autofree gchar *directory = g_path_get_dirname (cache->file);

  if (size > GPU_PIPELINE_CACHE_MAX) {
    g_unlink (cache->file);
    cache->is_full = TRUE;
  }
  if (!content)
    return;
  digest_of (content + DIGEST_SIZE, size, (guint8 *) content);
  if (g_mkdir_with_parents (directory, 0700) == 0)
    g_file_set_contents (cache->file, content, DIGEST_SIZE + size, NULL);
}

/* Merges the cache into a temporary cache with the content of the file, because other
 * threads may be building pipelines with cache->handle. Once the cache is full it no
 * longer writes, so a new file from another process is kept. */
static void
save (GpuPipelineCache * cache)
{
  GpuDevice *device = cache->device;
  struct VolkDeviceTable *vk = &device->vk;
  VkPipelineCache merged;

  /* Inside the gate: exit() waits until the file is complete. */
  if (!cache->handle || cache->is_full || gpu_device_is_lost (device)
      || !gpu_process_enter (NULL))
    return;
  merged = create_from_file (cache);
  if (merged && vk->vkMergePipelineCaches (device->device, merged, 1,
          &cache->handle) == VK_SUCCESS)
    replace_file (cache, merged);
  vk->vkDestroyPipelineCache (device->device, merged, NULL);
  gpu_process_leave ();
}

/* --- time of writing --- */

gint64 gpu_pipeline_cache_delay = 5 * G_USEC_PER_SEC;

static gpointer
save_when_quiet (gpointer data)
{
  GpuPipelineCache *cache = data;

  g_mutex_lock (&cache->lock);
  while (cache->is_grown && !cache->is_stopped) {
    if (g_get_monotonic_time () < cache->due) {
      g_cond_wait_until (&cache->is_stopping, &cache->lock, cache->due);
      continue;
    }
    cache->is_grown = FALSE;
    g_mutex_unlock (&cache->lock);
    save (cache);
    g_mutex_lock (&cache->lock);
  }
  cache->is_saver_alive = FALSE;
  g_mutex_unlock (&cache->lock);
  return NULL;
}

void
gpu_pipeline_cache_grew (GpuPipelineCache * cache)
{
  g_mutex_lock (&cache->lock);
  cache->is_grown = TRUE;
  cache->due = g_get_monotonic_time () + gpu_pipeline_cache_delay;
  if (!cache->is_saver_alive) {
    /* The previous thread has finished. */
    g_clear_pointer (&cache->saver, g_thread_join);
    cache->saver = g_thread_try_new ("gpu-cache", save_when_quiet, cache, NULL);
    cache->is_saver_alive = cache->saver != NULL;
  }
  g_mutex_unlock (&cache->lock);
}

static void
stop_saver (GpuPipelineCache * cache)
{
  g_mutex_lock (&cache->lock);
  cache->is_stopped = TRUE;
  g_cond_signal (&cache->is_stopping);
  g_mutex_unlock (&cache->lock);
  g_clear_pointer (&cache->saver, g_thread_join);
}

/* --- lifetime --- */

GpuPipelineCache *
gpu_pipeline_cache_load (GpuDevice * device)
{
  GpuPipelineCache *cache = g_new0 (GpuPipelineCache, 1);

  cache->device = device;
  cache->file = file_name (device);
  cache->handle = create_from_file (cache);
  g_mutex_init (&cache->lock);
  g_cond_init (&cache->is_stopping);
  return cache;
}

void
gpu_pipeline_cache_free (GpuPipelineCache * cache)
{
  stop_saver (cache);
  if (cache->is_grown)
    save (cache);
  cache->device->vk.vkDestroyPipelineCache (cache->device->device,
      cache->handle, NULL);
  g_cond_clear (&cache->is_stopping);
  g_mutex_clear (&cache->lock);
  g_free (cache->file);
  g_free (cache);
}
