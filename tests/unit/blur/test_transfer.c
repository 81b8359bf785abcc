/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Linear light of formats that are converted for it: against the float64 oracle of blurs
 * between conversions in double precision. */
#include "blur_fixture.h"
#include "gpu_fixture.h"
#include "reference_blur.h"
#include "samples.h"

#include <math.h>

/* --- the transfer function of sRGB --- */

static gdouble
decode (gdouble code, gconstpointer data)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

static gdouble
encode (gdouble light, gconstpointer data)
{
  return light <= 0.0031308 ? light * 12.92
      : 1.055 * pow (light, 1 / 2.4) - 0.055;
}

/* --- frames as pictures of R'G'B' and alpha --- */

typedef struct
{
  const GpuFrameInfo *info;
  const GpuYuv *yuv;
} Coding;

/* The code of white, or the range of chroma; and the codes that mean 0. */
typedef struct
{
  gdouble low, range, middle, chroma;
} Range;

static Range
range_of (const Coding * coding)
{
  GpuPixels pixels = coding->info->pixels;
  gdouble all = samples_get_largest (pixels, 0);
  gdouble unit = (all + 1) / 256;

  if (gpu_pixels_get_format (pixels)->model == GPU_MODEL_RGB
      || coding->yuv->full_range)
    return (Range) {0, all, 128 * unit, all};
  return (Range) {16 *unit, 219 * unit, 128 * unit, 224 * unit};
}

/* Return the pixels of an axis that share a sample of a component. */
static guint
sharing_x (const Coding * coding, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (coding->info->pixels);

  return 1u << format->shift_x[format->place[c] / 4];
}

static guint
sharing_y (const Coding * coding, guint c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (coding->info->pixels);

  return 1u << format->shift_y[format->place[c] / 4];
}

/* Returns the weight of chroma sample @k at pixel @at: a tent between neighbours. */
static gdouble
tent (guint at, gdouble k, guint shared, gboolean is_cosited)
{
  gdouble centre = k * shared + (is_cosited ? 0 : (shared - 1) / 2.0);

  return MAX (0, 1 - fabs (at - centre) / shared);
}

/* Sums over samples that are repeated beyond the edges. */
static gdouble
chroma_at (const Coding * coding, const guint8 * frame, guint c, guint x,
    guint y)
{
  gint columns = samples_get_columns (coding->info, c);
  gint rows = samples_get_rows (coding->info, c);
  gdouble sum = 0;

  for (gint j = -1; j <= rows; j++)
    for (gint i = -1; i <= columns; i++) {
      gdouble weight = tent (x, i, sharing_x (coding, c),
          coding->yuv->h_cosited) * tent (y, j, sharing_y (coding, c),
          coding->yuv->v_cosited);

      if (weight > 0)
        sum += weight * samples_get (coding->info, frame, c, CLAMP (i, 0,
                columns - 1), CLAMP (j, 0, rows - 1));
    }
  return (sum - range_of (coding).middle) / range_of (coding).chroma;
}

static void
get_colour (const Coding * coding, const guint8 * frame, guint x, guint y,
    gdouble * rgb)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (coding->info->pixels);
  const Range range = range_of (coding);
  gdouble kr = coding->yuv->kr, kb = coding->yuv->kb;
  gdouble cb, cr;

  for (guint c = 0; c < 3; c++)
    rgb[c] = format->model == GPU_MODEL_RGB || c == 0
        ? (samples_get (coding->info, frame, c, x, y) - range.low) / range.range
        : rgb[0];
  if (format->model != GPU_MODEL_YUV)
    return;
  cb = chroma_at (coding, frame, 1, x, y);
  cr = chroma_at (coding, frame, 2, x, y);
  rgb[2] = rgb[0] + cb * 2 * (1 - kb);
  rgb[1] = rgb[0] - (cb * 2 * kb * (1 - kb) + cr * 2 * kr * (1 - kr))
      / (1 - kr - kb);
  rgb[0] = rgb[0] + cr * 2 * (1 - kr);
}

/* Returns the picture as light, four values a pixel. */
static gdouble *
make_light (const Coding * coding, const guint8 * frame)
{
  const GpuFrameInfo *info = coding->info;
  gboolean has_alpha = gpu_pixels_get_format (info->pixels)->alpha >= 0;
  gdouble *light = g_new (gdouble, 4 * info->width * info->height);

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++) {
      gdouble *pixel = light + 4 * (y * info->width + x);

      get_colour (coding, frame, x, y, pixel);
      for (guint c = 0; c < 3; c++)
        pixel[c] = decode (CLAMP (pixel[c], 0, 1), NULL);
      pixel[3] = has_alpha ? samples_get (info, frame, 3, x, y)
          / (gdouble) samples_get_largest (info->pixels, 3) : 1;
    }
  return light;
}

/* --- codes of pictures --- */

static gdouble
code_of_colour (const Coding * coding, guint c, const gdouble * rgb)
{
  const Range range = range_of (coding);
  gdouble kr = coding->yuv->kr, kb = coding->yuv->kb;
  gdouble luma = kr * rgb[0] + (1 - kr - kb) * rgb[1] + kb * rgb[2];

  if (gpu_pixels_get_format (coding->info->pixels)->model != GPU_MODEL_YUV)
    return range.low + range.range * rgb[c];
  if (c == 0)
    return range.low + range.range * luma;
  return range.middle + range.chroma * (c == 1 ? (rgb[2] - luma) / 2 / (1 - kb)
      : (rgb[0] - luma) / 2 / (1 - kr));
}

/* Returns the part of pixel @at that the box of sample @k covers, which is @shared pixels
 * wide. */
static gdouble
cover (gint at, guint k, guint shared, gboolean is_cosited)
{
  gdouble centre = k * shared + (is_cosited ? 0 : (shared - 1) / 2.0);

  return CLAMP ((shared + 1) / 2.0 - fabs (at - centre), 0, 1);
}

static gdouble
expected_code (const Coding * coding, guint c, const gdouble * encoded, guint x,
    guint y)
{
  gint width = coding->info->width, height = coding->info->height;
  guint across = sharing_x (coding, c), down = sharing_y (coding, c);
  gdouble rgb[3] = { 0 }, weights = 0;

  if (c == 3)
    return encoded[4 * (y * width + x) + 3]
        * samples_get_largest (coding->info->pixels, 3);
  if (samples_get_columns (coding->info, c) == (guint) width)
    across = 1;                 /* luma of pairs */
  for (gint j = (gint) (y * down) - 3; j <= (gint) (y * down) + 3; j++)
    for (gint i = (gint) (x * across) - 3; i <= (gint) (x * across) + 3; i++) {
      gdouble weight = cover (i, x, across, coding->yuv->h_cosited)
          * cover (j, y, down, coding->yuv->v_cosited);
      const gdouble *pixel = encoded + 4 * (CLAMP (j, 0, height - 1) * width
          + CLAMP (i, 0, width - 1));

      weights += weight;
      for (guint k = 0; k < 3; k++)
        rgb[k] += weight * pixel[k];
    }
  for (guint k = 0; k < 3; k++)
    rgb[k] /= weights;
  return code_of_colour (coding, c, rgb);
}

/* --- tests --- */

/* The errors that are allowed beyond rounding, in codes. */
static gdouble
max_error (GpuPixels pixels)
{
  guint bits = gpu_pixel_format_get_code_bits (gpu_pixels_get_format (pixels));

  return bits <= 12 ? 0.05 : 0.25;
}

static gdouble *
blur_light (const Coding * coding, const guint8 * in,
    const GpuBlurSettings * settings)
{
  gsize n = (gsize) coding->info->width * coding->info->height * 4;
  gboolean has_alpha = gpu_pixels_get_format (coding->info->pixels)->alpha >= 0;
  g_autofree gdouble *light = make_light (coding, in);
  gdouble *encoded = g_new (gdouble, n);
  const ReferencePlane plane = {.values = light, .width = coding->info->width,
    .height = coding->info->height, .components = 4,
    .alpha = has_alpha ? 3 : -1, .x_subsampling = 1, .y_subsampling = 1};
  const ReferenceBlurSettings reference = {
    REFERENCE_KERNEL_GAUSSIAN, {settings->sigma_x, settings->sigma_y},
    settings->radius, (ReferenceEdge) settings->edge
  };

  reference_blur (&plane, &reference, encoded);
  for (gsize i = 0; i < n; i++)
    if (i % 4 < 3)
      encoded[i] = encode (CLAMP (encoded[i], 0, 1), NULL);
  return encoded;
}

static void
check_frame (const Coding * coding, const guint8 * out, const gdouble * encoded)
{
  GpuPixels pixels = coding->info->pixels;
  gdouble most = 0;

  for (guint c = 0; c < SAMPLES_COMPONENTS; c++)
    for (guint y = 0; y < samples_get_rows (coding->info, c); y++)
      for (guint x = 0; x < samples_get_columns (coding->info, c); x++) {
        gdouble code = CLAMP (expected_code (coding, c, encoded, x, y), 0,
            samples_get_largest (pixels, c));

        most = MAX (most, fabs (code - samples_get (coding->info, out, c, x,
                    y)));
      }
  g_test_message ("%s, linear-light: error %.4f",
      gpu_pixels_get_format (pixels)->name, MAX (most - 0.5, 0));
  g_assert_cmpfloat (most, <=, 0.5 + max_error (pixels));
}

static void
check_format (Fixture * fixture, GpuPixels pixels, const guint * size,
    const GpuYuv * yuv, GpuBlurEdge edge)
{
  static GpuBlurTransfer transfer;
  const GpuBlurSettings settings = {.sigma_x = 1.2, .sigma_y = 2,
    .radius = -1, .method = GPU_BLUR_SEPARABLE, .edge = edge,
    .precision = GPU_BLUR_HALF, .transfer = &transfer};
  g_autofree guint8 *in = NULL, *out = NULL;
  g_autofree gdouble *encoded = NULL;
  GpuFrameInfo info;
  const Coding coding = { &info, yuv };

  gpu_blur_transfer_init (&transfer, yuv, decode, encode, NULL);
  gpu_frame_info_init (&info, pixels, size[0], size[1]);
  samples_pad (&info);
  g_test_message ("%s %u x %u, cosited %d %d, full range %d",
      gpu_pixels_get_format (pixels)->name, size[0], size[1], yuv->h_cosited,
      yuv->v_cosited, yuv->full_range);
  in = make_frame (&info, size[0]);
  out = blur_frame (fixture, &info, in, &settings);
  samples_check_padding (&info, out);
  encoded = blur_light (&coding, in, &settings);
  check_frame (&coding, out, encoded);
}

static void
test_formats (Fixture * fixture, gconstpointer data)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_NV12, GPU_PIXELS_I420, GPU_PIXELS_Y42B, GPU_PIXELS_Y41B,
    GPU_PIXELS_YUY2, GPU_PIXELS_Y444, GPU_PIXELS_AYUV, GPU_PIXELS_GRAY8,
    GPU_PIXELS_P010, GPU_PIXELS_I422_12, GPU_PIXELS_Y444_16,
    GPU_PIXELS_GRAY16, GPU_PIXELS_GBR_10, GPU_PIXELS_RGBA64,
    GPU_PIXELS_BGR10A2, GPU_PIXELS_GBRA_12
  };
  static const guint sizes[][2] = { {1, 1}, {19, 10} };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
      const GpuYuv yuv = {.kr = 0.2126, .kb = 0.0722,
        .full_range = (i + s) % 3 == 0, .h_cosited = (i + s) % 2,
        .v_cosited = i % 4 == 2};

      check_format (fixture, formats[i], sizes[s], &yuv, (i + s) % 4);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/transfer/formats", NULL, test_formats);
  return gpu_fixture_run_tests ();
}
