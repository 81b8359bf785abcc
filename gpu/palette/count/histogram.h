/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colour histogram of the frames of a window, and a bitmap of the colours that occur.
 * All frames of a window are of one scene. */
#pragma once

#include "gpu/palette/shared/arrays.h"
#include "scene.h"
#include "window.h"
#include "shaders/palette/count/blocks.h"
#include "shaders/palette/count/changed.h"

#include <stddef.h>

G_BEGIN_DECLS

#define GPU_PALETTE_ALL_COLOURS (1u << 24)

/* Offset of a member of struct PaletteBlocks, in bytes. */
#define GPU_PALETTE_BLOCKS_AT(member) \
    offsetof (struct PaletteBlocks, member)

typedef struct
{
  GpuKernel *forget, *count, *collect, *presence, *rank;

  GpuPaletteWindow window;
  GpuPaletteScene scene;
  GpuBuffer *counters;          /* pixels of each colour, by number (numbers.glsl) */
  GpuBuffer *touched;           /* bitmap of colours, empty between frames */
  GpuBuffer *present;           /* bitmap of colours with a count above 0 */
  GpuBuffer *blocks;            /* struct PaletteBlocks; not referenced */
  GpuBuffer *changed;           /* struct PaletteChanged; not referenced; counting adds
                                   to it */

  gboolean is_known;            /* counts are valid for the window */
  gboolean was_replaced;        /* the newest frame replaced one in the window */
  GpuSlicerItems words, items; /* words of bitmaps; colours */
  gboolean is_sliced_anew;      /* slices changed in the frame in progress */
} GpuPaletteHistogram;

/* Source of the pixels that are counted. */
typedef enum
{
  GPU_PALETTE_COUNT_FRAMES,
  GPU_PALETTE_COUNT_COLOURS,    /* an array with the colour of each pixel, a word each */
} GpuPaletteCountFrom;

/* Initializes a zeroed @histogram for frames of @format, on the device of @blocks.
 * FALSE with @error set on failure; call gpu_palette_histogram_clear() in either case.
 * The caller owns @blocks and @changed, keeps them until then, and zeroes @changed
 * before the changes it wants to know. */
gboolean gpu_palette_histogram_init (GpuPaletteHistogram * histogram,
    const GpuPaletteFormat * format, GpuPaletteCountFrom from,
    GpuBuffer * blocks, GpuBuffer * changed, GError ** error);
void gpu_palette_histogram_clear (GpuPaletteHistogram * histogram);

/* Returns the size of its own buffers in bytes. */
gsize gpu_palette_histogram_get_memory (const GpuPaletteHistogram * histogram);

/* Records the start of a frame. Call gpu_palette_histogram_forget() if the recording is
 * never executed. FALSE with @error set on failure. */
void gpu_palette_histogram_begin (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context);

/* Records the addition of frame @in to the window, as the newest. @pixels describes @in;
 * binding 1 is the array of its colours that is kept. Older frames may leave the window:
 * all of them if another scene begins. If @in replaces no frame, all its pixels count as
 * changed. @anew: if not 0 and @in is the only frame, it is counted from cleared
 * counters; the value is about the number of colours known. Call
 * gpu_palette_histogram_rank() before the next frame. FALSE with @error set on
 * failure. */
gboolean gpu_palette_histogram_add (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, GpuBuffer * in, const GpuPixelsBound * pixels,
    guint anew, GError ** error);

/* Records the update of the bitmap of present colours; and, if a count changed or
 * @always is set, ranks the blocks and lists those with colours. FALSE with @error set
 * on failure. */
void gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, gboolean always);

/* Returns the words of the bitmap of colours as items, paced for @bound of them. */
GpuSlicerItems gpu_palette_histogram_words (const GpuPaletteHistogram *
    histogram, guint bound);

/* Records @dispatch as an indirect dispatch over @words of listed blocks, 256 to a
 * workgroup. @groups_at: offset of its workgroup counts in the buffer of blocks, in
 * bytes. Sets the push constants: the first word, the end, whether the weight of a
 * colour is the number of its pixels, and the least number of pixels with which a colour
 * has weight. FALSE with @error set on failure. */
void gpu_palette_histogram_run (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, const GpuDispatch * dispatch,
    const GpuSlicerItems * words, gsize groups_at);

/* Empties the window and discards the counts. */
void gpu_palette_histogram_forget (GpuPaletteHistogram * histogram);

G_END_DECLS
