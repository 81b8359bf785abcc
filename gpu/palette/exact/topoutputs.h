/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How many pixels of a frame have which output colour, for the host to know. Not
 * for users of palette.h. */
#pragma once

#include "colourlist.h"

G_BEGIN_DECLS

typedef struct _GpuPaletteTopOutputs GpuPaletteTopOutputs;

/* Kernels and memory; counters grow with frames that have more output colours. NULL
 * with @error set on failure. */
GpuPaletteTopOutputs *gpu_palette_top_outputs_new (GpuDevice * device,
    GError ** error);
void gpu_palette_top_outputs_free (GpuPaletteTopOutputs * top);

/* Bytes of its buffers. */
gsize gpu_palette_top_outputs_get_memory (GpuPaletteTopOutputs * top);

/* Records the top colours of the frame at hand, which @colour_list counted last, and whose
 * colours became @n_colours, as solve->work says since solve @n_solves. @is_same: each
 * pixel is what it was in the frame before. */
gboolean gpu_palette_top_outputs_record (GpuPaletteTopOutputs * top,
    GpuPaletteSolve * solve, const GpuPaletteColourList * colour_list,
    guint n_colours, guint64 n_solves, gboolean is_same, GError ** error);

G_END_DECLS
