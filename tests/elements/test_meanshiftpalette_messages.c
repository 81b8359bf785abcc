/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What meanshiftpalette tells of the palettes of frames in messages, and what can be read
 * of them (meanshiftpalette_state.h). */
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "meanshiftpalette_state.h"
#include "palette_film.h"

/* --- messages --- */

/* The message of a frame is posted with the next frame, that of the last frame at the end.
 * Each frame has one message. */
static void
check_film (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);
  guint8 before[N_BYTES];

  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
  for (guint i = 0; i < 4; i++) {
    memcpy (before, film->out, N_BYTES);
    film_show (film);
    film_check_message (film, film->pts - INTERVAL, before);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
  }
  film_end (film);
  film_check_message (film, film->pts, film->out);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
}

static void
test_film (void)
{
  check_film ("meanshiftpalette " MESSAGES);
}

static void
test_exact (void)
{
  check_film ("meanshiftpalette quality=exact " MESSAGES);
}

/* While this is TRUE, no frame looks done to code that asks without waiting. */
static gboolean is_held;

static VKAPI_ATTR VkResult VKAPI_CALL
get_status (VkDevice device, VkFence fence)
{
  return is_held ? VK_NOT_READY
      : gpu_hooks_get_driver ()->vkGetFenceStatus (device, fence);
}

static void
push (Film * film)
{
  film->pts += INTERVAL;
  gst_harness_push (film->h, film_next_frame (film, film->pts));
}

/* The element does not wait for a frame that is not done, and does not post the message of
 * the frame before again. */
static void
test_late (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);

  gpu_hooks_install (device);
  device->vk.vkGetFenceStatus = get_status;
  film_show (film);
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 1);
  is_held = TRUE;
  push (film);
  g_assert_cmpuint (film_count_messages (film), <=, 1);
  push (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
  is_held = FALSE;
  film_end (film);
  g_assert_cmpuint (film_count_messages (film), ==, 1);
  gpu_hooks_remove (device);
}

/* A single frame that nobody has waited for. */
static void
test_picture (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette stability=0 " MESSAGES);
  GstBuffer *out;

  gst_harness_push (film->h, film_next_frame (film, 0));
  film_end (film);
  out = gst_harness_pull (film->h);
  gst_buffer_extract (out, 0, film->out, N_BYTES);
  gst_buffer_unref (out);
  film_check_message (film, 0, film->out);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
}

static void
test_times (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GstStructure) told = NULL;
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  segment.start = 5 * GST_SECOND;
  segment.time = 100 * GST_SECOND;
  segment.base = 1000 * GST_SECOND;
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  film->duration = 3 * GST_SECOND;
  film_show_at (film, 7 * GST_SECOND);
  /* The message has the segment of its frame, not this later one. */
  segment.base = 2000 * GST_SECOND;
  film->duration = 4 * GST_SECOND;
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  film_show_at (film, 8 * GST_SECOND);
  told = film_take_message (film);
  g_assert_cmpuint (film_time_of (told, "timestamp"), ==, 7 * GST_SECOND);
  g_assert_cmpuint (film_time_of (told, "stream-time"), ==, 102 * GST_SECOND);
  g_assert_cmpuint (film_time_of (told, "running-time"), ==, 1002 * GST_SECOND);
  g_assert_cmpuint (film_time_of (told, "duration"), ==, 3 * GST_SECOND);
}

/* Frames without timestamps, or with equal ones, have messages too. */
static void
test_no_times (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GstStructure) told = NULL;

  film->duration = GST_CLOCK_TIME_NONE;
  film_show_at (film, GST_CLOCK_TIME_NONE);
  film_show_at (film, GST_CLOCK_TIME_NONE);
  told = film_take_message (film);
  g_assert_cmpuint (film_time_of (told, "timestamp"), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (film_time_of (told, "stream-time"), ==,
      GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (film_time_of (told, "running-time"), ==,
      GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (film_time_of (told, "duration"), ==, GST_CLOCK_TIME_NONE);
  film_show_at (film, 0);
  film_show_at (film, 0);
  film_end (film);
  g_assert_cmpuint (film_count_messages (film), ==, 3);
}

/* No messages if post-messages is false, or if frames pass. */
static void
test_none (void)
{
  static const gchar *const elements[] = {
    "meanshiftpalette", "meanshiftpalette colors=8",
    "meanshiftpalette post-messages=true radius=0",
    "meanshiftpalette post-messages=true quality=exact radius=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    film_show (film);
    film_show (film);
    film_end (film);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
  }
}

/* Frames that come while post-messages is false have no message later. */
static void
test_toggled (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette radius=0.05");
  guint8 before[N_BYTES];

  for (guint i = 0; i < 2; i++) {
    film_show (film);
    film_show (film);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
    g_object_set (film->h->element, "post-messages", TRUE, NULL);
    film_show (film);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
    memcpy (before, film->out, N_BYTES);
    film_show (film);
    film_check_message (film, film->pts - INTERVAL, before);
    g_object_set (film->h->element, "post-messages", FALSE, NULL);
  }
  film_end (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
}

/* If the quality changes, each message still describes the frame before. */
static void
test_qualities (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  guint8 before[N_BYTES];

  film_show (film);
  for (guint i = 0; i < 8; i++) {
    memcpy (before, film->out, N_BYTES);
    g_object_set (film->h->element, "quality", i / 3 % 2, NULL);
    film_show (film);
    film_check_message (film, film->pts - INTERVAL, before);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
  }
}

/* The message of the frame before is posted with the next frame. */
static void
check_next (Film * film)
{
  guint8 before[N_BYTES];

  memcpy (before, film->out, N_BYTES);
  film_show (film);
  film_check_message (film, film->pts - INTERVAL, before);
}

/* When frames begin to pass, the message of the last processed frame is posted. Then there
 * is no palette. */
static void
check_passing (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);
  guint32 colours[1];

  for (guint i = 0; i < 2; i++) {
    g_object_set (film->h->element, "radius", RADIUS, NULL);
    film_show (film);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
    g_assert_cmpuint (film_read_palette (film, colours, 1), >, 1);
    g_object_set (film->h->element, "radius", 0.0, NULL);
    check_next (film);
    film_show (film);
    g_assert_cmpuint (film_count_messages (film), ==, 0);
    g_assert_cmpuint (film_read_palette (film, colours, 0), ==, 0);
  }
}

static void
test_passing (void)
{
  check_passing ("meanshiftpalette " MESSAGES);
  check_passing ("meanshiftpalette quality=exact " MESSAGES);
}

/* No message is lost if the transfer function or the caps change. */
static void
check_changes (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);

  film_show (film);
  g_object_set (film->h->element, "transfer", 2, NULL);
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 1);
  g_object_set (film->h->element, "transfer", 0, NULL);
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 1);
  fixture_set_caps (film->h, "RGBx", WIDTH, HEIGHT);
  check_next (film);
}

static void
test_changes (void)
{
  check_changes ("meanshiftpalette " MESSAGES);
  check_changes ("meanshiftpalette quality=exact " MESSAGES);
}

/* The message of the last frame is posted before @event, once. Takes the reference. */
static void
check_event (Film * film, GstEvent * event)
{
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
  g_assert_true (gst_harness_push_event (film->h, gst_event_ref (event)));
  film_check_message (film, film->pts, film->out);
  gst_harness_push_event (film->h, event);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
}

/* If no frame follows soon, the message of the last frame is posted. */
static void
check_events (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);

  check_event (film, gst_event_new_gap (film->pts, GST_SECOND));
  check_event (film, gst_event_new_segment_done (GST_FORMAT_TIME, film->pts));
  check_event (film, gst_event_new_stream_start ("another"));
}

static void
test_events (void)
{
  check_events ("meanshiftpalette " MESSAGES);
  check_events ("meanshiftpalette quality=exact " MESSAGES);
}

/* A buffer without memory and with the gap flag is a gap, too. The element waits for the
 * frame before it. */
static void
test_gap_buffer (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  GstBuffer *gap = gst_buffer_new ();

  GST_BUFFER_PTS (gap) = film->pts + 2 * INTERVAL;
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  gpu_hooks_install (device);
  device->vk.vkGetFenceStatus = get_status;
  is_held = TRUE;
  push (film);
  g_assert_cmpint (gst_harness_push (film->h, gap), ==, GST_FLOW_OK);
  is_held = FALSE;
  g_assert_cmpuint (film_count_messages (film), ==, 1);
  gpu_hooks_remove (device);
}

/* After a flush or a restart there is no message of an earlier frame. */
static void
test_flush (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  film_show (film);
  gst_harness_push_event (film->h, gst_event_new_flush_start ());
  gst_harness_push_event (film->h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  gst_harness_push_event (film->h, gst_event_new_gap (0, GST_SECOND));
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
  fixture_restart (film->h);
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  film_show (film);
  g_assert_cmpuint (film_count_messages (film), ==, 0);
  film_end (film);
  film_check_message (film, film->pts, film->out);
}

/* --- memory --- */

static void
show_toggled (Film * film)
{
  for (guint i = 0; i < 18; i++) {
    g_object_set (film->h->element, "post-messages", i % 4 > 1, "quality",
        i / 3 % 2, NULL);
    film_show (film);
  }
}

/* After the first frames of each kind, no frame creates a Vulkan object. */
static void
test_nothing_is_made (void)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  guint made;

  gpu_hooks_install (device);
  show_toggled (film);
  made = gpu_hooks_get_made ();
  g_assert_cmpuint (made, >, 0);
  show_toggled (film);
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  fixture_share_device ();
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-messages/" name, test)
  ADD ("film", test_film);
  ADD ("exact", test_exact);
  ADD ("late", test_late);
  ADD ("picture", test_picture);
  ADD ("times", test_times);
  ADD ("no-times", test_no_times);
  ADD ("none", test_none);
  ADD ("toggled", test_toggled);
  ADD ("qualities", test_qualities);
  ADD ("passing", test_passing);
  ADD ("changes", test_changes);
  ADD ("events", test_events);
  ADD ("gap-buffer", test_gap_buffer);
  ADD ("flush", test_flush);
  meanshiftpalette_state_add_tests ();
  ADD ("nothing-is-made", test_nothing_is_made);
  return fixture_run ();
}
