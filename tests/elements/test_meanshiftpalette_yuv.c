/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette on I420, NV12 and GRAY8: what it reads out of caps and flags, and
 * what it says of its output. */
#include "element_fixture.h"
#include "palette_element_fixture.h"
#include "reference_yuv.h"

#include <string.h>

#define WIDTH 17
#define HEIGHT 10
#define RADIUS 0.1
#define ELEMENT "meanshiftpalette quality=exact radius=0.1"

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

static ReferenceYuvFrame
reference_frame (GstVideoFrame * frame)
{
  return (ReferenceYuvFrame) {GST_VIDEO_FRAME_WIDTH (frame),
    GST_VIDEO_FRAME_HEIGHT (frame), GST_VIDEO_FRAME_COMP_DATA (frame, 0),
    GST_VIDEO_FRAME_COMP_DATA (frame, 1), GST_VIDEO_FRAME_COMP_DATA (frame, 2),
    GST_VIDEO_FRAME_COMP_STRIDE (frame, 0),
    GST_VIDEO_FRAME_COMP_STRIDE (frame, 1),
    GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 1)};
}

/* The palette of @buffer, as RGBA. */
static guint8 *
reduce (GstBuffer * buffer, const GstVideoInfo * info,
    const ReferenceYuvSettings * yuv, const ReferencePaletteSettings * settings)
{
  gsize size = 4 * (gsize) info->width * info->height;
  g_autofree guint8 *rgba = g_malloc (size);
  guint8 *result = g_malloc (size);
  GstVideoFrame frame;
  ReferenceYuvFrame reference;

  g_assert_true (gst_video_frame_map (&frame, info, buffer, GST_MAP_READ));
  reference = reference_frame (&frame);
  reference_yuv_to_rgba (yuv, &reference, rgba);
  gst_video_frame_unmap (&frame);
  reference_palette (settings, rgba, info->width, info->height, result, NULL);
  return result;
}

static guint8 *
oracle (GstBuffer * buffer, const GstVideoInfo * info,
    const ReferenceYuvSettings * yuv)
{
  ReferencePaletteSettings settings = {.radius = RADIUS,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  return reduce (buffer, info, yuv, &settings);
}

static void
assert_same_samples (GstVideoFrame * got, GstVideoFrame * expected,
    gboolean interlaced)
{
  guint height = GST_VIDEO_FRAME_HEIGHT (got);

  for (guint c = 0; c < 3; c++) {
    guint rows = c == 0 ? height : (height + 1) / 2;

    if (c > 0 && interlaced)
      rows = ((height + 1) / 2 + 1) / 2 + (height / 2 + 1) / 2;
    for (guint y = 0; y < rows; y++)
      for (gint x = 0; x < GST_VIDEO_FRAME_COMP_WIDTH (got, c); x++) {
        guint8 *a = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (got, c)
            + y * GST_VIDEO_FRAME_COMP_STRIDE (got, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (got, c);
        guint8 *b = (guint8 *) GST_VIDEO_FRAME_COMP_DATA (expected, c)
            + y * GST_VIDEO_FRAME_COMP_STRIDE (expected, c)
            + x * GST_VIDEO_FRAME_COMP_PSTRIDE (expected, c);

        if (*a != *b)
          g_error ("component %u, row %u, column %d: %u, not %u", c, y, x, *a,
              *b);
      }
  }
}

/* Whether @buffer is @rgba. */
static void
assert_is_yuv (GstBuffer * buffer, const GstVideoInfo * info,
    const guint8 * rgba, const ReferenceYuvSettings * yuv)
{
  g_autoptr (GstBuffer) wanted =
      gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame got, expected;
  ReferenceYuvFrame reference;

  g_assert_true (gst_video_frame_map (&got, info, buffer, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&expected, info, wanted, GST_MAP_WRITE));
  reference = reference_frame (&expected);
  reference_yuv_from_rgba (yuv, rgba, &reference);
  assert_same_samples (&got, &expected, yuv->interlaced);
  gst_video_frame_unmap (&expected);
  gst_video_frame_unmap (&got);
}

/* @in: not taken. */
static void
filter_and_check (GstHarness * h, GstBuffer * in, const GstVideoInfo * info,
    const ReferenceYuvSettings * yuv)
{
  g_autofree guint8 *expected = oracle (in, info, yuv);
  g_autoptr (GstBuffer) out =
      gst_harness_push_and_pull (h, gst_buffer_ref (in));

  g_assert_nonnull (out);
  assert_is_yuv (out, info, expected, yuv);
}

/* --- the bytes --- */

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

/* Of a transfer function that the oracle has. */
static void
test_colours (void)
{
  g_autoptr (Harness) h = fixture_harness (ELEMENT " transfer=srgb");

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    GstCaps *caps = caps_of (c);
    GstVideoInfo info;
    g_autoptr (GstBuffer) in = NULL;

    g_test_message ("%s%s", c->format, c->colours);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    in = noise_new (&info, i);
    filter_and_check (h, in, &info, &c->yuv);
  }
}

/* The colours of the palette and no others, as the stats count them. Some of the cases,
 * of either format, will do: what comes in is looked at by test_colours(). */
static void
test_to_rgb (void)
{
  g_autoptr (Harness) h = fixture_harness (ELEMENT " transfer=srgb");

  gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGBA");
  for (guint i = 1; i < G_N_ELEMENTS (cases); i += 3) {
    const Case *c = &cases[i];
    GstCaps *caps = caps_of (c);
    g_autofree guint8 *expected = NULL;
    GstVideoInfo info;
    GstBuffer *in, *out;

    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    in = noise_new (&info, i);
    expected = oracle (in, &info, &c->yuv);
    out = gst_harness_push_and_pull (h, in);
    g_assert_nonnull (out);
    g_assert_cmpint (gst_buffer_memcmp (out, 0, expected,
            4 * (gsize) c->width * c->height), ==, 0);
    gst_buffer_unref (out);
  }
}

static void
check_transfer (const Case * c, const ReferencePaletteSettings * settings)
{
  g_autoptr (Harness) h = fixture_harness (ELEMENT);
  GstCaps *caps = caps_of (c);
  g_autofree guint8 *expected = NULL;
  GstVideoInfo info;
  GstBuffer *in, *out;

  gst_harness_set_sink_caps_str (h, "video/x-raw, format=RGBA");
  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  in = noise_new (&info, 3);
  expected = reduce (in, &info, &c->yuv, settings);
  out = gst_harness_push_and_pull (h, in);
  g_assert_cmpint (gst_buffer_memcmp (out, 0, expected,
          4 * (gsize) c->width * c->height), ==, 0);
  gst_buffer_unref (out);
}

/* transfer=auto is that of the input; also of Y'CbCr whose colours are called those of
 * RGB, which leave the matrix open. */
static void
test_transfer (void)
{
  static const Case as_rgb = { "I420", WIDTH, HEIGHT,
    ", colorimetry=sRGB, chroma-site=jpeg", {BT601}
  };
  ReferencePaletteSettings settings = {.radius = RADIUS,
    .transfer = REFERENCE_TRANSFER_CUSTOM,
    .eotf = palette_decode_bt709, .walks = REFERENCE_WALKS_SHORTCUT};

  check_transfer (&cases[0], &settings);
  settings.transfer = REFERENCE_TRANSFER_SRGB;
  check_transfer (&as_rgb, &settings);
}

/* Where modes are mixed the flag of a frame decides; also of one that has to
 * be copied, as shaders cannot read its layout. */
static void
test_mixed (void)
{
  Case c = { "I420", WIDTH, HEIGHT, ", colorimetry=bt601, chroma-site=jpeg, "
        "interlace-mode=mixed", {BT601}
  };
  g_autoptr (Harness) h = fixture_harness (ELEMENT " transfer=srgb");
  GstCaps *caps = caps_of (&c);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  for (guint i = 0; i < 4; i++) {
    g_autoptr (GstBuffer) in = noise_new (&info, i);
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
static void
test_behind_blur (void)
{
  const Case *c = &cases[1];
  g_autoptr (Harness) h = fixture_harness
      ("gpublur sigma=0 name=a ! " ELEMENT " name=b transfer=srgb");
  GstCaps *caps = caps_of (c);
  GstVideoInfo info;
  g_autoptr (GstBuffer) in = NULL;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_harness_set_src_caps (h, caps);
  in = noise_new (&info, 5);
  filter_and_check (h, in, &info, &c->yuv);
}

/* --- negotiation --- */

#define SIZE ", width=16, height=16, framerate=25/1"

static void
assert_negotiates (const gchar * in, const gchar * downstream,
    const gchar * format, const gchar * colorimetry, const gchar * site)
{
  g_autoptr (GstCaps) caps = palette_negotiate (ELEMENT, in, downstream);
  GstStructure *structure = gst_caps_get_structure (caps, 0);

  g_assert_cmpstr (gst_structure_get_string (structure, "format"), ==, format);
  g_assert_cmpstr (gst_structure_get_string (structure, "colorimetry"), ==,
      colorimetry);
  g_assert_cmpstr (gst_structure_get_string (structure, "chroma-site"), ==,
      site);
}

static void
test_negotiation (void)
{
  /* Harnesses have no preference: what comes in goes out wherever it may, colours
   * included. */
  assert_negotiates ("video/x-raw, format=NV12, colorimetry=bt709, "
      "chroma-site=mpeg2" SIZE, "video/x-raw, format={ RGBA, I420, NV12 }",
      "NV12", "bt709", "mpeg2");
  assert_negotiates ("video/x-raw, format=I420" SIZE, "video/x-raw", "I420",
      NULL, NULL);
  /* Else RGB, with what Y'CbCr said of primaries and transfer. */
  assert_negotiates ("video/x-raw, format=NV12, colorimetry=bt709, "
      "chroma-site=mpeg2" SIZE, "video/x-raw, format={ I420, RGBA, RGB }",
      "RGB", "1:1:5:1", NULL);
  assert_negotiates ("video/x-raw, format=I420, colorimetry=1:3:7:1, "
      "chroma-site=jpeg" SIZE, "video/x-raw, format=BGRA", "BGRA", "sRGB",
      NULL);
  /* What GstVideoInfo takes for small frames is said out loud. */
  assert_negotiates ("video/x-raw, format=I420" SIZE,
      "video/x-raw, format=xRGB", "xRGB", "1:1:16:4", NULL);
  assert_negotiates ("video/x-raw, format=GRAY8" SIZE, "video/x-raw", "GRAY8",
      NULL, NULL);
  assert_negotiates ("video/x-raw, format=GRAY8, colorimetry=bt709" SIZE,
      "video/x-raw, format=RGB", "RGB", "1:1:5:1", NULL);
  /* Any depth and order. */
  assert_negotiates ("video/x-raw, format=P010_10LE, colorimetry=bt709, "
      "chroma-site=mpeg2" SIZE, "video/x-raw", "P010_10LE", "bt709", "mpeg2");
  assert_negotiates ("video/x-raw, format=YUY2, colorimetry=bt709" SIZE,
      "video/x-raw, format={ RGBA64_LE, GBR_10LE }", "GBR_10LE", "1:1:5:1",
      NULL);
  /* Alpha stays if it can. */
  assert_negotiates ("video/x-raw, format=AYUV, colorimetry=bt709" SIZE,
      "video/x-raw, format={ RGB, RGBA }", "RGBA", "1:1:5:1", NULL);
}

/* R'G'B' becomes neither Y'CbCr nor grey, nor one order of samples another. */
static void
test_refused (void)
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

/* What GRAY8 of the luma of @in is as RGBA, by the oracle for Y'CbCr. */
static guint8 *
rgba_of_grey (GstBuffer * in, gboolean full_range)
{
  static guint8 chroma[WIDTH * HEIGHT];
  const ReferenceYuvSettings yuv = { BT601, full_range };
  guint8 *rgba = g_malloc (4 * WIDTH * HEIGHT);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (in, &map, GST_MAP_READ));
  memset (chroma, 128, sizeof chroma);
  reference_yuv_to_rgba (&yuv, &(ReferenceYuvFrame) {WIDTH, HEIGHT, map.data,
    chroma, chroma, GST_ROUND_UP_4 (WIDTH), WIDTH, 1},
      rgba);
  gst_buffer_unmap (in, &map);
  return rgba;
}

/* The range is that of the caps, or the whole; what comes out, RGB or grey, is what the
 * oracle makes of it. */
static void
test_grey (void)
{
  static const struct
  {
    const gchar *colours, *format;
    gboolean full_range;
  } greys[] = {
    {"", "RGBA", TRUE}, {", colorimetry=bt601", "RGBA", FALSE},
    {"", "GRAY8", TRUE}, {", colorimetry=bt601", "GRAY8", FALSE},
  };
  const ReferencePaletteSettings settings = {.radius = RADIUS,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  for (guint i = 0; i < G_N_ELEMENTS (greys); i++) {
    const Case c = { "GRAY8", WIDTH, HEIGHT, greys[i].colours };
    const ReferenceYuvSettings yuv = { BT601, greys[i].full_range };
    g_autoptr (Harness) h = fixture_harness (ELEMENT " transfer=srgb");
    g_autofree gchar *downstream =
        g_strdup_printf ("video/x-raw, format=%s", greys[i].format);
    g_autofree guint8 *rgba = NULL;
    guint8 expected[4 * WIDTH * HEIGHT];
    guint8 luma[GST_ROUND_UP_4 (WIDTH) * HEIGHT], chroma[WIDTH * HEIGHT];
    GstCaps *caps = caps_of (&c);
    GstVideoInfo info;
    GstBuffer *in, *out;

    gst_harness_set_sink_caps_str (h, downstream);
    g_assert_true (gst_video_info_from_caps (&info, caps));
    gst_harness_set_src_caps (h, caps);
    in = noise_new (&info, i);
    rgba = rgba_of_grey (in, yuv.full_range);
    reference_palette (&settings, rgba, WIDTH, HEIGHT, expected, NULL);
    out = gst_harness_push_and_pull (h, in);
    if (g_str_equal (greys[i].format, "RGBA")) {
      g_assert_cmpint (gst_buffer_memcmp (out, 0, expected, sizeof expected),
          ==, 0);
    } else {
      reference_yuv_from_rgba (&yuv, expected, &(ReferenceYuvFrame) {WIDTH,
        HEIGHT, luma, chroma, chroma, GST_ROUND_UP_4 (WIDTH), WIDTH, 1});
      for (guint y = 0; y < HEIGHT; y++)
        g_assert_cmpint (gst_buffer_memcmp (out, y * GST_ROUND_UP_4 (WIDTH),
                luma + y * GST_ROUND_UP_4 (WIDTH), WIDTH), ==, 0);
    }
    gst_buffer_unref (out);
  }
}

/* A palette with colours cannot be seen in GRAY8, which a warning says: greys can. */
static void
test_grey_palette (void)
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

int
main (int argc, char **argv)
{
  fixture_init (&argc, &argv, "/meanshiftpalette-yuv/");
  fixture_share_device ();
  fixture_add ("colours", test_colours);
  fixture_add ("to-rgb", test_to_rgb);
  fixture_add ("transfer", test_transfer);
  fixture_add ("mixed", test_mixed);
  fixture_add ("behind-blur", test_behind_blur);
  fixture_add ("negotiation", test_negotiation);
  fixture_add ("refused", test_refused);
  fixture_add ("grey", test_grey);
  fixture_add ("grey-palette", test_grey_palette);
  return fixture_run ();
}
