/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Why a frame waits, in GStreamer's log and in the statistics. */
#include "element_fixture.h"
#include "gpu/core/device/trace.h"
#include "gpu/core/device/vulkan.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu_hooks.h"

/* --- the log --- */

static GMutex lock;
static GPtrArray *lines;        /* with the lock */

static void
keep_line (GstDebugCategory * category, GstDebugLevel level,
    const gchar * file, const gchar * function, gint line, GObject * object,
    GstDebugMessage * message, gpointer unused)
{
  if (!g_str_equal (gst_debug_category_get_name (category), "gpu")
      || level != GST_LEVEL_LOG)
    return;
  g_mutex_lock (&lock);
  g_ptr_array_add (lines, g_strdup (gst_debug_message_get (message)));
  g_mutex_unlock (&lock);
}

static guint
count_lines (const gchar * pattern)
{
  guint n = 0;

  g_mutex_lock (&lock);
  for (guint i = 0; i < lines->len; i++)
    n += g_regex_match_simple (pattern, g_ptr_array_index (lines, i), 0, 0);
  g_mutex_unlock (&lock);
  return n;
}

/* main() sets the level through GST_DEBUG, as users do. */
static void
begin_log (void)
{
  lines = g_ptr_array_new_with_free_func (g_free);
  gst_debug_remove_log_function (gst_debug_log_default);
  gst_debug_add_log_function (keep_line, NULL, NULL);
}

static void
end_log (void)
{
  gst_debug_remove_log_function (keep_line);
  gst_debug_add_log_function (gst_debug_log_default, NULL, NULL);
  g_clear_pointer (&lines, g_ptr_array_unref);
}

/* Nothing is done before somebody waits for it. */
static VkResult VKAPI_CALL
not_ready (VkDevice device, VkFence fence)
{
  return VK_NOT_READY;
}

static void
read_and_drop (GstBuffer * buffer)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
}

/* Of a blur with one slot. */
static void
push_frames (GstHarness * h)
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  device->vk.vkGetFenceStatus = not_ready;
  fixture_set_caps (h, "GRAY8", 16, 16);
  for (guint i = 0; i < 2; i++)
    gst_harness_push (h, fixture_frame ("GRAY8", 16, 16, i));
  gst_buffer_unref (gst_harness_pull (h));
  read_and_drop (gst_harness_pull (h));
}

#define TIME " [0-9]+\\.[0-9]{3} ms, "

TEST (log)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur name=blur method=direct "
      "async-depth=1");

  begin_log ();
  push_frames (h);
  g_assert_cmpuint (count_lines ("^build" TIME
          "kernel blur_[a-z_]+: the next frame needs it$"), >, 0);
  g_assert_cmpuint (count_lines ("^allocate" TIME "buffer frame, .+: within "
          "frame 1 of blur$"), >, 0);
  g_assert_cmpuint (count_lines ("^submit" TIME "stream blur, submission 1 of "
          "frame 1: all is recorded$"), ==, 1);
  g_assert_cmpuint (count_lines ("^wait" TIME "stream blur, submission 1 of "
          "frame 1: frame 2 needs a slot, and none of 1 is free$"), ==, 1);
  g_assert_cmpuint (count_lines ("^wait" TIME "stream blur, submission 2 of "
          "frame 2: the CPU maps a frame that this submission writes$"), ==, 1);
  end_log ();
}

/* At level 5 no line is formatted, even if the level was 6 before. */
TEST (no_log)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur method=direct");

  begin_log ();
  g_assert_true (gpu_trace_is_on ());
  gst_debug_set_threshold_for_name ("gpu", GST_LEVEL_DEBUG);
  g_assert_false (gpu_trace_is_on ());
  push_frames (h);
  g_assert_cmpuint (lines->len, ==, 0);
  gst_debug_set_threshold_for_name ("gpu", GST_LEVEL_LOG);
  end_log ();
}

/* This must be the last test: gst_debug_set_active (TRUE) would leave another state than
 * GST_DEBUG does. */
TEST (inactive)
{
  g_autoptr (Harness) h = fixture_harness ("gpublur method=direct");

  gst_debug_set_active (FALSE);
  begin_log ();
  push_frames (h);
  g_assert_cmpuint (lines->len, ==, 0);
  end_log ();
}

/* --- statistics --- */

/* Elements do not learn how fast the device is. */
static VkResult VKAPI_CALL
tell_no_time (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  return VK_NOT_READY;
}

static GstHarness *
harness_new (const gchar * launch)
{
  GstHarness *h = fixture_harness (launch);
  GpuDevice *device = fixture_device_of (h->element);

  device->queries_wait = FALSE;
  device->vk.vkGetQueryPoolResults = tell_no_time;
  gpu_device_unref (device);
  return h;
}

static void
push_and_read (GstHarness * h, guint side, guint seed)
{
  read_and_drop (gst_harness_push_and_pull (h, fixture_frame ("RGBA",
              side, side, seed)));
}

/* Of the newest frame, less the last of them. */
static guint
count_parts (GstElement * element)
{
  g_autoptr (GstStructure) stats = NULL;
  guint n = 0;

  g_object_get (element, "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint (stats, "submissions", &n));
  return n - 1;
}

/* 127 x 127 taps a pixel, more pixels where the device is faster. */
TEST (pacer)
{
  guint side = gpu_device_is_slow (fixture_device ())? 64 : 1200;
  g_autoptr (Harness) h =
      harness_new ("gpublur method=direct radius=62 sigma=20");
  guint64 builds;

  fixture_set_caps (h, "RGBA", side, side);
  fixture_check_stat (h->element, "waits-for-pacer", 0);
  push_and_read (h, side, 1);
  g_assert_cmpuint (count_parts (h->element), >, 0);
  fixture_check_stat (h->element, "waits-for-pacer", count_parts (h->element));
  fixture_check_stat (h->element, "waits-for-part", 0);
  builds = fixture_stat (h->element, "builds-within-frames");
  push_and_read (h, side, 2);
  fixture_check_stat (h->element, "builds-within-frames", builds);
}

/* Kernels for walks come with the first frame that has new colours, and stay. */
TEST (parts)
{
  g_autoptr (Harness) h =
      harness_new ("meanshiftpalette quality=exact radius=0.05");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  guint64 builds, parts;

  fixture_set_caps (h, "RGBA", 16, 16);
  push_and_read (h, 16, 1);
  builds = fixture_stat (h->element, "builds-within-frames");
  gpu_kernels_wait (device);
  parts = fixture_stat (h->element, "waits-for-part");
  g_assert_cmpuint (builds, >, 0);
  g_assert_cmpuint (parts, >, 0);
  g_assert_cmpuint (parts + fixture_stat (h->element,
          "waits-for-pacer"), ==, count_parts (h->element));
  push_and_read (h, 16, 1);
  fixture_check_stat (h->element, "builds-within-frames", builds);
  g_assert_cmpuint (fixture_stat (h->element, "waits-for-part"), >, parts);
}

static gpointer
push_second (gpointer h)
{
  push_and_read (h, 16, 2);
  return NULL;
}

/* Frames behind the first need further kernels. A CPU device does not build them before there
 * is a second frame: the program of a still picture would wait for that at its end. Then all
 * are requested before the first of them is built. */
TEST (still)
{
  g_autoptr (Harness) h = harness_new ("meanshiftpalette");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  guint n, built;
  GThread *thread;

  fixture_set_caps (h, "RGBA", 16, 16);
  push_and_read (h, 16, 1);
  n = gpu_kernels_count (device, &built);
  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  thread = g_thread_new ("push", push_second, h);
  if (gpu_device_is_slow (device)) {
    for (guint i = 0; i < 30000
        && gpu_kernels_count (device, &built) < n + 4; i++)
      g_usleep (1000);
    g_assert_cmpuint (gpu_kernels_count (device, &built), ==, n + 4);
  }
  gpu_hooks_allow_builds ();
  g_thread_join (thread);
  if (!gpu_device_is_slow (device))
    g_assert_cmpuint (gpu_kernels_count (device, &built), ==, n);
  gpu_hooks_leave_builds (device);
}

/* With the caps, all kernels of a first frame are requested to be built soon. */
TEST (without_stability)
{
  g_autoptr (Harness) h = harness_new ("meanshiftpalette stability=0");
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  guint n, built;

  fixture_set_caps (h, "RGBA", 16, 16);
  n = gpu_kernels_count (device, &built);
  push_and_read (h, 16, 1);
  g_assert_cmpuint (gpu_kernels_count (device, &built), ==, n);
}

/* --- who reads properties --- */

static GstElement *watched;
static struct VolkDeviceTable driver;
static guint n_waits, n_freed, n_timestamps;

/* Nobody holds the lock of the element where the driver may wait, or take long. */
static void
check_unlocked (guint * n_calls)
{
  g_assert_true (GST_OBJECT_TRYLOCK (watched));
  GST_OBJECT_UNLOCK (watched);
  (*n_calls)++;
}

static VkResult VKAPI_CALL
submit_unlocked (VkQueue queue, uint32_t n, const VkSubmitInfo * infos,
    VkFence fence)
{
  check_unlocked (&n_waits);
  return driver.vkQueueSubmit (queue, n, infos, fence);
}

static VkResult VKAPI_CALL
wait_unlocked (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  check_unlocked (&n_waits);
  return driver.vkWaitForFences (device, n, fences, all, timeout);
}

/* On Mesa's CPU device this begins with vkDeviceWaitIdle(). */
static VkResult VKAPI_CALL
read_unlocked (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  check_unlocked (&n_waits);
  return driver.vkGetQueryPoolResults (device, pool, first, n, size, data,
      stride, flags);
}

static void VKAPI_CALL
free_unlocked (VkDevice device, VkBuffer buffer,
    const VkAllocationCallbacks * allocator)
{
  check_unlocked (&n_freed);
  driver.vkDestroyBuffer (device, buffer, allocator);
}

static void VKAPI_CALL
count_timestamp (VkCommandBuffer commands, VkPipelineStageFlagBits stage,
    VkQueryPool pool, uint32_t query)
{
  n_timestamps++;
  driver.vkCmdWriteTimestamp (commands, stage, pool, query);
}

static VkResult VKAPI_CALL
fail_to_wait (VkDevice device, uint32_t n, const VkFence * fences,
    VkBool32 all, uint64_t timeout)
{
  return VK_ERROR_OUT_OF_HOST_MEMORY;
}

static GpuDevice *
watch (GstElement * element)
{
  GpuDevice *device = fixture_device_of (element);
  struct VolkDeviceTable *vk = &device->vk;

  watched = element;
  driver = *vk;
  vk->vkQueueSubmit = submit_unlocked;
  vk->vkWaitForFences = wait_unlocked;
  vk->vkDestroyBuffer = free_unlocked;
  vk->vkCmdWriteTimestamp = count_timestamp;
  if (gpu_device_get_info (device)->kind == GPU_DEVICE_CPU)
    vk->vkGetQueryPoolResults = read_unlocked;
  return device;
}

static void
read_properties (GstElement * element)
{
  g_autoptr (GstStructure) stats = NULL;
  g_autofree gchar *palette = NULL;

  g_object_get (element, "stats", &stats, "palette", &palette, NULL);
}

static void
push_and_drop (GstHarness * h, guint side)
{
  fixture_set_caps (h, "RGBA", side, side);
  fixture_show (h, fixture_frame ("RGBA", side, side, side));
}

/* Whoever reads waits for nothing. They may be the first to see that frames are done, and
 * then free buffers of these. */
TEST (readers)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette colors=8");
  g_autoptr (GpuDevice) device = watch (h->element);

  device->vk.vkGetFenceStatus = not_ready;
  push_and_drop (h, 16);
  push_and_drop (h, 32);
  driver.vkDeviceWaitIdle (device->device);
  device->vk.vkGetFenceStatus = driver.vkGetFenceStatus;
  n_waits = n_freed = 0;
  read_properties (h->element);
  g_assert_cmpuint (n_waits, ==, 0);
  g_assert_cmpuint (n_freed, >, 0);
  device->vk = driver;
}

/* If a map fails, the element looks whether it has lost the device. */
TEST (look)
{
  g_autoptr (Harness) h = fixture_play ("gpublur method=direct "
      "on-device-lost=recover", "RGBA", 16, 16);
  g_autoptr (GpuDevice) device = watch (h->element);
  GstMapInfo map;
  GstBuffer *out;

  out = gst_harness_push_and_pull (h, fixture_frame ("RGBA", 16, 16, 1));
  device->vk.vkGetFenceStatus = not_ready;
  device->vk.vkWaitForFences = fail_to_wait;
  n_waits = 0;
  g_assert_false (gst_buffer_map (out, &map, GST_MAP_READ));
  g_assert_cmpuint (n_waits, >, 0);
  device->vk = driver;
  gst_buffer_unref (out);
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "");
}

static guint
count_timestamps (GstHarness * h)
{
  n_timestamps = 0;
  push_and_read (h, 16, 1);
  return n_timestamps;
}

/* Whoever reads how long a frame took does not change how the next one is recorded. With one
 * slot there are no transfer queues, which have timestamps of their own. */
TEST (timestamps)
{
  g_autoptr (Harness) h = harness_new ("gpublur method=direct async-depth=1");
  g_autoptr (GpuDevice) device = watch (h->element);
  guint n;

  fixture_set_caps (h, "RGBA", 16, 16);
  count_timestamps (h);
  n = count_timestamps (h);
  for (guint i = 0; i < 3; i++) {
    fixture_stat (h->element, "frame-time");
    g_assert_cmpuint (count_timestamps (h), ==, n);
  }
  device->vk = driver;
}

int
main (int argc, char **argv)
{
  g_setenv ("GST_DEBUG", "gpu:6", TRUE);
  fixture_init (&argc, &argv, "/waiting/");
  return fixture_run ();
}
