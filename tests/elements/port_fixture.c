/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "port_fixture.h"

/* Takes over @caps. */
static GstCaps *
mark (GstCaps * caps, const gchar * memory)
{
  g_autofree gchar *feature = g_strconcat ("memory:", memory, NULL);

  gst_caps_set_features_simple (caps, gst_caps_features_new (feature, NULL));
  return caps;
}

GstCaps *
port_caps (const gchar * memory, const gchar * format, guint width,
    guint height)
{
  return mark (fixture_caps (format, width, height), memory);
}

gboolean
port_is_in (const gchar * memory, GstCaps * caps)
{
  g_autoptr (GstCaps) all =
      mark (gst_caps_from_string ("video/x-raw, format=NV12"), memory);

  return gst_caps_can_intersect (caps, all);
}

const GValue *
port_formats (const gchar * memory, const gchar * element)
{
  g_autoptr (LoneElement) lone = fixture_element (element);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (lone, "sink");
  g_autoptr (GstCaps) all = gst_pad_get_pad_template_caps (pad);

  for (guint i = 0; i < gst_caps_get_size (all); i++) {
    g_autoptr (GstCaps) one = gst_caps_copy_nth (all, i);

    if (port_is_in (memory, one)
        && !gst_caps_features_is_any (gst_caps_get_features (all, i)))
      return gst_structure_get_value (gst_caps_get_structure (all, i),
          "format");
  }
  g_assert_not_reached ();
}

static GstPadProbeReturn
answer_allocation (GstPad * pad, GstPadProbeInfo * info, gpointer pool)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, pool, 1, 1, 0);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

void
port_propose_pool (GstHarness * harness, GstBufferPool * pool)
{
  gst_pad_add_probe (harness->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      answer_allocation, pool, gst_object_unref);
}

void
port_crop (GstBuffer * buffer, guint x, guint y, guint width, guint height)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = x;
  crop->y = y;
  crop->width = width;
  crop->height = height;
}

static void
assert_equal_rows (const GstVideoFrame * got, const GstVideoFrame * expected,
    guint plane)
{
  const guint8 *one = GST_VIDEO_FRAME_PLANE_DATA (got, plane);
  const guint8 *other = GST_VIDEO_FRAME_PLANE_DATA (expected, plane);
  gint components[GST_VIDEO_MAX_COMPONENTS];
  gsize size;

  gst_video_format_info_component (got->info.finfo, plane, components);
  size = GST_VIDEO_FRAME_COMP_WIDTH (got, components[0])
      * GST_VIDEO_FRAME_COMP_PSTRIDE (got, components[0]);
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (got, components[0]); y++)
    g_assert_cmpmem (one + y * GST_VIDEO_FRAME_PLANE_STRIDE (got, plane), size,
        other + y * GST_VIDEO_FRAME_PLANE_STRIDE (expected, plane), size);
}

void
port_assert_equal (GstBuffer * got, GstBuffer * expected, const gchar * format,
    guint width, guint height)
{
  g_autoptr (GstCaps) caps = fixture_caps (format, width, height);
  GstVideoFrame one, other;
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  g_assert_true (gst_video_frame_map (&one, &info, got, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&other, &info, expected, GST_MAP_READ));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (&one); i++)
    assert_equal_rows (&one, &other, i);
  gst_video_frame_unmap (&one);
  gst_video_frame_unmap (&other);
}

void
port_check_crop (GstHarness * harness, const gchar * elements,
    GstBuffer * frame)
{
  g_autoptr (Harness) plain = fixture_play (elements, "NV12", 30, 20);
  GstBuffer *other = fixture_frame ("NV12", 61, 37, 1);
  g_autoptr (GstBuffer) out = NULL;
  g_autoptr (GstBuffer) expected = NULL;

  gst_buffer_add_video_meta (other, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_NV12, 61, 37);
  port_crop (frame, 31, 17, 30, 20);
  port_crop (other, 31, 17, 30, 20);
  out = gst_harness_push_and_pull (harness, frame);
  expected = gst_harness_push_and_pull (plain, other);
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  port_assert_equal (out, expected, "NV12", 30, 20);
}

void
port_check_stats (GstElement * element, const gchar * in, const gchar * out,
    guint n)
{
  g_autoptr (GstStructure) stats = NULL;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_cmpstr (gst_structure_get_string (stats, "input-memory"), ==, in);
  g_assert_cmpstr (gst_structure_get_string (stats, "output-memory"), ==, out);
  fixture_check_stat (element, "frames", n);
  fixture_check_stat (element, "dropped", 0);
  fixture_check_stat (element, "frames-copied", 0);
  fixture_check_stat (element, "uploads", 0);
  fixture_check_stat (element, "downloads", 0);
}
