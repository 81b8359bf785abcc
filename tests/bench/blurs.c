/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blurs.h"

const gchar *
blur_method_get_name (GpuBlurMethod method)
{
  static const gchar *names[BLUR_METHODS] = {
    [GPU_BLUR_AUTO] = "auto",
    [GPU_BLUR_DIRECT] = "direct",
    [GPU_BLUR_DIRECT_SHARED] = "direct-shared",
    [GPU_BLUR_SEPARABLE] = "separable",
    [GPU_BLUR_SEPARABLE_SHARED] = "separable-shared",
    [GPU_BLUR_INLINE_SEPARABLE] = "inline-separable",
    [GPU_BLUR_INLINE_SEPARABLE_SHARED] = "inline-separable-shared",
    [GPU_BLUR_SLIDING_WINDOW] = "sliding-window",
    [GPU_BLUR_INLINE_SLIDING_WINDOW] = "inline-sliding-window",
    [GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED] = "inline-sliding-window-shared",
    [GPU_BLUR_STRIPS] = "strips",
    [GPU_BLUR_PYRAMID] = "pyramid",
    [GPU_BLUR_RUNNING_SUMS] = "running-sums",
  };

  return names[method];
}

gint
blur_find_method (const gchar * name)
{
  for (guint i = 0; i < BLUR_METHODS; i++)
    if (!g_strcmp0 (blur_method_get_name (i), name))
      return i;
  return -1;
}

gint
blur_find_pixels (const gchar * name)
{
  for (guint i = 0; i <= GPU_PIXELS_RGBA32F; i++)
    if (!gpu_pixels_get_format (i)->is_indexed
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
