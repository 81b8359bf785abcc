/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blocks of 1024 colours with successive numbers (numbers.glsl). Touched colours and
 * present colours are listed by block, so that no kernel goes over all 2^24 colours.
 * C and GLSL include this. */
#ifndef PALETTE_BLOCKS_H
#define PALETTE_BLOCKS_H

#include "core/slices.h"

#define N_BLOCKS 16384
#define BLOCK_WORDS 32          /* words of a bitmap of colours */
#define BLOCK_COLOURS (32 * BLOCK_WORDS)

#define WINDOW_SLOTS 64          /* most frames in the window */

/* Written by the host for every frame. */
struct PaletteDispatches
{
  /* Workgroup counts of indirect dispatches, three words for each slice: over the words
   * of touched blocks, 256 to a workgroup; and, if there are any: one that ranks the
   * blocks, then over the words of blocks with colours, and over the colours. */
  uint touched_groups[MAX_SLICES][3];
  uint rank_groups[3];
  uint list_groups[MAX_SLICES][3];
  uint convert_groups[MAX_SLICES][3];
  uint words_per_slice, colours_per_slice;
  uint newest;                  /* slot of the newest frame of the window */
};

#ifdef __STDC__
typedef struct PaletteDispatches PaletteDispatches;
#endif

struct PaletteBlocks
{
  PaletteDispatches dispatches;

  /* Blocks with a touched counter: a bitmap, empty between frames, and a list. */
  uint touched_bits[N_BLOCKS / 32];
  uint touched[N_BLOCKS], n_touched;

  /* By block: the number of its colours, and of the colours in blocks before it (set
   * for blocks with colours only). The list of blocks with colours, and the workgroup
   * counts over their words and over the colours. */
  uint counts[N_BLOCKS], ranks[N_BLOCKS];
  uint present[N_BLOCKS], n_present, n_colours;
  uint present_groups[MAX_SLICES][3], colour_groups[MAX_SLICES][3];

  /* Number of the current scene, and by slot the scene in which each frame was counted:
   * frames of earlier scenes have left the window. Workgroup counts over the words of
   * blocks with colours if a scene ended, else 0. */
  uint scene, scenes[WINDOW_SLOTS];
  uint cut_groups[MAX_SLICES][3];
};

/* Changes that counting a frame made. */
struct PaletteChanged
{
  uint pixels;                  /* pixels that differ from the frame that this one
                                   replaces: with a history of 1, the frame before */
  uint presence;                /* not 0: a colour came or went */
};

#endif
