/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The bins of a radius. Not for users of palette.h. */
#pragma once

#include <glib.h>
#include <sys/types.h>          /* uint, as in GLSL */
#include "shaders/palette/live/bins.h"

G_BEGIN_DECLS

/* Sets all of @live that depends on @radius, in Oklab, alone. Returns the words that
 * the bitmaps of bins of all levels take. */
guint gpu_palette_geometry_fill (struct LiveState *live, gdouble radius);

G_END_DECLS
