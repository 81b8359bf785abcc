/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A flush, and the way down to READY, end a long frame between two
 * submissions. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"

/* A frame that takes an element several submissions. */
typedef struct
{
  const gchar *launch;
  guint width, height;
} LongFrame;

static const LongFrame palette =
    { "meanshiftpalette quality=exact radius=0.05", 40, 22 };

/* 127 x 127 taps a pixel, more pixels where the device is faster. */
static LongFrame
long_blur (void)
{
  guint side = gpu_device_is_slow (fixture_device ())? 64 : 1200;

  return (LongFrame) {"gpublur method=direct radius=62 sigma=20", side, side};
}

static struct
{
  PFN_vkQueueSubmit submit;
  GstPad *pad;                  /* the source pad of the element */
  gint n;                       /* submissions so far, atomic */
  gint held;                    /* the one that waits for the end, 0: none */
} submissions;

/* The pad is flushing only after the element knows of the end. */
static VkResult VKAPI_CALL
hold_and_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  /* The last batch of a submission has it. */
  if (fence && g_atomic_int_add (&submissions.n, 1) + 1 == submissions.held)
    while (!GST_PAD_IS_FLUSHING (submissions.pad))
      g_usleep (1000);
  return submissions.submit (queue, n, infos, fence);
}

/* Elements do not learn how fast the device is, or frames would take fewer
 * submissions one after the other. */
static VkResult VKAPI_CALL
tell_no_time (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  return VK_NOT_READY;
}

static GstHarness *
harness_new (const LongFrame * frame)
{
  GstHarness *h = fixture_harness (frame->launch);
  GpuDevice *device = fixture_device_of (h->element);

  device->queries_wait = FALSE;
  device->vk.vkGetQueryPoolResults = tell_no_time;
  gpu_device_unref (device);
  return h;
}

typedef struct
{
  GstHarness *harness;
  const LongFrame *frame;
  gint is_done;                 /* atomic */
} Push;

static GstBuffer *
frame_new (const LongFrame * frame, guint seed)
{
  return fixture_frame ("RGBA", frame->width, frame->height, seed);
}

static gpointer
push_other (gpointer data)
{
  Push *push = data;

  GstFlowReturn flow = gst_harness_push (push->harness, frame_new (push->frame,
          1));

  g_atomic_int_set (&push->is_done, TRUE);
  return GINT_TO_POINTER (flow);
}

static void
flush_start (GstHarness * h)
{
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
}

static void
stop (GstHarness * h)
{
  g_assert_cmpint (gst_element_set_state (h->element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
}

/* @end comes during the second submission of a frame: what the frame still
 * needs is not submitted, and that is no error. */
static void
end_frame (GstHarness * h, const LongFrame * frame, void (*end) (GstHarness *))
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  Push push = { h, frame, FALSE };
  GThread *thread;

  submissions.submit = device->vk.vkQueueSubmit;
  submissions.pad = gst_element_get_static_pad (h->element, "src");
  submissions.n = 0;
  submissions.held = 2;
  device->vk.vkQueueSubmit = hold_and_submit;
  thread = g_thread_new ("push", push_other, &push);
  while (g_atomic_int_get (&submissions.n) < submissions.held) {
    g_assert_false (g_atomic_int_get (&push.is_done));
    g_usleep (1000);
  }
  end (h);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==,
      GST_FLOW_FLUSHING);
  g_assert_cmpint (submissions.n, ==, submissions.held);
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
  device->vk.vkQueueSubmit = submissions.submit;
  gst_object_unref (submissions.pad);
}

/* How many submissions the element's newest frame took. */
static guint
submissions_of (GstElement * element)
{
  g_autoptr (GstStructure) stats = NULL;
  guint n = 0;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint (stats, "submissions", &n));
  return n;
}

static void
assert_equal (GstBuffer * a, GstBuffer * b)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (a, &map, GST_MAP_READ));
  g_assert_cmpint (gst_buffer_memcmp (b, 0, map.data, map.size), ==, 0);
  gst_buffer_unmap (a, &map);
}

/* After the flush all is as before. */
static void
check_flush (const LongFrame * frame)
{
  g_autoptr (Harness) h = harness_new (frame);
  GstBuffer *before, *after;
  GstSegment segment;

  fixture_set_caps (h, "RGBA", frame->width, frame->height);
  before = gst_harness_push_and_pull (h, frame_new (frame, 0));
  end_frame (h, frame, flush_start);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  after = gst_harness_push_and_pull (h, frame_new (frame, 0));
  assert_equal (before, after);
  g_assert_cmpuint (submissions_of (h->element), >, 3);
  gst_buffer_unref (before);
  gst_buffer_unref (after);
}

static void
check_stop (const LongFrame * frame)
{
  g_autoptr (Harness) h = harness_new (frame);

  fixture_set_caps (h, "RGBA", frame->width, frame->height);
  end_frame (h, frame, stop);
}

TEST (flush_blur)
{
  LongFrame blur = long_blur ();

  check_flush (&blur);
}

TEST (flush_palette)
{
  check_flush (&palette);
}

TEST (stop_blur)
{
  LongFrame blur = long_blur ();

  check_stop (&blur);
}

TEST (stop_palette)
{
  check_stop (&palette);
}

FIXTURE_MAIN_SHARING ("/cancel/")
