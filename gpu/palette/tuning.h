/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Overrides of internal choices, for tests and benchmarks. Internal to
 * gpu/palette/. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GpuPalette GpuPalette;

typedef enum
{
  GPU_PALETTE_WALK_GROUPS = 1,  /* walk.comp */
  GPU_PALETTE_WALK_LANES,       /* walk_lanes.comp, except for lists that are too
                                   long for it */
} GpuPaletteWalkKind;

/* 0 leaves the choice to the palette. */
typedef struct
{
  guint cell_shift;             /* log2 of the side of a grid cell in lattice units,
                                   6…10 */
  guint table_bits;             /* log2 of the capacity of the set of visited points,
                                   18…22 */
  GpuPaletteWalkKind walk;
  guint list_rounds;            /* most loop rounds of a list in walk_lanes.comp */
  guint step_rounds;            /* most loop rounds of a step in walk.comp, on CPU
                                   devices */
  guint max_hops;               /* most successors that an invocation follows in a
                                   row */
  guint bin_capacity;           /* GPU_PALETTE_LIVE: most bins before they are
                                   merged */
  guint mode_capacity;          /* GPU_PALETTE_LIVE: most modes that are kept */
  guint max_sum;                /* largest sum of the weights of all pixels of a
                                   history */
  guint slice;                  /* items of a dispatch over pixels, colours or bins,
                                   a multiple of 256 */
  gsize max_part;               /* most bytes of rows of pixels in a dispatch */
} GpuPaletteTuning;

/* Sets the tuning from the next frame on, which is solved anew. @tuning is copied. */
void gpu_palette_set_tuning (GpuPalette * palette,
    const GpuPaletteTuning * tuning);

G_END_DECLS
