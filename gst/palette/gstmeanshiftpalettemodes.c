/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "gstmeanshiftpalettemodes.h"

#include "gstmeanshiftpalettetext.h"

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

void
gst_mean_shift_palette_modes_update (GstMeanShiftPaletteModes * modes,
    GpuPalette * engine)
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

GstStructure *
gst_mean_shift_palette_modes_describe (const GstMeanShiftPaletteModes * modes)
{
  return modes->is_counting && modes->newest > 0 ? describe (modes) : NULL;
}

GstStructure *
gst_mean_shift_palette_modes_tell (GstMeanShiftPaletteModes * modes)
{
  if (modes->newest <= modes->told)
    return NULL;
  modes->told = modes->newest;
  return describe (modes);
}
