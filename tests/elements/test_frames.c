/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Frames go in as other elements make them, and come out as others expect
 * them. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "lazy_device.h"

#define RADIUS 2
#define BLUR "gpublur kernel=box radius=2"

/* @buffer: the frame of noise of @seed. */
static void
push_and_check (GstHarness * h, GstBuffer * buffer, const gchar * format,
    guint width, guint height, guint seed)
{
  fixture_check_box (h, buffer, BOX_OF (format, width, height, seed, RADIUS));
}

/* A harness does not offer GstVideoMeta, nor does a file sink: output must have the layout
 * that the caps alone describe. */
TEST (formats)
{
  static const gchar *formats[] = {
    "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB",
    "BGR", "NV12", "I420", "GRAY8"
  };
  static const guint sizes[][2] = { {17, 9}, {1, 1}, {64, 3}, {2, 31} };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    g_autoptr (Harness) h = fixture_harness (BLUR);

    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      guint width = sizes[s][0], height = sizes[s][1];
      GstBuffer *in = fixture_frame (formats[f], width, height, f);
      gsize size = gst_buffer_get_size (in);
      g_autoptr (GstBuffer) out = NULL;

      g_test_message ("%s %u x %u", formats[f], width, height);
      fixture_set_caps (h, formats[f], width, height);
      fixture_push (h, in, GST_FLOW_OK);
      out = gst_harness_pull (h);
      g_assert_cmpuint (gst_buffer_get_size (out), ==, size);
      g_assert_null (gst_buffer_get_video_meta (out));
      g_assert_true (fixture_is_box (out,
              BOX_OF (formats[f], width, height, f, RADIUS)));
    }
  }
}

TEST (meta_when_asked)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  g_autoptr (GstBuffer) out = NULL;

  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  fixture_set_caps (h, "I420", 17, 9);
  out = gst_harness_push_and_pull (h, fixture_frame ("I420", 17, 9, 1));
  g_assert_nonnull (gst_buffer_get_video_meta (out));
  g_assert_true (fixture_is_box (out, BOX_OF ("I420", 17, 9, 1, RADIUS)));
}

/* A frame at an odd offset with an odd stride. */
static GstBuffer *
make_odd_frame (GstBuffer * buffer, gsize * offset, gint * stride,
    const GstVideoInfo * info, guint seed)
{
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      stride);
  fixture_fill (buffer, info, seed);
  return buffer;
}

/* Several threads copy frames of this size. */
TEST (large_copies)
{
  static const gchar *formats[] = { "RGBA", "NV12" };
  g_autoptr (Harness) h = fixture_harness (BLUR);

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++) {
    fixture_set_caps (h, formats[f], 1201, 601);
    for (guint i = 0; i < 3; i++)
      push_and_check (h, fixture_frame (formats[f], 1201, 601, i),
          formats[f], 1201, 601, i);
  }
  fixture_check_stat (h->element, "frames-copied", 6);
}

TEST (odd_layouts)
{
  gsize nv12_offset[GST_VIDEO_MAX_PLANES] = { 3, 401 };
  gint nv12_stride[GST_VIDEO_MAX_PLANES] = { 41, 23 };
  gsize rgb_offset[GST_VIDEO_MAX_PLANES] = { 5 };
  gint rgb_stride[GST_VIDEO_MAX_PLANES] = { 55 };
  gsize upside_down[GST_VIDEO_MAX_PLANES] = { 8 * 55 };
  gint downwards[GST_VIDEO_MAX_PLANES] = { -55 };
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 17, 9);
  fixture_set_caps (h, "NV12", 17, 9);
  push_and_check (h, make_odd_frame (gst_buffer_new_allocate (NULL, 600, NULL),
          nv12_offset, nv12_stride, &info, 1), "NV12", 17, 9, 1);

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 17, 9);
  fixture_set_caps (h, "RGB", 17, 9);
  push_and_check (h, make_odd_frame (gst_buffer_new_allocate (NULL, 500, NULL),
          rgb_offset, rgb_stride, &info, 2), "RGB", 17, 9, 2);
  push_and_check (h, make_odd_frame (gst_buffer_new_allocate (NULL, 9 * 55,
              NULL), upside_down, downwards, &info, 3), "RGB", 17, 9, 3);
  fixture_check_stat (h->element, "frames-copied", 3);
  /* Frames that pass get the layout of the caps. */
  g_object_set (h->element, "radius", 0, NULL);
  fixture_check_box (h, make_odd_frame (gst_buffer_new_allocate (NULL,
              500, NULL), rgb_offset, rgb_stride, &info, 4),
      BOX_OF ("RGB", 17, 9, 4, 0));
  fixture_check_stat (h->element, "frames-copied", 4);
}

/* Larger than the caps say, as decoders round up. */
TEST (padded)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 20, 10);
  buffer = gst_buffer_new_allocate (NULL, 24 * 16, NULL);
  gst_buffer_memset (buffer, 0, 99, 24 * 16);
  info.stride[0] = 24;
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_GRAY8, 24, 16, 1, info.offset, info.stride);
  gst_buffer_get_video_meta (buffer)->width = 20;
  gst_buffer_get_video_meta (buffer)->height = 10;
  fixture_fill (buffer, &info, 4);
  gst_buffer_get_video_meta (buffer)->width = 24;
  gst_buffer_get_video_meta (buffer)->height = 16;
  fixture_set_caps (h, "GRAY8", 20, 10);
  push_and_check (h, buffer, "GRAY8", 20, 10, 4);
}

TEST (several_memories)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstVideoInfo info;
  GstBuffer *whole, *parts;

  /* One memory per plane. */
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_I420, 17, 9);
  whole = fixture_frame ("I420", 17, 9, 1);
  parts = gst_buffer_new ();
  for (guint i = 0; i < 3; i++) {
    gsize end = i < 2 ? info.offset[i + 1] : info.size;

    gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
        | GST_BUFFER_COPY_DEEP, info.offset[i], end - info.offset[i]);
  }
  g_assert_cmpuint (gst_buffer_n_memory (parts), ==, 3);
  gst_buffer_add_video_meta_full (parts, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_I420, 17, 9, 3, info.offset, info.stride);
  fixture_set_caps (h, "I420", 17, 9);
  push_and_check (h, parts, "I420", 17, 9, 1);
  gst_buffer_unref (whole);

  /* Cut in the middle of a row, without a meta. */
  whole = fixture_frame ("RGBA", 17, 9, 2);
  parts = gst_buffer_new ();
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
      | GST_BUFFER_COPY_DEEP, 0, 101);
  gst_buffer_copy_into (parts, whole, GST_BUFFER_COPY_MEMORY
      | GST_BUFFER_COPY_DEEP, 101, -1);
  g_assert_cmpuint (gst_buffer_n_memory (parts), ==, 2);
  fixture_set_caps (h, "RGBA", 17, 9);
  push_and_check (h, parts, "RGBA", 17, 9, 2);
  gst_buffer_unref (whole);
}

TEST (caps_change)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } caps[] = {
    {"RGBA", 17, 9}, {"NV12", 32, 16}, {"RGB", 5, 40}, {"RGBA", 17, 9},
    {"RGBA", 18, 9}
  };
  g_autoptr (Harness) h = fixture_harness (BLUR);

  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    fixture_set_caps (h, caps[i].format, caps[i].width, caps[i].height);
    for (guint k = 0; k < 3; k++)
      push_and_check (h, fixture_frame (caps[i].format, caps[i].width,
              caps[i].height, 10 * i + k), caps[i].format, caps[i].width,
          caps[i].height, 10 * i + k);
  }
  fixture_check_stat (h->element, "frames", 3 * G_N_ELEMENTS (caps));
}

/* After refused caps, frames with the earlier caps work again. A later error is reported
 * again. */
TEST (refused_caps)
{
  g_autoptr (Harness) h = fixture_play (BLUR, "RGBA", 17, 9);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  gsize limit = device->info.max_binding;
  g_autoptr (GstCaps) large = fixture_caps ("RGB", 64, 64);
  g_autoptr (GstCaps) small = fixture_caps ("RGBA", 17, 9);

  push_and_check (h, fixture_frame ("RGBA", 17, 9, 1), "RGBA", 17, 9, 1);
  device->info.max_binding = 4096;
  gst_harness_push_event (h, gst_event_new_caps (large));
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 1);
  device->info.max_binding = limit;
  gst_harness_push_event (h, gst_event_new_caps (small));
  push_and_check (h, fixture_frame ("RGBA", 17, 9, 2), "RGBA", 17, 9, 2);
  gpu_device_mark_lost (device);
  for (guint i = 0; i < 2; i++)
    fixture_push (h, fixture_frame ("RGBA", 17, 9, 3), GST_FLOW_ERROR);
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 1);
}

/* Caps change before the device has begun the earlier frames. */
TEST (caps_change_in_flight)
{
  static const struct
  {
    const gchar *format;
    guint width, height;
  } caps[] = {
    {"RGBA", 17, 9}, {"NV12", 32, 16}, {"RGB", 5, 40}, {"RGBA", 17, 9}
  };
  g_autoptr (Harness) h = fixture_harness (BLUR " async-depth=8");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstBuffer *outputs[G_N_ELEMENTS (caps)][2];

  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++) {
    fixture_set_caps (h, caps[i].format, caps[i].width, caps[i].height);
    for (guint k = 0; k < 2; k++)
      outputs[i][k] = gst_harness_push_and_pull (h, fixture_frame
          (caps[i].format, caps[i].width, caps[i].height, 2 * i + k));
  }
  fixture_check_stat (h->element, "waits-for-slot", 0);
  for (guint i = 0; i < G_N_ELEMENTS (caps); i++)
    for (guint k = 0; k < 2; k++) {
      g_assert_true (fixture_is_box (outputs[i][k],
              BOX_OF (caps[i].format, caps[i].width, caps[i].height, 2 * i + k,
                  RADIUS)));
      gst_buffer_unref (outputs[i][k]);
    }
  lazy_device_end (device);
}

/* --- our memory as input --- */

/* A source writes into one buffer again as soon as it gets it back. No frame may show what
 * was written later. */
TEST (source_overwrites)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBufferPool *pool = fixture_take_pool (h, SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstVideoInfo info;
  GstBuffer *outputs[8];

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 33, 20);
  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    GstBuffer *buffer = fixture_acquire (pool);

    fixture_fill (buffer, &info, i);
    fixture_push (h, buffer, GST_FLOW_OK);
    outputs[i] = gst_harness_pull (h);
  }
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    g_assert_true (fixture_is_box (outputs[i], BOX_OF (SMALL, i, RADIUS)));
    gst_buffer_unref (outputs[i]);
  }
  /* The source wrote into the memory that the device read. */
  fixture_check_stat (h->element, "waits-for-readers",
      G_N_ELEMENTS (outputs) - 1);
  fixture_check_stat (h->element, "uploads",
      fixture_transfers (G_N_ELEMENTS (outputs)));
  fixture_check_stat (h->element, "frames-copied", 0);

  lazy_device_end (device);
  fixture_release_pool (pool);
}

/* If upstream already has a pool, it is offered only the allocator. */
TEST (allocator_without_pool)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  g_autoptr (GstCaps) caps = fixture_caps ("RGBA", 17, 9);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, FALSE);
  GstBufferPool *pool;
  g_autoptr (GstAllocator) allocator = NULL;
  GstVideoInfo info;
  GstBuffer *buffer;
  guint size;

  gst_video_info_from_caps (&info, caps);
  fixture_set_caps (h, "RGBA", 17, 9);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  g_assert_null (pool);
  g_assert_cmpuint (size, ==, info.size);
  gst_query_parse_nth_allocation_param (query, 0, &allocator, NULL);
  buffer = gst_buffer_new_allocate (allocator, info.size, NULL);
  fixture_fill (buffer, &info, 3);
  push_and_check (h, gst_buffer_ref (buffer), "RGBA", 17, 9, 3);
  /* The device reads this memory, not a copy, so one upload is enough. */
  push_and_check (h, buffer, "RGBA", 17, 9, 3);
  fixture_check_stat (h->element, "uploads", fixture_transfers (1));
}

/* The buffers for the element's own copies rotate: no copy waits for another frame. */
TEST (copies_do_not_wait)
{
  g_autoptr (Harness) h = fixture_play (BLUR " async-depth=3", "RGB", 33, 20);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstBuffer *outputs[12];

  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    outputs[i] = gst_harness_push_and_pull (h, fixture_frame ("RGB",
            33, 20, i));
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    g_assert_true (fixture_is_box (outputs[i],
            BOX_OF ("RGB", 33, 20, i, RADIUS)));
    gst_buffer_unref (outputs[i]);
  }
  fixture_check_stat (h->element, "waits-for-readers", 0);
  lazy_device_end (device);
}

/* The frame is in our memory, in a layout that no shader can read. */
TEST (odd_layout_in_our_memory)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 2 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 51 };
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBufferPool *pool = fixture_take_pool (h, "RGB", 17, 10);
  GstBuffer *buffer = fixture_acquire (pool);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB, 17, 10);
  push_and_check (h, make_odd_frame (buffer, offset, stride, &info, 1), "RGB",
      17, 10, 1);
  fixture_release_pool (pool);
}

/* A memory that was cut at its start. */
TEST (offset_in_our_memory)
{
  g_autoptr (Harness) h = fixture_harness (BLUR);
  GstBufferPool *pool = fixture_take_pool (h, "GRAY8", 16, 12);
  GstBuffer *buffer = fixture_acquire (pool);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_GRAY8, 16, 10);
  gst_buffer_resize (buffer, 32, 160);
  fixture_fill (buffer, &info, 6);
  fixture_set_caps (h, "GRAY8", 16, 10);
  push_and_check (h, buffer, "GRAY8", 16, 10, 6);
  fixture_release_pool (pool);
}

FIXTURE_MAIN ("/frames/")
