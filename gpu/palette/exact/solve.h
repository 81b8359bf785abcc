/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame in progress with quality EXACT. Internal to gpu/palette/. */
#pragma once

#include "buffers.h"
#include "gpu/palette/count/histogram.h"
#include "gpu/palette/shared/context.h"

G_BEGIN_DECLS

typedef struct
{
  GpuPaletteContext *context;
  GpuPaletteExactBuffers *buffers;
  guint n;                      /* number of colours; 0 until it is read back */
  guint shift;                  /* log2 of lattice units to a unit of Oklab */
  guint radius_squared;         /* in squared lattice units */
  guint table_bits;             /* log2 of the words of the set of visited points */
  gboolean keeps_successors;    /* the set and known successors of earlier frames are
                                   used */
  guint n_left;                 /* colours that are not done, as far as known; for
                                   progress */
  GpuPaletteBox box;            /* of the lattice points */
  GpuSlicerItems colours;       /* the listed colours, for indirect dispatches */
  guint32 control[CONTROL_WORDS];       /* as last read back */
} GpuPaletteSolve;

/* Records @dispatch over the listed colours, by rank. Without @always, it is skipped on
 * the device if no count changed. FALSE with @error set on failure. */
void gpu_palette_solve_over_colours (GpuPaletteSolve * solve,
    const GpuDispatch * dispatch, gboolean always);

/* Submits, waits, begins a new recording, and copies the control buffer to
 * solve->control. Reports progress if solve->n_left is not 0. FALSE with @error set on
 * failure. */
gboolean gpu_palette_solve_read_control (GpuPaletteSolve * solve, GError ** error);

/* Returns the two-word value that begins at @word of solve->control. */
guint64 gpu_palette_solve_get_wide (const GpuPaletteSolve * solve, guint word);

/* Calls the progress callback if solve->n_left is not 0. */
void gpu_palette_solve_tell_progress (const GpuPaletteSolve * solve);

G_END_DECLS
