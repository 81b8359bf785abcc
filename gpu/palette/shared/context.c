/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "context.h"

#define COLOURS_PER_CPU_THREAD 8

gboolean
gpu_palette_context_is_weighted (const GpuPaletteContext * context)
{
  return context->settings->making.weighting == GPU_PALETTE_FREQUENCY
      || context->settings->making.min_frequency > 1;
}

guint
gpu_palette_colours_per_thread (GpuDevice * device)
{
  return gpu_device_is_slow (device) ? COLOURS_PER_CPU_THREAD : 1;
}
