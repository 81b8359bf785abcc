/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The two shaders that move walkers. Both do the same to the same buffers, so
 * that one can go on where the other left off. */
#pragma once

#include "gpu/palette/tuning.h"
#include "gpu/palette/exact/solve.h"

G_BEGIN_DECLS

/* Work is counted in units: so many tests, or the part of a list. */
typedef struct
{
  GpuKernel *kernels[2][2];     /* where colours weigh 1, and others; where
                                   nothing is known of ways, and otherwise */
  gdouble unit_ns;              /* of a unit, at first */
  guint list_units;             /* that a list counts */
  guint walkers;                /* that a group has at most */
} GpuPaletteWalkKernels;

/* The one that is faster on a device; and the same, or what a test forces. */
GpuPaletteWalkKind gpu_palette_walk_choose_kind (GpuDevice * device);
GpuPaletteWalkKind gpu_palette_walk_wanted_kind (const GpuPaletteSolve * solve);

/* Whether a frame's walks begin in a shader whose cells have sides of one length. */
gboolean gpu_palette_walk_wants_cubes (const GpuPaletteSolve * solve);

/* Builds what @kind, which is not 0, needs; on failure @kernels stay as they are.
 * Errors: OUT_OF_MEMORY, LOST. */
gboolean gpu_palette_walk_kernels_init (GpuPaletteWalkKernels * kernels,
    const GpuPaletteExactBuffers * buffers, GpuPaletteWalkKind kind, GError ** error);

G_END_DECLS
