/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How often each colour occurs in the frames of a window, and which of them do. The
 * window has frames of one scene. */
#pragma once

#include "gpu/palette/shared/arrays.h"
#include "scene.h"
#include "window.h"
#include "shaders/palette/count/blocks.h"
#include "shaders/palette/count/changed.h"

#include <stddef.h>

G_BEGIN_DECLS

#define GPU_PALETTE_ALL_COLOURS (1u << 24)

/* Where a member of struct PaletteBlocks is. */
#define GPU_PALETTE_BLOCKS_AT(member) \
    offsetof (struct PaletteBlocks, member)

typedef struct
{
  GpuKernel *forget, *count, *collect, *presence, *rank;

  GpuPaletteWindow window;
  GpuPaletteScene scene;
  GpuBuffer *counters;          /* per colour */
  GpuBuffer *touched;           /* bitmap of colours, empty between frames */
  GpuBuffer *present;           /* bitmap of colours with a count */
  GpuBuffer *blocks;            /* struct PaletteBlocks */
  GpuBuffer *changed;           /* struct PaletteChanged: added to */

  gboolean is_known;            /* counts are those of the window */
  gboolean was_replaced;        /* a frame of it, by the newest */
  GpuSlicerItems words, items; /* of bitmaps; colours */
  gboolean is_sliced_anew;      /* in the frame at hand */
} GpuPaletteHistogram;

/* What pixels are counted from. */
typedef enum
{
  GPU_PALETTE_COUNT_FRAMES,
  GPU_PALETTE_COUNT_COLOURS,    /* of their pixels, a word for each */
} GpuPaletteCountFrom;

/* A zeroed @histogram for frames of @format, on the device of @blocks;
 * gpu_palette_histogram_clear() also after failure. @blocks and @changed stay the
 * caller's, who keeps them for as long, and zeroes @changed before what it is to tell
 * of. */
gboolean gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteCountFrom from,
    GpuBuffer * blocks, GpuBuffer * changed, GError ** error);
void gpu_palette_histogram_clear (GpuPaletteHistogram * histogram);

/* Bytes of its buffers, but for the callers'. */
gsize gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram);

/* Records: what begins a frame. Forget what is known where what is recorded does
 * not come to be done. */
gboolean gpu_palette_histogram_begin (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, GError ** error);

/* Records: the window ends with frame @in, which @pixels tells of, with the colours
 * that are kept as binding 1. It may leave others out of it, all if
 * its scene is another. Where it takes the place of no frame, all its pixels are
 * changed. @anew: where it is the only frame, count it from nothing, about so many
 * colours being known; or 0. Call gpu_palette_histogram_rank() before the next one. */
gboolean gpu_palette_histogram_add (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    guint anew, GError ** error);

/* Records: which colours are present; and, where a count changed or @always, the
 * blocks that have any. */
gboolean gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, gboolean always, GError ** error);

/* The words of the bitmap of colours, paced for @bound of them. */
GpuSlicerItems gpu_palette_histogram_words (const GpuPaletteHistogram *
    histogram, guint bound);

/* Records @dispatch over @words of blocks, 256 to a workgroup, whose workgroups are
 * at @groups_at. Push constants: the first word, the end, whether colours weigh what
 * their pixels do, and the pixels that they must have to attract. */
gboolean gpu_palette_histogram_run (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, const GpuDispatch * dispatch,
    const GpuSlicerItems * words, gsize groups_at, GError ** error);

/* The window is empty. */
void gpu_palette_histogram_forget (GpuPaletteHistogram * histogram);

G_END_DECLS
