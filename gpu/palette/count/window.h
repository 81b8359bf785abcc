/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Window of the frames that are counted together, as the colours of their pixels.
 * Internal to gpu/palette/. */
#pragma once

#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;               /* of a frame */
  guint n_words;                /* of the buffer of a frame */
  GpuKernel *leave;

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

/* Initializes a zeroed @window, with memory for one frame of @width x @height
 * pixels. FALSE with @error set on failure; call gpu_palette_window_clear() in either
 * case. */
gboolean gpu_palette_window_init (GpuPaletteWindow * window,
    GpuDevice * device, guint width, guint height, GError ** error);
void gpu_palette_window_clear (GpuPaletteWindow * window);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_window_get_memory (const GpuPaletteWindow * window);

/* Sets the number of frames wanted. If it changed, estimates how many of them memory
 * suffices for. */
void gpu_palette_window_set_history (GpuPaletteWindow * window, guint history);

/* Frees the buffers beyond the window's room. For those with frames, records the
 * subtraction of their pixels from @counts, which marks their colours in @touched and
 * the blocks of these in @blocks. FALSE with @error set on failure. */
void gpu_palette_window_drop (GpuPaletteWindow * window,
    GpuPaletteContext * context, GpuBuffer * counts, GpuBuffer * touched,
    GpuBuffer * blocks);

/* Frees all buffers but one. The window must be empty. */
void gpu_palette_window_shrink (GpuPaletteWindow * window);

/* Makes frames[0] the buffer for the next frame's colours. @replaces is set to whether
 * it holds the colours of the frame that the next one replaces. If not, and the window
 * has other frames, records a fill with NO_PIXEL. FALSE with @error set on failure. */
gboolean gpu_palette_window_advance (GpuPaletteWindow * window,
    GpuPaletteContext * context, gboolean * replaces, GError ** error);

G_END_DECLS
