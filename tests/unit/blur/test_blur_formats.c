/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Every format of codes with every method that can blur it. */
#include "blur_layouts.h"
#include "gpu/blur/tuning.h"
#include "gpu/blur/working.h"
#include "gpu_fixture.h"

#include <string.h>

static gboolean is_full;

/* For floats there is test_blur_floats.c; for formats that methods do not read,
 * test_working.c. */
static gboolean
is_tested (GpuPixels pixels)
{
  const GpuBlurSettings plain = { 0 };

  return gpu_blur_takes (pixels)
      && gpu_blur_working_choose (pixels, &plain) == pixels
      && !SAMPLE_IS_VALUE (gpu_pixels_get_format (pixels)->sample);
}

static gboolean
can_run (GpuPixels pixels, GpuBlurMethod method)
{
  return method != GPU_BLUR_RUNNING_SUMS
      || !is_deep (gpu_pixels_get_format (pixels));
}

/* Running sums are of boxes, and a pyramid is of wide Gaussians. */
static Case
draw_case (GRand * random, GpuPixels pixels, GpuBlurMethod method)
{
  static const guint sizes[][2] = {
    {19, 7}, {1, 1}, {6, 33}, {133, 5}, {34, 18}, {2, 3}, {70, 9},
  };
  static const gdouble sigmas[][2] = { {1.2, 1.2}, {2, 0.7}, {0.6, 0.6} };
  static const guint wide_sizes[][2] = { {64, 67}, {131, 65}, {66, 98} };
  static const gdouble wide_sigmas[][2] = { {13, 12}, {9, 6}, {12, 20} };
  gboolean is_wide = method == GPU_BLUR_PYRAMID;
  guint s = g_rand_int_range (random, 0, is_wide ? 3 : G_N_ELEMENTS (sizes));
  guint k = g_rand_int_range (random, 0, 3);
  const guint *size = is_wide ? wide_sizes[s] : sizes[s];
  const gdouble *sigma = is_wide ? wide_sigmas[k] : sigmas[k];
  gboolean box = g_rand_int_range (random, 0, 4) == 0;

  return (Case) {pixels, size[0], size[1],
    {.kernel = box && !is_wide ? GPU_BLUR_BOX
          : kernel_of (method),
      .sigma_x = sigma[0], .sigma_y = sigma[1],
      .radius = -1,
      .method = method,
      .edge = g_rand_int_range (random, 0,
          4),
      .full_range = g_rand_boolean (random)},
    method};
}

/* Of both kinds of kernels of a pyramid. */
static void
set_kind (Fixture * fixture, GRand * random)
{
  const GpuBlurTuning tuning = {
    g_rand_boolean (random) ? GPU_BLUR_PYRAMID_GROUPS : GPU_BLUR_PYRAMID_WALKS
  };

  gpu_blur_set_tuning (fixture->blur, &tuning);
}

/* Whether a format before it has planes of so many samples of that kind a pixel. */
static gboolean
is_layout_of_others (GpuPixels pixels, guint n_samples)
{
  for (GpuPixels i = 0; i < pixels; i++) {
    const GpuPixelFormat *other = gpu_pixels_get_format (i);

    for (guint plane = 0; is_tested (i) && plane < other->n_planes; plane++)
      if (other->components[plane] == n_samples
          && other->sample == gpu_pixels_get_format (pixels)->sample)
        return TRUE;
  }
  return FALSE;
}

static gboolean
has_layout_of_its_own (GpuPixels pixels)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pixels);

  for (guint plane = 0; plane < format->n_planes; plane++)
    if (!is_layout_of_others (pixels, format->components[plane]))
      return TRUE;
  return FALSE;
}

/* Without --full, every format has some of the methods. Strips and the pyramid, which read
 * planes by their layout, have formats of all layouts. */
static gboolean
is_drawn (GpuPixels pixels, GpuBlurMethod method)
{
  return is_full || (pixels * 5 + method) % (GPU_BLUR_N_METHODS - 1) == 0
      || ((method == GPU_BLUR_STRIPS || method == GPU_BLUR_PYRAMID)
      && has_layout_of_its_own (pixels));
}

static void
test_methods (Fixture * fixture, gconstpointer data)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (3);

  for (GpuPixels pixels = 0; pixels < GPU_N_PIXELS; pixels++)
    for (GpuBlurMethod m = GPU_BLUR_AUTO + 1; m < GPU_BLUR_N_METHODS; m++)
      if (is_tested (pixels) && can_run (pixels, m) && is_drawn (pixels, m)) {
        const Case c = draw_case (random, pixels, m);

        set_kind (fixture, random);
        check_case (fixture, &c);
      }
}

static Case
small_case (GpuPixels pixels, GpuBlurMethod method)
{
  return (Case) {pixels, 13, 9,
    {.sigma_x = 1.2, .sigma_y = 1.2, .radius = -1, .method = method}};
}

/* One of passes, and strips: their shaders write rows each in their own way. */
static const GpuBlurMethod both[] = { GPU_BLUR_SEPARABLE, GPU_BLUR_STRIPS };

BLUR_TEST (layouts)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_P010, GPU_PIXELS_I422_10, GPU_PIXELS_ARGB64, GPU_PIXELS_Y41B
  };

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint m = 0; m < G_N_ELEMENTS (both); m++) {
      const Case c = small_case (formats[f], both[m]);

      check_padded (fixture, &c);
      check_interlaced (fixture, &c);
    }
}

/* Walks load blocks of 16 bytes from rows of whole blocks, and pixels from others: in
 * check_padded(), from frames with gaps. Both give the same bytes, beyond edges, too. */
BLUR_TEST (blocks)
{
  static const struct
  {
    GpuPixels pixels;
    guint width;
  } frames[] = {
    {GPU_PIXELS_RGBA, 4}, {GPU_PIXELS_BGRX, 12}, {GPU_PIXELS_GRAY8, 16},
    {GPU_PIXELS_NV12, 16}, {GPU_PIXELS_GRAY8, 80}, {GPU_PIXELS_ARGB64, 2},
    {GPU_PIXELS_ARGB64, 70},
  };

  for (guint f = 0; f < G_N_ELEMENTS (frames); f++)
    for (GpuBlurEdge edge = 0; edge <= GPU_BLUR_BLACK; edge++) {
      const Case c = {
        frames[f].pixels, frames[f].width, 9, {.sigma_x = 2, .sigma_y = 1,
          .radius = -1, .method = GPU_BLUR_WALK, .edge = edge}
      };
      GpuFrameInfo tight;

      gpu_frame_info_init (&tight, c.pixels, c.width, c.height);
      g_assert_true (gpu_frame_info_is_in_blocks (&tight));
      check_padded (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_WALK);
    }
}

static const GpuBlurPyramidKind kinds[] = {
  GPU_BLUR_PYRAMID_GROUPS, GPU_BLUR_PYRAMID_WALKS
};

/* A pyramid also writes rows in its own way, by both kinds of kernels. */
BLUR_TEST (pyramid_layouts)
{
  static const guint widths[] = { 65, 66, 67, 68 };

  for (guint i = 0; i < G_N_ELEMENTS (widths) * G_N_ELEMENTS (kinds); i++) {
    const GpuBlurTuning tuning = { kinds[i % 2] };
    Case c = { GPU_PIXELS_P010, widths[i / 2], 66,
      {.sigma_x = 8, .sigma_y = 8, .radius = -1, .method = GPU_BLUR_PYRAMID,
        .edge = GPU_BLUR_BLACK},
      GPU_BLUR_PYRAMID
    };

    gpu_blur_set_tuning (fixture->blur, &tuning);
    check_padded (fixture, &c);
    check_case (fixture, &c);
  }
}

/* One format of each number of bits, without alpha, for what docs/gpublur.md says of each. */
static const GpuPixels depths[] = {
  GPU_PIXELS_GRAY8, GPU_PIXELS_Y444_10, GPU_PIXELS_Y444_12, GPU_PIXELS_GRAY16
};

static guint8 *
make_rectangles (const GpuFrameInfo * info)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint size = gpu_pixel_format_get_size (format, 0);
  guint white = (1u << gpu_pixel_format_get_code_bits (format)) - 1;
  guint8 *frame = g_malloc (info->size);

  for (gsize i = 0; i < info->size / size; i++) {
    guint x = i % info->width, y = i / info->width % info->height;
    guint16 code = (x / 50 + y / 41) % 2 ? white : 0;

    memcpy (frame + i * size, &code, size);
  }
  return frame;
}

/* Black and white rectangles, with the sigmas for which the levels of a pyramid are the least
 * exact. */
BLUR_TEST (steps)
{
  static const gdouble sigmas[][2] = {
    {2.8, 2.8}, {5, 5}, {21, 21}, {2.3, 3.9}, {1.65, 4.76}
  };

  for (guint f = 0; f < G_N_ELEMENTS (depths); f++)
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
      const GpuBlurTuning tuning = { kinds[i % 2] };
      const Case c = { depths[f], 132, 117,
        {.sigma_x = sigmas[i][0], .sigma_y = sigmas[i][1], .radius = -1,
          .method = GPU_BLUR_PYRAMID, .edge = i % 4, .full_range = TRUE},
        GPU_BLUR_PYRAMID
      };
      g_autofree guint8 *in = NULL;
      GpuFrameInfo info;

      gpu_frame_info_init (&info, c.pixels, c.width, c.height);
      in = make_rectangles (&info);
      gpu_blur_set_tuning (fixture->blur, &tuning);
      check_content (fixture, &c, &info, in);
    }
}

/* Boxes with whole half-widths are exact in 8 bits. In more they are sums of floats: a mean
 * that is nearly halfway between two codes may be rounded to the other one. */
BLUR_TEST (whole_boxes)
{
  static const gint radii[] = { 4, 200 };

  for (guint f = 0; f < G_N_ELEMENTS (depths); f++)
    for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
      const Case c = { depths[f], 97, 61, {.kernel = GPU_BLUR_BOX,
        .radius = radii[i], .method = GPU_BLUR_SEPARABLE}
      };

      check_case (fixture, &c);
    }
}

/* Codes in the low bits may be larger than the format has. Then the largest is written. */
BLUR_TEST (large_codes)
{
  GpuFrameInfo info;
  g_autofree guint16 *in = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_Y444_10, 16, 4);
  in = g_malloc (info.size);
  for (gsize i = 0; i < info.size / 2; i++)
    in[i] = i % 16 < 8 ? 1200 + i % 3 : 900;
  for (guint m = 0; m < G_N_ELEMENTS (both); m++) {
    const Case c = small_case (GPU_PIXELS_Y444_10, both[m]);
    g_autofree guint8 *out = NULL;

    check_content (fixture, &c, &info, (const guint8 *) in);
    out = blur_frame (fixture, &info, (const guint8 *) in, &c.settings);
    g_assert_cmpuint (((const guint16 *) out)[0], ==, 1023);
  }
}

/* Pixels that are all alike stay as they are, whatever their code: black, white, and
 * between. */
BLUR_TEST (flat)
{
  static const guint16 codes[] = { 0, 1, 511, 1023 };
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_P010, 24, 8);
  for (guint i = 0; i < G_N_ELEMENTS (codes); i++)
    for (guint m = 0; m < G_N_ELEMENTS (both); m++) {
      const Case c = small_case (GPU_PIXELS_P010, both[m]);
      g_autofree guint16 *in = g_malloc (info.size);
      g_autofree guint8 *out = NULL;

      for (gsize k = 0; k < info.size / 2; k++)
        in[k] = codes[i] << 6;
      out = blur_frame (fixture, &info, (const guint8 *) in, &c.settings);
      g_assert_cmpmem (out, info.size, in, info.size);
    }
}

/* Sums of more than 8 bits are not stored in halves, even if that is asked for. */
BLUR_TEST (precision)
{
  Case c = small_case (GPU_PIXELS_P010, GPU_BLUR_SEPARABLE);

  for (c.settings.precision = GPU_BLUR_PRECISION_AUTO;
      c.settings.precision <= GPU_BLUR_FLOAT; c.settings.precision++) {
    check_case (fixture, &c);
    g_assert_cmpint (fixture->report.precision, ==, GPU_BLUR_FLOAT);
  }
}

static void
check_refused (Fixture * fixture, GpuPixels pixels,
    const GpuBlurSettings * settings, gboolean is_taken)
{
  g_autoptr (GError) error = NULL;

  g_test_message ("%s", gpu_pixels_get_format (pixels)->name);
  gpu_blur_prepare (fixture->blur, pixels, 16, 16, settings, &error);
  if (is_taken)
    g_assert_no_error (error);
  else
    g_assert_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED);
}

/* What the function that says which formats are taken refuses, is refused. */
BLUR_TEST (refused)
{
  const GpuBlurSettings bilateral = {.kernel = GPU_BLUR_BILATERAL,
    .sigma_x = 1, .sigma_y = 1, .radius = -1, .range = 0.1, .rounds = 1};

  g_assert_true (gpu_blur_takes_bilateral (GPU_PIXELS_Y41B));
  g_assert_false (gpu_blur_takes_bilateral (GPU_PIXELS_GBR));
  g_assert_false (gpu_blur_takes_bilateral (GPU_PIXELS_AYUV));
  g_assert_false (gpu_blur_takes_bilateral (GPU_PIXELS_GRAY16));
  for (GpuPixels i = 0; i < GPU_N_PIXELS; i++)
    if (gpu_blur_takes (i))
      check_refused (fixture, i, &bilateral, gpu_blur_takes_bilateral (i));
}

/* With --full, only the tests of methods. */
int
main (int argc, char **argv)
{
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_init (&argc, &argv, NULL);
  ADD_BRIEF ("/formats/methods", test_methods);
  if (!is_full) {
    blur_fixture_add_tests ("/formats/", TRUE);
  }
  return gpu_fixture_run_tests ();
}
