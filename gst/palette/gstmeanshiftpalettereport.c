/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettereport.h"
#include "gstmeanshiftpaletteprivate.h"

#define GST_CAT_DEFAULT gst_mean_shift_palette_debug

void
gst_mean_shift_palette_report_update_modes (GstMeanShiftPalette * self)
{
  if (self->engine)
    gst_mean_shift_palette_modes_update (&self->modes, self->engine);
}

void
gst_mean_shift_palette_report_post_modes (GstMeanShiftPalette * self)
{
  GstStructure *modes;

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update_modes (self);
  modes = gst_mean_shift_palette_modes_tell (&self->modes);
  g_mutex_unlock (&self->report_lock);
  if (modes)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self), modes));
}

void
gst_mean_shift_palette_report_update (GstMeanShiftPalette * self)
{
  if (self->engine)
    gpu_palette_get_report (self->engine, &self->report);
}

void
gst_mean_shift_palette_report_post_last_modes (GstMeanShiftPalette * self)
{
  g_autoptr (GError) error = NULL;
  gboolean posts_messages;

  GST_OBJECT_LOCK (self);
  posts_messages = self->settings.posts_messages;
  GST_OBJECT_UNLOCK (self);
  if (!posts_messages)
    return;
  if (gpu_palette_wait (self->engine, &error))
    gst_mean_shift_palette_report_post_modes (self);
  else
    GST_WARNING_OBJECT (self, "no modes of the last frame: %s", error->message);
}

void
gst_mean_shift_palette_report_fill_stats (GstGpuFilter * filter,
    GstStructure * stats)
{
  GstMeanShiftPalette *self = GST_MEAN_SHIFT_PALETTE (filter);
  GpuPaletteReport report;
  GstStructure *modes;
  gdouble radius;
  guint64 waits;

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  gst_mean_shift_palette_report_update_modes (self);
  modes = gst_mean_shift_palette_modes_describe (&self->modes);
  report = self->report;
  radius = self->radius;
  waits = self->waits;
  g_mutex_unlock (&self->report_lock);
  gst_structure_set (stats,
      "colors", G_TYPE_UINT64, (guint64) report.counted.colours,
      "added", G_TYPE_UINT64, (guint64) report.made.added,
      "removed", G_TYPE_UINT64, (guint64) report.made.removed,
      "solved-colors", G_TYPE_UINT64, (guint64) report.made.solved_colours,
      "reused-colors", G_TYPE_UINT64,
      (guint64) (report.counted.colours - report.made.solved_colours),
      "cells", G_TYPE_UINT64, (guint64) report.counted.bins,
      "modes", G_TYPE_UINT64, (guint64) report.made.output_colours,
      "solved", G_TYPE_BOOLEAN, report.made.solved,
      "steps", G_TYPE_UINT64, report.effort.steps,
      "waits-for-solver", G_TYPE_UINT64, (guint64) report.submissions,
      "all-waits-for-solver", G_TYPE_UINT64, waits,
      "radius", G_TYPE_DOUBLE, radius, NULL);
  if (modes)
    gst_structure_set (stats, "palette", GST_TYPE_STRUCTURE, modes, NULL);
  g_clear_pointer (&modes, gst_structure_free);
}
