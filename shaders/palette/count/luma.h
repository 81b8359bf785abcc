/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Block luma and detection of scene cuts. C and GLSL include this. */
#ifndef PALETTE_LUMA_H
#define PALETTE_LUMA_H

/* Most columns of blocks, and most rows; and log2 of the least side of a block. */
#define LUMA_COLUMNS 32
#define LUMA_BLOCKS (LUMA_COLUMNS * LUMA_COLUMNS)
#define LUMA_SHIFT 4

struct Scene
{
  /* Written by the host for every frame. */
  uint block_shift, columns, rows;      /* log2 of a block's side; blocks */
  uint cut_sum;                 /* sum of differences in luma that a cut exceeds */

  /* Luma by block, in 256ths of a code value: this frame and the one before. */
  uint luma[LUMA_BLOCKS], luma_before[LUMA_BLOCKS];
};

#endif
