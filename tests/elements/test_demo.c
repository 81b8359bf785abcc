/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What scripts/demo left behind: pictures after are those before in far fewer
 * colours, as many as it said, and its film is whole. */
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two seconds of 24 frames. */
#define FILM_FRAMES 48

/* --- what it said --- */

static guint
find_said (const gchar * picture)
{
  /* Not as commands and credits name it. */
  g_autofree gchar *key = g_strdup_printf ("\n  %s ", picture);
  g_autofree gchar *text = NULL;
  const gchar *found;
  guint said;

  if (!g_file_get_contents (DEMO_OUTPUT "/about.txt", &text, NULL, NULL))
    g_error ("there is no " DEMO_OUTPUT "/about.txt: run scripts/demo first");
  found = strstr (text, key);
  g_assert_nonnull (found);
  g_assert_cmpint (sscanf (found + strlen (key), "%u colours", &said), ==, 1);
  return said;
}

/* --- frames --- */

typedef struct
{
  GstSample *sample;
  GstVideoFrame frame;
} Picture;

/* @decoder: from bytes to frames. The sink has the name sink. */
static GstElement *
decode (const gchar * file, const gchar * decoder)
{
  g_autofree gchar *launch = g_strdup_printf ("filesrc name=source ! %s "
      "! videoconvert ! video/x-raw,format=RGB ! appsink name=sink", decoder);
  g_autofree gchar *path = g_build_filename (DEMO_OUTPUT, file, NULL);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);
  g_autoptr (GstElement) source = NULL;

  g_assert_no_error (error);
  source = gst_bin_get_by_name (GST_BIN (pipeline), "source");
  g_object_set (source, "location", path, NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  return pipeline;
}

/* NULL at the end of the stream. */
static GstSample *
pull (GstElement * pipeline)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  return gst_app_sink_pull_sample (GST_APP_SINK (sink));
}

static void
close_pipeline (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

static void
load (Picture * picture, const gchar * file)
{
  GstElement *pipeline = decode (file, "pngdec");
  GstVideoInfo info;

  picture->sample = pull (pipeline);
  g_assert_nonnull (picture->sample);
  g_assert_true (gst_video_info_from_caps (&info,
          gst_sample_get_caps (picture->sample)));
  g_assert_true (gst_video_frame_map (&picture->frame, &info,
          gst_sample_get_buffer (picture->sample), GST_MAP_READ));
  close_pipeline (pipeline);
}

static void
unload (Picture * picture)
{
  gst_video_frame_unmap (&picture->frame);
  gst_sample_unref (picture->sample);
}

static const guint8 *
get_row (const Picture * picture, gint y)
{
  return (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&picture->frame, 0)
      + y * GST_VIDEO_FRAME_PLANE_STRIDE (&picture->frame, 0);
}

static guint
count_colours (const Picture * picture)
{
  g_autofree guint8 *seen = g_malloc0 (1 << 24);
  guint n = 0;

  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT (&picture->frame); y++)
    for (gint x = 0; x < GST_VIDEO_FRAME_WIDTH (&picture->frame); x++) {
      const guint8 *pixel = get_row (picture, y) + 3 * x;
      guint8 *colour = seen + (pixel[0] << 16 | pixel[1] << 8 | pixel[2]);

      n += !*colour;
      *colour = TRUE;
    }
  return n;
}

/* The mean distance of two components, in code values. */
static gdouble
compare (const Picture * a, const Picture * b)
{
  gint width = GST_VIDEO_FRAME_WIDTH (&a->frame);
  gint height = GST_VIDEO_FRAME_HEIGHT (&a->frame);
  guint64 sum = 0;

  g_assert_cmpint (GST_VIDEO_FRAME_WIDTH (&b->frame), ==, width);
  g_assert_cmpint (GST_VIDEO_FRAME_HEIGHT (&b->frame), ==, height);
  for (gint y = 0; y < height; y++)
    for (gint i = 0; i < 3 * width; i++)
      sum += abs (get_row (a, y)[i] - get_row (b, y)[i]);
  return (gdouble) sum / (3.0 * width * height);
}

/* --- tests --- */

/* @data: what tells the picture from others. */
static void
test_picture (gconstpointer data)
{
  g_autofree gchar *before_file = g_strdup_printf ("before-%s.png",
      (const gchar *) data);
  g_autofree gchar *after_file = g_strdup_printf ("after-%s.png",
      (const gchar *) data);
  Picture before, after;

  load (&before, before_file);
  load (&after, after_file);
  g_test_message ("%u to %u colours, %.2f apart", count_colours (&before),
      count_colours (&after), compare (&before, &after));
  g_assert_cmpuint (count_colours (&before), ==, find_said (before_file));
  g_assert_cmpuint (count_colours (&after), ==, find_said (after_file));
  g_assert_cmpuint (count_colours (&after) * 20, <, count_colours (&before));
  /* Those of another frame are 16 apart. */
  g_assert_cmpfloat (compare (&before, &after), <, 12);
  unload (&before);
  unload (&after);
}

static void
test_film (void)
{
  GstElement *pipeline = decode ("palette.webm", "matroskademux ! vp8dec");
  GstSample *sample;
  guint n = 0;

  while ((sample = pull (pipeline))) {
    gst_sample_unref (sample);
    n++;
  }
  close_pipeline (pipeline);
  g_assert_cmpuint (n, ==, FILM_FRAMES);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);
  g_test_add_data_func ("/demo/photograph", "coffee", test_picture);
  g_test_add_data_func ("/demo/frame-1", "1", test_picture);
  g_test_add_data_func ("/demo/frame-2", "2", test_picture);
  g_test_add_data_func ("/demo/frame-3", "3", test_picture);
  g_test_add_func ("/demo/film", test_film);
  return g_test_run ();
}
