/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* meanshiftpalette on PQ and HLG, against double precision. Frames are blocks of one colour
 * each, and every colour is kept, so what comes out is the work of the conversions. */
#include "element_fixture.h"
#include "gst/palette/gstmeanshiftpalette.h"
#include "reference_hdr.h"

#include <math.h>

#define SIDE 8                  /* of a block */
#define COLUMNS 8
#define ROWS 4
#define N_BLOCKS (COLUMNS * ROWS)

/* BT.2020 */
#define KR 0.2627
#define KB 0.0593
#define KG (1 - KR - KB)

#define KEEP "meanshiftpalette quality=exact radius=0.000001"

typedef struct
{
  ReferenceHdr hdr;
  GstVideoTransferFunction function;
  const gchar *yuv, *rgb;       /* colorimetry in caps */
} Kind;

static const Kind full_range = {
  REFERENCE_PQ, GST_VIDEO_TRANSFER_SMPTE2084, "1:6:14:7"
};

static const Kind kinds[] = {
  {REFERENCE_PQ, GST_VIDEO_TRANSFER_SMPTE2084, "bt2100-pq", "1:1:14:7"},
  {REFERENCE_HLG, GST_VIDEO_TRANSFER_ARIB_STD_B67, "bt2100-hlg", "1:1:15:7"},
};

/* --- frames --- */

static GstCaps *
caps_of (const gchar * format, const Kind * kind)
{
  GstCaps *caps = fixture_caps (format, COLUMNS * SIDE, ROWS * SIDE);
  GstVideoInfo info;

  gst_video_info_from_caps (&info, caps);
  gst_caps_set_simple (caps, "colorimetry", G_TYPE_STRING,
      GST_VIDEO_INFO_IS_RGB (&info) ? kind->rgb : kind->yuv, NULL);
  return caps;
}

static guint
bits_of (const GstVideoInfo * info)
{
  return GST_VIDEO_INFO_COMP_DEPTH (info, 0);
}

/* A code in the format to which GStreamer unpacks pixels: of 8 or 16 bits. */
static guint
widen (const GstVideoInfo * info, guint code)
{
  return code << ((bits_of (info) > 8 ? 16 : 8) - bits_of (info));
}

static void
set_pixel (guint16 * pixel, const GstVideoInfo * info, const guint * codes)
{
  for (guint i = 0; i < 4; i++) {
    guint value = i == 0 ? 0xffff : widen (info, codes[i - 1]);

    if (bits_of (info) > 8)
      pixel[i] = value;
    else
      ((guint8 *) pixel)[i] = value;
  }
}

/* @codes: three for each block. */
static GstBuffer *
frame_of (GstCaps * caps, const guint codes[][3])
{
  guint16 line[4 * COLUMNS * SIDE];
  GstVideoInfo info;
  GstVideoFrame frame;
  GstBuffer *buffer;

  gst_video_info_from_caps (&info, caps);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  gst_video_frame_map (&frame, &info, buffer, GST_MAP_WRITE);
  for (guint y = 0; y < ROWS * SIDE; y++) {
    for (guint x = 0; x < COLUMNS * SIDE; x++)
      set_pixel (bits_of (&info) > 8 ? line + 4 * x : line + 2 * x, &info,
          codes[y / SIDE * COLUMNS + x / SIDE]);
    info.finfo->pack_func (info.finfo, GST_VIDEO_PACK_FLAG_NONE, line,
        sizeof line, frame.data, info.stride, info.chroma_site, y,
        COLUMNS * SIDE);
  }
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Reads the middle of each block, to which no chroma of other blocks reaches. */
static void
read_blocks (GstBuffer * buffer, GstCaps * caps, guint codes[][3])
{
  guint16 line[4 * COLUMNS * SIDE];
  GstVideoInfo info;
  GstVideoFrame frame;

  gst_video_info_from_caps (&info, caps);
  gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ);
  for (guint block = 0; block < N_BLOCKS; block++) {
    guint y = block / COLUMNS * SIDE + SIDE / 2;
    guint x = block % COLUMNS * SIDE + SIDE / 2;

    info.finfo->unpack_func (info.finfo, GST_VIDEO_PACK_FLAG_NONE, line,
        frame.data, info.stride, 0, y, COLUMNS * SIDE);
    for (guint i = 0; i < 3; i++)
      codes[block][i] = bits_of (&info) > 8
          ? line[4 * x + 1 + i] >> (16 - bits_of (&info))
          : ((guint8 *) line)[4 * x + 1 + i];
  }
  gst_video_frame_unmap (&frame);
}

static void
filter (GstHarness * h, GstCaps * caps, const guint codes[][3], GstCaps * made,
    guint got[][3])
{
  g_autoptr (GstBuffer) out =
      gst_harness_push_and_pull (h, frame_of (caps, codes));

  read_blocks (out, made, got);
}

/* --- signals and codes --- */

static void
encode (const GstVideoInfo * info, const gdouble rgb[3], gdouble codes[3])
{
  gdouble y = KR * rgb[0] + KG * rgb[1] + KB * rgb[2];
  const gdouble yuv[3] =
      { y, (rgb[2] - y) / (2 * (1 - KB)), (rgb[0] - y) / (2 * (1 - KR)) };
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];

  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset,
      scale);
  for (guint i = 0; i < 3; i++)
    codes[i] = offset[i]
        + scale[i] * (GST_VIDEO_INFO_IS_RGB (info) ? rgb[i] : yuv[i]);
}

static void
decode (const GstVideoInfo * info, const guint codes[3], gdouble rgb[3])
{
  gint offset[GST_VIDEO_MAX_COMPONENTS], scale[GST_VIDEO_MAX_COMPONENTS];
  gdouble y;

  gst_video_color_range_offsets (info->colorimetry.range, info->finfo, offset,
      scale);
  for (guint i = 0; i < 3; i++)
    rgb[i] = ((gint) codes[i] - offset[i]) / (gdouble) scale[i];
  if (GST_VIDEO_INFO_IS_RGB (info))
    return;
  y = rgb[0];
  rgb[0] = y + 2 * (1 - KR) * rgb[2];
  rgb[2] = y + 2 * (1 - KB) * rgb[1];
  rgb[1] = (y - KR * rgb[0] - KB * rgb[2]) / KG;
}

/* A signal lies between two codes of sRGB: which is nearer may depend on the step of the
 * tables. Sets *@rounded to either. */
static void
round_signal (ReferenceHdr hdr, gdouble signal, gdouble rounded[2])
{
  for (guint i = 0; i < 2; i++) {
    gdouble moved = signal + (i == 0 ? -1.0 : 1.0) / CURVE_WHITE;

    rounded[i] = floor (reference_hdr_to_code (hdr, CLAMP (moved, 0, 1)) + 0.5);
  }
}

/* Returns the error of the codes of a block, in codes of its depth. */
static gdouble
error_of (const Kind * kind, const GstVideoInfo * in, const guint codes[3],
    const GstVideoInfo * out, const guint got[3])
{
  gdouble signals[3], rounded[3][2], least = G_MAXDOUBLE;

  decode (in, codes, signals);
  for (guint i = 0; i < 3; i++)
    round_signal (kind->hdr, signals[i], rounded[i]);
  for (guint choice = 0; choice < 8; choice++) {
    gdouble rgb[3], expected[3], most = 0;

    for (guint i = 0; i < 3; i++)
      rgb[i] = reference_hdr_from_code (kind->hdr, rounded[i][choice >> i & 1]);
    encode (out, rgb, expected);
    for (guint i = 0; i < 3; i++)
      most = MAX (most, fabs (got[i] - expected[i]));
    least = MIN (least, most);
  }
  return least;
}

/* Signals of all levels, some brighter than white. */
static void
make_codes (const GstVideoInfo * info, guint seed, guint codes[][3])
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);

  for (guint block = 0; block < N_BLOCKS; block++) {
    gdouble most = g_rand_double (random), rgb[3], exact[3];

    for (guint i = 0; i < 3; i++)
      rgb[i] = most * g_rand_double (random);
    encode (info, rgb, exact);
    for (guint i = 0; i < 3; i++)
      codes[block][i] = exact[i] + 0.5;
  }
}

/* --- tests --- */

/* Another mathematical library would have to be off by far more than its last bit to make
 * another table. */
static void
check_entry (guint entry, gdouble exact)
{
  g_assert_cmpuint (entry, ==, floor (exact + 0.5));
  g_assert_cmpfloat (fabs (exact - floor (exact) - 0.5), >, 1e-6);
}

TEST (tables)
{
  g_autofree GpuPaletteCurve *curve = g_new (GpuPaletteCurve, 1);

  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    gst_mean_shift_palette_curve_fill (curve, kinds[k].function);
    for (guint i = 0; i <= CURVE_WHITE; i++)
      check_entry (curve->codes[i], reference_hdr_to_code (kinds[k].hdr,
              i / (gdouble) CURVE_WHITE));
    for (guint code = 0; code < 256; code++) {
      check_entry (curve->signals[code], CURVE_WHITE
          * reference_hdr_from_code (kinds[k].hdr, code));
      g_assert_cmpuint (curve->codes[curve->signals[code]], ==, code);
    }
  }
}

/* The largest error beyond rounding; tables have 32641 steps. */
static gdouble
max_error (const GstVideoInfo * out)
{
  return bits_of (out) <= 12 ? 0.05 : 1.1;
}

static void
check_formats (const Kind * kind, const gchar * from, const gchar * to,
    guint seed)
{
  g_autoptr (Harness) h = fixture_harness (KEEP);
  GstCaps *in = caps_of (from, kind), *out = caps_of (to, kind);
  guint codes[N_BLOCKS][3], got[N_BLOCKS][3];
  GstVideoInfo in_info, out_info;
  gdouble most = 0;

  gst_video_info_from_caps (&in_info, in);
  gst_video_info_from_caps (&out_info, out);
  make_codes (&in_info, seed, codes);
  gst_harness_set_caps (h, gst_caps_ref (in), gst_caps_ref (out));
  filter (h, in, codes, out, got);
  for (guint i = 0; i < N_BLOCKS; i++)
    most = MAX (most, error_of (kind, &in_info, codes[i], &out_info, got[i]));
  g_test_message ("%s to %s, %s: error %g", from, to, kind->yuv, most);
  g_assert_cmpfloat (most, <=, 0.5 + max_error (&out_info));
  gst_caps_unref (in);
  gst_caps_unref (out);
}

TEST (formats)
{
  static const gchar *const pairs[][2] = {
    {"P010_10LE", "P010_10LE"}, {"I420_10LE", "I420_10LE"},
    {"RGB10A2_LE", "RGB10A2_LE"}, {"RGBA64_LE", "RGBA64_LE"},
    {"P010_10LE", "RGB10A2_LE"}, {"Y444_12LE", "RGBA64_LE"},
    {"Y444_16LE", "Y444_16LE"}, {"NV12", "NV12"}, {"RGBA", "BGRA"},
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++)
    for (guint k = 0; k < G_N_ELEMENTS (kinds); k++)
      check_formats (&kinds[k], pairs[i][0], pairs[i][1], i);
  check_formats (&full_range, "Y444_16LE", "Y444_16LE", 0);
}

/* Colours are counted by their light: the palette is that of the same picture in sRGB. */
TEST (same_palette)
{
  static const Kind srgb = {.rgb = "sRGB"};
  static const gchar *const element =
      "meanshiftpalette quality=exact radius=0.1";
  GstCaps *caps = caps_of ("RGBA", &srgb), *deep = caps_of ("RGBA64_LE", kinds);
  g_autoptr (Harness) h = fixture_harness (element);
  g_autoptr (Harness) deep_h = fixture_harness (element);
  guint codes[N_BLOCKS][3], got[N_BLOCKS][3], signals[N_BLOCKS][3];

  for (guint i = 0; i < 3 * N_BLOCKS; i++) {
    codes[i / 3][i % 3] = 37 * i % 256;
    signals[i / 3][i % 3] =
        65535 * reference_hdr_from_code (REFERENCE_PQ, 37 * i % 256) + 0.5;
  }
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  filter (h, caps, codes, caps, got);
  gst_harness_set_src_caps (deep_h, gst_caps_ref (deep));
  filter (deep_h, deep, signals, deep, signals);
  for (guint i = 0; i < 3 * N_BLOCKS; i++)
    g_assert_cmpuint (got[i / 3][i % 3], ==,
        reference_hdr_to_code (REFERENCE_PQ, signals[i / 3][i % 3] / 65535.0)
        + 0.5);
  g_assert_cmpuint (fixture_stat (h->element, "modes"), <, N_BLOCKS);
  gst_caps_unref (caps);
  gst_caps_unref (deep);
}

/* Blocks of the greys from @first on. */
static void
make_greys (guint first, guint codes[][3])
{
  for (guint i = 0; i < 3 * N_BLOCKS; i++)
    codes[i / 3][i % 3] = first + i / 3;
}

/* How far a colour of 10 bits that is kept is from itself: docs/meanshiftpalette.md. */
static guint
distance_of (ReferenceHdr hdr, guint code)
{
  static const guint distances[][4] = {
    [REFERENCE_PQ] = {37, 6, 2, 1},[REFERENCE_HLG] = {21, 3, 3, 3}
  };

  return distances[hdr][code < 64 ? 0 : code < 128 ? 1 : code < 256 ? 2 : 3];
}

/* With @white, codes beyond become it. */
static void
check_kept (GstHarness * h, const Kind * kind, guint white)
{
  g_autoptr (GstCaps) caps = caps_of ("RGB10A2_LE", kind);

  for (guint first = 0; first < 1024; first += N_BLOCKS) {
    guint codes[N_BLOCKS][3], got[N_BLOCKS][3];

    make_greys (first, codes);
    filter (h, caps, codes, caps, got);
    for (guint i = 0; i < N_BLOCKS; i++) {
      guint code = MIN (first + i, white);

      g_assert_cmpuint (ABS ((gint) got[i][0] - (gint) code), <=,
          distance_of (kind->hdr, code));
      g_assert_cmpuint (got[i][0], ==, got[i][1]);
      g_assert_cmpuint (got[i][0], ==, got[i][2]);
    }
  }
}

TEST (kept)
{
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (Harness) h = fixture_harness (KEEP);

    gst_harness_set_src_caps (h, caps_of ("RGB10A2_LE", &kinds[k]));
    check_kept (h, &kinds[k], kinds[k].hdr == REFERENCE_PQ ? 594 : 1023);
  }
}

static void
make_same (guint code, guint codes[][3])
{
  for (guint i = 0; i < 3 * N_BLOCKS; i++)
    codes[i / 3][i % 3] = code;
}

/* Returns what becomes of a grey. */
static guint
filter_grey (GstHarness * h, const gchar * format, const Kind * kind,
    guint code, const gchar * made)
{
  GstCaps *in = caps_of (format, kind), *out = caps_of (made, kind);
  guint codes[N_BLOCKS][3], got[N_BLOCKS][3];

  make_same (code, codes);
  filter (h, in, codes, out, got);
  gst_caps_unref (in);
  gst_caps_unref (out);
  return got[N_BLOCKS / 2][0];
}

/* While playing: as sRGB, nothing is brighter than white, and codes are rounded to 8 bits. */
TEST (change)
{
  g_autoptr (Harness) h = fixture_harness (KEEP);

  gst_harness_set_src_caps (h, caps_of ("RGB10A2_LE", &kinds[0]));
  for (guint i = 0; i < 2; i++) {
    fixture_set (h->element, "transfer", "auto");
    g_assert_cmpuint (filter_grey (h, "RGB10A2_LE", &kinds[0], 800,
            "RGB10A2_LE"), ==, 594);
    fixture_set (h->element, "transfer", "srgb");
    g_assert_cmpuint (filter_grey (h, "RGB10A2_LE", &kinds[0], 800,
            "RGB10A2_LE"), ==, 798);
  }
}

/* Colours of a palette are sRGB: white is 203 cd/m², or the largest signal. */
TEST (palette)
{
  static const guint whites[][3] = { {573, 512, 512}, {940, 512, 512} };
  guint codes[N_BLOCKS][3], got[N_BLOCKS][3];

  make_same (512, codes);
  for (guint k = 0; k < G_N_ELEMENTS (kinds); k++) {
    g_autoptr (Harness) h = fixture_harness ("meanshiftpalette "
        "palette=#ffffff");
    g_autoptr (GstCaps) caps = caps_of ("P010_10LE", &kinds[k]);

    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    filter (h, caps, codes, caps, got);
    g_assert_cmpmem (got[0], sizeof *got, whites[k], sizeof *whites);
  }
}

/* A palette of 8-bit codes has too few for a curve: codes are counted as sRGB. */
TEST (indexed)
{
  g_autoptr (Harness) h = fixture_harness ("meanshiftpalette");

  gst_harness_set_caps (h, caps_of ("RGB10A2_LE", &kinds[0]), caps_of ("RGB8P",
          &kinds[0]));
  g_assert_cmpuint (filter_grey (h, "RGB10A2_LE", &kinds[0], 800, "RGB8P"), ==,
      199);
}

FIXTURE_MAIN_SHARING ("/meanshiftpalette-hdr/")
