/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What finds out which colour becomes which. The palette has one solver at a
 * time, and counts colours and looks them up whichever it is. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

/* Derived from by every type. */
typedef struct
{
  const GpuPaletteSolverType *type;
} GpuPaletteSolver;

struct _GpuPaletteSolverType
{
  const gchar *name;

  /* Whether it must know the number of colours on the host. That costs a wait
   * per frame; it is then asked only where there are colours, and not where
   * neither they nor settings changed, and what is by rank has room for those
   * that there are. One that need not know is asked for every frame, and finds
   * room for all colours that the frame's pixels can have. */
  gboolean needs_count;

  /* Takes kernels and memory, when first used after gpu_palette_configure().
   * @work outlives the solver. NULL with @error set on failure. */
  GpuPaletteSolver *(*create) (GpuPaletteWork * work, GError ** error);
  void (*free) (GpuPaletteSolver * solver);

  /* Bytes that it holds. */
  guint64 (*get_memory) (GpuPaletteSolver * solver);

  /* May be NULL, and has to be where it needs no count. Records what can be
   * done before that is known; what counting wrote lies behind a barrier of its
   * own. Where there are more colours than work->room, only the first of them
   * are listed; room is then made, and this called again. @always: also where
   * no count changed, for settings, what was solved last or buffers of @work
   * did. */
  gboolean (*prepare) (GpuPaletteSolver * solver, GpuPaletteRun * run,
      gboolean always, GError ** error);

  /* Computes work->results from work->list and work->weights, by rank. Records
   * to run->stream, and may submit and wait. A wait or a barrier of its own
   * comes first, where it has no count, and last. Reports what it knows of the
   * result and of the effort. */
  gboolean (*solve) (GpuPaletteSolver * solver, GpuPaletteRun * run,
      GError ** error);
};

G_END_DECLS
