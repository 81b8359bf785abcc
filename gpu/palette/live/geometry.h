/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Geometry of the grid of bins for a radius. Internal to gpu/palette/. */
#pragma once

#include <glib.h>
#include <sys/types.h>          /* uint, as in GLSL */
#include "shaders/palette/live/bins.h"

G_BEGIN_DECLS

/* Sets the members of @live that depend only on @radius, in Oklab units. Returns the
 * number of words of the bitmaps of bins of all levels. */
guint gpu_palette_geometry_fill (struct LiveState *live, gdouble radius);

G_END_DECLS
