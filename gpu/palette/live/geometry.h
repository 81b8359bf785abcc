/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Geometry of the grid of bins. Internal to gpu/palette/. */
#pragma once

#include <glib.h>
#include <sys/types.h>          /* uint, as in GLSL */
#include "shaders/palette/live/bins.h"

G_BEGIN_DECLS

/* Sets the members of @live that depend only on @radius, in Oklab units, and @chroma
 * (oklab.h). Returns the number of words of the bitmaps of bins of all levels. */
guint gpu_palette_geometry_fill (struct LiveState *live, gdouble radius,
    gdouble chroma);

/* Returns a bound of the number of these words for any radius and chroma. */
guint gpu_palette_geometry_most_words (void);

/* Returns a bound of the bins of level 0 that all colours together occupy, or G_MAXUINT if
 * none is known. */
guint gpu_palette_geometry_most_bins (const BinGrid * grid);

G_END_DECLS
