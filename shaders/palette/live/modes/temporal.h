/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Modes that are kept from frame to frame (docs/internals/temporal.md). C and GLSL
 * include this. */
#ifndef PALETTE_TEMPORAL_H
#define PALETTE_TEMPORAL_H

#include "core/slices.h"
#include "palette/count/luma.h"
#include "palette/live/bins.h"

/* Slots of modes. A pixel has 16 bits for a slot; 65535 is not a slot, so that the
 * search for free slots ends within the bitmap. */
#define MODE_CAPACITY 65535u
#define SLOT_WORDS 2048         /* words of a bitmap of slots */

/* Counters of pixels by slot of a mode; the last is for counted pixels without a mode. */
#define TOP_COUNTERS (MODE_CAPACITY + 1)
#define TOP_WITHOUT_MODE MODE_CAPACITY

/* The word of a pixel. With PIXEL_WITHOUT_MODE it holds no mode, and the low bits are
 * the colour that it shows. Otherwise: the slot of its mode, and, from bit WAITS_SHIFT,
 * how many ms it has been waiting to leave that mode. */
#define PIXEL_WITHOUT_MODE 0x80000000u
#define WAITS_SHIFT 16
#define WAITS_MOST 0x7fffu

/* After so many times TemporalFrame.hysteresis.wait_ms a pixel leaves for any nearer mode,
 * whatever the margin. */
#define PATIENCE 3

/* Before the age is SETTLED_MS, a pixel does so after hysteresis.wait_ms divided by this. */
#define QUICK_DIVISOR 2

/* A frame in which no other mode is nearer counts so many times against the wait. */
#define DOUBT 3

/* The word (owner) of an occupied bin is one of: the slot of its mode; PIXEL_WITHOUT_MODE
 * with the summit's colour: there was no free slot; COLOURS_STAY. The claim of a summit, before
 * there are new modes: a slot; SUMMIT_IS_NEW with its number among those of a workgroup that are
 * to become modes; COLOURS_STAY. */
#define SUMMIT_IS_NEW 0x40000000u

/* Beside the slot of its mode, in the owner of a bin that is farther from it than the
 * leash, until it gets the mode that is nearest. With a limit of modes, beside the place of a bin
 * that is a summit only because it is farther from its own one. */
#define BIN_STRAYS 0x20000000u

/* The radius, in eighths of bins of level 0. */
#define EIGHTHS_OF_RADIUS 24

/* A bin leaves its mode only if that of its summit is nearer by this, two thirds of the radius,
 * in squared eighths of bins. */
#define KEEPING_MARGIN 256

#define SETTLED_MS 300          /* largest age, in ms since a reset */
#define UNREST_MOST 128         /* largest unrest, and the drift of a block from
                                   which unrest is counted while the camera is at
                                   rest; in 256ths of a code value */

/* State of earlier frames with which a frame begins. */
#define BEGINS_FROM_ALL 0
#define BEGINS_FROM_MODES 1     /* modes only: no pixel holds one */
#define BEGINS_FROM_NOTHING 2

/* Whether the frame is held: it keeps the palette of the frame before. */
#define HOLDS_NO_PALETTE 0
#define HOLDS_WITHIN_SCENE 1    /* unless another scene begins */
#define HOLDS_PALETTE 2

/* A search for the nearest mode goes over this many slots at most: CPU devices leave
 * loops after 65535 rounds. */
#define NEAREST_SLOTS 1024

/* Largest limit of the number of modes. */
#define LIMIT_MOST 256
#define LIMIT_WORDS (LIMIT_MOST / 32)   /* words of a bitmap of their slots */

/* Slots that a dispatch of limit_farthest.comp fills at most. For each, and once before, an
 * invocation goes over up to BIN_CAPACITY / 256 bins. */
#define FARTHEST_PER_DISPATCH 16

/* Modes that settle: the level of bins.h whose bins are cells; the most cells; the most
 * rounds, and a bound of what all rounds compare, so that a workgroup is done soon: for each
 * cell all modes, and some more for what else is done with a cell. */
#define CELL_LEVEL 2u
#define MOST_CELLS 65536u
#define MOST_ROUNDS 10u
#define MOST_COMPARED (1u << 22)
#define MORE_PER_CELL 32u

#ifdef __STDC__
typedef struct Hysteresis Hysteresis;
typedef struct LumaBlock LumaBlock;
typedef struct ModeShare ModeShare;
typedef struct ModeTrial ModeTrial;
typedef struct ModeCell ModeCell;
typedef struct TemporalLight TemporalLight;
typedef struct TemporalBlocks TemporalBlocks;
typedef struct TemporalRates TemporalRates;
typedef struct TemporalLimit TemporalLimit;
typedef struct TemporalLeash TemporalLeash;
typedef struct LeashCell LeashCell;
typedef struct OwnedBin OwnedBin;
typedef struct TemporalFrame TemporalFrame;
typedef struct TemporalLimited TemporalLimited;
#endif

struct TemporalMode
{
  uint red, green, blue;        /* in 256ths of a code value */
  uint shown;                   /* R << 16 | G << 8 | B, rounded */
  uint home;                    /* the place of its bin, or NOT_OCCUPIED; with a
                                   limit of modes, the number of its bin */
  uint place[3];                /* position: L, a, b in eighths of bins of level 0 */
};

/* Hysteresis of pixels: when they leave the mode that they hold. */
struct Hysteresis
{
  uint margin;                  /* a pixel leaves soon only for a mode that is nearer by
                                   this margin, in eighths of bins; squared, except
                                   in TemporalFrame */
  uint wait_ms;                 /* after waiting longer than this, in ms */
};

/* The specialization constant of the kernels that compare a block with the frame before:
 * the threads of a workgroup. Each takes some of 64 samples, and one of the 9 rows of cells
 * that are searched: 16, 32 or 64. */
#define MOTION_THREADS 0

/* Cells of a block in a row and in a column; a word has a row of them. The search goes as
 * far as CELLS_ALONG cells, and in smaller steps less than a cell farther: FARTHEST pixels
 * are a bound, in blocks with a side of 1 << shift. */
#define CELLS_ALONG 4
#define FARTHEST(shift) ((CELLS_ALONG + 1) << ((shift) - 2))

/* The common vector goes no farther in either direction; values of a coordinate. */
#define MOST_COMMON 1279
#define VOTES (2 * MOST_COMMON + 1)

/* LumaBlock.changes: from this bit on, the number of samples. */
#define CHANGE_COUNT_SHIFT 20

/* Mean change of the samples of a block: its largest value, and if no sample is counted in
 * this frame and the one before. */
#define MOST_CHANGE 255u
#define NO_CHANGE 256u

/* Temporal.noise if it is unknown: above all others. */
#define NO_NOISE (256u << 8)

/* A pixel moved if its components changed by more than this in sum, in code values: four
 * times the noise, which is in 2048ths of a code value, and some more. */
#define MOVED_ABOVE(noise) (((noise) >> 9) + 16u)

/* LumaBlock.drift goes no farther: luma from black to white. */
#define MOST_DRIFT 65280

/* Components below or above these may be clipped. It is not known what they would be in another
 * light, so they are expected not to change. */
#define DARKEST 4
#define LIGHTEST 250

/* Unrest takes no more of the margin than this would, three quarters. */
#define MARGIN_UNREST 96

/* In 4096ths: light in which nothing changes, and that from which modes settle anew. */
#define SAME_GAIN 4096
#define GROWING_GAIN (SAME_GAIN + 256)

/* A block: its colour, and where it comes from. */
struct LumaBlock
{
  BlockColour colour, colour_before;    /* now, frame before */
  uint is_clipped, was_clipped; /* more than one sample in 16 may be clipped, or none
                                   is counted: now, frame before */

  /* Vectors are from a place to the place in the frame before, x and y in pixels.
   * Differences are sums over every second sample in both directions. */
  int found[2];                 /* of one block in four: by motion_search.comp */
  uint is_clear;                /* a pixel more or less would fit clearly worse */
  int best[2];                  /* of all that were compared */
  uint with_best, without, with_common; /* difference along it, along none, and along the
                                           common one */
  int vector[2];                /* the chosen one */
  uint changes;                 /* along it, sum of changes of colours, over samples that
                                   are counted in both frames; above it, their number */
  int light[3];                 /* sums of changes of R' + 2·G' + B', R' - G' and B' - G'
                                   over them, in 4096ths */
  int drift[3];                 /* of luma and chroma, as of BlockColour; decays */
  Hysteresis hysteresis;        /* of its pixels that changed */
};

/* Of some bins the weight, and low and high words of the sums of components: of those of a cell
 * that stray, or, with a limit of modes, of those of a mode that are within
 * TemporalLimit.ball. */
struct ModeShare
{
  uint n, low[3], high[3];
};

/* A cell of strays. */
struct LeashCell
{
  uint mode;                    /* its slot, with OWNED if a summit belongs to it, or the frame
                                   is held; NO_MODE */
  ModeShare strays;
};

#define OWNED 0x10000u
#define NO_MODE 0xffffffffu

/* An occupied bin and its mode, for the next frame. Lists of BIN_CAPACITY take turns. */
struct OwnedBin
{
  uint bin;                     /* its number, by which lists are in order */
  uint slot;                    /* NO_MODE: it has none */
};

/* There are at most so many cells for each word of the bitmap of bins, if words are counted by
 * whole workgroups of 256. */
#define CELLS_PER_WORD 4

/* Strays make a mode if they weigh at least this part of all bins, so no more cells have one. */
#define LEAST_STRAYS 2048

/* With a limit of modes: whether another mode is worth more. The worth of a mode is what
 * the loss of the frame grows by without it. The candidate is the summit of the mode with
 * the greatest product of weight and squared distance; it saves what the loss shrinks by
 * if it becomes a mode, too. Both are two words, the low one first. */
struct ModeTrial
{
  uint worth[2];
  uint candidate;               /* the place of its bin; NO_CANDIDATE */
  uint saved[2];
};

#define NO_CANDIDATE 0xffffffffu

/* With a limit of modes, if none was kept: a cell that weighs, among which modes settle. */
struct ModeCell
{
  uint n;                       /* its weight */
  uint place[3];                /* the mean of its bins, as TemporalMode.place */
  uint slot;                    /* of the nearest mode, and the squared distance to it */
  uint distance;
};

/* The luma blocks of a frame. */
struct TemporalBlocks
{
  uint shift;                   /* log2 of the side of a block in pixels */
  uint columns, rows;
  uint cut_sum;                 /* sum of changes in luma, or in chroma, that a scene
                                   cut exceeds; 0: no cuts */
};

/* Rates from the time since the frame before. */
struct TemporalRates
{
  uint ms;                      /* this time, in ms */
  uint glide, drift, noise;     /* parts of the way, in 4096ths, of: colours of modes, drift
                                   of blocks, and noise or motion of the camera that grow
                                   less */
};

/* Limit of the number of modes. */
struct TemporalLimit
{
  uint most;                    /* modes; 0: no limit */
  uint least_summits;           /* with fewer summits, every occupied bin is one; 0
                                   unless the limit sets the radius */
  uint ball;                    /* squared radius, in eighths of bins, of the ball
                                   around a mode whose mean it glides to */
};

/* How far colours may move from their bins, and the cells of the bins that stray farther
 * (docs/internals/live.md). */
struct TemporalLeash
{
  uint was_on;                  /* in the frame before, too: Temporal.owning_before is of it */
  uint squared;                 /* a bin strays if its mode is farther, squared eighths of
                                   bins; 0: none does */
  uint side;                    /* of a cell, in eighths of bins */
  uint before[3];               /* added to L, a, b of a place, in eighths of bins: makes the
                                   first cell begin at 0, one before all bins */
  uint along[2];                /* cells along L and b */
  uint cells;                   /* all of them */
};

/* What light makes of a component of the frame before: the gain times it plus the shift. */
struct TemporalLight
{
  int gain;                     /* in 4096ths */
  int shift;                    /* in 4096ths of a code value */
};

/* Written by the host for every frame. */
struct TemporalFrame
{
  uint begins_from;             /* BEGINS_FROM_… */
  uint holds_palette;           /* HOLDS_… */
  uint is_given;                /* the palette is given: its colours are the modes */
  uint width, height;
  uint capacity;                /* number of slots */
  uint follows_motion;          /* blocks have vectors that motion_search.comp finds */
  uint modes_per_slice;         /* invocations */
  TemporalLight light;          /* no change; temporal_begin.comp writes one that it finds */
  TemporalBlocks blocks;
  TemporalRates rates;
  Hysteresis hysteresis;        /* largest margin (not squared) and wait */
  TemporalLimit limit;
  TemporalLeash leash;
};

/* State with a limit of modes. */
struct TemporalLimited
{
  uint n_summits;
  uint n_cells;                 /* that weigh; as many as MOST_CELLS are listed */
  uint standing[LIMIT_WORDS];   /* bitmap of slots with a mode in this frame */
};

/* What is kept of modes. */
struct Temporal
{
  TemporalFrame frame;

  /* From the last frame that was not settled. */
  uint age;                     /* ms since a reset, SETTLED_MS at most */
  uint begins_anew;             /* reset: no pixel holds a mode */
  uint n_slots;                 /* slots up to the last taken one, a multiple of 32 */
  Hysteresis hysteresis;        /* of pixels that did not change */

  /* Bitmaps of slots, with the modes that existed when the frame began, those of them that
   * pixels held then, those that a summit, or with a limit of modes a bin, belongs to, and
   * those of bins whose summits have other modes. The bitmap of the modes that pixels hold now
   * is another buffer, so that the kernel that chooses modes writes that one and only reads this
   * struct: CPU devices read faster what a kernel does not write (texels). */
  uint taken[SLOT_WORDS], held[SLOT_WORDS], owning[SLOT_WORDS], kept[SLOT_WORDS];
  uint owning_before[SLOT_WORDS];       /* those that were owning in the frame before */
  uint free_before[SLOT_WORDS]; /* by word: number of free slots in the words before */

  uint turn;                    /* 0 or 1: which list of OwnedBin is of this frame */
  uint n_owned, owned_level;    /* bins in it, and their level */
  uint n_owned_before;          /* in the list of the frame before; 0: bins keep no modes */

  uint weight;                  /* of all bins */
  uint n_heavy, heavy[LEAST_STRAYS];    /* with a leash: cells whose strays weigh enough, in any
                                           order */

  uint mode_groups[MAX_SLICES][3];       /* workgroup counts over slots */

  TemporalLimited limited;
};

/* What is summed up of modes, if there is a limit of them. It is in a buffer of its own, so
 * that bins can be summed up beside the choice of pixels. */
struct ModeSums
{
  TemporalFrame frame;          /* as in struct Temporal */
  uint n_centred;               /* bins that limit_centre.comp has added to shares */
  ModeShare shares[LIMIT_MOST];
  ModeTrial trials[LIMIT_MOST];
};

/* What is kept of light and motion. It is in a buffer of its own, so that the kernels that
 * look for motion can run beside those of modes. */
struct Motion
{
  TemporalFrame frame;          /* as in struct Temporal */
  uint age, begins_anew;        /* as there */

  /* From the last frame that was not settled. */
  uint noise;                   /* mean change of a pixel by noise, as MOVED_ABOVE() takes
                                   it. Undefined before the first frame, in which it makes
                                   no difference */
  uint moved_above;             /* by the noise up to the frame before */
  uint camera;                  /* motion of the camera, 0…65 536: how many of so many
                                   searched blocks move, in this frame or, less and less,
                                   before. Undefined before the first frame, as noise */
  uint restlessness;            /* mean unrest of all blocks, halved: 0…64 */

  LumaBlock blocks[LUMA_BLOCKS];

  /* Rows of CELLS_ALONG cells of a block, mean lumas in code values, by row of cells and
   * column of blocks: now, and in the frame before. */
  uint cells[CELLS_ALONG * LUMA_BLOCKS], cells_before[CELLS_ALONG * LUMA_BLOCKS];

  /* How many clear blocks have each value of x, then of y, from -MOST_COMMON on; the
   * common vector; and sums of differences of the blocks that are searched but not
   * clear. */
  uint votes[2 * VOTES];
  int commonest[2];
  uint without, with_common;
  uint n_moving;                /* clear blocks with another vector than 0 */
};

#endif
