/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Posts a GST_MESSAGE_PROGRESS from time to time while meanshiftpalette solves a frame that
 * takes long. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* The progress of the current frame. Zeroed before its first update. */
typedef struct
{
  gint64 since;                 /* time of the first update in µs; 0: none yet */
  gint64 told;                  /* time of the last message in µs; 0: none yet */
  gint percent;                 /* of the last update */
} GstMeanShiftPaletteProgress;

/* Reports that @done of @n colours of the current frame are finished. Posts a message on
 * @element if one is due. */
void gst_mean_shift_palette_progress_update (GstMeanShiftPaletteProgress *
    progress, GstElement * element, guint done, guint n);

/* Ends the frame: posts the last message if there was one before, and zeroes @progress.
 * @error: the reason of a failure, or NULL. */
void gst_mean_shift_palette_progress_end (GstMeanShiftPaletteProgress *
    progress, GstElement * element, const GError * error);

G_END_DECLS
