/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "arrays.h"

gboolean
gpu_palette_make_arrays (GpuDevice * device, const GpuPaletteArray * arrays,
    guint n, guint64 * memory, GError ** error)
{
  for (guint i = 0; i < n; i++) {
    *arrays[i].buffer = (arrays[i].is_large ? gpu_buffer_new_large
        : gpu_buffer_new) (device, GPU_BUFFER_DEVICE, arrays[i].words * 4,
        arrays[i].name, error);
    if (!*arrays[i].buffer)
      return FALSE;
    if (memory)
      *memory += arrays[i].words * 4;
  }
  return TRUE;
}
