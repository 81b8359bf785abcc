/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettepresets.h"

/* Not `transfer`, which describes the input, nor `post-messages`. */
static const gchar *const properties[] = {
  "quality", "radius", "chroma", "weighting", "iteration-limit", "history",
  "min-frequency", "alpha-threshold", "stability", "scene-cut-threshold",
  "hold", "update-interval", "palette", "colors", NULL
};

/* Of this project. Far from each other, and with what most pictures have: five greys from
 * black to cream, reds and skin, greens of leaves, blues of sky and water. */
#define RETRO_16 \
    "#15131d,#3d3a50,#6c7a66,#b4b5ac,#f6f0e0,#62222e,#b23a2e,#dd7f43," \
    "#dcae84,#f2c4bb,#ebc84f,#22493f,#4a7a3a,#9fbf4c,#31528f,#78b0d8"

/* *INDENT-OFF* */
static const GstGpuFilterPreset presets[] = {
  {"poster", "Few flat colors", {{"colors", "12"}}},
  {"retro-16", "16 given colors, as in pixel art", {{"palette", RETRO_16}, {"chroma", "1.5"}}},
  {"calm", "Soft steps as in a painting, steady from frame to frame",
    {{"colors", "32"}, {"chroma", "1"}, {"stability", "0.8"}}},
  {"detail", "Many colors, and nearly all of the picture", {{"radius", "0.01"}}},
  {NULL}
};
/* *INDENT-ON* */

const GstGpuFilterPresets gst_mean_shift_palette_presets =
    { properties, presets };
