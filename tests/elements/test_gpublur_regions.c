/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which regions of frames are treated: of properties and of metas, held, missing and
 * cropped. */
#include "regions_element_fixture.h"

#define HOLD FILL "roi-source=meta on-missing=pass "

static void
set_rectangle (GstHarness * h, const Box * box)
{
  g_object_set (h->element, "roi-x", box->x, "roi-y", box->y,
      "roi-width", box->width, "roi-height", box->height, NULL);
}

/* It moves from frame to frame, also across edges, of which nothing is told. */
TEST (rectangle)
{
  static const Box boxes[] = {
    {10, 20, 30, 25}, {11, 20, 30, 25}, {-5, -7, 20, 20}, {90, 75, 50, 50},
    {0, 0, WIDTH, HEIGHT}
  };
  g_autoptr (Harness) h = regions_make_harness (FILL "roi-source=rectangle");

  for (guint i = 0; i < G_N_ELEMENTS (boxes); i++) {
    set_rectangle (h, &boxes[i]);
    regions_show (h, i, i, &boxes[i], 1);
  }
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 0);
}

/* In percent, the pixels that are in it in part are treated, too. */
TEST (percent)
{
  static const struct
  {
    Box percent, pixels;
  } cases[] = {
    {{50, 0, 50, 100}, {48, 0, 48, 80}},
    {{33, 33, 10, 10}, {31, 26, 11, 9}},
    {{-10, 90, 20, 20}, {-10, 72, 20, 16}},
    {{33, 33, 0, 10}, {0, 0, WIDTH, HEIGHT}},   /* none */
    {{0, 0, 65535, 65535}, {0, 0, WIDTH, HEIGHT}},
  };
  g_autoptr (Harness) h =
      regions_make_harness (FILL "roi-source=rectangle roi-unit=percent");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    set_rectangle (h, &cases[i].percent);
    regions_show (h, i, i, &cases[i].pixels, 1);
  }
}

/* A rectangle for larger frames, or without a size, hides nothing: on-missing decides, and
 * there is one warning. */
TEST (missed_rectangle)
{
  static const Box whole = { 0, 0, WIDTH, HEIGHT };
  static const Box missed[] = {
    {200, 0, 9, 9}, {WIDTH, 0, 20, 20}, {0, HEIGHT, 20, 20}, {-20, 0, 20, 20},
    {5, 5, 0, 20}, {5, 5, 20, 0}
  };
  g_autoptr (Harness) h = regions_make_harness (FILL "roi-source=rectangle");

  for (guint i = 0; i < G_N_ELEMENTS (missed); i++) {
    set_rectangle (h, &missed[i]);
    g_object_set (h->element, "roi-invert", i % 2 == 1, NULL);
    fixture_set (h->element, "on-missing", "whole");
    regions_show (h, i, i, &whole, 1);
    fixture_set (h->element, "on-missing", "pass");
    regions_show (h, i, i, NULL, 0);
  }
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "has no pixel in the frames");
}

/* Pushes a frame of @width columns, in which the rectangle has no pixel if @misses. */
static void
push_wide (GstHarness * h, gint width, gboolean misses)
{
  fixture_set_caps (h, "RGBA", width, HEIGHT);
  fixture_show (h, fixture_frame ("RGBA", width, HEIGHT, 1));
  if (misses)
    fixture_take_warning (h->element, GST_LIBRARY_ERROR,
        GST_LIBRARY_ERROR_SETTINGS, "has no pixel in the frames");
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 0);
}

/* There is a warning again if other frames come, and if the rectangle leaves them again. */
TEST (missed_again)
{
  static const Box outside = { 200, 0, 9, 9 }, inside = { 5, 5, 9, 9 };
  g_autoptr (Harness) h = regions_make_harness (FILL "roi-source=rectangle");

  set_rectangle (h, &outside);
  push_wide (h, 120, TRUE);
  push_wide (h, 120, FALSE);
  push_wide (h, 100, TRUE);
  push_wide (h, 210, FALSE);
  push_wide (h, 120, TRUE);
  set_rectangle (h, &inside);
  push_wide (h, 120, FALSE);
  set_rectangle (h, &outside);
  push_wide (h, 120, TRUE);
}

/* A frame is treated by its own metas, of the types that count, and keeps all of them. */
TEST (metas)
{
  static const Box faces[] = { {3, 4, 20, 10}, {50, 30, 15, 33} };
  static const Box car = { 30, 50, 10, 10 };
  g_autoptr (Harness) h = regions_make_harness (FILL
      "roi-source=meta roi-types=\"face, plate\" on-missing=pass");

  for (guint i = 0; i < 3; i++) {
    const Box moved = { faces[0].x + 7 * (gint) i, faces[0].y, 20, 10 };
    const Box boxes[] = { moved, faces[1] };
    GstBuffer *in = regions_make_frame_with (i, "face", &moved);
    GstBuffer *out;

    regions_with_region (regions_with_region (in, "plate", &faces[1]), "car",
        &car);
    out = regions_push (h, in, i);
    g_assert_cmpuint (gst_buffer_get_n_meta (out,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE), ==, 3);
    regions_check_filled (out, i, boxes, 2);
  }
}

/* A position before the frame is written as a large number. */
TEST (negative_meta)
{
  const Box box = { -10, -4, 30, 20 };
  g_autoptr (Harness) h = regions_make_harness (FILL "roi-source=meta");

  regions_show_with (h, 0, 1, "face", &box, &box, 1);
}

/* A frame in which a detector found nothing is not shown, unless a property allows it. */
TEST (missing)
{
  static const Box whole = { 0, 0, WIDTH, HEIGHT };
  static const Box car = { 30, 50, 10, 10 };
  g_autoptr (Harness) h =
      regions_make_harness (FILL "roi-source=meta roi-types=face");

  regions_show (h, 0, 1, &whole, 1);
  regions_show_with (h, 1, 2, "car", &car, &whole, 1);
  fixture_set (h->element, "on-missing", "pass");
  regions_show (h, 2, 3, NULL, 0);
}

/* Without metas, a frame is blurred as one without regions. */
TEST (missing_blur)
{
  g_autoptr (Harness) h =
      regions_make_harness ("gpublur kernel=box radius=2 roi-source=meta");

  fixture_check_box (h, regions_make_frame (5), BOX_OF ("RGBA", WIDTH,
          HEIGHT, 5, 2));
}

/* A region without a pixel in the frame does not count: a frame with only such regions has
 * no regions. */
TEST (useless_metas)
{
  static const Box whole = { 0, 0, WIDTH, HEIGHT };
  static const Box useless[] = {
    {10, 10, 0, 20}, {10, 10, 20, 0}, {WIDTH, 0, 20, 20}, {0, HEIGHT, 20, 20},
    {-20, 0, 20, 20}, {G_MININT, G_MININT, G_MININT, G_MININT},
    {0, 0, G_MININT, G_MININT}, {G_MAXINT, G_MAXINT, G_MAXINT, G_MAXINT},
    {10, 10, -5, 20}, {10, 10, 20, -5}
  };
  static const Box huge = { G_MININT / 2, G_MININT / 2, G_MAXINT, G_MAXINT };
  g_autoptr (Harness) h =
      regions_make_harness (FILL "roi-source=meta roi-hold=1000");

  for (guint i = 0; i < G_N_ELEMENTS (useless); i++)
    regions_show_with (h, i, i, "face", &useless[i], &whole, 1);
  fixture_set (h->element, "on-missing", "pass");
  regions_show_with (h, 20, 1, "face", &huge, &whole, 1);
}

/* A region is kept for two frames after the last one that had it, and not where a meta of
 * its type has moved. */
TEST (hold)
{
  static const Box face = { 10, 10, 20, 20 }, moved = { 15, 12, 20, 20 };
  static const Box other = { 60, 50, 20, 20 };
  const Box both[] = { other, moved };
  g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=80");

  regions_show_with (h, 0, 0, "face", &face, &face, 1);
  regions_show (h, 1, 1, &face, 1);
  regions_show_with (h, 2, 2, "face", &moved, &moved, 1);
  regions_show_with (h, 3, 3, "face", &other, both, 2);
  regions_show (h, 4, 4, both, 2);
  regions_show (h, 5, 5, &other, 1);
  regions_show (h, 6, 6, NULL, 0);
}

/* Returns one of many small regions. */
static Box
make_small_box (guint i)
{
  return (Box) {i *37 % WIDTH, i * 53 % HEIGHT, 1 + i % 3, 1 + i % 2};
}

/* If a frame has more regions than are possible, none of them is shown, nor while they are
 * held. */
TEST (many)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=80");

  for (guint frame = 0; frame < 2; frame++) {
    GstBuffer *buffer = regions_make_frame (frame);

    for (guint i = 0; i < 1000 && frame == 0; i++) {
      const Box box = make_small_box (i);

      regions_with_region (buffer, "face", &box);
    }
    buffer = regions_push (h, buffer, frame);
    for (guint i = 0; i < 1000; i++) {
      const Box box = make_small_box (i);

      g_assert_cmpint (gst_buffer_memcmp (buffer,
              4 * (box.y * WIDTH + box.x), colour, 4), ==, 0);
    }
    gst_buffer_unref (buffer);
  }
}

/* One face of two neighbours is missed: the other one, which covers a part of it, is not
 * taken for it, however they are ordered. Nor is a region of another type. */
TEST (neighbours)
{
  static const Box faces[] = { {10, 10, 20, 20}, {20, 10, 20, 20} };
  static const Box plate = { 12, 15, 20, 20 };
  const Box all[] = { faces[0], faces[1], plate };

  for (guint missed = 0; missed < 2; missed++) {
    g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=80");
    GstBuffer *in = regions_make_frame_with (0, "face", &faces[0]);

    regions_with_region (in, "face", &faces[1]);
    regions_check_filled (regions_push (h, in, 0), 0, faces, 2);
    regions_show_with (h, 1, 1, "face", &faces[1 - missed], faces, 2);
    regions_show_with (h, 2, 2, "plate", &plate, all, 3);
  }
}

/* A frame without a time, or with a wrong one, lets nothing go, and keeps nothing for ever: it
 * lasts as long as its duration. */
TEST (times)
{
  static const gint times[][4] = {
    {100, NO_TIME, 3, 102}, {200, 900, 201, 202}, {300, 300, 300, 300},
    {NO_TIME, NO_TIME, NO_TIME, NO_TIME},
  };
  static const Box face = { 10, 10, 20, 20 };
  g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=80");

  for (guint i = 0; i < G_N_ELEMENTS (times); i++) {
    regions_show_with (h, times[i][0], 0, "face", &face, &face, 1);
    for (guint k = 1; k < 3; k++)
      regions_show (h, times[i][k], k, &face, 1);
    regions_show (h, times[i][3], 3, NULL, 0);
  }
}

/* Held regions are scaled if the size of the frames changes. */
TEST (other_size)
{
  static const Box face = { 20, 10, 41, 21 }, half = { 10, 5, 21, 11 };
  g_autoptr (Harness) h =
      fixture_play (HOLD "roi-hold=1000", "RGBA", 2 * WIDTH, 2 * HEIGHT);

  gst_buffer_unref (regions_push (h,
          regions_with_region (fixture_frame ("RGBA", 2 * WIDTH,
                  2 * HEIGHT, 0), "face", &face), 0));
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  regions_show (h, 1, 1, &half, 1);
}

/* A frame that is a part of a larger one. */
static GstBuffer *
make_cropped_frame_of (const gchar * format, guint x, guint y)
{
  GstBuffer *buffer = fixture_frame (format, 2 * WIDTH, 2 * HEIGHT, 0);
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
TEST (crop)
{
  static const Box face = { 60, 40, 20, 10 }, outside = { 120, 100, 8, 8 };
  g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=1000");
  GstBuffer *in =
      regions_with_region (make_cropped_frame (10, 20), "face", &face);

  check_count (regions_push (h, regions_with_region (in, "face", &outside), 0),
      200, 50, 20);
  check_count (regions_push (h, make_cropped_frame (12, 16), 1), 200, 48, 24);
  check_count (regions_push (h, make_cropped_frame (70, 40), 2), 100 + 64, 0,
      0);
}

/* A frame that begins inside a pair of pixels begins at the pair. */
TEST (crop_of_pairs)
{
  static const Box face = { 60, 40, 20, 10 };
  g_autoptr (Harness) h = fixture_play ("gpublur roi-source=meta "
      "roi-action=fill roi-color=0xffffffff", "YUY2", WIDTH, HEIGHT);
  GstVideoRegionOfInterestMeta *region;
  GstBuffer *out;
  guint8 row[2 * WIDTH];

  out = regions_push (h, regions_with_region (make_cropped_frame_of ("YUY2", 11,
              20), "face", &face), 0);
  region = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  g_assert_cmpuint (region->x, ==, 50);
  g_assert_cmpuint (region->y, ==, 20);
  gst_buffer_extract (out, 20 * sizeof row, row, sizeof row);
  for (guint x = 50; x < 70; x++)
    g_assert_cmpuint (row[2 * x], ==, 235);
  gst_buffer_unref (out);
}

/* A cropped frame is not treated in place: the pixels around it would stay in the buffer. */
TEST (crop_in_place)
{
  g_autoptr (Harness) h = regions_make_harness (FILL PLACE);
  GstBufferPool *pool = fixture_take_pool (h, "RGBA", 2 * WIDTH, 2 * HEIGHT);
  GstBuffer *in = fixture_acquire (pool), *out;
  GstMemory *memory = gst_buffer_peek_memory (in, 0);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (in);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  crop->x = crop->y = 16;
  crop->width = WIDTH;
  crop->height = HEIGHT;
  out = regions_push (h, in, 0);
  g_assert_true (gst_buffer_peek_memory (out, 0) != memory);
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  gst_buffer_unref (out);
  fixture_release_pool (pool);
}

/* A flush drops held regions: they belong to another position of the film. */
TEST (flush)
{
  static const Box face = { 10, 10, 20, 20 };
  g_autoptr (Harness) h = regions_make_harness (HOLD "roi-hold=1000");
  GstSegment segment;

  regions_show_with (h, 0, 0, "face", &face, &face, 1);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
  regions_show (h, 1, 1, NULL, 0);
}

FIXTURE_MAIN_SHARING ("/gpublur-regions/")
