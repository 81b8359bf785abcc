/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Regions of frames: from properties and from metas, held and missing, and what is done in
 * them. */
#include "element_fixture.h"

#include <string.h>

#define WIDTH 96
#define HEIGHT 80
#define INTERVAL (40 * GST_MSECOND)

#define FILL "gpublur sigma=0 roi-action=fill roi-color=0xff102030 "
#define PLACE "roi-source=rectangle roi-x=10 roi-y=20 roi-width=30 roi-height=25 "
#define HOLD FILL "roi-source=meta on-missing=pass "

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

#define NO_TIME -1

/* Pushes @in as frame @i of a film. Returns what comes out. */
static GstBuffer *
push (GstHarness * h, GstBuffer * in, gint i)
{
  if (i != NO_TIME)
    GST_BUFFER_PTS (in) = i * INTERVAL;
  GST_BUFFER_DURATION (in) = INTERVAL;
  return gst_harness_push_and_pull (h, in);
}

static gboolean
have (const Box * boxes, guint n, gint x, gint y)
{
  for (guint i = 0; i < n; i++)
    if (has (&boxes[i], x, y))
      return TRUE;
  return FALSE;
}

/* Takes the references. */
static void
check_equal (GstBuffer * a, GstBuffer * b)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (a, &map, GST_MAP_READ));
  g_assert_cmpuint (gst_buffer_get_size (b), ==, map.size);
  g_assert_cmpint (gst_buffer_memcmp (b, 0, map.data, map.size), ==, 0);
  gst_buffer_unmap (a, &map);
  gst_buffer_unref (a);
  gst_buffer_unref (b);
}

/* The pixels of the @n boxes, or with @inverted all others, have the colour of FILL. The rest
 * is the noise with @seed. Takes the reference of @out. */
static void
check_filled_in (GstBuffer * out, guint seed, const Box * boxes, guint n,
    gboolean inverted)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  GstBuffer *expected = element_fixture_frame ("RGBA", WIDTH, HEIGHT, seed);

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (have (boxes, n, i % WIDTH, i / WIDTH) != inverted)
      gst_buffer_fill (expected, 4 * i, colour, 4);
  check_equal (out, expected);
}

static void
check_filled (GstBuffer * out, guint seed, const Box * boxes, guint n)
{
  check_filled_in (out, seed, boxes, n, FALSE);
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

/* Returns @buffer. */
static GstBuffer *
with_region (GstBuffer * buffer, const gchar * type, const Box * box)
{
  gst_buffer_add_video_region_of_interest_meta (buffer, type, box->x, box->y,
      box->width, box->height);
  return buffer;
}

static GstBuffer *
make_frame_with (guint seed, const gchar * type, const Box * box)
{
  return with_region (make_frame (seed), type, box);
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

    with_region (with_region (in, "plate", &faces[1]), "car", &car);
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

/* A region with no pixel in the frame is none: only such ones, and the detector missed
 * something. */
static void
test_useless_metas (void)
{
  static const Box whole = { 0, 0, WIDTH, HEIGHT };
  static const Box useless[] = {
    {10, 10, 0, 20}, {10, 10, 20, 0}, {WIDTH, 0, 20, 20}, {0, HEIGHT, 20, 20},
    {-20, 0, 20, 20}, {G_MININT, G_MININT, G_MININT, G_MININT},
    {0, 0, G_MININT, G_MININT}, {G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT},
    {10, 10, -5, 20}, {10, 10, 20, -5}
  };
  static const Box huge = { G_MININT / 2, G_MININT / 2, G_MAXINT, G_MAXINT };
  GstHarness *h = make_harness (FILL "roi-source=meta roi-hold=1000");

  for (guint i = 0; i < G_N_ELEMENTS (useless); i++)
    check_filled (push (h, make_frame_with (i, "face", &useless[i]), i), i,
        &whole, 1);
  gst_util_set_object_arg (G_OBJECT (h->element), "on-missing", "pass");
  check_filled (push (h, make_frame_with (1, "face", &huge), 20), 1, &whole, 1);
  element_fixture_harness_free (h);
}

/* A region is kept for two frames after the last one that had it, and not where a meta of
 * its type has moved. */
static void
test_hold (void)
{
  static const Box face = { 10, 10, 20, 20 }, moved = { 15, 12, 20, 20 };
  static const Box other = { 60, 50, 20, 20 };
  const Box both[] = { other, moved };
  GstHarness *h = make_harness (HOLD "roi-hold=80");

  check_filled (push (h, make_frame_with (0, "face", &face), 0), 0, &face, 1);
  check_filled (push (h, make_frame (1), 1), 1, &face, 1);
  check_filled (push (h, make_frame_with (2, "face", &moved), 2), 2, &moved, 1);
  check_filled (push (h, make_frame_with (3, "face", &other), 3), 3, both, 2);
  check_filled (push (h, make_frame (4), 4), 4, both, 2);
  check_filled (push (h, make_frame (5), 5), 5, &other, 1);
  check_filled (push (h, make_frame (6), 6), 6, NULL, 0);
  element_fixture_harness_free (h);
}

/* Returns one of many small regions. */
static Box
make_small_box (guint i)
{
  return (Box) {
  i *37 % WIDTH, i * 53 % HEIGHT, 1 + i % 3, 1 + i % 2};
}

/* Of more regions than a frame may have none is shown, nor if they are held. */
static void
test_many (void)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  GstHarness *h = make_harness (HOLD "roi-hold=80");

  for (guint frame = 0; frame < 2; frame++) {
    GstBuffer *buffer = make_frame (frame);

    for (guint i = 0; i < 1000 && frame == 0; i++) {
      const Box box = make_small_box (i);

      with_region (buffer, "face", &box);
    }
    buffer = push (h, buffer, frame);
    for (guint i = 0; i < 1000; i++) {
      const Box box = make_small_box (i);

      g_assert_cmpint (gst_buffer_memcmp (buffer,
              4 * (box.y * WIDTH + box.x), colour, 4), ==, 0);
    }
    gst_buffer_unref (buffer);
  }
  element_fixture_harness_free (h);
}

/* One face of two neighbours is missed: the other one, which covers a part of it, is not
 * taken for it, however they are ordered. Nor is a region of another type. */
static void
test_neighbours (void)
{
  static const Box faces[] = { {10, 10, 20, 20}, {20, 10, 20, 20} };
  static const Box plate = { 12, 15, 20, 20 };
  const Box all[] = { faces[0], faces[1], plate };

  for (guint missed = 0; missed < 2; missed++) {
    GstHarness *h = make_harness (HOLD "roi-hold=80");
    GstBuffer *in = make_frame_with (0, "face", &faces[0]);

    with_region (in, "face", &faces[1]);
    check_filled (push (h, in, 0), 0, faces, 2);
    check_filled (push (h, make_frame_with (1, "face", &faces[1 - missed]), 1),
        1, faces, 2);
    check_filled (push (h, make_frame_with (2, "plate", &plate), 2), 2, all, 3);
    element_fixture_harness_free (h);
  }
}

/* A frame without a time, or with a wrong one, lets nothing go, and keeps nothing for ever: it
 * lasts as long as its duration. */
static void
test_times (void)
{
  static const gint times[][4] = {
    {100, NO_TIME, 3, 102}, {200, 900, 201, 202}, {300, 300, 300, 300},
    {NO_TIME, NO_TIME, NO_TIME, NO_TIME},
  };
  static const Box face = { 10, 10, 20, 20 };
  GstHarness *h = make_harness (HOLD "roi-hold=80");

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    check_filled (push (h, make_frame_with (0, "face", &face), times[i][0]), 0,
        &face, 1);
    for (guint k = 1; k < 3; k++)
      check_filled (push (h, make_frame (k), times[i][k]), k, &face, 1);
    check_filled (push (h, make_frame (3), times[i][3]), 3, NULL, 0);
  }
  element_fixture_harness_free (h);
}

/* What is held lies where it was in frames of another size, too. */
static void
test_other_size (void)
{
  static const Box face = { 20, 10, 41, 21 }, half = { 10, 5, 21, 11 };
  GstHarness *h = element_fixture_harness (HOLD "roi-hold=1000");

  element_fixture_set_caps (h, "RGBA", 2 * WIDTH, 2 * HEIGHT);
  gst_buffer_unref (push (h, with_region (element_fixture_frame ("RGBA",
                  2 * WIDTH, 2 * HEIGHT, 0), "face", &face), 0));
  element_fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_filled (push (h, make_frame (1), 1), 1, &half, 1);
  element_fixture_harness_free (h);
}

/* A frame that is a part of a larger one. */
static GstBuffer *
make_cropped_frame_of (const gchar * format, guint x, guint y)
{
  GstBuffer *buffer = element_fixture_frame (format, 2 * WIDTH, 2 * HEIGHT, 0);
  GstVideoCropMeta *crop;

  gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      gst_video_format_from_string (format), 2 * WIDTH, 2 * HEIGHT);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = x;
  crop->y = y;
  crop->width = WIDTH;
  crop->height = HEIGHT;
  return buffer;
}

static GstBuffer *
make_cropped_frame (guint x, guint y)
{
  return make_cropped_frame_of ("RGBA", x, y);
}

/* How many pixels of @buffer have the colour of FILL, and whether that of column @x and row
 * @y has it. Takes the reference. */
static void
check_count (GstBuffer * buffer, guint n, guint x, guint y)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  guint n_filled = 0;

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    n_filled += gst_buffer_memcmp (buffer, 4 * i, colour, 4) == 0;
  g_assert_cmpuint (n_filled, ==, n);
  g_assert_cmpint (gst_buffer_memcmp (buffer, 4 * (y * WIDTH + x), colour, 4),
      ==, 0);
  gst_buffer_unref (buffer);
}

/* Metas and what is held of them lie in the larger frame, while the rectangle that is shown
 * moves; a region outside it comes in. */
static void
test_crop (void)
{
  static const Box face = { 60, 40, 20, 10 }, outside = { 120, 100, 8, 8 };
  GstHarness *h = make_harness (HOLD "roi-hold=1000");
  GstBuffer *in = with_region (make_cropped_frame (10, 20), "face", &face);

  check_count (push (h, with_region (in, "face", &outside), 0), 200, 50, 20);
  check_count (push (h, make_cropped_frame (12, 16), 1), 200, 48, 24);
  check_count (push (h, make_cropped_frame (70, 40), 2), 100 + 64, 0, 0);
  element_fixture_harness_free (h);
}

/* A frame that begins inside a pair has all of the pair. */
static void
test_crop_of_pairs (void)
{
  static const Box face = { 60, 40, 20, 10 };
  GstHarness *h = element_fixture_harness ("gpublur roi-source=meta "
      "roi-action=fill roi-color=0xffffffff");
  GstVideoRegionOfInterestMeta *region;
  GstBuffer *out;
  guint8 row[2 * WIDTH];

  element_fixture_set_caps (h, "YUY2", WIDTH, HEIGHT);
  out = push (h, with_region (make_cropped_frame_of ("YUY2", 11, 20), "face",
          &face), 0);
  region = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  g_assert_cmpuint (region->x, ==, 50);
  g_assert_cmpuint (region->y, ==, 20);
  gst_buffer_extract (out, 20 * sizeof row, row, sizeof row);
  for (guint x = 50; x < 70; x++)
    g_assert_cmpuint (row[2 * x], ==, 235);
  gst_buffer_unref (out);
  element_fixture_harness_free (h);
}

/* A cropped frame is a new one, as all around it would stay on the buffer. */
static void
test_crop_in_place (void)
{
  GstHarness *h = make_harness (FILL PLACE);
  GstBufferPool *pool = element_fixture_take_pool (h, "RGBA", 2 * WIDTH,
      2 * HEIGHT);
  GstBuffer *in = element_fixture_acquire (pool), *out;
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (in);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  crop->x = crop->y = 16;
  crop->width = WIDTH;
  crop->height = HEIGHT;
  out = push (h, in, 0);
  g_assert_true (gst_buffer_peek_memory (out, 0) != memory);
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  gst_buffer_unref (out);
  element_fixture_release_pool (pool);
  element_fixture_harness_free (h);
}

/* What was held before a flush is of another place of the film. */
static void
test_flush (void)
{
  static const Box face = { 10, 10, 20, 20 };
  GstHarness *h = make_harness (HOLD "roi-hold=1000");
  GstSegment segment;

  check_filled (push (h, make_frame_with (0, "face", &face), 0), 0, &face, 1);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  check_filled (push (h, make_frame (1), 1), 1, NULL, 0);
  element_fixture_harness_free (h);
}

/* All but the regions is treated; where there are none, on-missing decides. */
static void
test_invert (void)
{
  static const Box face = { 10, 20, 30, 25 };
  GstHarness *h = make_harness (FILL PLACE "roi-invert=true");

  check_filled_in (push (h, make_frame (0), 0), 0, &face, 1, TRUE);
  g_object_set (h->element, "roi-width", 0, NULL);
  check_filled_in (push (h, make_frame (1), 1), 1, NULL, 0, TRUE);
  gst_util_set_object_arg (G_OBJECT (h->element), "roi-source", "meta");
  check_filled_in (push (h, make_frame_with (2, "face", &face), 2), 2, &face, 1,
      TRUE);
  check_filled_in (push (h, make_frame (3), 3), 3, NULL, 0, TRUE);
  gst_util_set_object_arg (G_OBJECT (h->element), "on-missing", "pass");
  check_filled (push (h, make_frame (4), 4), 4, NULL, 0);
  element_fixture_harness_free (h);
}

/* Returns what @description makes of a frame. */
static GstBuffer *
treat (const gchar * description, GstBuffer * in)
{
  GstHarness *h = make_harness (description);
  GstBuffer *out = push (h, in, 0);

  element_fixture_harness_free (h);
  return out;
}

#define HALF "roi-source=rectangle roi-x=20 roi-y=10 roi-width=24 roi-height=48 "

/* Blocks and blurs grow with the longer side of a region, and of a frame that is one. They do not
 * shrink. */
static void
test_scale (void)
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
    check_equal (treat (cases[i][0], make_frame_with (i, "face", &half)),
        treat (cases[i][1], make_frame (i)));
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
static void
test_colours (void)
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
    GstHarness *h = element_fixture_harness ("gpublur roi-source=rectangle "
        "roi-width=16 roi-height=16 roi-action=fill roi-color=0x80ff0000");
    GstCaps *caps = element_fixture_caps (cases[i].format, 32, 32);
    GstVideoInfo info;
    GstBuffer *out;

    if (cases[i].colorimetry)
      gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
          cases[i].colorimetry, NULL);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    out = push (h, element_fixture_frame (cases[i].format, 32, 32, 1), 0);
    check_first_pixel (out, &info, cases[i].codes);
    gst_buffer_unref (out);
    element_fixture_harness_free (h);
  }
}

/* A rectangle without a size hides nothing, which is said. */
static void
test_no_area (void)
{
  GstHarness *h = make_harness ("gpublur roi-source=rectangle roi-action=fill");

  check_filled (push (h, make_frame (0), 0), 0, NULL, 0);
  element_fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "roi-width and roi-height");
  element_fixture_harness_free (h);
}

/* Without regions, an action is that of the frame. */
static void
test_action_of_frame (void)
{
  GstHarness *h = make_harness ("gpublur roi-action=fill roi-color=0xff102030");
  const Box all = { 0, 0, WIDTH, HEIGHT };

  check_filled (push (h, make_frame (0), 0), 0, &all, 1);
  element_fixture_harness_free (h);
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

static gint
compare_pixel (GstBuffer * a, GstBuffer * b, guint i)
{
  guint8 pixel[4];

  gst_buffer_extract (a, 4 * i, pixel, 4);
  return gst_buffer_memcmp (b, 4 * i, pixel, 4);
}

/* A format that a bilateral filter cannot blur can be filled, also from the start on. */
static void
test_fill_needs_no_blur (void)
{
  GstHarness *h = element_fixture_harness ("gpublur kernel=bilateral sigma=2 "
      "roi-source=rectangle roi-width=9 roi-height=9 roi-action=fill");
  GstBuffer *in, *out;

  element_fixture_set_caps (h, "AYUV", WIDTH, HEIGHT);
  in = element_fixture_frame ("AYUV", WIDTH, HEIGHT, 1);
  out = push (h, gst_buffer_ref (in), 0);
  g_assert_cmpuint (element_fixture_take_messages (h->element,
          GST_MESSAGE_WARNING | GST_MESSAGE_ERROR), ==, 0);
  g_assert_cmpint (compare_pixel (out, in, 0), !=, 0);
  g_assert_cmpint (compare_pixel (out, in, 9), ==, 0);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
  element_fixture_harness_free (h);
}

/* What cannot be blurred as asked is not shown: a Gaussian blurs it, in the region. */
static void
test_other_kernel (void)
{
  GstHarness *h = element_fixture_harness ("gpublur sigma=4 "
      "roi-source=rectangle roi-width=9 roi-height=9");
  GstBuffer *blurred;

  element_fixture_set_caps (h, "AYUV", WIDTH, HEIGHT);
  blurred = push (h, element_fixture_frame ("AYUV", WIDTH, HEIGHT, 1), 0);
  gst_util_set_object_arg (G_OBJECT (h->element), "kernel", "bilateral");
  check_equal (push (h, element_fixture_frame ("AYUV", WIDTH, HEIGHT, 1), 1),
      blurred);
  element_fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "a Gaussian blurs them");
  element_fixture_harness_free (h);
}

/* A frame in the element's own memory that nobody else has is treated where it lies; else it
 * stays as it is. */
static void
check_in_place (const gchar * description)
{
  static const Box box = { 10, 20, 30, 25 };
  GstHarness *h = make_harness (description);
  GstBufferPool *pool = element_fixture_take_pool (h, "RGBA", WIDTH, HEIGHT);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  for (guint kept = 0; kept < 2; kept++) {
    GstBuffer *in = element_fixture_acquire (pool), *out;
    GstMemory *memory = gst_buffer_peek_memory (in, 0);

    element_fixture_fill (in, &info, kept);
    out = push (h, kept ? gst_buffer_ref (in) : in, kept);
    g_assert_cmpint (gst_buffer_peek_memory (out, 0) == memory, ==, !kept);
    check_filled (out, kept, &box, 1);
    if (kept)
      check_filled (in, kept, NULL, 0);
  }
  element_fixture_release_pool (pool);
  element_fixture_harness_free (h);
}

/* Also if it stays on the device, as the next element asks for. */
static void
test_in_place (void)
{
  check_in_place (FILL PLACE);
  check_in_place (FILL PLACE " ! gpublur sigma=0");
}

/* That of a whole frame, too, whose pixels are read many times. */
static void
test_blur_in_place (void)
{
  GstHarness *h = element_fixture_harness ("gpublur kernel=box radius=2 "
      "method=direct roi-source=meta");
  GstBufferPool *pool = element_fixture_take_pool (h, "RGBA", WIDTH, HEIGHT);
  GstBuffer *in = element_fixture_acquire (pool);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  element_fixture_fill (in, &info, 3);
  element_fixture_check_box (h, in, BOX_OF ("RGBA", WIDTH, HEIGHT, 3, 2));
  element_fixture_release_pool (pool);
  element_fixture_harness_free (h);
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

/* Statistics are of the last frame: where nothing was blurred there was no method. */
static void
test_stats (void)
{
  GstHarness *h = make_harness ("gpublur sigma=2 roi-source=rectangle "
      "roi-width=20 roi-height=20");

  gst_buffer_unref (push (h, make_frame (1), 0));
  g_assert_true (have_method (h));
  gst_util_set_object_arg (G_OBJECT (h->element), "roi-action", "fill");
  gst_buffer_unref (push (h, make_frame (1), 1));
  g_assert_false (have_method (h));
  gst_util_set_object_arg (G_OBJECT (h->element), "roi-action", "blur");
  gst_buffer_unref (push (h, make_frame (1), 2));
  g_assert_true (have_method (h));
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
  element_fixture_add ("/gpublur-regions/useless-metas", test_useless_metas);
  element_fixture_add ("/gpublur-regions/hold", test_hold);
  element_fixture_add ("/gpublur-regions/neighbours", test_neighbours);
  element_fixture_add ("/gpublur-regions/many", test_many);
  element_fixture_add ("/gpublur-regions/times", test_times);
  element_fixture_add ("/gpublur-regions/other-size", test_other_size);
  element_fixture_add ("/gpublur-regions/crop", test_crop);
  element_fixture_add ("/gpublur-regions/flush", test_flush);
  element_fixture_add ("/gpublur-regions/invert", test_invert);
  element_fixture_add ("/gpublur-regions/scale", test_scale);
  element_fixture_add ("/gpublur-regions/crop-of-pairs", test_crop_of_pairs);
  element_fixture_add ("/gpublur-regions/crop-in-place", test_crop_in_place);
  element_fixture_add ("/gpublur-regions/colours", test_colours);
  element_fixture_add ("/gpublur-regions/no-area", test_no_area);
  element_fixture_add ("/gpublur-regions/action-of-frame",
      test_action_of_frame);
  element_fixture_add ("/gpublur-regions/neutral", test_neutral);
  element_fixture_add ("/gpublur-regions/fill-needs-no-blur",
      test_fill_needs_no_blur);
  element_fixture_add ("/gpublur-regions/other-kernel", test_other_kernel);
  element_fixture_add ("/gpublur-regions/in-place", test_in_place);
  element_fixture_add ("/gpublur-regions/blur-in-place", test_blur_in_place);
  element_fixture_add ("/gpublur-regions/stats", test_stats);
  return element_fixture_run ();
}
