/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walks by brute force: no grid, nothing shared between walkers. */
#pragma once

#include "work.h"

G_BEGIN_DECLS

typedef struct
{
  GpuKernel *start;
  GpuKernel *step[2];           /* by GpuPaletteWeighting */
  GpuBuffer *sums;              /* of walkers whose step is cut in parts */
} GpuPaletteBrute;

/* A zeroed @brute; gpu_palette_brute_clear() also after failure. */
gboolean gpu_palette_brute_init (GpuPaletteBrute * brute,
    GpuPaletteWork * work, GError ** error);
void gpu_palette_brute_clear (GpuPaletteBrute * brute);

/* Walks from all run->n points; work->walkers is where they end. */
gboolean gpu_palette_brute_solve (GpuPaletteBrute * brute,
    GpuPaletteRun * run, GError ** error);

G_END_DECLS
