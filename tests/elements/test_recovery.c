/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* on-device-lost=recover: streams that outlive their devices. */
#include "element_fixture.h"
#include "gpu/core/kernel/kernel.h"
#include "gpu_hooks.h"
#include "loader_fixture.h"
#include "losing.h"

#include <string.h>

#define BOX "gpublur kernel=box radius=2 on-device-lost=recover "
#define WIDTH 16
#define HEIGHT 8

/* After so many frames a device has worked well. */
#define WELL 100

/* Of the frame of noise of @seed what comes out; NULL where nothing does. */
static GstBuffer *
push (GstHarness * h, guint seed)
{
  fixture_push (h, fixture_frame ("RGBA", WIDTH, HEIGHT, seed), GST_FLOW_OK);
  return gst_harness_try_pull (h);
}

static gboolean
can_be_read (GstBuffer * buffer)
{
  GstMapInfo map;

  if (!gst_buffer_map (buffer, &map, GST_MAP_READ))
    return FALSE;
  gst_buffer_unmap (buffer, &map);
  return TRUE;
}

static gboolean
is_blurred (GstBuffer * buffer, guint seed, guint radius)
{
  return fixture_is_box (buffer, BOX_OF ("RGBA", WIDTH, HEIGHT, seed, radius));
}

/* All of @n frames come out; the last is looked at. */
static void
check_blurs (GstHarness * h, guint n)
{
  for (guint i = 1; i <= n; i++) {
    g_autoptr (GstBuffer) out = push (h, i);

    g_assert_nonnull (out);
    g_assert_true (i < n || is_blurred (out, i, 2));
  }
}

static GstHarness *
begin (const gchar * description)
{
  GstHarness *h;

  losing_begin ();
  h = fixture_harness (description);
  fixture_take_messages (h->element, GST_MESSAGE_WARNING);
  return h;
}

static void
end (GstHarness * h)
{
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 0);
  losing_at (0);
  fixture_harness_free (h);
  losing_end ();
}

/* It comes first and alone: popping a warning would throw away an error before it. */
static void
take_warning_of_loss (GstHarness * h)
{
  const GstMessageType types = GST_MESSAGE_ERROR | GST_MESSAGE_WARNING;
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  g_autoptr (GstMessage) message = gst_bus_pop_filtered (bus, types);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_WARNING);
  gst_message_parse_warning (message, &error, NULL);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "goes on with the next one"));
  g_assert_cmpuint (fixture_take_messages (h->element, types), ==, 0);
}

/* The frame loses the device, and not a build before it, which would leave time to replace
 * it. */
static void
lose_a_frame (GstHarness * h)
{
  losing_here ();
  g_assert_null (push (h, 0));
  take_warning_of_loss (h);
}

/* The frame at hand is lost; the next is none that follows the one before. */
TEST (goes_on)
{
  GstHarness *h = begin (BOX);
  GpuDevice *device = fixture_device_of (h->element);
  GstBuffer *out;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 3);
  lose_a_frame (h);
  fixture_check_stat (h->element, "dropped", 1);
  out = push (h, 2);
  g_assert_true (is_blurred (out, 2, 2));
  g_assert_true (GST_BUFFER_IS_DISCONT (out));
  gst_buffer_unref (out);
  check_blurs (h, 3);
  fixture_check_stat (h->element, "frames", 7);
  gpu_device_unref (device);
  end (h);
}

static VkResult VKAPI_CALL
be_at_work (VkDevice device, VkFence fence)
{
  return VK_NOT_READY;
}

/* Counters are of the whole stream. */
TEST (counters)
{
  GstHarness *h = begin (BOX "async-depth=1");
  GpuDevice *device = fixture_device_of (h->element);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  device->vk.vkGetFenceStatus = be_at_work;
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (push (h, i));
  fixture_check_stat (h->element, "waits-for-slot", 2);
  lose_a_frame (h);
  check_blurs (h, 1);
  g_assert_cmpuint (fixture_stat (h->element, "waits-for-slot"), >=, 2);
  fixture_check_stat (h->element, "frames", 4);
  gpu_device_unref (device);
  end (h);
}

/* Allows builds once the element says that a frame waits for one. */
static GstBusSyncReply
allow_builds (GstBus * bus, GstMessage * message, gpointer are_held)
{
  g_autofree gchar *code = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_PROGRESS)
    gst_message_parse_progress (message, NULL, &code, NULL);
  if (*(gboolean *) are_held && g_strcmp0 (code, "shaders") == 0) {
    gpu_hooks_allow_builds ();
    *(gboolean *) are_held = FALSE;
  }
  return GST_BUS_PASS;
}

/* Pushes the first frame on a device. It requests kernels itself, none of which is built
 * before it waits for one, however fast the machine is. */
static void
push_waiting (GstHarness * h)
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  g_autoptr (GstBus) bus = gst_element_get_bus (h->element);
  gboolean are_held = TRUE;

  gst_bus_set_sync_handler (bus, allow_builds, &are_held, NULL);
  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  gst_buffer_unref (push (h, 1));
  g_assert_false (are_held);
  gpu_hooks_leave_builds (device);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
}

/* They go on from those of the streams before: a first frame on the device that comes next
 * counts, too. */
TEST (counters_within_frames)
{
  static const gchar *names[] = { "waits-for-part", "builds-within-frames" };
  GstHarness *h = begin ("meanshiftpalette quality=exact radius=0.05 "
      "on-device-lost=recover");
  guint64 first[G_N_ELEMENTS (names)];

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  push_waiting (h);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    first[i] = fixture_stat (h->element, names[i]);
    g_assert_cmpuint (first[i], >, 0);
  }
  lose_a_frame (h);
  /* Opens the next device. */
  fixture_set_caps (h, "RGBA", 4, 4);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    fixture_check_stat (h->element, names[i], first[i]);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  push_waiting (h);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    g_assert_cmpuint (fixture_stat (h->element, names[i]), >, first[i]);
  end (h);
}

/* What was seen to be done stays. Nobody waits for the rest. */
TEST (frames_of_before)
{
  GstHarness *h = begin (BOX);
  GstBuffer *read, *unread, *out;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  read = push (h, 1);
  g_assert_true (is_blurred (read, 1, 2));
  unread = push (h, 2);
  losing_at (1);
  g_assert_false (can_be_read (unread));
  take_warning_of_loss (h);
  out = push (h, 3);
  g_assert_true (is_blurred (out, 3, 2));
  fixture_check_stat (h->element, "dropped", 0);
  g_assert_false (can_be_read (unread));
  g_assert_true (is_blurred (read, 1, 2));
  /* What is written now is read. */
  fixture_fill (unread, &info, 4);
  g_assert_true (is_blurred (unread, 4, 0));
  gst_buffer_unref (read);
  gst_buffer_unref (unread);
  gst_buffer_unref (out);
  end (h);
}

/* Who fills frames of the lost device's memory notices nothing. */
TEST (input_of_before)
{
  GstHarness *h = begin (BOX);
  GstBufferPool *pool = fixture_take_pool (h, "RGBA", WIDTH, HEIGHT);
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  for (guint i = 0; i < 6; i++) {
    GstBuffer *in = fixture_acquire (pool), *out;

    /* The first was never filled yet. */
    if (i == 0 || i == 3)
      lose_a_frame (h);
    fixture_fill (in, &info, i);
    fixture_push (h, in, GST_FLOW_OK);
    out = gst_harness_pull (h);
    g_assert_true (is_blurred (out, i, 2));
    gst_buffer_unref (out);
  }
  fixture_release_pool (pool);
  end (h);
}

/* Upstream is asked to ask for a pool of the device that is there now. */
TEST (neighbours_are_told)
{
  GstHarness *h = begin (BOX);
  GstEvent *event;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 1);
  while ((event = gst_harness_try_pull_upstream_event (h)))
    gst_event_unref (event);
  lose_a_frame (h);
  check_blurs (h, 1);
  event = gst_harness_try_pull_upstream_event (h);
  g_assert_nonnull (event);
  g_assert_cmpint (GST_EVENT_TYPE (event), ==, GST_EVENT_RECONFIGURE);
  gst_event_unref (event);
  end (h);
}

/* One after the other goes on, on one device; then again nothing is copied between
 * them. */
TEST (chain)
{
  GstHarness *h = begin (BOX "name=a ! gpublur kernel=box radius=0 name=b "
      "on-device-lost=recover");
  GstElement *a = fixture_child (h, "a");
  GstElement *b = fixture_child (h, "b");
  GpuDevice *of_a, *of_b;
  guint64 downloads;

  g_object_set (b, "radius", 2, NULL);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  gst_buffer_unref (push (h, 0));
  losing_here ();
  g_assert_null (push (h, 0));
  losing_at (0);
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (push (h, i));
  /* Of both. */
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 2);
  of_a = fixture_device_of (a);
  of_b = fixture_device_of (b);
  g_assert_true (of_a == of_b);
  gpu_device_unref (of_a);
  gpu_device_unref (of_b);
  downloads = fixture_stat (a, "downloads");
  for (guint i = 0; i < 3; i++)
    gst_buffer_unref (push (h, i));
  fixture_check_stat (a, "downloads", downloads);
  g_assert_cmpuint (fixture_stat (b, "uploads"), <=, 1);
  end (h);
}

/* Caps that come when the device is lost, and those over which it is. */
TEST (caps)
{
  GstHarness *h = begin (BOX);
  GpuDevice *device;

  fixture_set_caps (h, "RGBA", 4, 4);
  device = fixture_device_of (h->element);
  gpu_device_mark_lost (device);
  gpu_device_unref (device);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  take_warning_of_loss (h);
  check_blurs (h, 2);
  g_object_set (h->element, "method", 4, NULL);
  losing_at (1);
  device = fixture_device_of (h->element);
  fixture_set_caps (h, "BGRx", WIDTH, HEIGHT);
  gpu_kernels_wait (device);
  gpu_device_unref (device);
  g_assert_true (losing_has_lost ());
  fixture_check_box (h, fixture_frame ("BGRx", WIDTH, HEIGHT,
          5), BOX_OF ("BGRx", WIDTH, HEIGHT, 5, 2));
  take_warning_of_loss (h);
  end (h);
}

/* While frames pass no device is needed. */
TEST (passing)
{
  GstHarness *h = begin (BOX);
  GpuDevice *device = fixture_device_of (h->element);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  g_object_set (h->element, "radius", 0, NULL);
  gpu_device_mark_lost (device);
  g_assert_true (fixture_passes (h, fixture_frame ("RGBA", WIDTH, HEIGHT, 1)));
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 0);
  g_object_set (h->element, "radius", 2, NULL);
  check_blurs (h, 1);
  take_warning_of_loss (h);
  gpu_device_unref (device);
  end (h);
}

static VkResult VKAPI_CALL
time_out (VkDevice device, uint32_t n, const VkFence * fences, VkBool32 all,
    uint64_t timeout)
{
  return VK_TIMEOUT;
}

static VkResult VKAPI_CALL
not_ready (VkDevice device, VkFence fence)
{
  return VK_NOT_READY;
}

/* What a device that hangs may still use is leaked, and nobody waits for it twice. */
TEST (hangs)
{
  g_autoptr (Harness) h = fixture_harness (BOX);
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);
  g_autoptr (GstBuffer) unread = NULL;

  fixture_take_messages (h->element, GST_MESSAGE_WARNING);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 1);
  unread = push (h, 0);
  device->vk.vkWaitForFences = time_out;
  device->vk.vkGetFenceStatus = not_ready;
  g_assert_false (can_be_read (unread));
  take_warning_of_loss (h);
  check_blurs (h, 3);
  g_assert_false (can_be_read (unread));
}

static void
fail (GstHarness * h, const gchar * words)
{
  losing_at (1);
  fixture_push (h, fixture_frame ("RGBA", WIDTH, HEIGHT, 0), GST_FLOW_ERROR);
  fixture_take_error (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_FAILED, words);
}

/* A frame that every device is lost with ends the stream. */
TEST (third_in_a_row)
{
  GstHarness *h = begin (BOX);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 1);
  for (guint i = 0; i < 2; i++) {
    lose_a_frame (h);
    check_blurs (h, WELL - 1);
    lose_a_frame (h);
    check_blurs (h, WELL);
  }
  for (guint i = 0; i < 2; i++) {
    lose_a_frame (h);
    check_blurs (h, WELL - 1);
  }
  fail (h, "with fewer than 100 frames in between");
  /* The next start is a new beginning. */
  fixture_restart (h);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  fixture_take_messages (h->element, GST_MESSAGE_WARNING);
  lose_a_frame (h);
  check_blurs (h, 1);
  end (h);
}

/* The property counts when the device is lost. */
TEST (changes_while_playing)
{
  GstHarness *h = begin (BOX);

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 1);
  g_object_set (h->element, "on-device-lost", 0, NULL);
  fail (h, "restart the pipeline");
  g_object_set (h->element, "on-device-lost", 1, NULL);
  check_blurs (h, 1);
  take_warning_of_loss (h);
  end (h);
}

/* --- the next best --- */

/* Of two devices the first is preferred. */
static GstHarness *
begin_with_two (void)
{
  GstHarness *h;

  use_fake_loader ();
  fake->replaces_devices = TRUE;
  fake->n_devices = 2;
  fake->types[0] = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
  fake->types[1] = VK_PHYSICAL_DEVICE_TYPE_CPU;
  fake->edit_properties = number_uuids;
  g_unsetenv ("GST_GPU_ALLOW_CPU");
  h = begin (BOX);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  check_blurs (h, 1);
  return h;
}

static void
end_with_two (GstHarness * h)
{
  end (h);
  use_real_loader ();
}

static void
check_index (GstHarness * h, guint index)
{
  g_autoptr (GpuDevice) device = fixture_device_of (h->element);

  g_assert_cmpuint (gpu_device_get_info (device)->index, ==, index);
}

static void
take_warning_of_next_best (GstHarness * h)
{
  if (test_selector ())
    return;
  fixture_take_warning (h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_SETTINGS, "Passed over");
}

/* One that was removed cannot be opened again. */
TEST (removed)
{
  GstHarness *h = begin_with_two ();

  lose_a_frame (h);
  fake->create_device = VK_ERROR_INITIALIZATION_FAILED;
  fake->n_failing = 2;          /* asked for, then as the best */
  check_blurs (h, 2);
  check_index (h, 1);
  take_warning_of_next_best (h);
  /* Where there is none at all, the stream ends at once. */
  lose_a_frame (h);
  fake->n_failing = 3;
  fixture_push (h, fixture_frame ("RGBA", WIDTH, HEIGHT, 0), GST_FLOW_ERROR);
  fixture_take_error (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_FAILED, "initialised");
  end_with_two (h);
}

/* One that hangs still when it is opened again is given up for the next. */
TEST (hangs_again)
{
  GstHarness *h = begin_with_two ();

  lose_a_frame (h);
  fake->waits = 0;
  fake->looks_in_vain = 1000;
  fake->fence_status = VK_NOT_READY;
  check_blurs (h, 2);
  check_index (h, 1);
  take_warning_of_next_best (h);
  /* What it was kept for is done. */
  fake->fence_status = VK_SUCCESS;
  gpu_device_unref (open_device (NULL));
  end_with_two (h);
}

/* Not the preferred one, though nobody names it any more. */
TEST (same_device)
{
  GstHarness *h = begin_with_two ();

  lose_a_frame (h);
  fake->create_device = VK_ERROR_INITIALIZATION_FAILED;
  fake->n_failing = 2;
  check_blurs (h, WELL);
  take_warning_of_next_best (h);
  lose_a_frame (h);
  check_blurs (h, 1);
  check_index (h, 1);
  end_with_two (h);
}

/* --- other threads --- */

typedef struct
{
  GstHarness *harness;
  gint is_over;                 /* atomic */
} Reader;

/* Maps what it can of the frames that come. */
static gpointer
read_frames (gpointer data)
{
  Reader *reader = data;

  while (!g_atomic_int_get (&reader->is_over)) {
    GstBuffer *buffer = gst_harness_try_pull (reader->harness);

    if (buffer)
      can_be_read (buffer);
    fixture_stat (reader->harness->element, "waits-for-result");
    gst_clear_buffer (&buffer);
    /* Leaves the other threads most of the time. */
    g_usleep (50);
  }
  return NULL;
}

#define N_LOSSES 6

/* Whoever finds a loss out first, it is told once. */
TEST (threads)
{
  GstHarness *h = begin (BOX);
  Reader reader = { h, FALSE };
  GThread *thread = g_thread_new ("reader", read_frames, &reader);
  guint losses;

  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
  for (guint i = 0; i < N_LOSSES; i++) {
    losing_at (1 + 6 * i);
    /* The reader's calls count, too: which frame it is is not known. */
    for (guint k = 0; k < WELL + 50; k++)
      fixture_push (h, fixture_frame ("RGBA", WIDTH, HEIGHT, k), GST_FLOW_OK);
  }
  g_atomic_int_set (&reader.is_over, TRUE);
  g_thread_join (thread);
  losses = losing_get_losses ();
  g_assert_cmpuint (losses, ==, N_LOSSES);
  fixture_check_messages (h->element, GST_MESSAGE_ERROR | GST_MESSAGE_WARNING,
      losses);
  end (h);
}

FIXTURE_MAIN ("/recovery/")
