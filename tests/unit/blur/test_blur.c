/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by passes: what holds for every method, and what is theirs alone. */
#include "blur_matrix.h"
#include "blur_methods.h"
#include "gpu/blur/passes/pass.h"
#include "gpu/blur/plane.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "shaders.h"

#include <string.h>

static const GpuBlurMethod passes[] = {
  GPU_BLUR_DIRECT, GPU_BLUR_DIRECT_SHARED, GPU_BLUR_SEPARABLE,
  GPU_BLUR_SEPARABLE_SHARED, GPU_BLUR_INLINE_SEPARABLE,
  GPU_BLUR_INLINE_SEPARABLE_SHARED, GPU_BLUR_SLIDING_WINDOW,
  GPU_BLUR_INLINE_SLIDING_WINDOW, GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED,
  GPU_BLUR_RUNNING_SUMS, GPU_BLUR_WALK,
};
static const Methods methods = { passes, G_N_ELEMENTS (passes) };

/* What each method can do, by the words of a sum and shared memory: the least
 * that a device may have, and what many cards have. */
BLUR_TEST (memory_limits_reach)
{
  static const struct
  {
    gsize shared;
    GpuBlurPrecision precision;
    GpuPixels pixels;
    guint reach[G_N_ELEMENTS (passes)];
  } expected[] = {
    {16384, GPU_BLUR_HALF, GPU_PIXELS_RGBA, {62, 18, 3000, 120, 120, 16, 120,
                120, 37,
            3000, 9}},
    {16384, GPU_BLUR_FLOAT, GPU_PIXELS_RGBA, {62, 12, 3000, 56, 56, 10, 56, 56,
                16,
            3000, 9}},
    {16384, GPU_BLUR_HALF, GPU_PIXELS_GRAY8, {62, 28, 3000, 239, 239, 26, 175,
                175, 80,
            3000, 9}},
    {49152, GPU_BLUR_HALF, GPU_PIXELS_RGBA, {62, 35, 3000, 376, 376, 33, 352,
                352, 122,
            3000, 9}},
    {49152, GPU_BLUR_FLOAT, GPU_PIXELS_RGBA, {62, 23, 3000, 184, 184, 21, 184,
                184, 58,
            3000, 9}},
    {49152, GPU_BLUR_HALF, GPU_PIXELS_GRAY8, {62, 51, 3000, 239, 239, 49, 175,
                175, 162,
            3000, 9}},
  };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++) {
    info->max_shared = expected[i].shared;
    for (guint m = 0; m < G_N_ELEMENTS (passes); m++)
      g_assert_cmpuint (find_reach (passes[m], expected[i].pixels,
              expected[i].precision), ==, expected[i].reach[m]);
  }
}

/* What a pass holds for one axis leaves the other one free, and what it holds for
 * both is for a wide one and a narrow one too. */
BLUR_TEST (reach_of_axes)
{
  static const struct
  {
    GpuBlurMethod method;
    gboolean wide_rows, wide_columns;   /* what it can do */
  } cases[] = {
    {GPU_BLUR_DIRECT, FALSE, FALSE},
    {GPU_BLUR_DIRECT_SHARED, TRUE, TRUE},
    {GPU_BLUR_SEPARABLE_SHARED, TRUE, FALSE},
    {GPU_BLUR_INLINE_SEPARABLE, TRUE, FALSE},
    {GPU_BLUR_INLINE_SEPARABLE_SHARED, TRUE, TRUE},
    {GPU_BLUR_SLIDING_WINDOW, TRUE, FALSE},
    {GPU_BLUR_INLINE_SLIDING_WINDOW, TRUE, FALSE},
    {GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED, TRUE, TRUE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    guint reach = find_reach (cases[i].method, GPU_PIXELS_RGBA, GPU_BLUR_HALF);
    const gdouble narrow = 1, wide = (reach + 1) / 3.0;

    if (reach == GPU_BLUR_MAX_RADIUS)
      continue;
    for (guint down = 0; down < 2; down++) {
      Case c = {
        .pixels = GPU_PIXELS_RGBA,
        .width = 11,
        .height = 5,
        .settings = {
          .sigma_x = down ? narrow : wide,
          .sigma_y = down ? wide : narrow,
          .radius = -1,
          .method = cases[i].method,
          .precision = GPU_BLUR_HALF,
        },
      };

      c.ran = (down ? cases[i].wide_columns : cases[i].wide_rows)
          ? cases[i].method : GPU_BLUR_SEPARABLE;
      check_case (fixture, &c);
    }
  }
}

/* What is at the end of what passes can do. */
BLUR_TEST (ends)
{
  const Case cases[] = {
    /* Rows so wide that their sums, not those of columns, bound how many a thread may do. */
    {GPU_PIXELS_RGBA, 3, 150, {.sigma_x = GPU_BLUR_MAX_SIGMA, .sigma_y = 5,
      .radius = -1, .method = GPU_BLUR_INLINE_SLIDING_WINDOW},
        GPU_BLUR_INLINE_SLIDING_WINDOW},
    /* Down a column of the widest box, where a thread loops most often, and along rows of
     * several sections, those of a wide box with ends that weigh less too. */
    {GPU_PIXELS_RGB, 1, 3500, {.kernel = GPU_BLUR_BOX,
      .radius = GPU_BLUR_MAX_RADIUS, .method = GPU_BLUR_RUNNING_SUMS}},
    {GPU_PIXELS_RGBA, 5000, 1, {.kernel = GPU_BLUR_BOX, .radius = 2,
      .method = GPU_BLUR_RUNNING_SUMS}},
    {GPU_PIXELS_NV12, 5000, 3, {.kernel = GPU_BLUR_BOX, .sigma_x = 200,
      .sigma_y = 9, .radius = -1, .method = GPU_BLUR_RUNNING_SUMS,
      .edge = GPU_BLUR_WRAP}},
    /* The largest sigma and the largest radius there are. */
    {GPU_PIXELS_GRAY8, 7, 3, {.sigma_x = GPU_BLUR_MAX_SIGMA,
      .sigma_y = GPU_BLUR_MAX_SIGMA, .radius = -1}},
    {GPU_PIXELS_RGBA, 3, 4, {.kernel = GPU_BLUR_BOX,
      .radius = GPU_BLUR_MAX_RADIUS, .method = GPU_BLUR_SEPARABLE}},
    {GPU_PIXELS_RGBA, 3, 4, {.kernel = GPU_BLUR_BOX,
      .radius = GPU_BLUR_MAX_RADIUS, .method = GPU_BLUR_RUNNING_SUMS}},
    /* A frame of which a dispatch would take too long goes in strips. */
    {GPU_PIXELS_NV12, 3001, 3, {.sigma_x = 150, .sigma_y = 150, .radius = -1,
      .edge = GPU_BLUR_WRAP, .precision = GPU_BLUR_FLOAT}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    check_case (fixture, &cases[i]);
}

/* Sums that run are words each, whatever the precision: as many columns as the
 * row sums that fit memory. */
BLUR_TEST (strips_of_integers)
{
  const Case c = {
    GPU_PIXELS_RGBA, 100, 200, {.kernel = GPU_BLUR_BOX, .sigma_x = 5,
      .sigma_y = 2, .radius = -1, .method = GPU_BLUR_RUNNING_SUMS,
      .precision = GPU_BLUR_HALF, .edge = GPU_BLUR_MIRROR}
  };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  info->max_binding = 32 * 200 * 4 * sizeof (guint32);
  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.stages[0].dispatches, ==, 4);
}

/* A wide radius, in groups that share little memory and sum many rows for
 * themselves alone: how many dispatches the first frame of a CPU takes. */
static guint
count_first_dispatches (Fixture * fixture, guint height)
{
  Case c = {
    GPU_PIXELS_RGBA, 32, height, {.sigma_x = 40, .sigma_y = 40, .radius = 120,
      .method = GPU_BLUR_INLINE_SEPARABLE},
    GPU_BLUR_INLINE_SEPARABLE
  };

  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.stages[0].taps, ==, 482);
  return fixture->report.stages[0].dispatches;
}

static gboolean
skip_on_fast_device (Fixture * fixture)
{
  if (gpu_device_is_slow (gpu_fixture_device ()))
    return FALSE;
  g_test_skip ("one dispatch is short enough on a GPU");
  return TRUE;
}

/* Rows beyond a group's own are work too: by its taps this frame would be one
 * dispatch. */
BLUR_TEST (rows_beyond)
{
  if (!skip_on_fast_device (fixture))
    g_assert_cmpuint (count_first_dispatches (fixture, 96), >=, 4);
}

/* Where one row of groups is too much, strips are as narrow as groups are. */
BLUR_TEST (narrow_strips)
{
  if (!skip_on_fast_device (fixture))
    g_assert_cmpuint (count_first_dispatches (fixture, 16), ==, 2);
}

/* A walk in strips: blocks have 16 pixels here. Where strips begin is a multiple of 32 on
 * today's devices, whatever a block has. */
BLUR_TEST (strips_of_blocks)
{
  const Case c = {
    GPU_PIXELS_GRAY8, 1600, 9, {.sigma_x = 2, .sigma_y = 1, .radius = -1,
      .method = GPU_BLUR_WALK}
  };
  GpuFrameInfo info;

  if (skip_on_fast_device (fixture))
    return;
  gpu_frame_info_init (&info, c.pixels, c.width, c.height);
  g_assert_true (gpu_frame_info_is_in_blocks (&info));
  check_case (fixture, &c);
  g_assert_cmpuint (fixture->report.stages[0].dispatches, >, 1);
}

/* Row sums of four columns have to fit memory. */
BLUR_TEST (too_high)
{
  const GpuBlurSettings settings = {.sigma_x = 1, .sigma_y = 1, .radius = -1,
    .method = GPU_BLUR_SEPARABLE};
  g_autoptr (GError) error = NULL;
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gboolean fits, fits_not;

  info->max_binding = 2000 * 4 * 16;
  fits = gpu_blur_prepare (fixture->blur, GPU_PIXELS_RGBA, 9, 2000, &settings,
      NULL);
  fits_not = !gpu_blur_prepare (fixture->blur, GPU_PIXELS_RGBA, 9, 2001,
      &settings, &error);
  g_assert_true (fits);
  g_assert_true (fits_not);
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
}

/* No method stands in for another: each has stages and taps of its own, of the
 * axes that these sum. */
BLUR_TEST (methods_differ)
{
  static const struct
  {
    guint n_stages, taps[2];
    const gchar *names[2];
  } expected[] = {
    {1, {7 * 13}, {"direct"}},
    {1, {7 * 13}, {"direct-shared"}},
    {2, {7, 13}, {"separable-rows", "separable-columns"}},
    {2, {7, 13}, {"separable-shared-rows", "separable-shared-columns"}},
    {1, {7 + 13}, {"inline-separable"}},
    {1, {7 + 13}, {"inline-separable-shared"}},
    {2, {7, 13}, {"sliding-window-rows", "sliding-window-columns"}},
    {1, {7 + 13}, {"inline-sliding-window"}},
    {1, {7 + 13}, {"inline-sliding-window-shared"}},
    {2, {5, 7}, {"running-sums-rows", "running-sums-columns"}},
    {1, {7 + 13}, {"walk"}},
  };

  for (guint m = 0; m < G_N_ELEMENTS (passes); m++) {
    const GpuBlurReport *report = &fixture->report;
    Case c = {
      GPU_PIXELS_BGRA, 40, 30, {.kernel = kernel_of (passes[m]), .sigma_x = 1,
        .sigma_y = 2, .radius = -1, .method = passes[m]},
      passes[m]
    };

    check_case (fixture, &c);
    g_assert_cmpuint (report->n_stages, ==, expected[m].n_stages);
    for (guint i = 0; i < report->n_stages; i++) {
      g_assert_cmpstr (report->stages[i].name, ==, expected[m].names[i]);
      g_assert_cmpuint (report->stages[i].taps, ==, expected[m].taps[i]);
      g_assert_cmpuint (report->stages[i].dispatches, ==, 1);
    }
  }
}

/* No two passes have the same shaders, or they get row sums from different places. */
static void
test_shaders_differ (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal,
      g_free, NULL);
  const GpuBlurPass *pass;

  for (guint m = 0; m < G_N_ELEMENTS (passes); m++)
    for (guint i = 0; (pass = gpu_blur_get_pass (passes[m], i)); i++)
      g_assert_true (g_hash_table_add (seen, g_strdup_printf ("%p %p %u",
                  pass->shader, pass->exact_shader, pass->row_sums)));
}

/* Sums run where all weights are the same. */
BLUR_TEST (running_sums_are_for_boxes)
{
  static const gint radii[] = { 5, 60, 4, 5 };

  for (guint i = 0; i < G_N_ELEMENTS (radii); i++) {
    GpuBlurKernel kernel = i == 3 ? GPU_BLUR_GAUSSIAN : GPU_BLUR_BOX;
    const Case c = { GPU_PIXELS_NV12, 30, 20, {.kernel = kernel, .sigma_x = 3,
      .sigma_y = 3, .radius = radii[i], .method = GPU_BLUR_RUNNING_SUMS},
      kernel == GPU_BLUR_BOX ? GPU_BLUR_RUNNING_SUMS : GPU_BLUR_SEPARABLE
    };

    check_case (fixture, &c);
  }
}

static void
test_identity (void)
{
  static const struct
  {
    GpuBlurKernel kernel;
    gdouble sigma_x, sigma_y;
    gint radius;
    gboolean identity;
  } cases[] = {
    {GPU_BLUR_GAUSSIAN, 0, 0, -1, TRUE},
    {GPU_BLUR_GAUSSIAN, 0, 0, 5, TRUE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0.1, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0, 0.1, -1, FALSE},
    {GPU_BLUR_GAUSSIAN, 0.1, 0.1, 0, TRUE},
    {GPU_BLUR_BOX, 0, 0, -1, TRUE},
    {GPU_BLUR_BOX, 0.1, 0, -1, FALSE},
    {GPU_BLUR_BOX, 0, 0.1, -1, FALSE},
    {GPU_BLUR_BOX, 0.1, 0.1, 0, TRUE},
    {GPU_BLUR_BOX, 0, 0, 1, FALSE},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuBlurSettings settings = {.kernel = cases[i].kernel,
      .sigma_x = cases[i].sigma_x, .sigma_y = cases[i].sigma_y,
      .radius = cases[i].radius};

    g_assert_cmpint (gpu_blur_is_identity (&settings), ==, cases[i].identity);
  }
}

/* With --full, only the cross product, which takes long on a CPU. */
int
main (int argc, char **argv)
{
  gboolean full = argc > 1 && !strcmp (argv[1], "--full");
  g_test_init (&argc, &argv, NULL);
  if (full) {
    blur_matrix_add_cross_product (&methods);
  } else {
    g_test_add_func ("/blur/identity", test_identity);
    blur_matrix_add_pairs (&methods);
    blur_methods_add_tests (&methods);
    blur_fixture_add_tests ("/blur/", FALSE);
    g_test_add_func ("/blur/shaders-differ", test_shaders_differ);
  }
  return gpu_fixture_run_tests ();
}
