/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The example of an element of one shader, on every format. */
#include "element_fixture.h"
#include "reference_yuv.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define WIDTH 17
#define HEIGHT 9

GType gst_gpu_lut_get_type (void);

/* What a colour, R, G and B from 0 to 1, becomes. */
typedef void (*Map) (const gdouble * from, gdouble * to);

static void
invert (const gdouble * from, gdouble * to)
{
  for (guint c = 0; c < 3; c++)
    to[c] = 1 - from[c];
}

/* Red of green, green of red times blue, and blue lighter. */
static void
mix (const gdouble * from, gdouble * to)
{
  to[0] = from[1];
  to[1] = from[0] * from[2];
  to[2] = sqrt (from[2]);
}

/* --- tables --- */

/* A file that is removed at the end. */
static gchar *
write_file (const gchar * text)
{
  g_autoptr (GError) error = NULL;
  gchar *name;
  gint fd = g_file_open_tmp ("test-lut-XXXXXX.cube", &name, &error);

  g_assert_no_error (error);
  g_close (fd, NULL);
  g_assert_true (g_file_set_contents (name, text, -1, &error));
  return name;
}

static gchar *
write_table (Map map, guint side)
{
  g_autoptr (GString) text = g_string_new ("# a comment\nTITLE \"test\"\n");

  g_string_append_printf (text, "LUT_3D_SIZE %u\n\n", side);
  for (guint i = 0; i < side * side * side; i++) {
    const gdouble last = side - 1;
    const gdouble from[] = {
      i % side / last, i / side % side / last, i / side / side / last
    };
    gdouble to[3];

    map (from, to);
    g_string_append_printf (text, "%.6f %.6f %.6f\n", to[0], to[1], to[2]);
  }
  return write_file (text->str);
}

static GstHarness *
harness_new (const gchar * location, const gchar * format)
{
  GstHarness *h = fixture_harness ("gpulut");

  gst_element_set_state (h->element, GST_STATE_NULL);
  g_object_set (h->element, "location", location, NULL);
  gst_element_set_state (h->element, GST_STATE_PLAYING);
  fixture_set_caps (h, format, WIDTH, HEIGHT);
  return h;
}

/* --- inversion, exactly --- */

static void
assert_is_inverted_rgb (GstVideoFrame * out, GstVideoFrame * in)
{
  gint size = GST_VIDEO_FRAME_COMP_PSTRIDE (in, 0);

  for (guint y = 0; y < HEIGHT; y++)
    for (gint x = 0; x < WIDTH * size; x++) {
      const guint8 *from = GST_VIDEO_FRAME_PLANE_DATA (in, 0);
      const guint8 *to = GST_VIDEO_FRAME_PLANE_DATA (out, 0);
      gboolean is_colour = FALSE;
      gsize at = y * GST_VIDEO_FRAME_PLANE_STRIDE (in, 0) + x;

      for (guint c = 0; c < 3; c++)
        is_colour |= x % size == (gint) GST_VIDEO_FRAME_COMP_POFFSET (in, c);
      /* Noise is opaque, and what is unused is written as 255. */
      g_assert_cmpuint (to[at], ==, is_colour ? 255 - from[at] : 255);
    }
}

/* Grey is Y'CbCr whose chroma is 128 throughout: @chroma. */
static ReferenceYuvFrame
reference_frame (GstVideoFrame * frame, guint8 * chroma)
{
  gboolean is_grey = GST_VIDEO_INFO_IS_GRAY (&frame->info);

  return (ReferenceYuvFrame) {WIDTH, HEIGHT,
    GST_VIDEO_FRAME_COMP_DATA (frame, 0),
    is_grey ? chroma : GST_VIDEO_FRAME_COMP_DATA (frame, 1),
    is_grey ? chroma : GST_VIDEO_FRAME_COMP_DATA (frame, 2),
    GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0),
    is_grey ? WIDTH : GST_VIDEO_FRAME_COMP_STRIDE (frame, 1),
    is_grey ? 1 : GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 1)};
}

static void
assert_is_inverted_yuv (GstVideoFrame * out, GstVideoFrame * in)
{
  /* What GStreamer takes for frames this small. */
  const ReferenceYuvSettings yuv = { 0.299, 0.114,
    .full_range = GST_VIDEO_INFO_IS_GRAY (&in->info),
    .interlaced = GST_VIDEO_INFO_IS_INTERLACED (&in->info)
  };
  guint8 rgba[4 * WIDTH * HEIGHT], chroma[WIDTH * HEIGHT];
  g_autoptr (GstBuffer) wanted =
      gst_buffer_new_allocate (NULL, in->info.size, NULL);
  ReferenceYuvFrame reference;
  GstVideoFrame expected;

  memset (chroma, 128, sizeof chroma);
  reference = reference_frame (in, chroma);
  reference_yuv_to_rgba (&yuv, &reference, rgba);
  for (guint i = 0; i < sizeof rgba; i++)
    rgba[i] = 255 - rgba[i];
  g_assert_true (gst_video_frame_map (&expected, &in->info, wanted,
          GST_MAP_READWRITE));
  reference = reference_frame (&expected, chroma);
  reference_yuv_from_rgba (&yuv, rgba, &reference);
  for (guint c = 0; c < GST_VIDEO_FRAME_N_COMPONENTS (in); c++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (in, c); y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (in, c); x++) {
        gsize at = y * GST_VIDEO_FRAME_COMP_STRIDE (in, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (in, c);

        g_assert_cmpuint (((guint8 *) GST_VIDEO_FRAME_COMP_DATA (out, c))[at],
            ==, ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&expected, c))[at]);
      }
  gst_video_frame_unmap (&expected);
}

static void
check_inversion (const gchar * location, const gchar * format,
    const gchar * interlace_mode)
{
  g_autoptr (Harness) h = harness_new (location, format);
  g_autoptr (GstCaps) caps = fixture_caps (format, WIDTH, HEIGHT);
  GstBuffer *in, *out;
  GstVideoFrame before, after;
  GstVideoInfo info;

  g_test_message ("%s, %s", format, interlace_mode);
  gst_caps_set_simple (caps, "interlace-mode", G_TYPE_STRING, interlace_mode,
      NULL);
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  g_assert_true (gst_video_info_from_caps (&info, caps));
  in = gst_buffer_new_allocate (NULL, info.size, NULL);
  fixture_fill (in, &info, 1);
  out = gst_harness_push_and_pull (h, gst_buffer_ref (in));
  g_assert_nonnull (out);
  g_assert_true (gst_video_frame_map (&before, &info, in, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&after, &info, out, GST_MAP_READ));
  if (GST_VIDEO_INFO_IS_RGB (&info))
    assert_is_inverted_rgb (&after, &before);
  else
    assert_is_inverted_yuv (&after, &before);
  gst_video_frame_unmap (&after);
  gst_video_frame_unmap (&before);
  gst_buffer_unref (out);
  gst_buffer_unref (in);
}

TEST (every_format)
{
  static const gchar *const formats[] = {
    "RGBA", "BGRA", "ARGB", "ABGR", "RGBx", "BGRx", "xRGB", "xBGR", "RGB",
    "BGR", "NV12", "I420", "GRAY8"
  };
  g_autofree gchar *location = write_table (invert, 2);

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    check_inversion (location, formats[i], "progressive");
  check_inversion (location, "I420", "interleaved");
  check_inversion (location, "NV12", "interleaved");
  g_remove (location);
}

/* Whatever alpha a pixel has, it keeps it. */
TEST (alpha)
{
  static const guint8 alphas[] = { 0, 1, 127, 254, 255 };
  g_autofree gchar *location = write_table (invert, 2);
  g_autoptr (Harness) h = harness_new (location, "ARGB");
  GstBuffer *in = gst_buffer_new_allocate (NULL, 4 * WIDTH * HEIGHT, NULL);
  guint8 before[4 * WIDTH * HEIGHT], after[4 * WIDTH * HEIGHT];
  g_autoptr (GstBuffer) out = NULL;

  for (guint i = 0; i < sizeof before; i++)
    before[i] = i % 4 == 0 ? alphas[i / 4 % G_N_ELEMENTS (alphas)] : 7 * i;
  gst_buffer_fill (in, 0, before, sizeof before);
  out = gst_harness_push_and_pull (h, in);
  gst_buffer_extract (out, 0, after, sizeof after);
  for (guint i = 0; i < sizeof before; i++)
    g_assert_cmpuint (after[i], ==, i % 4 == 0 ? before[i] : 255 - before[i]);
  g_remove (location);
}

/* --- between entries --- */

/* The entry at @cell and those beyond it, each by how near it is; in doubles. */
static void
interpolate (Map map, guint side, const guint8 * colour, gdouble * to)
{
  gdouble cell[3], part[3];

  for (guint c = 0; c < 3; c++) {
    gdouble place = colour[c] * (side - 1) / 255.0;

    cell[c] = MIN (floor (place), side - 2);
    part[c] = place - cell[c];
    to[c] = 0;
  }
  for (guint corner = 0; corner < 8; corner++) {
    gdouble from[3], entry[3], weight = 1;

    for (guint c = 0; c < 3; c++) {
      gboolean is_far = corner >> c & 1;

      from[c] = (cell[c] + is_far) / (side - 1);
      weight *= is_far ? part[c] : 1 - part[c];
    }
    map (from, entry);
    for (guint c = 0; c < 3; c++)
      to[c] += weight * entry[c];
  }
}

TEST (between_entries)
{
  g_autofree gchar *location = write_table (mix, 5);
  g_autoptr (Harness) h = harness_new (location, "RGBx");
  g_autoptr (GstBuffer) in = fixture_frame ("RGBx", WIDTH, HEIGHT, 2);
  g_autoptr (GstBuffer) out =
      gst_harness_push_and_pull (h, gst_buffer_ref (in));
  guint8 before[4 * WIDTH * HEIGHT], after[4 * WIDTH * HEIGHT];

  gst_buffer_extract (in, 0, before, sizeof before);
  gst_buffer_extract (out, 0, after, sizeof after);
  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    gdouble expected[3];

    interpolate (mix, 5, before + 4 * i, expected);
    for (guint c = 0; c < 3; c++)
      g_assert_cmpfloat (fabs (after[4 * i + c] - 255 * expected[c]), <, 0.52);
  }
  g_remove (location);
}

/* --- what is no table --- */

TEST (bad_files)
{
  static const gchar *const texts[] = {
    "", "LUT_3D_SIZE 2\n0 0 0\n", "LUT_3D_SIZE 1\n0 0 0\n", "0 0 0\n",
    "LUT_3D_SIZE 4294967295\n0 0 0\n"
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree gchar *location = write_file (texts[i]);
    g_autoptr (Harness) h = harness_new (location, "RGBA");

    g_assert_cmpint (gst_harness_push (h, fixture_frame ("RGBA", WIDTH,
                HEIGHT, 1)), !=, GST_FLOW_OK);
    fixture_take_error (h->element, GST_RESOURCE_ERROR,
        GST_RESOURCE_ERROR_READ, "no 3D table");
    g_remove (location);
  }
}

TEST (none)
{
  static const gchar *const locations[] = { NULL, "" };

  for (guint i = 0; i < G_N_ELEMENTS (locations); i++) {
    g_autoptr (Harness) h = harness_new (locations[i], "RGBA");

    g_assert_true (fixture_passes (h, fixture_frame ("RGBA",
                WIDTH, HEIGHT, 1)));
  }
}

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/lut/");
  gst_element_register (NULL, "gpulut", GST_RANK_NONE, gst_gpu_lut_get_type ());
  fixture_share_device ();
  return fixture_run ();
}
