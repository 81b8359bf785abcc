/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette into RGB8P as an element: that it is the same picture, how it is
 * laid out, when it is made, and when it cannot be. Indexes and entries of all kinds of
 * palettes are looked at in tests/unit/palette/test_palette_indexed.c. */
#include "element_fixture.h"
#include "generated.h"
#include "palette_element_fixture.h"

#include <string.h>

/* Rows of indexes are padded. */
#define WIDTH 33
#define HEIGHT 22
#define N_PIXELS (WIDTH * HEIGHT)
#define N_BYTES (4 * N_PIXELS)

#define TRANSPARENT 255

static GstVideoInfo
indexed_info (void)
{
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGB8P, WIDTH, HEIGHT);
  return info;
}

static void
set_formats (GstHarness * h, const gchar * in, const gchar * out)
{
  gst_harness_set_caps (h, fixture_caps (in, WIDTH, HEIGHT),
      fixture_caps (out, WIDTH, HEIGHT));
}

static GstHarness *
harness_new (const gchar * description, const gchar * in)
{
  GstHarness *h = fixture_harness (description);

  set_formats (h, in, "RGB8P");
  return h;
}

/* --- frames --- */

/* Noise; with alphas of every kind where there are alphas. */
static GstBuffer *
frame_new (const gchar * format, guint seed)
{
  g_autofree guint8 *rgba = NULL;

  if (!g_str_equal (format, "RGBA"))
    return fixture_frame (format, WIDTH, HEIGHT, seed);
  rgba = generated_picture_new ("alpha-noise", WIDTH, HEIGHT, seed);
  return palette_frame (rgba, N_BYTES);
}

static guint
index_at (const GstVideoFrame * frame, guint pixel)
{
  const guint8 *indexes = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);

  return indexes[pixel / WIDTH * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0)
      + pixel % WIDTH];
}

/* 0xAARRGGBB. */
static guint32
entry_at (const GstVideoFrame * frame, guint index)
{
  guint32 entry;

  memcpy (&entry, (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, 1)
      + index * sizeof entry, sizeof entry);
  return entry;
}

/* --- the same picture --- */

/* Alphas above 0 are lost, pixels with alpha 0 are all the same. */
static void
assert_same_pixel (const GstVideoFrame * indexed, guint pixel,
    const guint8 * rgba)
{
  const guint index = index_at (indexed, pixel);
  const guint32 colour = rgba[0] << 16 | rgba[1] << 8 | rgba[2];

  if (rgba[3] == 0) {
    g_assert_cmpuint (index, ==, TRANSPARENT);
    g_assert_cmphex (entry_at (indexed, index), ==, 0);
  } else {
    g_assert_cmphex (entry_at (indexed, index), ==, 0xff000000 | colour);
  }
}

static void
assert_same_picture (GstBuffer * indexed, GstBuffer * rgba)
{
  GstVideoInfo info = indexed_info ();
  GstVideoFrame frame;
  GstMapInfo map;

  g_assert_true (gst_video_frame_map (&frame, &info, indexed, GST_MAP_READ));
  g_assert_true (gst_buffer_map (rgba, &map, GST_MAP_READ));
  for (guint i = 0; i < N_PIXELS; i++)
    assert_same_pixel (&frame, i, map.data + 4 * i);
  gst_buffer_unmap (rgba, &map);
  gst_video_frame_unmap (&frame);
}

/* What an element makes with indexes, and one like it without. */
static void
compare (const gchar * description, const gchar * format)
{
  g_autoptr (Harness) indexed = harness_new (description, format);
  g_autoptr (Harness) plain = fixture_harness (description);

  g_test_message ("%s, %s", description, format);
  set_formats (plain, format, "RGBA");
  for (guint i = 0; i < 3; i++) {
    g_autoptr (GstBuffer) a =
        gst_harness_push_and_pull (indexed, frame_new (format, i));
    g_autoptr (GstBuffer) b =
        gst_harness_push_and_pull (plain, frame_new (format, i));

    assert_same_picture (a, b);
    fixture_check_stat (indexed->element, "modes", fixture_stat (plain->element,
            "modes"));
  }
}

TEST (same_picture)
{
  compare ("meanshiftpalette colors=12", "RGBA");
  compare ("meanshiftpalette palette=<0x102030,0xa0b0c0,0xff0000>", "I420");
}

/* With indexes it is never 0, so that there are modes. */
TEST (radius)
{
  static const struct
  {
    const gchar *element, *out;
    gdouble radius;
  } cases[] = {
    {"meanshiftpalette radius=0.002", "RGB8P", 0.005},
    {"meanshiftpalette radius=0 palette=<0xff0000>", "RGB8P", 0.005},
    {"meanshiftpalette radius=0.1", "RGB8P", 0.1},
    {"meanshiftpalette radius=0.1 colors=16", "RGB8P", 0.01},
    {"meanshiftpalette radius=0.1", "RGB", 0.1},
    {"meanshiftpalette radius=0", "RGB", 0},
    {"meanshiftpalette radius=0.002 quality=exact", "RGB", 0.002},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (Harness) h = fixture_harness (cases[i].element);
    g_autoptr (GstStructure) stats = NULL;
    gdouble radius;

    g_test_message ("%s, %s", cases[i].element, cases[i].out);
    set_formats (h, "RGBA", cases[i].out);
    fixture_show (h, frame_new ("RGBA", 1));
    g_object_get (h->element, "stats", &stats, NULL);
    g_assert_true (gst_structure_get_double (stats, "radius", &radius));
    g_assert_cmpfloat (radius, ==, cases[i].radius);
  }
}

/* Takes both. */
static guint
count_other_pixels (GstBuffer * a, GstBuffer * b)
{
  const GstVideoInfo info = indexed_info ();
  GstVideoFrame frames[2];
  guint n = 0;

  g_assert_true (gst_video_frame_map (&frames[0], &info, a, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&frames[1], &info, b, GST_MAP_READ));
  for (guint i = 0; i < WIDTH * HEIGHT; i++)
    n += entry_at (&frames[0], index_at (&frames[0], i))
        != entry_at (&frames[1], index_at (&frames[1], i));
  gst_video_frame_unmap (&frames[0]);
  gst_video_frame_unmap (&frames[1]);
  gst_buffer_unref (a);
  gst_buffer_unref (b);
  return n;
}

/* Setting @property to @value while frames flow makes no difference to them, or one
 * to every frame. */
static void
check (const gchar * description, const gchar * property, const gchar * value,
    gboolean is_same)
{
  g_autoptr (Harness) set = harness_new (description, "RGBx");
  g_autoptr (Harness) other = harness_new (description, "RGBx");

  for (guint i = 1; i < 5; i++) {
    guint n;

    if (i == 3)
      fixture_set (set->element, property, value);
    n = count_other_pixels (gst_harness_push_and_pull (set,
            frame_new ("RGBx", i)), gst_harness_push_and_pull (other,
            frame_new ("RGBx", i)));
    g_assert_cmpint (n == 0, ==, i < 3 || is_same);
  }
}

/* A radius is as the least there is, and where a palette is given, the number of
 * colours means nothing: modes stay. */
TEST (same)
{
#define GIVEN "palette=<0x102030,0x906040,0x40a080,0xf0f0f0,0x8080c0>"
  check ("meanshiftpalette radius=0.004 stability=1", "radius", "0", TRUE);
  check ("meanshiftpalette radius=0.004 hold=true", "radius", "0", TRUE);
  check ("meanshiftpalette stability=1 " GIVEN, "colors", "9", TRUE);
}

/* How far colours may move counts if nothing but indexes limits their number. */
TEST (max_shift)
{
  check ("meanshiftpalette radius=0.1", "max-shift", "0", FALSE);
  check ("meanshiftpalette radius=0.1 colors=255", "max-shift", "0", TRUE);
  check ("meanshiftpalette radius=0.1 " GIVEN, "max-shift", "0", TRUE);
}

/* --- layout --- */

static void
assert_layout (GstBuffer * buffer, gboolean has_meta)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoInfo info = indexed_info ();

  g_assert_cmpuint (gst_buffer_get_size (buffer), ==, info.size);
  g_assert_cmpint (meta != NULL, ==, has_meta);
  if (!meta)
    return;
  g_assert_cmpint (meta->format, ==, GST_VIDEO_FORMAT_RGB8P);
  g_assert_cmpuint (meta->n_planes, ==, 2);
  for (guint i = 0; i < meta->n_planes; i++) {
    g_assert_cmpint (meta->stride[i], ==, info.stride[i]);
    g_assert_cmpuint (meta->offset[i], ==, info.offset[i]);
  }
}

/* As GstVideoInfo has it, whether the next element knows of layouts or not. */
TEST (layout)
{
  for (guint has_meta = 0; has_meta < 2; has_meta++) {
    g_autoptr (Harness) h = fixture_harness ("meanshiftpalette colors=9");
    g_autoptr (GstBuffer) out = NULL;

    if (has_meta)
      gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE,
          NULL);
    set_formats (h, "RGBA", "RGB8P");
    out = gst_harness_push_and_pull (h, frame_new ("RGBA", 1));
    assert_layout (out, has_meta);
  }
}

/* --- negotiation: what is negotiated is in test_meanshiftpalette.c --- */

static gboolean
has_format (GstCaps * caps, const gchar * format)
{
  GstCaps *wanted = gst_caps_new_simple ("video/x-raw", "format",
      G_TYPE_STRING, format, NULL);
  gboolean has = gst_caps_can_intersect (caps, wanted);

  gst_caps_unref (wanted);
  return has;
}

/* Whatever is wanted behind the element. */
TEST (not_taken)
{
  static const gchar *const downstream[] = {
    "video/x-raw, format=RGB8P", "video/x-raw", "video/x-raw, format=RGB"
  };

  for (guint i = 0; i < G_N_ELEMENTS (downstream); i++) {
    g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");
    g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");
    g_autoptr (GstCaps) indexed = fixture_caps ("RGB8P", WIDTH, HEIGHT);
    g_autoptr (GstCaps) caps = NULL;

    gst_harness_set_sink_caps_str (h, downstream[i]);
    caps = gst_pad_query_caps (sink, NULL);
    g_assert_false (has_format (caps, "RGB8P"));
    g_assert_true (has_format (caps, "RGBA"));
    g_assert_true (has_format (caps, "RGB"));
    g_assert_true (has_format (caps, "NV12"));
    g_assert_false (gst_pad_query_accept_caps (sink, indexed));
  }
}

/* Behind all else. */
TEST (offered_last)
{
  static const gchar *const formats[] = { "RGBA", "BGR", "I420" };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");
    g_autoptr (GstPad) src = gst_element_get_static_pad (h->element, "src");
    g_autoptr (GstCaps) caps = NULL;
    guint n;

    fixture_set_caps (h, formats[i], WIDTH, HEIGHT);
    caps = gst_pad_query_caps (src, NULL);
    n = gst_caps_get_size (caps);
    g_assert_cmpstr (gst_structure_get_string (gst_caps_get_structure (caps,
                n - 1), "format"), ==, "RGB8P");
    gst_caps_remove_structure (caps, n - 1);
    g_assert_false (has_format (caps, "RGB8P"));
    g_assert_true (has_format (caps, "RGB"));
  }
}

/* Between two frames, to indexes and back. */
TEST (caps_change)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette radius=0");
  GstBuffer *in = frame_new ("RGBx", 1), *out;

  for (guint i = 0; i < 2; i++) {
    set_formats (h, "RGBx", "RGBx");
    g_assert_true (fixture_passes (h, gst_buffer_ref (in)));
    set_formats (h, "RGBx", "RGB8P");
    out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
    assert_layout (out, FALSE);
    gst_buffer_unref (out);
  }
  gst_buffer_unref (in);
}

/* --- what it does not go with --- */

static void
restart (GstHarness * h, const gchar * out)
{
  fixture_restart (h);
  set_formats (h, "RGBA", out);
}

static void
set_quality (GstHarness * h, const gchar * quality)
{
  fixture_set (h->element, "quality", quality);
}

static void
assert_works (GstHarness * h)
{
  GstBuffer *out = gst_harness_push_and_pull (h, frame_new ("RGBA", 1));

  g_assert_nonnull (out);
  gst_buffer_unref (out);
  fixture_check_messages (h->element, GST_MESSAGE_ERROR, 0);
}

static void
assert_refused (GstHarness * h)
{
  fixture_push (h, frame_new ("RGBA", 1), GST_FLOW_NOT_NEGOTIATED);
  fixture_take_error (h->element, GST_STREAM_ERROR,
      GST_STREAM_ERROR_FORMAT, "Set quality=live");
}

/* At a start it is not negotiated. Later on it is ignored, which is said once. */
TEST (exact)
{
  g_autoptr (Harness) h =
      harness_new ("meanshiftpalette quality=exact radius=0.1", "RGBA");

  assert_refused (h);
  restart (h, "RGBA");
  assert_works (h);
  restart (h, "RGB8P");
  assert_refused (h);
  set_quality (h, "live");
  restart (h, "RGB8P");
  assert_works (h);
  fixture_take_messages (h->element, GST_MESSAGE_WARNING);
  set_quality (h, "exact");
  fixture_show (h, frame_new ("RGBA", 1));
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "set quality=live");
  set_formats (h, "BGRA", "RGB8P");
  fixture_show (h, frame_new ("BGRA", 1));
  fixture_check_messages (h->element, GST_MESSAGE_WARNING, 0);
  fixture_check_stat (h->element, "colors", 0);
  set_formats (h, "RGBA", "RGB");
  assert_works (h);
  g_assert_cmpuint (fixture_stat (h->element, "colors"), >, 0);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-indexed/")
