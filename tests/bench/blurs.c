/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blurs.h"
#include "gpu/blur/blur.h"
#include "gpu/blur/methods.h"

const gchar *
blur_method_get_name (GpuBlurMethod method)
{
  return gpu_blur_method_get_info (method)->name;
}

gint
blur_find_method (const gchar * name)
{
  for (guint i = 0; i < GPU_BLUR_N_METHODS; i++)
    if (!g_strcmp0 (blur_method_get_name (i), name))
      return i;
  return -1;
}

gint
blur_find_pixels (const gchar * name)
{
  for (guint i = 0; i < GPU_N_PIXELS; i++)
    if (gpu_blur_takes (i)
        && !g_strcmp0 (gpu_pixels_get_format (i)->name, name))
      return i;
  return -1;
}

gint
blur_find_edge (const gchar * name)
{
  static const gchar *const names[] = {
    [GPU_BLUR_CLAMP] = "clamp",
    [GPU_BLUR_MIRROR] = "mirror",
    [GPU_BLUR_WRAP] = "wrap",
    [GPU_BLUR_BLACK] = "black",
  };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (!g_strcmp0 (names[i], name))
      return i;
  return -1;
}
