/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "oklab.h"
#include "shaders/palette/tables.h"

#include <math.h>
#include <stddef.h>

#define Q30 1073741824.0
#define CELLS_PER_RADIUS 3
#define LEAST_PITCH 109u

#define AT(member) (offsetof (GpuPaletteTables, member) / 4)

G_STATIC_ASSERT (AT (lights) == TABLES_LIGHTS
    && AT (thresholds) == TABLES_THRESHOLDS && AT (to_lab) == TABLES_TO_LAB
    && AT (to_roots) == TABLES_TO_ROOTS
    && sizeof (GpuPaletteTables) == TABLES_WORDS * 4);

/* Ottosson's matrix from cone roots to L, a, b, and its inverse. */
static const gdouble roots_to_lab[3][3] = {
  {0.2104542553, 0.7936177850, -0.0040720468},
  {1.9779984951, -2.4285922050, 0.4505937099},
  {0.0259040371, 0.7827717662, -0.8086757660},
};

static const gdouble lab_to_roots[3][3] = {
  {1, 0.3963377774, 0.2158037573},
  {1, -0.1055613458, -0.0638541728},
  {1, -0.0894841775, -1.2914855480},
};

/* Bounds at shift 16 with chroma 1. */
static const GpuPaletteGamut gamut = {
  {65536, 34304, 34304}, {0, 15872, 20992}
};

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

/* Sets @factors of L, a and b. */
static void
get_factors (gdouble chroma, gdouble factors[3])
{
  gdouble root = cbrt (chroma);

  factors[0] = 1 / (root * root);
  factors[1] = factors[2] = root;
}

/* Rounds to 30 fractional bits. */
static gint64
fixed (gdouble value)
{
  return floor (value * Q30 + 0.5);
}

void
gpu_palette_tables_set_chroma (GpuPaletteTables * tables, gdouble chroma)
{
  gdouble factors[3];

  get_factors (chroma, factors);
  for (guint row = 0; row < 3; row++)
    for (guint column = 0; column < 3; column++) {
      guint at = 3 * row + column;

      tables->to_lab[at] =
          ABS (fixed (roots_to_lab[row][column] * factors[row]));
      tables->to_roots[at] =
          fixed (lab_to_roots[row][column] / factors[column]);
    }
}

GpuPaletteGamut
gpu_palette_get_gamut (guint shift, gdouble chroma)
{
  GpuPaletteGamut bounds;
  gdouble factors[3];

  get_factors (chroma, factors);
  for (guint i = 0; i < 3; i++) {
    bounds.extent[i] = ldexp (gamut.extent[i] * factors[i], shift - 16);
    bounds.below_zero[i] = ldexp (gamut.below_zero[i] * factors[i], shift - 16);
  }
  return bounds;
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
