/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstgpublurpresets.h"

/* Not `method` and `precision`, which suit the device, and not the regions and the mask, which
 * suit the input. */
static const gchar *const properties[] = {
  "sigma", "sigma-x", "sigma-y", "kernel", "radius", "range", "rounds",
  "edge-mode", "linear-light", "amount", "planes", NULL
};

/* Most are the first half of a look, whose second half is the preset of meanshiftpalette
 * with the same name. */
/* *INDENT-OFF* */
static const GstGpuFilterPreset presets[] = {
  {"poster", "Clean areas for few flat colors",
    {{"kernel", "bilateral"}, {"sigma", "3"}, {"range", "0.05"}, {"rounds", "3"}}},
  {"retro-16", "Clean areas for 16 pixel art colors",
    {{"kernel", "bilateral"}, {"sigma", "2.5"}, {"range", "0.05"}, {"rounds", "2"}}},
  {"calm", "Soft areas without fine texture",
    {{"kernel", "bilateral"}, {"sigma", "4"}, {"range", "0.06"}, {"rounds", "3"}}},
  {"detail", "No noise, but all edges",
    {{"kernel", "bilateral"}, {"sigma", "1.5"}, {"range", "0.03"}}},
  {"privacy", "A wide blur that hides faces at a glance; programs can undo part of it",
    {{"sigma", "32"}}},
  {NULL}
};
/* *INDENT-ON* */

const GstGpuFilterPresets gst_gpu_blur_presets = { properties, presets };
