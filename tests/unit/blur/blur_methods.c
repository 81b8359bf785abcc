/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "blur_methods.h"

#include "blur_layouts.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"

#include <string.h>

/* A radius at the edge of what each method can do, and one past it. */
static void
test_reach (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint m = 0; m < methods->n; m++)
    for (guint precision = GPU_BLUR_HALF; precision <= GPU_BLUR_FLOAT;
        precision++) {
      guint reach = find_reach (methods->list[m], GPU_PIXELS_RGBA, precision);
      Case c = {
        .pixels = GPU_PIXELS_RGBA,
        .width = 7,
        .height = 5,
        .settings = {
          .kernel = kernel_of (methods->list[m]),
          .sigma_x = reach / 2.0,
          .sigma_y = reach / 2.0,
          .radius = reach,
          .method = methods->list[m],
          .precision = precision,
          .edge = GPU_BLUR_MIRROR,
        },
        .ran = methods->list[m],
      };

      /* N = 19, the widest that the sources measure. */
      g_assert_cmpuint (reach, >=, 9);
      check_case (fixture, &c);
      if (reach == GPU_BLUR_MAX_RADIUS)
        continue;
      c.settings.radius++;
      c.ran = GPU_BLUR_SEPARABLE;
      check_case (fixture, &c);
    }
}

/* Of four bytes a pixel, without padding. */
static guint8 *
transpose (const GpuFrameInfo * info, const guint8 * frame)
{
  guint8 *out = g_malloc (info->size);

  for (guint y = 0; y < info->height; y++)
    for (guint x = 0; x < info->width; x++)
      memcpy (out + 4 * (x * info->height + y),
          frame + 4 * (y * info->width + x), 4);
  return out;
}

/* Of half-widths 3 and 48: what is done to rows of a picture is done to columns
 * of the picture on its side, to the byte. */
static void
test_transposed (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  static const struct
  {
    gdouble sigma_x, sigma_y;
  } cases[] = { {2, 0}, {0, 2}, {28, 2} };
  GpuFrameInfo info, turned_info;
  g_autofree guint8 *in = NULL;
  g_autofree guint8 *turned_in = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 37, 20);
  gpu_frame_info_init (&turned_info, GPU_PIXELS_RGBA, 20, 37);
  in = make_frame (&info, 3);
  turned_in = transpose (&info, in);
  for (guint m = 0; m < methods->n; m++)
    for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
      const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
        .sigma_x = cases[i].sigma_x, .sigma_y = cases[i].sigma_y, .radius = -1,
        .method = methods->list[m], .edge = GPU_BLUR_MIRROR};
      const GpuBlurSettings turned = {.kernel = GPU_BLUR_BOX,
        .sigma_x = cases[i].sigma_y, .sigma_y = cases[i].sigma_x, .radius = -1,
        .method = methods->list[m], .edge = GPU_BLUR_MIRROR};
      g_autofree guint8 *out = blur_frame (fixture, &info, in, &settings);
      g_autofree guint8 *expected = transpose (&info, out);
      g_autofree guint8 *turned_out =
          blur_frame (fixture, &turned_info, turned_in, &turned);

      g_assert_cmpmem (turned_out, info.size, expected, info.size);
    }
}

/* Stripes stay as they are where they are blurred along, and become grey where
 * they are blurred across. */
static void
test_one_axis (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  const guint side = 20;
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_GRAY8, side, side);
  in = g_malloc (info.size);
  for (guint y = 0; y < side; y++)
    memset (in + y * info.stride[0], y % 2 ? 200 : 0, side);
  for (guint kernel = 0; kernel < 2; kernel++)
    for (guint m = 0; m < methods->n; m++) {
      const GpuBlurSettings along = {.kernel = kernel, .sigma_x = 3,
        .radius = -1, .method = methods->list[m]};
      const GpuBlurSettings across = {.kernel = kernel, .sigma_y = 3,
        .radius = -1, .method = methods->list[m]};
      g_autofree guint8 *same = blur_frame (fixture, &info, in, &along);
      g_autofree guint8 *grey = blur_frame (fixture, &info, in, &across);

      g_assert_cmpmem (same, info.size, in, info.size);
      for (guint x = 0; x < side; x++)
        g_assert_cmpint (ABS (grey[side / 2 * info.stride[0] + x] - 100), <,
            20);
    }
}

/* The largest sums there are: with the last of these sigmas, 2063 samples weigh
 * up to 32 each along a row, which leaves no 32 bits but 0.05 %. With a radius of 128, sums
 * over both axes still have 32 bits, with 129 they have more. */
static void
test_white_stays_white (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  static const struct
  {
    gdouble sigma;
    gint radius;
  } extents[] = { {0.4, -1}, {7.3, -1}, {595.53, -1}, {1, 128}, {1, 129} };
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, 9, 4);
  in = g_malloc (info.size);
  memset (in, 255, info.size);
  for (guint m = 0; m < methods->n; m++)
    for (guint i = 0; i < G_N_ELEMENTS (extents); i++) {
      const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
        .sigma_x = extents[i].sigma, .sigma_y = extents[i].sigma,
        .radius = extents[i].radius, .method = methods->list[m]};
      g_autofree guint8 *out = blur_frame (fixture, &info, in, &settings);

      g_assert_cmpmem (out, info.size, in, info.size);
    }
}

/* Frames that a dispatch has not the groups for are done in parts, whichever
 * way they are long. */
static void
test_few_groups (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  info->max_groups[0] = info->max_groups[1] = 2;
  for (guint m = 0; m < methods->n; m++)
    for (guint tall = 0; tall < 2; tall++) {
      Case c = {
        GPU_PIXELS_RGBA, tall ? 9 : 150, tall ? 150 : 9,
        {.kernel = kernel_of (methods->list[m]), .sigma_x = 1.3,
          .sigma_y = 1.3, .radius = -1, .method = methods->list[m]}
      };

      check_case (fixture, &c);
    }
}

static void
test_padded_layout (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint m = 0; m < methods->n; m++) {
    const Case c = { GPU_PIXELS_I420, 13, 7,
      {.kernel = kernel_of (methods->list[m]), .sigma_x = 1.5, .sigma_y = 1.5,
        .radius = -1, .method = methods->list[m]}
    };

    check_padded (fixture, &c);
  }
}

/* Heights that give fields more rows of chroma than half the frame's, and fields that
 * differ by a row; the last has one field alone. */
static const struct
{
  GpuPixels pixels;
  guint width, height;
} interlaced[] = {
  {GPU_PIXELS_I420, 12, 10}, {GPU_PIXELS_NV12, 13, 11},
  {GPU_PIXELS_RGBA, 9, 7}, {GPU_PIXELS_RGB, 11, 8}, {GPU_PIXELS_GRAY8, 10, 5},
  {GPU_PIXELS_GRAY8, 5, 1},
};

/* A box of radius 3 has ends in a field. Each method has some of the formats, each
 * format some of the methods. */
static void
test_interlaced (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint m = 0; m < methods->n; m++)
    for (guint i = m % 3; i < G_N_ELEMENTS (interlaced); i += 3) {
      Case c = { interlaced[i].pixels, interlaced[i].width,
        interlaced[i].height,
        {.kernel = kernel_of (methods->list[m]), .sigma_x = 1.5,
          .sigma_y = 2.5, .radius = -1, .method = methods->list[m],
          .edge = (m + i) % 4}
      };

      check_interlaced (fixture, &c);
      c.settings.kernel = GPU_BLUR_BOX;
      c.settings.radius = 3 + i / 3;
      check_interlaced (fixture, &c);
    }
}

/* Rows of one field are white, those of the other black. */
static void
test_fields_apart (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  const GpuFrameInfo info = interlaced_info (GPU_PIXELS_GRAY8, 12, 9);
  g_autofree guint8 *in = g_malloc0 (info.size);

  for (guint y = 0; y < info.height; y += 2)
    memset (in + y * info.stride[0], 255, info.width);
  for (guint m = 0; m < methods->n; m++) {
    const GpuBlurSettings settings = {.kernel = kernel_of (methods->list[m]),
      .sigma_x = 4, .sigma_y = 4, .radius = -1, .method = methods->list[m]};
    g_autofree guint8 *out = blur_frame (fixture, &info, in, &settings);

    g_assert_cmpmem (out, info.size, in, info.size);
  }
}

/* A sigma whose square is 0, in chroma of one component and of two by turns. */
static void
test_narrow (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;

  for (guint m = 0; m < methods->n; m++) {
    const Case c = { m % 2 ? GPU_PIXELS_I420 : GPU_PIXELS_NV12, 9, 6, {
      .sigma_x = 1e-200, .sigma_y = 1e-200, .radius = -1,
      .method = methods->list[m],
    }
    };

    check_case (fixture, &c);
  }
}

static void
fail_to_prepare (GpuBlur * blur, GpuPixels pixels,
    const GpuBlurSettings * settings)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  const GpuDeviceInfo before = *info;
  g_autoptr (GError) error = NULL;

  info->max_binding = 2000 * 4 * 16;
  gpu_blur_prepare (blur, pixels, 9, 2001, settings, &error);
  *info = before;
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
}

/* What was prepared before still is. */
static void
test_failed_prepare (Fixture * fixture, gconstpointer data)
{
  const Methods *methods = data;
  g_autofree guint8 *in = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, GPU_PIXELS_I420, 13, 7);
  in = make_frame (&info, 1);
  for (guint m = 0; m < methods->n; m++) {
    const GpuBlurSettings settings = {.kernel = kernel_of (methods->list[m]),
      .sigma_x = 1.5, .sigma_y = 1.5, .radius = -1, .method = methods->list[m]};
    g_autofree guint8 *prepared = blur_frame (fixture, &info, in, &settings);
    g_autofree guint8 *still = NULL;

    fail_to_prepare (fixture->blur, GPU_PIXELS_RGBA, &settings);
    still = blur_prepared (fixture, &info, in, &info, &settings);
    g_assert_cmpmem (still, info.size, prepared, info.size);
  }
}

void
blur_methods_add_tests (const Methods * methods)
{
  ADD ("/blur/reach", methods, test_reach);
  ADD ("/blur/transposed", methods, test_transposed);
  ADD ("/blur/one-axis", methods, test_one_axis);
  ADD ("/blur/white-stays-white", methods, test_white_stays_white);
  ADD ("/blur/narrow", methods, test_narrow);
  ADD ("/blur/few-groups", methods, test_few_groups);
  ADD ("/blur/padded-layout", methods, test_padded_layout);
  ADD ("/blur/interlaced", methods, test_interlaced);
  ADD ("/blur/fields-apart", methods, test_fields_apart);
  ADD ("/blur/failed-prepare", methods, test_failed_prepare);
}
