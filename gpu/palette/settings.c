/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "settings.h"

#include <math.h>

/* In Oklab: the radius for a limit of one colour. */
#define RADIUS_OF_ONE 0.04

guint
gpu_palette_get_limit (const GpuPaletteSettings * settings)
{
  if (settings->quality == GPU_PALETTE_EXACT || settings->n_colours > 0)
    return 0;
  return settings->limit;
}

gdouble
gpu_palette_get_radius (const GpuPaletteSettings * settings)
{
  guint limit = gpu_palette_get_limit (settings);

  if (limit == 0)
    return settings->radius;
  return MAX (GPU_PALETTE_LEAST_RADIUS,
      settings->keeps_radius ? settings->radius : RADIUS_OF_ONE / sqrt (limit));
}

guint
gpu_palette_get_least_frequency (const GpuPaletteSettings * settings)
{
  return MAX (settings->min_frequency, 1);
}
