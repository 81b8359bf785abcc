/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine on frames that are converted to RGBA and back, against the oracle. With
 * radius 0 all colours are kept, so what comes out is the work of the conversions. */
#include "gpu/core/compute/pixels.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "reference_yuv.h"
#include "samples.h"

#include <string.h>

static const guint sizes[][2] = {
  {1, 1}, {2, 2}, {3, 5}, {19, 13}, {16, 10}, {31, 7}, {9, 2}, {5, 1}, {33, 6}
};

static const gdouble matrices[][2] = {
  {0.299, 0.114}, {0.2126, 0.0722}, {0.2627, 0.0593}
};

typedef struct
{
  GpuPixels in, out;
  guint width, height;
  ReferenceYuvSettings yuv;
  guint slice;
} Case;

static gchar *
describe (const Case * c)
{
  return g_strdup_printf ("%s to %s, %u x %u, Kr %g, %s range, %s, %s, %s",
      gpu_pixels_get_format (c->in)->name,
      gpu_pixels_get_format (c->out)->name, c->width, c->height, c->yuv.kr,
      c->yuv.full_range ? "full" : "limited",
      c->yuv.h_cosited ? "on columns" : "between columns",
      c->yuv.v_cosited ? "on rows" : "between rows",
      c->yuv.interlaced ? "interlaced" : "progressive");
}

static gboolean is_full;

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
  const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (data, stream, &settings, &frames, NULL, error);
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
  const GpuFixtureWork work = { record, palette, in, out };
  guint8 *result;

  OK (gpu_palette_configure (palette, &format, GPU_PALETTE_LIVE, &error));
  gpu_palette_set_tuning (palette, &(GpuPaletteTuning) {.slice = c->slice});
  result = OK (gpu_fixture_run (stream, &work, bytes, &error));
  return result;
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
  got = run (c, &in, frame, &out);
  check_codes (c, &out, got, rgba);
  check_alpha (c, &in, frame, &out, got);
  samples_check_padding (&out, got);
}

/* --- tests --- */

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

  return (Case) {
    in, out, size[0], size[1], {
      matrix[0], matrix[1], i & 1, i & 2, i & 4, i & 8}
  };
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
static void
test_to_others (void)
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

static void
test_slices (void)
{
  Case c = nth_case (GPU_PIXELS_Y41B, GPU_PIXELS_Y41B, 11);

  c.width = 160;
  c.height = 90;
  c.slice = 256;
  check (&c);
}

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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_add_func ("/palette-formats/to-itself", test_to_itself);
  g_test_add_func ("/palette-formats/to-and-from-bytes",
      test_to_and_from_bytes);
  g_test_add_func ("/palette-formats/to-others", test_to_others);
  g_test_add_func ("/palette-formats/slices", test_slices);
  g_test_add_func ("/palette-formats/too-large", test_too_large);
  return gpu_fixture_run_tests ();
}
