/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A solver computes the output colour of each listed colour. The map by colour has one
 * solver at a time; counting and the look-up of pixels do not depend on it. */
#pragma once

#include "solve.h"

G_BEGIN_DECLS

/* Base struct: the first member of the struct of every solver type. */
typedef struct
{
  const GpuPaletteSolverType *type;
} GpuPaletteSolver;

struct _GpuPaletteSolverType
{
  const gchar *name;

  /* Returns a solver; called when one is first used after gpu_palette_configure().
   * @buffers outlives the solver. NULL with @error set on failure. */
  GpuPaletteSolver *(*create) (GpuPaletteExactBuffers * buffers, GError ** error);
  void (*free) (GpuPaletteSolver * solver);

  /* Returns the size of its buffers in bytes. */
  guint64 (*get_memory) (GpuPaletteSolver * solver);

  /* Optional. Records the work that can be done before the number of colours is known. If there
   * are more colours than buffers->room, only the first ones are listed; this is then called again
   * with more room. @always: FALSE if the work may be skipped on the device if no count
   * changed; TRUE if settings, the last solve or @buffers changed. FALSE with @error
   * set on failure. */
  gboolean (*prepare) (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
      gboolean always, GError ** error);

  /* Computes buffers->results, by rank, and buffers->used from buffers->list and
   * buffers->weights. Records to solve->context->slicer.stream, may submit and wait.
   * Reports the number of output colours, and the effort as
   * far as known. FALSE with @error set on failure. */
  gboolean (*solve) (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
      GError ** error);
};

G_END_DECLS
