/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames of meanshiftpalette: their settings, the engine for their formats, and their
 * recording. */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

/* Sets the functions of @klass that treat frames, or tell of their treatment. */
void gst_mean_shift_palette_frames_install (GstGpuFilterClass * klass);

G_END_DECLS
