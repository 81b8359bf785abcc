/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames whose memory has come before: they are not copied again. */
#include "element_fixture.h"

#define RADIUS 2
#define BLUR "gpublur kernel=box radius=2"

static void
check_copied (GstHarness * h, guint n)
{
  fixture_check_stat (h->element, "frames-copied", n);
}

static void
push_again (GstHarness * h, GstBuffer * picture, guint n, guint seed)
{
  for (guint i = 0; i < n; i++)
    fixture_check_box (h, gst_buffer_copy (picture),
        BOX_OF ("RGBA", 17, 9, seed, RADIUS));
}

/* Whether nobody but @picture has its memory. */
static gboolean
is_given_back (GstBuffer * picture)
{
  return gst_memory_is_writable (gst_buffer_peek_memory (picture, 0));
}

static void
drain (GstHarness * h)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();

  gst_pad_peer_query (h->srcpad, query);
}

/* A still picture: after it has come three times, it is not copied again. */
TEST (still)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 80 };
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBuffer *picture = gst_buffer_new_allocate (NULL, 2000, NULL), *other;
  GstBuffer *got, *expected;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 17, 9);
  fixture_set_caps (h, "RGBA", 17, 9);
  fixture_fill (picture, &info, 1);
  push_again (h, picture, 5, 1);
  check_copied (h, 3);

  /* The memory is held, so another one is written. */
  fixture_fill (picture, &info, 2);
  push_again (h, picture, 4, 2);
  check_copied (h, 6);

  /* The same memory, laid out differently. */
  other = gst_buffer_copy (picture);
  gst_buffer_add_video_meta_full (other, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 17, 9, 1, offset, stride);
  expected = gst_harness_push_and_pull (h, gst_buffer_copy_deep (other));
  push_again (h, picture, 4, 2);
  check_copied (h, 10);
  got = gst_harness_push_and_pull (h, other);
  check_copied (h, 11);
  fixture_assert_equal (got, expected);
  push_again (h, picture, 1, 2);

  gst_buffer_unref (expected);
  gst_buffer_unref (got);
  gst_buffer_unref (picture);
}

/* Memory is given back if the element is drained, and when frames begin to pass. */
TEST (given_back)
{
  g_autoptr (Harness) h = fixture_play (BLUR, "RGBA", 17, 9);
  g_autoptr (GstBuffer) picture = fixture_frame ("RGBA", 17, 9, 1);

  push_again (h, picture, 2, 1);
  g_assert_true (is_given_back (picture));
  push_again (h, picture, 1, 1);
  g_assert_false (is_given_back (picture));
  drain (h);
  g_assert_true (is_given_back (picture));

  push_again (h, picture, 3, 1);
  g_assert_false (is_given_back (picture));
  g_object_set (h->element, "radius", 0, NULL);
  fixture_show (h, fixture_frame ("RGBA", 17, 9, 2));
  g_assert_true (is_given_back (picture));
}

/* Two elements of the same kind. The second one gets new memory with each frame. */
typedef struct
{
  GstHarness *h, *other;
} Pair;

static Pair
make_pair (const gchar * description)
{
  return (Pair) {
    fixture_harness (description), fixture_harness (description)
  };
}

static void
set_caps (Pair * pair, const gchar * caps)
{
  gst_harness_set_src_caps_str (pair->h, caps);
  gst_harness_set_src_caps_str (pair->other, caps);
}

static void
free_pair (Pair * pair)
{
  fixture_harness_free (pair->h);
  fixture_harness_free (pair->other);
}

/* Pushes @picture until it is held, and once more. Both elements must have the same
 * output. The first one must have copied @n frames by then. */
static void
check_held (Pair * pair, GstBuffer * picture, guint n)
{
  for (guint i = 0; i < 4; i++) {
    GstBuffer *got =
        gst_harness_push_and_pull (pair->h, gst_buffer_copy (picture));
    g_autoptr (GstBuffer) expected = gst_harness_push_and_pull (pair->other,
        gst_buffer_copy_deep (picture));

    fixture_assert_equal (got, expected);
    gst_buffer_unref (got);
  }
  check_copied (pair->h, n);
}

#define CAPS "video/x-raw, framerate=25/1, "

/* The memory stays the same, but another part of it becomes the frame, or the frame becomes
 * interlaced. */
TEST (described_anew)
{
  Pair pair = make_pair (BLUR);
  g_autoptr (GstBuffer) picture = fixture_frame ("NV12", 32, 32, 1);
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (picture);

  set_caps (&pair, CAPS "format=NV12, width=16, height=16, "
      "interlace-mode=mixed");
  gst_buffer_add_video_meta (picture, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_NV12, 32, 32);
  crop->width = crop->height = 16;
  check_held (&pair, picture, 3);
  crop->x = 8;
  check_held (&pair, picture, 4);
  crop->y = 8;
  check_held (&pair, picture, 5);
  GST_BUFFER_FLAG_SET (picture, GST_VIDEO_BUFFER_FLAG_INTERLACED);
  check_held (&pair, picture, 6);
  free_pair (&pair);
}

/* Metas that describe the content of a frame are read from each buffer. */
TEST (with_regions)
{
  Pair pair = make_pair ("gpublur sigma=0 roi-action=fill roi-source=meta "
      "on-missing=pass");
  g_autoptr (GstBuffer) picture = fixture_frame ("RGBA", 32, 32, 1);
  GstVideoRegionOfInterestMeta *region =
      gst_buffer_add_video_region_of_interest_meta (picture, "face", 3, 5, 9,
      7);

  set_caps (&pair, CAPS "format=RGBA, width=32, height=32");
  check_held (&pair, picture, 3);
  region->x = 20;
  check_held (&pair, picture, 3);
  free_pair (&pair);
}

/* New caps give the memory back at once, before a frame comes. */
TEST (with_other_caps)
{
  static const gchar *caps[] = {
    CAPS "format=RGBA, width=17, height=9", CAPS "format=BGRA, width=17, "
        "height=9", CAPS "format=BGRA, width=9, height=17"
  };
  Pair pair = make_pair (BLUR);
  g_autoptr (GstBuffer) picture = fixture_frame ("RGBA", 17, 9, 1);

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    set_caps (&pair, caps[i]);
    g_assert_true (is_given_back (picture));
    check_held (&pair, picture, 3 * (i + 1));
    g_assert_false (is_given_back (picture));
  }
  free_pair (&pair);
}

/* A pool of one frame in system memory. */
static GstBufferPool *
make_foreign_pool (gsize size)
{
  GstBufferPool *pool = gst_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, NULL, size, 1, 1);
  gst_buffer_pool_set_config (pool, config);
  gst_buffer_pool_set_active (pool, TRUE);
  return pool;
}

/* Memory that a source fills again for each frame is copied each time, and given back. */
TEST (refilled)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBufferPool *pool = make_foreign_pool (17 * 9 * 4);
  GstMemory *memory = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 17, 9);
  fixture_set_caps (h, "RGBA", 17, 9);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *frame = fixture_acquire (pool);

    g_assert_true (i == 0 || gst_buffer_peek_memory (frame, 0) == memory);
    memory = gst_buffer_peek_memory (frame, 0);
    fixture_fill (frame, &info, i);
    fixture_check_box (h, frame, BOX_OF ("RGBA", 17, 9, i, RADIUS));
  }
  check_copied (h, 5);
  fixture_release_pool (pool);
}

FIXTURE_MAIN ("/repeated-frames/")
