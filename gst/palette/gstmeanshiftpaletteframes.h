/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The frames of meanshiftpalette: their settings, the engine for their formats, and their
 * recording. */
#pragma once

#include "gst/filter/gstgpufilter.h"

G_BEGIN_DECLS

/* Sets latch, prepare, record and release, and what belongs to them. */
void gst_mean_shift_palette_frames_install (GstGpuFilterClass * klass);

G_END_DECLS
