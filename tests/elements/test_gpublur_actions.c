/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is done in regions of frames. */
#include "regions_element_fixture.h"

/* Everything except the regions is treated. Without regions, on-missing decides. */
TEST (invert)
{
  static const Box face = { 10, 20, 30, 25 };
  g_autoptr (Harness) h = regions_make_harness (FILL PLACE "roi-invert=true");

  regions_check_inverted (regions_push (h, regions_make_frame (0), 0), 0, &face,
      1);
  g_object_set (h->element, "roi-width", 0, NULL);
  regions_check_inverted (regions_push (h, regions_make_frame (1), 1), 1, NULL,
      0);
  fixture_set (h->element, "roi-source", "meta");
  regions_check_inverted (regions_push (h, regions_make_frame_with (2, "face",
              &face), 2), 2, &face, 1);
  regions_check_inverted (regions_push (h, regions_make_frame (3), 3), 3, NULL,
      0);
  fixture_set (h->element, "on-missing", "pass");
  regions_show (h, 4, 4, NULL, 0);
}

/* Returns what @description makes of a frame. */
static GstBuffer *
treat (const gchar * description, GstBuffer * in)
{
  GstHarness *h = regions_make_harness (description);
  GstBuffer *out = regions_push (h, in, 0);

  fixture_harness_free (h);
  return out;
}

#define HALF "roi-source=rectangle roi-x=20 roi-y=10 roi-width=24 roi-height=48 "

/* Blocks and blurs grow with the longer side of a region, or of the frame if all of it is
 * treated. They do not shrink. */
TEST (scale)
{
  static const Box half = { 20, 10, 24, 48 };
  static const gchar *const cases[][2] = {
    {"gpublur roi-action=pixelate roi-scale=24 roi-block=6 " HALF,
        "gpublur roi-action=pixelate roi-block=12 " HALF},
    {"gpublur roi-action=pixelate roi-scale=24 roi-block=6 roi-source=meta",
        "gpublur roi-action=pixelate roi-block=12 " HALF},
    {"gpublur roi-action=pixelate roi-scale=65535 roi-block=99 " HALF,
        "gpublur roi-action=pixelate roi-block=99 " HALF},
    {"gpublur roi-action=pixelate roi-scale=1 roi-block=99 " HALF,
        "gpublur roi-action=pixelate roi-block=256 " HALF},
    {"gpublur kernel=box radius=2 roi-scale=24 " HALF,
        "gpublur kernel=box radius=4 " HALF},
    {"gpublur kernel=box radius=2 roi-scale=48 roi-source=meta roi-types=none",
        "gpublur kernel=box radius=4"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_test_message ("%s", cases[i][0]);
    regions_check_equal (treat (cases[i][0], regions_make_frame_with (i, "face",
                &half)), treat (cases[i][1], regions_make_frame (i)));
  }
}

/* The first pixel has these codes: alpha, and R, G, B or Y', Cb, Cr, in 8 bits or, from the
 * top of them, in 16. */
static void
check_first_pixel (GstBuffer * buffer, const GstVideoInfo * info,
    const guint * codes)
{
  gboolean is_deep = GST_VIDEO_INFO_COMP_DEPTH (info, 0) > 8;
  GstVideoFrame frame;
  guint16 deep[4] = { 0 };
  guint8 *bytes = (guint8 *) deep;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  info->finfo->unpack_func (info->finfo, GST_VIDEO_PACK_FLAG_TRUNCATE_RANGE,
      deep, frame.data, frame.info.stride, 0, 0, 1);
  for (guint i = 0; i < 4; i++)
    g_assert_cmpuint (is_deep ? deep[i] : bytes[i], ==, codes[i]);
  gst_video_frame_unmap (&frame);
}

/* Red, of half alpha, in the codes of formats. */
TEST (colours)
{
  static const struct
  {
    const gchar *format, *colorimetry;
    guint codes[4];
  } cases[] = {
    {"BGRA", "sRGB", {128, 255, 0, 0}},
    {"I420", "bt601", {255, 81, 90, 240}},
    {"I420", "1:4:7:1", {255, 76, 85, 255}},
    {"YUY2", "bt601", {255, 81, 90, 240}},
    {"GRAY8", NULL, {255, 76, 128, 128}},
    {"P010_10LE", "bt709", {65535, 250 << 6, 409 << 6, 960 << 6}},
    {"RGBA64_LE", "sRGB", {32896, 65535, 0, 0}},
    {"RGB10A2_LE", "sRGB", {2 << 14, 1023 << 6, 0, 0}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Harness) h = fixture_harness ("gpublur roi-source=rectangle "
        "roi-width=16 roi-height=16 roi-action=fill roi-color=0x80ff0000");
    GstCaps *caps = fixture_caps (cases[i].format, 32, 32);
    GstVideoInfo info;
    GstBuffer *out;

    if (cases[i].colorimetry)
      gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
          cases[i].colorimetry, NULL);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    out = regions_push (h, fixture_frame (cases[i].format, 32, 32, 1), 0);
    check_first_pixel (out, &info, cases[i].codes);
    gst_buffer_unref (out);
  }
}

/* Without regions, the action applies to the whole frame. */
TEST (action_of_frame)
{
  g_autoptr (Harness) h =
      regions_make_harness ("gpublur roi-action=fill roi-color=0xff102030");
  const Box all = { 0, 0, WIDTH, HEIGHT };

  regions_show (h, 0, 0, &all, 1);
}

/* With sigma=0, frames pass if regions would be blurred, but not if they are pixelated. */
TEST (neutral)
{
  g_autoptr (Harness) h =
      regions_make_harness ("gpublur sigma=0 roi-source=rectangle "
      "roi-width=20 roi-height=20");

  g_assert_true (fixture_passes (h, regions_make_frame (1)));
  fixture_set (h->element, "roi-action", "pixelate");
  g_assert_false (fixture_passes (h, regions_make_frame (1)));
}

static gint
compare_pixel (GstBuffer * a, GstBuffer * b, guint i)
{
  guint8 pixel[4];

  gst_buffer_extract (a, 4 * i, pixel, 4);
  return gst_buffer_memcmp (b, 4 * i, pixel, 4);
}

/* Regions can be filled in formats that the bilateral filter does not support, from the
 * first frame on. */
TEST (fill_needs_no_blur)
{
  g_autoptr (Harness) h = fixture_play ("gpublur kernel=bilateral sigma=2 "
      "roi-source=rectangle roi-width=9 roi-height=9 roi-action=fill", "AYUV",
      WIDTH, HEIGHT);
  GstBuffer *in, *out;

  in = fixture_frame ("AYUV", WIDTH, HEIGHT, 1);
  out = regions_push (h, gst_buffer_ref (in), 0);
  fixture_check_messages (h->element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR,
      0);
  g_assert_cmpint (compare_pixel (out, in, 0), !=, 0);
  g_assert_cmpint (compare_pixel (out, in, 9), ==, 0);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
}

/* If the kernel does not support the format, a Gaussian blurs the region instead, so that it
 * is not shown. */
TEST (other_kernel)
{
  g_autoptr (Harness) h = fixture_play ("gpublur sigma=4 "
      "roi-source=rectangle roi-width=9 roi-height=9", "AYUV", WIDTH, HEIGHT);
  GstBuffer *blurred;

  blurred = regions_push (h, fixture_frame ("AYUV", WIDTH, HEIGHT, 1), 0);
  fixture_set (h->element, "kernel", "bilateral");
  regions_check_equal (regions_push (h, fixture_frame ("AYUV", WIDTH,
              HEIGHT, 1), 1), blurred);
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "a Gaussian blurs them");
}

/* A frame in the element's own memory is treated in place if nobody else has a reference.
 * Otherwise it is not changed. */
static void
check_in_place (const gchar * description)
{
  static const Box box = { 10, 20, 30, 25 };
  g_autoptr (Harness) h = regions_make_harness (description);
  GstBufferPool *pool = fixture_take_pool (h, "RGBA", WIDTH, HEIGHT);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  for (guint kept = 0; kept < 2; kept++) {
    GstBuffer *in = fixture_acquire (pool), *out;
    GstMemory *memory = gst_buffer_peek_memory (in, 0);

    fixture_fill (in, &info, kept);
    out = regions_push (h, kept ? gst_buffer_ref (in) : in, kept);
    g_assert_cmpint (gst_buffer_peek_memory (out, 0) == memory, ==, !kept);
    regions_check_filled (out, kept, &box, 1);
    if (kept)
      regions_check_filled (in, kept, NULL, 0);
  }
  fixture_release_pool (pool);
}

/* Also if the next element reads the frame on the device. */
TEST (in_place)
{
  check_in_place (FILL PLACE);
  check_in_place (FILL PLACE " ! gpublur sigma=0");
}

/* A blur of the whole frame, which reads each pixel many times, is right for such a frame,
 * too. */
TEST (blur_in_place)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2 "
      "method=direct roi-source=meta");
  GstBufferPool *pool = fixture_take_pool (h, "RGBA", WIDTH, HEIGHT);
  GstBuffer *in = fixture_acquire (pool);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  fixture_fill (in, &info, 3);
  fixture_check_box (h, in, BOX_OF ("RGBA", WIDTH, HEIGHT, 3, 2));
  fixture_release_pool (pool);
}

static gboolean
have_method (GstHarness * h)
{
  GstStructure *stats;
  gboolean have;

  g_object_get (h->element, "stats", &stats, NULL);
  have = gst_structure_has_field (stats, "method");
  g_assert_cmpint (gst_structure_has_field (stats, "passes"), ==, have);
  gst_structure_free (stats);
  return have;
}

/* Statistics describe the last frame: without a blur they have no method. */
TEST (stats)
{
  g_autoptr (Harness) h =
      regions_make_harness ("gpublur sigma=2 roi-source=rectangle "
      "roi-width=20 roi-height=20");

  gst_buffer_unref (regions_push (h, regions_make_frame (1), 0));
  g_assert_true (have_method (h));
  fixture_set (h->element, "roi-action", "fill");
  gst_buffer_unref (regions_push (h, regions_make_frame (1), 1));
  g_assert_false (have_method (h));
  fixture_set (h->element, "roi-action", "blur");
  gst_buffer_unref (regions_push (h, regions_make_frame (1), 2));
  g_assert_true (have_method (h));
}

FIXTURE_MAIN_SHARING ("/gpublur-actions/")
