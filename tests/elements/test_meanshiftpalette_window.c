/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette over several frames as an element: which frames are counted,
 * what ends that, and what is said where there is no room for them; with either
 * quality. */
#include "palette_film.h"
#include "gpu/core/device/vulkan.h"
#include "played_memory.h"

#include <string.h>

/* Of its frames. */
#define SMALL_WIDTH 24
#define SMALL_HEIGHT 14
#define SMALL_BYTES (4 * SMALL_WIDTH * SMALL_HEIGHT)

static gboolean is_live;

/* A frame of two colours for each seed, none of which another has, and which all
 * are within the radius: the result tells what was counted. */
static guint8 *
make_picture (Film * film)
{
  const guint n_pixels = film->width * film->height, seed = film->seed;
  guint8 *rgba = g_malloc (4 * n_pixels);

  for (guint i = 0; i < n_pixels; i++) {
    rgba[4 * i] = 120 + seed + film->light;
    rgba[4 * i + 1] =
        120 + film->light + (i < n_pixels * (seed % 7 + 1) / 9 ? 16 : 0);
    rgba[4 * i + 2] = 100 + film->light + 5 * seed % 17;
    rgba[4 * i + 3] = 255;
  }
  return rgba;
}

static Film *
window_new (void)
{
  Film *film = film_new (is_live
      ? "meanshiftpalette radius=0.3 history=4 stability=0"
      : "meanshiftpalette radius=0.3 history=4 quality=exact");

  film_set_formats (film, "RGBA", "RGBA", SMALL_WIDTH, SMALL_HEIGHT);
  film->make_picture = make_picture;
  return film;
}

/* The next frame, where @room frames are counted. */
static void
show_within (Film * film, guint room)
{
  ReferenceTemporalSettings settings = film_settings (film);

  settings.history = room;
  film_show_as (film, &settings, INTERVAL);
}

/* --- which frames --- */

TEST (history)
{
  static const guint histories[] = { 4, 2, 7, 1, 3 };
  g_autoptr (Film) film = window_new ();

  for (guint i = 0; i < G_N_ELEMENTS (histories); i++) {
    g_object_set (film->h->element, "history", histories[i], NULL);
    film_show (film, MAX (histories[i], 3));
  }
}

TEST (min_frequency)
{
  static const guint frequencies[] = { 100, 1, 200, 100000 };
  g_autoptr (Film) film = window_new ();

  for (guint i = 0; i < G_N_ELEMENTS (frequencies); i++) {
    g_object_set (film->h->element, "min-frequency", frequencies[i], NULL);
    film_show (film, 3);
  }
}

/* Every other frame has the flag of a gap: it says that nothing has changed, and is a
 * frame. */
TEST (gaps)
{
  g_autoptr (Film) film = window_new ();
  const ReferenceTemporalSettings settings = film_settings (film);

  for (guint i = 0; i < 6; i++) {
    g_autofree guint8 *picture = film_next_picture (film);
    GstBuffer *buffer = film_frame_of (film, picture, film->pts += INTERVAL);

    if (i % 2 == 1)
      GST_BUFFER_FLAG_SET (buffer, GST_BUFFER_FLAG_GAP);
    film_check (film, &settings, INTERVAL, picture, buffer);
  }
}

/* Frames that pass through are not counted, and push none out. */
TEST (passed)
{
  g_autoptr (Film) film = window_new ();

  film_show (film, 4);
  g_object_set (film->h->element, "radius", 0.0, NULL);
  for (guint i = 0; i < 3; i++) {
    g_autofree guint8 *picture = film_next_picture (film);

    g_assert_true (fixture_passes (film->h, film_frame_of (film, picture,
                GST_CLOCK_TIME_NONE)));
  }
  g_object_set (film->h->element, "radius", 0.3, NULL);
  film_show (film, 2);
}

/* Nor are those that come too late. */
TEST (late)
{
  g_autoptr (Film) film = window_new ();
  g_autofree guint8 *picture = NULL;

  film_show (film, 4);
  picture = film_next_picture (film);
  gst_harness_push_upstream_event (film->h, gst_event_new_qos
      (GST_QOS_TYPE_UNDERFLOW, 0.5, GST_SECOND, GST_SECOND));
  fixture_push (film->h, film_frame_of (film, picture, 0), GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (film->h));
  film_show (film, 2);
}

/* --- what empties it --- */

/* Another matrix of the same light. */
static void
set_colorimetry (Film * film)
{
  GstCaps *caps = fixture_caps ("RGBA", SMALL_WIDTH, SMALL_HEIGHT);

  gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING, "1:1:7:5", NULL);
  gst_harness_set_caps (film->h, gst_caps_ref (caps), caps);
}

static void
set_size (Film * film)
{
  film_set_formats (film, "RGBA", "RGBA", SMALL_HEIGHT, SMALL_WIDTH);
}

static void
set_format (Film * film)
{
  film_set_formats (film, "RGBx", "RGBx", SMALL_WIDTH, SMALL_HEIGHT);
}

TEST (emptied)
{
  static void (*const empty[]) (Film *) = {
    film_flush, film_begin_stream, film_restart, set_colorimetry, set_size,
    set_format, film_set_linear
  };
  g_autoptr (Film) film = window_new ();

  film_show (film, 3);
  for (guint i = 0; i < G_N_ELEMENTS (empty); i++) {
    g_test_message ("way %u", i);
    empty[i] (film);
    reference_temporal_reset (film->temporal);
    film_show (film, 5);
  }
}

/* Another scene, unless none is looked for: frames that are much darker. */
TEST (cut)
{
  for (guint cuts = 0; cuts < 2; cuts++) {
    g_autoptr (Film) film = window_new ();
    gsize n_counted;

    g_object_set (film->h->element, "scene-cut-threshold", cuts * 0.05, NULL);
    for (guint scene = 0; scene < 3; scene++) {
      film_lighten (film, scene == 0 ? 0 : scene == 1 ? -20 : 20);
      film_show (film, 2);
      reference_temporal_get_window (film->temporal, &n_counted);
      g_assert_cmpuint (4 * n_counted, ==,
          SMALL_BYTES * (cuts || scene == 0 ? 2 : 4));
    }
  }
}

/* Neither other properties nor what says the same again. */
TEST (kept)
{
  g_autoptr (Film) film = window_new ();
  GstSegment segment;

  film_show (film, 3);
  g_object_set (film->h->element, "radius", 0.25, NULL);
  film_show (film, 1);
  g_object_set (film->h->element, "min-frequency", 90, NULL);
  film_show (film, 1);
  film_set_formats (film, "RGBA", "RGBA", SMALL_WIDTH, SMALL_HEIGHT);
  film_show (film, 1);
  gst_segment_init (&segment, GST_FORMAT_TIME);
  gst_harness_push_event (film->h, gst_event_new_segment (&segment));
  film_show (film, 1);
}

/* --- too much --- */

/* Shows one frame more than there is room for. */
static void
show_some (Film * film, guint history, guint room)
{
  g_object_set (film->h->element, "history", history, NULL);
  for (guint i = 0; i <= room; i++)
    show_within (film, room);
}

/* Bytes of the element's frames and engine. */
static guint64
memory_of (Film * film)
{
  return fixture_stat (film->h->element, "element-memory");
}

/* What does not fit is said once for each change, and the rest is counted. */
TEST (short_of_memory)
{
  GpuDevice *device = fixture_device ();
  g_autoptr (Film) film = window_new ();
  guint64 of_four;

  /* What is by cell stays as large. */
  show_some (film, 10, 10);
  show_some (film, 4, 4);
  fixture_take_messages (film->h->element, GST_MESSAGE_WARNING);
  of_four = memory_of (film);
  played_memory_leave (device, 7 * SMALL_BYTES);
  show_some (film, 10, 7);
  fixture_take_warning (film->h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "Only 7 of the 10 frames");
  played_memory_leave (device, 0);
  show_some (film, 9, 7);
  fixture_take_warning (film->h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "Only 7 of the 9 frames");
  show_some (film, 7, 7);
  g_assert_cmpuint (memory_of (film), ==, of_four + 3 * SMALL_BYTES);
  show_some (film, 4, 4);
  g_assert_cmpuint (memory_of (film), ==, of_four);
  played_memory_end (device);
  show_some (film, 10, 10);
  fixture_check_messages (film->h->element, GST_MESSAGE_WARNING, 0);
}

/* So is what others take while the window fills, and it stays so, also when they give
 * it back, until another history is asked for. */
TEST (taken_by_others)
{
  GpuDevice *device = fixture_device ();
  g_autoptr (Film) film = window_new ();

  g_object_set (film->h->element, "history", 5, NULL);
  played_memory_leave (device, 100 * SMALL_BYTES);
  for (guint i = 0; i < 2; i++)
    show_within (film, 5);
  fixture_take_messages (film->h->element, GST_MESSAGE_WARNING);
  played_memory_leave (device, 0);
  show_within (film, 2);
  fixture_take_warning (film->h->element, GST_RESOURCE_ERROR,
      GST_RESOURCE_ERROR_NO_SPACE_LEFT, "2 of the 5 frames");
  played_memory_leave (device, 100 * SMALL_BYTES);
  show_within (film, 2);
  g_object_set (film->h->element, "history", 3, NULL);
  film_show (film, 2);
  fixture_check_messages (film->h->element, GST_MESSAGE_WARNING, 0);
  played_memory_end (device);
}

/* --live: with that quality. */
int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/meanshiftpalette-window/");
  is_live = argc > 1 && !strcmp (argv[1], "--live");
  fixture_share_device ();
  return fixture_run ();
}
