/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What meanshiftpalette posts of a frame whose colours take long: a
 * GST_MESSAGE_PROGRESS now and then. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* Of the frame at hand; zeroed: none of it is known yet. */
typedef struct
{
  gint64 since;                 /* us: when it first was; 0: not yet */
  gint64 told;                  /* us: of the last message; 0: there is none */
  gint percent;                 /* of that */
} GstMeanShiftPaletteProgress;

/* @done of @n colours are, in the frame at hand of @element. */
void gst_mean_shift_palette_progress_update (GstMeanShiftPaletteProgress *
    progress, GstElement * element, guint done, guint n);

/* The frame ended, with @error or NULL; @progress is zeroed for the next. */
void gst_mean_shift_palette_progress_end (GstMeanShiftPaletteProgress *
    progress, GstElement * element, const GError * error);

G_END_DECLS
