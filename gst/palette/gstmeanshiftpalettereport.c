/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpaletteprivate.h"

/* --- modes --- */

static GstMeanShiftPaletteFrame
describe_frame (const GstSegment * segment, GstBuffer * buffer, gdouble radius)
{
  GstClockTime pts = GST_BUFFER_PTS (buffer);
  GstMeanShiftPaletteFrame frame = {
    pts, GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
    GST_BUFFER_DURATION (buffer), radius
  };

  if (segment->format == GST_FORMAT_TIME) {
    frame.stream_time =
        gst_segment_to_stream_time (segment, GST_FORMAT_TIME, pts);
    frame.running_time =
        gst_segment_to_running_time (segment, GST_FORMAT_TIME, pts);
  }
  return frame;
}

guint64
gst_mean_shift_palette_modes_add_frame (GstMeanShiftPaletteModes * modes,
    GstBaseTransform * trans, GstBuffer * buffer, gdouble radius)
{
  /* The parent class may reset its segment meanwhile. */
  const GstSegment segment = trans->segment;
  guint64 number = ++modes->n_frames;

  modes->frames[number % GST_MEAN_SHIFT_PALETTE_FRAMES] =
      describe_frame (&segment, buffer, radius);
  return number;
}

/* Reads the modes of the newest finished frame from @engine. */
static void
update_modes (GstMeanShiftPaletteModes * modes, GpuPalette * engine)
{
  if (!gpu_palette_get_modes (engine, modes->modes, &modes->n_modes,
          &modes->newest))
    modes->n_modes = modes->newest = 0;
}

/* --- messages and properties --- */

static void
list_colours (const GstMeanShiftPaletteModes * modes, GValue * array)
{
  for (guint i = 0; i < modes->n_modes; i++) {
    GValue colour = G_VALUE_INIT;

    g_value_init (&colour, G_TYPE_UINT);
    g_value_set_uint (&colour, modes->modes[i].colour);
    gst_value_array_append_and_take_value (array, &colour);
  }
}

static void
list_shares (const GstMeanShiftPaletteModes * modes, GValue * array)
{
  for (guint i = 0; i < modes->n_modes; i++) {
    GValue share = G_VALUE_INIT;

    g_value_init (&share, G_TYPE_DOUBLE);
    g_value_set_double (&share, modes->modes[i].share);
    gst_value_array_append_and_take_value (array, &share);
  }
}

static gchar *
write_colours (const GstMeanShiftPaletteModes * modes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < modes->n_modes; i++)
    gst_mean_shift_palette_text_append (text, modes->modes[i].colour);
  return g_string_free (text, FALSE);
}

gchar *
gst_mean_shift_palette_modes_write (const GstMeanShiftPaletteModes * modes)
{
  return modes->is_counting ? write_colours (modes) : g_strdup ("");
}

static gchar *
write_shares (const GstMeanShiftPaletteModes * modes)
{
  GString *text = g_string_new (NULL);
  gchar share[G_ASCII_DTOSTR_BUF_SIZE];

  for (guint i = 0; i < modes->n_modes; i++) {
    g_ascii_formatd (share, sizeof share, "%.6g", modes->modes[i].share);
    g_string_append_printf (text, "%s%s", i > 0 ? "," : "", share);
  }
  return g_string_free (text, FALSE);
}

/* For Python without GStreamer's overrides, and for shells: neither reads arrays well. */
static void
add_texts (const GstMeanShiftPaletteModes * modes, GstStructure * structure)
{
  g_autofree gchar *colours = write_colours (modes);
  g_autofree gchar *shares = write_shares (modes);

  gst_structure_set (structure, "palette-text", G_TYPE_STRING, colours,
      "shares-text", G_TYPE_STRING, shares, NULL);
}

static GstStructure *
describe (const GstMeanShiftPaletteModes * modes)
{
  const GstMeanShiftPaletteFrame *frame =
      &modes->frames[modes->newest % GST_MEAN_SHIFT_PALETTE_FRAMES];
  GValue colours = G_VALUE_INIT, shares = G_VALUE_INIT;
  GstStructure *structure;

  g_value_init (&colours, GST_TYPE_ARRAY);
  g_value_init (&shares, GST_TYPE_ARRAY);
  list_colours (modes, &colours);
  list_shares (modes, &shares);
  structure = gst_structure_new ("meanshiftpalette",
      "timestamp", G_TYPE_UINT64, frame->timestamp,
      "stream-time", G_TYPE_UINT64, frame->stream_time,
      "running-time", G_TYPE_UINT64, frame->running_time,
      "duration", G_TYPE_UINT64, frame->duration,
      "radius", G_TYPE_DOUBLE, frame->radius, NULL);
  gst_structure_take_value (structure, "palette", &colours);
  gst_structure_take_value (structure, "shares", &shares);
  add_texts (modes, structure);
  return structure;
}

/* Returns the modes as a new structure, which the caller owns. Returns NULL if no modes are
 * known, or if the pixels of the last frame were not counted. */
static GstStructure *
describe_modes (const GstMeanShiftPaletteModes * modes)
{
  return modes->is_counting && modes->newest > 0 ? describe (modes) : NULL;
}

/* Returns the modes of the newest finished frame as a new structure, which the caller
 * owns. Returns each frame only once: NULL if there is no newer frame. */
static GstStructure *
tell_modes (GstMeanShiftPaletteModes * modes)
{
  if (modes->newest <= modes->told)
    return NULL;
  modes->told = modes->newest;
  return describe (modes);
}

/* --- reports --- */

void
gst_mean_shift_palette_report_update_modes (GstMeanShiftPalette * self)
{
  if (self->engine)
    update_modes (&self->modes, self->engine);
}

void
gst_mean_shift_palette_report_post_modes (GstMeanShiftPalette * self)
{
  GstStructure *modes;

  g_mutex_lock (&self->report_lock);
  gst_mean_shift_palette_report_update_modes (self);
  modes = tell_modes (&self->modes);
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
  modes = describe_modes (&self->modes);
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
