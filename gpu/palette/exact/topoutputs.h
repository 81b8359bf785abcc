/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Counts the pixels of each output colour of a frame, and lists the output colours with
 * the most pixels. Internal to gpu/palette/. */
#pragma once

#include "colourlist.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTopOutputs GpuPaletteTopOutputs;

/* Returns a new one; free it with gpu_palette_top_outputs_free(). Its counters grow if a
 * frame has more output colours. NULL with @error set on failure. */
GpuPaletteTopOutputs *gpu_palette_top_outputs_new (GpuDevice * device,
    GError ** error);
void gpu_palette_top_outputs_free (GpuPaletteTopOutputs * top);

/* Returns the size of its buffers in bytes. */
gsize gpu_palette_top_outputs_get_memory (GpuPaletteTopOutputs * top);

/* Output colours of the frame in progress. */
typedef struct
{
  guint n_colours;              /* number of output colours */
  guint64 n_solves;             /* solves so far: identifies the one they are from */
  gboolean are_same;            /* every pixel is known to have the output colour that
                                   it had in the frame before */
} GpuPaletteOutputs;

/* Records the update of solve->context->top for the frame that @colour_list counted
 * last. Its output colours are in solve->buffers. FALSE with @error set on failure. */
gboolean gpu_palette_top_outputs_record (GpuPaletteTopOutputs * top,
    GpuPaletteSolve * solve, const GpuPaletteColourList * colour_list,
    const GpuPaletteOutputs * outputs, GError ** error);

G_END_DECLS
