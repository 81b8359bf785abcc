/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalette.h"

guint64
gst_mean_shift_palette_modes_add_frame (GstMeanShiftPaletteModes * modes,
    GstBaseTransform * trans, GstBuffer * buffer, gdouble radius)
{
  /* The parent class may reset its segment meanwhile. */
  const GstSegment segment = trans->segment;
  GstClockTime pts = GST_BUFFER_PTS (buffer);
  guint64 number = ++modes->n_frames;
  GstMeanShiftPaletteFrame *frame =
      &modes->frames[number % GST_MEAN_SHIFT_PALETTE_FRAMES];

  *frame = (GstMeanShiftPaletteFrame) {
    pts, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
    GST_BUFFER_DURATION (buffer), radius
  };
  if (segment.format == GST_FORMAT_TIME) {
    frame->stream_time =
        gst_segment_to_stream_time (&segment, GST_FORMAT_TIME, pts);
    frame->running_time =
        gst_segment_to_running_time (&segment, GST_FORMAT_TIME, pts);
  }
  return number;
}

gchar *
gst_mean_shift_palette_modes_write (const GstMeanShiftPaletteModes * modes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; modes->is_counting && i < modes->n_modes; i++)
    gst_mean_shift_palette_text_append (text, modes->modes[i].colour);
  return g_string_free (text, FALSE);
}

/* Returns the modes as a new structure, which the caller owns. The texts have the same as the
 * arrays: for Python without GStreamer's overrides, and for shells, which do not read arrays
 * well. */
static GstStructure *
describe (const GstMeanShiftPaletteModes * modes)
{
  const GstMeanShiftPaletteFrame *frame =
      &modes->frames[modes->newest % GST_MEAN_SHIFT_PALETTE_FRAMES];
  GValue colours = G_VALUE_INIT, shares = G_VALUE_INIT;
  g_autoptr (GString) colours_text = g_string_new (NULL);
  g_autoptr (GString) shares_text = g_string_new (NULL);
  GstStructure *structure;

  g_value_init (&colours, GST_TYPE_ARRAY);
  g_value_init (&shares, GST_TYPE_ARRAY);
  for (guint i = 0; i < modes->n_modes; i++) {
    const GpuPaletteMode *mode = &modes->modes[i];
    GValue colour = G_VALUE_INIT, share = G_VALUE_INIT;
    gchar digits[G_ASCII_DTOSTR_BUF_SIZE];

    g_value_init (&colour, G_TYPE_UINT);
    g_value_set_uint (&colour, mode->colour);
    gst_value_array_append_and_take_value (&colours, &colour);
    gst_mean_shift_palette_text_append (colours_text, mode->colour);
    g_value_init (&share, G_TYPE_DOUBLE);
    g_value_set_double (&share, mode->share);
    gst_value_array_append_and_take_value (&shares, &share);
    g_ascii_formatd (digits, sizeof digits, "%.6g", mode->share);
    g_string_append_printf (shares_text, "%s%s", i > 0 ? "," : "", digits);
  }
  structure = gst_structure_new ("meanshiftpalette",
      "timestamp", G_TYPE_UINT64, frame->timestamp,
      "stream-time", G_TYPE_UINT64, frame->stream_time,
      "running-time", G_TYPE_UINT64, frame->running_time,
      "duration", G_TYPE_UINT64, frame->duration,
      "radius", G_TYPE_DOUBLE, frame->radius, NULL);
  gst_structure_take_value (structure, "palette", &colours);
  gst_structure_take_value (structure, "shares", &shares);
  gst_structure_set (structure,
      "palette-text", G_TYPE_STRING, colours_text->str,
      "shares-text", G_TYPE_STRING, shares_text->str, NULL);
  return structure;
}

void
gst_mean_shift_palette_report_update (GstMeanShiftPalette * self)
{
  GstMeanShiftPaletteModes *modes = &self->modes;

  if (!self->engine)
    return;
  gpu_palette_get_report (self->engine, &self->report);
  if (!gpu_palette_get_modes (self->engine, modes->modes, &modes->n_modes,
          &modes->newest))
    modes->n_modes = modes->newest = 0;
}

void
gst_mean_shift_palette_report_post_modes (GstMeanShiftPalette * self)
{
  GstMeanShiftPaletteModes *modes = &self->modes;
  GstStructure *described = NULL;

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  if (modes->newest > modes->told) {
    modes->told = modes->newest;
    described = describe (modes);
  }
  g_mutex_unlock (&self->report_lock);
  if (described)
    gst_element_post_message (GST_ELEMENT (self),
        gst_message_new_element (GST_OBJECT (self), described));
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
  GstStructure *modes = NULL;
  gdouble radius;
  guint64 waits;

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update (self);
  if (self->modes.is_counting && self->modes.newest > 0)
    modes = describe (&self->modes);
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
