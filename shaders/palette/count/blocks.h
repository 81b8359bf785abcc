/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours in blocks of 1024 successive numbers (numbers.glsl): what was touched
 * and what occurs is listed by block, so that nobody looks at all 2^24 colours.
 * C and GLSL include this. */
#ifndef PALETTE_BLOCKS_H
#define PALETTE_BLOCKS_H

#include "core/slices.h"

#define N_BLOCKS 16384
#define BLOCK_WORDS 32          /* of a bitmap of colours */
#define BLOCK_COLOURS (32 * BLOCK_WORDS)

#define WINDOW_SLOTS 64          /* frames that are counted together, at most */

/* Written by the host for every frame. */
struct PaletteDispatches
{
  /* Workgroups, three words for each slice: over the words of the blocks that
   * were touched, 256 each; and where there are any, one that ranks the blocks,
   * then over the words of those with colours, and over the colours. */
  uint touched_groups[SLICE_WORDS];
  uint rank_groups[3];
  uint list_groups[SLICE_WORDS];
  uint convert_groups[SLICE_WORDS];
  uint words_per_slice, colours_per_slice, colours_per_group;
  uint newest;                  /* frame of the window, by slot */
};

#ifdef __STDC__
typedef struct PaletteDispatches PaletteDispatches;
#endif

struct PaletteBlocks
{
  PaletteDispatches dispatches;

  /* Blocks of which a counter was touched: a bitmap, empty between frames,
   * and a list. */
  uint touched_bits[N_BLOCKS / 32];
  uint touched[N_BLOCKS], n_touched;

  /* By block: its colours, and those before it. Blocks with colours, and the
   * workgroups over their words and over the colours. */
  uint counts[N_BLOCKS], ranks[N_BLOCKS];
  uint present[N_BLOCKS], n_present, n_colours;
  uint present_groups[SLICE_WORDS], colour_groups[SLICE_WORDS];

  /* Scenes that ended, and in which each frame was counted, by slot: those of
   * earlier ones are in the window no more. Workgroups over the words above where
   * one ends with this frame. */
  uint scene, scenes[WINDOW_SLOTS];
  uint cut_groups[SLICE_WORDS];
};

#endif
