/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Colour histogram of the frames of a window, and a bitmap of the colours that occur.
 * All frames of a window are of one scene. */
#pragma once

#include "gpu/core/compute/pixels.h"
#include "gpu/palette/map.h"
#include "shaders/palette/count/blocks.h"

#include <stddef.h>

G_BEGIN_DECLS

#define GPU_PALETTE_ALL_COLOURS (1u << 24)

/* Offset of a member of struct PaletteBlocks, in bytes. */
#define GPU_PALETTE_BLOCKS_AT(member) \
    offsetof (struct PaletteBlocks, member)

/* The frames that are counted together, as the colours of their pixels. */
typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;               /* of a frame */
  guint n_words;                /* of the buffer of a frame */
  /* Colours of the window's frames, arrays by pixel (PIXELS_ROW_WORDS), newest first;
   * buffers from frames[n] on hold no frame, and may be NULL. */
  GpuBuffer *frames[GPU_PALETTE_MAX_HISTORY];
  guint32 slots[GPU_PALETTE_MAX_HISTORY];       /* index of each buffer on the device
                                                   (PaletteBlocks.scenes) */
  guint n;                      /* frames in the window; set to 0 to empty it */
  guint wanted;                 /* history that was last requested */
  guint room;                   /* most frames that memory suffices for, up to
                                   wanted */
} GpuPaletteWindow;

typedef struct
{
  struct
  {
    GpuKernel *count, *luma;    /* for the format of frames */
    GpuKernel *forget, *collect, *presence, *rank, *leave, *cut;
  } kernels;
  GpuPaletteWindow window;

  /* Buffers, by the names of the shaders' blocks. Not owned: */
  GpuBuffer *frame;             /* the frame that is counted */
  GpuBuffer *numbers;           /* colours of a frame of the window, as numbers */
  GpuBuffer *blocks;            /* struct PaletteBlocks */
  GpuBuffer *changed;           /* struct PaletteChanged; counting adds to it */
  GPU_PALETTE_GROUP (owned,
    GpuBuffer *counts;          /* pixels of each colour, by number (numbers.glsl) */
    GpuBuffer *touched;         /* bitmap of colours, empty between frames */
    GpuBuffer *presence;        /* bitmap of colours with a count above 0 */
    GpuBuffer *state;           /* struct Scene */
  );

  gboolean is_known;            /* counts are valid for the window */
  gboolean was_replaced;        /* the newest frame replaced one in the window */
  GpuSlicerItems words, items;  /* words of bitmaps; colours */
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
 * never executed. */
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
 * @always is set, ranks the blocks and lists those with colours. */
void gpu_palette_histogram_rank (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, gboolean always);

/* Returns the words of the bitmap of colours as items, paced for @bound of them. */
GpuSlicerItems gpu_palette_histogram_words (const GpuPaletteHistogram *
    histogram, guint bound);

/* Records @dispatch as an indirect dispatch over @words of listed blocks, 256 to a
 * workgroup. @groups_at: offset of its workgroup counts in the buffer of blocks, in
 * bytes. Sets the push constants: the first word, the end, whether the weight of a
 * colour is the number of its pixels, and the least number of pixels with which a colour
 * has weight. */
void gpu_palette_histogram_run (GpuPaletteHistogram * histogram,
    GpuPaletteContext * context, const GpuDispatch * dispatch,
    const GpuSlicerItems * words, gsize groups_at);

/* Empties the window and discards the counts. */
void gpu_palette_histogram_forget (GpuPaletteHistogram * histogram);

/* Frees all buffers of the window but one. The window must be empty. */
void gpu_palette_histogram_shrink (GpuPaletteHistogram * histogram);

/* Returns the blocks of frames of @width x @height pixels whose colours tell scenes apart
 * (docs/internals/temporal.md). */
GpuPixelBlocks gpu_palette_luma_blocks (guint width, guint height);

/* Returns the threshold of a scene cut: the sum of the changes of all @blocks in
 * luma, in 256ths of a code value, or in chroma, in 64ths, must exceed it. 0: no cuts. */
guint gpu_palette_cut_sum (const GpuPaletteSettings * settings,
    const GpuPixelBlocks * blocks);

G_END_DECLS
