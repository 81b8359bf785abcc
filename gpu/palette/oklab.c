/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oklab.h"

#include <math.h>

#define Q30 1073741824.0
#define CELLS_PER_RADIUS 3
#define LEAST_PITCH 109u

const guint gpu_palette_gamut[3] = { 65536, 34304, 34304 };
const guint gpu_palette_below_zero[3] = { 0, 15872, 20992 };

gdouble
gpu_palette_transfer_srgb (gdouble code, gpointer data)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

gdouble
gpu_palette_transfer_linear (gdouble code, gpointer data)
{
  return code;
}

/* Clamps @light to 0…@most, whatever the transfer function returns, so that sums of
 * three products stay within 64 bits. */
static guint32
to_q30 (gdouble light, gdouble most)
{
  return floor (CLAMP (light, 0, most) * Q30 + 0.5);
}

void
gpu_palette_tables_fill (GpuPaletteTables * tables,
    GpuPaletteTransfer transfer, gpointer data)
{
  for (guint i = 0; i < 256; i++) {
    tables->lights[i] = to_q30 (transfer (i / 255.0, data), 1);
    tables->thresholds[i] =
        i == 0 ? 0 : to_q30 (transfer ((i - 0.5) / 255, data), 2);
  }
}

guint
gpu_palette_lattice_shift (gdouble radius)
{
  guint shift = 16;

  while (ldexp (radius, shift) >= 2048)
    shift--;
  return shift;
}

guint
gpu_palette_radius_squared (gdouble radius, guint shift)
{
  return floor (radius * radius * ldexp (1, 2 * shift));
}

guint
gpu_palette_lattice_pitch (gdouble radius, guint shift)
{
  guint pitch = floor (ldexp (radius, shift) / CELLS_PER_RADIUS + 0.5);

  return MAX (pitch, LEAST_PITCH);
}
