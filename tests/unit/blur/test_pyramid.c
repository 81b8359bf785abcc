/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur over coarser levels, against the Gaussian that is not cut. */
#include "blur_layouts.h"
#include "blur_values.h"
#include "generated.h"
#include "gpu/blur/tuning.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"

#include <math.h>
#include <string.h>

static gboolean is_full;

static const GpuPixels formats[] = {
  GPU_PIXELS_RGBA, GPU_PIXELS_BGRA, GPU_PIXELS_ARGB, GPU_PIXELS_ABGR,
  GPU_PIXELS_RGBX, GPU_PIXELS_BGRX, GPU_PIXELS_XRGB, GPU_PIXELS_XBGR,
  GPU_PIXELS_RGB, GPU_PIXELS_BGR, GPU_PIXELS_NV12, GPU_PIXELS_I420,
  GPU_PIXELS_GRAY8
};

/* The kernels of GPUs, and those of CPU devices, whatever device it is. */
static const GpuBlurTuning groups = { GPU_BLUR_PYRAMID_GROUPS };
static const GpuBlurTuning walks = { GPU_BLUR_PYRAMID_WALKS };

static Case
make_case (GpuPixels pixels, guint width, guint height, gdouble sigma_x,
    gdouble sigma_y)
{
  return (Case) {pixels, width, height,
    {.sigma_x = sigma_x, .sigma_y = sigma_y,
      .radius = -1,
      .method = GPU_BLUR_PYRAMID}};
}

static void
check_pyramid (Fixture * fixture, const Case * c)
{
  check_case (fixture, c);
  g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
}

/* --- against the oracle --- */

/* Each format: with --full, with every edge mode, in halves and in floats. Otherwise with two
 * of the modes, and in one precision: the one that other tests build anyway, where shaders
 * are the same. Sizes and sigmas take turns: those of one step and of two, of axes that
 * differ, and of odd sizes. */
static void
test_formats (Fixture * fixture, gconstpointer data)
{
  static const struct
  {
    guint width, height;
    gdouble sigma_x, sigma_y;
  } extents[] = {
    {64, 64, 2.8, 2.8}, {131, 65, 3.5, 3.5}, {65, 90, 12, 12},
    {97, 131, 5, 9}, {267, 71, 2.8, 4}, {64, 67, 6, 3}, {66, 64, 2.8, 3.2}, {71,
        73, 20, 20}, {97, 131, 25, 24}, {90, 64, 2.9, 18},
  };
  static const GpuBlurPrecision usual[G_N_ELEMENTS (formats)] = {
    GPU_BLUR_FLOAT, GPU_BLUR_FLOAT, GPU_BLUR_HALF, GPU_BLUR_HALF,
    GPU_BLUR_FLOAT, GPU_BLUR_FLOAT, GPU_BLUR_HALF, GPU_BLUR_HALF,
    GPU_BLUR_HALF, GPU_BLUR_HALF, GPU_BLUR_HALF, GPU_BLUR_HALF,
    GPU_BLUR_FLOAT
  };
  guint i = 0;

  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (GpuBlurEdge edge = GPU_BLUR_CLAMP; edge <= GPU_BLUR_BLACK; edge++)
      for (GpuBlurPrecision precision = GPU_BLUR_HALF;
          precision <= GPU_BLUR_FLOAT; precision++, i++) {
        guint k = i % G_N_ELEMENTS (extents);
        Case c;

        g_assert_cmpint (usual[f], !=, GPU_BLUR_PRECISION_AUTO);
        if (!is_full && (precision != usual[f] || (edge + f) % 2 != 0))
          continue;
        c = make_case (formats[f], extents[k].width, extents[k].height,
            extents[k].sigma_x, extents[k].sigma_y);

        c.settings.edge = edge;
        c.settings.precision = precision;
        c.settings.full_range = i % 3 == 0;
        check_pyramid (fixture, &c);
      }
}

/* From the narrowest on, to either side of where a step more is taken, and
 * wider than the frame. */
static void
test_sigmas (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[][2] = {
    {2.8, 2.8}, {4, 1.96}, {1.4, 6.7}, {6.7, 1.4}, {6.79, 6.79}, {6.81, 6.81},
    {2, 17}, {17, 2}, {20.3, 20.3}, {20.5, 20.5}, {40, 25}, {70, 70}, {122,
        122},
    {260, 260}, {265, 270}, {350, 300},
  };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    Case c = make_case (i % 2 ? GPU_PIXELS_GRAY8 : GPU_PIXELS_RGBA, 211, 131,
        sigmas[i][0], sigmas[i][1]);

    c.settings.edge = i % 4;
    c.settings.precision = i % 3 ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
    check_pyramid (fixture, &c);
  }
}

/* Steps that leave as many samples as can be, along both axes and, in walks, down columns:
 * they fill their buffers. */
static void
test_largest_levels (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[][2] = { {5.61, 1.4}, {2.8, 2.8}, {34, 34} };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    const Case c = make_case (GPU_PIXELS_GRAY8, 640, 480, sigmas[i][0],
        sigmas[i][1]);

    check_pyramid (fixture, &c);
  }
}

/* The longest axis, whose positions need the most bits. */
static void
test_long_axis (Fixture * fixture, gconstpointer data)
{
  for (guint down = 0; down < 2; down++) {
    const Case c = make_case (GPU_PIXELS_GRAY8, down ? 32 : 30000,
        down ? 30000 : 32, down ? 5.6 : 1.4, down ? 1.4 : 5.6);

    check_pyramid (fixture, &c);
  }
}

static void
test_layouts (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[] = { 4, 12, 25 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    const Case c = make_case (GPU_PIXELS_I420, 77, 90, sigmas[i], sigmas[i]);
    const Case rgb = make_case (GPU_PIXELS_RGB, 77, 40, sigmas[i], sigmas[i]);
    /* Planes of 71 and 70 rows, of 36 and 35, and of 41. */
    const Case fields = make_case (GPU_PIXELS_I420, 77, 141, sigmas[i],
        2 * sigmas[i]);
    const Case rgb_fields = make_case (GPU_PIXELS_RGB, 77, 82, sigmas[i],
        2 * sigmas[i]);

    check_padded (fixture, &c);
    check_padded (fixture, &rgb);
    check_interlaced (fixture, &rgb_fields);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
    check_interlaced (fixture, &fields);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
  }
}

/* Frames of halves computed in halves, and of floats in floats, with --full either in
 * both; within full scale and beyond. */
static void
test_values (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[][2] = { {3, 3}, {12, 2.8}, {24, 26} };
  static const Range ranges[] = { {0, 1, 1}, {-4, 8, 1.5} };

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
      for (GpuBlurEdge edge = GPU_BLUR_CLAMP; edge <= GPU_BLUR_BLACK; edge++)
        for (GpuBlurPrecision p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++) {
          const ValueCase c = { value_formats[f], 83 - i, 70, ranges[edge % 2],
            {.sigma_x = sigmas[i][0], .sigma_y = sigmas[i][1], .radius = -1,
              .method = GPU_BLUR_PYRAMID, .edge = edge, .precision = p}
          };

          if (!is_full && f != p - GPU_BLUR_HALF)
            continue;
          check_value_case (fixture, &c);
          g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
        }
}

/* What a pixel of 1 becomes is off by so much at each place; a frame that is black
 * where that is negative, and white elsewhere, adds up all of it. */
static gdouble
worst_error (Fixture * fixture, gdouble sigma_x, gdouble sigma_y)
{
  const guint side = 129, middle = side / 2;
  const GpuBlurSettings settings = {.sigma_x = sigma_x, .sigma_y = sigma_y,
    .radius = -1, .method = GPU_BLUR_PYRAMID};
  g_autofree gdouble *values = g_new0 (gdouble, 4 * side * side);
  g_autofree guint8 *in = NULL, *out = NULL;
  g_autofree gdouble *response = NULL;
  GpuFrameInfo info;
  gdouble sum = 0;

  for (guint i = 0; i < side * side; i++)
    values[4 * i + 3] = 1;
  values[4 * (middle * side + middle)] = 1;
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA32F, side, side);
  in = write_frame (&info, values);
  out = blur_frame (fixture, &info, in, &settings);
  g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
  response = read_frame (&info, out);
  for (guint i = 0; i < side * side; i++) {
    gdouble x = ((gdouble) (i % side) - middle) / sigma_x;
    gdouble y = ((gdouble) (i / side) - middle) / sigma_y;
    gdouble gaussian = exp (-(x * x + y * y) / 2)
        / (2 * G_PI * sigma_x * sigma_y);

    sum += fabs (response[4 * i] - gaussian);
  }
  return sum * 255 / 2;
}

static void
test_worst_frames (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[][2] = {
    {1.4, 5.6}, {5.6, 1.4}, {1.5, 5.3}, {1.6, 4.9}, {1.61, 4.9}, {2.03, 3.9},
    {2.8, 2.8}, {3, 3}, {5, 5}, {6.8, 6.8}, {6.9, 6.9}, {10, 10}, {20, 20},
    {21, 21},
  };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    gdouble error = worst_error (fixture, sigmas[i][0], sigmas[i][1]);

    g_test_message ("sigma %g %g: %g", sigmas[i][0], sigmas[i][1], error);
    g_assert_cmpfloat (error, <=, 0.3);
  }
}

/* --- what is known without --- */

/* A pixel in all of a frame. */
static guint8 *
make_flat (const GpuFrameInfo * info, const guint8 * pixel)
{
  guint n = gpu_pixel_format_get_size (gpu_pixels_get_format (info->pixels),
      0);
  guint8 *frame = g_malloc (info->size);

  for (gsize i = 0; i < info->size; i++)
    frame[i] = pixel[i % n];
  return frame;
}

/* A frame of one colour stays what it is: white, and one that no sum of weights
 * which is a little off would leave alone. */
static void
test_flat (Fixture * fixture, gconstpointer data)
{
  static const guint8 colours[][4] = {
    {255, 255, 255, 255}, {253, 1, 128, 255}
  };
  static const gdouble sigmas[] = { 2.8, 5, 11, 33, 200 };
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 80, 64);
  for (guint k = 0; k < G_N_ELEMENTS (colours); k++) {
    g_autofree guint8 *in = make_flat (&info, colours[k]);

    for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
      for (GpuBlurEdge edge = GPU_BLUR_CLAMP; edge <= GPU_BLUR_WRAP; edge++)
        for (GpuBlurPrecision precision = GPU_BLUR_HALF;
            precision <= GPU_BLUR_FLOAT; precision++) {
          Case c = make_case (GPU_PIXELS_RGBA, info.width, info.height,
              sigmas[i], sigmas[i]);
          g_autofree guint8 *out = NULL;

          c.settings.edge = edge;
          c.settings.precision = precision;
          out = blur_frame (fixture, &info, in, &c.settings);
          g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
          g_assert_cmpmem (out, info.size, in, info.size);
        }
  }
}

/* Colours premultiplied by the least alphas are colours again; of none, black. */
static void
test_flat_alphas (Fixture * fixture, gconstpointer data)
{
  static const guint8 alphas[] = { 0, 1, 2, 16, 254 };
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_ARGB, 64, 40);
  for (guint i = 0; i < G_N_ELEMENTS (alphas); i++)
    for (guint edge = GPU_BLUR_CLAMP; edge <= GPU_BLUR_WRAP; edge++) {
      const guint8 pixel[] = { alphas[i], 255, 0, 129 };
      const guint8 nothing[4] = { 0 };
      Case c = make_case (GPU_PIXELS_ARGB, info.width, info.height, 4 + i,
          4 + i);
      g_autofree guint8 *in = make_flat (&info, pixel);
      g_autofree guint8 *expected = make_flat (&info, alphas[i] > 0 ? pixel
          : nothing);
      g_autofree guint8 *out = NULL;

      c.settings.edge = edge;
      out = blur_frame (fixture, &info, in, &c.settings);
      g_assert_cmpmem (out, info.size, expected, info.size);
    }
}

/* Red that is not to be seen, beside blue that is: what is seen is blue. */
static void
test_no_bleeding (Fixture * fixture, gconstpointer data)
{
  static const guint32 hidden_red = 0x000000ff, blue = 0xffff0000;
  guint transitional = 0;
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 96, 33);
  in = g_malloc (info.size);
  for (guint i = 0; i < info.size / 4; i++)
    ((guint32 *) in)[i] = GUINT32_TO_LE (i % 96 < 40 ? hidden_red : blue);
  for (guint sigma = 3; sigma <= 27; sigma *= 3) {
    const Case c = make_case (GPU_PIXELS_RGBA, 96, 33, sigma, sigma);
    g_autofree guint8 *out = blur_frame (fixture, &info, in, &c.settings);

    for (gsize i = 0; i < info.size; i += 4) {
      transitional += out[i + 3] > 0 && out[i + 3] < 255;
      g_assert_cmpuint (out[i], ==, 0);
      g_assert_cmpuint (out[i + 1], ==, 0);
      if (out[i + 3] > 0)
        g_assert_cmpuint (out[i + 2], ==, 255);
    }
  }
  g_assert_cmpuint (transitional, >, 0);
}

/* --- who does what, and with what --- */

/* Two stages a plane. A step down is one dispatch, and two if it is walked. */
static void
test_report (Fixture * fixture, gconstpointer data)
{
  static const gchar *const names[] = { "pyramid-down", "pyramid-up" };
  guint of_step = data == &walks ? 2 : 1;
  const GpuBlurReport *report = &fixture->report;
  const Case one = make_case (GPU_PIXELS_NV12, 80, 64, 5, 5);
  const Case two = make_case (GPU_PIXELS_GRAY8, 80, 64, 22, 22);
  /* The kernel is wide down columns, so the blur along them is a dispatch of its own. */
  const Case wide = make_case (GPU_PIXELS_GRAY8, 211, 131, 70, 70);

  check_pyramid (fixture, &one);
  g_assert_cmpuint (report->n_stages, ==, 4);
  for (guint i = 0; i < 4; i++) {
    g_assert_cmpstr (report->stages[i].name, ==, names[i % 2]);
    g_assert_cmpuint (report->stages[i].plane, ==, i / 2);
    g_assert_cmpuint (report->stages[i].dispatches, ==,
        i % 2 == 0 ? of_step : 1);
    g_assert_cmpuint (report->stages[i].taps, >, 0);
  }
  check_pyramid (fixture, &two);
  g_assert_cmpuint (report->n_stages, ==, 2);
  g_assert_cmpuint (report->stages[0].dispatches, ==, 2 * of_step);
  g_assert_cmpuint (report->stages[1].dispatches, ==, 1);
  check_pyramid (fixture, &wide);
  g_assert_cmpuint (report->n_stages, ==, 2);
  g_assert_cmpuint (report->stages[1].dispatches, ==, 2);
}

/* What is narrow, cut, a box, or of planes that are too small is done in
 * passes. */
static void
test_stands_in (Fixture * fixture, gconstpointer data)
{
  Case cases[] = {
    make_case (GPU_PIXELS_RGBA, 40, 40, 5, 5),  /* cut, below */
    make_case (GPU_PIXELS_RGBA, 40, 40, 5, 5),  /* a box, below */
    make_case (GPU_PIXELS_RGBA, 40, 40, 1, 1),
    make_case (GPU_PIXELS_RGBA, 40, 40, 2.79, 2.8),
    make_case (GPU_PIXELS_RGBA, 40, 40, 0, 9),
    make_case (GPU_PIXELS_RGBA, 40, 40, 1.2, 9),
    make_case (GPU_PIXELS_NV12, 70, 70, 2.4, 3.3),
    make_case (GPU_PIXELS_RGBA, 31, 40, 5, 5),
    make_case (GPU_PIXELS_RGBA, 40, 31, 5, 5),
    make_case (GPU_PIXELS_I420, 62, 64, 5, 5),
    make_case (GPU_PIXELS_NV12, 64, 62, 5, 5),
    make_case (GPU_PIXELS_NV12, 1, 1, 5, 5),
    make_case (GPU_PIXELS_GRAY8, 30001, 32, 5, 5),
  };

  cases[0].settings.radius = 15;
  cases[1].settings.kernel = GPU_BLUR_BOX;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    check_case (fixture, &cases[i]);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_SEPARABLE);
  }
}

/* Where the levels of a sigma are more than can be bound, passes have it; those of a wider
 * one are fewer, and the bytes are the same as where all can be bound. */
static void
test_small_binding (Fixture * fixture, gconstpointer data)
{
  const Case narrow = make_case (GPU_PIXELS_RGBA, 40, 480, 2.8, 2.8);
  const Case wide = make_case (GPU_PIXELS_RGBA, 40, 480, 5, 5);
  g_autofree guint8 *in = NULL, *whole = NULL, *small = NULL;
  GpuFrameInfo layout;
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  const GpuDeviceInfo before = *info;

  gpu_frame_info_init (&layout, wide.pixels, wide.width, wide.height);
  in = make_frame (&layout, 1);
  info->max_binding = 80000;
  check_case (fixture, &narrow);
  g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_SEPARABLE);
  small = blur_frame (fixture, &layout, in, &wide.settings);
  g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
  *info = before;
  check_pyramid (fixture, &narrow);
  whole = blur_frame (fixture, &layout, in, &wide.settings);
  g_assert_cmpmem (small, layout.size, whole, layout.size);
}

/* A plane that a dispatch has not the groups for is done in parts, and the bytes
 * are the same. */
static void
test_few_groups (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[] = { 5, 20, 25 };
  static const guint n_steps[] = { 1, 1, 2 };
  const guint of_step = data == &walks ? 2 : 1;
  /* Sections of walks are higher. */
  const guint height = data == &walks ? 900 : 300;
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  const GpuDeviceInfo before = *info;
  GpuFrameInfo layout;
  g_autofree guint8 *in = NULL;

  gpu_frame_info_init (&layout, GPU_PIXELS_RGBA, 70, height);
  in = make_frame (&layout, 3);
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    const Case c = make_case (GPU_PIXELS_RGBA, 70, height, sigmas[i],
        sigmas[i]);
    g_autofree guint8 *whole = blur_frame (fixture, &layout, in, &c.settings);
    g_autofree guint8 *parts = NULL;

    info->max_groups[1] = 2;
    parts = blur_frame (fixture, &layout, in, &c.settings);
    *info = before;
    g_assert_cmpmem (parts, layout.size, whole, layout.size);
    for (guint k = 0; k < fixture->report.n_stages; k++)
      g_assert_cmpuint (fixture->report.stages[k].dispatches, >,
          k == 0 ? of_step * n_steps[i] : 1);
  }
}

/* Makes both frames; the caller owns their buffers. */
static void
prepare_in_place (Fixture * fixture, GpuFrame * in, GpuFrame * out,
    const Case * c)
{
  GpuDevice *device = gpu_fixture_device ();

  gpu_frame_info_init (&in->info, c->pixels, c->width, c->height);
  out->info = in->info;
  in->buffer =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, in->info.size,
          "test source", &error));
  out->buffer =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, in->info.size,
          "test target", &error));
  OK (gpu_blur_prepare (fixture->blur, c->pixels, c->width, c->height,
          &c->settings, &error));
}

/* Blurs what is in a buffer, with nothing of its own to make or wait for. */
static void
blur_in_place (Fixture * fixture, const GpuFrame * in, const GpuFrame * out,
    const Case * c)
{
  const GpuFrames frames = {.in = in, .out = out};

  gpu_stream_next_frame (fixture->stream);
  OK (gpu_stream_begin (fixture->stream, &error));
  OK (gpu_blur_record (fixture->blur, fixture->stream, &c->settings, &frames,
          &fixture->report, &error));
  OK (gpu_stream_submit (fixture->stream, NULL, &error));
  OK (gpu_stream_wait_idle (fixture->stream, &error));
}

/* Once it is prepared for a sigma that is reached, nothing is made for another,
 * however many steps it takes. */
static void
test_changing_sigma (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[] = { 3, 3, 20, 2.8, 500, 6.9, 80, 200, 5 };
  Case c = make_case (GPU_PIXELS_NV12, 320, 240, 3, 3);
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuBuffer) from = NULL, to = NULL;
  GpuFrame in, out;
  guint made = 0;
  gsize memory;

  prepare_in_place (fixture, &in, &out, &c);
  from = in.buffer;
  to = out.buffer;
  memory = gpu_blur_get_memory (fixture->blur);
  gpu_hooks_install (device);
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    c.settings.sigma_x = c.settings.sigma_y = sigmas[i];
    blur_in_place (fixture, &in, &out, &c);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_PYRAMID);
    /* Streams have what they need for a frame after as many as have slots. */
    if (i == 1)
      made = gpu_hooks_get_made ();
  }
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
  g_assert_cmpuint (gpu_blur_get_memory (fixture->blur), ==, memory);
}

/* A sigma that moves has what a wide one needs built before it is wide. The narrow ones
 * share their kernels. */
static void
test_expected (Fixture * fixture, gconstpointer data)
{
  static const gdouble sigmas[] = { 0.9, 0.9, 1, 1, 20, 80 };
  Case c = make_case (GPU_PIXELS_NV12, 320, 240, 0.9, 0.9);
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuBuffer) from = NULL, to = NULL;
  GpuBlurMethod narrow;
  GpuFrame in, out;
  guint made = 0;

  narrow = gpu_device_is_slow (device) ? GPU_BLUR_WALK : GPU_BLUR_STRIPS;
  c.settings.method = GPU_BLUR_AUTO;
  c.settings.precision = GPU_BLUR_FLOAT;
  prepare_in_place (fixture, &in, &out, &c);
  from = in.buffer;
  to = out.buffer;
  gpu_hooks_install (device);
  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++) {
    c.settings.sigma_x = c.settings.sigma_y = sigmas[i];
    blur_in_place (fixture, &in, &out, &c);
    gpu_blur_wait (fixture->blur);
    if (i == 3)
      made = gpu_hooks_get_made ();
    /* The first frame may take what is ready first. */
    if (i > 0)
      g_assert_cmpint (fixture->report.method, ==,
          sigmas[i] < 2.8 ? narrow : GPU_BLUR_PYRAMID);
  }
  g_assert_cmpuint (gpu_hooks_get_made (), ==, made);
  gpu_hooks_remove (device);
}

static void
add_test (const gchar * kind, const GpuBlurTuning * tuning,
    const gchar * name, void (*test) (Fixture *, gconstpointer))
{
  g_autofree gchar *path = g_strdup_printf ("/pyramid/%s/%s", kind, name);

  blur_fixture_add (path, tuning, test, tuning, FALSE);
}

static void
add_tests (const gchar * kind, const GpuBlurTuning * tuning)
{
  add_test (kind, tuning, "formats", test_formats);
  add_test (kind, tuning, "sigmas", test_sigmas);
  add_test (kind, tuning, "largest-levels", test_largest_levels);
  add_test (kind, tuning, "long-axis", test_long_axis);
  add_test (kind, tuning, "layouts", test_layouts);
  add_test (kind, tuning, "values", test_values);
  add_test (kind, tuning, "worst-frames", test_worst_frames);
  add_test (kind, tuning, "flat", test_flat);
  add_test (kind, tuning, "flat-alphas", test_flat_alphas);
  add_test (kind, tuning, "no-bleeding", test_no_bleeding);
  add_test (kind, tuning, "report", test_report);
  add_test (kind, tuning, "small-binding", test_small_binding);
  add_test (kind, tuning, "few-groups", test_few_groups);
  add_test (kind, tuning, "changing-sigma", test_changing_sigma);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  /* Before others have built what they expect. */
  add_test ("groups", &groups, "expected", test_expected);
  add_tests ("groups", &groups);
  add_test ("walks", &walks, "expected", test_expected);
  add_tests ("walks", &walks);
  /* Neither kind of kernels runs. */
  add_test ("either", &groups, "stands-in", test_stands_in);
  return gpu_fixture_run_tests ();
}
