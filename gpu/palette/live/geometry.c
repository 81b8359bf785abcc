/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "geometry.h"
#include "gpu/palette/oklab.h"

/* Rounds @n up so that every level can halve it. */
static guint
up_to_whole_levels (guint n)
{
  const guint unit = 1 << (BIN_LEVELS - 1);

  return (n + unit - 1) / unit * unit;
}

/* Returns the number of bins along an axis; sets @before to the number of bins before
 * the one that has 0 in its middle. */
static guint
side_of (guint axis, guint pitch, guint shift, guint * before)
{
  guint below = gpu_palette_below_zero[axis] >> (16 - shift);
  guint above = (gpu_palette_gamut[axis] - gpu_palette_below_zero[axis])
      >> (16 - shift);
  guint reach = BIN_REACH << (BIN_LEVELS - 1);

  /* One more on either side, as lattice points are rounded. */
  *before = up_to_whole_levels (reach + (below + pitch / 2) / pitch + 1);
  return up_to_whole_levels (*before + (above + pitch / 2) / pitch + 2);
}

guint
gpu_palette_geometry_fill (struct LiveState *live, gdouble radius)
{
  guint before[3], side[3], first = 0;

  live->shift = gpu_palette_lattice_shift (radius);
  live->pitch = gpu_palette_lattice_pitch (radius, live->shift);
  for (guint axis = 0; axis < 3; axis++) {
    side[axis] = side_of (axis, live->pitch, live->shift, &before[axis]);
    live->bias[axis] = before[axis] * live->pitch + live->pitch / 2;
  }
  live->sides[0] = side[0];
  live->sides[1] = side[2];
  /* Offsets from the last bin must lead to bins of the bitmap. */
  side[1] += BIN_REACH << (BIN_LEVELS - 1);
  for (guint level = 0; level < BIN_LEVELS; level++) {
    guint n = (side[0] >> level) * (side[1] >> level) * (side[2] >> level);

    live->words[level] = (n + 31) / 32 + 1;
    live->first_word[level] = first;
    first += live->words[level];
  }
  return first;
}
