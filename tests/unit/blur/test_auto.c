/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What method=auto takes, and when that is built. How fast it is is measured
 * (tests/bench/tables), not tested. */
#include "blur_fixture.h"
#include "gpu/blur/choice.h"
#include "gpu/blur/light.h"
#include "gpu/core/device/vulkan.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <string.h>

static gboolean is_full;

/* --- what is built, on a device of its own --- */

static PFN_vkCreateComputePipelines create_pipelines;
static gint built;              /* atomic */

static VkResult VKAPI_CALL
create_and_count (VkDevice device, VkPipelineCache cache, uint32_t n,
    const VkComputePipelineCreateInfo * infos,
    const VkAllocationCallbacks * allocator, VkPipeline * pipelines)
{
  g_atomic_int_add (&built, n);
  return create_pipelines (device, cache, n, infos, allocator, pipelines);
}

static GpuDevice *
begin_counting (Fixture * fixture)
{
  GpuDevice *device = gpu_fixture_open_another ();

  fixture->stream = gpu_stream_new (device, 2, "auto test", NULL);
  fixture->blur = gpu_blur_new (device);
  create_pipelines = device->vk.vkCreateComputePipelines;
  device->vk.vkCreateComputePipelines = create_and_count;
  built = 0;
  return device;
}

static void
end_counting (Fixture * fixture, GpuDevice * device)
{
  gpu_blur_free (fixture->blur);
  gpu_stream_unref (fixture->stream);
  gpu_device_unref (device);
}

/* Kernels that frames waited for. */
static guint64
count_waits (Fixture * fixture)
{
  GpuStreamCounts counts;

  gpu_stream_get_counts (fixture->stream, &counts);
  return counts.builds;
}

static void
prepare (Fixture * fixture, const Case * c)
{
  g_assert_true (gpu_blur_prepare (fixture->blur, c->pixels, c->width,
          c->height, &c->settings, NULL));
}

static void
blur_next (Fixture * fixture, const Case * c)
{
  g_autofree guint8 *in = NULL, *out = NULL;
  GpuFrameInfo info;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_frame (&info, 1);
  out = blur_prepared (fixture, &info, in, &info, &c->settings);
}

/* As the element is set, until somebody sets it. */
static Case
make_default_case (GpuPixels pixels, guint width, guint height)
{
  return (Case) {pixels, width, height,
    {.sigma_x = 3, .sigma_y = 3, .radius = -1}};
}

TEST (first_frame)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_RGBA, GPU_PIXELS_RGBX, GPU_PIXELS_RGB, GPU_PIXELS_NV12,
    GPU_PIXELS_I420, GPU_PIXELS_GRAY8
  };

  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    const Case c = make_default_case (formats[i], 128, 96);
    Fixture fixture;
    GpuDevice *device = begin_counting (&fixture);

    prepare (&fixture, &c);
    blur_next (&fixture, &c);
    g_assert_cmpint (g_atomic_int_get (&built), >, 0);
    /* Of the pyramid, both of NV12's planes have a first step and a last one, besides
     * what they share. */
    g_assert_cmpint (g_atomic_int_get (&built), <=,
        fixture.report.method == GPU_BLUR_PYRAMID
        && formats[i] == GPU_PIXELS_NV12 ? 5 : 4);
    end_counting (&fixture, device);
  }
}

/* What serves meanwhile is built when sigma first moves, and what sigma may become soon
 * after: no frame builds anything. As a card: by what these take, on whatever device. */
static void
check_moving_sigma (GpuPixels pixels, guint width, guint height,
    gboolean as_card)
{
  Case c = make_default_case (pixels, width, height);
  Fixture fixture;
  GpuDevice *device = begin_counting (&fixture);
  guint methods = 0;
  guint64 waits;
  gsize memory;

  if (as_card)
    device->info.kind = GPU_DEVICE_DISCRETE;
  prepare (&fixture, &c);
  memory = gpu_blur_get_memory (fixture.blur);
  for (guint i = 0; i < 2; i++) {
    blur_next (&fixture, &c);
    gpu_blur_wait (fixture.blur);
  }
  waits = count_waits (&fixture);
  for (gdouble sigma = 3.2; sigma < (is_full ? 100 : 50); sigma *= 1.03) {
    c.settings.sigma_x = c.settings.sigma_y = sigma;
    blur_next (&fixture, &c);
    if (methods == 0)
      gpu_blur_wait (fixture.blur);
    methods |= 1 << fixture.report.method;
  }
  g_assert_cmpuint (count_waits (&fixture), ==, waits);
  g_assert_cmpuint (gpu_blur_get_memory (fixture.blur), ==, memory);
  g_assert_cmpuint (methods & ~(1 << GPU_BLUR_STRIPS), !=, 0);
  end_counting (&fixture, device);
}

TEST (moving_sigma)
{
  if (is_full)
    check_moving_sigma (GPU_PIXELS_NV12, 128, 96, FALSE);
  /* Where a method was the fastest for a tenth of a sigma alone. */
  check_moving_sigma (GPU_PIXELS_NV12, 256, 144, TRUE);
}

/* What frames need after a change is built behind the second frame. */
TEST (changes)
{
  const Case begin = make_default_case (GPU_PIXELS_RGBA, 128, 96);
  static const gfloat light[LIGHT_HALF_CODES];
  Fixture fixture;
  GpuDevice *device = begin_counting (&fixture);
  Case c = begin;
  guint64 waits;

  prepare (&fixture, &c);
  for (guint i = 0; i < 2; i++)
    blur_next (&fixture, &c);
  gpu_blur_wait (fixture.blur);
  waits = count_waits (&fixture);
  for (guint i = 0; i < 4; i++) {
    c = begin;
    c.settings.range = 0.1;
    c.settings.rounds = 1;
    c.settings.kernel = i == 1 ? GPU_BLUR_BOX : i == 2 ? GPU_BLUR_BILATERAL
        : GPU_BLUR_GAUSSIAN;
    c.settings.precision = i == 0 ? GPU_BLUR_FLOAT : GPU_BLUR_PRECISION_AUTO;
    c.settings.light = i == 3 ? light : NULL;
    prepare (&fixture, &c);
    blur_next (&fixture, &c);
    g_assert_cmpuint (count_waits (&fixture), ==, waits);
  }
  end_counting (&fixture, device);
}

static void
refuse_wait (guint n_built, guint n, gpointer unused)
{
  g_error ("a frame waits for a kernel");
}

static const GpuStreamHooks no_waits = {.on_builds = refuse_wait};

/* After a change, no frame waits for the best kernels, whatever the family: what did the
 * frame before serves meanwhile. */
TEST (meanwhile)
{
  Case c = { GPU_PIXELS_GRAY8, 256, 144, {.sigma_x = 9, .sigma_y = 9,
    .radius = 27}
  };
  Fixture fixture;
  GpuDevice *device = begin_counting (&fixture);

  prepare (&fixture, &c);
  blur_next (&fixture, &c);
  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  gpu_stream_set_hooks (fixture.stream, &no_waits);
  c.settings.radius = -1;
  blur_next (&fixture, &c);
  g_assert_cmpint (fixture.report.method, !=, GPU_BLUR_PYRAMID);
  gpu_hooks_allow_builds ();
  while (fixture.report.method != GPU_BLUR_PYRAMID)
    blur_next (&fixture, &c);
  end_counting (&fixture, device);
}

/* Waits for what is built soon. */
static void
wait_for_urgent (GpuDevice * device)
{
  guint n_built;

  while (gpu_kernels_count (device, &n_built) > n_built)
    g_usleep (1000);
}

/* Soon after the second frame no change of sigma waits on a slow device, although later kernels
 * are not begun. */
TEST (stand_in)
{
  Case c = make_default_case (GPU_PIXELS_GRAY8, 256, 144);
  Fixture fixture;
  GpuDevice *device = begin_counting (&fixture);
  const GpuDeviceInfo before = device->info;

  device->info.kind = GPU_DEVICE_CPU;
  c.settings.sigma_x = c.settings.sigma_y = 1;
  prepare (&fixture, &c);
  for (guint i = 0; i < 2; i++)
    blur_next (&fixture, &c);
  wait_for_urgent (device);
  gpu_hooks_watch_builds (device);
  gpu_hooks_hold_builds ();
  gpu_stream_set_hooks (fixture.stream, &no_waits);
  for (gdouble sigma = 2; sigma < 50; sigma *= 2) {
    c.settings.sigma_x = c.settings.sigma_y = sigma;
    blur_next (&fixture, &c);
  }
  gpu_hooks_allow_builds ();
  device->info = before;
  end_counting (&fixture, device);
}

/* --- what is taken --- */

/* Whatever it is, it is a method, and the frame is what it has to be. */
BLUR_TEST (reaches)
{
  static const GpuPixels formats[] = {
    GPU_PIXELS_RGBA, GPU_PIXELS_RGB, GPU_PIXELS_NV12, GPU_PIXELS_GRAY8
  };
  static const struct
  {
    gdouble sigma_x, sigma_y;
    gint radius;
  } extents[] = {
    {0.5, 0.5, -1}, {3, 0, -1}, {6, 6, -1}, {2, 20, -1}, {25, 25, -1},
    {9, 9, 23}, {30, 30, 90}, {1, 9, 3},
  };

  /* Each extent with both kernels, each time in another format. */
  for (guint f = 0; f < G_N_ELEMENTS (formats); f++)
    for (guint i = is_full ? 0 : f / 2; i < G_N_ELEMENTS (extents);
        i += is_full ? 1 : 2)
      for (GpuBlurKernel kernel = is_full ? 0 : f % 2;
          kernel <= GPU_BLUR_BOX; kernel += is_full ? 1 : 2) {
        const Case c = { formats[f], 67, 50, {.kernel = kernel,
          .sigma_x = extents[i].sigma_x, .sigma_y = extents[i].sigma_y,
          .radius = extents[i].radius, .edge = (f + i) % 4}
        };

        check_case (fixture, &c);
        g_assert_cmpint (fixture->report.method, !=, GPU_BLUR_AUTO);
        /* That does not cut at the radius which was asked for. */
        if (extents[i].radius >= 0)
          g_assert_cmpint (fixture->report.method, !=, GPU_BLUR_PYRAMID);
      }
}

/* The log tells of frames that are too large for the method that would be fast: one column
 * more than the pyramid can do, as a CPU device, whatever device it is. */
BLUR_TEST (slow_size)
{
  Case c = make_default_case (GPU_PIXELS_GRAY8, 30001, 32);
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;

  info->kind = GPU_DEVICE_CPU;
  c.settings.sigma_x = c.settings.sigma_y = 5;
  prepare (fixture, &c);
  g_test_expect_message ("gst-gpu", G_LOG_LEVEL_INFO,
      "*too large for pyramid*");
  blur_next (fixture, &c);
  g_test_assert_expected_messages ();
}

static guint8 *
blur_by (GpuBlur * blur, Fixture * fixture, const Case * c)
{
  GpuBlur *own = fixture->blur;
  GpuFrameInfo info;
  g_autofree guint8 *in = NULL;
  guint8 *out;

  gpu_frame_info_init (&info, c->pixels, c->width, c->height);
  in = make_frame (&info, 5);
  fixture->blur = blur;
  /* The first may take what is ready first. */
  g_free (blur_prepared (fixture, &info, in, &info, &c->settings));
  gpu_blur_wait (blur);
  out = blur_prepared (fixture, &info, in, &info, &c->settings);
  fixture->blur = own;
  return out;
}

/* Each change, by one that did other frames before and by one that did not. */
BLUR_TEST (follows)
{
  const Case cases[] = {
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 2, .sigma_y = 2, .radius = -1}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 7, .sigma_y = 2, .radius = -1}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 7, .sigma_y = 7, .radius = -1}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 9, .sigma_y = 9, .radius = 5}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 9, .sigma_y = 9, .radius = 5,
      .edge = GPU_BLUR_BLACK}},
    {GPU_PIXELS_NV12, 70, 66, {.sigma_x = 9, .sigma_y = 9, .radius = 5,
      .edge = GPU_BLUR_BLACK, .full_range = TRUE}},
    {GPU_PIXELS_NV12, 64, 40, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_NV12, 66, 40, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_NV12, 66, 90, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_RGBA, 66, 90, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_RGBX, 66, 90, {.sigma_x = 9, .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_RGBX, 66, 90, {.kernel = GPU_BLUR_BOX, .sigma_x = 9,
      .sigma_y = 9, .radius = -1}},
    {GPU_PIXELS_RGBX, 66, 90, {.sigma_x = 4, .sigma_y = 4, .radius = -1,
      .precision = GPU_BLUR_FLOAT}},
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const Case *c = &cases[i];
    g_autoptr (GpuBlur) fresh = gpu_blur_new (gpu_fixture_device ());
    g_autofree guint8 *expected = NULL, *out = NULL;
    GpuBlurReport report;
    GpuFrameInfo info;

    g_assert_true (gpu_blur_prepare (fresh, c->pixels, c->width, c->height,
            &c->settings, NULL));
    expected = blur_by (fresh, fixture, c);
    report = fixture->report;
    /* Of sigma, radius, edges and range nobody is told before. */
    if (i == 0 || cases[i - 1].pixels != c->pixels
        || cases[i - 1].width != c->width || cases[i - 1].height != c->height
        || cases[i - 1].settings.kernel != c->settings.kernel
        || cases[i - 1].settings.precision != c->settings.precision)
      prepare (fixture, c);
    out = blur_by (fixture->blur, fixture, c);
    gpu_frame_info_init (&info, c->pixels, c->width, c->height);
    g_assert_cmpint (fixture->report.method, ==, report.method);
    g_assert_cmpmem (out, info.size, expected, info.size);
  }
}

/* --- by what it is taken --- */

/* Rows at most of the thresholds, some on both sides of one. */
TEST (thresholds)
{
  static const struct
  {
    GpuDeviceKind kind;
    GpuPixels pixels;
    guint width, height;
    GpuBlurKernel kernel;
    gdouble sigma_x, sigma_y;
    gint radius;
    GpuBlurMethod method;
  } cases[] = {
    /* *INDENT-OFF* */
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 3, 3, -1, GPU_BLUR_WALK},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 3.1, 3.1, -1,
        GPU_BLUR_PYRAMID},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 6, 6, 20, GPU_BLUR_STRIPS},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 7, 7, 21,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_CPU, GPU_PIXELS_GRAY8, 640, 360, GPU_BLUR_GAUSSIAN, 7, 7, 21,
        GPU_BLUR_SEPARABLE},
    {GPU_DEVICE_CPU, GPU_PIXELS_P010, 640, 360, GPU_BLUR_GAUSSIAN, 4, 4, 13, GPU_BLUR_STRIPS},
    {GPU_DEVICE_CPU, GPU_PIXELS_P010, 640, 360, GPU_BLUR_GAUSSIAN, 4, 4, 14,
        GPU_BLUR_SEPARABLE},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_BOX, 0, 0, 12, GPU_BLUR_STRIPS},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_BOX, 0, 0, 13,
        GPU_BLUR_RUNNING_SUMS},
    {GPU_DEVICE_CPU, GPU_PIXELS_NV12, 640, 360, GPU_BLUR_BOX, 0, 0, 200,
        GPU_BLUR_RUNNING_SUMS},

    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 1920, 1080, GPU_BLUR_GAUSSIAN, 4.3, 4.3, -1,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 1920, 1080, GPU_BLUR_GAUSSIAN, 4.4, 4.4, -1,
        GPU_BLUR_PYRAMID},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA64, 1920, 1080, GPU_BLUR_GAUSSIAN, 3, 3, -1,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA64, 1920, 1080, GPU_BLUR_GAUSSIAN, 3.3, 3.3, -1,
        GPU_BLUR_PYRAMID},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 320, 180, GPU_BLUR_BOX, 0, 0, 67,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 320, 180, GPU_BLUR_BOX, 0, 0, 16,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_BOX, 0, 0, 1000,
        GPU_BLUR_RUNNING_SUMS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 1920, 1080, GPU_BLUR_GAUSSIAN, 4.4, 4.4, 20,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_GAUSSIAN, 4.4, 4.4, 21,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 3, 3, 9,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 3, 3, 10,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 640, 360, GPU_BLUR_GAUSSIAN, 3.3, 3.3, -1,
        GPU_BLUR_PYRAMID},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 320, 180, GPU_BLUR_GAUSSIAN, 3.3, 3.3, -1,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_GAUSSIAN, 2, 1, -1,
        GPU_BLUR_SEPARABLE_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 1920, 1080, GPU_BLUR_GAUSSIAN, 2, 1, -1,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_BOX, 0, 0, 40,
        GPU_BLUR_STRIPS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_NV12, 1920, 1080, GPU_BLUR_BOX, 0, 0, 200,
        GPU_BLUR_RUNNING_SUMS},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_BILATERAL, 4, 4, 6,
        GPU_BLUR_DIRECT_SHARED},
    {GPU_DEVICE_DISCRETE, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_BILATERAL, 4, 4, 7,
        GPU_BLUR_SEPARABLE},
    {GPU_DEVICE_CPU, GPU_PIXELS_RGBA, 1920, 1080, GPU_BLUR_BILATERAL, 4, 4, 6,
        GPU_BLUR_SEPARABLE},
    /* *INDENT-ON* */
  };
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    const GpuBlurSettings settings = {.kernel = cases[i].kernel,
      .sigma_x = cases[i].sigma_x, .sigma_y = cases[i].sigma_y,
      .radius = cases[i].radius, .range = 0.1, .rounds = 1
    };
    GpuBlurFamilies families;
    GpuFrameInfo info;

    gpu_frame_info_init (&info, cases[i].pixels, cases[i].width,
        cases[i].height);
    device->info.kind = cases[i].kind;
    gpu_blur_families_init (&families, device);
    g_test_message ("case %u", i);
    g_assert_cmpint (gpu_blur_choose (&families, &settings, &info).method, ==,
        cases[i].method);
    gpu_blur_families_clear (&families);
  }
}

/* A frame waits for the kernels of the best method if the one that is ready would take a CPU
 * device longer. */
TEST (too_slow_meanwhile)
{
  const GpuBlurSettings settings = {.sigma_x = 98, .sigma_y = 98, .radius = -1};
  g_autoptr (GpuDevice) device = gpu_fixture_open_another ();
  GpuBlurFamilies families;

  device->info.kind = GPU_DEVICE_CPU;
  gpu_blur_families_init (&families, device);
  for (guint height = 1080; height >= 270; height /= 4) {
    GpuFrameInfo info;
    const GpuBlurTask separable = { GPU_BLUR_SEPARABLE, &settings, &info };
    GpuBlurFamily *family = gpu_blur_families_get (&families, &separable);
    GpuBlurTask best;

    gpu_frame_info_init (&info, GPU_PIXELS_GRAY8, height * 16 / 9, height);
    best = gpu_blur_choose (&families, &settings, &info);
    g_assert_cmpint (best.method, ==, GPU_BLUR_PYRAMID);
    g_assert_true (gpu_blur_family_request (family, &separable,
            GPU_BLUR_NEEDED_KERNELS, GPU_KERNEL_SOON, NULL));
    gpu_kernels_wait (device);
    g_assert_cmpint (gpu_blur_choose_now (&families, &best).method, ==,
        height == 1080 ? GPU_BLUR_PYRAMID : GPU_BLUR_SEPARABLE);
  }
  gpu_blur_families_clear (&families);
}

/* Running sums need subgroups: without them another method runs. */
BLUR_TEST (no_subgroups)
{
  const GpuBlurSettings running = {.kernel = GPU_BLUR_BOX, .radius = 200,
    .method = GPU_BLUR_RUNNING_SUMS};
  const GpuBlurSettings separable = {.kernel = GPU_BLUR_BOX, .radius = 200,
    .method = GPU_BLUR_SEPARABLE};
  GpuDevice *device = gpu_fixture_device ();
  guint before;
  GpuFrameInfo info;
  GpuBlur *blur;

  before = device->info.subgroup_size;
  device->info.subgroup_size = 0;
  blur = gpu_blur_new (device);
  gpu_frame_info_init (&info, GPU_PIXELS_NV12, 1920, 1080);
  g_assert_false (gpu_blur_reaches (blur, &running, &info));
  g_assert_true (gpu_blur_reaches (blur, &separable, &info));
  device->info.subgroup_size = before;
  g_assert_true (gpu_blur_reaches (fixture->blur, &running, &info));
  gpu_blur_free (blur);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  is_full = argc > 1 && !strcmp (argv[1], "--full");
  tests_add ("/auto/", gpu_fixture_add_test);
  blur_fixture_add_tests ("/auto/", FALSE);
  return gpu_fixture_run_tests ();
}
