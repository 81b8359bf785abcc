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

/* What became of the colours of the frame at hand. */
typedef struct
{
  guint n_colours;              /* output colours */
  guint64 n_solves;             /* that there were: these are of the last */
  gboolean are_same;            /* of every pixel, as in the frame before */
} GpuPaletteOutputs;

/* Records the top colours of the frame at hand, which @colour_list counted last, and
 * whose output colours are those of the solve's buffers. */
gboolean gpu_palette_top_outputs_record (GpuPaletteTopOutputs * top,
    GpuPaletteSolve * solve, const GpuPaletteColourList * colour_list,
    const GpuPaletteOutputs * outputs, GError ** error);

G_END_DECLS
