/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames that pass through, as there is nothing to do, and changes between that
 * and work. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"

/* As a decoder makes it: 100 x 50, with room around it. */
static GstBuffer *
make_padded_frame (guint seed)
{
  GstVideoAlignment align;
  GstVideoInfo info, padded;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 100, 50);
  padded = info;
  gst_video_alignment_reset (&align);
  align.padding_left = align.padding_right = 32;
  align.padding_top = align.padding_bottom = 32;
  g_assert_true (gst_video_info_align (&padded, &align));
  buffer = gst_buffer_new_allocate (NULL, padded.size, NULL);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 100, 50, 3, padded.offset, padded.stride);
  fixture_fill (buffer, &info, seed);
  return buffer;
}

/* The rectangle is all that there is. */
static void
add_crop_of_nothing (GstBuffer * buffer, guint width, guint height)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->width = width;
  crop->height = height;
}

/* Who knows no layouts gets the one that it expects, and as many bytes. */
TEST (padded)
{
  g_autoptr (Harness) h = fixture_play ("gpublur sigma=0", "I420", 100, 50);
  GstBuffer *in, *out;
  GstVideoInfo info;

  in = make_padded_frame (1);
  GST_BUFFER_PTS (in) = 40 * GST_MSECOND;
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 2, 3, 4);
  out = gst_harness_push_and_pull (h, in);
  g_assert_cmpuint (gst_buffer_get_size (out), ==, 7600);
  g_assert_null (gst_buffer_get_video_meta (out));
  g_assert_true (fixture_is_box (out, BOX_OF ("I420", 100, 50, 1, 0)));
  g_assert_cmpuint (GST_BUFFER_PTS (out), ==, 40 * GST_MSECOND);
  g_assert_nonnull (gst_buffer_get_video_region_of_interest_meta_id (out, 0));
  gst_buffer_unref (out);

  /* More bytes than are expected, which no meta speaks of. */
  in = gst_buffer_append (fixture_frame ("I420", 100, 50, 2),
      gst_buffer_new_allocate (NULL, 100, NULL));
  out = gst_harness_push_and_pull (h, in);
  g_assert_cmpuint (gst_buffer_get_size (out), ==, 7600);
  g_assert_true (fixture_is_box (out, BOX_OF ("I420", 100, 50, 2, 0)));
  gst_buffer_unref (out);

  /* As many bytes, in another order. */
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 100, 50);
  in = gst_buffer_new_allocate (NULL, 7600, NULL);
  gst_buffer_add_video_meta_full (in, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 100, 50, 3, (gsize[4]) {info.offset[0],
        info.offset[2], info.offset[1]},
      info.stride);
  fixture_fill (in, &info, 3);
  out = gst_harness_push_and_pull (h, in);
  g_assert_null (gst_buffer_get_video_meta (out));
  g_assert_true (fixture_is_box (out, BOX_OF ("I420", 100, 50, 3, 0)));
  gst_buffer_unref (out);

  /* What lies as expected passes as it is, whether metas say so or not. */
  for (guint i = 0; i < 4; i++) {
    in = fixture_frame ("I420", 100, 50, 2);
    if (i & 1)
      gst_buffer_add_video_meta (in, GST_VIDEO_FRAME_FLAG_NONE,
          GST_VIDEO_FORMAT_I420, 100, 50);
    if (i & 2)
      add_crop_of_nothing (in, 100, 50);
    g_assert_true (fixture_passes (h, in));
  }
}

TEST (padded_when_asked)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=0");

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  fixture_set_caps (h, "I420", 100, 50);
  g_assert_true (fixture_passes (h, make_padded_frame (1)));
}

/* What no shader could take passes, laid out as it is expected; until there is
 * something to do. Nobody is asked for our memory, which could not hold it. */
TEST (too_large)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box radius=2");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  g_autoptr (GstCaps) caps = fixture_caps ("I420", 100, 50);
  GstQuery *query = gst_query_new_allocation (caps, TRUE);
  gsize limit = device->info.max_binding;
  GstBuffer *out;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  fixture_set_caps (h, "RGB", 17, 9);
  fixture_show (h, fixture_frame ("RGB", 17, 9, 1));

  device->info.max_binding = 4096;
  g_object_set (h->element, "radius", 0, NULL);
  fixture_set_caps (h, "I420", 100, 50);
  g_assert_true (fixture_passes (h, fixture_frame ("I420", 100, 50, 2)));
  out = gst_harness_push_and_pull (h, make_padded_frame (3));
  g_assert_cmpuint (gst_buffer_get_size (out), ==, 7600);
  g_assert_true (fixture_is_box (out, BOX_OF ("I420", 100, 50, 3, 0)));
  gst_buffer_unref (out);
  gst_pad_peer_query (h->srcpad, query);
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 0);
  g_assert_false (gst_query_find_allocation_meta (query,
          GST_VIDEO_CROP_META_API_TYPE, NULL));
  gst_query_unref (query);

  g_object_set (h->element, "radius", 2, NULL);
  fixture_push (h, fixture_frame ("I420", 100, 50, 4), GST_FLOW_ERROR);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "use smaller frames");
  device->info.max_binding = limit;
}

/* Two elements that begin and cease to pass frames through. A source that was
 * told once where to write goes on doing so, nothing is copied on the CPU, and
 * nothing between the two: each frame is pushed twice, but uploaded once. */
TEST (and_working)
{
  static const guint radii[][2] = {
    {0, 0}, {0, 0}, {2, 0}, {0, 2}, {0, 0}, {0, 2}, {2, 0}, {0, 0}, {2, 0}
  };
  g_autoptr (Harness) h = fixture_harness ("gpublur name=a kernel=box radius=0 "
      "! gpublur name=b kernel=box radius=0");
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");
  GstBufferPool *pool = fixture_take_pool (h, "NV12", 33, 20);
  guint n_a = 0, n_b = 0;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 33, 20);
  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    GstBuffer *buffer;

    g_object_set (a, "radius", radii[i][0], NULL);
    g_object_set (b, "radius", radii[i][1], NULL);
    n_a += radii[i][0] > 0;
    n_b += radii[i][1] > 0;
    buffer = fixture_acquire (pool);
    fixture_fill (buffer, &info, i);
    for (guint k = 0; k < 2; k++) {
      g_autoptr (GstBuffer) out =
          gst_harness_push_and_pull (h, gst_buffer_ref (buffer));

      g_assert_true (fixture_is_box (out,
              BOX_OF ("NV12", 33, 20, i, radii[i][0] + radii[i][1])));
    }
    gst_buffer_unref (buffer);
    fixture_check_stat (a, "frames", 2 * n_a);
    fixture_check_stat (b, "frames", 2 * n_b);
    g_assert_cmpuint (fixture_stat (a, "uploads")
        + fixture_stat (b, "uploads"), ==, fixture_transfers (n_a + n_b));
    fixture_check_stat (a, "downloads", fixture_transfers (2 * n_a));
    fixture_check_stat (b, "downloads", fixture_transfers (2 * n_b));
  }
  fixture_release_pool (pool);
}

/* --- caps of others --- */

#define SIZE "width=64, height=32, framerate=25/1"

static const gchar *const foreign[] = {
  "video/x-raw, format=v210, " SIZE,
  "video/x-raw, format=I420, interlace-mode=fields, " SIZE,
  "video/x-raw, format=I420, multiview-mode=separated, views=2, " SIZE,
  "video/x-raw(memory:VulkanImage), format=GRAY8, " SIZE,
  "video/x-raw(memory:DMABuf), format=DMA_DRM, drm-format=NV12:0x1, " SIZE,
};

/* Of no size that a format has. */
static void
push_foreign (GstHarness * h)
{
  for (guint i = 0; i < 3; i++)
    g_assert_true (fixture_passes (h, gst_buffer_new_allocate (NULL, 7, NULL)));
}

/* Nothing of ours is offered for them, and the next element is asked. */
static void
check_foreign_allocation (GstHarness * h, const gchar * caps)
{
  g_autoptr (GstCaps) fixed = gst_caps_from_string (caps);
  g_autoptr (GstQuery) query = gst_query_new_allocation (fixed, TRUE);

  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 0);
  g_assert_true (gst_query_find_allocation_meta (query,
          GST_VIDEO_CROP_META_API_TYPE, NULL));
}

static void
check_no_warning (GstHarness * h)
{
  fixture_check_messages (h->element, GST_MESSAGE_WARNING | GST_MESSAGE_ERROR,
      0);
}

static void
check_one_warning (GstHarness * h)
{
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "can only pass through");
}

/* Where there is nothing to be done all frames pass, whatever they are. When there
 * is, those that nobody can work on go on passing, which is said once per start;
 * others are worked on. */
static void
check_foreign (const gchar * element, const gchar * property, gdouble working)
{
  g_autoptr (Harness) h = fixture_harness (element);

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
      NULL);
  for (guint i = 0; i < G_N_ELEMENTS (foreign); i++) {
    gst_harness_set_src_caps_str (h, foreign[i]);
    push_foreign (h);
    check_foreign_allocation (h, foreign[i]);
    check_no_warning (h);

    g_object_set (h->element, property, working, NULL);
    push_foreign (h);
    if (i == 0)
      check_one_warning (h);
    gst_harness_push_upstream_event (h, gst_event_new_reconfigure ());
    push_foreign (h);
    check_no_warning (h);

    g_object_set (h->element, property, 0.0, NULL);
    push_foreign (h);
    fixture_set_caps (h, "NV12", 64, 32);
    g_assert_true (fixture_passes (h, fixture_frame ("NV12", 64, 32, i)));
    g_object_set (h->element, property, working, NULL);
    g_assert_false (fixture_passes (h, fixture_frame ("NV12", 64, 32, i)));
    g_object_set (h->element, property, 0.0, NULL);
    check_no_warning (h);
  }
  fixture_check_stat (h->element, "frames", G_N_ELEMENTS (foreign));

  /* Nothing of that is left at the next start. */
  gst_harness_set_src_caps_str (h, foreign[0]);
  push_foreign (h);
  g_object_set (h->element, property, working, NULL);
  fixture_restart (h);
  gst_harness_set_src_caps_str (h, foreign[0]);
  fixture_push (h, gst_buffer_new_allocate (NULL, 7, NULL),
      GST_FLOW_NOT_NEGOTIATED);
}

TEST (foreign)
{
  check_foreign ("gpublur sigma=0 method=separable", "sigma", 2);
  check_foreign ("meanshiftpalette radius=0", "radius", 0.1);
}

static gboolean
offer_anything (GstPad * pad, GstObject * parent, GstQuery * query)
{
  GstCaps *filter;

  if (GST_QUERY_TYPE (query) != GST_QUERY_CAPS)
    return gst_pad_query_default (pad, parent, query);
  gst_query_parse_caps (query, &filter);
  if (!filter)
    return FALSE;
  gst_query_set_caps_result (query, filter);
  return TRUE;
}

/* Who says that there could be other frames is asked for them, and those that come
 * nevertheless go on passing, also with other caps. */
TEST (foreign_nevertheless)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=0 method=separable");

  gst_harness_set_src_caps_str (h, foreign[0]);
  gst_pad_set_query_function (h->srcpad, offer_anything);
  g_object_set (h->element, "sigma", 2.0, NULL);
  g_assert_true (fixture_passes (h, gst_buffer_new_allocate (NULL, 7, NULL)));
  check_no_warning (h);
  push_foreign (h);
  check_one_warning (h);
  gst_pad_push_event (h->sinkpad, gst_event_new_reconfigure ());
  push_foreign (h);
  gst_harness_set_src_caps_str (h, foreign[1]);
  push_foreign (h);
  check_no_warning (h);
}

/* Caps that are refused leave all as it was. */
TEST (foreign_stay)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=0 method=separable");
  g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  gsize limit = device->info.max_binding;

  gst_harness_set_src_caps_str (h, foreign[0]);
  push_foreign (h);
  g_object_set (h->element, "sigma", 2.0, NULL);
  device->info.max_binding = 64;
  fixture_set_caps (h, "NV12", 64, 32);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "use smaller frames");
  g_assert_cmpint (gst_pad_chain (sink, gst_buffer_new_allocate (NULL, 7,
              NULL)), ==, GST_FLOW_OK);
  device->info.max_binding = limit;
}

FIXTURE_MAIN ("/passing/")
