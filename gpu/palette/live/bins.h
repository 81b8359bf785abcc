/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame's bins, as binmap.c found them, for who goes on with them. Not for
 * users of palette.h. */
#pragma once

#include "gpu/palette/shared/context.h"
#include "shaders/palette/live/bins.h"

#include <stddef.h>

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;               /* of a frame */
  GpuBuffer *state;             /* struct LiveState */
  GpuBuffer *occupied, *ranks;  /* bitmap of bins, and those before a word */
  GpuBuffer *changed;           /* struct PaletteChanged, of counting */
  GpuBuffer *totals;            /* per workgroup over these, or over bins */
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *colours, *pixel_bins;      /* per pixel */

  /* Memory that is used again has another name then. */
  union
  {
    GpuBuffer *seen;            /* bitmap of colours: of pixels, until these have
                                   weighed; then of what they become */
    GpuBuffer *summit_weights;  /* of a limited number of modes: per summit */
  };

  /* Per occupied bin, in order. */
  GpuBuffer *bin_list, *sums, *carries;
  union
  {
    GpuBuffer *densities;
    GpuBuffer *ahead;           /* a bin farther uphill; itself at a summit */
  };
  union
  {
    GpuBuffer *uphill;          /* the bin around it that is densest */
    GpuBuffer *homes;           /* the slot of a mode that is at home in it */
    GpuBuffer *summits;         /* of a limited number of modes: list of summits */
  };
  union
  {
    GpuBuffer *results;         /* what its colours become */
    GpuBuffer *owners;          /* the slot of the mode that they become */
    GpuBuffer *distances;       /* of a limited number of modes: to the nearest */
  };

  /* Of the frame at hand. */
  GpuSlicerItems of_pixels, of_words, of_bins;
  guint most;                   /* bins that can be occupied; there may be room
                                   for more */
  guint bound;                  /* bins that it is paced for */
} GpuPaletteBins;

/* A zeroed @bins, for frames of @n_pixels, with room for the bins of one;
 * gpu_palette_bins_clear() also after failure. */
gboolean gpu_palette_bins_init (GpuPaletteBins * bins, GpuDevice * device,
    guint n_pixels, GError ** error);
void gpu_palette_bins_clear (GpuPaletteBins * bins);

/* Bytes of its buffers. */
gsize gpu_palette_bins_get_memory (GpuPaletteBins * bins);

/* Words of the bitmap of bins that a thread takes. */
guint gpu_palette_bins_words_per_thread (GpuDevice * device);

/* Bins that colours of @history frames can occupy. */
guint gpu_palette_bins_most (const GpuPaletteBins * bins, guint history);

/* Whether sums over the pixels of one frame may exceed a word. */
gboolean gpu_palette_bins_are_wide (const GpuPaletteBins * bins);

/* Makes what is by occupied bin anew, but for totals, for the bins of @history
 * frames; what it held is lost. @is_wide: sums may exceed a word. On FALSE
 * (OUT_OF_MEMORY, LOST) all is as it was. */
gboolean gpu_palette_bins_make_room (GpuPaletteBins * bins, guint history,
    gboolean is_wide, GError ** error);

/* Records: no bin is occupied, and none has sums, of @n_words words of bins. */
gboolean gpu_palette_bins_empty (GpuPaletteBins * bins, GpuPaletteContext * context,
    gsize n_words, GError ** error);

/* Records: no colour was seen. */
gboolean gpu_palette_bins_clear_seen (GpuPaletteBins * bins,
    GpuPaletteContext * context, GError ** error);

/* Records @dispatch, which need not have what its kernel looks at of the live state,
 * of occupied bins and their ranks, over @items whose workgroups are at @groups_at of
 * the live state: gpu_slicer_run_indirect(), behind a barrier. */
gboolean gpu_palette_bins_run (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch, const GpuSlicerItems * items,
    gsize groups_at, GError ** error);

#define GPU_PALETTE_BINS_GROUPS(kind) \
    offsetof (struct LiveState, kind ## _groups)

/* The same over all occupied bins, and over all pixels; @arrays: bits of the bindings
 * that have a word for each of these. The third push constant of kernels over pixels
 * becomes the first row of them that is bound, of PIXELS_PER_THREAD pixels. */
gboolean gpu_palette_bins_over_bins (GpuPaletteBins * bins,
    GpuPaletteContext * context, const GpuDispatch * dispatch, GError ** error);
gboolean gpu_palette_bins_over_pixels (GpuPaletteBins * bins,
    GpuPaletteContext * context, const GpuDispatch * dispatch, guint arrays,
    GError ** error);

/* The same in one workgroup, which is not paced. */
void gpu_palette_bins_alone (GpuPaletteBins * bins, GpuPaletteContext * context,
    const GpuDispatch * dispatch);

G_END_DECLS
