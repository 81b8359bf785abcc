/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrays.h"

static GpuBuffer *
make (GpuDevice * device, const GpuPaletteArray * array, GError ** error)
{
  return (array->is_large ? gpu_buffer_new_large : gpu_buffer_new) (device,
      GPU_BUFFER_DEVICE, array->words * 4, array->name, error);
}

gboolean
gpu_palette_make_arrays (GpuDevice * device, const GpuPaletteArray * arrays,
    guint n, GError ** error)
{
  g_autoptr (GPtrArray) made =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gpu_buffer_unref);

  for (guint i = 0; i < n; i++) {
    GpuBuffer *buffer = make (device, &arrays[i], error);

    if (!buffer)
      return FALSE;
    g_ptr_array_add (made, buffer);
  }
  for (guint i = 0; i < n; i++) {
    g_clear_pointer (arrays[i].buffer, gpu_buffer_unref);
    *arrays[i].buffer = gpu_buffer_ref (made->pdata[i]);
  }
  return TRUE;
}

void
gpu_palette_clear_arrays (GpuBuffer ** buffers, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&buffers[i], gpu_buffer_unref);
}
