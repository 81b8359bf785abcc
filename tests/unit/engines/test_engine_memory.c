/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the engines say they hold is what they took. */
#include "gpu/blur/blur.h"
#include "gpu/palette/palette.h"
#include "generated.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <string.h>

#define WIDTH 96
#define HEIGHT 54

static GpuStream *the_stream;

/* Counts buffers from now on: not those of the stream, which an engine's ticket holds. */
static void
begin_counting (void)
{
  if (!the_stream)
    the_stream = gpu_stream_new (gpu_fixture_device (), 2, "test", NULL);
  g_assert_nonnull (the_stream);
  gpu_hooks_install (gpu_fixture_device ());
}

/* Runs one frame and lets go of it. */
static void
run (GpuFixtureRecord record, gpointer engine)
{
  g_autofree guint8 *picture = generated_picture_new ("noise", WIDTH, HEIGHT,
      1);
  g_autofree guint8 *out = NULL;
  GpuFrameInfo info;
  const GpuFixtureWork work = { record, engine, &info, &info };

  gpu_frame_info_init (&info, GPU_PIXELS_RGBA, WIDTH, HEIGHT);
  out = OK (gpu_fixture_run (the_stream, &work, picture, &error));
}

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer blur, GError ** error)
{
  static const GpuBlurSettings settings = {.sigma_x = 3, .sigma_y = 3,
    .radius = -1};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_blur_prepare (blur, GPU_PIXELS_RGBA, WIDTH, HEIGHT, &settings,
      error) && gpu_blur_record (blur, stream, &settings, &frames, NULL, error);
}

TEST (blur)
{
  GpuBlur *blur = gpu_blur_new (gpu_fixture_device ());

  begin_counting ();
  run (record_blur, blur);
  g_assert_cmpuint (gpu_blur_get_memory (blur), >, 0);
  g_assert_cmpuint (gpu_blur_get_memory (blur), ==,
      gpu_hooks_get_buffer_bytes ());
  gpu_blur_free (blur);
  g_assert_cmpuint (gpu_hooks_get_buffer_bytes (), ==, 0);
  gpu_hooks_remove (gpu_fixture_device ());
}

static gboolean
record_palette (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer palette, GError ** error)
{
  static const GpuPaletteSettings settings = {.making.radius = 0.05};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (palette, stream, &settings, &frames, NULL, error);
}

static gboolean
record_counted (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer palette, GError ** error)
{
  static const GpuPaletteSettings settings = {.making.radius = 0.05,
    .counts_pixels = TRUE};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (palette, stream, &settings, &frames, NULL, error);
}

TEST (palette)
{
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = WIDTH, .height = HEIGHT};
  GpuPalette *palette = gpu_palette_new (gpu_fixture_device ());
  gsize uncounted;

  begin_counting ();
  OK (gpu_palette_configure (palette, &format, GPU_PALETTE_EXACT, &error));
  g_assert_cmpuint (gpu_palette_get_memory (palette), ==,
      gpu_hooks_get_buffer_bytes ());
  run (record_palette, palette);
  uncounted = gpu_palette_get_memory (palette);
  g_assert_cmpuint (uncounted, ==, gpu_hooks_get_buffer_bytes ());
  run (record_counted, palette);
  g_assert_cmpuint (gpu_palette_get_memory (palette), >, uncounted);
  g_assert_cmpuint (gpu_palette_get_memory (palette), ==,
      gpu_hooks_get_buffer_bytes ());
  gpu_palette_free (palette);
  g_assert_cmpuint (gpu_hooks_get_buffer_bytes (), ==, 0);
  gpu_hooks_remove (gpu_fixture_device ());
}

/* What is wanted of LIVE, and for it. */
typedef struct
{
  GpuPalette *palette;
  GpuPaletteSettings settings;
} Live;

static gboolean
record_live (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Live *live = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (live->palette, stream, &live->settings, &frames,
      NULL, error);
}

static void
check_live (Live * live, gdouble stability)
{
  live->settings.motion.stability = stability;
  run (record_live, live);
  g_assert_cmpuint (gpu_palette_get_memory (live->palette), ==,
      gpu_hooks_get_buffer_bytes ());
}

static void
configure_live (Live * live, GpuPixels out)
{
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA, .out = out,
    .width = WIDTH, .height = HEIGHT};

  OK (gpu_palette_configure (live->palette, &format, GPU_PALETTE_LIVE, &error));
  g_assert_cmpuint (gpu_palette_get_memory (live->palette), ==,
      gpu_hooks_get_buffer_bytes ());
}

/* What was prepared is all that the first frame takes. Returns how much that is. */
static gsize
check_prepared (const GpuPaletteSettings * settings)
{
  Live live = { gpu_palette_new (gpu_fixture_device ()), *settings };
  gsize prepared;

  begin_counting ();
  configure_live (&live, GPU_PIXELS_RGBA);
  OK (gpu_palette_prepare (live.palette, &live.settings, &error));
  prepared = gpu_palette_get_memory (live.palette);
  check_live (&live, 0.5);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), ==, prepared);
  gpu_palette_free (live.palette);
  gpu_hooks_remove (gpu_fixture_device ());
  return prepared;
}

TEST (prepared)
{
  GpuPaletteSettings settings = {.making.radius = 0.05,
    .quality = GPU_PALETTE_LIVE, .motion.stability = 0.5,
    .counting.history = 3};
  const gsize prepared = check_prepared (&settings);

  settings.counts_pixels = TRUE;
  g_assert_cmpuint (check_prepared (&settings), >, prepared);
}

/* Modes are kept from the first frame that wants it on, across formats too. */
TEST (live)
{
  Live live = {
    gpu_palette_new (gpu_fixture_device ()),
    {.making.radius = 0.05, .quality = GPU_PALETTE_LIVE}
  };
  gsize without;

  begin_counting ();
  configure_live (&live, GPU_PIXELS_RGBA);
  check_live (&live, 0);
  without = gpu_palette_get_memory (live.palette);
  check_live (&live, 0.5);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), >, without);
  configure_live (&live, GPU_PIXELS_BGRA);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), >, without);
  check_live (&live, 0.5);
  gpu_palette_free (live.palette);
  g_assert_cmpuint (gpu_hooks_get_buffer_bytes (), ==, 0);
  gpu_hooks_remove (gpu_fixture_device ());
}

/* Counters are there from the first frame that asks for them on, and cells for the
 * colours of all frames of the window; these as long as they are wanted. */
TEST (live_window)
{
  const gsize of_frame = WIDTH * HEIGHT * 4, by_cell = WIDTH * HEIGHT * 36;
  Live live = {
    gpu_palette_new (gpu_fixture_device ()),
    {.making.radius = 0.05, .quality = GPU_PALETTE_LIVE}
  };
  gsize configured, with;

  begin_counting ();
  configure_live (&live, GPU_PIXELS_RGBA);
  configured = gpu_palette_get_memory (live.palette);
  live.settings.making.min_frequency = 2;
  check_live (&live, 0);
  with = gpu_palette_get_memory (live.palette);
  g_assert_cmpuint (with, >, configured + (4 << 24));
  live.settings.counting.history = 2;
  check_live (&live, 0);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), <=,
      with + of_frame + by_cell + 4096);
  live.settings.making.min_frequency = live.settings.counting.history = 1;
  check_live (&live, 0);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), <=,
      with + by_cell + 4096);
  configure_live (&live, GPU_PIXELS_BGRA);
  g_assert_cmpuint (gpu_palette_get_memory (live.palette), ==, configured);
  gpu_palette_free (live.palette);
  g_assert_cmpuint (gpu_hooks_get_buffer_bytes (), ==, 0);
  gpu_hooks_remove (gpu_fixture_device ());
}

/* What a palette holds for a black frame. */
static gsize
memory_for (guint width, guint height)
{
  static const GpuPaletteSettings settings = {.making.radius = 0.05};
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBX,
    .out = GPU_PIXELS_RGBX, .width = width, .height = height};
  GpuFrame in_frame, out_frame;
  const GpuFrames frames = {.in = &in_frame, .out = &out_frame};
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (GpuPalette) palette = gpu_palette_new (device);
  g_autoptr (GpuStream) stream =
      OK (gpu_stream_new (device, 1, "test", &error));
  GpuFrameInfo info;
  g_autoptr (GpuBuffer) pixels = NULL, out = NULL;

  gpu_frame_info_init (&info, GPU_PIXELS_RGBX, width, height);
  pixels =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, info.size, "in", &error));
  out =
      OK (gpu_buffer_new (device, GPU_BUFFER_DEVICE, info.size, "out", &error));
  in_frame = (GpuFrame) {.info = info, .buffer = pixels};
  out_frame = (GpuFrame) {.info = info, .buffer = out};
  OK (gpu_palette_configure (palette, &format, GPU_PALETTE_EXACT, &error));
  gpu_stream_next_frame (stream);
  OK (gpu_stream_begin (stream, &error));
  gpu_stream_fill (stream, pixels, 0, info.size, 0);
  OK (gpu_palette_record (palette, stream, &settings, &frames, NULL, &error));
  OK (gpu_stream_submit (stream, NULL, &error));
  OK (gpu_stream_wait_idle (stream, &error));
  return gpu_palette_get_memory (palette);
}

/* Pixels take a word each, and what else there is depends on colours, but for
 * the scratch space of cells. */
TEST (few_colours)
{
  gsize small = memory_for (640, 360), large = memory_for (1920, 1080);

  g_assert_cmpuint (large - small, <, 5 * (1920 * 1080 - 640 * 360));
}

/* A palette that could not be set up says what to do. */
TEST (not_set_up)
{
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA16F,
    .out = GPU_PIXELS_RGBA16F, .width = WIDTH, .height = HEIGHT};
  g_autoptr (GError) error = NULL;
  g_autoptr (GpuPalette) palette = gpu_palette_new (gpu_fixture_device ());
  g_autoptr (GpuStream) stream = gpu_stream_new (gpu_fixture_device (), 1,
      "test", &error);
  GpuFrame frame = { {0} };

  g_assert_no_error (error);
  g_assert_false (gpu_palette_configure (palette, &format, GPU_PALETTE_EXACT,
          NULL));
  g_assert_false (record_palette (stream, &frame, &frame, palette, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_FAILED);
  g_assert_nonnull (strstr (error->message, "use frames of another size"));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  tests_add ("/engine-memory/", gpu_fixture_add_test);
  status = g_test_run ();
  g_clear_pointer (&the_stream, gpu_stream_unref);
  gpu_fixture_close ();
  return status;
}
