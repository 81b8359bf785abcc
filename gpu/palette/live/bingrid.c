/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The grid of bins of a radius, and that of the cells of strays. */
#include "live.h"
#include "gpu/core/rounding.h"

#include <math.h>

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
gpu_palette_geometry_fill (struct LiveState *state, gdouble radius,
    gdouble chroma)
{
  BinGrid *grid = &state->grid;
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
  grid->sides[2] = side[1] += BIN_REACH << (BIN_LEVELS - 1);
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

/* --- cells of strays --- */

/* Places are numbers of eighths from the middle of the first bin. Cells are numbered so that one
 * has 0 in its middle, and that every bin has cells all around its own. */
void
gpu_palette_leash_fill (TemporalLeash * leash, const BinGrid * grid,
    gdouble max_shift)
{
  const guint reach = floor (EIGHTHS_OF_RADIUS * max_shift);
  guint along[3];

  *leash = (TemporalLeash) {0};
  if (max_shift == 0)
    return;
  leash->squared = reach * reach;
  leash->side = floor (EIGHTHS_OF_RADIUS * max_shift * 2 / sqrt (3));
  for (guint axis = 0; axis < 3; axis++) {
    const guint zero = 8 * ((grid->bias[axis] - grid->pitch / 2) / grid->pitch);
    const guint n = grid->sides[axis == 0 ? 0 : 3 - axis];

    leash->before[axis] = leash->side * (DIV_UP (zero, leash->side) + 1) - zero
        + leash->side / 2;
    along[axis] = (leash->before[axis] + 8 * n) / leash->side + 2;
  }
  leash->along[0] = along[0];
  leash->along[1] = along[2];
  leash->cells = along[0] * along[1] * along[2];
}
