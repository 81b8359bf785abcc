/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Both engines on a device that has to be asked for its subgroups. */
#include "gpu/blur/blur.h"
#include "gpu/palette/palette.h"
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
  static const GpuBlurSettings settings = {
    .kernel = GPU_BLUR_BOX,.radius = 4,.method = GPU_BLUR_RUNNING_SUMS
  };

  return gpu_blur_prepare (blur, GPU_PIXELS_RGBA, WIDTH, HEIGHT, &settings,
      error) && gpu_blur_record (blur, stream, &settings, in, out, NULL, error);
}

static gboolean
record_palette (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer palette, GError ** error)
{
  static const GpuPaletteSettings settings = {
    .radius = 0.1,.quality = GPU_PALETTE_EXACT
  };

  return gpu_palette_configure (palette, GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, NULL, GPU_PALETTE_EXACT, error)
      && gpu_palette_record (palette, stream, &settings, in, out, NULL, error);
}

static guint8 *
run (GpuDevice * device, GpuFixtureRecord record, gpointer engine)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuStream) stream = gpu_stream_new (device, 2, "test", &error);
  g_autofree guint8 *picture = generated_picture_new ("noise", WIDTH, HEIGHT,
      1);
  GpuFrameInfo info;
  guint8 *out;

  g_assert_no_error (error);
  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  out = gpu_fixture_run (stream, &info, picture, &info, record, engine, &error);
  g_assert_no_error (error);
  g_assert_cmpint (memcmp (out, picture, info.size), !=, 0);
  return out;
}

typedef struct
{
  guint8 *blur, *palette;
} Frames;

static Frames
run_engines (GpuDevice * device)
{
  GpuBlur *blur = gpu_blur_new (device);
  GpuPalette *palette = gpu_palette_new (device);
  Frames frames = {
    run (device, record_blur, blur), run (device, record_palette, palette)
  };

  gpu_blur_free (blur);
  gpu_palette_free (palette);
  return frames;
}

/* It reports more lanes than shaders can do with, and its real ones are the most
 * that it offers: every pipeline asks for these, and the bytes are the same. */
static void
test_engines (void)
{
  GpuDevice *real = gpu_fixture_device ();
  Frames expected = run_engines (real);
  g_autoptr (GpuDevice) device = NULL;
  Frames frames;

  use_fake_loader ();
  fake->reported_lanes = 128;
  fake->least_lanes = 2;
  fake->most_lanes = real->info.subgroup_size;
  fake->max_subgroups = 256;
  fake->sized_stages = VK_SHADER_STAGE_COMPUTE_BIT;
  device = open_device (test_selector ());
  frames = run_engines (device);
  g_assert_cmpuint (fake->sizes, ==, real->info.subgroup_size);
  g_assert_cmpmem (frames.blur, 4 * WIDTH * HEIGHT, expected.blur,
      4 * WIDTH * HEIGHT);
  g_assert_cmpmem (frames.palette, 4 * WIDTH * HEIGHT, expected.palette,
      4 * WIDTH * HEIGHT);
  g_free (frames.blur);
  g_free (frames.palette);
  g_free (expected.blur);
  g_free (expected.palette);
  use_real_loader ();
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  gpu_fixture_add_test ("/subgroups/engines", test_engines);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
