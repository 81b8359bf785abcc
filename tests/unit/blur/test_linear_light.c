/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Blurs of light: against the float64 oracle, which sees decoded values and whose
 * results are encoded again, by formulas of this file. */
#include "blur_fixture.h"
#include "gpu_fixture.h"

#include <math.h>
#include <string.h>

static gboolean is_full;

/* --- sRGB --- */

static gdouble
decode (gdouble code)
{
  return code <= 0.04045 ? code / 12.92 : pow ((code + 0.055) / 1.055, 2.4);
}

static gdouble
encode (gdouble light)
{
  return light <= 0.0031308 ? light * 12.92
      : 1.055 * pow (light, 1 / 2.4) - 0.055;
}

static const gfloat *
srgb (void)
{
  static gfloat light[LIGHT_HALF_CODES];

  for (guint i = 0; i < LIGHT_HALF_CODES; i++)
    light[i] = decode (i / 510.0);
  return light;
}

static GpuFrameInfo
layout_of (const Case * c)
{
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  return info;
}

/* White to the left of black, whose codes are many for little light. */
static void
check_contrast (Fixture * fixture, const Case * c)
{
  const GpuFrameInfo info = layout_of (c);
  g_autofree guint8 *frame = g_malloc (info.size);

  for (gsize i = 0; i < info.size; i++)
    frame[i] = i % info.stride[0] < info.stride[0] / 3 ? 255 : 0;
  check_content (fixture, c, &info, frame);
}

static Case
make_case (GpuBlurMethod method, GpuPixels pixels, gdouble sigma)
{
  return (Case) {pixels, 97, 45,
    {.sigma_x = sigma, .sigma_y = sigma, .radius = -1,
      .method = method,
      .light = srgb ()},
    .decode = decode, .encode = encode};
}

/* --- tests --- */

/* Formats by what shaders know of them, and every edge with either precision. */
BLUR_TEST (methods)
{
  static const GpuBlurMethod methods[] = {
    GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
    GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
    GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
    GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
    GPU_BLUR_STRIPS, GPU_BLUR_PYRAMID, GPU_BLUR_WALK,
  };
  static const GpuPixels formats[][2] = {
    {GPU_PIXELS_RGBA, GPU_PIXELS_ARGB}, {GPU_PIXELS_RGBX, GPU_PIXELS_XBGR},
    {GPU_PIXELS_RGB, GPU_PIXELS_BGR},
  };

  for (guint m = 0; m < G_N_ELEMENTS (methods); m++)
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      for (guint i = is_full ? 0 : m % 2; i < 2; i += is_full ? 1 : 2) {
        Case c = make_case (methods[m], formats[f][(m + f) % 2],
            methods[m] == GPU_BLUR_PYRAMID ? 5 : methods[m] ==
            GPU_BLUR_STRIPS ? 0.6 : 1.5);

        /* Each method in one of three formats, strips in all. */
        if (!is_full && (m + f) % 3 != 0 && methods[m] != GPU_BLUR_STRIPS)
          continue;
        c.settings.edge = (m + 2 * i + f) % 4;
        c.settings.precision = (m / 2 + f) % 2 ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
        c.ran = methods[m];
        check_case (fixture, &c);
      }
}

/* What is left of white far from it, as narrow Gaussians and wide ones have it. */
BLUR_TEST (contrast)
{
  static const gdouble sigmas[] = { 0.6, 1.5, 2.8, 4, 6.5, 6.8, 12, 20, 60 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i += is_full ? 1 : 2)
    for (GpuBlurPrecision precision = GPU_BLUR_HALF;
        precision <= GPU_BLUR_FLOAT; precision++)
      for (GpuBlurMethod method = GPU_BLUR_SEPARABLE;
          method <= GPU_BLUR_PYRAMID;
          method += GPU_BLUR_PYRAMID - GPU_BLUR_SEPARABLE) {
        Case c = make_case (method, GPU_PIXELS_RGB, sigmas[i]);

        /* Precisions take turns. */
        if (!is_full && (precision == GPU_BLUR_FLOAT) != (i / 2 % 2 == 1))
          continue;
        c.width = 211;
        c.settings.precision = precision;
        c.settings.edge = (i + i / 2) % 4;
        check_contrast (fixture, &c);
      }
}

/* Sums of light are no integers, whatever weighs them. Auto takes strips if frames fill a GPU. */
BLUR_TEST (boxes)
{
  GpuBlurMethod asked[][2] = {
    {GPU_BLUR_SEPARABLE, GPU_BLUR_SEPARABLE},
    {GPU_BLUR_RUNNING_SUMS, GPU_BLUR_SEPARABLE},
    {GPU_BLUR_AUTO, GPU_BLUR_STRIPS},
  };
  gboolean is_slow;

  is_slow = gpu_device_is_slow (gpu_fixture_device ());
  if (is_slow)
    asked[2][1] = GPU_BLUR_WALK;
  for (guint i = 0; i < G_N_ELEMENTS (asked); i++) {
    Case c = make_case (asked[i][0], GPU_PIXELS_RGBA, 0);

    c.settings.kernel = GPU_BLUR_BOX;
    c.settings.radius = 4;
    if (!is_slow && asked[i][0] == GPU_BLUR_AUTO)
      c.height *= 100;
    c.ran = asked[i][1];
    check_case (fixture, &c);
  }
}

/* All greys, side by side: a narrow blur leaves each where it is. */
BLUR_TEST (ramp)
{
  Case c = make_case (GPU_BLUR_AUTO, GPU_PIXELS_RGB, 0.8);
  g_autofree guint8 *in = NULL, *out = NULL;
  GpuFrameInfo info;

  c.width = 256;
  info = layout_of (&c);
  in = g_malloc (info.size);
  for (gsize i = 0; i < info.size; i++)
    in[i] = i % info.stride[0] / 3;
  out = blur_frame (fixture, &info, in, &c.settings);
  for (gsize i = 0; i < info.size; i++)
    g_assert_cmpint (ABS (out[i] - in[i]), <=, 1);
}

/* A frame of one code stays what it is, whichever code that is. */
BLUR_TEST (flat)
{
  static const gdouble sigmas[] = { 0.8, 9 };

  for (guint i = 0; i < G_N_ELEMENTS (sigmas); i++)
    for (guint code = 0; code < 256; code++) {
      Case c = make_case (GPU_BLUR_AUTO, GPU_PIXELS_RGB, sigmas[i]);
      GpuFrameInfo info;
      g_autofree guint8 *in = NULL, *out = NULL;

      c.width = c.height = 32;
      info = layout_of (&c);
      in = g_malloc (info.size);
      memset (in, code, info.size);
      out = blur_frame (fixture, &info, in, &c.settings);
      g_assert_cmpmem (out, info.size, in, info.size);
    }
}

/* One engine has kernels for both, of all that record. */
BLUR_TEST (on_and_off)
{
  /* Narrow ones are soon built. */
  static const struct
  {
    GpuBlurMethod method;
    gdouble sigma;
  } cases[] = {
    {GPU_BLUR_SEPARABLE, 1.5}, {GPU_BLUR_STRIPS, 0.6}, {GPU_BLUR_PYRAMID, 5},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    Case c = make_case (cases[i].method, GPU_PIXELS_RGBA, cases[i].sigma);
    const GpuFrameInfo info = layout_of (&c);
    g_autofree guint8 *in = make_frame (&info, i);
    g_autofree guint8 *on = blur_frame (fixture, &info, in, &c.settings);
    g_autofree guint8 *off = NULL, *again = NULL;

    c.settings.light = NULL;
    off = blur_frame (fixture, &info, in, &c.settings);
    c.settings.light = srgb ();
    again = blur_frame (fixture, &info, in, &c.settings);
    g_assert_cmpmem (again, info.size, on, info.size);
    g_assert_true (memcmp (off, on, info.size) != 0);
  }
}

/* They are light already, or whatever they are: the table is not theirs. */
BLUR_TEST (values)
{
  static const GpuBlurMethod methods[] = {
    GPU_BLUR_SEPARABLE, GPU_BLUR_STRIPS, GPU_BLUR_PYRAMID,
  };
  static const GpuPixels formats[] = {
    GPU_PIXELS_RGBA16F, GPU_PIXELS_RGBA32F,
  };

  for (guint i = 0; i < G_N_ELEMENTS (methods) * 2; i++) {
    Case c = make_case (methods[i / 2], formats[i % 2], 5);
    const GpuFrameInfo info = layout_of (&c);
    g_autofree guint8 *in = g_malloc (info.size);
    g_autofree guint8 *with = NULL, *without = NULL;

    /* Bits of numbers, whether they are halves or floats. */
    for (gsize at = 0; at < info.size; at++)
      in[at] = at % 2 ? 0x38 + at % 3 : at * 37;
    with = blur_frame (fixture, &info, in, &c.settings);
    c.settings.light = NULL;
    without = blur_frame (fixture, &info, in, &c.settings);
    g_assert_cmpmem (with, info.size, without, info.size);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  blur_fixture_add_tests ("/linear-light/", FALSE);
  return gpu_fixture_run_tests ();
}
