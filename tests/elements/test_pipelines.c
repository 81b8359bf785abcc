/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plugin as it is installed, in whole pipelines with elements of others. */
#include <glib/gstdio.h>
#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

/* Where any blur will do: those of a Gaussian take a CPU device longer to build. */
#define BOX "gpublur kernel=box radius=2 "

static GstElement *
launch (const gchar * format, ...)
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

/* Plays until the end; fails on an error. */
static void
run (GstElement * pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    g_assert_no_error (error);
  }
  gst_message_unref (message);
}

static void
stop (GstElement * pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

/* An element that holds the device, which others find: to open one for each pipeline
 * costs a CPU device seconds of building shaders. NULL where there is none. */
static GstElement *
hold_device (void)
{
  GstElement *element = gst_element_factory_make ("gpublur", NULL);

  g_assert_nonnull (element);
  gst_object_ref_sink (element);
  if (gst_element_set_state (element, GST_STATE_PAUSED)
      != GST_STATE_CHANGE_FAILURE)
    return element;
  stop (element);
  return NULL;
}

static guint64
stat_of (GstElement * pipeline, const gchar * element, const gchar * name)
{
  g_autoptr (GstStructure) stats = NULL;
  GstElement *child = gst_bin_get_by_name (GST_BIN (pipeline), element);
  guint64 value = 0;

  g_object_get (child, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  gst_object_unref (child);
  return value;
}

/* How many of @n transfers take place: none where memory is unified. */
static guint64
transfers (GstElement * pipeline, const gchar * element, guint n)
{
  g_autoptr (GstStructure) stats = NULL;
  GstElement *child = gst_bin_get_by_name (GST_BIN (pipeline), element);
  gboolean is_unified;

  g_object_get (child, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_boolean (stats, "unified-memory",
          &is_unified));
  gst_object_unref (child);
  return is_unified ? 0 : n;
}

/* All frames that reach the app sink "sink", one after the other. */
static GByteArray *
collect (GstElement * pipeline)
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

/* What a file sink writes, which knows nothing of strides, is what the caps
 * say: as many bytes as the same video has without us. */
static void
test_filesink (void)
{
  static const gchar *formats[] = { "I420", "RGB" };
  g_autofree gchar *file = g_build_filename (g_get_tmp_dir (),
      "test-pipelines-XXXXXX", NULL);

  g_close (g_mkstemp (file), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *caps = g_strdup_printf ("video/x-raw, format=%s, "
        "width=17, height=9", formats[i]);
    g_autofree gchar *written = NULL;
    gsize size;
    GByteArray *seen;
    GstElement *pipeline = launch ("videotestsrc num-buffers=3 pattern=ball "
        "! %s ! " BOX "! filesink location=%s", caps, file);

    run (pipeline);
    stop (pipeline);
    g_assert_true (g_file_get_contents (file, &written, &size, NULL));
    pipeline = launch ("videotestsrc num-buffers=3 pattern=ball ! %s "
        "! " BOX "! appsink sync=false name=sink", caps);
    seen = collect (pipeline);
    stop (pipeline);
    g_assert_cmpmem (written, size, seen->data, seen->len);

    GstVideoInfo info;

    gst_video_info_set_format (&info, gst_video_format_from_string
        (formats[i]), 17, 9);
    g_assert_cmpuint (size, ==, 3 * info.size);
    g_byte_array_unref (seen);
  }
  g_remove (file);
}

typedef struct
{
  const gchar *property, *value;
  guint n_frames;
} Change;

/* Sets the property of the pad's element before the second frame. */
static GstPadProbeReturn
make_change (GstPad * pad, GstPadProbeInfo * probe, gpointer data)
{
  Change *change = data;

  if (++change->n_frames == 2) {
    GstElement *element = gst_pad_get_parent_element (pad);

    gst_util_set_object_arg (G_OBJECT (element), change->property,
        change->value);
    gst_object_unref (element);
  }
  return GST_PAD_PROBE_OK;
}

#define FRAME_SIZE (104 * 50 * 3 / 2)

/* What a decoder's frames, which have room around them, are in a file. The
 * element "blur" in @between has nothing to do from the second frame on. */
static GByteArray *
decode_to_file (const gchar * between)
{
  g_autofree gchar *file = g_build_filename (g_get_tmp_dir (),
      "test-pipelines-XXXXXX", NULL);
  GstElement *pipeline, *blur;
  gchar *bytes;
  Change change = {.property = "radius",.value = "0" };
  gsize size;

  g_close (g_mkstemp (file), NULL);
  pipeline =
      launch
      ("videotestsrc num-buffers=3 ! video/x-raw, format=I420, width=104, "
      "height=50 ! vp9enc deadline=1 ! vp9dec %s ! filesink location=%s",
      between, file);
  blur = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  if (blur) {
    GstPad *pad = gst_element_get_static_pad (blur, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, make_change, &change,
        NULL);
    gst_object_unref (pad);
    gst_object_unref (blur);
  }
  run (pipeline);
  stop (pipeline);
  g_assert_true (g_file_get_contents (file, &bytes, &size, NULL));
  g_remove (file);
  g_assert_cmpuint (size, ==, 3 * FRAME_SIZE);
  return g_byte_array_new_take ((guint8 *) bytes, size);
}

static void
test_decoder_to_filesink (void)
{
  static const gchar *const between[] = {
    "! " BOX "name=blur", "! gpublur radius=0 name=blur",
    "! " BOX "name=blur ! gpublur radius=0"
  };
  GByteArray *alone = decode_to_file ("");

  for (guint i = 0; i < G_N_ELEMENTS (between); i++) {
    GByteArray *passed = decode_to_file (between[i]);

    g_assert_cmpmem (passed->data + FRAME_SIZE, 2 * FRAME_SIZE,
        alone->data + FRAME_SIZE, 2 * FRAME_SIZE);
    g_byte_array_unref (passed);
  }
  g_byte_array_unref (alone);
}

/* Downstream says what it likes best. Where it says that one is as good as
 * another, by a list of formats, the input's own is taken; or else one that
 * keeps alpha, where there is some. */
static void
test_palette_formats (void)
{
  static const struct
  {
    const gchar *input, *downstream, *output;
  } cases[] = {
    /* Nothing is subsampled on the way to RGB; nor made RGB for nothing. */
    {"I420", "videoconvert ! video/x-raw,format=RGB", "RGB"},
    {"NV12", "videoconvert ! video/x-raw,format=BGRA", "BGRA"},
    {"I420", "vp8enc deadline=1", "I420"},
    {"I420", "videoconvert ! vp8enc deadline=1", "I420"},
    {"I420", "jpegenc", "I420"},
    {"RGBA", "videoconvert ! video/x-raw,format=RGB", "RGB"},
    {"BGRx", "videoconvert ! vp8enc deadline=1", "BGRx"},
    /* No preference. */
    {"I420", "videoconvert", "I420"},
    {"NV12", "pngenc", "RGB"},
    {"ARGB", "pngenc", "RGBA"},
    {"BGRA", "video/x-raw,format={RGB,RGBA,BGRA}", "BGRA"},
    {"NV12", "videoconvert ! video/x-raw,format={RGB,NV12}", "NV12"},
    {"ARGB", "video/x-raw,format={RGB,BGRA}", "BGRA"},
    {"ARGB", "videoconvert ! video/x-raw,format={RGB,BGRA}", "BGRA"},
    {"xRGB", "video/x-raw,format={RGBA,RGB}", "RGB"},
    /* Indexes where nothing else will do. */
    {"I420", "video/x-raw,format={RGB8P,NV12}", "RGB8P"},
    {"RGBA", "videoconvert ! video/x-raw,format=RGB8P", "RGB8P"},
    {"RGBA", "video/x-raw,format={RGB8P,RGB}", "RGB"},
    {"I420", "capsfilter caps=video/x-raw,format=RGB8P;video/x-raw,format=BGR",
        "BGR"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *pipeline = launch ("videotestsrc num-buffers=1 "
        "! video/x-raw,format=%s,width=16,height=16 "
        "! meanshiftpalette name=palette ! %s ! fakesink", cases[i].input,
        cases[i].downstream);
    GstElement *palette = gst_bin_get_by_name (GST_BIN (pipeline), "palette");
    GstPad *pad = gst_element_get_static_pad (palette, "src");
    GstCaps *caps;

    run (pipeline);
    caps = gst_pad_get_current_caps (pad);
    g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps,
                0), "format"), ==, cases[i].output);
    gst_caps_unref (caps);
    gst_object_unref (pad);
    gst_object_unref (palette);
    stop (pipeline);
  }
}

/* What others make of indexes is what would have come out without them. */
static void
test_indexed (void)
{
  static const gchar *const formats[] = { "I420", "RGBA", "BGR" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *film = g_strdup_printf ("videotestsrc num-buffers=4 "
        "pattern=smpte horizontal-speed=3 "
        "! video/x-raw, format=%s, width=70, height=48 "
        "! " BOX "! meanshiftpalette colors=6", formats[i]);
    GstElement *indexed = launch ("%s ! video/x-raw, format=RGB8P "
        "! videoconvert ! video/x-raw, format=RGBx "
        "! appsink sync=false name=sink", film);
    GstElement *plain = launch ("%s ! video/x-raw, format=RGBx "
        "! appsink sync=false name=sink", film);
    GByteArray *a = collect (indexed), *b = collect (plain);

    g_assert_cmpuint (a->len, ==, 4 * 70 * 48 * 4);
    g_assert_cmpmem (a->data, a->len, b->data, b->len);
    g_byte_array_unref (a);
    g_byte_array_unref (b);
    stop (indexed);
    stop (plain);
  }
}

/* A source of the CPU writes into our memory: as many uploads as frames, and
 * what comes out is what comes out of frames that are copied. */
static void
test_source_in_our_pool (void)
{
  GstElement *direct = launch ("videotestsrc num-buffers=8 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48 "
      "! " BOX "name=blur ! appsink sync=false name=sink");
  GstElement *copied = launch ("videotestsrc num-buffers=8 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48 "
      "! identity drop-allocation=true "
      "! " BOX "! appsink sync=false name=sink");
  GByteArray *a = collect (direct), *b = collect (copied);

  g_assert_cmpuint (stat_of (direct, "blur", "uploads"), ==,
      transfers (direct, "blur", 8));
  g_assert_cmpuint (stat_of (direct, "blur", "downloads"), ==,
      transfers (direct, "blur", 8));
  g_assert_cmpuint (a->len, ==, 8 * 64 * 48 * 4);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
  g_byte_array_unref (a);
  g_byte_array_unref (b);
  stop (direct);
  stop (copied);
}

/* Also through a queue, behind which everything runs at once. */
static void
test_pair (void)
{
  static const gchar *pairs[] = {
    BOX "name=a ! " BOX "name=b",
    BOX "name=a ! queue ! " BOX "name=b",
    BOX "name=a ! identity ! " BOX "name=b",
    BOX "name=a ! meanshiftpalette name=b",
    "meanshiftpalette name=a ! video/x-raw, format=RGBA ! " BOX "name=b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    GstElement *pipeline = launch ("videotestsrc num-buffers=20 "
        "! video/x-raw, format=NV12, width=64, height=48 "
        "! %s ! queue ! fakesink", pairs[i]);

    run (pipeline);
    g_assert_cmpuint (stat_of (pipeline, "a", "frames"), ==, 20);
    g_assert_cmpuint (stat_of (pipeline, "a", "uploads"), ==,
        transfers (pipeline, "a", 20));
    g_assert_cmpuint (stat_of (pipeline, "a", "downloads"), ==, 0);
    g_assert_cmpuint (stat_of (pipeline, "a", "waits-for-result"), ==, 0);
    g_assert_cmpuint (stat_of (pipeline, "b", "uploads"), ==, 0);
    g_assert_cmpuint (stat_of (pipeline, "b", "downloads"), ==,
        transfers (pipeline, "b", 20));
    stop (pipeline);
  }
}

/* Elements that give frames other times, repeat them or hand them on twice make
 * new buffers, but no new frames: what the first of ours left on the device is
 * there for the second. */
static void
test_copied_buffers (void)
{
  static const struct
  {
    const gchar *between;
    guint downloads;            /* where the first cannot see the second */
  } cases[] = {
    {"videorate", 0},
    {"videorate ! video/x-raw, framerate=60/1", 0},
    {"imagefreeze num-buffers=5", 1},
    {"tee ! queue", 5},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *pipeline = launch ("videotestsrc num-buffers=5 "
        "! video/x-raw, format=RGBA, width=64, height=48, framerate=30/1 "
        "! " BOX "name=a ! %s ! " BOX "name=b ! fakesink",
        cases[i].between);

    run (pipeline);
    g_assert_cmpuint (stat_of (pipeline, "a", "downloads"), ==,
        transfers (pipeline, "a", cases[i].downloads));
    g_assert_cmpuint (stat_of (pipeline, "b", "uploads"), ==, 0);
    stop (pipeline);
  }
}

/* One input in two branches on threads of their own, one of which changes
 * its frames in place. */
static void
test_tee (void)
{
  static const gchar *source = "videotestsrc num-buffers=20 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48";
  GstElement *alone = launch ("%s ! " BOX "! " BOX
      "! appsink sync=false name=sink", source);
  GstElement *branches = launch ("%s ! " BOX "! tee name=t "
      "t. ! queue ! " BOX "! appsink sync=false name=sink "
      "t. ! queue ! videobalance brightness=0.5 ! fakesink "
      "t. ! queue ! gpublur kernel=box radius=9 ! fakesink", source);
  GByteArray *a = collect (alone), *b = collect (branches);

  g_assert_cmpuint (a->len, ==, 20 * 64 * 48 * 4);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
  g_byte_array_unref (a);
  g_byte_array_unref (b);
  stop (alone);
  stop (branches);
}

static void
test_several_pipelines (void)
{
  GstElement *pipelines[3];

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    pipelines[i] = launch ("videotestsrc num-buffers=20 pattern=snow "
        "! video/x-raw, format=RGBA, width=64, height=48 ! " BOX "! queue "
        "! gpublur kernel=box radius=%u ! fakesink", i + 1);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    run (pipelines[i]);
    stop (pipelines[i]);
  }
}

/* Each from no device at all. */
static void
test_state_cycles (void)
{
  GstElement *holder = hold_device ();

  if (!holder) {
    g_test_skip ("no device");
    return;
  }
  stop (holder);

  GstElement *pipeline = launch ("videotestsrc "
      "! video/x-raw, format=I420, width=64, height=48 ! " BOX "! queue "
      "! gpublur kernel=box radius=3 ! fakesink sync=false");

  for (guint i = 0; i < 6; i++) {
    g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=,
        GST_STATE_CHANGE_FAILURE);
    g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL,
            GST_CLOCK_TIME_NONE), ==, GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
  }
  stop (pipeline);
}

static void
test_seek (void)
{
  GstElement *pipeline = launch ("videotestsrc "
      "! video/x-raw, format=RGBA, width=64, height=48, framerate=25/1 "
      "! " BOX "! queue ! " BOX "! fakesink sync=false");

  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  for (guint i = 0; i < 5; i++)
    g_assert_true (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
            GST_SEEK_FLAG_FLUSH, i * GST_SECOND));
  g_assert_true (gst_element_seek (pipeline, 1, GST_FORMAT_TIME,
          GST_SEEK_FLAG_FLUSH, GST_SEEK_TYPE_SET, 0, GST_SEEK_TYPE_SET,
          GST_SECOND));
  run (pipeline);
  stop (pipeline);
}

/* A source that changes its size in mid-stream. */
static void
test_caps_change (void)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=200 "
      "! capsfilter name=filter caps=\"video/x-raw,format=RGBA,width=64,"
      "height=48\" ! " BOX "name=a ! queue ! " BOX "! fakesink");
  GstElement *filter = gst_bin_get_by_name (GST_BIN (pipeline), "filter");
  static const gchar *caps[] = {
    "video/x-raw,format=NV12,width=30,height=22",
    "video/x-raw,format=RGB,width=101,height=7",
    "video/x-raw,format=RGBA,width=64,height=48",
  };

  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    GstCaps *next = gst_caps_from_string (caps[i]);

    while (stat_of (pipeline, "a", "frames") < 20 * (i + 1))
      g_usleep (1000);
    g_object_set (filter, "caps", next, NULL);
    gst_caps_unref (next);
  }
  run (pipeline);
  g_assert_cmpuint (stat_of (pipeline, "a", "frames"), ==, 200);
  gst_object_unref (filter);
  stop (pipeline);
}

/* The example launch lines of the documentation, with a sink for tests. */
static void
test_examples (void)
{
  static const gchar *lines[] = {
    "videotestsrc num-buffers=2 ! gpublur sigma=10 ! videoconvert ! fakesink",
    "videotestsrc num-buffers=2 ! video/x-raw,format=NV12 ! gpublur "
        "kernel=box radius=20 edge-mode=mirror ! videoconvert ! fakesink",
    "videotestsrc num-buffers=2 pattern=smpte ! video/x-raw,format=RGBA "
        "! meanshiftpalette radius=0.03 ! videoconvert ! fakesink",
    "videotestsrc num-buffers=1 ! videoconvert ! gpublur sigma=2 "
        "! meanshiftpalette ! videoconvert ! fakesink",
  };

  for (guint i = 0; i < G_N_ELEMENTS (lines); i++) {
    GstElement *pipeline = launch ("%s", lines[i]);

    run (pipeline);
    stop (pipeline);
  }
}

/* Light is blurred of RGB alone, which a converter makes where it is asked for no
 * other. */
static void
test_converter (void)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=2 ! video/x-raw, "
      "format=I420, width=32, height=32 ! videoconvert ! gpublur name=blur "
      "linear-light=true method=separable ! fakesink");
  GstElement *blur = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  GstPad *sink = gst_element_get_static_pad (blur, "sink");
  GstCaps *caps;
  GstVideoInfo info;

  run (pipeline);
  caps = gst_pad_get_current_caps (sink);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (GST_VIDEO_INFO_IS_RGB (&info));
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (blur);
  stop (pipeline);
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
    {"P010_10LE, colorimetry=bt2020", "1:1:5:1"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstElement *pipeline = launch ("videotestsrc num-buffers=1 "
        "! video/x-raw, format=%s ! videoconvert ! meanshiftpalette "
        "! video/x-raw, format=RGBA, colorimetry=%s ! fakesink", cases[i][0],
        cases[i][1]);

    run (pipeline);
    stop (pipeline);
  }
}

/* Where there is nothing to be done, frames that nobody could work on pass. */
static void
test_foreign (void)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=2 ! video/x-raw, "
      "format=P010_10LE, width=32, height=32 ! gpublur sigma=0 "
      "! meanshiftpalette radius=0 ! videoscale ! video/x-raw, width=16 "
      "! appsink name=sink");
  GByteArray *seen = collect (pipeline);

  g_assert_cmpuint (seen->len, ==, 2 * 2 * 16 * 32 * 3 / 2);
  g_byte_array_unref (seen);
  stop (pipeline);
}

/* Returns how many of ten frames are blurred where sigma is 0 for the first and 3 for
 * all others; the last of them is of @format. */
static guint
count_blurred (const gchar * source, const gchar * blur, GstVideoFormat format)
{
  GstElement *pipeline = launch ("videotestsrc num-buffers=10 ! video/x-raw, "
      "width=32, height=32, format=%s ! %s ! fakesink", source, blur);
  GstElement *element = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  GstPad *sink = gst_element_get_static_pad (element, "sink");
  Change change = {.property = "sigma",.value = "3" };
  guint n_blurred;
  GstVideoInfo info;
  GstCaps *caps;

  gst_pad_add_probe (sink, GST_PAD_PROBE_TYPE_BUFFER, make_change, &change,
      NULL);
  run (pipeline);
  n_blurred = stat_of (pipeline, "blur", "frames");
  caps = gst_pad_get_current_caps (sink);
  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_cmpint (GST_VIDEO_INFO_FORMAT (&info), ==, format);
  gst_caps_unref (caps);
  gst_object_unref (sink);
  gst_object_unref (element);
  stop (pipeline);
  return n_blurred;
}

/* When there is something to be done, a converter that hands on what passed is asked
 * for what can be worked on, if the next element takes that. Frames that nobody
 * converts go on passing. */
static void
test_ask_for_others (void)
{
  g_assert_cmpuint (count_blurred ("P010_10LE ! videoconvert",
          "gpublur name=blur sigma=0 method=separable "
          "! video/x-raw, format={P010_10LE, RGBA}",
          GST_VIDEO_FORMAT_RGBA), ==, 8);
  g_assert_cmpuint (count_blurred ("P010_10LE ! videoconvert",
          "gpublur name=blur sigma=0 ! video/x-raw, format=P010_10LE",
          GST_VIDEO_FORMAT_P010_10LE), ==, 0);
  g_assert_cmpuint (count_blurred ("P010_10LE",
          "gpublur name=blur sigma=0", GST_VIDEO_FORMAT_P010_10LE), ==, 0);
}

/* The same where codes are blurred until light can be. */
static void
test_ask_for_light (void)
{
  g_assert_cmpuint (count_blurred ("I420 ! videoconvert",
          "gpublur name=blur sigma=0 linear-light=true method=separable "
          "! video/x-raw, format={I420, RGBA}", GST_VIDEO_FORMAT_RGBA), ==, 9);
}

/* Nor is one asked whose frames others take as well, who may not take other ones. */
static void
test_ask_behind_tee (void)
{
  g_assert_cmpuint (count_blurred ("I420 ! videoconvert ! tee name=t t. "
          "! queue ! video/x-raw, format=I420 ! fakesink async=false t. ",
          "gpublur name=blur sigma=0 linear-light=true method=separable",
          GST_VIDEO_FORMAT_I420), ==, 9);
}

static void
run_or_skip (gconstpointer test)
{
  GstElement *holder = hold_device ();

  if (!holder) {
    g_test_skip ("no device");
    return;
  }
  ((void (*)(void)) test) ();
  stop (holder);
}

static void
add (const gchar * path, void (*test) (void))
{
  g_test_add_data_func (path, (gconstpointer) test, run_or_skip);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add ("/pipelines/filesink", test_filesink);
  add ("/pipelines/decoder-to-filesink", test_decoder_to_filesink);
  add ("/pipelines/palette-formats", test_palette_formats);
  add ("/pipelines/indexed", test_indexed);
  add ("/pipelines/source-in-our-pool", test_source_in_our_pool);
  add ("/pipelines/pair", test_pair);
  add ("/pipelines/copied-buffers", test_copied_buffers);
  add ("/pipelines/tee", test_tee);
  add ("/pipelines/several", test_several_pipelines);
  g_test_add_func ("/pipelines/state-cycles", test_state_cycles);
  add ("/pipelines/seek", test_seek);
  add ("/pipelines/caps-change", test_caps_change);
  add ("/pipelines/examples", test_examples);
  add ("/pipelines/converter", test_converter);
  add ("/pipelines/converted-colours", test_converted_colours);
  add ("/pipelines/foreign", test_foreign);
  add ("/pipelines/ask-for-others", test_ask_for_others);
  add ("/pipelines/ask-for-light", test_ask_for_light);
  add ("/pipelines/ask-behind-tee", test_ask_behind_tee);
  return g_test_run ();
}
