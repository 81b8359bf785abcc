/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by strips: what holds for every method, and what is theirs alone. */
#include "blur_layouts.h"
#include "blur_matrix.h"
#include "blur_methods.h"
#include "gpu/blur/tuning.h"
#include "gpu/blur/strips/stripskernels.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"

#include <math.h>
#include <string.h>

static const GpuBlurMethod strips[] = { GPU_BLUR_STRIPS };
static const Methods methods = { strips, G_N_ELEMENTS (strips) };

/* What strips can do, by the least shared memory that a device may have, and by
 * what many cards have. */
BLUR_TEST (memory_limits_reach)
{
  static const struct
  {
    gsize shared;
    GpuBlurPrecision precision;
    guint reach;
  } expected[] = {
    {16384, GPU_BLUR_HALF, 12}, {16384, GPU_BLUR_FLOAT, 4},
    {49152, GPU_BLUR_HALF, 44}, {49152, GPU_BLUR_FLOAT, 20},
  };
  static const GpuPixels formats[] = {
    GPU_PIXELS_GRAY8, GPU_PIXELS_NV24, GPU_PIXELS_RGB, GPU_PIXELS_RGBA
  };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    info->max_shared = expected[i].shared;
    for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
      g_assert_cmpuint (find_reach (GPU_BLUR_STRIPS, formats[f],
              expected[i].precision), ==, expected[i].reach);
  }
}

/* One stage and one dispatch, of the taps of both axes. */
BLUR_TEST (report)
{
  const GpuBlurReport *report = &fixture->report;
  const Case c = { GPU_PIXELS_BGRA, 40, 30, {.sigma_x = 1, .sigma_y = 2,
    .radius = -1, .method = GPU_BLUR_STRIPS}
  };

  check_case (fixture, &c);
  g_assert_cmpint (report->method, ==, GPU_BLUR_STRIPS);
  g_assert_cmpuint (report->n_stages, ==, 1);
  g_assert_cmpstr (report->stages[0].name, ==, "strips-rolled");
  g_assert_cmpuint (report->stages[0].taps, ==, 7 + 13);
  g_assert_cmpuint (report->stages[0].dispatches, ==, 1);
}

/* Strips inside the frame, at its edges, and one that ends with it; rows that
 * are whole quads of words and rows that are not; radii of buckets, the largest one
 * too, between them, and beyond. Most planes of a sample share their kernels, which take
 * a CPU device longer to build than to run. */
static void
test_inside (Fixture * fixture, gconstpointer data)
{
#define INSIDE(pixels, width, height, r, e, stage) \
  {pixels, width, height, {.sigma_x = r / 3.0, .sigma_y = r / 3.0, .radius = r, \
    .method = GPU_BLUR_STRIPS, .edge = e, .precision = GPU_BLUR_HALF}, \
    GPU_BLUR_STRIPS, stage}
  static const Case cases[] = {
    INSIDE (GPU_PIXELS_ARGB, 259, 37, 1, GPU_BLUR_CLAMP, "strips"),
    INSIDE (GPU_PIXELS_RGB, 352, 38, 4, GPU_BLUR_MIRROR, "strips"),
    INSIDE (GPU_PIXELS_NV12, 1030, 39, 5, GPU_BLUR_CLAMP, "strips"),
    INSIDE (GPU_PIXELS_I420, 1537, 40, 5, GPU_BLUR_BLACK, "strips"),
    INSIDE (GPU_PIXELS_GRAY8, 1027, 41, 20, GPU_BLUR_CLAMP, "strips"),
    INSIDE (GPU_PIXELS_GRAY8, 1025, 42, 26, GPU_BLUR_WRAP, "strips-rolled"),
  };

  check_cases (fixture, cases, G_N_ELEMENTS (cases));
}

/* What is unrolled has the weights of one axis for both: not for axes that differ in
 * sigma alone, in the ends of a box, or in its radius. */
BLUR_TEST (axes)
{
#define AXES(...) {GPU_PIXELS_RGBA, 30, 20, \
  {.method = GPU_BLUR_STRIPS, __VA_ARGS__}, GPU_BLUR_STRIPS, "strips-rolled"}
  const Case cases[] = {
    AXES (.sigma_x = 4,.sigma_y = 1,.radius = 2),
    AXES (.kernel = GPU_BLUR_BOX,.sigma_x = 1,.sigma_y = 1.2,.radius = -1),
    AXES (.kernel = GPU_BLUR_BOX,.sigma_x = sqrt (1.25),
        .sigma_y = sqrt (35 / 12.0),.radius = -1),
  };

  check_cases (fixture, cases, G_N_ELEMENTS (cases));
}

/* --- whole boxes --- */

/* Every layout of pixels with alpha in either place, and with every edge mode; frames smaller
 * than a box, strips at both edges and between them; radii up to the largest. */
BLUR_TEST (boxes)
{
#define BOX(pixels, width, height, r, e) \
  {pixels, width, height, {.kernel = GPU_BLUR_BOX, .radius = r, \
    .method = GPU_BLUR_STRIPS, .edge = e}, GPU_BLUR_STRIPS, "box-strips"}
  static const Case cases[] = {
    BOX (GPU_PIXELS_RGBA, 700, 31, 20, GPU_BLUR_CLAMP),
    BOX (GPU_PIXELS_ARGB, 61, 32, 48, GPU_BLUR_MIRROR),
    BOX (GPU_PIXELS_ARGB, 270, 33, 1, GPU_BLUR_WRAP),
    BOX (GPU_PIXELS_ARGB, 9, 34, 9, GPU_BLUR_BLACK),
    BOX (GPU_PIXELS_RGBX, 517, 35, 3, GPU_BLUR_WRAP),
    BOX (GPU_PIXELS_XBGR, 260, 36, 40, GPU_BLUR_BLACK),
    BOX (GPU_PIXELS_RGB, 353, 37, 9, GPU_BLUR_MIRROR),
    BOX (GPU_PIXELS_RGB, 1020, 38, 21, GPU_BLUR_CLAMP),
    BOX (GPU_PIXELS_NV12, 1130, 39, 8, GPU_BLUR_WRAP),
    BOX (GPU_PIXELS_NV12, 1029, 40, 40, GPU_BLUR_MIRROR),
    BOX (GPU_PIXELS_I420, 2131, 41, 26, GPU_BLUR_CLAMP),
    BOX (GPU_PIXELS_GRAY8, 2050, 42, 128, GPU_BLUR_BLACK),
    BOX (GPU_PIXELS_GRAY8, 7, 43, 2, GPU_BLUR_WRAP),
  };

  check_cases (fixture, cases, G_N_ELEMENTS (cases));
}

/* Padded and interlaced frames, axes that differ, and a radius that is whole on one plane
 * only. */
BLUR_TEST (boxes_of_planes)
{
  const Case differ = { GPU_PIXELS_RGBX, 300, 30, {.kernel = GPU_BLUR_BOX,
    .sigma_x = 2, .sigma_y = 28, .radius = -1, .method = GPU_BLUR_STRIPS}
  };
  Case c = { GPU_PIXELS_NV12, 301, 33, {.kernel = GPU_BLUR_BOX, .radius = 4,
    .method = GPU_BLUR_STRIPS, .edge = GPU_BLUR_MIRROR}
  };

  check_case (fixture, &differ);
  g_assert_cmpstr (fixture->report.stages[0].name, ==, "box-strips");
  check_padded (fixture, &c);
  check_interlaced (fixture, &c);
  c.settings.radius = 3;
  check_case (fixture, &c);
  g_assert_cmpstr (fixture->report.stages[0].name, ==, "box-strips");
  g_assert_cmpstr (fixture->report.stages[1].name, ==, "strips");
}

/* The widest box of white: its sums are the largest that lanes of 16 bits hold. */
BLUR_TEST (widest_boxes)
{
  static const GpuPixels formats[] = { GPU_PIXELS_GRAY8, GPU_PIXELS_RGBA };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    /* h = 0 along rows, and 128 down columns: 12 sigma^2 + 1 = 257^2. */
    const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
      .sigma_y = sqrt ((257 * 257 - 1) / 12.0), .radius = -1,
      .method = GPU_BLUR_STRIPS};
    g_autofree guint8 *in = NULL, *out = NULL;
    GpuFrameInfo info;

    gpu_frame_info_init (&info, formats[i], 12, 300);
    in = g_malloc (info.size);
    memset (in, 255, info.size);
    out = blur_frame (fixture, &info, in, &settings);
    g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_STRIPS);
    g_assert_cmpmem (out, info.size, in, info.size);
  }
}

static gboolean
reaches_box (Fixture * fixture, GpuPixels pixels, gint radius)
{
  const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX, .radius = radius,
    .method = GPU_BLUR_STRIPS
  };
  GpuFrameInfo info;

  gpu_frame_info_init (&info, pixels, 100, 100);
  return gpu_blur_reaches (fixture->blur, &settings, &info);
}

/* By the shared memory of a device: what docs/gpublur.md says. */
BLUR_TEST (box_reach)
{
  static const struct
  {
    gsize shared;
    GpuPixels pixels;
    gint reach;
  } cases[] = {
    {16384, GPU_PIXELS_RGBA, 24}, {16384, GPU_PIXELS_RGBX, 48},
    {16384, GPU_PIXELS_RGB, 64}, {16384, GPU_PIXELS_GRAY8, 128},
    {32768, GPU_PIXELS_RGBA, 48}, {32768, GPU_PIXELS_RGBX, 96},
    {32768, GPU_PIXELS_RGB, 128}, {49152, GPU_PIXELS_RGBA, 96},
    {49152, GPU_PIXELS_RGBX, 96}, {49152, GPU_PIXELS_GRAY8, 128},
  };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    info->max_shared = cases[i].shared;
    g_test_message ("%" G_GSIZE_FORMAT " %d", cases[i].shared, cases[i].reach);
    g_assert_true (reaches_box (fixture, cases[i].pixels, cases[i].reach));
    g_assert_false (reaches_box (fixture, cases[i].pixels, cases[i].reach + 1));
  }
}

/* --- opaque pixels --- */

typedef struct
{
  guint x, y;
  guint8 alpha;
} Hole;

/* Noise that is opaque but for one pixel. */
static guint8 *
make_opaque_frame (const GpuFrameInfo * info, const Hole * hole)
{
  gint lane = gpu_pixels_get_format (info->pixels)->alpha;
  guint8 *frame = make_frame (info, 5);

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++)
      frame[y * info->stride[0] + 4 * x + lane] = 255;
  frame[hole->y * info->stride[0] + 4 * hole->x + lane] = hole->alpha;
  return frame;
}

/* Where the hole is not seen, pixels are what they are without it: most of them in groups
 * that took all to be opaque, some in those that did until they found the hole, which
 * lies where strips and their sections end, and elsewhere. Compilers may round a
 * reciprocal one way here and another there: which shows in next to no code, by one. */
static void
check_opaque (Fixture * fixture)
{
  static const Hole none = { 0, 0, 255 };
  static const Hole holes[] = {
    {0, 0, 0}, {63, 31, 254}, {64, 32, 1}, {100, 95, 0}, {199, 99, 128},
  };
  static const struct
  {
    GpuPixels pixels;
    GpuBlurKernel kernel;
    gdouble sigma_x, sigma_y;
    GpuBlurEdge edge;
    GpuBlurPrecision precision;
  } cases[] = {
    {GPU_PIXELS_RGBA, GPU_BLUR_GAUSSIAN, 1, 1, GPU_BLUR_CLAMP, GPU_BLUR_HALF},
    {GPU_PIXELS_ARGB, GPU_BLUR_GAUSSIAN, 1, 2, GPU_BLUR_MIRROR,
        GPU_BLUR_FLOAT},
    {GPU_PIXELS_ARGB, GPU_BLUR_GAUSSIAN, 1, 2, GPU_BLUR_BLACK,
        GPU_BLUR_FLOAT},
    {GPU_PIXELS_RGBA, GPU_BLUR_BOX, 2, 2, GPU_BLUR_CLAMP, GPU_BLUR_HALF},
    {GPU_PIXELS_ARGB, GPU_BLUR_BOX, 2, 0, GPU_BLUR_MIRROR, GPU_BLUR_HALF},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    for (guint k = 0; k < G_N_ELEMENTS (holes); k++) {
      const Case c = { cases[i].pixels, 200, 100,
        {.kernel = cases[i].kernel, .sigma_x = cases[i].sigma_x,
          .sigma_y = cases[i].sigma_y, .radius = -1, .method = GPU_BLUR_STRIPS,
          .edge = cases[i].edge, .precision = cases[i].precision}
      };
      guint reach = 3 * MAX (cases[i].sigma_x, cases[i].sigma_y);
      g_autofree guint8 *whole = NULL, *with_hole = NULL;
      g_autofree guint8 *whole_out = NULL, *hole_out = NULL;
      guint n_different = 0;
      GpuFrameInfo info;

      gpu_frame_info_init (&info, c.pixels, c.width, c.height);
      whole = make_opaque_frame (&info, &none);
      with_hole = make_opaque_frame (&info, &holes[k]);
      whole_out = blur_frame (fixture, &info, whole, &c.settings);
      hole_out = blur_frame (fixture, &info, with_hole, &c.settings);
      for (guint y = 0; y < c.height; y++)
        for (guint x = 0; x < c.width; x++)
          if (ABS ((gint) x - (gint) holes[k].x) > (gint) reach
              || ABS ((gint) y - (gint) holes[k].y) > (gint) reach)
            for (guint b = 0; b < 4; b++) {
              gsize at = y * info.stride[0] + 4 * x + b;
              guint distance = ABS (whole_out[at] - hole_out[at]);

              g_assert_cmpuint (distance, <=, 1);
              n_different += distance;
            }
      g_assert_cmpuint (n_different, <=, info.size / 10000);
      check_content (fixture, &c, &info, with_hole);
    }
}

/* As on cards: CPU devices gain nothing by it. */
BLUR_TEST (opaque)
{
  gpu_fixture_device ()->info.kind = GPU_DEVICE_DISCRETE;
  check_opaque (fixture);
}

/* --- sums in halves --- */

/* On a CPU device nothing is gained by them (and that of Mesa 22.3 cuts off what it
 * says it rounds). */
static gboolean
skip_without_gain (void)
{
  GpuDevice *device = gpu_fixture_device ();

  if (gpu_device_get_info (device)->has_float16 && !gpu_device_is_slow (device))
    return FALSE;
  g_test_skip ("sums are not in halves here");
  return TRUE;
}

static gboolean
is_in_halves (const Case * c)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (c->pixels);
  const GpuBlurPlane plane = gpu_blur_plane_get (&c->settings, format, 0);

  return gpu_blur_strips_choose_sums (gpu_fixture_device (), &c->settings,
      &plane) == GPU_BLUR_SUMS_IN_HALVES;
}

/* As test_inside(), and what is not unrolled. */
BLUR_TEST (in_halves)
{
  static const struct
  {
    GpuPixels pixels;
    guint width, radius;
    gdouble sigma_x, sigma_y;
    GpuBlurEdge edge;
  } cases[] = {
    {GPU_PIXELS_RGBX, 256, 1, 0.4, 0.4, GPU_BLUR_CLAMP},
    {GPU_PIXELS_XBGR, 203, 5, 2, 2, GPU_BLUR_BLACK},
    {GPU_PIXELS_RGB, 279, 7, 2, 2, GPU_BLUR_CLAMP},
    {GPU_PIXELS_RGB, 352, 2, 1, 1, GPU_BLUR_MIRROR},
    {GPU_PIXELS_NV12, 1030, 8, 3, 3, GPU_BLUR_CLAMP},
    {GPU_PIXELS_I420, 1537, 3, 1, 1, GPU_BLUR_BLACK},
    {GPU_PIXELS_GRAY8, 1025, 20, 7, 7, GPU_BLUR_WRAP},
    {GPU_PIXELS_NV12, 150, 9, 3, 1, GPU_BLUR_CLAMP},
    {GPU_PIXELS_XRGB, 150, 9, 3, 1, GPU_BLUR_CLAMP},
    {GPU_PIXELS_RGB, 150, 9, 1, 3, GPU_BLUR_MIRROR},
  };

  if (skip_without_gain ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case c = { cases[i].pixels, cases[i].width, 37 + i,
      {.sigma_x = cases[i].sigma_x, .sigma_y = cases[i].sigma_y,
        .radius = cases[i].radius, .method = GPU_BLUR_STRIPS,
        .edge = cases[i].edge, .precision = GPU_BLUR_HALF}
    };

    check_case (fixture, &c);
    g_assert_true (is_in_halves (&c));
  }
}

/* Halves are the least precise for what is nearly black or white, and worse for kernels
 * that are wide: the widest is still near enough. */
BLUR_TEST (in_halves_at_worst)
{
  const Case c = { GPU_PIXELS_GRAY8, 400, 300, {.sigma_x = 20 / 3.0,
    .sigma_y = 20 / 3.0, .radius = 20, .method = GPU_BLUR_STRIPS,
    .precision = GPU_BLUR_HALF}
  };
  g_autofree guint8 *noise = NULL;
  GpuFrameInfo info;

  if (skip_without_gain ())
    return;
  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  noise = make_frame (&info, 3);
  for (guint range = 4; range <= 16; range *= 2)
    for (guint from = 0; from < 256; from += 256 - range) {
      g_autofree guint8 *frame = g_malloc (info.size);

      for (gsize i = 0; i < info.size; i++)
        frame[i] = from + noise[i] % range;
      check_content (fixture, &c, &info, frame);
    }
}

/* Where nobody asked for them, or they would not be near enough. */
BLUR_TEST (not_in_halves)
{
  static const gfloat light[LIGHT_HALF_CODES] = { 0 };
  static const struct
  {
    GpuPixels pixels;
    gdouble sigma;
    const gfloat *light;
    GpuBlurPrecision precision;
  } cases[] = {
    {GPU_PIXELS_RGBX, 1, NULL, GPU_BLUR_PRECISION_AUTO},
    {GPU_PIXELS_RGBX, 1, NULL, GPU_BLUR_FLOAT},
    {GPU_PIXELS_RGBX, 1, light, GPU_BLUR_HALF},
    {GPU_PIXELS_RGBX, 7, NULL, GPU_BLUR_HALF},
    {GPU_PIXELS_RGBA, 1, NULL, GPU_BLUR_HALF},
  };
  const Case box = { GPU_PIXELS_GRAY8, 30, 20, {.kernel = GPU_BLUR_BOX,
    .sigma_x = 8, .sigma_y = 8, .radius = -1, .method = GPU_BLUR_STRIPS,
    .precision = GPU_BLUR_HALF}
  };

  if (skip_without_gain ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case c = { cases[i].pixels, 30, 20, {.sigma_x = cases[i].sigma,
      .sigma_y = cases[i].sigma, .radius = -1, .method = GPU_BLUR_STRIPS,
      .light = cases[i].light, .precision = cases[i].precision}
    };

    g_assert_false (is_in_halves (&c));
  }
  g_assert_false (is_in_halves (&box));
}

/* --- what serves meanwhile --- */

/* Blurs a frame of noise with what is built so far. */
static guint8 *
blur_noise (Fixture * fixture, const Case * c)
{
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_frame (&info, 7);
  return blur_prepared (fixture, &info, in, &info, &c->settings);
}

/* @meanwhile: what serves a frame while a kernel is built. */
static void
check_served (Fixture * fixture, const Case * c, const gchar * meanwhile)
{
  g_autofree guint8 *before = NULL, *then = NULL;
  GpuFrameInfo info;

  gpu_hooks_hold_builds ();
  before = blur_noise (fixture, c);
  g_assert_cmpstr (fixture->report.stages[0].name, ==, meanwhile);
  gpu_hooks_allow_builds ();
  gpu_blur_wait (fixture->blur);
  then = blur_noise (fixture, c);
  g_assert_cmpstr (fixture->report.stages[0].name, ==, "strips");
  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  g_assert_cmpmem (before, info.size, then, info.size);
}

/* The bytes are the same whatever serves while a kernel is built. */
static void
check_meanwhile (GpuPixels pixels, GpuBlurEdge edge, GpuBlurEdge other_edge)
{
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  Fixture fixture = { gpu_stream_new (device, 2, "blur test", NULL),
    gpu_blur_new (device)
  };
  Case c = {
    pixels, 300, 50, {.sigma_x = 9, .sigma_y = 9, .radius = 27,
      .method = GPU_BLUR_STRIPS, .edge = edge}
  };

  gpu_hooks_watch_builds (device);
  /* Prepared for a radius beyond all that are unrolled. */
  g_assert_true (gpu_blur_prepare (fixture.blur, c.pixels, c.width, c.height,
          &c.settings, NULL));
  gpu_blur_wait (fixture.blur);
  for (gint radius = 4; radius > 0; radius -= 3) {
    c.settings.radius = radius;
    c.settings.sigma_x = c.settings.sigma_y = radius / 3.0;
    /* At first what is not unrolled serves, then what is for a larger radius. */
    check_served (&fixture, &c, radius == 4 ? "strips-rolled" : "strips");
  }
  /* The other kind of edges has a kernel of its own. */
  c.settings.edge = other_edge;
  check_served (&fixture, &c, "strips-rolled");
  gpu_blur_free (fixture.blur);
  gpu_stream_unref (fixture.stream);
}

static void
test_meanwhile (void)
{
  check_meanwhile (GPU_PIXELS_RGBA, GPU_BLUR_CLAMP, GPU_BLUR_MIRROR);
  check_meanwhile (GPU_PIXELS_GRAY8, GPU_BLUR_WRAP, GPU_BLUR_BLACK);
}

/* Both planes of chroma are one dispatch, where their rows are alike. */
BLUR_TEST (twins)
{
  Case c = { GPU_PIXELS_I420, 100, 40, {.sigma_x = 1, .sigma_y = 1,
    .radius = -1, .method = GPU_BLUR_STRIPS, .edge = GPU_BLUR_MIRROR}
  };
  GpuFrameInfo info;

  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.n_stages, ==, 2);
  c.settings.edge = GPU_BLUR_CLAMP;
  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.n_stages, ==, 2);
  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  info.stride[2] += 4;
  info.size += 4 * 20;
  check_layout (fixture, &c, &info);
  g_assert_cmpuint (fixture->report.n_stages, ==, 3);
}

/* With --full, only the cross product. */
int
main (int argc, char **argv)
{
  gboolean full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_init (&argc, &argv, NULL);
  if (full) {
    blur_matrix_add_cross_product (&methods);
  } else {
    blur_matrix_add_pairs (&methods);
    blur_methods_add_tests (&methods);
    blur_fixture_add_tests ("/strips/", FALSE);
    ADD ("/strips/inside", NULL, test_inside);
    gpu_fixture_add_test ("/strips/meanwhile", test_meanwhile);
  }
  return gpu_fixture_run_tests ();
}
