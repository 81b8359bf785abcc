/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regions_element_fixture.h"

static gboolean
has (const Box * box, gint x, gint y)
{
  return x >= box->x && x < box->x + box->width && y >= box->y
      && y < box->y + box->height;
}

GstBuffer *
regions_push (GstHarness * h, GstBuffer * in, gint i)
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

void
regions_check_equal (GstBuffer * a, GstBuffer * b)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (a, &map, GST_MAP_READ));
  g_assert_cmpuint (gst_buffer_get_size (b), ==, map.size);
  g_assert_cmpint (gst_buffer_memcmp (b, 0, map.data, map.size), ==, 0);
  gst_buffer_unmap (a, &map);
  gst_buffer_unref (a);
  gst_buffer_unref (b);
}

static void
check_filled (GstBuffer * out, guint seed, const Box * boxes, guint n,
    gboolean inverted)
{
  static const guint8 colour[] = { 0x10, 0x20, 0x30, 0xff };
  GstBuffer *expected = fixture_frame ("RGBA", WIDTH, HEIGHT, seed);

  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    if (have (boxes, n, i % WIDTH, i / WIDTH) != inverted)
      gst_buffer_fill (expected, 4 * i, colour, 4);
  regions_check_equal (out, expected);
}

void
regions_check_filled (GstBuffer * out, guint seed, const Box * boxes, guint n)
{
  check_filled (out, seed, boxes, n, FALSE);
}

void
regions_check_inverted (GstBuffer * out, guint seed, const Box * boxes, guint n)
{
  check_filled (out, seed, boxes, n, TRUE);
}

GstHarness *
regions_make_harness (const gchar * description)
{
  GstHarness *h = fixture_harness (description);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  return h;
}

GstBuffer *
regions_make_frame (guint seed)
{
  return fixture_frame ("RGBA", WIDTH, HEIGHT, seed);
}

GstBuffer *
regions_with_region (GstBuffer * buffer, const gchar * type, const Box * box)
{
  gst_buffer_add_video_region_of_interest_meta (buffer, type, box->x, box->y,
      box->width, box->height);
  return buffer;
}

GstBuffer *
regions_make_frame_with (guint seed, const gchar * type, const Box * box)
{
  return regions_with_region (regions_make_frame (seed), type, box);
}

void
regions_show (GstHarness * h, gint i, guint seed, const Box * boxes, guint n)
{
  regions_check_filled (regions_push (h, regions_make_frame (seed), i), seed,
      boxes, n);
}

void
regions_show_with (GstHarness * h, gint i, guint seed, const gchar * type,
    const Box * box, const Box * boxes, guint n)
{
  regions_check_filled (regions_push (h, regions_make_frame_with (seed, type,
              box), i), seed, boxes, n);
}
