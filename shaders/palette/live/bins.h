/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Bins of Oklab (docs/internals/live.md). C and GLSL include this.
 *
 * Bins are numbered in order of a, then b, then L. A bin is occupied if a colour is in
 * it: a bitmap has a bit for each bin. The place of an occupied bin is its index among
 * the occupied bins, in the same order; arrays by bin are indexed by place. */
#ifndef PALETTE_BINS_H
#define PALETTE_BINS_H

#include "core/slices.h"

#define BIN_CAPACITY 524288u

/* Side of a tile, the pixels that a workgroup weighs: in a square there are fewer colours
 * than in rows of a frame. An invocation has PIXELS_PER_THREAD of them. */
#define TILE_SIDE 64

/* Words of the bitmap of occupied bins whose bins are counted together. */
#define WORDS_OF_TOTAL 256u
#define BIN_TOTALS 9728         /* room for these counts, of all levels */

/* At each level bins have twice the side of those of the level before. Rows of bins are
 * padded with bins that are never occupied, so that an offset of up to BIN_REACH never
 * leads to an occupied bin of another row. */
#define BIN_LEVELS 3
#define BIN_REACH 1u

/* Epanechnikov kernel: the weight of a colour in a density is this minus the squared
 * distance in bins. */
#define BIN_KERNEL 4

/* A plateau: an increase of up to 1 / PLATEAU_PART of the density, PLATEAU_MOST at most. */
#define PLATEAU_PART 64u
#define PLATEAU_MOST 8u

/* In place of the place of a bin. */
#define NOT_OCCUPIED 0xffffffffu

/* More steps than any way uphill has (docs/internals/live.md), and fewer than the rounds
 * after which CPU devices leave a loop. */
#define MOST_STEPS 62000u

/* Flags in a word with the bin of a pixel: the pixel adds to the sums of the bin; the
 * pixel is not counted, and keeps its colour. The low bits are the coordinates of the bin at
 * level 0: a, b and L, from the highest on. No grid has more bins along an axis. */
#define PIXEL_WEIGHS 0x80000000u
#define PIXEL_STAYS 0x40000000u
#define BIN_AXIS_BITS 10

/* The word of a pixel that is not counted. Its coordinates are far from those of all bins. */
#define PIXEL_WITHOUT_BIN (PIXEL_STAYS | (1u << 3 * BIN_AXIS_BITS) - 1)

/* Output colour of a bin whose pixels keep their colours. */
#define COLOURS_STAY 0xffffffffu

/* A film that has rested so long is settled: see docs/internals/temporal.md, "A film at rest". */
#define SETTLED_AFTER 65536u

/* The bins of a radius. */
struct BinGrid
{
  uint shift;                   /* log2 of lattice units to a unit of Oklab */
  uint pitch;                   /* side of a bin, in lattice units */
  uint bias[3];                 /* added to L, a, b of a lattice point: makes them
                                   unsigned, and 0 the middle of a bin */
  uint sides[3];                /* bins along L, b and a, at level 0 */
  uint words[BIN_LEVELS], first_word[BIN_LEVELS];       /* of the bitmap of a level */
};

#ifdef __STDC__
typedef struct BinGrid BinGrid;
#endif

struct LiveState
{
  /* Written by the host for every frame. */
  BinGrid grid;
  uint capacity;                /* most occupied bins before they are merged */
  uint is_by_colour;            /* the weight of every colour is 1 */
  uint keeps_all;               /* radius 0: no pixel is counted */
  uint coherence;               /* squared distance in bins up to which pixels decide together */
  uint n_words;                 /* of an array by pixel */
  uint width, height;
  uint tile_items;              /* invocations of bin_weigh.comp */
  uint tiles_per_slice, words_per_slice, bins_per_slice;        /* invocations */
  uint luma_pixels, luma_pixels_per_slice;      /* samples of block luma: temporal.h */
  uint rest_step;               /* added to the rest in a frame as the one before */

  /* Zeroed by the host. */
  uint marked_groups;           /* workgroups of bin_mark.comp that are done */
  uint changed;                 /* number of pixels that changed */
  uint occupied[BIN_LEVELS];    /* number of occupied bins; 0: level not computed */

  /* Kept from frame to frame. */
  uint rest;                    /* how long the film has rested: 0 if a pixel changed, up to
                                   SETTLED_AFTER. Then the results of the frame before
                                   stay */

  /* From the last frame that was not settled. */
  uint output_colours;

  /* Workgroup counts over tiles, words, bins and luma samples, 0 if the film is settled;
   * and over words if bins are merged. */
  uint tile_groups[MAX_SLICES][3];
  uint word_groups[MAX_SLICES][3];
  uint bin_groups[MAX_SLICES][3];
  uint merge_groups[MAX_SLICES][3];
  uint luma_groups[MAX_SLICES][3];
};

/* Sums over the colours of a bin that have weight: the weights, and the weighted
 * components. */
struct BinSums
{
  uint n, red, green, blue;
};

#endif
