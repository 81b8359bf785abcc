/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What scripts/demo left behind: its pictures have as many colours as the
 * element said when it made them. */
#include <gst/app/gstappsink.h>
#include <gst/gst.h>

#include <stdio.h>
#include <string.h>

/* --- the log --- */

static gchar *
read_log (const gchar * name)
{
  g_autofree gchar *path = g_strdup_printf (DEMO_LOGS "/demo-%s.log", name);
  g_autofree gchar *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    g_error ("there is no %s: run scripts/demo first", path);
  return g_steal_pointer (&text);
}

static gboolean
parse_time (const gchar * line, GstClockTime * time)
{
  const gchar *found = strstr (line, ", PTS ");
  guint hours, minutes, seconds, ns;

  if (!found || !strstr (line, "<meanshiftpalette0>")
      || sscanf (found, ", PTS %u:%u:%u.%u", &hours, &minutes, &seconds,
          &ns) != 4)
    return FALSE;
  *time = ((hours * 60 + minutes) * 60 + seconds) * GST_SECOND + ns;
  return TRUE;
}

static gboolean
parse_modes (const gchar * line, guint * modes)
{
  const gchar *found = strstr (line, " colours to ");

  return found && sscanf (found, " colours to %u", modes) == 1;
}

/* What the element said of the frame of that time, or of any frame for
 * GST_CLOCK_TIME_NONE; 0 if it said nothing. */
static guint
find_modes (const gchar * log, GstClockTime wanted)
{
  g_auto (GStrv) lines = g_strsplit (log, "\n", -1);
  GstClockTime time = GST_CLOCK_TIME_NONE;

  for (guint i = 0; lines[i]; i++) {
    guint modes;

    if (!parse_time (lines[i], &time) && parse_modes (lines[i], &modes)
        && (time == wanted || wanted == GST_CLOCK_TIME_NONE))
      return modes;
  }
  return 0;
}

/* When the frame was shown that is in this file. */
static GstClockTime
find_time (const gchar * log, const gchar * file)
{
  g_autofree gchar *key = g_strdup_printf ("/%s, ", file);
  const gchar *message = strstr (log, key);
  guint64 time;

  g_assert_nonnull (message);
  message = strstr (message, "timestamp=(guint64)");
  g_assert_nonnull (message);
  g_assert_cmpint (sscanf (message, "timestamp=(guint64)%" G_GUINT64_FORMAT,
          &time), ==, 1);
  return time;
}

/* --- pictures --- */

static guint
count_colours (GstSample * sample)
{
  g_autofree guint8 *seen = g_malloc0 (1 << 24);
  GstStructure *format = gst_caps_get_structure (gst_sample_get_caps (sample),
      0);
  gint width, height;
  GstMapInfo map;
  gsize stride;
  guint n = 0;

  g_assert_true (gst_structure_get_int (format, "width", &width));
  g_assert_true (gst_structure_get_int (format, "height", &height));
  g_assert_true (gst_buffer_map (gst_sample_get_buffer (sample), &map,
          GST_MAP_READ));
  stride = map.size / height;
  for (gint y = 0; y < height; y++)
    for (gint x = 0; x < width; x++) {
      const guint8 *pixel = map.data + y * stride + 3 * x;
      guint8 *colour = seen + (pixel[0] << 16 | pixel[1] << 8 | pixel[2]);

      n += !*colour;
      *colour = TRUE;
    }
  gst_buffer_unmap (gst_sample_get_buffer (sample), &map);
  return n;
}

static guint
count_colours_of_file (const gchar * file)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch ("filesrc name=source ! pngdec "
      "! video/x-raw,format=RGB ! appsink name=sink", &error);
  GstElement *source, *sink;
  g_autofree gchar *path = g_build_filename (DEMO_OUTPUT, file, NULL);
  GstSample *sample;
  guint n;

  g_assert_no_error (error);
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (source, "location", path, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  g_assert_nonnull (sample);
  n = count_colours (sample);
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (source);
  gst_object_unref (sink);
  gst_object_unref (pipeline);
  return n;
}

/* --- tests --- */

static void
test_photograph (void)
{
  g_autofree gchar *log = read_log ("photograph");

  g_assert_cmpuint (count_colours_of_file ("after-coffee.png"), ==,
      find_modes (log, GST_CLOCK_TIME_NONE));
}

static void
test_film (void)
{
  g_autofree gchar *log = read_log ("film");

  for (guint i = 1; i <= 3; i++) {
    g_autofree gchar *file = g_strdup_printf ("after-%u.png", i);

    g_assert_cmpuint (count_colours_of_file (file), ==,
        find_modes (log, find_time (log, file)));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_func ("/demo/photograph", test_photograph);
  g_test_add_func ("/demo/film", test_film);
  return g_test_run ();
}
