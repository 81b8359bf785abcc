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

/* Return bounds of the number of these words for any radius and chroma: of the bitmaps of
 * all levels, and of level 0. */
guint gpu_palette_geometry_most_words (void);
guint gpu_palette_geometry_most_words_of_level_0 (void);

G_END_DECLS
