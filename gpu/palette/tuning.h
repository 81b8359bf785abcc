/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What tests and benchmarks may force on a palette. Not for users of
 * palette.h. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _GpuPalette GpuPalette;
typedef struct _GpuPaletteSolverType GpuPaletteSolverType;

typedef enum
{
  GPU_PALETTE_WALK_GROUPS = 1,  /* walk.comp */
  GPU_PALETTE_WALK_LANES,       /* walk_lanes.comp, but for lists that are too
                                   long for it */
} GpuPaletteWalkKind;

/* Whatever is 0 is chosen. */
typedef struct
{
  const GpuPaletteSolverType *solver;
  guint cell_shift;             /* cells of the grid have a side of 2^this
                                   lattice units, 6…10 */
  guint table_bits;             /* walks share what 2^this visited points
                                   have room for, 18…22 */
  GpuPaletteWalkKind walk;
  guint list_rounds;            /* what is too long for walk_lanes.comp */
  guint step_rounds;            /* what is too long for walk.comp, on CPU devices */
  guint max_hops;               /* of a thread along a way */
  guint bin_capacity;           /* of GPU_PALETTE_LIVE: bins, before they are
                                   merged */
  guint mode_capacity;          /* of the same: modes that are kept */
  guint max_sum;                /* what pixels of a history may weigh together */
  guint slice;                  /* items of a dispatch that runs over pixels,
                                   colours or bins, a multiple of 256 */
  gsize max_part;               /* bytes of rows of pixels in a dispatch */
} GpuPaletteTuning;

/* From the next frame on, which is solved anew. @tuning is copied. */
void gpu_palette_set_tuning (GpuPalette * palette,
    const GpuPaletteTuning * tuning);

G_END_DECLS
