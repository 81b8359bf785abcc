/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine on frames of all formats, against the oracles of conversions and of
 * palettes: I420, NV12 and GRAY8, which shaders read, and those that are converted to RGBA
 * and back. With radius 0 all colours are kept, so what comes out is the work of the
 * conversions. */
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "reference_live.h"
#include "reference_yuv.h"
#include "samples.h"
#include "tests.h"

#include <string.h>

static const guint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 5}, {5, 4}, {17, 9}, {16, 10}, {31, 7}, {9, 2}, {7, 1},
  {1, 6}, {33, 6}
};

static const gdouble matrices[][2] = {
  {0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}
};

typedef struct
{
  GpuPixels in, out;
  guint width, height;
  ReferenceYuvSettings yuv;
  gdouble radius;
  GpuPaletteQuality quality;
  guint slice;
} Case;

static gboolean is_full, is_essential;

static gchar *
describe (const Case * c)
{
  return g_strdup_printf ("%s to %s, %u x %u, Kr %g, %s range, %s, %s, "
      "%s, radius %g%s",
      gpu_pixels_get_format (c->in)->name,
      gpu_pixels_get_format (c->out)->name, c->width, c->height, c->yuv.kr,
      c->yuv.full_range ? "full" : "limited",
      c->yuv.h_cosited ? "on columns" : "between columns",
      c->yuv.v_cosited ? "on rows" : "between rows",
      c->yuv.interlaced ? "interlaced" : "progressive", c->radius,
      c->quality == GPU_PALETTE_LIVE ? ", live" : "");
}

/* --- frames and planar codes --- */

static guint
bits_of (GpuPixels pixels)
{
  return gpu_pixel_format_get_code_bits (gpu_pixels_get_format (pixels));
}

static GpuColourModel
model_of (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->model;
}

static gboolean
has_alpha (GpuPixels pixels)
{
  return gpu_pixels_get_format (pixels)->alpha >= 0;
}

static GpuFrameInfo
padded_info (GpuPixels pixels, const Case * c)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, c->width, c->height);
  info.is_interlaced = c->yuv.interlaced;
  samples_pad (&info);
  g_assert_true (gpu_frame_info_is_usable (&info));
  return info;
}

/* Returns planar codes with room for those of @pixels; chroma is neutral. */
static ReferenceCodes
codes_new (GpuPixels pixels, const Case * c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);
  gboolean is_yuv = format->model == GPU_MODEL_YUV;
  guint chroma = is_yuv ? format->cb / 4 : 0;
  gsize n = (gsize) c->width * (c->height + 1);
  ReferenceCodes codes = {.bits = bits_of (pixels), .width = c->width,
    .height = c->height, .shift_x = is_yuv ? format->shift_x[chroma] : 0,
    .shift_y = is_yuv ? format->shift_y[chroma] : 0};

  for (guint i = 0; i < 3; i++) {
    codes.codes[i] = g_new (guint16, n);
    for (gsize k = 0; k < n; k++)
      codes.codes[i][k] = 128 << (codes.bits - 8);
  }
  return codes;
}

static void
codes_free (ReferenceCodes * codes)
{
  for (guint i = 0; i < 3; i++)
    g_free (codes->codes[i]);
}

/* The size of component @i of Y'CbCr. */
static guint
columns_of (const ReferenceCodes * codes, guint i)
{
  return i == 0 ? codes->width : reference_codes_chroma_width (codes);
}

static guint
rows_of (const ReferenceCodes * codes, guint i, const Case * c)
{
  return i == 0 ? codes->height
      : reference_codes_chroma_height (codes, c->yuv.interlaced);
}

static guint
count_components (GpuPixels pixels)
{
  return model_of (pixels) == GPU_MODEL_GREY ? 1 : 3;
}

/* Returns the 8-bit R'G'B' of a frame, with 255 for alpha. */
static guint8 *
colours_of (const GpuFrameInfo * info, const guint8 * frame, const Case * c)
{
  guint8 *rgba = g_malloc (4 * (gsize) c->width * c->height);
  ReferenceCodes codes = codes_new (info->pixels, c);

  for (guint i = 0; i < count_components (info->pixels); i++)
    for (guint y = 0; y < rows_of (&codes, i, c); y++)
      for (guint x = 0; x < columns_of (&codes, i); x++)
        codes.codes[i][y * columns_of (&codes, i) + x] =
            samples_get (info, frame, i, x, y);
  if (model_of (info->pixels) == GPU_MODEL_RGB)
    for (gsize k = 0; k < 4 * (gsize) c->width * c->height; k++)
      rgba[k] = k % 4 == 3 ? 255 : samples_scale (info->pixels,
          GPU_PIXELS_RGBA, k % 4, codes.codes[k % 4][k / 4]);
  else
    reference_codes_to_rgba (&c->yuv, &codes, rgba);
  codes_free (&codes);
  return rgba;
}

/* Makes of colours those of their palette. */
static void
reduce (const Case * c, guint8 * rgba)
{
  const ReferencePaletteSettings settings = {.radius = c->radius,
    .walks = REFERENCE_WALKS_SHORTCUT
  };

  if (c->radius == 0)
    return;
  if (c->quality == GPU_PALETTE_LIVE)
    reference_live (&settings, rgba, c->width, c->height, rgba, NULL);
  else
    reference_palette (&settings, rgba, c->width, c->height, rgba, NULL);
}

/* Returns what the codes of red, green and blue, or Y', Cb and Cr of an output with these
 * colours must be. */
static ReferenceCodes
expect_codes (const guint8 * rgba, const Case * c)
{
  ReferenceCodes codes = codes_new (c->out, c);

  if (model_of (c->out) != GPU_MODEL_RGB)
    reference_codes_from_rgba (&c->yuv, rgba, &codes);
  else
    for (gsize k = 0; k < 4 * (gsize) c->width * c->height; k++)
      if (k % 4 < 3)
        codes.codes[k % 4][k / 4] =
            samples_scale (GPU_PIXELS_RGBA, c->out, k % 4, rgba[k]);
  return codes;
}

/* --- a case --- */

static gboolean
record (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  const Case *c = ((gconstpointer *) data)[0];
  GpuPalette *palette = ((gpointer *) data)[1];
  const GpuPaletteSettings settings = {.quality = c->quality,
    .making.radius = c->radius};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (palette, stream, &settings, &frames, NULL, error);
}

static guint8 *
run (const Case * c, const GpuFrameInfo * in, const guint8 * bytes,
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
  gconstpointer data[] = { c, palette };
  const GpuFixtureWork work = { record, data, in, out };

  OK (gpu_palette_configure (palette, &format, c->quality, &error));
  gpu_palette_set_tuning (palette, &(GpuPaletteTuning) {.slice = c->slice});
  return OK (gpu_fixture_run (stream, &work, bytes, &error));
}

static void
compare (const GpuFrameInfo * out, const guint8 * got, guint i, guint x,
    guint y, guint expected)
{
  guint code = samples_get (out, got, i, x, y);

  if (code != expected)
    g_error ("component %u in column %u, row %u is %u, not %u", i, x, y, code,
        expected);
}

static void
check_codes (const Case * c, const GpuFrameInfo * out, const guint8 * got,
    const guint8 * rgba)
{
  ReferenceCodes expected = expect_codes (rgba, c);

  for (guint i = 0; i < count_components (c->out); i++)
    for (guint y = 0; y < rows_of (&expected, i, c); y++)
      for (guint x = 0; x < columns_of (&expected, i); x++)
        compare (out, got, i, x, y,
            expected.codes[i][y * columns_of (&expected, i) + x]);
  codes_free (&expected);
}

static void
check_alpha (const Case * c, const GpuFrameInfo * in, const guint8 * frame,
    const GpuFrameInfo * out, const guint8 * got)
{
  for (guint y = 0; y < c->height && has_alpha (c->out); y++)
    for (guint x = 0; x < c->width; x++)
      compare (out, got, SAMPLES_ALPHA, x, y, has_alpha (c->in)
          ? samples_scale (c->in, c->out, SAMPLES_ALPHA, samples_get (in,
                  frame, SAMPLES_ALPHA, x, y))
          : samples_get_largest (c->out, SAMPLES_ALPHA));
}

static void
check (const Case * c)
{
  GpuFrameInfo in = padded_info (c->in, c), out = padded_info (c->out, c);
  g_autoptr (GRand) random = g_rand_new_with_seed (c->in + c->width);
  g_autofree gchar *what = describe (c);
  g_autofree guint8 *frame = g_malloc (in.size), *rgba = NULL, *got = NULL;

  g_test_message ("%s", what);
  for (gsize i = 0; i < in.size; i++)
    frame[i] = g_rand_int (random) >> 13;
  rgba = colours_of (&in, frame, c);
  reduce (c, rgba);
  got = run (c, &in, frame, &out);
  check_codes (c, &out, got, rgba);
  check_alpha (c, &in, frame, &out, got);
  samples_check_padding (&out, got);
}

/* --- formats that shaders read --- */

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

static void
check_all (const Case * cases, guint n)
{
  for (guint i = 0; i < n; i++)
    check (&cases[i]);
}

/* Each setting meets the size that is @offset behind it. */
static void
check_conversions (GpuPixels in, GpuPixels out, guint offset)
{
  for (guint i = 0; i < N_YUV; i += is_full ? 1 : STEP)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const Case c = { in, out, sizes[s][0], sizes[s][1], nth_yuv (i) };

      if (is_full || s == (i / STEP + offset) % G_N_ELEMENTS (sizes))
        check (&c);
    }
}

TEST (i420)
{
  check_conversions (GPU_PIXELS_I420, GPU_PIXELS_I420, 0);
}

TEST (nv12)
{
  check_conversions (GPU_PIXELS_NV12, GPU_PIXELS_NV12, 3);
}

/* Luma of either range, which is R, G and B at once. */
TEST (grey)
{
  check_conversions (GPU_PIXELS_GRAY8, GPU_PIXELS_GRAY8, 1);
  check_conversions (GPU_PIXELS_GRAY8, GPU_PIXELS_XBGR, 4);
}

/* Fewer greys than there were: with either quality, of either range. Where it is
 * essential, any two of format, quality and range meet, and the exact quality keeps all:
 * its walks take long to build, and see colours, not bytes of grey. */
TEST (grey_reduced)
{
  for (guint i = 0; i < 8; i++) {
    const guint n_set = (i & 1) + (i >> 1 & 1) + (i >> 2);
    Case c = { GPU_PIXELS_GRAY8, i & 1 ? GPU_PIXELS_GRAY8 : GPU_PIXELS_RGB,
      31, 7, nth_yuv (0), 0.1, i & 2 ? GPU_PALETTE_LIVE : GPU_PALETTE_EXACT
    };

    if (is_essential && n_set % 2)
      continue;
    if (is_essential && c.quality == GPU_PALETTE_EXACT)
      c.radius = 0;
    c.yuv.full_range = i >> 2;
    check (&c);
  }
}

TEST (to_rgb)
{
  check_conversions (GPU_PIXELS_NV12, GPU_PIXELS_BGR, 7);
}

/* Every size either way. */
TEST (interlaced_sizes)
{
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    const guint *size = sizes[i / 2];
    const Case c = { GPU_PIXELS_I420, GPU_PIXELS_I420, size[0], size[1],
      nth_yuv (2 + 8 * (i % 2))
    };

    check (&c);
  }
}

/* Of every kind of format one with every other. */
static void
test_pairs (void)
{
  const Case cases[] = {
    {GPU_PIXELS_I420, GPU_PIXELS_NV12, 19, 13, nth_yuv (0)},
    {GPU_PIXELS_NV12, GPU_PIXELS_I420, 19, 13, nth_yuv (7)},
    {GPU_PIXELS_RGB, GPU_PIXELS_I420, 19, 13, nth_yuv (14)},
    {GPU_PIXELS_XBGR, GPU_PIXELS_NV12, 19, 13, nth_yuv (21)},
    {GPU_PIXELS_I420, GPU_PIXELS_RGBX, 19, 13, nth_yuv (28)},
    {GPU_PIXELS_NV12, GPU_PIXELS_ABGR, 19, 13, nth_yuv (35)},
  };

  check_all (cases, G_N_ELEMENTS (cases));
}

static void
test_reduced (void)
{
  static const GpuPixels outputs[] = { GPU_PIXELS_I420, GPU_PIXELS_RGBA };
  static const gdouble radii[] = { 0.05, 0.2 };

  for (guint i = 0; i < N_YUV; i += is_full ? 1 : 3 * STEP) {
    const Case c = { GPU_PIXELS_I420, outputs[i % 2], 48, 27, nth_yuv (i),
      radii[i / 3 % 2]
    };

    check (&c);
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
    const GpuPixels *pair = pairs[i % n_pairs];
    const Case c = { pair[0], pair[1], size[0], size[1],
      nth_yuv (i * STEP % N_YUV), i % 3 * 0.1, GPU_PALETTE_LIVE
    };

    check (&c);
  }
}

/* Slices of dispatches that a frame as small would not be cut into. */
TEST (slices)
{
  const Case cases[] = {
    {GPU_PIXELS_I420, GPU_PIXELS_I420, 160, 90, nth_yuv (0),
        is_essential ? 0 : 0.1, GPU_PALETTE_EXACT, 256},
    {GPU_PIXELS_I420, GPU_PIXELS_NV12, 160, 90, nth_yuv (0), 0.02,
        GPU_PALETTE_LIVE, 256},
    /* One that is converted. */
    {GPU_PIXELS_Y41B, GPU_PIXELS_Y41B, 160, 90, nth_yuv (11), 0,
        GPU_PALETTE_LIVE, 256},
  };

  check_all (cases, G_N_ELEMENTS (cases));
}

/* --- formats that are converted --- */


static gboolean
is_converted (GpuPixels pixels)
{
  return gpu_palette_takes (pixels) && !gpu_pixels_are_supported (pixels);
}

/* Returns another way to read and write Y'CbCr for each @i. */
static Case
nth_case (GpuPixels in, GpuPixels out, guint i)
{
  const guint *size = sizes[i % G_N_ELEMENTS (sizes)];
  const gdouble *matrix = matrices[i % 3];

  return (Case) {.in = in, .out = out, .width = size[0], .height = size[1],
    .yuv = {matrix[0], matrix[1], i & 1, i & 2, i & 4, i & 8},
    .quality = GPU_PALETTE_LIVE};
}

/* Unless all are wanted, every second format meets one way to write Y'CbCr, which are the same
 * for all formats: a CPU device builds kernels for each pair of both. */
static void
test_to_itself (void)
{
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
    for (guint k = 0; k < (is_full ? 16 : i % 2) && is_converted (i); k++) {
      Case c = nth_case (i, i, i + k);

      check (&c);
    }
}

/* Only one of both sides is converted. */
static void
test_to_and_from_bytes (void)
{
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i += is_full ? 1 : 7) {
    Case from = nth_case (i, i % 2 ? GPU_PIXELS_RGBA : GPU_PIXELS_BGR, i + 3);
    Case to = nth_case (i % 2 ? GPU_PIXELS_ARGB : GPU_PIXELS_RGB, i, i + 3);

    if (!is_converted (i))
      continue;
    check (&from);
    if (model_of (i) != GPU_MODEL_GREY)
      check (&to);
  }
}

/* Alpha keeps its depth between formats with more than 8 bits, and is rounded to 8. */
TEST (to_others)
{
  /* *INDENT-OFF* */
  static const GpuPixels pairs[][2] = {
    {GPU_PIXELS_RGBA64, GPU_PIXELS_GBRA_12},
    {GPU_PIXELS_A420, GPU_PIXELS_ARGB64},
    {GPU_PIXELS_GBRA_10, GPU_PIXELS_ARGB64},
    {GPU_PIXELS_GBRA_12, GPU_PIXELS_RGBA},
    {GPU_PIXELS_P010, GPU_PIXELS_RGB10A2},
    {GPU_PIXELS_BGR10A2, GPU_PIXELS_GBR_12},
    {GPU_PIXELS_YUY2, GPU_PIXELS_Y444_16},
  };
  /* *INDENT-ON* */

  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    Case c = nth_case (pairs[i][0], pairs[i][1], 3 + i);

    check (&c);
  }
}

/* --- refused --- */

/* A frame that shaders cannot bind is refused, and the palette takes another one. */
static void
test_too_large (void)
{
  gsize most = gpu_device_get_info (gpu_fixture_device ())->max_binding;
  GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA64,
    .out = GPU_PIXELS_RGBA64, .width = 8192, .height = most / (8 * 8192) + 1};
  g_autoptr (GpuPalette) palette = gpu_palette_new (gpu_fixture_device ());

  FAILS (GPU_ERROR_TOO_LARGE, gpu_palette_configure (palette, &format,
          GPU_PALETTE_LIVE, &error));
  format.height = 16;
  OK (gpu_palette_configure (palette, &format, GPU_PALETTE_LIVE, &error));
}

/* Grey of colours, indexes as input, and samples that are not bytes. */
TEST (refused)
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
  tests_add ("/palette-formats/", g_test_add_func);
  g_test_add_func ("/palette-formats/live", test_live);
  if (!is_essential) {
    g_test_add_func ("/palette-formats/pairs", test_pairs);
    g_test_add_func ("/palette-formats/reduced", test_reduced);
    g_test_add_func ("/palette-formats/to-itself", test_to_itself);
    g_test_add_func ("/palette-formats/to-and-from-bytes",
        test_to_and_from_bytes);
    g_test_add_func ("/palette-formats/too-large", test_too_large);
  }
  return gpu_fixture_run_tests ();
}
