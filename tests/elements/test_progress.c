/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is posted of a frame that takes long. How long is up to a driver that
 * takes a part of a second for every submission. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"

#include <stdio.h>
#include <string.h>

#define WIDTH 150
#define HEIGHT 94
#define SUBMISSION_US 200000
#define LATE 12                 /* a submission behind the first messages */

static struct
{
  PFN_vkQueueSubmit submit;
  GstPad *pad;                  /* the source pad of the element */
  gint n;                       /* submissions so far, atomic */
  gint held;                    /* the one that waits for the end, 0: none */
} submissions;

static VkResult VKAPI_CALL
submit_late (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  g_usleep (SUBMISSION_US);
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

/* Elements of which a frame of WIDTH x HEIGHT takes more than LATE submissions. */
#define PALETTE "meanshiftpalette quality=exact radius=0.2"
#define BLUR "gpublur method=direct sigma=12 radius=35"

/* @held: the submission that waits for the end, 0: none. */
static GstHarness *
harness_new (const gchar * element, guint held)
{
  GstHarness *h = fixture_harness (element);
  GpuDevice *device = fixture_device_of (h->element);

  submissions.submit = device->vk.vkQueueSubmit;
  submissions.pad = gst_element_get_static_pad (h->element, "src");
  submissions.n = 0;
  submissions.held = held;
  device->vk.vkQueueSubmit = submit_late;
  device->queries_wait = FALSE;
  device->vk.vkGetQueryPoolResults = tell_no_time;
  gpu_device_unref (device);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  return h;
}

static void
harness_free (GstHarness * h)
{
  GpuDevice *device = fixture_device_of (h->element);

  device->vk.vkQueueSubmit = submissions.submit;
  gpu_device_unref (device);
  gst_object_unref (submissions.pad);
  fixture_harness_free (h);
}

static GstBuffer *
frame_new (void)
{
  return fixture_frame ("RGBA", WIDTH, HEIGHT, 1);
}

/* Of the parts of a frame it is not known how many follow. */
static gint
check_percent (const GstStructure * fields, const gchar * kind, gint before)
{
  gint percent = before;

  g_assert_true (gst_structure_get_int (fields, "percent", &percent)
      == !g_str_equal (kind, "frame"));
  g_assert_cmpint (percent, >=, before);
  g_assert_cmpint (percent, <=, 100);
  return percent;
}

static const gchar *
get_text (const gchar * kind)
{
  if (g_str_equal (kind, "shaders"))
    return "Compiling shaders: ";
  return g_str_equal (kind, "frame") ? "Working on a frame: " : " colours: ";
}

/* Pops all of @kind: one that begins, any number that go on, each knowing of no less, and one
 * of @end. Returns how many there are; none is fine as well. */
static guint
take_progress (GstHarness * h, const gchar * kind, GstProgressType end)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  GstProgressType last = end, type;
  gint before = 0;
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_PROGRESS))) {
    g_autofree gchar *code = NULL, *text = NULL;

    gst_message_parse_progress (message, &type, &code, &text);
    if (!g_str_equal (code, kind)) {
      gst_message_unref (message);
      continue;
    }
    before = check_percent (gst_message_get_structure (message), kind, before);
    g_assert_true ((type == GST_PROGRESS_TYPE_START) == (n == 0));
    if (type == GST_PROGRESS_TYPE_START || type == GST_PROGRESS_TYPE_CONTINUE) {
      guint done = 0, all = 0;

      g_assert_nonnull (strstr (text, get_text (kind)));
      if (g_str_equal (kind, "shaders"))
        g_assert_cmpint (sscanf (text, "Compiling shaders: %u of %u", &done,
                &all), ==, 2);
      g_assert_cmpuint (done, <=, all);
    } else
      g_assert_cmpint (type, ==, end);
    last = type;
    n++;
    gst_message_unref (message);
  }
  g_assert_cmpint (last, ==, end);
  if (end == GST_PROGRESS_TYPE_COMPLETE && n > 0
      && !g_str_equal (kind, "frame"))
    g_assert_cmpint (before, ==, 100);
  return n;
}

/* Pushes a frame, of which there are messages of @kind. */
static void
check_complete (GstHarness * h, const gchar * kind)
{
  gint64 begin = g_get_monotonic_time ();
  guint n;

  fixture_show (h, frame_new ());
  g_assert_cmpint (submissions.n, >, LATE);
  n = take_progress (h, kind, GST_PROGRESS_TYPE_COMPLETE);
  g_assert_cmpuint (n, >=, 3);
  g_assert_cmpuint (n, <=, (g_get_monotonic_time () - begin) / 500000 + 1);
}

/* The second frame has the colours of the first, which are solved. */
TEST (complete)
{
  GstHarness *h = harness_new (PALETTE, 0);

  check_complete (h, "mean-shift");
  fixture_show (h, frame_new ());
  g_assert_cmpuint (take_progress (h, "mean-shift", GST_PROGRESS_TYPE_COMPLETE),
      ==, 0);
  g_assert_cmpuint (take_progress (h, "frame", GST_PROGRESS_TYPE_COMPLETE),
      ==, 0);
  harness_free (h);
}

/* The second frame is one submission. */
TEST (blur)
{
  GstHarness *h = harness_new (BLUR, 0);

  check_complete (h, "frame");
  g_object_set (h->element, "radius", 1, NULL);
  fixture_show (h, frame_new ());
  g_assert_cmpuint (take_progress (h, "frame", GST_PROGRESS_TYPE_COMPLETE),
      ==, 0);
  harness_free (h);
}

static gpointer
push_frame (gpointer h)
{
  return GINT_TO_POINTER (gst_harness_push (h, frame_new ()));
}

/* During a late submission: nothing is submitted behind it. */
static void
check_cancelled (const gchar * element, const gchar * kind,
    void (*end) (GstHarness * h))
{
  GstHarness *h = harness_new (element, LATE);
  GThread *thread = g_thread_new ("push", push_frame, h);

  while (g_atomic_int_get (&submissions.n) < submissions.held)
    g_usleep (1000);
  end (h);
  g_assert_cmpint (GPOINTER_TO_INT (g_thread_join (thread)), ==,
      GST_FLOW_FLUSHING);
  g_assert_cmpint (submissions.n, ==, submissions.held);
  g_assert_cmpuint (take_progress (h, kind, GST_PROGRESS_TYPE_CANCELED), >=, 2);
  harness_free (h);
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

TEST (flush)
{
  check_cancelled (PALETTE, "mean-shift", flush_start);
}

TEST (blur_flush)
{
  check_cancelled (BLUR, "frame", flush_start);
}

TEST (stop)
{
  check_cancelled (PALETTE, "mean-shift", stop);
}

/* --- shaders --- */

/* Pushes a frame that waits for shaders, and calls @act after the first message. */
static GstFlowReturn
push_unbuilt (GstHarness * h, void (*act) (GstHarness * h))
{
  GpuDevice *device = fixture_device_of (h->element);
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  GstFlowReturn flow;
  GThread *thread;

  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  gst_bus_set_flushing (bus, TRUE);
  gst_bus_set_flushing (bus, FALSE);
  thread = g_thread_new ("push", push_frame, h);
  while (!gst_bus_have_pending (bus))
    g_usleep (1000);
  act (h);
  flow = GPOINTER_TO_INT (g_thread_join (thread));
  gpu_hooks_leave_builds (device);
  gpu_device_unref (device);
  return flow;
}

static void
allow_building (GstHarness * h)
{
  gpu_hooks_allow_builds ();
}

/* With sigmas that no other test has. */
TEST (shaders)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur kernel=box sigma=1.1 "
      "method=running-sums");

  g_assert_cmpint (push_unbuilt (h, allow_building), ==, GST_FLOW_OK);
  g_assert_cmpuint (take_progress (h, "shaders", GST_PROGRESS_TYPE_COMPLETE),
      >=, 2);
  fixture_push (h, frame_new (), GST_FLOW_OK);
  g_assert_cmpuint (take_progress (h, "shaders", GST_PROGRESS_TYPE_COMPLETE),
      ==, 0);
}

TEST (shaders_stop)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur method=direct-shared");

  g_assert_cmpint (push_unbuilt (h, stop), ==, GST_FLOW_FLUSHING);
  g_assert_cmpuint (take_progress (h, "shaders", GST_PROGRESS_TYPE_CANCELED),
      >=, 2);
  gpu_hooks_allow_builds ();
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/progress/");
  fixture_share_device ();
  /* Of those dispatches are short, and submissions many. */
  if (fixture_device ())
    fixture_device ()->info.kind = GPU_DEVICE_CPU;
  return fixture_run ();
}
