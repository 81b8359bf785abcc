/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames that are counted together, as the colours of their pixels. Not for
 * users of palette.h. */
#pragma once

#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct
{
  GpuDevice *device;            /* not referenced */
  guint n_pixels;               /* of a frame */
  GpuKernel *leave;

  /* Per pixel: the colours of the window's frames, newest first; then buffers
   * without a frame. */
  GpuBuffer *frames[GPU_PALETTE_MAX_HISTORY];
  guint32 slots[GPU_PALETTE_MAX_HISTORY];       /* of each: what it is known by */
  guint n;                      /* frames in the window; 0 empties it */
  guint wanted;                 /* the history that was last asked for */
  guint room;                   /* as many of them as there is memory for */
} GpuPaletteWindow;

/* A zeroed @window, with room for one frame; gpu_palette_window_clear() also
 * after failure. */
gboolean gpu_palette_window_init (GpuPaletteWindow * window,
    GpuDevice * device, guint n_pixels, GError ** error);
void gpu_palette_window_clear (GpuPaletteWindow * window);

gsize gpu_palette_window_get_memory (const GpuPaletteWindow * window);

/* Looks, where @history is another than before, how many of its frames there is
 * memory for. */
void gpu_palette_window_set_history (GpuPaletteWindow * window, guint history);

/* Records: frames that there is no room for are taken from @counts, their colours
 * and the @blocks of these are touched, and their memory is given back. */
gboolean gpu_palette_window_drop (GpuPaletteWindow * window,
    GpuPaletteContext * context, GpuBuffer * counts, GpuBuffer * touched,
    GpuBuffer * blocks, GError ** error);

/* Room for one frame is left, of a window without any. */
void gpu_palette_window_shrink (GpuPaletteWindow * window);

/* Makes room for a frame's colours in frames[0], which have those of the frame
 * that they take the place of; or, as @replaces tells, of none. Where other
 * frames are counted already, no pixel is like these, as is recorded. */
gboolean gpu_palette_window_advance (GpuPaletteWindow * window,
    GpuPaletteContext * context, gboolean * replaces, GError ** error);

G_END_DECLS
