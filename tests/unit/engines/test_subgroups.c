/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both engines on a device that has to be asked for its subgroups, and the blur on one that
 * has none. */
#include "gpu/blur/blur.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "generated.h"
#include "gpu_fixture.h"
#include "loader_fixture.h"

#include <string.h>

#define WIDTH 40
#define HEIGHT 24

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer blur, GError ** error)
{
  static const GpuBlurSettings settings = {.kernel = GPU_BLUR_BOX,
    .radius = 4, .method = GPU_BLUR_RUNNING_SUMS};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_blur_prepare (blur, GPU_PIXELS_RGBA, WIDTH, HEIGHT, &settings,
      error) && gpu_blur_record (blur, stream, &settings, &frames, NULL, error);
}

typedef struct
{
  GpuPalette *palette;
  const GpuPaletteSettings *settings;
} PaletteWork;

static gboolean
record_palette (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  PaletteWork *work = data;
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = WIDTH, .height = HEIGHT};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_configure (work->palette, &format,
      work->settings->quality, error)
      && gpu_palette_record (work->palette, stream, work->settings, &frames,
      NULL, error);
}

static guint8 *
run (GpuDevice * device, GpuFixtureRecord record, gpointer data)
{
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 2, "test", &error));
  g_autofree guint8 *picture = generated_picture_new ("noise", WIDTH, HEIGHT,
      1);
  GpuFrameInfo info;
  const GpuFixtureWork work = { record, data, &info, &info };
  guint8 *out;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  out = OK (gpu_fixture_run (stream, &work, picture, &error));
  g_assert_cmpint (memcmp (out, picture, info.size), !=, 0);
  return out;
}

static guint8 *
run_blur (GpuDevice * device)
{
  g_autoptr (GpuBlur) blur = gpu_blur_new (device);

  return run (device, record_blur, blur);
}

/* By the walk that cards take; that of CPU devices is every other test's. */
static guint8 *
run_exact (GpuDevice * device)
{
  static const GpuPaletteSettings settings = {.making.radius = 0.1,
    .quality = GPU_PALETTE_EXACT};
  static const GpuPaletteTuning tuning = {.walk = GPU_PALETTE_WALK_GROUPS};
  g_autoptr (GpuPalette) palette = gpu_palette_new (device);
  PaletteWork work = { palette, &settings };

  gpu_palette_set_tuning (palette, &tuning);
  return run (device, record_palette, &work);
}

typedef struct
{
  guint8 *blur, *exact, *live;
  GpuPaletteMode modes[GPU_PALETTE_MAX_MODES];  /* of live */
  guint n_modes;
} Results;

static void
run_live (GpuDevice * device, Results * results)
{
  static const GpuPaletteSettings settings = {.quality = GPU_PALETTE_LIVE,
    .making.limit = 8, .counts_pixels = TRUE};
  g_autoptr (GpuPalette) palette = gpu_palette_new (device);
  PaletteWork work = { palette, &settings };
  guint64 tag;

  results->live = run (device, record_palette, &work);
  g_assert_true (gpu_palette_get_modes (palette, results->modes,
          &results->n_modes, &tag));
  g_assert_cmpuint (results->n_modes, >, 1);
}

static void
run_engines (GpuDevice * device, Results * results)
{
  results->blur = run_blur (device);
  results->exact = run_exact (device);
  run_live (device, results);
}

static void
assert_same (const guint8 * a, const guint8 * b)
{
  g_assert_cmpmem (a, 4 * WIDTH * HEIGHT, b, 4 * WIDTH * HEIGHT);
}

static void
assert_same_results (const Results * a, const Results * b)
{
  assert_same (a->blur, b->blur);
  assert_same (a->exact, b->exact);
  assert_same (a->live, b->live);
  g_assert_cmpuint (a->n_modes, ==, b->n_modes);
  for (guint i = 0; i < a->n_modes; i++) {
    g_assert_cmphex (a->modes[i].colour, ==, b->modes[i].colour);
    g_assert_cmpfloat (a->modes[i].share, ==, b->modes[i].share);
  }
}

static void
clear_results (Results * results)
{
  g_free (results->blur);
  g_free (results->exact);
  g_free (results->live);
}

/* It reports more lanes than shaders can do with, and its real ones are the most
 * that it offers: every pipeline asks for these, and the bytes are the same. */
static void
test_engines (void)
{
  GpuDevice *real = gpu_fixture_device ();
  g_autoptr (GpuDevice) device = NULL;
  Results expected, results;

  run_engines (real, &expected);
  use_fake_loader ();
  fake->reported_lanes = 128;
  fake->least_lanes = 2;
  fake->most_lanes = real->info.subgroup_size;
  fake->max_subgroups = 256;
  fake->sized_stages = VK_SHADER_STAGE_COMPUTE_BIT;
  device = open_device (test_selector ());
  run_engines (device, &results);
  g_assert_cmpuint (fake->sizes, ==, real->info.subgroup_size);
  assert_same_results (&results, &expected);
  clear_results (&results);
  clear_results (&expected);
  use_real_loader ();
}

static void
take_all_but_needs (VkPhysicalDeviceProperties2 * properties, guint index)
{
  VkPhysicalDeviceSubgroupProperties *subgroup = properties->pNext;

  while (subgroup->sType
      != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES)
    subgroup = subgroup->pNext;
  subgroup->supportedOperations = 0;
  properties->properties.limits.maxPerStageDescriptorStorageBuffers =
      gpu_blur_needs.buffers;
}

/* The blur, by another method, gives the same bytes; the palette says what is missing. */
static void
test_blur_without (void)
{
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = WIDTH, .height = HEIGHT};
  g_autofree guint8 *expected = run_blur (gpu_fixture_device ());
  g_autofree guint8 *blurred = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuDevice) device = NULL;
  g_autoptr (GpuPalette) palette = NULL;

  use_fake_loader ();
  fake->edit_properties = take_all_but_needs;
  device = gpu_device_open_own (test_selector (), &gpu_blur_needs, &error);
  g_assert_no_error (error);
  blurred = run_blur (device);
  assert_same (blurred, expected);
  palette = gpu_palette_new (device);
  g_assert_false (gpu_palette_configure (palette, &format, GPU_PALETTE_LIVE,
          &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "lacks subgroup basic"));
  g_assert_nonnull (strstr (error->message, "16 storage buffers"));
  g_clear_pointer (&palette, gpu_palette_free);
  g_clear_pointer (&device, gpu_device_unref);
  use_real_loader ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/subgroups/engines", test_engines);
  gpu_fixture_add_test ("/subgroups/blur-without", test_blur_without);
  return gpu_fixture_run_tests ();
}
