/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The map of quality LIVE, by bin of Oklab: every occupied bin follows the density uphill to
 * a summit (docs/internals/live.md), and modes keep that steady from frame to frame
 * (docs/internals/temporal.md). Internal to gpu/palette/.
 *
 * bingrid.c computes the grid; live.c records a frame; modes.c its steps with modes;
 * continuity.c is what is kept of modes between frames; resources.c lists the kernels and
 * buffers. */
#pragma once

#include "gpu/core/compute/readback.h"
#include "gpu/palette/count/histogram.h"
#include "gpu/palette/map.h"
#include "shaders/palette/live/bins.h"
#include "shaders/palette/live/modes/temporal.h"

G_BEGIN_DECLS

extern const GpuPaletteMapType gpu_palette_live_map;

/* The buffers, by the names that they have in shaders (PALETTE_…_BUFFERS in shaders.h). A
 * buffer that is used for several things in the course of a frame has a name for each. Arrays
 * by place are indexed by the places of occupied bins (bins.h). */
typedef struct
{
  GpuBuffer *live;              /* struct LiveState */
  GpuBuffer *occupied, *ranks;  /* BIN_TOTALS counts and the bitmap of occupied bins; by
                                   word of it, the number of occupied bins before */
  GpuBuffer *changed;           /* struct PaletteChanged, from counting */
  GpuBuffer *strays;            /* struct LeashCell, by cell of strays */
  GpuBuffer *totals;            /* a sum for each workgroup of a prefix sum over bins */
  GpuBuffer *tables;            /* GpuPaletteTables */

  /* By pixel. Of what is kept for a frame there are two, which are swapped. */
  GpuBuffer *pixel_bins;
  GpuBuffer *chosen_bins;       /* by which pixels choose their modes, with coherence */
  GpuBuffer *colours, *colours_before;
  GpuBuffer *pixel_modes, *held_before; /* the modes that pixels hold, now and before */

  union
  {
    GpuBuffer *seen;            /* bitmap of colours: of the pixels until they are
                                   marked, then of the output */
    GpuBuffer *homes;           /* by place: the slot of the mode whose home is this bin */
    GpuBuffer *weights;         /* by place, with a limit of modes: weight of each summit */
  };

  /* By place. */
  GpuBuffer *list, *sums, *carries;
  GpuBuffer *uphill;            /* a bin farther uphill; at a summit, the bin itself */
  union
  {
    GpuBuffer *densities;
    GpuBuffer *claims;          /* of summits: the modes that they belong to, or are to
                                   become */
    GpuBuffer *summits;         /* with a limit of modes: list of summits */
    GpuBuffer *products;        /* then, of candidates: the weight times the squared
                                   distance to the nearest mode */
  };
  union
  {
    GpuBuffer *results;         /* output colour of the bin's pixels */
    GpuBuffer *owners;          /* slot of the mode that the bin offers its pixels */
    GpuBuffer *ends;            /* with a limit of modes: summit of each bin, until it
                                   is in uphill */
    GpuBuffer *distances;       /* then, of summits: squared distance to the nearest
                                   mode */
  };

  /* Of modes. */
  GpuBuffer *state;             /* struct Temporal */
  GpuBuffer *motion_state;      /* struct Motion */
  GpuBuffer *modes;             /* struct TemporalMode, by slot */
  GpuBuffer *summed;            /* struct ModeSums */
  GpuBuffer *owned_bins;        /* struct OwnedBin, two lists */
  GpuBuffer *cells;             /* struct ModeCell, in which modes settle */
  GpuBuffer *in_use;            /* bitmap of the slots of modes that pixels hold */
  GpuBuffer *counters;          /* pixels of each mode (temporal.h) */

  GpuBuffer *blocks;            /* struct PaletteBlocks, of the histogram */

  /* Of others, during a frame: no references. */
  GpuBuffer *input, *output;    /* frames */
  GpuBuffer *presence, *counts; /* of the histogram */
  GpuBuffer *top;               /* struct TopColours */
} GpuPaletteLiveBuffers;

typedef struct
{
  GpuKernel *mark, *gate, *merge, *list, *weigh, *density, *climb;
  GpuKernel *colour, *apply;    /* results by bin, without modes */
  GpuKernel *occupy, *weigh_colours;    /* of the histogram */
  GpuKernel *begin, *luma, *unrest, *choose;
  GpuKernel *cohere;
  GpuKernel *show;              /* writes frames; NULL: choose does */
  GpuKernel *move, *search, *match, *measure;
  /* Without a limit of modes; if colours may not move farther than a shift; with a
   * limit. */
  GpuKernel *assign, *offer;
  GpuKernel *leash_found, *leash_offer;
  GpuKernel *limit_summits, *limit_weigh, *limit_farthest, *limit_settle, *limit_centre,
      *limit_assign, *limit_sum, *limit_renew;
  GpuKernel *count_modes, *list_modes;
} GpuPaletteLiveKernels;

/* Kernels and buffers that are needed together. */
typedef enum
{
  NEED_FRAMES,      /* by all frames of a format */
  NEED_WORDS,       /* the bitmap of bins, of a size (room) */
  NEED_BINS,        /* arrays by bin, of a size (room) */
  NEED_RESULTS,     /* by frames without modes */
  NEED_HISTOGRAM,
  NEED_MODES,       /* by frames with modes, of any format */
  NEED_PIXEL_MODES, /* by these, of one format */
  NEED_SECOND,      /* by frames that begin with modes */
  NEED_UNLIMITED,   /* without a limit of modes */
  NEED_LEASH,       /* the same, if colours may not move farther than a shift */
  NEED_LIMITED,     /* with one */
  NEED_COHERENCE,   /* with coherence, by frames of one format */
  NEED_TOP,         /* to count the pixels of modes */
} GpuPaletteLiveNeed;

/* What the buffers of bins have room for. Fewer bins suffice for larger radii. */
typedef struct
{
  guint words;                  /* of the bitmap of bins */
  guint bins;                   /* occupied bins */
  guint cells;                  /* of strays */
  gboolean is_wide;             /* sums may exceed a word */
} GpuPaletteLiveRoom;

/* The state of modes that the host keeps from frame to frame. Initial state: zeroed, with
 * @begins_from BEGINS_FROM_NOTHING. */
typedef struct
{
  guint begins_from;            /* BEGINS_FROM_…, for the next frame */
  guint n_frames;               /* frames since BEGINS_FROM_NOTHING */
  guint64 since_update;         /* duration of the held frames since modes last
                                   moved, in ns */
  guint limit;                  /* most modes; 0: no limit */
  gboolean keeps_radius;        /* GpuPaletteMaking.keeps_radius */
  gdouble chroma;
  GpuPaletteGiven given;        /* the given palette */
  gboolean is_held;             /* the frame in progress is held */
  gboolean has_leash;           /* its colours may not move farther than a shift */
  gboolean has_modes;           /* it begins with modes */
  gboolean has_frame_before;    /* its pixels are compared with those of the frame before */
  gboolean follows_motion;      /* its blocks may come from other places */
} GpuPaletteContinuity;

typedef struct
{
  GpuPaletteMap parent;
  GpuDevice *device;            /* not referenced */
  GpuPaletteFormat format;
  guint n_pixels;               /* of a frame */
  guint n_words;                /* of an array by pixel (PIXELS_ROW_WORDS) */
  TemporalLeash leash;          /* of the frame in progress */
  guint needed;                 /* bit i: need i is met */
  GpuPaletteLiveRoom room;
  GpuPaletteLiveBuffers buffers;
  GpuPaletteLiveKernels kernels;
  GpuPaletteHistogram histogram;        /* zeroed until first used */
  GpuReadback *readback;

  gboolean has_frame;           /* buffers.colours are those of the frame before */
  gboolean has_results;         /* buffers by bin hold the results of that frame */
  gboolean has_mode_frame;      /* a frame with modes was recorded */
  gboolean expects_changes;     /* kernels for other settings were requested */
  GpuPaletteContinuity continuity;

  /* Settings and revision of the frame before, if known. */
  gboolean is_known;
  GpuPaletteSettings settings;
  guint revision;

  /* For the frame in progress. */
  GpuPaletteContext *context;
  GpuStream *stream;            /* that of the context */
  GpuSlicerItems of_tiles, of_words, of_bins, of_modes;
  GpuSlicerItems of_samples;    /* of blocks */
  guint farthest;               /* that blocks may come from, in pixels */
  guint most;                   /* most bins once they have been merged; buffers may
                                   have room for more */
  guint bound;                  /* number of bins that dispatches are paced for */
  guint capacity;               /* most occupied bins before they are merged */
  gboolean may_merge;           /* more may be occupied before that */
} GpuPaletteLive;

/* --- resources.c --- */

/* Returns whether @need is met. */
static inline gboolean
gpu_palette_live_has (const GpuPaletteLive * live, GpuPaletteLiveNeed need)
{
  return (live->needed & 1u << need) != 0;
}

/* Has what @need stands for: makes the buffers, for @live->room, and has the kernels built
 * soon. Does nothing if that was done. FALSE with @error set on failure. */
gboolean gpu_palette_live_need (GpuPaletteLive * live, GpuPaletteLiveNeed need,
    GError ** error);

/* Has the kernels of @need built later. FALSE with @error set on failure. */
gboolean gpu_palette_live_expect (GpuPaletteLive * live,
    GpuPaletteLiveNeed need, GError ** error);

/* Replaces the buffers of bins that have too little room for @needed; their contents are lost,
 * and so is what @live->has_results says. Room never shrinks. FALSE with @error set on failure
 * (OUT_OF_MEMORY, LOST): the old buffers stay. */
gboolean gpu_palette_live_make_room (GpuPaletteLive * live,
    const GpuPaletteLiveRoom * needed, GError ** error);

/* Moves the kernels and buffers that do not depend on the format from @old to @live. */
void gpu_palette_live_take_resources (GpuPaletteLive * live,
    GpuPaletteLive * old);

/* Drops the references to all buffers, of which there may be none. */
void gpu_palette_live_clear_buffers (GpuPaletteLive * live);

/* Returns the size of the buffers in bytes. */
gsize gpu_palette_live_get_buffer_memory (GpuPaletteLive * live);

/* Returns how many words of the bitmap of bins an invocation processes. */
guint gpu_palette_live_words_per_thread (GpuDevice * device);

/* Returns whether sums over the pixels of one frame may exceed a word. */
gboolean gpu_palette_live_is_wide (const GpuPaletteLive * live);

/* --- bingrid.c --- */

/* Sets the members of @state that depend only on @radius, in Oklab units, and @chroma
 * (oklab.h). Returns the number of words of the bitmaps of bins of all levels. */
guint gpu_palette_geometry_fill (struct LiveState *state, gdouble radius,
    gdouble chroma);

/* Returns a bound of the number of these words for any radius and chroma. */
guint gpu_palette_geometry_most_words (void);

/* Returns a bound of the bins of level 0 that all colours together occupy, or G_MAXUINT if
 * none is known. */
guint gpu_palette_geometry_most_bins (const BinGrid * grid);

/* Sets all members of @leash for a greatest shift of @max_shift radii, 0 or
 * GPU_PALETTE_LEAST_SHIFT and more, in the bins of @grid. */
void gpu_palette_leash_fill (TemporalLeash * leash, const BinGrid * grid,
    gdouble max_shift);

/* --- live.c --- */

/* Offset of the workgroup counts of a kind in struct LiveState, in bytes. */
#define GPU_PALETTE_LIVE_GROUPS(kind) offsetof (struct LiveState, kind ## _groups)

/* Records @dispatch by gpu_slicer_run_indirect() over @items. @groups_at:
 * GPU_PALETTE_LIVE_GROUPS(). */
void gpu_palette_live_run (GpuPaletteLive * live,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    gsize groups_at);

/* The same, over all occupied bins. */
void gpu_palette_live_run_over_bins (GpuPaletteLive * live, const GpuDispatch * dispatch);

/* --- continuity.c --- */


/* Returns whether @settings require modes: to keep them from frame to frame, to use a
 * given palette, to count their pixels, or for coherence. */
gboolean gpu_palette_wants_modes (const GpuPaletteSettings * settings);

/* Keeps modes, but in the next frame no pixel holds one. */
void gpu_palette_continuity_release (GpuPaletteContinuity * continuity);

/* Applies the @settings of the frame in progress. TRUE: they give another palette, whose
 * colours the caller must write as the modes. */
gboolean gpu_palette_continuity_take (GpuPaletteContinuity * continuity,
    const GpuPaletteSettings * settings);

/* Sets rest_step of @live, and all members of @frame except width, height, leash and
 * modes_per_slice. The caller has set the width and height of @frame and the grid of @live.
 * Call once for each frame, after gpu_palette_continuity_take(). */
void gpu_palette_continuity_fill (GpuPaletteContinuity * continuity,
    const GpuPaletteContext * context, struct LiveState *live,
    TemporalFrame * frame);

/* --- modes.c --- */

/* Has what the first frame with @settings, which want modes, needs. FALSE with @error set on
 * failure. */
gboolean gpu_palette_live_prepare_modes (GpuPaletteLive * live,
    const GpuPaletteSettings * settings, GError ** error);

/* Begins a frame with modes: sets the members luma_pixels, luma_pixels_per_slice and rest_step
 * of @state, and records writes to the buffers of modes. */
void gpu_palette_live_begin_modes (GpuPaletteLive * live, struct LiveState *state);

/* Record steps beside those of bins: beside the list, the luma of blocks; beside the weights,
 * how light changes, which modes there are, and a round of coherence; beside the densities,
 * how modes move, a search for motion, and another round; beside the climb, the motion of every
 * block. */
void gpu_palette_live_look_at_luma (GpuPaletteLive * live);
void gpu_palette_live_move_modes (GpuPaletteLive * live);
void gpu_palette_live_match_blocks (GpuPaletteLive * live);

/* Records, after these, the update of modes, the choice of a mode for each pixel, and the
 * conversion of @in to @out. */
void gpu_palette_live_update_modes (GpuPaletteLive * live, const GpuFrame * in,
    const GpuFrame * out);

G_END_DECLS
