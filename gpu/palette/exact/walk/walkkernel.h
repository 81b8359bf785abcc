/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two shaders that move walkers, walk.comp and walk_lanes.comp. Both compute the
 * same in the same buffers, so that one can continue where the other stopped. */
#pragma once

#include "gpu/palette/tuning.h"
#include "gpu/palette/exact/solve.h"

G_BEGIN_DECLS

/* Kernels of one kind. Work is counted in units of TESTS_PER_UNIT tests; a list counts
 * as list_units. */
typedef struct
{
  GpuKernel *kernels[2][2];     /* [is_weighted][keeps_successors]: whether weights
                                   other than 1 occur; whether successors are known
                                   from earlier frames */
  guint list_units;             /* units of a list */
  guint walkers;                /* most walkers in a group */
} GpuPaletteWalkKernels;

/* Returns the kind that is faster on @device. */
GpuPaletteWalkKind gpu_palette_walk_choose_kind (GpuDevice * device);

/* Returns the kind that tuning forces, or the one that is faster on the device. */
GpuPaletteWalkKind gpu_palette_walk_wanted_kind (const GpuPaletteSolve * solve);

/* Returns whether walks begin with walk_lanes.comp, which requires cells with equal
 * sides. */
gboolean gpu_palette_walk_wants_cubes (const GpuPaletteSolve * solve);

/* Builds the kernels of @kind, which must not be 0. On failure @kernels is unchanged.
 * Errors: OUT_OF_MEMORY, LOST. */
gboolean gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    const GpuPaletteExactBuffers * buffers, GpuPaletteWalkKind kind, GError ** error);

G_END_DECLS
