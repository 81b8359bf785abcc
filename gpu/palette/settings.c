/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "settings.h"

#include <math.h>
#include <string.h>

/* Radius for a limit of one colour, in Oklab units. */
#define RADIUS_OF_ONE 0.04

/* Chroma where a limit sets the radius. With few colours, hues would else be given up for
 * steps of lightness. */
#define CHROMA_OF_LIMIT 2

guint
gpu_palette_get_limit (const GpuPaletteSettings * settings)
{
  if (settings->quality == GPU_PALETTE_EXACT
      || settings->making.given.n_colours > 0)
    return 0;
  return settings->making.limit;
}

gdouble
gpu_palette_get_radius (const GpuPaletteSettings * settings)
{
  guint limit = gpu_palette_get_limit (settings);

  if (limit == 0)
    return settings->making.radius;
  return MAX (GPU_PALETTE_LEAST_RADIUS,
      settings->making.keeps_radius ? settings->making.radius : RADIUS_OF_ONE /
      sqrt (limit));
}

gdouble
gpu_palette_get_chroma (const GpuPaletteSettings * settings)
{
  if (settings->making.chroma > 0)
    return MAX (settings->making.chroma, GPU_PALETTE_LEAST_CHROMA);
  return gpu_palette_get_limit (settings) > 0
      && !settings->making.keeps_radius ? CHROMA_OF_LIMIT : 1;
}

guint
gpu_palette_get_least_frequency (const GpuPaletteSettings * settings)
{
  return MAX (settings->making.min_frequency, 1);
}

/* --- groups --- */

static void
resolve_exact (GpuPaletteSettings * settings)
{
  settings->making.coherence = 0;
  settings->making.limit = 0;
  settings->making.max_shift = 0;
  settings->making.keeps_radius = FALSE;
  settings->making.given.n_colours = 0;
  settings->motion = (GpuPaletteMotion) {0};
}

/* Returns the effective greatest shift. */
static gdouble
get_max_shift (const GpuPaletteSettings * settings)
{
  const GpuPaletteMaking *making = &settings->making;

  if (making->max_shift == 0 || making->given.n_colours > 0
      || (making->limit > 0 && !making->keeps_radius))
    return 0;
  return MAX (making->max_shift, GPU_PALETTE_LEAST_SHIFT);
}

static void
resolve_live (GpuPaletteSettings * settings)
{
  settings->making.max_shift = get_max_shift (settings);
  settings->making.radius = gpu_palette_get_radius (settings);
  settings->making.limit = gpu_palette_get_limit (settings);
  settings->making.iteration_limit = 0;
}

static void
clear_unused_colours (GpuPaletteGiven * given)
{
  for (guint i = given->n_colours; i < GPU_PALETTE_MAX_COLOURS; i++)
    given->colours[i] = 0;
}

GpuPaletteSettings
gpu_palette_settings_resolve (const GpuPaletteSettings * settings)
{
  GpuPaletteSettings resolved = *settings;

  resolved.making.chroma = gpu_palette_get_chroma (settings);
  if (settings->quality == GPU_PALETTE_EXACT)
    resolve_exact (&resolved);
  else
    resolve_live (&resolved);
  clear_unused_colours (&resolved.making.given);
  resolved.counting.least_alpha = MAX (settings->counting.least_alpha, 1);
  resolved.counting.history = MAX (settings->counting.history, 1);
  resolved.making.min_frequency = gpu_palette_get_least_frequency (settings);
  resolved.motion.update_interval = MAX (resolved.motion.update_interval, 1);
  return resolved;
}

/* Groups are compared as bytes, so they must have no padding. */
G_STATIC_ASSERT (sizeof (GpuPaletteCounting) == 8 + 2 * 4);
G_STATIC_ASSERT (sizeof (GpuPaletteGiven) == 4 + 4 * GPU_PALETTE_MAX_COLOURS);
G_STATIC_ASSERT (sizeof (GpuPaletteMaking)
    == 4 * 8 + 5 * 4 + sizeof (GpuPaletteGiven));
G_STATIC_ASSERT (sizeof (GpuPaletteMotion) == 8 + 2 * 4);
