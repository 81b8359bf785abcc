/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What every map is told of the frame that it works on. Not for users of palette.h. */
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
  GpuSlicer slicer;             /* with the stream, which is recording */
  const GpuPaletteSettings *settings;
  const GpuPaletteTuning *tuning;
  const GpuPaletteTables *tables;
  guint revision;               /* of tuning and tables */
  GpuPaletteReport *report;
  GpuPaletteListener listener;
  GpuPaletteTopColours *top;    /* NULL until it was wanted */
} GpuPaletteContext;

/* Whether colours may weigh anything but 1. */
gboolean gpu_palette_context_is_weighted (const GpuPaletteContext * context);

/* Colours that a thread turns into points: several where what subgroups do
 * together is done for one lane after the other. */
guint gpu_palette_colours_per_thread (GpuDevice * device);

G_END_DECLS
