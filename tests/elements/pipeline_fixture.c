/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pipeline_fixture.h"

#include <gst/app/gstappsink.h>

GstElement *
pipeline_launch (const gchar * format, ...)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *description = NULL;
  GstElement *pipeline;
  va_list arguments;

  va_start (arguments, format);
  description = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_test_message ("%s", description);
  pipeline = gst_parse_launch_full (description, NULL,
      GST_PARSE_FLAG_FATAL_ERRORS, &error);
  g_assert_no_error (error);
  return pipeline;
}

void
pipeline_run (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_assert_no_error (error);
  }
}

void
pipeline_stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

GstElement *
pipeline_hold_device (void)
{
  GstElement *element = gst_element_factory_make ("gpublur", NULL);

  g_assert_nonnull (element);
  gst_object_ref_sink (element);
  if (gst_element_set_state (element, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE)
    return element;
  pipeline_stop (element);
  return NULL;
}

guint64
pipeline_stat (GstElement * pipeline, const gchar * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;
  GstElement *child = gst_bin_get_by_name (GST_BIN (pipeline), element);
  guint64 value = 0;

  g_object_get (child, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  gst_object_unref (child);
  return value;
}

GByteArray *
pipeline_collect (GstElement * pipeline)
{
  GByteArray *bytes = g_byte_array_new ();
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  GstSample *sample;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while ((sample = gst_app_sink_pull_sample (GST_APP_SINK (sink)))) {
    GstMapInfo map;

    g_assert_true (gst_buffer_map (gst_sample_get_buffer (sample), &map,
            GST_MAP_READ));
    g_byte_array_append (bytes, map.data, map.size);
    gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
    gst_sample_unref (sample);
  }
  g_assert_true (gst_app_sink_is_eos (GST_APP_SINK (sink)));
  gst_object_unref (sink);
  return bytes;
}

GstPadProbeReturn
pipeline_make_change (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  PipelineChange *change = data;

  if (++change->n_frames == 2) {
    g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);

    gst_util_set_object_arg (G_OBJECT (element), change->property,
        change->value);
  }
  return GST_PAD_PROBE_OK;
}

static void
run_or_skip (gconstpointer test)
{
  GstElement *holder = pipeline_hold_device ();

  if (!holder) {
    g_test_skip ("no device");
    return;
  }
  ((void (*)(void)) test) ();
  pipeline_stop (holder);
}

void
pipeline_add_test (const gchar * path, void (*test) (void))
{
  g_test_add_data_func (path, (gconstpointer) test, run_or_skip);
}
