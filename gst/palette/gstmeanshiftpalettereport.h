/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What meanshiftpalette tells of its frames: messages with their modes, and statistics. */
#pragma once

#include "gstmeanshiftpalette.h"

G_BEGIN_DECLS

/* Read the newest report, or the modes of the newest finished frame, if there is an engine.
 * The caller holds report_lock. */
void gst_mean_shift_palette_report_update (GstMeanShiftPalette * self);
void gst_mean_shift_palette_report_update_modes (GstMeanShiftPalette * self);

/* Posts the modes of the newest finished frame, unless they were posted before. The streaming
 * thread calls this and the next one, without report_lock. */
void gst_mean_shift_palette_report_post_modes (GstMeanShiftPalette * self);

/* Waits for the last frame and posts its modes. Called if no frame follows soon, and only
 * while there is an engine. */
void gst_mean_shift_palette_report_post_last_modes (GstMeanShiftPalette *
    self);

/* Implements fill_stats of GstGpuFilterClass. Takes report_lock. */
void gst_mean_shift_palette_report_fill_stats (GstGpuFilter * filter,
    GstStructure * stats);

G_END_DECLS
