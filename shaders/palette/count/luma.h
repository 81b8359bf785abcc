/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours of blocks, and detection of scene cuts. C and GLSL include this. */
#ifndef PALETTE_LUMA_H
#define PALETTE_LUMA_H

/* Most columns of blocks, and most rows; and log2 of the least side of a block. */
#define LUMA_COLUMNS 32
#define LUMA_BLOCKS (LUMA_COLUMNS * LUMA_COLUMNS)
#define LUMA_SHIFT 4

#ifdef __STDC__
typedef struct BlockColour BlockColour;
#endif

/* Mean colour of a block. */
struct BlockColour
{
  uint luma;                    /* in 256ths of a code value */
  int chroma[2];                /* R' - G' and B' - G', in 64ths of a code value */
};

struct Scene
{
  /* Written by the host for every frame. */
  uint block_shift, columns, rows;      /* log2 of a block's side; blocks */
  uint cut_sum;                 /* sum of changes in luma, or in chroma, that a cut
                                   exceeds */

  /* By block. */
  BlockColour now[LUMA_BLOCKS], before[LUMA_BLOCKS];
};

#endif
