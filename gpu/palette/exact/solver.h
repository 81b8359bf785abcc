/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What finds out which colour becomes which. The palette has one solver at a
 * time, and counts colours and looks them up whichever it is. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

/* Derived from by every type. */
typedef struct
{
  const GpuPaletteSolverType *type;
} GpuPaletteSolver;

struct _GpuPaletteSolverType
{
  const gchar *name;

  /* Takes kernels and memory, when first used after gpu_palette_configure().
   * @buffers outlives the solver. NULL with @error set on failure. */
  GpuPaletteSolver *(*create) (GpuPaletteExactBuffers * buffers, GError ** error);
  void (*free) (GpuPaletteSolver * solver);

  /* Bytes that it holds. */
  guint64 (*get_memory) (GpuPaletteSolver * solver);

  /* May be NULL. Records what can be done before the number of colours is known;
   * what counting wrote lies behind a barrier of its
   * own. Where there are more colours than buffers->room, only the first of them
   * are listed; room is then made, and this called again. @always: also where
   * no count changed, for settings, what was solved last or buffers of @buffers
   * did. */
  gboolean (*prepare) (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
      gboolean always, GError ** error);

  /* Computes buffers->results, by rank, and buffers->used from buffers->list and
   * buffers->weights. Records to solve->context->slicer.stream, and may submit and wait. A barrier
   * or a wait comes last. Reports how
   * many output colours there are, and what it knows of the effort. */
  gboolean (*solve) (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
      GError ** error);
};

G_END_DECLS
