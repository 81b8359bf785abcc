/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frame in progress, as every map sees it. Internal to gpu/palette/. */
#pragma once

#include "gpu/core/compute/slicer.h"
#include "gpu/palette/oklab.h"
#include "gpu/palette/report.h"
#include "gpu/palette/settings.h"
#include "gpu/palette/tuning.h"

#include <sys/types.h>          /* uint, as in GLSL */

G_BEGIN_DECLS

typedef struct _GpuPaletteTopColours GpuPaletteTopColours;

typedef struct
{
  GpuSlicer slicer;             /* its stream is recording */
  const GpuPaletteSettings *settings;
  const GpuPaletteTuning *tuning;
  const GpuPaletteTables *tables;
  guint revision;               /* changes with tuning or the transfer function */
  GpuPaletteReport *report;
  GpuPaletteListener listener;
  GpuPaletteTopColours *top;    /* NULL until first used */
} GpuPaletteContext;

/* Returns whether a colour may have a weight other than 1. */
gboolean gpu_palette_context_is_weighted (const GpuPaletteContext * context);

G_END_DECLS
