/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who waits, who copies, and what happens when the device is lost on the way. */
#include "element_fixture.h"
#include "gpu_hooks.h"
#include "lazy_device.h"

#define BOX "kernel=box radius=2 "

static GstBuffer *
push_and_pull (GstHarness * h, guint seed)
{
  return gst_harness_push_and_pull (h, fixture_frame (SMALL, seed));
}

static void
start_again (GstHarness * h)
{
  fixture_restart (h);
  fixture_set_caps (h, SMALL);
}

/* A live source that pushes one frame and stops gets that frame out. */
TEST (one_in_one_out)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur async-depth=8 " BOX);
  GstBuffer *out;

  gst_harness_set_live (h, TRUE);
  fixture_set_caps (h, SMALL);
  for (guint i = 1; i <= 3; i++) {
    fixture_push (h, fixture_frame (SMALL, i), GST_FLOW_OK);
    g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 1);
    out = gst_harness_pull (h);
    g_assert_true (fixture_is_box (out, BOX_OF (SMALL, i, 2)));
    gst_buffer_unref (out);
  }
  g_assert_cmpuint (gst_harness_query_latency (h), ==, 0);
}

/* Twenty outputs of one slot, mapped last first. */
TEST (many_unmapped)
{
  g_autoptr (Harness) h = fixture_play ("gpublur async-depth=1 " BOX, SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstBuffer *outputs[20];

  lazy_device_begin (device);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    outputs[i] = push_and_pull (h, i);
  /* The slot is the only thing that frames wait for. */
  fixture_check_stat (h->element, "waits-for-slot", G_N_ELEMENTS (outputs) - 1);
  fixture_check_stat (h->element, "waits-for-result", 0);
  for (guint i = G_N_ELEMENTS (outputs); i-- > 0;) {
    g_assert_true (fixture_is_box (outputs[i], BOX_OF (SMALL, i, 2)));
    gst_buffer_unref (outputs[i]);
  }
  /* All but the last one were known to be done. */
  fixture_check_stat (h->element, "waits-for-result", 1);
  lazy_device_end (device);
}

static void
assert_slot_waits (GstHarness * h, guint64 waits)
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  lazy_device_begin (device);
  for (guint i = 0; i < 4; i++)
    gst_buffer_unref (push_and_pull (h, i));
  fixture_check_stat (h->element, "waits-for-slot", waits);
  lazy_device_end (device);
}

/* Refused while frames flow. The next start has what was set in READY. */
TEST (depth_change)
{
  g_autoptr (Harness) h = fixture_play ("gpublur async-depth=1 " BOX, SMALL);
  guint depth;

  g_object_set (h->element, "async-depth", 4, NULL);
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "\"async-depth\" stays as it is: set the "
      "element to READY");
  g_object_get (h->element, "async-depth", &depth, NULL);
  g_assert_cmpuint (depth, ==, 1);
  assert_slot_waits (h, 3);
  gst_element_set_state (h->element, GST_STATE_READY);
  g_object_set (h->element, "async-depth", 4, NULL);
  start_again (h);
  assert_slot_waits (h, 0);
}

/* @uploads and @downloads: where there are two sides. */
static void
assert_stats (GstElement * element, guint uploads, guint downloads,
    guint64 waits)
{
  fixture_check_stat (element, "uploads", fixture_transfers (uploads));
  fixture_check_stat (element, "downloads", fixture_transfers (downloads));
  fixture_check_stat (element, "waits-for-result", waits);
  fixture_check_stat (element, "waits-for-readers", 0);
}

/* Between two of ours nothing is copied and nobody waits; nor does it matter
 * whether the second one let the first frame pass. */
static void
assert_chain (const gchar * first_radius)
{
  g_autofree gchar *description = g_strdup_printf ("gpublur name=a "
      "async-depth=8 " BOX "! gpublur name=b kernel=box radius=%s "
      "async-depth=8", first_radius);
  g_autoptr (Harness) h = fixture_harness (description);
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");
  g_autoptr (GpuDevice) device = fixture_device_of (a);
  GpuDevice *other = fixture_device_of (b);
  GstBuffer *outputs[6];

  g_assert_true (device == other);
  gpu_device_unref (other);
  fixture_set_caps (h, SMALL);
  lazy_device_begin (device);
  outputs[0] = push_and_pull (h, 50);
  g_object_set (b, "radius", 1, NULL);
  gst_buffer_unref (outputs[0]);
  fixture_check_stat (a, "frames", 1);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++)
    outputs[i] = push_and_pull (h, i);
  assert_stats (a, G_N_ELEMENTS (outputs) + 1, 0, 0);
  assert_stats (b, 0, fixture_stat (b, "frames"), 0);
  g_assert_cmpuint (fixture_stat (b, "frames"), >=, G_N_ELEMENTS (outputs));
  fixture_check_stat (a, "waits-for-slot", 0);
  fixture_check_stat (b, "waits-for-slot", 0);
  for (guint i = 0; i < G_N_ELEMENTS (outputs); i++) {
    GstMapInfo map;

    g_assert_true (gst_buffer_map (outputs[i], &map, GST_MAP_READ));
    gst_buffer_unmap (outputs[i], &map);
    gst_buffer_unref (outputs[i]);
  }
  lazy_device_end (device);
}

TEST (chain)
{
  assert_chain ("1");
  assert_chain ("0");
}

/* Two blurs one after the other in one pipeline do what they do alone. */
static void
test_chain_content (void)
{
  g_autoptr (Harness) pair = fixture_play ("gpublur name=a " BOX
      "! gpublur name=b edge-mode=mirror method=separable", "NV12", 33, 20);
  g_autoptr (Harness) first = fixture_harness ("gpublur " BOX);
  g_autoptr (Harness) second = fixture_harness
      ("gpublur edge-mode=mirror method=separable");

  fixture_set_caps (first, "NV12", 33, 20);
  fixture_set_caps (second, "NV12", 33, 20);
  for (guint i = 0; i < 6; i++) {
    g_autoptr (GstBuffer) together = gst_harness_push_and_pull (pair,
        fixture_frame ("NV12", 33, 20, i));
    g_autoptr (GstBuffer) alone = gst_harness_push_and_pull (second,
        gst_harness_push_and_pull (first, fixture_frame ("NV12", 33, 20, i)));
    GstVideoFrame x, y;
    GstVideoInfo info;

    gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 33, 20);
    g_assert_true (gst_video_frame_map (&x, &info, together, GST_MAP_READ));
    g_assert_true (gst_video_frame_map (&y, &info, alone, GST_MAP_READ));
    for (guint row = 0; row < 20; row++)
      g_assert_cmpmem ((guint8 *) x.data[0] + row * info.stride[0], 33,
          (guint8 *) y.data[0] + row * info.stride[0], 33);
    gst_video_frame_unmap (&x);
    gst_video_frame_unmap (&y);
  }
}

/* A frame that only the device has is downloaded when somebody maps it. */
TEST (late_download)
{
  g_autoptr (Harness) h = fixture_play ("gpublur name=a " BOX
      "! gpublur name=b kernel=box radius=1", SMALL);
  GstElement *a = fixture_child (h, "a");
  g_autoptr (GstBuffer) out = NULL;

  gst_buffer_unref (push_and_pull (h, 1));
  assert_stats (a, 1, 0, 0);
  /* Now b passes on what a left on the device. */
  g_object_set (fixture_child (h, "b"), "radius", 0, NULL);
  out = push_and_pull (h, 2);
  assert_stats (a, 2, 0, 0);
  g_assert_true (fixture_is_box (out, BOX_OF (SMALL, 2, 2)));
  fixture_check_stat (a, "downloads", fixture_transfers (1));
}

/* --- a lost device --- */

static VkResult
lose_on_wait (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  return VK_ERROR_DEVICE_LOST;
}

static VkResult
time_out (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  return VK_TIMEOUT;
}

static PFN_vkQueueSubmit submit;        /* the driver's own */

/* As a device does that is lost: nobody waits for its fences in vain. Of a chain
 * (gpu/core/stream/transfers.c) the last batch is lost. What began is waited for with a fence
 * alone, which follows it. */
static VkResult
lose_on_submit (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  if (!fence || n == 0)
    return submit (queue, n, infos, fence);
  if (infos->waitSemaphoreCount == 0)
    submit (queue, 0, NULL, fence);
  return VK_ERROR_DEVICE_LOST;
}

static void
assert_one_error (GstElement * element)
{
  fixture_take_error (element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_FAILED, "restart the pipeline");
}

/* After an error, READY and PLAYING again bring a new device. */
static void
assert_recovers (GstHarness * h, GpuDevice * lost)
{
  GpuDevice *device;

  start_again (h);
  device = fixture_device_of (h->element);
  g_assert_true (device != lost);
  gpu_device_unref (device);
  fixture_check_box (h, fixture_frame (SMALL, 9), BOX_OF (SMALL, 9, 2));
}

/* Between push and map: the map fails, and the element says why. */
static void
lose_before_map (PFN_vkWaitForFences how)
{
  g_autoptr (Harness) h = fixture_play ("gpublur " BOX, SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  struct VolkDeviceTable table = device->vk;
  GstBuffer *outputs[2];
  GstMapInfo map;

  lazy_device_begin (device);
  outputs[0] = push_and_pull (h, 1);
  outputs[1] = push_and_pull (h, 2);
  device->vk.vkWaitForFences = how;
  g_assert_false (gst_buffer_map (outputs[0], &map, GST_MAP_READ));
  g_assert_false (gst_buffer_map (outputs[1], &map, GST_MAP_READ));
  g_assert_true (gpu_device_is_lost (device));
  fixture_push (h, fixture_frame (SMALL, 3), GST_FLOW_ERROR);
  assert_one_error (h->element);

  lazy_device_end (device);
  device->vk = table;
  gst_buffer_unref (outputs[0]);
  gst_buffer_unref (outputs[1]);
  assert_recovers (h, device);
}

TEST (lost_before_map)
{
  lose_before_map (lose_on_wait);
}

TEST (hanging_device)
{
  lose_before_map (time_out);
}

TEST (lost_on_submit)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur " BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstBuffer *first;

  submit = device->vk.vkQueueSubmit;
  fixture_set_caps (h, SMALL);
  first = push_and_pull (h, 1);
  g_assert_true (fixture_is_box (first, BOX_OF (SMALL, 1, 2)));
  device->vk.vkQueueSubmit = lose_on_submit;
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (gst_harness_push (h, fixture_frame (SMALL, 2)), ==,
        GST_FLOW_ERROR);
  g_assert_cmpuint (gst_harness_buffers_in_queue (h), ==, 0);
  assert_one_error (h->element);
  /* What was done before the loss is still good. */
  g_assert_true (fixture_is_box (first, BOX_OF (SMALL, 1, 2)));
  gst_buffer_unref (first);
  device->vk.vkQueueSubmit = submit;
  assert_recovers (h, device);
}

static guint
take_errors (GstHarness * h)
{
  return fixture_take_messages (h->element, GST_MESSAGE_ERROR);
}

/* What becomes of memory of an earlier run is no error of this run, and hides
 * none. */
TEST (error_of_earlier_run)
{
  g_autoptr (Harness) h = fixture_play ("gpublur " BOX, SMALL);
  g_autoptr (GpuDevice) lost = fixture_device_of (h->element);
  g_autoptr (GpuDevice) device = NULL;
  g_autoptr (GstBuffer) old = NULL;
  GstMapInfo map;

  lazy_device_begin (lost);
  old = push_and_pull (h, 1);
  gpu_device_mark_lost (lost);
  start_again (h);
  device = fixture_device_of (h->element);
  g_assert_true (device != lost);
  g_assert_false (gst_buffer_map (old, &map, GST_MAP_READ));
  g_assert_cmpuint (take_errors (h), ==, 0);
  lazy_device_end (lost);

  gst_buffer_unref (push_and_pull (h, 2));
  gpu_device_mark_lost (device);
  fixture_push (h, fixture_frame (SMALL, 3), GST_FLOW_ERROR);
  g_assert_cmpuint (take_errors (h), ==, 1);
}

/* Nor is it counted. */
TEST (waits_of_earlier_run)
{
  g_autoptr (Harness) h = fixture_play ("gpublur " BOX, SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstBuffer *old;

  lazy_device_begin (device);
  old = push_and_pull (h, 1);
  start_again (h);
  g_assert_true (fixture_is_box (old, BOX_OF (SMALL, 1, 2)));
  fixture_check_stat (h->element, "waits-for-result", 0);
  gst_buffer_unref (old);
  lazy_device_end (device);
}

static VkResult VKAPI_CALL
make_no_pool (VkDevice device, const VkCommandPoolCreateInfo * info,
    const VkAllocationCallbacks * callbacks, VkCommandPool * pool)
{
  return VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* A start that fails says so, after whatever error of the run before. */
TEST (error_of_start)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur " BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  gsize limit = device->info.max_binding;
  PFN_vkCreateCommandPool create = device->vk.vkCreateCommandPool;

  device->info.max_binding = 16;
  fixture_set_caps (h, SMALL);
  fixture_push (h, fixture_frame (SMALL, 1), GST_FLOW_NOT_NEGOTIATED);
  g_assert_cmpuint (take_errors (h), ==, 1);
  device->info.max_binding = limit;
  gst_element_set_state (h->element, GST_STATE_READY);
  device->vk.vkCreateCommandPool = make_no_pool;
  g_assert_cmpint (gst_element_set_state (h->element, GST_STATE_PAUSED), ==,
      GST_STATE_CHANGE_FAILURE);
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "memory");
  device->vk.vkCreateCommandPool = create;
}

static VkResult VKAPI_CALL
submit_nothing (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static void
fail_twice (GstHarness * h)
{
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, fixture_frame (SMALL, i)), ==,
        GST_FLOW_ERROR);
  g_assert_cmpuint (take_errors (h), ==, 1);
}

/* An error is told again once there was a flush, or a good frame. */
TEST (error_again)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur " BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  submit = device->vk.vkQueueSubmit;
  fixture_set_caps (h, SMALL);
  device->vk.vkQueueSubmit = submit_nothing;
  fail_twice (h);
  gst_harness_push_event (h, gst_event_new_flush_start ());
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (h, gst_event_new_segment (&segment));
  fail_twice (h);
  device->vk.vkQueueSubmit = submit;
  gst_buffer_unref (push_and_pull (h, 1));
  device->vk.vkQueueSubmit = submit_nothing;
  fail_twice (h);
  device->vk.vkQueueSubmit = submit;
}

static guint buffers_left;

static VkResult
make_few_buffers (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * callbacks, VkBuffer * buffer)
{
  if (buffers_left == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  buffers_left--;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, callbacks,
      buffer);
}

/* A frame that is copied needs all sides of the copy and of the output. Each of
 * them may be the one that fails. */
TEST (out_of_memory)
{
  guint needed = 2 + fixture_transfers (2);

  for (guint left = 0; left <= needed; left++) {
    g_autoptr (Harness) h = fixture_harness ("gpublur " BOX);
    g_autoptr (GpuDevice) device = fixture_device_of (h->element);

    fixture_set_caps (h, SMALL);
    gpu_hooks_install (device);
    device->vk.vkCreateBuffer = make_few_buffers;
    buffers_left = left;
    /* Often enough that the copies' first buffer comes round again. */
    for (guint i = 0; i < 6; i++)
      g_assert_cmpint (gst_harness_push (h, fixture_frame (SMALL, 2)), ==,
          left == needed && i == 0 ? GST_FLOW_OK : GST_FLOW_ERROR);
    gpu_hooks_remove (device);
    fixture_take_error (h->element, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_NO_SPACE_LEFT, "close other programs");
  }
}

/* A change that needs more memory than there is fails frames, with one message,
 * for as long as it does. */
TEST (no_room_for_change)
{
  g_autoptr (Harness) h =
      fixture_play ("gpublur method=separable precision=half", SMALL);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  PFN_vkCreateBuffer create = device->vk.vkCreateBuffer;

  for (guint i = 0; i < 6; i++)
    gst_buffer_unref (push_and_pull (h, i));
  device->vk.vkCreateBuffer = make_few_buffers;
  buffers_left = 0;
  g_object_set (h->element, "precision", 2, NULL);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (gst_harness_push (h, fixture_frame (SMALL, i)), ==,
        GST_FLOW_ERROR);
  device->vk.vkCreateBuffer = create;
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "close other programs");
  gst_buffer_unref (push_and_pull (h, 1));
}

/* An error after refused caps and good ones is a new one. */
TEST (error_after_refused_caps)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur " BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  gpu_hooks_install (device);
  device->vk.vkCreateBuffer = make_few_buffers;
  buffers_left = 0;
  fixture_set_caps (h, "RGBA", 64, 64);
  fixture_push (h, fixture_frame ("RGBA", 64, 64, 1), GST_FLOW_NOT_NEGOTIATED);
  g_assert_cmpuint (take_errors (h), ==, 1);
  gpu_hooks_remove (device);

  fixture_set_caps (h, SMALL);
  gst_buffer_unref (push_and_pull (h, 2));
  gpu_device_mark_lost (device);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (gst_harness_push (h, fixture_frame (SMALL, 3)), ==,
        GST_FLOW_ERROR);
  g_assert_cmpuint (take_errors (h), ==, 1);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/flow/");
  /* What engines do is the same whatever the memory. */
  if (!g_getenv ("GPU_TEST_MEMORY"))
    tests_register ("chain-content", test_chain_content);
  return fixture_run ();
}
