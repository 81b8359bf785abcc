/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette on the photograph and the film in media/, against the
 * oracle, byte for byte. */
#include "element_fixture.h"
#include "reference_palette.h"

#include <gst/app/gstappsink.h>

#define COFFEE "filesrc location=" MEDIA "/coffee.png ! pngdec"
#define BUNNY "filesrc location=" MEDIA "/bunny.webm ! matroskademux ! vp8dec"

static gboolean is_full;

/* The first of them are looked at in any case, the others in full. */
static const gdouble radii[] = { 0.01, 0.03, 0.005, 0.015, 0.02 };

static guint
count_radii (void)
{
  return is_full ? G_N_ELEMENTS (radii) : 2;
}

typedef struct
{
  guint width, height;
  GPtrArray *frames;            /* GBytes: R, G, B, A, tightly packed */
} Pictures;

/* --- decoding --- */

static GBytes *
bytes_of (GstBuffer * buffer)
{
  GstMapInfo map;
  GBytes *bytes;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ));
  bytes = g_bytes_new (map.data, map.size);
  gst_buffer_unmap (buffer, &map);
  return bytes;
}

/* The first @n frames of @source. */
static Pictures *
pictures_new (const gchar * source, guint width, guint height, guint n)
{
  g_autoptr (GError) error = NULL;
  g_autofree gchar *description = g_strdup_printf ("%s ! videoconvertscale "
      "! video/x-raw,format=RGBA,width=%u,height=%u,pixel-aspect-ratio=1/1 "
      "! appsink name=sink sync=false", source, width, height);
  GstElement *pipeline = gst_parse_launch (description, &error);
  Pictures *pictures = g_new (Pictures, 1);
  GstElement *sink;

  g_assert_no_error (error);
  pictures->width = width;
  pictures->height = height;
  pictures->frames = g_ptr_array_new_with_free_func ((GDestroyNotify)
      g_bytes_unref);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (pictures->frames->len < n) {
    g_autoptr (GstSample) sample =
        gst_app_sink_pull_sample (GST_APP_SINK (sink));

    g_assert_nonnull (sample);
    g_ptr_array_add (pictures->frames,
        bytes_of (gst_sample_get_buffer (sample)));
  }
  gst_object_unref (sink);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return pictures;
}

static void
pictures_free (Pictures * pictures)
{
  g_ptr_array_unref (pictures->frames);
  g_free (pictures);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Pictures, pictures_free);

static GBytes *
frame_of (Pictures * pictures, guint i)
{
  return g_ptr_array_index (pictures->frames, i);
}

/* --- comparing --- */

static GstHarness *
harness_new (Pictures * pictures)
{
  GstHarness *h =
      fixture_harness ("meanshiftpalette quality=exact radius=0.02");

  fixture_set_caps (h, "RGBA", pictures->width, pictures->height);
  return h;
}

static GBytes *
filter (GstHarness * h, GBytes * frame)
{
  GstBuffer *buffer = gst_harness_push_and_pull (h,
      gst_buffer_new_wrapped_bytes (frame));
  GBytes *bytes;

  g_assert_nonnull (buffer);
  bytes = bytes_of (buffer);
  gst_buffer_unref (buffer);
  return bytes;
}

static void
assert_same (GBytes * got, const guint8 * expected, gsize expected_size)
{
  gsize size;
  const guint8 *data = g_bytes_get_data (got, &size);

  g_assert_cmpmem (data, size, expected, expected_size);
}

static const gchar *const names[] = { "frequency", "palette" };

/* One frame with @n weightings. */
static void
check_frame (GstHarness * h, Pictures * pictures, guint i, gdouble radius,
    guint n)
{
  ReferencePaletteSettings settings = {.radius = radius,
    .walks = REFERENCE_WALKS_SHORTCUT
  };
  gsize size;
  const guint8 *rgba = g_bytes_get_data (frame_of (pictures, i), &size);
  g_autofree guint8 *expected = g_malloc (size);

  g_object_set (h->element, "radius", radius, NULL);
  for (guint w = 0; w < n; w++) {
    g_autoptr (GBytes) got = NULL;
    ReferencePaletteStats stats;

    settings.weighting = w ? REFERENCE_WEIGHTING_PALETTE
        : REFERENCE_WEIGHTING_FREQUENCY;
    reference_palette (&settings, rgba, pictures->width, pictures->height,
        expected, &stats);
    g_test_message ("frame %u, radius %g, %s: %zu colours to %zu", i, radius,
        names[w], stats.n_colours, stats.n_output_colours);
    fixture_set (h->element, "weighting", names[w]);
    got = filter (h, frame_of (pictures, i));
    assert_same (got, expected, size);
    fixture_check_stat (h->element, "colors", stats.n_colours);
    fixture_check_stat (h->element, "modes", stats.n_output_colours);
  }
}

/* Frames 0, @step, 2 · @step… with @n radii from the first on. */
static void
check_frames (Pictures * pictures, guint step, const gdouble * first, guint n)
{
  g_autoptr (Harness) h = harness_new (pictures);

  for (guint i = 0; i < pictures->frames->len; i += step)
    for (guint r = 0; r < n; r++)
      check_frame (h, pictures, i, first[r], G_N_ELEMENTS (names));
}

/* --- tests --- */

TEST (photograph)
{
  g_autoptr (Pictures) pictures = pictures_new (COFFEE, 96, 54, 1);

  check_frames (pictures, 1, radii, count_radii ());
}

TEST (film)
{
  g_autoptr (Pictures) pictures = pictures_new (BUNNY, 96, 54, 30);

  check_frames (pictures, 29, radii, count_radii ());
}

/* Ten times as many pixels: lists of points that are longer than a
 * workgroup. */
TEST (larger)
{
  g_autoptr (Pictures) photograph = pictures_new (COFFEE, 320, 180, 1);
  g_autoptr (Pictures) film = NULL;
  GstHarness *h = harness_new (photograph);

  check_frame (h, photograph, 0, radii[0], is_full ? 2 : 1);
  fixture_harness_free (h);
  if (!is_full)
    return;
  film = pictures_new (BUNNY, 320, 180, 1);
  check_frames (film, 1, &radii[4], 1);
}

/* What an element keeps from frame to frame changes nothing: a fresh one makes
 * the same of each. */
TEST (sequence)
{
  g_autoptr (Pictures) film = pictures_new (BUNNY, 96, 54, 5);
  g_autoptr (Harness) h = harness_new (film);

  for (guint i = 0; i < film->frames->len; i++) {
    g_autoptr (Harness) fresh = harness_new (film);
    g_autoptr (GBytes) got = filter (h, frame_of (film, i));
    g_autoptr (GBytes) expected = filter (fresh, frame_of (film, i));

    g_assert_true (i == 0
        || !g_bytes_equal (frame_of (film, i), frame_of (film, i - 1)));
    g_assert_true (g_bytes_equal (got, expected));
  }
}

int
main (int argc, char **argv)
{
  is_full = argc > 1 && g_str_equal (argv[1], "--full");
  fixture_init (&argc, &argv, "/pictures/");
  fixture_share_device ();
  return fixture_run ();
}
