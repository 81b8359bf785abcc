/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What valgrind watches: both elements through all that they allocate for.
 * Shaders are recorded but left out when they would run: they allocate
 * nothing, and a single frame of them takes minutes under valgrind. */
#include "element_fixture.h"
#include "gpu/vulkan.h"

static void VKAPI_CALL
leave_out (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
}

static void
push_frames (GstHarness * h, const gchar * format, guint width, guint height)
{
  element_fixture_set_caps (h, format, width, height);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (gst_harness_push_and_pull (h,
            element_fixture_frame (format, width, height, i)));
}

static void
flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

/* While PLAYING. @set: a property of @changing and two values for it. Returns
 * a frame that outlives its stream. */
static GstBuffer *
play (GstHarness * h, GstElement * changing, const gchar * set[3])
{
  GpuDevice *device = element_fixture_device_of (changing);
  GstStructure *stats;

  device->vk.vkCmdDispatch = leave_out;
  push_frames (h, "RGBA", 16, 16);
  gst_util_set_object_arg (G_OBJECT (changing), set[0], set[1]);
  push_frames (h, "RGBA", 16, 16);
  flush (h);
  push_frames (h, "BGR", 10, 6);
  gst_util_set_object_arg (G_OBJECT (changing), set[0], set[2]);
  push_frames (h, "BGR", 10, 6);
  g_object_get (changing, "stats", &stats, NULL);
  gst_structure_free (stats);
  gpu_device_unref (device);
  return gst_harness_push_and_pull (h, element_fixture_frame ("BGR", 10, 6, 9));
}

/* From NULL to PLAYING and back, twice. */
static void
cycle (GstHarness * h, GstElement * changing, const gchar * set[3])
{
  for (guint i = 0; i < 2; i++) {
    GstBuffer *kept;

    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    kept = play (h, changing, set);
    gst_element_set_state (h->element, GST_STATE_NULL);
    gst_buffer_unref (kept);
  }
  element_fixture_harness_free (h);
}

static void
test_blur (void)
{
  const gchar *set[] = { "kernel", "box", "gaussian" };
  GstHarness *h = element_fixture_harness ("gpublur");

  cycle (h, h->element, set);
}

static void
test_palette (void)
{
  const gchar *set[] = { "transfer", "linear", "auto" };
  GstHarness *h = element_fixture_harness ("meanshiftpalette");

  cycle (h, h->element, set);
}

/* Frames stay on the device between the two. */
static void
test_pair (void)
{
  const gchar *set[] = { "sigma", "0", "1.5" };
  GstHarness *h = element_fixture_harness
      ("gpublur name=blur ! meanshiftpalette");

  cycle (h, element_fixture_child (h, "blur"), set);
}

static void
test_unknown_device (void)
{
  GstElement *element = gst_object_ref_sink (element_fixture_make ("gpublur"));

  g_object_set (element, "device", "no such device", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_FAILURE);
  g_assert_cmpuint (element_fixture_take_messages (element, GST_MESSAGE_ERROR,
          NULL, NULL), ==, 1);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_element_set_bus (element, NULL);
  gst_object_unref (element);
}

int
main (int argc, char **argv)
{
  int status;

  element_fixture_init (&argc, &argv);
  element_fixture_add ("/leaks/blur", test_blur);
  element_fixture_add ("/leaks/palette", test_palette);
  element_fixture_add ("/leaks/pair", test_pair);
  element_fixture_add ("/leaks/unknown-device", test_unknown_device);
  status = element_fixture_run ();
  gst_deinit ();
  return status;
}
