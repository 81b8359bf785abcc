/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Caps that are offered: those of frames that can be worked on, and no others. */
#include "element_fixture.h"

#include <gst/base/gstbasetransform.h>

static const gchar *const elements[] = { "gpublur", "meanshiftpalette" };

static gboolean
offers (GstHarness * h, const gchar * pad_name, const gchar * caps)
{
  GstPad *pad = gst_element_get_static_pad (h->element, pad_name);
  GstCaps *wanted = gst_caps_from_string (caps);
  GstCaps *offered = gst_pad_query_caps (pad, NULL);
  gboolean offers_it = gst_caps_can_intersect (offered, wanted);

  g_test_message ("%s of %s", caps, pad_name);
  gst_caps_unref (offered);
  gst_caps_unref (wanted);
  gst_object_unref (pad);
  return offers_it;
}

static gboolean
accepts (GstHarness * h, const gchar * caps)
{
  GstPad *sink = gst_element_get_static_pad (h->element, "sink");
  GstCaps *fixed = gst_caps_from_string (caps);
  gboolean accepted = gst_pad_query_accept_caps (sink, fixed);

  gst_caps_unref (fixed);
  gst_object_unref (sink);
  return accepted;
}

/* Whether frames of @caps at the pad in @direction may be @others at the other. */
static gboolean
transforms (GstHarness * h, GstPadDirection direction, const gchar * caps,
    const gchar * others)
{
  GstCaps *from = gst_caps_from_string (caps);
  GstCaps *wanted = gst_caps_from_string (others);
  GstCaps *to = GST_BASE_TRANSFORM_GET_CLASS (h->element)->transform_caps
      (GST_BASE_TRANSFORM (h->element), direction, from, NULL);
  gboolean transforms_it = gst_caps_can_intersect (to, wanted);
  g_autofree gchar *all = gst_caps_to_string (to);

  g_test_message ("%s to %s: %s", caps, others, all);
  gst_caps_unref (from);
  gst_caps_unref (wanted);
  gst_caps_unref (to);
  return transforms_it;
}

/* --- interlacing --- */

#define FRAME "video/x-raw, format=I420, width=64, height=32, framerate=25/1"
#define FIELDS FRAME ", interlace-mode=fields"
#define ALTERNATE "video/x-raw(format:Interlaced), format=I420, width=64, " \
    "height=16, framerate=25/1, interlace-mode=alternate"

/* Fields that are pictures of their own are not worked on; those that share one
 * are. Whoever says nothing is not given a field of the caps to say. */
TEST (fields)
{
  static const gchar *const taken[] = {
    FRAME, FRAME ", interlace-mode=progressive",
    FRAME ", interlace-mode=interleaved", FRAME ", interlace-mode=mixed"
  };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    g_autoptr (Harness) h = fixture_harness (elements[e]);

    for (guint i = 0; i < G_N_ELEMENTS (taken); i++) {
      GstCaps *caps;

      g_assert_true (offers (h, "sink", taken[i]));
      g_assert_true (accepts (h, taken[i]));
      gst_harness_set_src_caps_str (h, taken[i]);
      caps = gst_pad_get_current_caps (h->sinkpad);
      g_assert_true (gst_structure_has_field (gst_caps_get_structure (caps, 0),
              "interlace-mode") == (i > 0));
      gst_caps_unref (caps);
      g_assert_false (offers (h, "sink", FIELDS));
      g_assert_false (offers (h, "sink", ALTERNATE));
      g_assert_false (accepts (h, FIELDS));
      g_assert_false (accepts (h, ALTERNATE));
    }
  }
}

/* --- several views --- */

#define EITHER "video/x-raw, multiview-mode={ mono, separated }"

/* Views that are pictures of their own in one buffer are not worked on. All other modes
 * have one picture in a buffer. */
TEST (views)
{
  static const gchar *const taken[] = {
    "mono", "left", "side-by-side", "frame-by-frame"
  };

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    g_autoptr (Harness) h = fixture_harness (elements[e]);

    for (guint i = 0; i < G_N_ELEMENTS (taken); i++) {
      g_autofree gchar *caps =
          g_strconcat (FRAME ", multiview-mode=", taken[i], NULL);

      g_assert_true (accepts (h, caps));
      gst_harness_set_src_caps_str (h, caps);
      g_assert_false (accepts (h, FRAME ", multiview-mode=separated, views=2"));
    }
    g_assert_true (transforms (h, GST_PAD_SINK, EITHER,
            "video/x-raw, multiview-mode=mono"));
    g_assert_false (transforms (h, GST_PAD_SINK, EITHER,
            "video/x-raw, multiview-mode=separated"));
  }
}

/* --- order --- */

/* What somebody prefers stays first, even where later caps include it. */
TEST (order)
{
  g_autoptr (GstCaps) caps =
      gst_caps_from_string ("video/x-raw, format=I420, width=64; "
      "video/x-raw, format={ RGBA, I420 }");

  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    g_autoptr (LoneElement) element = fixture_element (elements[e]);
    GstCaps *others = GST_BASE_TRANSFORM_GET_CLASS (element)->transform_caps
        (GST_BASE_TRANSFORM (element), GST_PAD_SINK, caps, NULL);

    g_assert_true (gst_structure_has_field (gst_caps_get_structure (others, 0),
            "width"));
    gst_caps_unref (others);
  }
}

/* --- properties --- */

/* With and without somebody behind. */
TEST (bilateral)
{
  static const gchar *const pads[] = { "sink", "src" };
  static const struct
  {
    const gchar *format;
    gboolean is_taken, is_taken_lit;
  } cases[] = {
    {"xBGR", TRUE, TRUE}, {"NV12", TRUE, FALSE}, {"GRAY8", TRUE, FALSE},
    {"YUY2", TRUE, FALSE}, {"AYUV", FALSE, FALSE}, {"GBR", FALSE, FALSE},
  };

  for (guint linked = 0; linked < 2; linked++) {
    g_autoptr (Harness) h = fixture_harness ("gpublur kernel=bilateral");

    if (!linked)
      gst_pad_unlink (gst_pad_get_peer (h->sinkpad), h->sinkpad);
    for (guint pad = 0; pad < G_N_ELEMENTS (pads); pad++)
      for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
        g_autofree gchar *caps =
            g_strdup_printf ("video/x-raw, format=%s", cases[i].format);

        fixture_set (h->element, "kernel", "bilateral");
        g_object_set (h->element, "linear-light", FALSE, NULL);
        g_assert_cmpint (offers (h, pads[pad], caps), ==, cases[i].is_taken);
        g_object_set (h->element, "linear-light", TRUE, NULL);
        g_assert_cmpint (offers (h, pads[pad], caps), ==,
            cases[i].is_taken_lit);
        fixture_set (h->element, "kernel", "gaussian");
        g_assert_true (offers (h, pads[pad], caps));
      }
  }
}

TEST (exact)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette quality=exact");

  g_assert_false (offers (h, "src", "video/x-raw, format=RGB8P"));
  g_assert_true (offers (h, "src", "video/x-raw, format=RGB"));
  gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGB8P");
  g_assert_false (offers (h, "sink", "video/x-raw"));
  fixture_set (h->element, "quality", "live");
  g_assert_true (offers (h, "src", "video/x-raw, format=RGB8P"));
  g_assert_true (offers (h, "sink", "video/x-raw, format=RGBA"));
}

/* --- nothing to do --- */

/* Everything is offered where all frames pass, but what can be worked on comes
 * first: there may be work later. */
TEST (neutral)
{
  static const gchar *const others[] = {
    "video/x-raw, format=v210", "video/x-raw, interlace-mode=fields",
    "video/x-raw(memory:VulkanImage), format=GRAY8",
    "video/x-raw(memory:DMABuf), format=DMA_DRM",
  };
  static const gchar *const neutral[][2] = {
    {"gpublur", "sigma"}, {"meanshiftpalette", "radius"}
  };

  for (guint e = 0; e < G_N_ELEMENTS (neutral); e++) {
    g_autoptr (Harness) h = fixture_harness (neutral[e][0]);

    for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
      g_object_set (h->element, neutral[e][1], 0.0, NULL);
      g_assert_true (offers (h, "sink", others[i]));
      g_assert_true (offers (h, "src", others[i]));
      g_object_set (h->element, neutral[e][1], 0.1, NULL);
      g_assert_false (offers (h, "sink", others[i]));
      g_assert_false (offers (h, "src", others[i]));
    }
  }
}

TEST (neutral_order)
{
  for (guint e = 0; e < G_N_ELEMENTS (elements); e++) {
    g_autoptr (Harness) h = fixture_harness (elements[e]);
    g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");
    GstCaps *working, *passing;

    working = gst_pad_query_caps (sink, NULL);
    g_object_set (h->element, e == 0 ? "sigma" : "radius", 0.0, NULL);
    passing = gst_pad_query_caps (sink, NULL);
    g_assert_cmpuint (gst_caps_get_size (passing), >,
        gst_caps_get_size (working));
    for (guint i = 0; i < gst_caps_get_size (working); i++)
      g_assert_true (gst_structure_is_equal (gst_caps_get_structure (working,
                  i), gst_caps_get_structure (passing, i)));
    gst_caps_unref (working);
    gst_caps_unref (passing);
  }
}

/* --- colorimetry --- */

static GstHarness *
negotiate (const gchar * in, const gchar * downstream)
{
  GstHarness *h = fixture_harness ("meanshiftpalette");
  g_autofree gchar *caps = g_strdup_printf ("video/x-raw, width=64, height=32, "
      "framerate=25/1, %s", in);
  g_autofree gchar *wanted = g_strdup_printf ("video/x-raw, %s", downstream);

  g_test_message ("%s to %s", in, downstream);
  gst_harness_set_sink_caps_str (h, wanted);
  gst_harness_set_src_caps_str (h, caps);
  return h;
}

/* What means the same may be called as the next element likes. */
TEST (relabelled)
{
  static const gchar *const cases[][3] = {
    {"format=I420, colorimetry=bt709", "format=RGBA", "1:1:16:1"},
    {"format=I420, colorimetry=bt709", "format=RGB8P", "1:1:13:1"},
    {"format=NV12, colorimetry=bt601", "format=RGB", "1:1:5:5"},
    {"format=I420, colorimetry=1:3:7:1", "format=BGRA", "1:1:7:1"},
    {"format=RGBA, colorimetry=sRGB", "format=RGBA", "1:1:7:1"},
    {"format=RGBA, colorimetry=1:1:5:1", "format=BGR", "1:1:11:1"},
    /* As converters of GStreamer 1.22 call Y'CbCr that is to become RGB. */
    {"format=I420, colorimetry=sRGB", "format=RGBA", "1:1:7:1"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *wanted = g_strdup_printf ("%s, colorimetry=%s",
        cases[i][1], cases[i][2]);
    g_autoptr (Harness) h = negotiate (cases[i][0], wanted);
    g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->sinkpad);

    g_assert_nonnull (caps);
    g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps,
                0), "colorimetry"), ==, cases[i][2]);
  }
}

/* Of what may be one or another each stays possible, and nothing else becomes so. */
TEST (several_colours)
{
  static const struct
  {
    GstPadDirection direction;
    const gchar *from, *to;
    gboolean is_possible;
  } cases[] = {
#define WANTED "format=RGBA, colorimetry={ 1:1:11:1, 1:1:7:4 }"
    {GST_PAD_SRC, WANTED, "format=RGBA, colorimetry=1:1:5:1", TRUE},
    {GST_PAD_SRC, WANTED, "format=BGR, colorimetry=1:1:7:4", TRUE},
    {GST_PAD_SRC, WANTED, "format=I420, colorimetry=bt709", TRUE},
    {GST_PAD_SRC, WANTED, "format=NV12, colorimetry=1:4:7:4", TRUE},
    {GST_PAD_SRC, WANTED, "format=RGBA, colorimetry=sRGB", FALSE},
    {GST_PAD_SRC, WANTED, "format=I420, colorimetry=bt601", FALSE},
#define GIVEN "format={ I420, RGBA }, colorimetry={ bt709, 1:1:7:4 }"
    {GST_PAD_SINK, GIVEN, "format=I420, colorimetry=bt709", TRUE},
    {GST_PAD_SINK, GIVEN, "format=RGB, colorimetry=1:1:11:1", TRUE},
    {GST_PAD_SINK, GIVEN, "format=RGB8P, colorimetry=1:1:7:5", TRUE},
    {GST_PAD_SINK, GIVEN, "format=RGB, colorimetry=sRGB", FALSE},
    /* RGB is made in full range alone. */
    {GST_PAD_SRC, "format=RGB, colorimetry=2:1:5:1",
        "format=I420, colorimetry=bt709", FALSE},
    {GST_PAD_SRC, "format=RGB, colorimetry=2:1:5:1",
        "format=RGB, colorimetry=2:1:13:1", TRUE},
    /* There is no name for these. */
    {GST_PAD_SRC, "format=RGB, colorimetry=0:0:0:0",
        "format=BGR, colorimetry=0:0:0:0", TRUE},
  };
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *from = g_strdup_printf ("video/x-raw, %s", cases[i].from);
    g_autofree gchar *to = g_strdup_printf ("video/x-raw, %s", cases[i].to);

    g_assert_true (transforms (h, cases[i].direction, from, to)
        == cases[i].is_possible);
  }
}

/* Colours are not converted: who does is named, where it is only that. */
TEST (other_colours)
{
  static const struct
  {
    const gchar *in, *downstream;
    gboolean is_colours;
  } cases[] = {
    {"format=I420, colorimetry=bt709", "format=RGBA, colorimetry=sRGB", TRUE},
    {"format=RGBA, colorimetry=sRGB", "format=RGB, colorimetry=1:1:7:7", TRUE},
    {"format=RGBA, colorimetry=sRGB", "format=RGBA, colorimetry=2:1:7:1", TRUE},
    {"format=I420, colorimetry=bt709", "format=GRAY8", FALSE},
    {"format=RGBA, colorimetry=sRGB", "format=RGBA, width=7", FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Harness) h = negotiate (cases[i].in, cases[i].downstream);

    g_assert_false (gst_pad_has_current_caps (h->sinkpad));
    if (cases[i].is_colours)
      fixture_take_error (h->element, GST_STREAM_ERROR,
          GST_STREAM_ERROR_FORMAT, "videoconvert gamma-mode=remap");
    else
      fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
  }
}

/* Also once frames flow. */
TEST (other_colours_later)
{
  g_autoptr (Harness) h =
      negotiate ("format=RGBA, colorimetry=sRGB", "format=RGBA");

  fixture_show (h, gst_buffer_new_allocate (NULL, 64 * 32 * 4, NULL));
  gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGBA, "
      "colorimetry=1:1:5:1");
  fixture_push (h, gst_buffer_new_allocate (NULL, 64 * 32 * 4, NULL),
      GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR, GST_STREAM_ERROR_FORMAT,
      "videoconvert gamma-mode=remap");
}

FIXTURE_MAIN_SHARING ("/caps/")
