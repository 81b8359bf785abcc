/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "context.h"

gboolean
gpu_palette_context_is_weighted (const GpuPaletteContext * context)
{
  return context->settings->making.weighting == GPU_PALETTE_FREQUENCY
      || context->settings->making.min_frequency > 1;
}
