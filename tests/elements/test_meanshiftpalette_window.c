/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette over several frames as an element: which frames are counted,
 * what ends that, and what is said where there is no room for them; with either
 * quality. */
#include "element_fixture.h"
#include "gpu/core/device/vulkan.h"
#include "palette_element_fixture.h"
#include "played_memory.h"
#include "reference_live.h"

#include <string.h>

#define WIDTH 24
#define HEIGHT 14
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

static gboolean is_live;

/* What is to be in the window. */
typedef struct
{
  GstHarness *h;
  GByteArray *window;           /* frames, oldest first */
  guint seed;                   /* of the last frame */
  guint darkness;               /* codes that frames lack */
} Film;

static Film *
film_new (void)
{
  Film *film = g_new0 (Film, 1);

  film->h = fixture_harness (is_live
      ? "meanshiftpalette radius=0.3 history=4 stability=0"
      : "meanshiftpalette radius=0.3 history=4 quality=exact");
  film->window = g_byte_array_new ();
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  return film;
}

static void
film_free (Film * film)
{
  fixture_harness_free (film->h);
  g_byte_array_unref (film->window);
  g_free (film);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Film, film_free);

/* A frame of two colours for each @seed, none of which another has, and which all
 * are within the radius: the result tells what was counted. */
static guint8 *
picture_new (guint seed, guint darkness)
{
  guint8 *rgba = g_malloc (N_BYTES);

  for (guint i = 0; i < N_PIXELS; i++) {
    rgba[4 * i] = 120 + seed - darkness;
    rgba[4 * i + 1] =
        120 - darkness + (i < N_PIXELS * (seed % 7 + 1) / 9 ? 16 : 0);
    rgba[4 * i + 2] = 100 - darkness + 5 * seed % 17;
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

static void
reduce (Film * film, const guint8 * rgba, guint8 * expected)
{
  const ReferencePaletteSettings wanted = palette_settings (film->h->element);
  const ReferencePixels counted = {
    film->window->data, film->window->len / 4
  };
  const ReferencePixels input = { rgba, N_PIXELS };

  if (is_live)
    reference_live_from (&wanted, REFERENCE_LIVE_CAPACITY, &counted, &input,
        expected, NULL);
  else
    reference_palette_from (&wanted, &counted, &input, expected, NULL);
}

/* The next frame, with @flags, where @room frames are counted. */
static void
show_within (Film * film, GstBufferFlags flags, guint room)
{
  g_autofree guint8 *rgba = picture_new (++film->seed, film->darkness);
  g_autofree guint8 *expected = g_malloc (N_BYTES);
  GstBuffer *buffer = palette_frame (rgba, N_BYTES);

  g_byte_array_append (film->window, rgba, N_BYTES);
  while (film->window->len > room * N_BYTES)
    g_byte_array_remove_range (film->window, 0, N_BYTES);
  reduce (film, rgba, expected);
  GST_BUFFER_FLAG_SET (buffer, flags);
  buffer = gst_harness_push_and_pull (film->h, buffer);
  g_assert_nonnull (buffer);
  palette_assert_bytes (buffer, expected, N_BYTES);
  gst_buffer_unref (buffer);
}

static void
show (Film * film, guint n)
{
  guint history;

  g_object_get (film->h->element, "history", &history, NULL);
  for (guint i = 0; i < n; i++)
    show_within (film, 0, history);
}

static void
forget (Film * film)
{
  g_byte_array_set_size (film->window, 0);
}

/* --- which frames --- */

static void
test_history (void)
{
  static const guint histories[] = { 4, 2, 7, 1, 3 };
  g_autoptr (Film) film = film_new ();

  for (guint i = 0; i < G_N_ELEMENTS (histories); i++) {
    g_object_set (film->h->element, "history", histories[i], NULL);
    show (film, MAX (histories[i], 3));
  }
}

static void
test_min_frequency (void)
{
  static const guint frequencies[] = { 100, 1, 200, 100000 };
  g_autoptr (Film) film = film_new ();

  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++) {
    g_object_set (film->h->element, "min-frequency", frequencies[i], NULL);
    show (film, 3);
  }
}

/* Frames that only say that nothing changed are frames. */
static void
test_gaps (void)
{
  g_autoptr (Film) film = film_new ();

  for (guint i = 0; i < 6; i++)
    show_within (film, i % 2 ? GST_BUFFER_FLAG_GAP : 0, 4);
}

/* Frames that pass through are not counted, and push none out. */
static void
test_passed (void)
{
  g_autoptr (Film) film = film_new ();

  show (film, 4);
  g_object_set (film->h->element, "radius", 0.0, NULL);
  for (guint i = 0; i < 3; i++) {
    g_autofree guint8 *rgba = picture_new (++film->seed, 0);
    GstBuffer *in = palette_frame (rgba, N_BYTES);

    g_assert_true (fixture_passes (film->h, in));
  }
  g_object_set (film->h->element, "radius", 0.3, NULL);
  show (film, 2);
}

/* Nor are those that come too late. */
static void
test_late (void)
{
  g_autoptr (Film) film = film_new ();
  g_autofree guint8 *rgba = picture_new (50, 0);
  GstBuffer *late = palette_frame (rgba, N_BYTES);

  show (film, 4);
  gst_harness_push_upstream_event (film->h, gst_event_new_qos
      (GST_QOS_TYPE_UNDERFLOW, 0.5, GST_SECOND, GST_SECOND));
  GST_BUFFER_PTS (late) = 0;
  g_assert_cmpint (gst_harness_push (film->h, late), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (film->h));
  show (film, 2);
}

/* --- what empties it --- */

static void
begin_stream (GstHarness * h)
{
  gst_harness_push_event (h, gst_event_new_stream_start ("another"));
}

static void
restart (GstHarness * h)
{
  fixture_restart (h);
  fixture_set_caps (h, "RGBA", WIDTH, HEIGHT);
}

static void
set_colorimetry (GstHarness * h)
{
  GstCaps *caps = fixture_caps ("RGBA", WIDTH, HEIGHT);

  /* Another matrix of the same light. */
  gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, "1:1:7:5", NULL);
  gst_harness_set_src_caps (h, caps);
}

static void
set_size (GstHarness * h)
{
  fixture_set_caps (h, "RGBA", HEIGHT, WIDTH);
}

static void
set_format (GstHarness * h)
{
  fixture_set_caps (h, "RGBx", WIDTH, HEIGHT);
}

static void
set_transfer (GstHarness * h)
{
  gst_util_set_object_arg (G_OBJECT (h->element), "transfer", "linear");
}

static void
test_emptied (void)
{
  static void (*const empty[]) (GstHarness *) = {
    fixture_flush, begin_stream, restart, set_colorimetry, set_size,
    set_format,
    set_transfer
  };
  g_autoptr (Film) film = film_new ();

  show (film, 3);
  for (guint i = 0; i < G_N_ELEMENTS (empty); i++) {
    g_test_message ("way %u", i);
    empty[i] (film->h);
    forget (film);
    show (film, 5);
  }
}

/* Another scene, unless none is looked for: frames that are much darker. */
static void
test_cut (void)
{
  for (guint cuts = 0; cuts < 2; cuts++) {
    g_autoptr (Film) film = film_new ();

    g_object_set (film->h->element, "scene-cut-threshold", cuts * 0.05, NULL);
    for (guint scene = 0; scene < 3; scene++) {
      film->darkness = scene % 2 * 20;
      if (cuts)
        forget (film);
      show (film, 2);
    }
  }
}

/* Neither other properties nor what says the same again. */
static void
test_kept (void)
{
  g_autoptr (Film) film = film_new ();
  GstSegment segment;

  show (film, 3);
  g_object_set (film->h->element, "radius", 0.25, NULL);
  show (film, 1);
  g_object_set (film->h->element, "min-frequency", 90, NULL);
  show (film, 1);
  fixture_set_caps (film->h, "RGBA", WIDTH, HEIGHT);
  show (film, 1);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  show (film, 1);
}

/* --- properties --- */

static void
test_properties (void)
{
  g_autoptr (GstElement) element = gst_object_ref_sink (fixture_make
      ("meanshiftpalette"));
  static const gchar *const names[] = { "history", "min-frequency" };
  static const guint most[] = { 64, G_MAXUINT };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS
        (element), names[i]);
    guint value;

    g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->minimum, ==, 1);
    g_assert_cmpuint (G_PARAM_SPEC_UINT (spec)->maximum, ==, most[i]);
    g_assert_true (spec->flags & GST_PARAM_CONTROLLABLE);
    g_assert_true (spec->flags & GST_PARAM_MUTABLE_PLAYING);
    g_object_get (element, names[i], &value, NULL);
    g_assert_cmpuint (value, ==, 1);
    g_object_set (element, names[i], 17 + i, NULL);
    g_object_get (element, names[i], &value, NULL);
    g_assert_cmpuint (value, ==, 17 + i);
  }
}

/* --- too much --- */

static void
take_warning (Film * film, const gchar * words)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (film->h->element);
  GstMessage *message = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  gst_message_parse_warning (message, &error, NULL);
  gst_message_unref (message);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NO_SPACE_LEFT);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_cmpuint (fixture_take_messages (film->h->element,
          GST_MESSAGE_WARNING), ==, 0);
}

/* Shows one frame more than there is room for. */
static void
show_some (Film * film, guint history, guint room)
{
  g_object_set (film->h->element, "history", history, NULL);
  for (guint i = 0; i <= room; i++)
    show_within (film, 0, room);
}

/* Bytes of the element's frames and engine. */
static guint64
memory_of (Film * film)
{
  return fixture_stat (film->h->element, "element-memory");
}

/* What does not fit is said once for each change, and the rest is counted. */
static void
test_short_of_memory (void)
{
  GpuDevice *device = fixture_device ();
  g_autoptr (Film) film = film_new ();
  guint64 of_four;

  /* What is by cell stays as large. */
  show_some (film, 10, 10);
  show_some (film, 4, 4);
  fixture_take_messages (film->h->element, GST_MESSAGE_WARNING);
  of_four = memory_of (film);
  played_memory_leave (device, 7 * N_BYTES);
  show_some (film, 10, 7);
  take_warning (film, "Only 7 of the 10 frames");
  played_memory_leave (device, 0);
  show_some (film, 9, 7);
  take_warning (film, "Only 7 of the 9 frames");
  show_some (film, 7, 7);
  g_assert_cmpuint (memory_of (film), ==, of_four + 3 * N_BYTES);
  show_some (film, 4, 4);
  g_assert_cmpuint (memory_of (film), ==, of_four);
  played_memory_end (device);
  show_some (film, 10, 10);
  g_assert_cmpuint (fixture_take_messages (film->h->element,
          GST_MESSAGE_WARNING), ==, 0);
}

/* So is what others take while the window fills, and it stays so, also when they give
 * it back, until another history is asked for. */
static void
test_taken_by_others (void)
{
  GpuDevice *device = fixture_device ();
  g_autoptr (Film) film = film_new ();

  g_object_set (film->h->element, "history", 5, NULL);
  played_memory_leave (device, 100 * N_BYTES);
  for (guint i = 0; i < 2; i++)
    show_within (film, 0, 5);
  fixture_take_messages (film->h->element, GST_MESSAGE_WARNING);
  played_memory_leave (device, 0);
  show_within (film, 0, 2);
  take_warning (film, "2 of the 5 frames");
  played_memory_leave (device, 100 * N_BYTES);
  show_within (film, 0, 2);
  g_object_set (film->h->element, "history", 3, NULL);
  show (film, 2);
  g_assert_cmpuint (fixture_take_messages (film->h->element,
          GST_MESSAGE_WARNING), ==, 0);
  played_memory_end (device);
}

/* --live: with that quality. */
int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv);
  is_live = argc > 1 && !strcmp (argv[1], "--live");
  fixture_share_device ();
#define ADD(name, test) \
  fixture_add ("/meanshiftpalette-window/" name, test)
  ADD ("history", test_history);
  ADD ("min-frequency", test_min_frequency);
  ADD ("gaps", test_gaps);
  ADD ("passed", test_passed);
  ADD ("late", test_late);
  ADD ("emptied", test_emptied);
  ADD ("cut", test_cut);
  ADD ("kept", test_kept);
  ADD ("properties", test_properties);
  ADD ("short-of-memory", test_short_of_memory);
  ADD ("taken-by-others", test_taken_by_others);
  return fixture_run ();
}
