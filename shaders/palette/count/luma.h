/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Luminance of blocks of a frame, and where scenes of those begin that are counted
 * together, as the shaders and gpu/palette/ see them: C and GLSL include this. */
#ifndef PALETTE_LUMA_H
#define PALETTE_LUMA_H

/* Columns at most, as many rows, and log2 of the least side. */
#define LUMA_COLUMNS 32
#define LUMA_BLOCKS (LUMA_COLUMNS * LUMA_COLUMNS)
#define LUMA_SHIFT 4

struct Scene
{
  /* Written by the host for every frame. */
  uint block_shift, columns, rows;      /* of blocks */
  uint cut_sum;                 /* of differences of blocks */

  /* Of luminance, by block. */
  uint luma[LUMA_BLOCKS], luma_before[LUMA_BLOCKS];
};

#endif
