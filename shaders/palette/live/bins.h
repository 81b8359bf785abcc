/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colours in bins of Oklab (docs/internals/live.md), as the shaders and
 * gpu/palette/live/binmap.c see them: C and GLSL include this.
 *
 * Bins are numbered in order of a, then b, then L. Of each one a bit tells
 * whether a colour is in it; those that are occupied have a place in arrays, in
 * the same order. */
#ifndef PALETTE_BINS_H
#define PALETTE_BINS_H

#include "core/slices.h"

/* Bindings that kernels over bins have in common, where nothing else comes first. */
#define BINS_LIVE 0
#define BINS_OCCUPIED 1
#define BINS_RANKS 2

#define BIN_CAPACITY 524288u

/* Each level has bins of twice the side of those of the one before. Bins at
 * the edges are so far from those of other rows that offsets never lead
 * there. */
#define BIN_LEVELS 3
#define BIN_REACH 1u

/* Of a pixel's bin: the pixel is counted there; it is not, and stays; its colour
 * is not that of the frame before. */
#define PIXEL_WEIGHS 0x80000000u
#define PIXEL_STAYS 0x40000000u
#define PIXEL_CHANGED 0x20000000u
#define BIN_NUMBER 0x1fffffffu

/* Of a bin, instead of what becomes of its colours: they stay as they are. */
#define COLOURS_STAY 0xffffffffu

struct LiveState
{
  /* Written by the host for every frame. */
  uint shift;                   /* of the lattice */
  uint pitch;
  uint bias[3];                 /* of L, a, b: what makes them unsigned, and
                                   bins with them as their middle */
  uint sides[2];                /* bins along L and b, at level 0 */
  uint words[BIN_LEVELS], first_word[BIN_LEVELS];
  uint capacity;
  uint is_by_colour;            /* a colour weighs 1 */
  uint keeps_all;               /* no pixel is counted */
  uint n_pixels;
  uint pixels_per_slice, words_per_slice, bins_per_slice;       /* threads */
  uint luma_pixels, luma_pixels_per_slice;      /* that luminance is looked
                                                   for at: temporal.h */

  /* Zeroed by the host. */
  uint changed;                 /* pixels */
  uint occupied[BIN_LEVELS];

  /* Of the last frame that was solved. */
  uint output_colours;

  /* Workgroups over pixels, words and bins, where there is something to solve,
   * and over words where bins are merged. */
  uint pixel_groups[SLICE_WORDS];
  uint word_groups[SLICE_WORDS];
  uint bin_groups[SLICE_WORDS];
  uint merge_groups[SLICE_WORDS];
  uint luma_groups[SLICE_WORDS];
};

/* What weighs: how much, and the sums of components. */
struct BinSums
{
  uint n, red, green, blue;
};

#endif
