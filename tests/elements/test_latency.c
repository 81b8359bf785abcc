/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What live sinks are told of the time that frames take. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "gst/filter/gstgpufilter.h"
#include "gst/filter/gstgpufilterprivate.h"

#include <string.h>

#define MS GST_MSECOND
#define UPSTREAM (40 * MS)

/* --- the rule --- */

static guint
note_frames (GstGpuFilterLatency * latency, guint n, GstClockTime time)
{
  guint changes = 0;

  for (guint i = 0; i < n; i++)
    changes += gst_gpu_filter_latency_note (latency, latency->frame + 1, time);
  return changes;
}

TEST (told_once)
{
  GstGpuFilterLatency latency = { 0 };

  g_assert_cmpuint (note_frames (&latency, 100, 10 * MS), ==, 0);
  g_assert_cmpuint (note_frames (&latency, 100, 30 * MS), ==, 1);
  /* A quarter more, in steps of 5 ms. */
  g_assert_cmpuint (latency.told, ==, 40 * MS);
  g_assert_cmpuint (note_frames (&latency, 100, 40 * MS), ==, 0);
  g_assert_cmpuint (note_frames (&latency, 100, 41 * MS), ==, 1);
  g_assert_cmpuint (latency.told, ==, 55 * MS);
  g_assert_cmpuint (note_frames (&latency, 100, 1 * MS), ==, 0);
  g_assert_cmpuint (latency.told, ==, 55 * MS);
}

TEST (single_frames)
{
  GstGpuFilterLatency latency = { 0 };

  for (guint i = 0; i < 10; i++) {
    g_assert_cmpuint (note_frames (&latency, 7, 900 * MS), ==, 0);
    g_assert_cmpuint (note_frames (&latency, 1, 1 * MS), ==, 0);
  }
  /* The same frame again, as nothing else is done. */
  g_assert_cmpuint (note_frames (&latency, 1, 900 * MS), ==, 0);
  for (guint i = 0; i < 10; i++)
    g_assert_false (gst_gpu_filter_latency_note (&latency, latency.frame,
            900 * MS));
}

/* The time that all of them take at least. */
TEST (varying)
{
  GstGpuFilterLatency latency = { 0 };

  for (guint i = 0; i < 8; i++)
    note_frames (&latency, 1, (i == 5 ? 20 : 900) * MS);
  g_assert_cmpuint (latency.told, ==, 25 * MS);
}

TEST (bounded)
{
  GstGpuFilterLatency latency = { 0 };

  g_assert_cmpuint (note_frames (&latency, 100, 20 * GST_SECOND), ==, 1);
  g_assert_cmpuint (latency.told, ==, GST_SECOND);
}

/* --- the element --- */

static guint64 frame_time;      /* ns */

/* The last command of a submission takes all the time. */
static VkResult VKAPI_CALL
tell_frame_time (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  guint64 *ticks = data;

  memset (ticks, 0, n * sizeof ticks[0]);
  ticks[n - 1] = frame_time;
  return VK_SUCCESS;
}

static GstHarness *
harness_new (void)
{
  GstHarness *h = fixture_harness ("gpublur sigma=1");
  GpuDevice *device = fixture_device_of (h->element);

  device->info.timestamp_period = 1;
  device->timestamp_mask = G_MAXUINT64;
  /* Copies on transfer queues would add to it. */
  device->transfer_timestamp_mask = 0;
  device->queries_wait = FALSE;
  device->vk.vkGetQueryPoolResults = tell_frame_time;
  gpu_device_unref (device);
  gst_harness_set_upstream_latency (h, UPSTREAM);
  fixture_set_caps (h, "GRAY8", 64, 64);
  return h;
}

static void
push_frames (GstHarness * h, guint n, guint64 time)
{
  frame_time = time;
  for (guint i = 0; i < n; i++) {
    GstMapInfo map;
    g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h, fixture_frame
        ("GRAY8", 64, 64, i));

    g_assert_true (gst_buffer_map (out, &map, GST_MAP_READ));
    gst_buffer_unmap (out, &map);
  }
}

static guint
take_latency_messages (GstHarness * h)
{
  return fixture_take_messages (h->element, GST_MESSAGE_LATENCY);
}

TEST (live)
{
  g_autoptr (Harness) h = harness_new ();

  push_frames (h, 10, 5 * MS);
  g_assert_cmpuint (gst_harness_query_latency (h), ==, UPSTREAM);
  g_assert_cmpuint (take_latency_messages (h), ==, 0);
  push_frames (h, 10, 30 * MS);
  g_assert_cmpuint (take_latency_messages (h), ==, 1);
  g_assert_cmpuint (gst_harness_query_latency (h), ==, UPSTREAM + 40 * MS);
  fixture_restart (h);
  g_assert_cmpuint (gst_harness_query_latency (h), ==, UPSTREAM);
}

/* Asks @element with an answer of the element before, and compares its own. */
static void
check_answer (GstElement * element, gboolean is_live, GstClockTime max,
    GstClockTime added)
{
  g_autoptr (GstQuery) query = gst_query_new_latency ();
  GstClockTime own_min, own_max;

  gst_query_set_latency (query, is_live, UPSTREAM, max);
  gst_gpu_filter_add_latency (GST_GPU_FILTER (element), query);
  gst_query_parse_latency (query, NULL, &own_min, &own_max);
  g_assert_cmpuint (own_min, ==, UPSTREAM + added);
  g_assert_cmpuint (own_max, ==, GST_CLOCK_TIME_IS_VALID (max) ? max + added
      : max);
}

/* What is not live waits for no clock. */
TEST (answers)
{
  g_autoptr (Harness) h = harness_new ();

  push_frames (h, 10, 30 * MS);
  check_answer (h->element, TRUE, UPSTREAM, 40 * MS);
  check_answer (h->element, TRUE, GST_CLOCK_TIME_NONE, 40 * MS);
  check_answer (h->element, FALSE, UPSTREAM, 0);
}

FIXTURE_MAIN ("/latency/")
