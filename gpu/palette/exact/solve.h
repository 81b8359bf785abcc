/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A frame on its way through quality EXACT. Not for users of palette.h. */
#pragma once

#include "buffers.h"
#include "gpu/palette/count/histogram.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct
{
  GpuPaletteContext *context;       /* what every map knows of it */
  GpuPaletteExactBuffers *buffers;
  guint n;                      /* colours; 0 where nothing was read back */
  guint shift;                  /* of the lattice */
  guint radius_squared;         /* lattice units */
  guint table_bits;             /* of the set of visited points */
  gboolean keeps_successors;    /* and what of them is known stays */
  guint n_left;                 /* colours that are not done, as far as is known */
  GpuPaletteBox box;            /* of the lattice points */
  GpuSlicerItems colours;
  guint32 control[CONTROL_WORDS];       /* as last read back */
} GpuPaletteSolve;

/* Records @dispatch, whose kernel takes colours by rank, over those that are listed,
 * or, without @always, only where a count changed. */
gboolean gpu_palette_solve_over_colours (GpuPaletteSolve * solve,
    const GpuDispatch * dispatch, gboolean always, GError ** error);

/* Submits, waits and begins anew, with the control buffer copied into solve->control,
 * and tells who listens how many colours are left; 0 of them tells nothing. */
gboolean gpu_palette_solve_read_control (GpuPaletteSolve * solve, GError ** error);

guint64 gpu_palette_solve_get_wide (const GpuPaletteSolve * solve, guint word);

G_END_DECLS
