/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "geometry.h"
#include "gpu/palette/oklab.h"
#include "gpu/core/rounding.h"

/* The gamut has the same volume with any chroma, but sides are rounded up, which makes up
 * to 3.2 % more bins than with chroma 1. */
#define WITH_ANY_CHROMA(words) ((words) + (words) / 16)

/* The whole gamut is in at most so many bins, with any chroma, if the side of bins is at
 * least this, in units of the finest lattice: that of radius 0.02. Counted for that side,
 * chromas of 0.5 to 3 and transfer functions of sRGB, BT.709, and powers of 2.2 and 2.8:
 * fewer than 199 000. */
#define FINEST_SHIFT 16
#define BOUNDED_SIDE 437
#define MOST_BOUNDED_BINS 262144

/* Rounds @n up so that every level can halve it. */
static guint
up_to_whole_levels (guint n)
{
  return ROUND_UP (n, 1u << (BIN_LEVELS - 1));
}

/* Returns the number of bins along an axis; sets @before to the number of bins before
 * the one that has 0 in its middle. */
static guint
side_of (const GpuPaletteGamut * gamut, guint axis, guint pitch, guint * before)
{
  guint below = gamut->below_zero[axis];
  guint above = gamut->extent[axis] - below;
  guint reach = BIN_REACH << (BIN_LEVELS - 1);

  /* One more on either side, as lattice points are rounded. */
  *before = up_to_whole_levels (reach + (below + pitch / 2) / pitch + 1);
  return up_to_whole_levels (*before + (above + pitch / 2) / pitch + 2);
}

guint
gpu_palette_geometry_fill (struct LiveState *live, gdouble radius,
    gdouble chroma)
{
  BinGrid *grid = &live->grid;
  guint before[3], side[3], first = 0;
  GpuPaletteGamut gamut;

  grid->shift = gpu_palette_lattice_shift (radius);
  gamut = gpu_palette_get_gamut (grid->shift, chroma);
  grid->pitch = gpu_palette_lattice_pitch (radius, grid->shift);
  for (guint axis = 0; axis < 3; axis++) {
    side[axis] = side_of (&gamut, axis, grid->pitch, &before[axis]);
    grid->bias[axis] = before[axis] * grid->pitch + grid->pitch / 2;
  }
  grid->sides[0] = side[0];
  grid->sides[1] = side[2];
  /* Offsets from the last bin must lead to bins of the bitmap. */
  side[1] += BIN_REACH << (BIN_LEVELS - 1);
  for (guint level = 0; level < BIN_LEVELS; level++) {
    guint n = (side[0] >> level) * (side[1] >> level) * (side[2] >> level);

    grid->words[level] = (n + 31) / 32 + 1;
    grid->first_word[level] = first;
    first += grid->words[level];
  }
  return first;
}

guint
gpu_palette_geometry_most_words (void)
{
  struct LiveState finest;

  return WITH_ANY_CHROMA (gpu_palette_geometry_fill (&finest, 0, 1));
}

guint
gpu_palette_geometry_most_bins (const BinGrid * grid)
{
  const guint side = grid->pitch << (FINEST_SHIFT - grid->shift);

  return side >= BOUNDED_SIDE ? MOST_BOUNDED_BINS : G_MAXUINT;
}
