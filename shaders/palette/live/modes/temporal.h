/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes that are kept from frame to frame (docs/internals/temporal.md), as the shaders
 * and gpu/palette/live/modes/temporal.c see them: C and GLSL include this. */
#ifndef PALETTE_TEMPORAL_H
#define PALETTE_TEMPORAL_H

#include "core/slices.h"
#include "palette/count/luma.h"

/* A pixel has 16 bits for a slot. One that is no slot makes the search for free
 * ones end within the bitmap. */
#define MODE_CAPACITY 65535u
#define SLOT_WORDS 2048         /* of a bitmap of slots */

/* Of a pixel: it holds no mode, and shows the colour in the bits below; or else
 * the slot of its mode, and how many ms it has been about to leave that. */
#define PIXEL_WITHOUT_MODE 0x80000000u
#define WAITS_SHIFT 16
#define WAITS_MOST 0x7fffu

/* Of an occupied bin: the slot of its summit's mode; or the summit is to
 * become one; or it cannot, and the bits below are its colour; or COLOURS_STAY. */
#define SUMMIT_IS_NEW 0x40000000u

#define SETTLED_MS 250          /* since a reset */
#define UNREST_MOST 128         /* in 256ths of a code value, as that from which
                                   on it is counted */

/* What of earlier frames a frame begins with. */
#define BEGINS_FROM_ALL 0
#define BEGINS_FROM_MODES 1     /* these alone */
#define BEGINS_FROM_NOTHING 2

/* Whether the palette is that of the frame before. */
#define HOLDS_NO_PALETTE 0
#define HOLDS_WITHIN_SCENE 1
#define HOLDS_PALETTE 2

/* Where everything is searched for the nearest mode, so many slots are: CPU
 * devices leave loops that are longer than 65535 rounds. */
#define NEAREST_SLOTS 1024

/* Where the number of modes is limited, there are no more than so many. */
#define LIMIT_MOST 256
#define LIMIT_WORDS (LIMIT_MOST / 32)   /* of a bitmap of their slots */

/* Each looks at up to BIN_CAPACITY / 256 bins, in a thread. */
#define FARTHEST_PER_DISPATCH 16

/* What newest is before there is one. */
#define NO_SLOT 0xffffffffu

/* What such a mode weighs before that is known. */
#define NO_WEIGHT 0xffffffffu

struct TemporalMode
{
  uint red, green, blue;        /* in 256ths */
  uint shown;
  uint home;                    /* the place of its bin, or NOT_OCCUPIED; of a
                                   limited number, the bin itself */
  uint place[3];                /* L, a, b in eighths of bins */
};

#define NOT_OCCUPIED 0xffffffffu

/* How firmly pixels hold their modes. */
struct Hysteresis
{
  uint margin;                  /* that a mode may be farther, squared, in
                                   eighths of bins */
  uint patience;                /* ms */
};

#ifdef __STDC__
typedef struct Hysteresis Hysteresis;
#endif

/* Of luminance. */
struct LumaBlock
{
  uint luma, luma_before, reference;
  Hysteresis hysteresis;        /* of pixels that changed */
};

#ifdef __STDC__
typedef struct LumaBlock LumaBlock;
#endif

/* Of a mode whose number is limited: what the bins weigh that come to it, and
 * weights and sums of components of those of them that are around it. */
struct ModeShare
{
  uint weight;
  uint n, low[3], high[3];
};

#ifdef __STDC__
typedef struct ModeShare ModeShare;
#endif

/* The frame cut into blocks. */
struct TemporalBlocks
{
  uint shift;                   /* log2 of their side */
  uint columns, rows;
  uint cut_sum;                 /* of differences of blocks: a cut; 0: none */
};

/* What comes of the time since the frame before. */
struct TemporalRates
{
  uint ms;
  uint glide, reference, weight;        /* parts of the way, in 4096ths: of modes, of
                                           the luma that was usual, of weights */
};

/* Where the number of modes is limited. */
struct TemporalLimit
{
  uint most;                    /* modes; 0: no limit */
  uint least_summits;           /* where there are fewer, all bins are some */
  uint ball;                    /* the square of how far around a mode is, in
                                   eighths of bins */
};

#ifdef __STDC__
typedef struct TemporalBlocks TemporalBlocks;
typedef struct TemporalRates TemporalRates;
typedef struct TemporalLimit TemporalLimit;
#endif

/* What the host writes for every frame. */
struct TemporalFrame
{
  uint begins_from;
  uint holds_palette;
  uint is_given;                /* the palette: modes are no summits */
  uint width, height;
  uint capacity;                /* slots */
  uint modes_per_slice;         /* threads */
  TemporalBlocks blocks;
  TemporalRates rates;
  Hysteresis hysteresis;        /* that pixels have at most */
  TemporalLimit limit;
};

#ifdef __STDC__
typedef struct TemporalFrame TemporalFrame;
#endif

/* Of a limited number of modes. */
struct TemporalLimited
{
  uint restlessness;            /* of the whole frame, 0…64 */
  uint n_summits;
  uint newest;                  /* slot of a mode of this frame, or none */
  uint greatest;                /* product that a summit has */
  uint standing[LIMIT_WORDS];   /* bitmap of slots: of modes in this frame */
  uint mean_weights[LIMIT_MOST];
  ModeShare shares[LIMIT_MOST];
};

#ifdef __STDC__
typedef struct TemporalLimited TemporalLimited;
#endif

struct Temporal
{
  TemporalFrame frame;

  /* Of the last frame that was solved. */
  uint age;                     /* ms since a reset, or SETTLED_MS */
  uint begins_anew;             /* no pixel holds anything */
  uint n_slots;                 /* up to the last that is taken */
  Hysteresis hysteresis;        /* of pixels that did not change */

  /* Bitmaps of slots: of modes that there were when the frame began, of those
   * that summits belong to, and those that pixels hold. */
  uint taken[SLOT_WORDS], owning[SLOT_WORDS], in_use[SLOT_WORDS];
  uint free_before[SLOT_WORDS]; /* slots, by word */

  uint mode_groups[SLICE_WORDS];        /* over slots */

  LumaBlock blocks[LUMA_BLOCKS];

  TemporalLimited limited;
};

#endif
