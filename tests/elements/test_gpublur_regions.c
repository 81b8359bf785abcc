/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions of frames: from properties and from metas, held, missing, and in formats that have
 * none. */
#include "element_fixture.h"

#include <string.h>

#define WIDTH 96
#define HEIGHT 80
#define INTERVAL (40 * GST_MSECOND)

#define FILL "gpublur sigma=0 roi-action=fill roi-color=0xff102030 "

typedef struct
{
  gint x, y, width, height;
} Box;

static gboolean
has (const Box * box, gint x, gint y)
{
  return x >= box->x && x < box->x + box->width && y >= box->y
      && y < box->y + box->height;
}

/* Pushes @in as frame @i of a film. Returns what comes out. */
static GstBuffer *
push (GstHarness * h, GstBuffer * in, guint i)
{
  GST_BUFFER_PTS (in) = i * INTERVAL;
  GST_BUFFER_DURATION (in) = INTERVAL;
  return gst_harness_push_and_pull (h, in);
}

/* The pixels of the @n boxes have the colour of FILL, and all others are those of the noise
 * with @seed. Takes the reference of @out. */
static void
check_filled (GstBuffer * out, guint seed, const Box * boxes, guint n)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  GstBuffer *in = element_fixture_frame ("RGBA", WIDTH, HEIGHT, seed);
  GstMapInfo expected, map;
  guint n_wrong = 0;

  g_assert_true (gst_buffer_map (in, &expected, GST_MAP_READWRITE));
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    for (guint k = 0; k < n; k++)
      if (has (&boxes[k], i % WIDTH, i / WIDTH))
        memcpy (expected.data + 4 * i, colour, 4);
  g_assert_true (gst_buffer_map (out, &map, GST_MAP_READ));
  for (guint i = 0; i < 4 * WIDTH * HEIGHT; i++)
    n_wrong += map.data[i] != expected.data[i];
  g_assert_cmpuint (n_wrong, ==, 0);
  gst_buffer_unmap (out, &map);
  gst_buffer_unmap (in, &expected);
  gst_buffer_unref (in);
  gst_buffer_unref (out);
}

static void
check_equal (GstBuffer * a, GstBuffer * b)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (a, &map, GST_MAP_READ));
  g_assert_cmpint (gst_buffer_memcmp (b, 0, map.data, map.size), ==, 0);
  gst_buffer_unmap (a, &map);
}

static GstHarness *
make_harness (const gchar * description)
{
  GstHarness *h = element_fixture_harness (description);

  element_fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  return h;
}

static GstBuffer *
make_frame (guint seed)
{
  return element_fixture_frame ("RGBA", WIDTH, HEIGHT, seed);
}

static GstBuffer *
make_frame_with (guint seed, const gchar * type, const Box * box)
{
  GstBuffer *buffer = make_frame (seed);

  gst_buffer_add_video_region_of_interest_meta (buffer, type, box->x, box->y,
      box->width, box->height);
  return buffer;
}

/* It moves from frame to frame, also across edges. */
static void
test_rectangle (void)
{
  static const Box boxes[] = {
    {10, 20, 30, 25}, {11, 20, 30, 25}, {-5, -7, 20, 20}, {90, 75, 50, 50},
    {200, 0, 9, 9}, {5, 5, 0, 20}, {0, 0, WIDTH, HEIGHT}
  };
  GstHarness *h = make_harness (FILL "roi-source=rectangle");

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    g_object_set (h->element, "roi-x", boxes[i].x, "roi-y", boxes[i].y,
        "roi-width", boxes[i].width, "roi-height", boxes[i].height, NULL);
    check_filled (push (h, make_frame (i), i), i, &boxes[i], 1);
  }
  element_fixture_harness_free (h);
}

/* A frame is treated by its own metas, of the types that count, and keeps all of them. */
static void
test_metas (void)
{
  static const Box faces[] = { {3, 4, 20, 10}, {50, 30, 15, 33} };
  static const Box car = { 30, 50, 10, 10 };
  GstHarness *h = make_harness (FILL
      "roi-source=meta roi-types=\"face, plate\" on-missing=pass");

  for (guint i = 0; i < 3; i++) {
    const Box moved = { faces[0].x + 7 * (gint) i, faces[0].y, 20, 10 };
    const Box boxes[] = { moved, faces[1] };
    GstBuffer *in = make_frame_with (i, "face", &moved);
    GstBuffer *out;

    gst_buffer_add_video_region_of_interest_meta (in, "plate", faces[1].x,
        faces[1].y, faces[1].width, faces[1].height);
    gst_buffer_add_video_region_of_interest_meta (in, "car", car.x, car.y,
        car.width, car.height);
    out = push (h, in, i);
    g_assert_cmpuint (gst_buffer_get_n_meta (out,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==, 3);
    check_filled (out, i, boxes, 2);
  }
  element_fixture_harness_free (h);
}

/* A position before the frame is written as a large number. */
static void
test_negative_meta (void)
{
  const Box box = { -10, -4, 30, 20 };
  GstHarness *h = make_harness (FILL "roi-source=meta");

  check_filled (push (h, make_frame_with (1, "face", &box), 0), 1, &box, 1);
  element_fixture_harness_free (h);
}

/* Nothing is shown only because a detector found nothing, unless that is asked for. */
static void
test_missing (void)
{
  static const Box whole = { 0, 0, WIDTH, HEIGHT };
  static const Box car = { 30, 50, 10, 10 };
  GstHarness *h = make_harness (FILL "roi-source=meta roi-types=face");

  check_filled (push (h, make_frame (1), 0), 1, &whole, 1);
  check_filled (push (h, make_frame_with (2, "car", &car), 1), 2, &whole, 1);
  gst_util_set_object_arg (G_OBJECT (h->element), "on-missing", "pass");
  check_filled (push (h, make_frame (3), 2), 3, NULL, 0);
  element_fixture_harness_free (h);
}

/* Without metas, a frame is blurred as one without regions. */
static void
test_missing_blur (void)
{
  GstHarness *h = make_harness ("gpublur kernel=box radius=2 roi-source=meta");

  element_fixture_check_box (h, make_frame (5), BOX_OF ("RGBA", WIDTH, HEIGHT,
          5, 2));
  element_fixture_harness_free (h);
}

/* A region is kept for two frames after the last one that had it, and not where a meta of
 * its type has moved. */
static void
test_hold (void)
{
  static const Box face = { 10, 10, 20, 20 }, moved = { 25, 12, 20, 20 };
  static const Box other = { 60, 50, 20, 20 };
  const Box both[] = { other, moved };
  GstHarness *h = make_harness (FILL
      "roi-source=meta on-missing=pass roi-hold=80");

  check_filled (push (h, make_frame_with (0, "face", &face), 0), 0, &face, 1);
  check_filled (push (h, make_frame (1), 1), 1, &face, 1);
  check_filled (push (h, make_frame_with (2, "face", &moved), 2), 2, &moved, 1);
  check_filled (push (h, make_frame_with (3, "face", &other), 3), 3, both, 2);
  check_filled (push (h, make_frame (4), 4), 4, both, 2);
  check_filled (push (h, make_frame (5), 5), 5, &other, 1);
  check_filled (push (h, make_frame (6), 6), 6, NULL, 0);
  element_fixture_harness_free (h);
}

/* What was held before a flush is of another place of the film. */
static void
test_flush (void)
{
  static const Box face = { 10, 10, 20, 20 };
  GstHarness *h = make_harness (FILL
      "roi-source=meta on-missing=pass roi-hold=1000");
  GstSegment segment;

  check_filled (push (h, make_frame_with (0, "face", &face), 0), 0, &face, 1);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  check_filled (push (h, make_frame (1), 1), 1, NULL, 0);
  element_fixture_harness_free (h);
}

/* The first sample of each plane of a frame that is filled with red. */
static void
test_colours (void)
{
  static const struct
  {
    const gchar *format;
    guint8 codes[4];            /* of the first samples of the planes */
  } cases[] = {
    {"BGRA", {0, 0, 255, 128}},
    {"I420", {81, 90, 240}},
    {"GRAY8", {76}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    GstHarness *h = element_fixture_harness ("gpublur roi-source=rectangle "
        "roi-width=16 roi-height=16 roi-action=fill roi-color=0x80ff0000");
    GstVideoInfo info;
    GstVideoFrame frame;
    GstBuffer *out;
    GstCaps *caps;

    element_fixture_set_caps (h, cases[i].format, 32, 32);
    out = push (h, element_fixture_frame (cases[i].format, 32, 32, 1), 0);
    caps = gst_pad_get_current_caps (h->sinkpad);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    g_assert_true (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (guint c = 0; c < GST_VIDEO_INFO_N_COMPONENTS (&info); c++) {
      const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&frame,
          GST_VIDEO_FRAME_N_PLANES (&frame) == 1 ? 0 : c);

      g_assert_cmpuint (data[GST_VIDEO_FRAME_N_PLANES (&frame) == 1 ? c : 0],
          ==, cases[i].codes[c]);
    }
    gst_video_frame_unmap (&frame);
    gst_caps_unref (caps);
    gst_buffer_unref (out);
    element_fixture_harness_free (h);
  }
}

/* Where nothing is blurred, blurred regions are no work, but blocks are. */
static void
test_neutral (void)
{
  GstHarness *h = make_harness ("gpublur sigma=0 roi-source=rectangle "
      "roi-width=20 roi-height=20");

  g_assert_true (element_fixture_passes (h, make_frame (1)));
  gst_util_set_object_arg (G_OBJECT (h->element), "roi-action", "pixelate");
  g_assert_false (element_fixture_passes (h, make_frame (1)));
  element_fixture_harness_free (h);
}

/* Packed 4:2:2 has no regions: it is refused. */
static void
test_refused_format (void)
{
  GstHarness *h = element_fixture_harness (FILL "roi-source=rectangle");

  element_fixture_set_caps (h, "YUY2", WIDTH, HEIGHT);
  g_assert_cmpint (gst_harness_push (h, element_fixture_frame ("YUY2", WIDTH,
              HEIGHT, 1)), ==, GST_FLOW_NOT_NEGOTIATED);
  element_fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "roi-source");
  element_fixture_harness_free (h);
}

/* If such frames flow already, they are blurred as a whole. */
static void
test_flowing_format (void)
{
  GstHarness *h = element_fixture_harness ("gpublur kernel=box radius=2 "
      "roi-width=10 roi-height=10");
  GstBuffer *blurred, *out;

  element_fixture_set_caps (h, "YUY2", WIDTH, HEIGHT);
  blurred = push (h, element_fixture_frame ("YUY2", WIDTH, HEIGHT, 1), 0);
  gst_util_set_object_arg (G_OBJECT (h->element), "roi-source", "rectangle");
  out = push (h, element_fixture_frame ("YUY2", WIDTH, HEIGHT, 1), 1);
  element_fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "roi-source");
  check_equal (out, blurred);
  gst_buffer_unref (out);
  gst_buffer_unref (blurred);
  element_fixture_harness_free (h);
}

int
main (int argc, char **argv)
{
  element_fixture_init (&argc, &argv);
  element_fixture_share_device ();
  element_fixture_add ("/gpublur-regions/rectangle", test_rectangle);
  element_fixture_add ("/gpublur-regions/metas", test_metas);
  element_fixture_add ("/gpublur-regions/negative-meta", test_negative_meta);
  element_fixture_add ("/gpublur-regions/missing", test_missing);
  element_fixture_add ("/gpublur-regions/missing-blur", test_missing_blur);
  element_fixture_add ("/gpublur-regions/hold", test_hold);
  element_fixture_add ("/gpublur-regions/flush", test_flush);
  element_fixture_add ("/gpublur-regions/colours", test_colours);
  element_fixture_add ("/gpublur-regions/neutral", test_neutral);
  element_fixture_add ("/gpublur-regions/refused-format", test_refused_format);
  element_fixture_add ("/gpublur-regions/flowing-format", test_flowing_format);
  return element_fixture_run ();
}
