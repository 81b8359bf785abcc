/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpudmabufs.h"

#include "gpu/core/memory/import.h"

#include <errno.h>
#include <gst/allocators/gstdmabuf.h>
#include <poll.h>

GST_DEBUG_CATEGORY_STATIC (gst_gpu_dmabufs_debug);
#define GST_CAT_DEFAULT gst_gpu_dmabufs_debug

/* --- imports --- */

/* Kept with a memory for each device that has come across it. */
typedef struct
{
  GpuDevice *device;
  GpuBuffer *buffer;            /* NULL: this device cannot import it */
} Import;

static void
free_import (gpointer data)
{
  Import *import = data;

  g_clear_pointer (&import->buffer, gpu_buffer_unref);
  gpu_device_unref (import->device);
  g_free (import);
}

/* Returns the import for @device, or NULL. Drops those of devices that are lost. */
static Import *
find_import (GPtrArray * imports, GpuDevice * device)
{
  for (guint i = imports->len; i-- > 0;) {
    Import *import = g_ptr_array_index (imports, i);

    if (import->device == device)
      return import;
    if (gpu_device_is_lost (import->device))
      g_ptr_array_remove_index_fast (imports, i);
  }
  return NULL;
}

/* Returns whether another try may succeed. */
static gboolean
is_temporary (const GError * error)
{
  return g_error_matches (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY)
      || g_error_matches (error, GPU_ERROR, GPU_ERROR_LOST)
      || g_error_matches (error, GPU_ERROR, GPU_ERROR_CANCELLED);
}

static GpuBuffer *
add_import (GPtrArray * imports, GstMemory * memory, GpuDevice * device)
{
  g_autoptr (GError) error = NULL;
  GpuBuffer *buffer = gpu_buffer_import (device,
      gst_dmabuf_memory_get_fd (memory), &error);
  Import *import;

  if (!buffer)
    GST_INFO_OBJECT (memory->allocator, "the CPU maps memory %p: %s", memory,
        error->message);
  if (is_temporary (error))
    return NULL;
  import = g_new0 (Import, 1);
  import->device = gpu_device_ref (device);
  import->buffer = buffer;
  g_ptr_array_add (imports, import);
  return buffer;
}

static GPtrArray *
get_imports (GstMemory * memory)
{
  static GQuark key;
  GPtrArray *imports;

  if (!key) {
    key = g_quark_from_static_string ("gst-gpu-imports");
    GST_DEBUG_CATEGORY_INIT (gst_gpu_dmabufs_debug, "gpudmabufs", 0,
        "frames in dma-bufs");
  }
  imports = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory), key);
  if (!imports) {
    imports = g_ptr_array_new_with_free_func (free_import);
    gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory), key, imports,
        (GDestroyNotify) g_ptr_array_unref);
  }
  return imports;
}

/* Views of a memory have its imports. Returns a new reference, or NULL. */
static GpuBuffer *
import_memory (GstMemory * memory, GpuDevice * device)
{
  static GMutex lock;
  GPtrArray *imports;
  GpuBuffer *buffer;
  Import *import;

  while (memory->parent)
    memory = memory->parent;
  g_mutex_lock (&lock);
  imports = get_imports (memory);
  import = find_import (imports, device);
  buffer = import ? import->buffer : add_import (imports, memory, device);
  if (buffer)
    gpu_buffer_ref (buffer);
  g_mutex_unlock (&lock);
  return buffer;
}

/* Returns whether the part lies inside of the import. */
static gboolean
add_part (GstGpuDmabufs * dmabufs, GstMemory * memory, GpuDevice * device)
{
  GpuBuffer *import =
      gst_is_dmabuf_memory (memory) ? import_memory (memory, device) : NULL;
  gsize size = import ? gpu_buffer_get_size (import) : 0;

  if (!import)
    return FALSE;
  dmabufs->parts[dmabufs->n].import = import;
  dmabufs->parts[dmabufs->n].offset = memory->offset;
  dmabufs->parts[dmabufs->n++].size = memory->size;
  return memory->offset <= size && memory->size <= size - memory->offset;
}

gboolean
gst_gpu_dmabufs_are_supported (GpuDevice * device)
{
  const GpuDeviceInfo *info = gpu_device_get_info (device);

  return info->imports_dmabufs && info->kind != GPU_DEVICE_CPU;
}

gboolean
gst_gpu_dmabufs_import (GstGpuDmabufs * dmabufs, GstBuffer * buffer,
    const GstVideoInfo * video, GpuDevice * device, GpuFrameInfo * info)
{
  const guint n = gst_buffer_n_memory (buffer);

  dmabufs->n = 0;
  if (!gst_gpu_dmabufs_are_supported (device) || n == 0 || n > GPU_MAX_PLANES
      || !gst_gpu_frame_info_from_bytes (info, buffer, video))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!add_part (dmabufs, gst_buffer_peek_memory (buffer, i), device)) {
      gst_gpu_dmabufs_clear (dmabufs);
      return FALSE;
    }
  return TRUE;
}

void
gst_gpu_dmabufs_clear (GstGpuDmabufs * dmabufs)
{
  while (dmabufs->n > 0)
    gpu_buffer_unref (dmabufs->parts[--dmabufs->n].import);
}

/* --- waits --- */

/* A dma-buf is readable when what writes it is done, and writable when all that uses it is. Files
 * that poll() cannot tell about are not waited for. */
gboolean
gst_gpu_dmabufs_wait (GstBuffer * buffer, gboolean is_written, gint ms)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    struct pollfd users = {
      .fd = gst_dmabuf_memory_get_fd (gst_buffer_peek_memory (buffer, i)),
      .events = is_written ? POLLOUT : POLLIN,
    };
    gint n;

    do
      n = poll (&users, 1, ms);
    while (n < 0 && errno == EINTR);
    if (n == 0)
      return FALSE;
  }
  return TRUE;
}

/* --- copies --- */

void
gst_gpu_dmabufs_record_copy (const GstGpuDmabufs * dmabufs,
    GpuStream * stream, GpuBuffer * frame, gboolean is_written)
{
  gsize at = 0;

  gpu_stream_stage (stream, is_written ? "to dma-buf" : "from dma-buf");
  for (guint i = 0; i < dmabufs->n; at += dmabufs->parts[i++].size) {
    GpuBuffer *import = dmabufs->parts[i].import;
    const gsize offset = dmabufs->parts[i].offset;
    const gsize size = dmabufs->parts[i].size;

    if (is_written)
      gpu_stream_copy (stream, frame, at, import, offset, size);
    else
      gpu_stream_copy (stream, import, offset, frame, at, size);
  }
}

/* --- pools --- */

/* GStreamer's own, of 1.28, has its allocator only once it is configured. */
static gboolean
makes_dmabufs (GstBufferPool * pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstAllocator *allocator = NULL;
  gboolean makes;

  gst_buffer_pool_config_get_allocator (config, &allocator, NULL);
  makes = (allocator && GST_IS_DMABUF_ALLOCATOR (allocator))
      || g_str_equal (G_OBJECT_TYPE_NAME (pool), "GstVideoDmabufPool");
  gst_structure_free (config);
  return makes;
}

/* Lets the pool choose strides, if it can. */
static void
ask_for_layout (GstBufferPool * pool, GstStructure * config)
{
  GstVideoAlignment none = { 0 };

  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  if (!gst_buffer_pool_has_option (pool, GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT)
      || gst_buffer_pool_config_has_option (config,
          GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT))
    return;
  gst_buffer_pool_config_add_option (config,
      GST_BUFFER_POOL_OPTION_VIDEO_ALIGNMENT);
  gst_buffer_pool_config_set_video_alignment (config, &none);
}

gboolean
gst_gpu_dmabufs_configure_pool (GstBufferPool * pool, GstCaps * caps, guint min)
{
  GstStructure *config;
  GstVideoInfo info;

  if (!makes_dmabufs (pool) || !gst_video_info_from_caps (&info, caps))
    return FALSE;
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, GST_VIDEO_INFO_SIZE (&info),
      min, 0);
  ask_for_layout (pool, config);
  if (gst_buffer_pool_set_config (pool, config))
    return TRUE;
  /* It may want to add something. */
  config = gst_buffer_pool_get_config (pool);
  if (gst_buffer_pool_config_validate_params (config, caps,
          GST_VIDEO_INFO_SIZE (&info), min, 0))
    return gst_buffer_pool_set_config (pool, config);
  gst_structure_free (config);
  return FALSE;
}
