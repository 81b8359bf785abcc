/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pipelinecache.h"
#include "vulkan.h"

#include <glib/gstdio.h>
#include <string.h>

#define DIRECTORY "gst-gpu-video-filters"
#define DIGEST_SIZE 32          /* SHA-256, before the driver's data */

static gchar *
file_name (GpuDevice * device)
{
  VkPhysicalDeviceProperties properties;
  g_autoptr (GString) name = g_string_new ("pipelines-");

  vkGetPhysicalDeviceProperties (device->physical, &properties);
  g_string_append_printf (name, "%04x-%04x-", properties.vendorID,
      properties.deviceID);
  for (guint i = 0; i < VK_UUID_SIZE; i++)
    g_string_append_printf (name, "%02x", properties.pipelineCacheUUID[i]);
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

void
gpu_pipeline_cache_load (GpuDevice * device)
{
  g_autofree gchar *content = NULL;
  gsize size = 0;
  VkPipelineCacheCreateInfo info = {
    .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
  };

  device->pipeline_cache_file = file_name (device);
  if (g_file_get_contents (device->pipeline_cache_file, &content, &size, NULL)
      && is_intact (content, size)) {
    info.pInitialData = content + DIGEST_SIZE;
    info.initialDataSize = size - DIGEST_SIZE;
  }
  /* Pipelines are built without a cache where this fails. */
  if (device->vk.vkCreatePipelineCache (device->device, &info, NULL,
          &device->pipeline_cache) != VK_SUCCESS)
    device->pipeline_cache = VK_NULL_HANDLE;
}

void
gpu_pipeline_cache_save (GpuDevice * device)
{
  const gchar *name = device->pipeline_cache_file;
  g_autofree gchar *directory = NULL;
  g_autofree gchar *content = NULL;
  size_t size = 0;

  if (!device->pipeline_cache || gpu_device_is_lost (device)
      || !g_atomic_int_get (&device->pipelines_built)
      || device->vk.vkGetPipelineCacheData (device->device,
          device->pipeline_cache, &size, NULL) != VK_SUCCESS)
    return;
  content = g_try_malloc (DIGEST_SIZE + size);
  if (!content || device->vk.vkGetPipelineCacheData (device->device,
          device->pipeline_cache, &size, content + DIGEST_SIZE) != VK_SUCCESS)
    return;
  digest_of (content + DIGEST_SIZE, size, (guint8 *) content);
  directory = g_path_get_dirname (name);
  if (g_mkdir_with_parents (directory, 0700) == 0)
    g_file_set_contents (name, content, DIGEST_SIZE + size, NULL);
}
