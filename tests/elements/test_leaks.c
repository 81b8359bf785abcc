/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What valgrind watches: both elements through all that they allocate for.
 * Shaders are recorded but left out when they would run: they allocate
 * nothing, and a single frame of them takes minutes under valgrind. The
 * palette is told of some colours nevertheless, so that it solves. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "palette_element_fixture.h"

#define COLOURS 7

/* The driver's own. */
static PFN_vkCmdCopyBuffer copy_buffer;
static PFN_vkCmdFillBuffer fill_buffer;
static PFN_vkQueueSubmit queue_submit;

static void VKAPI_CALL
leave_out (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
}

/* The device would compile a shader even for no workgroups. */
static void VKAPI_CALL
leave_out_indirect (VkCommandBuffer commands, VkBuffer groups,
    VkDeviceSize offset)
{
}

/* Nothing but the count of colours is a single word. */
static void VKAPI_CALL
copy_or_count (VkCommandBuffer commands, VkBuffer from, VkBuffer to,
    uint32_t n, const VkBufferCopy * regions)
{
  if (regions->size == 4)
    fill_buffer (commands, to, regions->dstOffset, 4, COLOURS);
  else
    copy_buffer (commands, from, to, n, regions);
}

static void
replace_shaders (GpuDevice * device)
{
  struct VolkDeviceTable *vk = &device->vk;

  /* Elements may get a device that another one had before. */
  if (vk->vkCmdDispatch == leave_out)
    return;
  copy_buffer = vk->vkCmdCopyBuffer;
  fill_buffer = vk->vkCmdFillBuffer;
  queue_submit = vk->vkQueueSubmit;
  vk->vkCmdDispatch = leave_out;
  vk->vkCmdDispatchIndirect = leave_out_indirect;
  vk->vkCmdCopyBuffer = copy_or_count;
}

/* @palette: NULL, or what solves the first of the frames. */
static void
push_frames (GstHarness * h, GstElement * palette, const gchar * format,
    guint width, guint height)
{
  fixture_set_caps (h, format, width, height);
  for (guint i = 0; i < 3; i++) {
    fixture_show (h, fixture_frame (format, width, height, i));
    if (palette && i == 0) {
      g_assert_true (palette_was_solved (palette));
      fixture_check_stat (palette, "colors", COLOURS);
    }
  }
}

static void
end_flush (GstHarness * h)
{
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
  g_assert_true (gst_harness_push_event (h, gst_event_new_segment (&segment)));
}

static void
flush (GstHarness * h)
{
  g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
  end_flush (h);
}

static struct
{
  GstHarness *harness;
  guint left;                   /* submissions until the flush */
} cancelling;

static VkResult VKAPI_CALL
flush_and_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  g_assert_cmpuint (cancelling.left, >, 0);
  /* The last batch of a submission has it. */
  if (fence && --cancelling.left == 0)
    g_assert_true (gst_harness_push_event (cancelling.harness,
            gst_event_new_flush_start ()));
  return queue_submit (queue, n, infos, fence);
}

/* A flush finds the palette at the second submission of a frame, which is the
 * first one of its solve. */
static void
cancel_frame (GstHarness * h, GstElement * palette, const gchar * format,
    guint width, guint height)
{
  GpuDevice *device = fixture_device_of (palette);

  /* Other caps, so that nothing is solved yet. */
  fixture_set_caps (h, format, width, height);
  cancelling.harness = h;
  cancelling.left = 2;
  device->vk.vkQueueSubmit = flush_and_submit;
  fixture_push (h, fixture_frame (format, width, height, 1), GST_FLOW_FLUSHING);
  device->vk.vkQueueSubmit = queue_submit;
  g_assert_cmpuint (cancelling.left, ==, 0);
  gpu_device_unref (device);
  end_flush (h);
}

/* While PLAYING. @set: a property of @changing and two values for it. Returns
 * a frame that outlives its stream. */
static GstBuffer *
play (GstHarness * h, GstElement * changing, GstElement * palette,
    const gchar * set[3])
{
  GpuDevice *device = fixture_device_of (changing);
  GstStructure *stats;

  replace_shaders (device);
  push_frames (h, palette, "RGBA", 16, 16);
  fixture_set (changing, set[0], set[1]);
  push_frames (h, NULL, "RGBA", 16, 16);
  flush (h);
  push_frames (h, palette, "BGR", 10, 6);
  fixture_set (changing, set[0], set[2]);
  push_frames (h, NULL, "BGR", 10, 6);
  g_object_get (changing, "stats", &stats, NULL);
  gst_structure_free (stats);
  gpu_device_unref (device);
  return gst_harness_push_and_pull (h, fixture_frame ("BGR", 10, 6, 9));
}

/* The device that palettes share: their shaders take half a minute to build. NULL until
 * one plays. */
static GpuDevice *palette_device;

/* From NULL to PLAYING and back, twice. @palette: NULL where there is none.
 * @opened: where the device is kept open; NULL: it is closed between the two. */
static void
cycle (GstHarness * h, GstElement * changing, GstElement * palette,
    const gchar * set[3], GpuDevice ** opened)
{
  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstBuffer) kept = NULL;

    gst_element_set_state (h->element, GST_STATE_PLAYING);
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
    if (opened && !*opened)
      *opened = fixture_device_of (changing);
    kept = play (h, changing, palette, set);
    if (palette == h->element)
      cancel_frame (h, palette, "RGBA", 12, 8);
    gst_element_set_state (h->element, GST_STATE_NULL);
  }
  fixture_harness_free (h);
}

TEST (blur)
{
  const gchar *set[] = { "radius", "5", "2" };
  GstHarness *h = fixture_harness ("gpublur kernel=box radius=2");

  cycle (h, h->element, NULL, set, NULL);
}

TEST (palette)
{
  const gchar *set[] = { "transfer", "linear", "auto" };
  GstHarness *h = fixture_harness ("meanshiftpalette quality=exact");

  cycle (h, h->element, h->element, set, &palette_device);
}

TEST (live_palette)
{
  const gchar *set[] = { "quality", "exact", "live" };
  GstHarness *h = fixture_harness ("meanshiftpalette");

  cycle (h, h->element, NULL, set, &palette_device);
}

/* Frames stay on the device between the two. */
TEST (pair)
{
  const gchar *set[] = { "sigma", "0", "1.5" };
  GstHarness *h = fixture_harness ("gpublur method=separable name=blur "
      "! meanshiftpalette quality=exact name=palette");

  cycle (h, fixture_child (h, "blur"),
      fixture_child (h, "palette"), set, &palette_device);
}

TEST (unknown_device)
{
  g_autoptr (LoneElement) element = fixture_element ("gpublur");

  g_object_set (element, "device", "no such device", NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_PLAYING), ==,
      GST_STATE_CHANGE_FAILURE);
  fixture_check_messages (element, GST_MESSAGE_ERROR, 1);
}

int
main (int argc, char **argv)
{
  int status;

  fixture_init (&argc, &argv, "/leaks/");
  status = fixture_run ();
  g_clear_pointer (&palette_device, gpu_device_unref);
  gst_deinit ();
  return status;
}
