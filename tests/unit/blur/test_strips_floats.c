/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Values by strips, where a column is a pixel. */
#include "blur_values.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"

#include <math.h>
#include <string.h>

static gboolean is_full;

static const GpuBlurMethod method_list[] = { GPU_BLUR_STRIPS };

static const Methods methods = { method_list, G_N_ELEMENTS (method_list) };

/* Auto takes them where they are unrolled, for boxes too, if frames fill a GPU; on CPU devices it
 * walks. */
BLUR_TEST (auto)
{
  GpuBlurMethod narrow = GPU_BLUR_STRIPS;
  guint times = 16;

  if (gpu_device_is_slow (gpu_fixture_device ())) {
    narrow = GPU_BLUR_WALK;
    times = 1;
  }
  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (GpuBlurKernel kernel = 0; kernel <= GPU_BLUR_BOX; kernel++)
      for (guint beyond = 0; beyond < 2; beyond++) {
        gdouble sigma = beyond ? 20 : 2;
        const ValueCase c =
            { value_formats[f], times * 40, times * 30, full_scale,
          {.kernel = kernel, .sigma_x = sigma, .sigma_y = sigma,
            .radius = beyond ? 55 : 4}
        };

        check_value_case (fixture, &c);
        g_assert_true ((fixture->report.method == narrow) != beyond);
      }
}

/* As far as the ring holds rows, of the least memory that a device may have. */
BLUR_TEST (reach)
{
  static const guint reach[] = {
    [GPU_BLUR_HALF] = 14,
    [GPU_BLUR_FLOAT] = 6,
  };

  gpu_fixture_device ()->info.max_shared = 16384;
  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (GpuBlurPrecision p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++)
      for (guint beyond = 0; beyond < 2; beyond++) {
        const ValueCase c = { value_formats[f], 70, 20, full_scale,
          {.sigma_x = 4, .sigma_y = 4, .radius = reach[p] + beyond,
            .method = GPU_BLUR_STRIPS, .precision = p}
        };

        check_value_case (fixture, &c);
        g_assert_cmpint (fixture->report.method, ==,
            beyond ? GPU_BLUR_SEPARABLE : GPU_BLUR_STRIPS);
      }
}

/* Strips inside the frame and at its edges, one that ends with it, and one of a
 * pixel; radii of buckets and between them; rows of an odd number of pixels, and a
 * row that is too long to be held while columns are summed. */
BLUR_TEST (inside)
{
  static const struct
  {
    guint width, radius;
    GpuBlurEdge edge;
  } cases[] = {
    {256, 1, GPU_BLUR_CLAMP}, {257, 2, GPU_BLUR_BLACK},
    {203, 19, GPU_BLUR_CLAMP}, {320, 3, GPU_BLUR_MIRROR},
    {259, 5, GPU_BLUR_WRAP}, {261, 20, GPU_BLUR_CLAMP},
  };

  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (guint i = is_full ? 0 : f; i < G_N_ELEMENTS (cases);
        i += is_full ? 1 : 3) {
      const ValueCase c = { value_formats[f], cases[i].width, 37, full_scale,
        {.sigma_x = cases[i].radius / 3.0, .sigma_y = cases[i].radius / 3.0,
          .radius = cases[i].radius, .method = GPU_BLUR_STRIPS,
          .precision = GPU_BLUR_HALF, .edge = cases[i].edge}
      };

      check_value_case (fixture, &c);
      g_assert_cmpint (fixture->report.method, ==, GPU_BLUR_STRIPS);
      g_assert_cmpstr (fixture->report.stages[0].name, ==, "strips");
    }
}

/* The values are the same whether they were unrolled or not: those of axes that
 * differ, if by nothing that shows, are not. Without --full, each format is in
 * its own precision. */
BLUR_TEST (rolled)
{
  for (guint f = 0; f < G_N_ELEMENTS (value_formats); f++)
    for (GpuBlurPrecision p = GPU_BLUR_HALF; p <= GPU_BLUR_FLOAT; p++) {
      ValueCase c = { value_formats[f], 200, 50, full_scale,
        {.sigma_x = 3, .sigma_y = 3, .radius = 2, .method = GPU_BLUR_STRIPS,
          .precision = p}
      };
      g_autofree guint8 *unrolled = NULL, *rolled = NULL;
      GpuFrameInfo info;

      if (!is_full && f != p - GPU_BLUR_HALF)
        continue;
      gpu_frame_info_init (&info, c.pixels, c.width, c.height);
      unrolled = check_value_layout (fixture, &c, &info);
      g_assert_cmpstr (fixture->report.stages[0].name, ==, "strips");
      c.settings.sigma_y = nextafter (3, 4);
      rolled = check_value_layout (fixture, &c, &info);
      g_assert_cmpstr (fixture->report.stages[0].name, ==, "strips-rolled");
      g_assert_cmpmem (unrolled, info.size, rolled, info.size);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  value_methods_add_tests (&methods);
  blur_fixture_add_tests ("/values/strips/", FALSE);
  return gpu_fixture_run_tests ();
}
