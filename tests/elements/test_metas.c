/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What frames and caps carry besides pixels, and what is asked of upstream. */
#include "element_fixture.h"

#define RADIUS 2
#define BLUR "gpublur kernel=box radius=2"

static const gchar *colour_tags[] = {
  GST_META_TAG_VIDEO_STR, GST_META_TAG_VIDEO_COLORSPACE_STR, NULL
};

static const gchar *sound_tags[] = { "audio", NULL };

TEST (metas)
{
  g_autoptr (GstCaps) reference = gst_caps_new_empty_simple ("timestamp/x");
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBuffer *in = fixture_frame ("RGBA", 17, 9, 1);
  GstVideoRegionOfInterestMeta *region;
  GstVideoCropMeta *crop;
  g_autoptr (GstBuffer) out = NULL;

  gst_meta_register_custom ("TestColours", colour_tags, NULL, NULL, NULL);
  gst_meta_register_custom ("TestSound", sound_tags, NULL, NULL, NULL);
  crop = gst_buffer_add_video_crop_meta (in);
  crop->x = 3;
  crop->width = 10;
  gst_buffer_add_video_region_of_interest_meta (in, "face", 1, 2, 3, 4);
  gst_buffer_add_reference_timestamp_meta (in, reference, 77, 1);
  gst_buffer_add_video_meta (in, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 17, 9);
  g_assert_nonnull (gst_buffer_add_custom_meta (in, "TestColours"));
  g_assert_nonnull (gst_buffer_add_custom_meta (in, "TestSound"));
  GST_BUFFER_PTS (in) = 40 * GST_MSECOND;
  GST_BUFFER_DTS (in) = 30 * GST_MSECOND;
  GST_BUFFER_DURATION (in) = 40 * GST_MSECOND;
  GST_BUFFER_OFFSET (in) = 5;
  GST_BUFFER_FLAG_SET (in, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  GST_BUFFER_FLAG_SET (in, GST_VIDEO_BUFFER_FLAG_TFF);
  GST_BUFFER_FLAG_SET (in, GST_BUFFER_FLAG_MARKER);

  fixture_set_caps (h, "RGBA", 17, 9);
  out = gst_harness_push_and_pull (h, in);

  /* Of another size than the frame: only a remark. */
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  region = gst_buffer_get_video_region_of_interest_meta_id (out, 0);
  g_assert_nonnull (region);
  g_assert_cmpuint (region->w, ==, 3);
  g_assert_nonnull (gst_buffer_get_reference_timestamp_meta (out, reference));
  g_assert_nonnull (gst_buffer_get_custom_meta (out, "TestColours"));
  g_assert_null (gst_buffer_get_custom_meta (out, "TestSound"));
  g_assert_null (gst_buffer_get_video_meta (out));

  g_assert_cmpuint (GST_BUFFER_PTS (out), ==, 40 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DTS (out), ==, 30 * GST_MSECOND);
  g_assert_cmpuint (GST_BUFFER_DURATION (out), ==, 40 * GST_MSECOND);
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out,
          GST_VIDEO_BUFFER_FLAG_INTERLACED));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_VIDEO_BUFFER_FLAG_TFF));
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, GST_BUFFER_FLAG_MARKER));
  g_assert_true (fixture_is_box (out, BOX_OF ("RGBA", 17, 9, 1, RADIUS)));
}

/* What may be asked of upstream because downstream understands it. Not
 * cropping, whether frames pass through or not. */
TEST (proposed_metas)
{
  static const gchar *const elements[] = {
    BLUR, "gpublur sigma=0", "gpublur sigma=0 ! gpublur",
    "gpublur ! gpublur sigma=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Harness) h = fixture_harness (elements[i]);
    g_autoptr (GstCaps) caps = fixture_caps ("RGBA", 17, 9);
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

    gst_harness_add_propose_allocation_meta (h,
        GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL);
    gst_harness_add_propose_allocation_meta (h, GST_VIDEO_CROP_META_API_TYPE,
        NULL);
    fixture_set_caps (h, "RGBA", 17, 9);
    fixture_show (h, fixture_frame ("RGBA", 17, 9, 1));
    g_assert_true (gst_pad_peer_query (h->srcpad, query));
    g_assert_true (gst_query_find_allocation_meta (query,
            GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE, NULL));
    g_assert_false (gst_query_find_allocation_meta (query,
            GST_VIDEO_CROP_META_API_TYPE, NULL));
  }
}

/* Frames that pass on are held by who comes next as well as by us. */
TEST (proposed_number)
{
  g_autoptr (Harness) h = fixture_play ("gpublur sigma=0 async-depth=2 "
      "! gpublur async-depth=2", "RGBA", 17, 9);
  g_autoptr (GstCaps) caps = fixture_caps ("RGBA", 17, 9);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  guint min;

  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, &min, NULL);
  g_assert_cmpuint (min, ==, 3 + 3);
}

/* Colorimetry, siting, aspect ratio and interlacing of the caps. */
TEST (caps_fields)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  g_autoptr (GstCaps) caps =
      gst_caps_from_string ("video/x-raw, format=I420, width=32, "
      "height=16, framerate=30/1, colorimetry=1:3:5:1, chroma-site=mpeg2, "
      "pixel-aspect-ratio=4/3, interlace-mode=interleaved, "
      "field-order=top-field-first");
  g_autoptr (GstCaps) out = NULL;

  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  fixture_show (h, fixture_frame ("I420", 32, 16, 1));
  out = gst_pad_get_current_caps (h->sinkpad);
  g_assert_true (gst_caps_is_equal (caps, out));
}

FIXTURE_MAIN ("/metas/")
