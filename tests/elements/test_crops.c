/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that are a part of a larger one, as GstVideoCropMeta says. */
#include "element_fixture.h"

#include <string.h>

/* Also of fields of chroma a whole number of rows. */
#define RADIUS 4
#define BLUR "gpublur kernel=box radius=4"

/* Of a larger frame of 32 x 32 with other pixels around it. Where rows and
 * columns of the second plane begin is said, not computed: fields keep their
 * rows. */
typedef struct
{
  const gchar *format;
  guint width, height, x, y;
  gboolean interlaced;
  guint chroma_x, chroma_y;
  gboolean swapped;             /* each odd row of chroma lies above its even one */
} Crop;

static const Crop crops[] = {
  {"RGBA", 16, 16, 8, 8, FALSE, 0, 0},
  {"RGBA", 17, 9, 0, 0, FALSE, 0, 0},
  {"RGBA", 17, 9, 15, 23, FALSE, 0, 0},
  {"RGBA", 1, 2, 10, 10, FALSE, 0, 0},
  {"RGB", 17, 9, 4, 3, FALSE, 0, 0},
  {"RGB", 17, 9, 5, 3, FALSE, 0, 0},
  {"NV12", 16, 16, 8, 8, FALSE, 4, 4},
  {"NV12", 17, 9, 3, 5, FALSE, 1, 2},
  {"NV12", 17, 9, 15, 23, FALSE, 7, 11},
  {"I420", 16, 16, 8, 8, FALSE, 4, 4},
  {"I420", 16, 16, 16, 16, FALSE, 8, 8},
  {"I420", 17, 9, 2, 7, FALSE, 1, 3},
  {"I420", 16, 16, 8, 4, TRUE, 4, 2},
  {"I420", 16, 16, 8, 6, TRUE, 4, 2},
  {"I420", 16, 16, 8, 7, TRUE, 4, 3},
  {"I420", 16, 16, 8, 5, TRUE, 4, 3, TRUE},
  {"I420", 16, 31, 8, 1, TRUE, 4, 1, TRUE},
  {"NV12", 16, 27, 8, 5, TRUE, 4, 3, TRUE},
  {"GRAY8", 17, 9, 4, 4, FALSE, 0, 0},
  {"GRAY8", 17, 9, 1, 1, FALSE, 0, 0},
};

static void
set_cropped_caps (GstHarness * h, const Crop * c)
{
  GstCaps *caps = fixture_caps (c->format, c->width, c->height);

  if (c->interlaced)
    gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, "interleaved",
        NULL);
  gst_harness_set_src_caps (h, caps);
}

static GstVideoInfo
full_info (const Crop * c)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, gst_video_format_from_string (c->format),
      32, 32);
  return info;
}

/* Where row @y of a plane of the cropped frame lies. */
static guint8 *
find_row (const GstVideoFrame * full, const Crop * c, guint plane, guint y)
{
  guint column = plane == 0 ? c->x : c->chroma_x;
  guint row = plane == 0 ? c->y + y : c->chroma_y + y;

  if (plane > 0 && c->swapped && y % 2 == 1)
    row -= 2;
  return (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (full, plane)
      + row * GST_VIDEO_FRAME_PLANE_STRIDE (full, plane)
      + column * GST_VIDEO_FRAME_COMP_PSTRIDE (full, plane);
}

/* A frame of noise of the rectangle's size, laid into the rectangle. */
static void
fill_rectangle (GstBuffer * buffer, const GstVideoInfo * info, const Crop * c,
    guint seed)
{
  g_autoptr (GstBuffer) noise = fixture_frame (c->format, c->width, c->height,
      seed);
  GstVideoFrame full, part;
  GstVideoInfo size;

  gst_video_info_set_format (&size, GST_VIDEO_INFO_FORMAT (info), c->width,
      c->height);
  g_assert_true (gst_video_frame_map (&full, info, buffer, GST_MAP_WRITE));
  g_assert_true (gst_video_frame_map (&part, &size, noise, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&part, i); y++)
      memcpy (find_row (&full, c, i, y),
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&part, i)
          + y * GST_VIDEO_FRAME_PLANE_STRIDE (&part, i),
          GST_VIDEO_FRAME_COMP_WIDTH (&part, i)
          * GST_VIDEO_FRAME_COMP_PSTRIDE (&part, i));
  gst_video_frame_unmap (&part);
  gst_video_frame_unmap (&full);
}

/* In the larger frame, with what a detector found out about it. */
static void
add_face (GstBuffer * buffer)
{
  GstVideoRegionOfInterestMeta *face =
      gst_buffer_add_video_region_of_interest_meta (buffer, "face", 9, 9, 3, 4);

  face->id = 5;
  gst_video_region_of_interest_meta_add_param (face,
      gst_structure_new_empty ("detection"));
}

/* What is left of it lies where the rectangle shows it. */
static void
check_face (GstBuffer * out, const Crop * c)
{
  guint left = MAX (9, c->x), top = MAX (9, c->y);
  guint right = MIN (12, c->x + c->width), bottom = MIN (13, c->y + c->height);
  GstVideoRegionOfInterestMeta *face =
      gst_buffer_get_video_region_of_interest_meta_id (out, 5);

  if (left >= right || top >= bottom) {
    g_assert_null (face);
    return;
  }
  g_assert_nonnull (face);
  g_assert_cmpstr (g_quark_to_string (face->roi_type), ==, "face");
  g_assert_cmpuint (face->x, ==, left - c->x);
  g_assert_cmpuint (face->y, ==, top - c->y);
  g_assert_cmpuint (face->w, ==, right - left);
  g_assert_cmpuint (face->h, ==, bottom - top);
  g_assert_nonnull (gst_video_region_of_interest_meta_get_param (face,
          "detection"));
}

/* @buffer: room for 32 x 32. */
static void
make_cropped_frame (GstBuffer * buffer, const Crop * c, guint seed)
{
  GstVideoInfo full = full_info (c);
  GstVideoCropMeta *crop;

  gst_buffer_memset (buffer, 0, 77, full.size);
  if (!gst_buffer_get_video_meta (buffer))
    gst_buffer_add_video_meta (buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (&full), 32, 32);
  fill_rectangle (buffer, &full, c, seed);
  add_face (buffer);
  crop = gst_buffer_add_video_crop_meta (buffer);
  crop->x = c->x;
  crop->y = c->y;
  crop->width = c->width;
  crop->height = c->height;
}

static GstBuffer *
new_cropped_frame (const Crop * c, guint seed)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, full_info (c).size, NULL);

  make_cropped_frame (buffer, c, seed);
  return buffer;
}

/* Pixels outside of the rectangle are no part of the picture: what lies beyond
 * its edges is what edge-mode says. */
static void
push_and_check (GstHarness * h, GstBuffer * buffer, const Crop * c, guint seed,
    guint radius)
{
  const ElementBox box = {.format = c->format, .width = c->width,
    .height = c->height, .seed = seed, .radius = radius,
    .of_fields = c->interlaced};
  g_autoptr (GstBuffer) out = NULL;
  GstVideoInfo info;

  g_test_message ("%s %u x %u at %u, %u", c->format, c->width, c->height, c->x,
      c->y);
  gst_video_info_set_format (&info, gst_video_format_from_string (c->format),
      c->width, c->height);
  fixture_push (h, buffer, GST_FLOW_OK);
  out = gst_harness_pull (h);
  g_assert_true (fixture_is_box (out, &box));
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  g_assert_null (gst_buffer_get_video_meta (out));
  check_face (out, c);
  g_assert_cmpuint (gst_buffer_get_size (out), ==, info.size);
}

TEST (worked_on)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    set_cropped_caps (h, &crops[i]);
    push_and_check (h, new_cropped_frame (&crops[i], i), &crops[i], i, RADIUS);
  }
}

/* Frames that pass through too, where nobody asked for the meta. */
TEST (passing)
{
  GstHarness *h = fixture_harness ("gpublur sigma=0");

  for (guint i = 0; i < G_N_ELEMENTS (crops); i++) {
    set_cropped_caps (h, &crops[i]);
    push_and_check (h, new_cropped_frame (&crops[i], i), &crops[i], i, 0);
  }
  fixture_harness_free (h);

  /* The larger frame and the rectangle in it: who knows but one knows neither. */
  for (guint known = 1; known <= 3; known++) {
    h = fixture_harness ("gpublur sigma=0");
    if (known & 1)
      gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE,
          NULL);
    if (known & 2)
      gst_harness_add_propose_allocation_meta (h,
          GST_VIDEO_CROP_META_API_TYPE, NULL);
    set_cropped_caps (h, &crops[0]);
    g_assert_cmpint (fixture_passes (h, new_cropped_frame (&crops[0],
                1)), ==, known == 3);
    fixture_harness_free (h);
  }
}

/* A rectangle that begins on whole words is read where it lies: uploaded once,
 * however often. Others are copied first. */
TEST (in_our_memory)
{
  static const struct
  {
    Crop crop;
    guint uploads;
  } cases[] = {
    {{"RGBA", 16, 16, 3, 5, FALSE, 0, 0}, 1},
    {{"NV12", 16, 16, 8, 8, FALSE, 4, 4}, 1},
    {{"NV12", 16, 16, 7, 8, FALSE, 3, 4}, 2},
    {{"NV12", 16, 16, 8, 6, TRUE, 4, 2}, 1},
    {{"NV12", 16, 16, 8, 5, TRUE, 4, 3, TRUE}, 2},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Crop *c = &cases[i].crop;
    g_autoptr (Harness) h = fixture_harness (BLUR);
    GstBufferPool *pool = fixture_take_pool (h, c->format, 32, 32);
    GstBuffer *buffer = fixture_acquire (pool);

    set_cropped_caps (h, c);
    make_cropped_frame (buffer, c, 5);
    for (guint k = 0; k < 2; k++)
      push_and_check (h, gst_buffer_ref (buffer), c, 5, RADIUS);
    fixture_check_stat (h->element, "uploads",
        fixture_transfers (cases[i].uploads));
    gst_buffer_unref (buffer);
    fixture_release_pool (pool);
  }
}

FIXTURE_MAIN ("/crops/")
