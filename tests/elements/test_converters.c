/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Formats and colours in whole pipelines: what elements agree on with converters of
 * others. */
#include "pipeline_fixture.h"

#include <gst/video/video.h>

/* A bilateral filter of light takes RGB alone, which a converter makes where it is asked for
 * no other. */
static void
test_converter (void)
{
  GstElement *pipeline =
      pipeline_launch ("videotestsrc num-buffers=2 ! video/x-raw, "
      "format=I420, width=32, height=32 ! videoconvert ! gpublur name=blur "
      "kernel=bilateral linear-light=true ! fakesink");
  GstElement *blur = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  GstPad *sink = gst_element_get_static_pad (blur, "sink");
  GstCaps *caps;
  GstVideoInfo info;

  pipeline_run (pipeline);
  caps = gst_pad_get_current_caps (sink);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (GST_VIDEO_INFO_IS_RGB (&info));
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (blur);
  pipeline_stop (pipeline);
}

/* What decoders, cameras and players give is blurred as it is. */
static void
test_native (void)
{
  static const struct
  {
    const gchar *format;
    const gchar *codec;
  } cases[] = {
    {"I420_10LE", "! x264enc ! avdec_h264 "},
    {"I420_10LE", "! vp9enc deadline=1 ! vp9dec "},
    {"YUY2", ""},               /* most cameras */
    {"UYVY", ""},               /* capture cards */
    {"P010_10LE", ""},          /* hardware decoders */
    {"NV21", ""}, {"RGB10A2_LE", ""}, {"ARGB64_LE", ""}, {"A420", ""},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=2 "
        "! video/x-raw, format=%s, width=66, height=50 %s! gpublur name=blur "
        "sigma=2 method=separable ! video/x-raw, format=%s ! fakesink",
        cases[i].format, cases[i].codec, cases[i].format);

    pipeline_run (pipeline);
    g_assert_cmpuint (pipeline_stat (pipeline, "blur", "frames"), ==, 2);
    pipeline_stop (pipeline);
  }
}

/* A converter makes frames of the colours that are wanted behind the palette, of
 * whatever format. */
static void
test_converted_colours (void)
{
  static const gchar *const cases[][2] = {
    {"I420, colorimetry=bt709", "sRGB"},
    {"I420, colorimetry=bt601", "1:1:5:1"},
    {"NV12, colorimetry=bt709, width=1280, height=720", "1:1:7:1"},
    {"RGBA, colorimetry=1:1:5:1", "sRGB"},
    {"v210, colorimetry=bt2020", "1:1:5:1"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=1 "
        "! video/x-raw, format=%s ! videoconvert ! meanshiftpalette "
        "! video/x-raw, format=RGBA, colorimetry=%s ! fakesink", cases[i][0],
        cases[i][1]);

    pipeline_run (pipeline);
    pipeline_stop (pipeline);
  }
}

/* Where there is nothing to be done, frames that nobody could work on pass. */
static void
test_foreign (void)
{
  GstElement *pipeline =
      pipeline_launch ("videotestsrc num-buffers=2 ! video/x-raw, "
      "format=RGB16, width=32, height=32 ! gpublur sigma=0 "
      "! meanshiftpalette radius=0 ! videoscale ! video/x-raw, width=16 "
      "! appsink name=sink");
  GByteArray *seen = pipeline_collect (pipeline);

  g_assert_cmpuint (seen->len, ==, 2 * 2 * 16 * 32);
  g_byte_array_unref (seen);
  pipeline_stop (pipeline);
}

/* Returns how many of ten frames are blurred where sigma is 0 for the first and 3 for
 * all others; the last of them is of @format. */
static guint
count_blurred (const gchar * source, const gchar * blur, GstVideoFormat format)
{
  GstElement *pipeline =
      pipeline_launch ("videotestsrc num-buffers=10 ! video/x-raw, "
      "width=32, height=32, format=%s ! %s ! fakesink", source, blur);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  GstPad *sink = gst_element_get_static_pad (element, "sink");
  PipelineChange change = {.property = "sigma", .value = "3"};
  guint n_blurred;
  GstVideoInfo info;
  GstCaps *caps;

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, pipeline_make_change,
      &change, NULL);
  pipeline_run (pipeline);
  n_blurred = pipeline_stat (pipeline, "blur", "frames");
  caps = gst_pad_get_current_caps (sink);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (GST_VIDEO_INFO_FORMAT (&info), ==, format);
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (element);
  pipeline_stop (pipeline);
  return n_blurred;
}

/* When there is something to be done, a converter that hands on what passed is asked
 * for what can be worked on, if the next element takes that. Frames that nobody
 * converts go on passing. */
static void
test_ask_for_others (void)
{
  g_assert_cmpuint (count_blurred ("v210 ! videoconvert",
          "gpublur name=blur sigma=0 method=separable "
          "! video/x-raw, format={v210, RGBA}", GST_VIDEO_FORMAT_RGBA), ==, 8);
  g_assert_cmpuint (count_blurred ("v210 ! videoconvert",
          "gpublur name=blur sigma=0 ! video/x-raw, format=v210",
          GST_VIDEO_FORMAT_v210), ==, 0);
  g_assert_cmpuint (count_blurred ("v210",
          "gpublur name=blur sigma=0", GST_VIDEO_FORMAT_v210), ==, 0);
}

/* The same where codes are blurred until light can be. */
static void
test_ask_for_light (void)
{
  g_assert_cmpuint (count_blurred ("I420 ! videoconvert",
          "gpublur name=blur sigma=0 linear-light=true kernel=bilateral "
          "! video/x-raw, format={I420, RGBA}", GST_VIDEO_FORMAT_RGBA), ==, 9);
}

/* Nor is one asked whose frames others take as well, who may not take other ones. */
static void
test_ask_behind_tee (void)
{
  g_assert_cmpuint (count_blurred ("I420 ! videoconvert ! tee name=t t. "
          "! queue ! video/x-raw, format=I420 ! fakesink async=false t. ",
          "gpublur name=blur sigma=0 linear-light=true kernel=bilateral",
          GST_VIDEO_FORMAT_I420), ==, 9);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  pipeline_add_test ("/converters/converter", test_converter);
  pipeline_add_test ("/converters/native", test_native);
  pipeline_add_test ("/converters/converted-colours", test_converted_colours);
  pipeline_add_test ("/converters/foreign", test_foreign);
  pipeline_add_test ("/converters/ask-for-others", test_ask_for_others);
  pipeline_add_test ("/converters/ask-for-light", test_ask_for_light);
  pipeline_add_test ("/converters/ask-behind-tee", test_ask_behind_tee);
  return g_test_run ();
}
