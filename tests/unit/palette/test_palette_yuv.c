/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine on I420, NV12 and GRAY8 against the oracles of both parts. */
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "reference_live.h"
#include "reference_yuv.h"

#include <string.h>

static const guint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 3}, {5, 4}, {17, 9}, {16, 10}, {31, 7}, {9, 2}, {7, 1},
  {1, 6}
};

static const gdouble matrices[][2] = {
  {0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}
};

/* One combination of everything that matters to a conversion. */
typedef struct
{
  GpuPixels in, out;
  guint width, height;
  ReferenceYuvSettings yuv;
  gdouble radius;
  guint slice;
  GpuPaletteQuality quality;
} Case;

static gboolean is_full, is_essential;

/* --- frames --- */

static gboolean
has_luma (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model != GPU_MODEL_RGB;
}

/* Gaps before and behind rows and planes, of another size for each. */
static GpuFrameInfo
padded_info (GpuPixels pixels, const Case * c)
{
  GpuFrameInfo info;
  gsize at = 20;

  gpu_frame_info_init (&info, pixels, c->width, c->height);
  info.is_interlaced = c->yuv.interlaced;
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++) {
    info.offset[i] = at;
    info.stride[i] += 4 * (i == 0 ? 3 : 1);
    at += info.stride[i] * gpu_frame_info_plane_height (&info, i) + 8;
  }
  info.size = at;
  g_assert_true (gpu_frame_info_is_usable (&info));
  return info;
}

/* Chroma of a frame of grey, which is Y'CbCr with 128 throughout; room for what is made
 * of colours. */
static guint8 *
chroma_new (const GpuFrameInfo * info)
{
  gsize size = (gsize) info->width * (info->height + 1);

  return memset (g_malloc (size), 128, size);
}

static ReferenceYuvFrame
reference_frame (const GpuFrameInfo * info, guint8 * bytes, guint8 * chroma)
{
  gboolean interleaved = info->pixels == GPU_PIXELS_NV12;
  guint8 *y = bytes + info->offset[0], *u = bytes + info->offset[1];

  if (info->pixels == GPU_PIXELS_GRAY8)
    return (ReferenceYuvFrame) {info->width, info->height, y, chroma, chroma,
      info->stride[0], info->width, 1};
  g_assert_true (interleaved || info->stride[1] == info->stride[2]);
  return (ReferenceYuvFrame) {info->width, info->height, y, u,
    interleaved ? u + 1 : bytes + info->offset[2], info->stride[0],
    info->stride[1], interleaved ? 2 : 1};
}

static guint8 *
noise_new (gsize size, guint seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  guint8 *bytes = g_malloc (size);

  for (gsize i = 0; i < size; i++)
    bytes[i] = g_rand_int (random) >> 13;
  return bytes;
}

/* RGBA, tightly packed, out of a frame of noise; alpha 255. */
static guint8 *
rgba_of (const GpuFrameInfo * info, guint8 * bytes,
    const ReferenceYuvSettings * yuv)
{
  guint8 *rgba = g_malloc ((gsize) info->width * info->height * 4);

  if (has_luma (info->pixels)) {
    g_autofree guint8 *chroma = chroma_new (info);
    ReferenceYuvFrame frame = reference_frame (info, bytes, chroma);

    reference_yuv_to_rgba (yuv, &frame, rgba);
    return rgba;
  }
  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++) {
      const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
      const guint8 *pixel = bytes + info->offset[0] + y * info->stride[0]
          + x * format->components[0];
      guint8 *to = rgba + 4 * (y * info->width + x);

      to[0] = pixel[format->red];
      to[1] = pixel[format->green];
      to[2] = pixel[format->blue];
      to[3] = 255;
    }
  return rgba;
}

/* --- a case --- */

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Case *c = ((gpointer *) data)[0];
  GpuPalette *palette = ((gpointer *) data)[1];
  GpuPaletteSettings settings = {.making.radius = c->radius,
    .quality = c->quality};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (palette, stream, &settings, &frames, NULL, error);
}

static guint8 *
run (Case * c, const GpuFrameInfo * in, const guint8 * bytes,
    const GpuFrameInfo * out)
{
  g_autoptr (GpuPalette) palette = gpu_palette_new (gpu_fixture_device ());
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (gpu_fixture_device (), 1, "test", &error));
  const GpuPaletteFormat format = {.in = c->in, .out = c->out,
    .width = c->width, .height = c->height,
    .yuv = {c->yuv.kr, c->yuv.kb, c->yuv.full_range,
      c->yuv.h_cosited,
      c->yuv.v_cosited}};
  gpointer data[] = { c, palette };
  const GpuFixtureWork work = { record, data, in, out };
  guint8 *result;

  OK (gpu_palette_configure (palette, &format, c->quality, &error));
  gpu_palette_set_tuning (palette, &(GpuPaletteTuning) {.slice = c->slice});
  result = OK (gpu_fixture_run (stream, &work, bytes, &error));
  return result;
}

static gchar *
describe (const Case * c)
{
  return g_strdup_printf ("%s to %s, %ux%u, Kr %g, %s range, chroma %s %s, "
      "%s, radius %g%s", gpu_pixels_get_format (c->in)->name,
      gpu_pixels_get_format (c->out)->name, c->width, c->height, c->yuv.kr,
      c->yuv.full_range ? "full" : "limited",
      c->yuv.h_cosited ? "on columns" : "between columns",
      c->yuv.v_cosited ? "on rows" : "between rows",
      c->yuv.interlaced ? "interlaced" : "progressive", c->radius,
      c->quality == GPU_PALETTE_LIVE ? ", live" : "");
}

static void
compare_plane (const gchar * what, const GpuFrameInfo * info, guint plane,
    const guint8 * got, const guint8 * expected)
{
  gsize row = (gsize) gpu_frame_info_plane_width (info, plane)
      * gpu_pixels_get_format (info->pixels)->components[plane];

  for (guint y = 0; y < gpu_frame_info_plane_height (info, plane); y++)
    for (gsize x = 0; x < row; x++) {
      gsize at = info->offset[plane] + y * info->stride[plane] + x;

      if (got[at] != expected[at])
        g_error ("%s: plane %u, row %u, byte %" G_GSIZE_FORMAT " is %u, not "
            "%u", what, plane, y, x, got[at], expected[at]);
    }
}

static void
reduce (const Case * c, const guint8 * rgba, guint8 * reduced)
{
  ReferencePaletteSettings settings = {.radius = c->radius,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  if (c->quality == GPU_PALETTE_LIVE)
    reference_live (&settings, rgba, c->width, c->height, reduced, NULL);
  else
    reference_palette (&settings, rgba, c->width, c->height, reduced, NULL);
}

static void
check (Case * c, guint seed)
{
  GpuFrameInfo in = padded_info (c->in, c), out = padded_info (c->out, c);
  g_autofree gchar *what = describe (c);
  g_autofree guint8 *bytes = noise_new (in.size, seed);
  g_autofree guint8 *rgba = rgba_of (&in, bytes, &c->yuv);
  g_autofree guint8 *reduced = g_malloc ((gsize) c->width * c->height * 4);
  g_autofree guint8 *got = run (c, &in, bytes, &out);

  reduce (c, rgba, reduced);
  if (has_luma (c->out)) {
    g_autofree guint8 *expected = g_malloc (out.size);
    g_autofree guint8 *chroma = chroma_new (&out);
    ReferenceYuvFrame frame = reference_frame (&out, expected, chroma);

    reference_yuv_from_rgba (&c->yuv, reduced, &frame);
    for (guint i = 0; i < gpu_pixels_get_format (c->out)->n_planes; i++)
      compare_plane (what, &out, i, got, expected);
  } else {
    g_autofree guint8 *result = rgba_of (&out, got, NULL);

    if (memcmp (result, reduced, (gsize) c->width * c->height * 4))
      g_error ("%s: pixels differ", what);
  }
}

/* --- tests --- */

/* Number @i of the cross product of all ways to read and write Y'CbCr. What
 * is read and written follows neither from matrices and ranges, nor from chroma on
 * columns and rows together: the essential ones have it on both or on neither. */
static ReferenceYuvSettings
nth_yuv (guint i)
{
  const gdouble *matrix = matrices[i / 16 % 3];

  if (is_essential)
    return (ReferenceYuvSettings) {matrices[0][0], matrices[0][1], FALSE,
      i & 2, i & 2, i & 8};
  return (ReferenceYuvSettings) {matrix[0], matrix[1], i & 1, i & 2, i & 4,
    i & 8};
}

#define N_YUV 48

/* Every pair of settings comes up in steps of this many. */
#define STEP 5

/* Radius 0 keeps every colour: what comes out is the conversions' work. Each
 * setting meets the size that is @offset behind it. */
static void
check_conversions (GpuPixels in, GpuPixels out, guint offset)
{
  for (guint i = 0; i < N_YUV; i += is_full ? 1 : STEP)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      Case c = { in, out, sizes[s][0], sizes[s][1], nth_yuv (i), 0 };

      if (is_full || s == (i / STEP + offset) % G_N_ELEMENTS (sizes))
        check (&c, i + s);
    }
}

static void
test_i420 (void)
{
  check_conversions (GPU_PIXELS_I420, GPU_PIXELS_I420, 0);
}

static void
test_nv12 (void)
{
  check_conversions (GPU_PIXELS_NV12, GPU_PIXELS_NV12, 3);
}

/* Luma of either range, which is R, G and B at once. */
static void
test_grey (void)
{
  check_conversions (GPU_PIXELS_GRAY8, GPU_PIXELS_GRAY8, 1);
  check_conversions (GPU_PIXELS_GRAY8, GPU_PIXELS_XBGR, 4);
}

/* Fewer greys than there were: with either quality, of either range. Where it is
 * essential, any two of format, quality and range meet, and the exact quality keeps all:
 * its walks take long to build, and see colours, not bytes of grey. */
static void
test_grey_reduced (void)
{
  for (guint i = 0; i < 8; i++) {
    const guint n_set = (i & 1) + (i >> 1 & 1) + (i >> 2);
    Case c = { GPU_PIXELS_GRAY8, i & 1 ? GPU_PIXELS_GRAY8 : GPU_PIXELS_RGB,
      31, 7, nth_yuv (0), 0.1, 0,
      i & 2 ? GPU_PALETTE_LIVE : GPU_PALETTE_EXACT
    };

    if (is_essential && n_set % 2)
      continue;
    if (is_essential && c.quality == GPU_PALETTE_EXACT)
      c.radius = 0;
    c.yuv.full_range = i >> 2;
    check (&c, i);
  }
}

static void
test_to_rgb (void)
{
  check_conversions (GPU_PIXELS_NV12, GPU_PIXELS_BGR, 7);
}

/* Every size either way. */
static void
test_interlaced_sizes (void)
{
  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    guint interlaced = s % 2 ? 0 : 8;
    Case c = { GPU_PIXELS_I420, GPU_PIXELS_I420, sizes[s][0], sizes[s][1],
      nth_yuv (2 + interlaced), 0
    };

    check (&c, s);
    c.yuv = nth_yuv (2 + (8 ^ interlaced));
    check (&c, s);
  }
}

/* Slices of dispatches that a frame as small would not be cut into. */
static void
test_slices (void)
{
  Case c = { GPU_PIXELS_I420, GPU_PIXELS_I420, 160, 90, nth_yuv (0),
    is_essential ? 0 : 0.1, 256
  };

  check (&c, 1);
}

/* Of every kind of format one with every other. */
static void
test_other_formats (void)
{
  static const GpuPixels pairs[][2] = {
    {GPU_PIXELS_I420, GPU_PIXELS_NV12}, {GPU_PIXELS_NV12, GPU_PIXELS_I420},
    {GPU_PIXELS_RGB, GPU_PIXELS_I420}, {GPU_PIXELS_XBGR, GPU_PIXELS_NV12},
    {GPU_PIXELS_I420, GPU_PIXELS_RGBX}, {GPU_PIXELS_NV12, GPU_PIXELS_ABGR}
  };

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    Case c = { pairs[i][0], pairs[i][1], 19, 13, nth_yuv (i * 7), 0 };

    check (&c, i);
  }
}

static void
test_reduced (void)
{
  static const GpuPixels outputs[] = { GPU_PIXELS_I420, GPU_PIXELS_RGBA };
  static const gdouble radii[] = { 0.05, 0.2 };

  for (guint i = 0; i < N_YUV; i += is_full ? 1 : 3 * STEP) {
    Case c =
        { GPU_PIXELS_I420, outputs[i % 2], 48, 27, nth_yuv (i), radii[i / 3 % 2]
    };

    check (&c, i);
  }
}

/* Both ways, with all ways to read and write pixels. */
static void
test_live (void)
{
  static const GpuPixels pairs[][2] = {
    {GPU_PIXELS_I420, GPU_PIXELS_I420}, {GPU_PIXELS_NV12, GPU_PIXELS_NV12},
    {GPU_PIXELS_I420, GPU_PIXELS_RGBX}, {GPU_PIXELS_BGR, GPU_PIXELS_NV12},
  };

  /* Y'CbCr alone: test_live.c looks at the shaders of the others. */
  const guint n_pairs = is_essential ? 2 : G_N_ELEMENTS (pairs);

  for (guint i = 0; i < (is_essential ? 1 : 2) * G_N_ELEMENTS (sizes); i++) {
    const guint *size = sizes[i % G_N_ELEMENTS (sizes)];
    const GpuPixels *pair = pairs[(i + i / 10) % n_pairs];
    Case c = { pair[0], pair[1], size[0], size[1], nth_yuv (i * STEP % N_YUV),
      i % 3 * 0.1, 0, GPU_PALETTE_LIVE
    };

    check (&c, i);
  }
}

static void
test_live_slices (void)
{
  Case c = { GPU_PIXELS_I420, GPU_PIXELS_NV12, 160, 90, nth_yuv (0), 0.02, 256,
    GPU_PALETTE_LIVE
  };

  check (&c, 1);
}

/* Grey of colours, indexes as input, and samples that are not bytes. */
static void
test_refused (void)
{
  static const GpuPaletteFormat formats[] = {
    {.in = GPU_PIXELS_RGB, .out = GPU_PIXELS_GRAY8, .width = 16, .height = 16},
    {.in = GPU_PIXELS_NV12, .out = GPU_PIXELS_GRAY8, .width = 16, .height = 16},
    {.in = GPU_PIXELS_RGB8P, .out = GPU_PIXELS_RGB, .width = 16, .height = 16},
    {.in = GPU_PIXELS_RGBA, .out = GPU_PIXELS_RGBA16F, .width = 16, .height = 16},
    {.in = GPU_PIXELS_RGBA32F, .out = GPU_PIXELS_RGBA, .width = 16, .height = 16},
  };
  g_autoptr (GpuPalette) palette = gpu_palette_new (gpu_fixture_device ());

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    FAILS (GPU_ERROR_UNSUPPORTED, gpu_palette_configure (palette, &formats[i],
            GPU_PALETTE_EXACT, &error));
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  is_essential = argc > 1 && !strcmp (argv[1], "--essential");
  g_test_add_func ("/palette-yuv/i420", test_i420);
  g_test_add_func ("/palette-yuv/nv12", test_nv12);
  g_test_add_func ("/palette-yuv/to-rgb", test_to_rgb);
  g_test_add_func ("/palette-yuv/grey", test_grey);
  g_test_add_func ("/palette-yuv/grey-reduced", test_grey_reduced);
  g_test_add_func ("/palette-yuv/interlaced-sizes", test_interlaced_sizes);
  g_test_add_func ("/palette-yuv/slices", test_slices);
  /* Which colours are left decides nothing of which bytes are read. */
  if (!is_essential) {
    g_test_add_func ("/palette-yuv/other-formats", test_other_formats);
    g_test_add_func ("/palette-yuv/reduced", test_reduced);
  }
  g_test_add_func ("/palette-yuv/live", test_live);
  g_test_add_func ("/palette-yuv/live-slices", test_live_slices);
  g_test_add_func ("/palette-yuv/refused", test_refused);
  return gpu_fixture_run_tests ();
}
