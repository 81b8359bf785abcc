/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Keeps successors of visited points from the frame solved before. The successor of a
 * point depends only on the points within the radius and their weights, so it stays
 * valid while none of these change. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *compare, *invalidate;
  GpuBuffer *list, *weights;    /* kept colours: those of the last solve */
  gboolean has_marks;           /* the buffer of marks may not be zero: the next
                                   comparison clears it */
  guint64 memory;               /* size of these buffers in bytes */

  guint n;                      /* number of kept colours; 0: none */
  gboolean is_compared;         /* the frame in progress is compared with them */

  /* Whether the set of visited points and their successors are valid for the kept
   * colours, and with which parameters. */
  gboolean has_successors;
  guint revision, shift, radius_squared, table_bits;
  gdouble chroma;
} GpuPaletteChanges;

/* Initializes a zeroed @changes for buffers->capacity colours. FALSE with @error set on
 * failure; call gpu_palette_changes_clear() in either case. */
gboolean gpu_palette_changes_init (GpuPaletteChanges * changes,
    GpuPaletteExactBuffers * buffers, GError ** error);
void gpu_palette_changes_clear (GpuPaletteChanges * changes);

/* Buffers of other modules that the comparison uses. */
typedef struct
{
  GpuBuffer *tables;            /* GpuPaletteTables */
  GpuBuffer *marks;             /* receives a bitmap of cells, MARK_WORDS words; not
                                   used if no colours were kept */
} GpuPaletteChangesBuffers;

/* Records the comparison of the listed colours with the kept ones: counts changes in
 * the control buffer, and marks the cells around them. Call it before the number of
 * colours is read, after the lattice of @solve is chosen. Without @always, it is
 * skipped on the device if no count changed. FALSE with @error set on failure. */
void gpu_palette_changes_compare (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, const GpuPaletteChangesBuffers * compared,
    gboolean always);

/* Call it after the control buffer is read back. Reports the colours added and removed,
 * and sets solve->keeps_successors: whether successors of earlier frames are used. */
void gpu_palette_changes_read (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve);

/* If successors are kept, records the reset of those of visited points in marked cells
 * to unknown. @successors: by slot of a visited point (successors.glsl). @marks: from
 * the comparison. FALSE with @error set on failure. */
void gpu_palette_changes_invalidate (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve, GpuBuffer * successors, GpuBuffer * marks);

/* Records a copy of the colours of @solve, which the next frame is compared with. */
void gpu_palette_changes_keep (GpuPaletteChanges * changes,
    GpuPaletteSolve * solve);

/* Call it after the recording with gpu_palette_changes_keep() is done: the copy and the
 * successors are valid from now on. */
void gpu_palette_changes_kept (GpuPaletteChanges * changes,
    const GpuPaletteSolve * solve);

G_END_DECLS
