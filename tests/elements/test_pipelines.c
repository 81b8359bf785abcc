/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The plugin as it is installed, in whole pipelines with elements of others. */
#include "pipeline_fixture.h"

#include <glib/gstdio.h>
#include <gst/video/video.h>

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
    GstElement *pipeline =
        pipeline_launch ("videotestsrc num-buffers=3 pattern=ball " "! %s ! "
        BOX "! filesink location=%s", caps, file);

    pipeline_run (pipeline);
    pipeline_stop (pipeline);
    g_assert_true (g_file_get_contents (file, &written, &size, NULL));
    pipeline = pipeline_launch ("videotestsrc num-buffers=3 pattern=ball ! %s "
        "! " BOX "! appsink sync=false name=sink", caps);
    seen = pipeline_collect (pipeline);
    pipeline_stop (pipeline);
    g_assert_cmpmem (written, size, seen->data, seen->len);

    GstVideoInfo info;

    gst_video_info_set_format (&info, gst_video_format_from_string
        (formats[i]), 17, 9);
    g_assert_cmpuint (size, ==, 3 * info.size);
    g_byte_array_unref (seen);
  }
  g_remove (file);
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
  PipelineChange change = {.property = "radius", .value = "0"};
  gsize size;

  g_close (g_mkstemp (file), NULL);
  pipeline = pipeline_launch
      ("videotestsrc num-buffers=3 ! video/x-raw, format=I420, width=104, "
      "height=50 ! vp9enc deadline=1 ! vp9dec %s ! filesink location=%s",
      between, file);
  blur = gst_bin_get_by_name (GST_BIN (pipeline), "blur");
  if (blur) {
    g_autoptr (GstPad) pad = gst_element_get_static_pad (blur, "sink");

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, pipeline_make_change,
        &change, NULL);
    gst_object_unref (blur);
  }
  pipeline_run (pipeline);
  pipeline_stop (pipeline);
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
    GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=1 "
        "! video/x-raw,format=%s,width=16,height=16 "
        "! meanshiftpalette name=palette ! %s ! fakesink", cases[i].input,
        cases[i].downstream);
    GstElement *palette = gst_bin_get_by_name (GST_BIN (pipeline), "palette");
    GstPad *pad = gst_element_get_static_pad (palette, "src");
    GstCaps *caps;

    pipeline_run (pipeline);
    caps = gst_pad_get_current_caps (pad);
    g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps,
                0), "format"), ==, cases[i].output);
    gst_caps_unref (caps);
    gst_object_unref (pad);
    gst_object_unref (palette);
    pipeline_stop (pipeline);
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
    GstElement *indexed = pipeline_launch ("%s ! video/x-raw, format=RGB8P "
        "! videoconvert ! video/x-raw, format=RGBx "
        "! appsink sync=false name=sink", film);
    GstElement *plain = pipeline_launch ("%s ! video/x-raw, format=RGBx "
        "! appsink sync=false name=sink", film);
    GByteArray *a = pipeline_collect (indexed), *b = pipeline_collect (plain);

    g_assert_cmpuint (a->len, ==, 4 * 70 * 48 * 4);
    g_assert_cmpmem (a->data, a->len, b->data, b->len);
    g_byte_array_unref (a);
    g_byte_array_unref (b);
    pipeline_stop (indexed);
    pipeline_stop (plain);
  }
}

/* A source of the CPU writes into our memory: as many uploads as frames, and
 * what comes out is what comes out of frames that are copied. */
static void
test_source_in_our_pool (void)
{
  GstElement *direct =
      pipeline_launch ("videotestsrc num-buffers=8 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48 " "! " BOX
      "name=blur ! appsink sync=false name=sink");
  GstElement *copied =
      pipeline_launch ("videotestsrc num-buffers=8 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48 "
      "! identity drop-allocation=true " "! " BOX
      "! appsink sync=false name=sink");
  GByteArray *a = pipeline_collect (direct), *b = pipeline_collect (copied);

  g_assert_cmpuint (pipeline_stat (direct, "blur", "uploads"), ==,
      transfers (direct, "blur", 8));
  g_assert_cmpuint (pipeline_stat (direct, "blur", "downloads"), ==,
      transfers (direct, "blur", 8));
  g_assert_cmpuint (a->len, ==, 8 * 64 * 48 * 4);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
  g_byte_array_unref (a);
  g_byte_array_unref (b);
  pipeline_stop (direct);
  pipeline_stop (copied);
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
    GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=20 "
        "! video/x-raw, format=NV12, width=64, height=48 "
        "! %s ! queue ! fakesink", pairs[i]);

    pipeline_run (pipeline);
    g_assert_cmpuint (pipeline_stat (pipeline, "a", "frames"), ==, 20);
    g_assert_cmpuint (pipeline_stat (pipeline, "a", "uploads"), ==,
        transfers (pipeline, "a", 20));
    g_assert_cmpuint (pipeline_stat (pipeline, "a", "downloads"), ==, 0);
    g_assert_cmpuint (pipeline_stat (pipeline, "a", "waits-for-result"), ==, 0);
    g_assert_cmpuint (pipeline_stat (pipeline, "b", "uploads"), ==, 0);
    g_assert_cmpuint (pipeline_stat (pipeline, "b", "downloads"), ==,
        transfers (pipeline, "b", 20));
    pipeline_stop (pipeline);
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
    GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=5 "
        "! video/x-raw, format=RGBA, width=64, height=48, framerate=30/1 "
        "! " BOX "name=a ! %s ! " BOX "name=b ! fakesink",
        cases[i].between);

    pipeline_run (pipeline);
    g_assert_cmpuint (pipeline_stat (pipeline, "a", "downloads"), ==,
        transfers (pipeline, "a", cases[i].downloads));
    g_assert_cmpuint (pipeline_stat (pipeline, "b", "uploads"), ==, 0);
    pipeline_stop (pipeline);
  }
}

/* One input in two branches on threads of their own, one of which changes
 * its frames in place. */
static void
test_tee (void)
{
  static const gchar *source = "videotestsrc num-buffers=20 pattern=snow "
      "! video/x-raw, format=RGBA, width=64, height=48";
  GstElement *alone = pipeline_launch ("%s ! " BOX "! " BOX
      "! appsink sync=false name=sink", source);
  GstElement *branches = pipeline_launch ("%s ! " BOX "! tee name=t "
      "t. ! queue ! " BOX "! appsink sync=false name=sink "
      "t. ! queue ! videobalance brightness=0.5 ! fakesink "
      "t. ! queue ! gpublur kernel=box radius=9 ! fakesink", source);
  GByteArray *a = pipeline_collect (alone), *b = pipeline_collect (branches);

  g_assert_cmpuint (a->len, ==, 20 * 64 * 48 * 4);
  g_assert_cmpmem (a->data, a->len, b->data, b->len);
  g_byte_array_unref (a);
  g_byte_array_unref (b);
  pipeline_stop (alone);
  pipeline_stop (branches);
}

static void
test_several_pipelines (void)
{
  GstElement *pipelines[3];

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    pipelines[i] = pipeline_launch ("videotestsrc num-buffers=20 pattern=snow "
        "! video/x-raw, format=RGBA, width=64, height=48 ! " BOX "! queue "
        "! gpublur kernel=box radius=%u ! fakesink", i + 1);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    pipeline_run (pipelines[i]);
    pipeline_stop (pipelines[i]);
  }
}

/* Each from no device at all. */
static void
test_state_cycles (void)
{
  GstElement *holder = pipeline_hold_device ();

  if (!holder) {
    g_test_skip ("no device");
    return;
  }
  pipeline_stop (holder);

  GstElement *pipeline = pipeline_launch ("videotestsrc "
      "! video/x-raw, format=I420, width=64, height=48 ! " BOX "! queue "
      "! gpublur kernel=box radius=3 ! fakesink sync=false");

  for (guint i = 0; i < 6; i++) {
    g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_PLAYING), !=,
        GST_STATE_CHANGE_FAILURE);
    g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL,
            GST_CLOCK_TIME_NONE), ==, GST_STATE_CHANGE_SUCCESS);
    gst_element_set_state (pipeline, i % 2 ? GST_STATE_READY : GST_STATE_NULL);
  }
  pipeline_stop (pipeline);
}

static void
test_seek (void)
{
  GstElement *pipeline = pipeline_launch ("videotestsrc "
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
  pipeline_run (pipeline);
  pipeline_stop (pipeline);
}

/* A source that changes its size in mid-stream. */
static void
test_caps_change (void)
{
  GstElement *pipeline = pipeline_launch ("videotestsrc num-buffers=200 "
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
    g_autoptr (GstCaps) next = gst_caps_from_string (caps[i]);

    while (pipeline_stat (pipeline, "a", "frames") < 20 * (i + 1))
      g_usleep (1000);
    g_object_set (filter, "caps", next, NULL);
  }
  pipeline_run (pipeline);
  g_assert_cmpuint (pipeline_stat (pipeline, "a", "frames"), ==, 200);
  gst_object_unref (filter);
  pipeline_stop (pipeline);
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
    GstElement *pipeline = pipeline_launch ("%s", lines[i]);

    pipeline_run (pipeline);
    pipeline_stop (pipeline);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  pipeline_add_test ("/pipelines/filesink", test_filesink);
  pipeline_add_test ("/pipelines/decoder-to-filesink",
      test_decoder_to_filesink);
  pipeline_add_test ("/pipelines/palette-formats", test_palette_formats);
  pipeline_add_test ("/pipelines/indexed", test_indexed);
  pipeline_add_test ("/pipelines/source-in-our-pool", test_source_in_our_pool);
  pipeline_add_test ("/pipelines/pair", test_pair);
  pipeline_add_test ("/pipelines/copied-buffers", test_copied_buffers);
  pipeline_add_test ("/pipelines/tee", test_tee);
  pipeline_add_test ("/pipelines/several", test_several_pipelines);
  g_test_add_func ("/pipelines/state-cycles", test_state_cycles);
  pipeline_add_test ("/pipelines/seek", test_seek);
  pipeline_add_test ("/pipelines/caps-change", test_caps_change);
  pipeline_add_test ("/pipelines/examples", test_examples);
  return g_test_run ();
}
