/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "geometry.h"
#include "gpu/palette/oklab.h"

/* Every level halves the numbers of cells. */
static guint
up_to_whole_levels (guint n)
{
  const guint unit = 1 << (CELL_LEVELS - 1);

  return (n + unit - 1) / unit * unit;
}

/* Cells along an axis, of which @before come before the one in whose middle 0
 * is. */
static guint
side_of (guint axis, guint pitch, guint shift, guint * before)
{
  guint below = gpu_palette_below_zero[axis] >> (16 - shift);
  guint above = (gpu_palette_gamut[axis] - gpu_palette_below_zero[axis])
      >> (16 - shift);
  guint reach = CELL_REACH << (CELL_LEVELS - 1);

  /* One more on either side, as points are rounded. */
  *before = up_to_whole_levels (reach + (below + pitch / 2) / pitch + 1);
  return up_to_whole_levels (*before + (above + pitch / 2) / pitch + 2);
}

guint
gpu_palette_geometry_fill (struct PaletteGrid *grid, gdouble radius)
{
  guint before[3], side[3], first = 0;

  grid->shift = gpu_palette_lattice_shift (radius);
  grid->pitch = gpu_palette_lattice_pitch (radius, grid->shift);
  for (guint axis = 0; axis < 3; axis++) {
    side[axis] = side_of (axis, grid->pitch, grid->shift, &before[axis]);
    grid->bias[axis] = before[axis] * grid->pitch + grid->pitch / 2;
  }
  grid->sides[0] = side[0];
  grid->sides[1] = side[2];
  /* Offsets from the last cell lead to cells as well. */
  side[1] += CELL_REACH << (CELL_LEVELS - 1);
  for (guint level = 0; level < CELL_LEVELS; level++) {
    guint n = (side[0] >> level) * (side[1] >> level) * (side[2] >> level);

    grid->words[level] = (n + 31) / 32 + 1;
    grid->first_word[level] = first;
    first += grid->words[level];
  }
  return first;
}
