/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Buffers of a frame's bins, and dispatches over them. Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/shared/context.h"
#include "shaders/palette/live/bins.h"

#include <stddef.h>

G_BEGIN_DECLS

/* What the buffers of bins have room for. Fewer bins suffice for larger radii. */
typedef struct
{
  guint words;                  /* of the bitmap of bins */
  guint bins;                   /* occupied bins */
  gboolean is_wide;             /* sums may exceed a word */
} GpuPaletteBinsRoom;

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint width, height, n_pixels;        /* of a frame */
  guint n_words;                /* of an array by pixel (PIXELS_ROW_WORDS) */
  GpuBuffer *state;             /* struct LiveState */
  GpuBuffer *occupied, *ranks;  /* BIN_TOTALS counts and the bitmap of occupied bins; by
                                   word of it, the number of occupied bins before */
  GpuBuffer *changed;           /* struct PaletteChanged, from counting */
  GpuBuffer *totals;            /* a sum for each workgroup of a prefix sum over bins */
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *pixel_bins;        /* by pixel */
  GpuBuffer *frames[2];         /* colours by pixel: of the frame in progress and of the
                                   one before, in turns */
  guint newest;                 /* of frames: the one in progress */
  GpuPaletteBinsRoom room;

  /* A buffer that is reused has a name for each use. */
  union
  {
    GpuBuffer *seen;            /* bitmap of colours: of the pixels until they are
                                   marked, then of the output */
    GpuBuffer *homes;           /* by place: the slot of the mode whose home is this bin */
    GpuBuffer *summit_weights;  /* by place, with a limit of modes: weight of each
                                   summit */
  };

  /* By place of an occupied bin, its index among the occupied bins in order. */
  GpuBuffer *bin_list, *sums, *carries;
  GpuBuffer *uphill;            /* a bin farther uphill; at a summit, the bin itself */
  union
  {
    GpuBuffer *densities;
    GpuBuffer *claims;          /* of summits: the modes that they belong to, or are to
                                   become */
    /* With a limit of modes: list of summits; then, by place of a candidate, the product of
     * its weight and its squared distance to the nearest mode. */
    GpuBuffer *summits, *products;
  };
  union
  {
    GpuBuffer *results;         /* output colour of the bin's pixels */
    GpuBuffer *owners;          /* slot of the mode that the bin offers its pixels */
    GpuBuffer *distances;       /* with a limit of modes: squared distance to the
                                   nearest mode */
  };

  /* For the frame in progress. */
  GpuSlicerItems of_tiles, of_words, of_bins;
  GpuRowBinding pixel_rows;     /* of PIXELS_PER_THREAD pixels */
  guint most;                   /* most bins once they have been merged; buffers may
                                   have room for more */
  guint bound;                  /* number of bins that dispatches are paced for */
  guint capacity;               /* most occupied bins before they are merged */
  gboolean may_merge;           /* more may be occupied before that */
} GpuPaletteBins;

/* Initializes a zeroed @bins for frames of this size, without room for bins. @device is not
 * referenced. FALSE with @error set on failure; call gpu_palette_bins_clear() in either
 * case. */
gboolean gpu_palette_bins_init (GpuPaletteBins * bins, GpuDevice * device,
    guint width, guint height, GError ** error);
void gpu_palette_bins_clear (GpuPaletteBins * bins);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_bins_get_memory (GpuPaletteBins * bins);

/* Returns how many words of the bitmap of bins an invocation processes. */
guint gpu_palette_bins_words_per_thread (GpuDevice * device);

/* Returns the most bins that the colours of @history frames can be in once bins have been
 * merged: no more than the capacity. */
guint gpu_palette_bins_most (const GpuPaletteBins * bins, guint history);

/* Returns whether sums over the pixels of one frame may exceed a word. */
gboolean gpu_palette_bins_are_wide (const GpuPaletteBins * bins);

/* Returns whether there is room for @needed. */
gboolean gpu_palette_bins_have_room (const GpuPaletteBins * bins,
    const GpuPaletteBinsRoom * needed);

/* Replaces the bitmap of bins and the buffers by occupied bin that have too little room for
 * @needed; their contents are lost. Room never shrinks. FALSE with @error set on failure
 * (OUT_OF_MEMORY, LOST): the old buffers stay. */
gboolean gpu_palette_bins_make_room (GpuPaletteBins * bins,
    const GpuPaletteBinsRoom * needed, GError ** error);

/* Begins a frame: the one that was in progress is now the one before. */
void gpu_palette_bins_begin_frame (GpuPaletteBins * bins);

/* Returns the colours by pixel of the frame in progress, and of the one before. No
 * references. */
GpuBuffer *gpu_palette_bins_get_colours (const GpuPaletteBins * bins);
GpuBuffer *gpu_palette_bins_get_colours_before (const GpuPaletteBins * bins);

/* Records the clearing of occupied bins, in @n_words words of their bitmap. FALSE with
 * @error set on failure. */
void gpu_palette_bins_empty (GpuPaletteBins * bins, GpuPaletteContext * context,
    gsize n_words);

/* Records the clearing of the bitmap of seen colours. FALSE with @error set on
 * failure. */
void gpu_palette_bins_clear_seen (GpuPaletteBins * bins,
    GpuPaletteContext * context);

/* Records @dispatch by gpu_slicer_run_indirect() over @items. @groups_at: offset of the workgroup counts in the
 * live state, in bytes. Binds the live state, occupied bins and ranks, which @dispatch may
 * leave out. FALSE with @error set on failure. */
void gpu_palette_bins_run (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    gsize groups_at);

/* Offset of the workgroup counts of a kind in struct LiveState, in bytes. */
#define GPU_PALETTE_BINS_GROUPS(kind) \
    offsetof (struct LiveState, kind ## _groups)

/* Like gpu_palette_bins_run(), over all occupied bins. */
void gpu_palette_bins_over_bins (GpuPaletteBins * bins,
    GpuPaletteContext * context, const GpuDispatch * dispatch);

/* Like gpu_palette_bins_run(), as one workgroup, which is not paced. */
void gpu_palette_bins_alone (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch);

G_END_DECLS
