/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a frame's walks have in common with those of the frame that was solved before
 * it. What follows a point depends on nothing but the points within the radius of it
 * and their weights, so it is known as long as none of these changed. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *compare, *invalidate;
  GpuBuffer *list, *weights;    /* as they were when walks were made last */
  gboolean has_marks;           /* marks, or what else came to lie there, which the
                                   next comparison clears */
  guint64 memory;               /* bytes of these */

  guint n;                      /* colours that were kept; 0: none */
  gboolean is_compared;         /* the frame at hand, with these */

  /* Whether the set of visited points, and what follows them, are those of kept
   * colours; and for what. */
  gboolean has_successors;
  guint revision, shift, radius_squared, table_bits;
} GpuPaletteChanges;

/* A zeroed @changes, for buffers->capacity colours; gpu_palette_changes_clear() also
 * after failure. */
gboolean gpu_palette_changes_init (GpuPaletteChanges * changes,
    GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_changes_clear (GpuPaletteChanges * changes);

/* What others have that colours are compared with. */
typedef struct
{
  GpuBuffer *tables;            /* as the lattice has them */
  GpuBuffer *marks;             /* receives MARK_WORDS words, a bitmap of cells; not
                                   looked at where no colours were kept */
} GpuPaletteChangesBuffers;

/* Records, before the number of colours is known, where the solve has its lattice:
 * which of those listed changed, what of them in the control buffer. Without @always,
 * only where counts changed. */
gboolean gpu_palette_changes_compare (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, const GpuPaletteChangesBuffers * compared,
    gboolean always, GError ** error);

/* When the control buffer was read back: reports what came and went, and decides
 * whether successors of earlier frames are kept, solve->keeps_successors. */
void gpu_palette_changes_read (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve);

/* Records, where successors are kept: that of a visited point is unknown again if
 * something within the radius changed. @successors: of slots,
 * as walks have them. @marks: from the comparison. */
gboolean gpu_palette_changes_invalidate (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, GpuBuffer * successors, GpuBuffer * marks,
    GError ** error);

/* Records: the solve's colours are those to compare with, once that is done
 * (_kept()). */
void gpu_palette_changes_keep (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve);
void gpu_palette_changes_kept (GpuPaletteChanges * changes,
    const GpuPaletteSolve * solve);

G_END_DECLS
