/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette on I420, NV12 and GRAY8: what it reads out of caps and flags, and
 * what it says of its output. Most frames keep their colours: tests/unit/palette compares
 * the palettes of such frames with the oracle. */
#include "element_fixture.h"
#include "gst/memory/gstgpuframe.h"
#include "palette_element_fixture.h"
#include "reference_yuv.h"

#include <string.h>

#define WIDTH 17
#define HEIGHT 10
#define ELEMENT "meanshiftpalette"
#define KEEP "meanshiftpalette radius=0"

#define BT601 0.299, 0.114
#define BT709 0.2126, 0.0722
#define BT2020 0.2627, 0.0593

typedef struct
{
  const gchar *format;
  guint width, height;
  const gchar *colours;         /* caps, continued */
  ReferenceYuvSettings yuv;     /* what they mean */
} Case;

/* --- frames --- */

static GstCaps *
caps_of (const Case * c)
{
  g_autofree gchar *string = g_strdup_printf ("video/x-raw, format=%s, "
      "width=%u, height=%u, framerate=25/1%s", c->format, c->width, c->height,
      c->colours);

  return gst_caps_from_string (string);
}

/* From now on frames of @c become RGBA. */
static void
set_formats (GstHarness * h, const Case * c, GstVideoInfo * info)
{
  GstCaps *caps = caps_of (c);

  g_assert_true (gst_video_info_from_caps (info, caps));
  gst_harness_set_caps (h, caps, fixture_caps ("RGBA", c->width, c->height));
}

static GstBuffer *
noise_new (const GstVideoInfo * info, guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = g_rand_int (random) >> 13;
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static guint8 *
oracle (GstBuffer * buffer, const GstVideoInfo * info,
    const ReferenceYuvSettings * yuv)
{
  guint8 *rgba = g_malloc (4 * (gsize) info->width * info->height);
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  reference_yuv_to_rgba (yuv, &(ReferenceYuvFrame) {info->width, info->height,
    GST_VIDEO_FRAME_COMP_DATA (&frame, 0), GST_VIDEO_FRAME_COMP_DATA (&frame,
        1), GST_VIDEO_FRAME_COMP_DATA (&frame, 2),
    GST_VIDEO_FRAME_COMP_STRIDE (&frame, 0),
    GST_VIDEO_FRAME_COMP_STRIDE (&frame, 1),
    GST_VIDEO_FRAME_COMP_PSTRIDE (&frame, 1)},
      rgba);
  gst_video_frame_unmap (&frame);
  return rgba;
}

/* Takes @in, of which the element makes RGBA. */
static void
filter_and_check (GstHarness * h, GstBuffer * in, const GstVideoInfo * info,
    const ReferenceYuvSettings * yuv)
{
  g_autofree guint8 *expected = oracle (in, info, yuv);
  g_autoptr (GstBuffer) out = gst_harness_push_and_pull (h, in);

  palette_assert_bytes (out, expected, 4 * (gsize) info->width * info->height);
}

/* --- what is read --- */

static const Case cases[] = {
  {"I420", WIDTH, HEIGHT, ", colorimetry=bt709, chroma-site=jpeg",
      {BT709, FALSE, FALSE, FALSE, FALSE}},
  {"NV12", WIDTH, HEIGHT, ", colorimetry=bt601, chroma-site=mpeg2",
      {BT601, FALSE, TRUE, FALSE, FALSE}},
  {"I420", WIDTH, HEIGHT, ", colorimetry=bt2020, chroma-site=cosited",
      {BT2020, FALSE, TRUE, TRUE, FALSE}},
  /* Nothing but the siting is new, then nothing but the fields. */
  {"I420", WIDTH, HEIGHT, ", colorimetry=bt2020, chroma-site=mpeg2",
      {BT2020, FALSE, TRUE, FALSE, FALSE}},
  {"I420", WIDTH, HEIGHT, ", colorimetry=bt2020, chroma-site=mpeg2, "
        "interlace-mode=interleaved", {BT2020, FALSE, TRUE, FALSE, TRUE}},
  {"NV12", WIDTH, HEIGHT, ", colorimetry=1:4:7:1, chroma-site=v-cosited",
      {BT601, TRUE, FALSE, TRUE, FALSE}},
  {"I420", WIDTH, HEIGHT, ", colorimetry=1:3:5:1, chroma-site=mpeg2, "
        "interlace-mode=interleaved", {BT709, TRUE, TRUE, FALSE, TRUE}},
  /* Range unknown. */
  {"NV12", WIDTH, HEIGHT, ", colorimetry=0:3:5:1, chroma-site=jpeg",
      {BT709, TRUE, FALSE, FALSE, FALSE}},
  /* What GstVideoInfo takes for such sizes. */
  {"I420", WIDTH, HEIGHT, "", {BT601, FALSE, FALSE, FALSE, FALSE}},
  {"NV12", 3, 721, "", {BT709, FALSE, TRUE, FALSE, FALSE}},
};

/* What is read out of caps is what frames are converted by, also where only one of matrix,
 * range, siting and fields differs from the frame before. */
TEST (colours)
{
  g_autoptr (Harness) h = fixture_harness (KEEP);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    GstVideoInfo info;

    g_test_message ("%s%s", c->format, c->colours);
    set_formats (h, c, &info);
    filter_and_check (h, noise_new (&info, i), &info, &c->yuv);
  }
}

/* Y'CbCr is written as it is read: a palette of one colour, of either matrix and range. */
TEST (written)
{
  static const struct
  {
    const gchar *format, *colours;
    guint8 yuv[3];              /* of #ff8000 */
  } rows[] = {
    {"I420", ", colorimetry=bt709, chroma-site=jpeg", {141, 59, 189}},
    {"NV12", ", colorimetry=bt601, chroma-site=mpeg2", {146, 53, 193}},
    {"I420", ", colorimetry=1:4:7:1, chroma-site=jpeg", {151, 43, 202}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const Case c = { rows[i].format, WIDTH, HEIGHT, rows[i].colours };
    g_autoptr (Harness) h = fixture_harness (ELEMENT " palette=#ff8000");
    g_autoptr (GstBuffer) out = NULL;
    GstCaps *caps = caps_of (&c);
    GstVideoInfo info;
    GstVideoFrame frame;

    g_test_message ("%s%s", c.format, c.colours);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    out = gst_harness_push_and_pull (h, noise_new (&info, i));
    g_assert_true (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
    for (guint k = 0; k < 3; k++)
      g_assert_cmpuint (*(guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, k), ==,
          rows[i].yuv[k]);
    gst_video_frame_unmap (&frame);
  }
}

/* The chroma of a field is that of its own rows: one field is red, the other blue. */
TEST (written_fields)
{
  static const guint8 yuv[2][3] = { {81, 90, 240}, {41, 240, 110} };
  const Case c = { "I420", 16, 12, ", colorimetry=bt601, "
        "chroma-site=jpeg, interlace-mode=interleaved"
  };
  g_autoptr (Harness) h =
      fixture_harness (ELEMENT " palette=<0xff0000,0x0000ff>");
  g_autoptr (GstBuffer) out = NULL;
  GstCaps *caps = caps_of (&c);
  GstVideoInfo info;
  GstVideoFrame frame;
  GstBuffer *in;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  in = noise_new (&info, 0);
  g_assert_true (gst_video_frame_map (&frame, &info, in, GST_MAP_WRITE));
  for (guint k = 0; k < 3; k++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, k); y++)
      memset ((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, k)
          + y * GST_VIDEO_FRAME_COMP_STRIDE (&frame, k), yuv[y % 2][k],
          GST_VIDEO_FRAME_COMP_WIDTH (&frame, k));
  gst_video_frame_unmap (&frame);
  out = gst_harness_push_and_pull (h, in);
  g_assert_true (gst_video_frame_map (&frame, &info, out, GST_MAP_READ));
  for (guint k = 0; k < 3; k++)
    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (&frame, k); y++)
      g_assert_cmpuint (((guint8 *) GST_VIDEO_FRAME_COMP_DATA (&frame, k))[y
              * GST_VIDEO_FRAME_COMP_STRIDE (&frame, k)], ==, yuv[y % 2][k]);
  gst_video_frame_unmap (&frame);
}

/* transfer=auto is that of the input; also of Y'CbCr whose colours are called those of
 * RGB, which leave the matrix open. */
TEST (transfer)
{
  static const struct
  {
    Case of;
    ReferenceTransfer transfer;
  } rows[] = {
    {{"I420", WIDTH, HEIGHT, ", colorimetry=bt709, chroma-site=jpeg", {BT709}},
        REFERENCE_TRANSFER_CUSTOM},
    {{"I420", WIDTH, HEIGHT, ", colorimetry=sRGB, chroma-site=jpeg", {BT601}},
        REFERENCE_TRANSFER_SRGB},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const ReferencePaletteSettings settings = {.radius = 0.1,
      .transfer = rows[i].transfer, .eotf = palette_decode_bt709,
      .walks = REFERENCE_WALKS_SHORTCUT};
    g_autoptr (Harness) h =
        fixture_harness (ELEMENT " quality=exact radius=0.1");
    g_autoptr (GstBuffer) out = NULL;
    g_autofree guint8 *rgba = NULL;
    GstVideoInfo info;
    GstBuffer *in;

    set_formats (h, &rows[i].of, &info);
    in = noise_new (&info, 3);
    rgba = oracle (in, &info, &rows[i].of.yuv);
    reference_palette (&settings, rgba, WIDTH, HEIGHT, rgba, NULL);
    out = gst_harness_push_and_pull (h, in);
    palette_assert_bytes (out, rgba, 4 * WIDTH * HEIGHT);
  }
}

/* Where modes are mixed the flag of a frame decides; also of one that has to
 * be copied, as shaders cannot read its layout. */
TEST (mixed)
{
  Case c = { "I420", WIDTH, HEIGHT, ", colorimetry=bt601, chroma-site=jpeg, "
        "interlace-mode=mixed", {BT601}
  };
  g_autoptr (Harness) h = fixture_harness (KEEP);
  GstVideoInfo info;

  set_formats (h, &c, &info);
  for (guint i = 0; i < 4; i++) {
    GstBuffer *in = noise_new (&info, i);
    gint odd[GST_VIDEO_MAX_PLANES] = { WIDTH, WIDTH / 2 + 1, WIDTH / 2 + 1 };

    c.yuv.interlaced = i & 1;
    if (c.yuv.interlaced)
      GST_BUFFER_FLAG_SET (in, GST_VIDEO_BUFFER_FLAG_INTERLACED);
    if (i & 2)
      gst_buffer_add_video_meta_full (in, GST_VIDEO_FRAME_FLAG_NONE,
          GST_VIDEO_FORMAT_I420, WIDTH, HEIGHT, 3, info.offset, odd);
    filter_and_check (h, in, &info, &c.yuv);
  }
}

/* Either side of the pair keeps to its own colours. */
TEST (behind_blur)
{
  const Case *c = &cases[1];
  g_autoptr (Harness) h = fixture_harness ("gpublur sigma=0 ! " KEEP);
  GstVideoInfo info;

  set_formats (h, c, &info);
  filter_and_check (h, noise_new (&info, 5), &info, &c->yuv);
}

/* --- negotiation: what is negotiated is in test_meanshiftpalette.c --- */

/* R'G'B' becomes neither Y'CbCr nor grey, nor one order of samples another. */
TEST (refused)
{
  static const gchar *const refused[][2] = {
    {"RGBA", "I420"}, {"I420", "NV12"}, {"NV12", "GRAY8"}, {"RGB", "GRAY8"},
    {"GRAY8", "I420"}, {"P010_10LE", "NV12"}, {"GRAY16_LE", "GRAY8"},
    {"RGBA64_LE", "Y444_16LE"}
  };

  g_autoptr (Harness) h = fixture_harness (ELEMENT);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (h->element, "sink");

  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autofree gchar *downstream =
        g_strdup_printf ("video/x-raw, format=%s", refused[i][1]);
    g_autoptr (GstCaps) wanted = fixture_caps (refused[i][0], 16, 16);
    GstCaps *result;

    gst_harness_set_sink_caps_str (h, downstream);
    result = gst_pad_query_caps (sink, wanted);
    g_assert_true (gst_caps_is_empty (result));
    gst_caps_unref (result);
    /* Nor is it said to whoever asks for all there is. */
    result = gst_pad_query_caps (sink, NULL);
    g_assert_false (gst_caps_can_intersect (result, wanted));
    gst_caps_unref (result);
  }
}

/* --- grey --- */

/* The range is that of the caps, or the whole, where a frame becomes RGB, and where it
 * stays grey. */
TEST (grey)
{
  static const struct
  {
    const gchar *colours;
    guint8 luma, code;          /* of one pixel */
    guint8 written;             /* luma of #808080 */
  } rows[] = {
    {"", 100, 100, 128}, {", colorimetry=bt601", 100, 98, 126},
    {", colorimetry=bt601", 250, 255, 126},
  };

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const Case c = { "GRAY8", WIDTH, HEIGHT, rows[i].colours };
    const guint8 pixel[] = { rows[i].code, rows[i].code, rows[i].code, 255 };
    g_autoptr (Harness) h = fixture_harness (KEEP);
    g_autoptr (GstBuffer) in = NULL, rgba = NULL, grey = NULL;
    GstVideoInfo info;

    set_formats (h, &c, &info);
    in = gst_buffer_new_allocate (NULL, info.size, NULL);
    gst_buffer_memset (in, 0, rows[i].luma, info.size);
    rgba = gst_harness_push_and_pull (h, gst_buffer_ref (in));
    g_assert_cmpint (gst_buffer_memcmp (rgba, 0, pixel, 4), ==, 0);
    fixture_set (h->element, "radius", "0.02");
    fixture_set (h->element, "palette", "#808080");
    gst_harness_set_caps (h, caps_of (&c), caps_of (&c));
    grey = gst_harness_push_and_pull (h, gst_buffer_ref (in));
    g_assert_cmpint (gst_buffer_memcmp (grey, 0, &rows[i].written, 1), ==, 0);
  }
}

/* A palette with colours cannot be seen in GRAY8, which a warning says: greys can. */
TEST (grey_palette)
{
  g_autoptr (Harness) h = fixture_play ("meanshiftpalette "
      "palette=<0x202020,0xe0e0e0>", "GRAY8", WIDTH, HEIGHT);
  GstBuffer *out;
  guint8 red;

  out = gst_harness_push_and_pull (h, fixture_frame ("GRAY8", WIDTH,
          HEIGHT, 1));
  gst_buffer_unref (out);

  fixture_set (h->element, "palette", "<0xff0000>");
  out = gst_harness_push_and_pull (h, fixture_frame ("GRAY8", WIDTH,
          HEIGHT, 1));
  fixture_take_warning (h->element, GST_LIBRARY_ERROR,
      GST_LIBRARY_ERROR_SETTINGS, "shown as their luma");
  /* 255 times 0.299. */
  gst_buffer_extract (out, 0, &red, 1);
  g_assert_cmpuint (red, ==, 76);
  gst_buffer_unref (out);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-yuv/")
