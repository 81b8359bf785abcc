/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "upload.h"

#include <string.h>

static gboolean
copy (GpuDevice * device, GpuBuffer * from, GpuBuffer * to, GError ** error)
{
  g_autoptr (GpuStream) stream = gpu_stream_new (device, 1, "upload", error);

  if (!stream || !gpu_stream_begin (stream, error))
    return FALSE;
  gpu_stream_copy (stream, from, 0, to, 0, gpu_buffer_get_size (from));
  return gpu_stream_submit (stream, NULL, error)
      && gpu_stream_wait_idle (stream, error);
}

GpuBuffer *
gpu_upload (GpuDevice * device, gconstpointer data, gsize size,
    const gchar * name, GError ** error)
{
  g_autoptr (GpuBuffer) staged =
      gpu_buffer_new (device, GPU_BUFFER_HOST, size, name, error);
  g_autoptr (GpuBuffer) buffer = NULL;

  if (!staged)
    return NULL;
  buffer = gpu_buffer_new (device, GPU_BUFFER_DEVICE, size, name, error);
  if (!buffer)
    return NULL;
  /* Sizes are rounded up to whole words. */
  memset (gpu_buffer_get_data (staged), 0, gpu_buffer_get_size (staged));
  memcpy (gpu_buffer_get_data (staged), data, size);
  if (!gpu_buffer_flush (staged, error)
      || !copy (device, staged, buffer, error))
    return NULL;
  return g_steal_pointer (&buffer);
}
