/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What meanshiftpalette tells of the palettes of frames in messages, and what can be read
 * of them. */
#include "gpu/core/device/vulkan.h"
#include "gpu_hooks.h"
#include "palette_film.h"
#include "reference_count.h"
#include "reference_list.h"

/* Frames have so few modes that all are listed. */
#define MESSAGES "post-messages=true radius=0.05"
#define RADIUS 0.05

static GstBuffer *
next_frame (Film * film, GstClockTime pts)
{
  g_autofree guint8 *picture = film_next_picture (film);

  return film_frame_of (film, picture, pts);
}

static void
end (Film * film)
{
  g_assert_true (gst_harness_push_event (film->h, gst_event_new_eos ()));
}

/* --- what is told --- */

static GstStructure *
take_message (Film * film)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (film->h->element);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ELEMENT);

  if (!message)
    return NULL;
  g_assert_true (GST_MESSAGE_SRC (message) == GST_OBJECT (film->h->element));
  return gst_structure_copy (gst_message_get_structure (message));
}

static guint
count_messages (Film * film)
{
  return fixture_take_messages (film->h->element, GST_MESSAGE_ELEMENT);
}

static GstClockTime
time_of (const GstStructure * structure, const gchar * name)
{
  guint64 time = 0;

  g_assert_true (gst_structure_get_uint64 (structure, name, &time));
  return time;
}

/* The texts have the same values as the arrays. */
static void
check_texts (const GstStructure * structure, const ReferenceListed * modes,
    guint n)
{
  g_auto (GStrv) colours = g_strsplit (gst_structure_get_string (structure,
          "palette-text"), ",", -1);
  g_auto (GStrv) shares = g_strsplit (gst_structure_get_string (structure,
          "shares-text"), ",", -1);

  g_assert_cmpuint (g_strv_length (colours), ==, n);
  g_assert_cmpuint (g_strv_length (shares), ==, n);
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *colour = g_strdup_printf ("#%06x", modes[i].colour);

    g_assert_cmpstr (colours[i], ==, colour);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (shares[i], NULL),
        modes[i].share, 1e-6);
  }
}

/* Checks that the values have the documented types. Returns the number of modes. */
static guint
take_modes (const GstStructure * structure, ReferenceListed * modes)
{
  const GValue *colours = gst_structure_get_value (structure, "palette");
  const GValue *shares = gst_structure_get_value (structure, "shares");
  guint n;

  g_assert_true (GST_VALUE_HOLDS_ARRAY (colours));
  g_assert_true (GST_VALUE_HOLDS_ARRAY (shares));
  n = gst_value_array_get_size (colours);
  g_assert_cmpuint (gst_value_array_get_size (shares), ==, n);
  g_assert_cmpuint (n, <=, REFERENCE_LIST_LENGTH);
  for (guint i = 0; i < n; i++)
    modes[i] = (ReferenceListed) {
      g_value_get_uint (gst_value_array_get_value (colours, i)),
      g_value_get_double (gst_value_array_get_value (shares, i)),
    };
  check_texts (structure, modes, n);
  return n;
}

static guint
check_told (Film * film, const GstStructure * structure,
    const guint8 * rgba, gdouble radius)
{
  ReferencePaletteSettings settings = palette_settings (film->h->element);
  ReferenceListed modes[REFERENCE_LIST_LENGTH];
  guint n = take_modes (structure, modes), n_merged;
  g_autofree gchar *fault = NULL;
  gdouble told;

  g_assert_cmpstr (gst_structure_get_name (structure), ==, "meanshiftpalette");
  g_assert_true (gst_structure_get_double (structure, "radius", &told));
  g_assert_cmpfloat_with_epsilon (told, radius, 1e-9);
  settings.radius = radius;
  fault = reference_list_find_fault (&settings, rgba, N_PIXELS, modes, n,
      &n_merged);
  g_assert_cmpstr (fault, ==, NULL);
  g_assert_cmpuint (n, >, 1);
  return n;
}

static void
check_message (Film * film, GstClockTime pts, const guint8 * rgba)
{
  g_autoptr (GstStructure) structure = take_message (film);

  g_assert_nonnull (structure);
  g_assert_cmpuint (time_of (structure, "timestamp"), ==, pts);
  check_told (film, structure, rgba, RADIUS);
}

static guint
read_palette (Film * film, guint32 * colours, guint n)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) entries = NULL;
  guint n_read;

  g_object_get (film->h->element, "palette", &text, NULL);
  entries = g_strsplit (text, ",", -1);
  n_read = g_strv_length (entries);
  for (guint i = 0; i < MIN (n, n_read); i++)
    colours[i] = g_ascii_strtoull (entries[i] + 1, NULL, 16);
  return n_read;
}

/* --- messages --- */

/* The message of a frame is posted with the next frame, that of the last frame at the end.
 * Each frame has one message. */
static void
check_film (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);
  guint8 before[N_BYTES];

  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
  for (guint i = 0; i < 4; i++) {
    memcpy (before, film->out, N_BYTES);
    film_push (film);
    check_message (film, film->pts - INTERVAL, before);
    g_assert_cmpuint (count_messages (film), ==, 0);
  }
  end (film);
  check_message (film, film->pts, film->out);
  g_assert_cmpuint (count_messages (film), ==, 0);
}

TEST (film)
{
  check_film ("meanshiftpalette " MESSAGES);
}

TEST (exact)
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
push_unseen (Film * film)
{
  film->pts += INTERVAL;
  gst_harness_push (film->h, next_frame (film, film->pts));
}

/* The element does not wait for a frame that is not done, and does not post the message of
 * the frame before again. */
TEST (late)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);

  gpu_hooks_install (device);
  device->vk.vkGetFenceStatus = get_status;
  film_push (film);
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 1);
  is_held = TRUE;
  push_unseen (film);
  g_assert_cmpuint (count_messages (film), <=, 1);
  push_unseen (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
  is_held = FALSE;
  end (film);
  g_assert_cmpuint (count_messages (film), ==, 1);
  gpu_hooks_remove (device);
}

/* A single frame that nobody has waited for. */
TEST (picture)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette stability=0 " MESSAGES);
  GstBuffer *out;

  gst_harness_push (film->h, next_frame (film, 0));
  end (film);
  out = gst_harness_pull (film->h);
  gst_buffer_extract (out, 0, film->out, N_BYTES);
  gst_buffer_unref (out);
  check_message (film, 0, film->out);
  g_assert_cmpuint (count_messages (film), ==, 0);
}

TEST (times)
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
  film_push_at (film, 7 * GST_SECOND);
  /* The message has the segment of its frame, not this later one. */
  segment.base = 2000 * GST_SECOND;
  film->duration = 4 * GST_SECOND;
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  film_push_at (film, 8 * GST_SECOND);
  told = take_message (film);
  g_assert_cmpuint (time_of (told, "timestamp"), ==, 7 * GST_SECOND);
  g_assert_cmpuint (time_of (told, "stream-time"), ==, 102 * GST_SECOND);
  g_assert_cmpuint (time_of (told, "running-time"), ==, 1002 * GST_SECOND);
  g_assert_cmpuint (time_of (told, "duration"), ==, 3 * GST_SECOND);
}

/* Frames without timestamps, or with equal ones, have messages too. */
TEST (no_times)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GstStructure) told = NULL;

  film->duration = GST_CLOCK_TIME_NONE;
  film_push_at (film, GST_CLOCK_TIME_NONE);
  film_push_at (film, GST_CLOCK_TIME_NONE);
  told = take_message (film);
  g_assert_cmpuint (time_of (told, "timestamp"), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (time_of (told, "stream-time"), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (time_of (told, "running-time"), ==, GST_CLOCK_TIME_NONE);
  g_assert_cmpuint (time_of (told, "duration"), ==, GST_CLOCK_TIME_NONE);
  film_push_at (film, 0);
  film_push_at (film, 0);
  end (film);
  g_assert_cmpuint (count_messages (film), ==, 3);
}

/* No messages if post-messages is false, or if frames pass. */
TEST (none)
{
  static const gchar *const elements[] = {
    "meanshiftpalette", "meanshiftpalette colors=8",
    "meanshiftpalette post-messages=true radius=0",
    "meanshiftpalette post-messages=true quality=exact radius=0"
  };

  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (Film) film = film_new (elements[i]);

    film_push (film);
    film_push (film);
    end (film);
    g_assert_cmpuint (count_messages (film), ==, 0);
  }
}

/* Frames that come while post-messages is false have no message later. */
TEST (toggled)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette radius=0.05");
  guint8 before[N_BYTES];

  for (guint i = 0; i < 2; i++) {
    film_push (film);
    film_push (film);
    g_assert_cmpuint (count_messages (film), ==, 0);
    g_object_set (film->h->element, "post-messages", TRUE, NULL);
    film_push (film);
    g_assert_cmpuint (count_messages (film), ==, 0);
    memcpy (before, film->out, N_BYTES);
    film_push (film);
    check_message (film, film->pts - INTERVAL, before);
    g_object_set (film->h->element, "post-messages", FALSE, NULL);
  }
  end (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
}

/* If the quality changes, each message still describes the frame before. */
TEST (qualities)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  guint8 before[N_BYTES];

  film_push (film);
  for (guint i = 0; i < 8; i++) {
    memcpy (before, film->out, N_BYTES);
    g_object_set (film->h->element, "quality", i / 3 % 2, NULL);
    film_push (film);
    check_message (film, film->pts - INTERVAL, before);
    g_assert_cmpuint (count_messages (film), ==, 0);
  }
}

/* The message of the frame before is posted with the next frame. */
static void
check_next (Film * film)
{
  guint8 before[N_BYTES];

  memcpy (before, film->out, N_BYTES);
  film_push (film);
  check_message (film, film->pts - INTERVAL, before);
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
    film_push (film);
    g_assert_cmpuint (count_messages (film), ==, 0);
    g_assert_cmpuint (read_palette (film, colours, 1), >, 1);
    g_object_set (film->h->element, "radius", 0.0, NULL);
    check_next (film);
    film_push (film);
    g_assert_cmpuint (count_messages (film), ==, 0);
    g_assert_cmpuint (read_palette (film, colours, 0), ==, 0);
  }
}

TEST (passing)
{
  check_passing ("meanshiftpalette " MESSAGES);
  check_passing ("meanshiftpalette quality=exact " MESSAGES);
}

/* No message is lost if the transfer function or the caps change. */
static void
check_changes (const gchar * description)
{
  g_autoptr (Film) film = film_new (description);

  film_push (film);
  g_object_set (film->h->element, "transfer", 2, NULL);
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 1);
  g_object_set (film->h->element, "transfer", 0, NULL);
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 1);
  fixture_set_caps (film->h, "RGBx", WIDTH, HEIGHT);
  check_next (film);
}

TEST (changes)
{
  check_changes ("meanshiftpalette " MESSAGES);
  check_changes ("meanshiftpalette quality=exact " MESSAGES);
}

/* The message of the last frame is posted before @event, once. Takes the reference. */
static void
check_event (Film * film, GstEvent * event)
{
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
  g_assert_true (gst_harness_push_event (film->h, gst_event_ref (event)));
  check_message (film, film->pts, film->out);
  gst_harness_push_event (film->h, event);
  g_assert_cmpuint (count_messages (film), ==, 0);
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

TEST (events)
{
  check_events ("meanshiftpalette " MESSAGES);
  check_events ("meanshiftpalette quality=exact " MESSAGES);
}

/* A buffer without memory and with the gap flag is a gap, too. The element waits for the
 * frame before it. */
TEST (gap_buffer)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  g_autoptr (GpuDevice) device = fixture_device_of (film->h->element);
  GstBuffer *gap = gst_buffer_new ();

  GST_BUFFER_PTS (gap) = film->pts + 2 * INTERVAL;
  GST_BUFFER_FLAG_SET (gap, GST_BUFFER_FLAG_GAP);
  gpu_hooks_install (device);
  device->vk.vkGetFenceStatus = get_status;
  is_held = TRUE;
  push_unseen (film);
  fixture_push (film->h, gap, GST_FLOW_OK);
  is_held = FALSE;
  g_assert_cmpuint (count_messages (film), ==, 1);
  gpu_hooks_remove (device);
}

/* After a flush or a restart there is no message of an earlier frame. */
TEST (flush)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette " MESSAGES);
  GstSegment segment;

  gst_segment_init (&segment, GST_FORMAT_TIME);
  film_push (film);
  gst_harness_push_event (film->h, gst_event_new_flush_start ());
  gst_harness_push_event (film->h, gst_event_new_flush_stop (TRUE));
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  gst_harness_push_event (film->h, gst_event_new_gap (0, GST_SECOND));
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
  fixture_restart (film->h);
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  film_push (film);
  g_assert_cmpuint (count_messages (film), ==, 0);
  end (film);
  check_message (film, film->pts, film->out);
}

/* --- what can be read at any time: the property, and statistics --- */

/* The property has all colours of the last frame, the most frequent first. */
static void
check_read (Film * film)
{
  g_autoptr (GHashTable) counts = reference_count_colours (film->out, N_PIXELS);
  guint32 colours[8];
  guint last = G_MAXUINT;

  g_assert_cmpuint (read_palette (film, colours, 8), ==,
      g_hash_table_size (counts));
  for (guint i = 0; i < g_hash_table_size (counts); i++) {
    guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts,
            GUINT_TO_POINTER (colours[i])));

    g_assert_cmpuint (n, >, 0);
    g_assert_cmpuint (n, <=, last);
    last = n;
  }
}

TEST (read)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");
  guint32 colours[1];

  g_assert_cmpuint (read_palette (film, colours, 0), ==, 0);
  for (guint i = 0; i < 3; i++) {
    film_push (film);
    check_read (film);
  }
  fixture_set (film->h->element, "palette", "<0x123456>");
  g_assert_cmpuint (read_palette (film, colours, 1), ==, 1);
  g_assert_cmphex (colours[0], ==, 0x123456);
  fixture_set (film->h->element, "palette", "<>");
  g_assert_cmpuint (read_palette (film, colours, 1), >, 1);
  g_object_set (film->h->element, "colors", 0, NULL);
  film_push (film);
  g_assert_cmpuint (read_palette (film, colours, 0), ==, 0);
  g_object_set (film->h->element, "post-messages", TRUE, NULL);
  film_push (film);
  g_assert_cmpuint (read_palette (film, colours, 0), >, 1);
}

static GstStructure *
take_stats (Film * film)
{
  GstStructure *stats;

  g_object_get (film->h->element, "stats", &stats, NULL);
  return stats;
}

static void
check_radius (const gchar * description, gdouble before, gdouble expected)
{
  g_autoptr (Film) film = film_new (description);
  g_autoptr (GstStructure) first = take_stats (film), last = NULL;
  gdouble radius;

  g_assert_true (gst_structure_get_double (first, "radius", &radius));
  g_assert_cmpfloat (radius, ==, before);
  film_push (film);
  last = take_stats (film);
  g_assert_true (gst_structure_get_double (last, "radius", &radius));
  g_assert_cmpfloat_with_epsilon (radius, expected, 1e-9);
}

TEST (radius)
{
  check_radius ("meanshiftpalette radius=0.03", 0, 0.03);
  check_radius ("meanshiftpalette colors=16", 0, 0.01);
  check_radius ("meanshiftpalette quality=exact radius=0.04", 0, 0.04);
}

static void
check_stats (const gchar * description, gdouble radius)
{
  g_autoptr (Film) film = film_new (description);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (GstStructure) stats = NULL;
    const GValue *palette;

    film_push (film);
    stats = take_stats (film);
    palette = gst_structure_get_value (stats, "palette");
    g_assert_true (GST_VALUE_HOLDS_STRUCTURE (palette));
    g_assert_cmpuint (time_of (gst_value_get_structure (palette),
            "timestamp"), ==, film->pts);
    check_told (film, gst_value_get_structure (palette), film->out, radius);
  }
}

TEST (stats)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette");
  g_autoptr (GstStructure) stats = NULL;

  check_stats ("meanshiftpalette " MESSAGES, 0.05);
  check_stats ("meanshiftpalette colors=16", 0.01);
  check_stats ("meanshiftpalette quality=exact " MESSAGES, 0.05);
  film_push (film);
  stats = take_stats (film);
  g_assert_false (gst_structure_has_field (stats, "palette"));
}

/* The last palette can still be read when the element has stopped. */
TEST (stopped)
{
  g_autoptr (Film) film = film_new ("meanshiftpalette colors=8");

  film_push (film);
  gst_element_set_state (film->h->element, GST_STATE_READY);
  check_read (film);
}

/* --- memory --- */

static void
show_toggled (Film * film)
{
  for (guint i = 0; i < 18; i++) {
    g_object_set (film->h->element, "post-messages", i % 4 > 1, "quality",
        i / 3 % 2, NULL);
    film_push (film);
  }
}

/* After the first frames of each kind, no frame creates a Vulkan object. */
TEST (nothing_is_made)
{
  film_check_nothing_is_made ("meanshiftpalette", show_toggled);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-messages/")
