/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the engines make of a device that is faster or slower than they think,
 * by a clock of the tests' own. */
#include "generated.h"
#include "gpu/blur/blur.h"
#include "gpu/blur/tuning.h"
#include "gpu/core/stream/ring.h"
#include "gpu/palette/palette.h"
#include "gpu/palette/tuning.h"
#include "gpu_fixture.h"
#include "gpu_hooks.h"
#include "tests.h"

#include <string.h>

#define MS 1e6

/* What commands take. */
static struct
{
  gdouble command_ns;           /* each */
  gdouble group_ns;             /* a workgroup of a dispatch */
  guint64 ticks[GPU_MAX_RECORDS + 1];   /* of the newest submission */
  guint64 now;
} simulated;

static void VKAPI_CALL
simulate_timestamp (VkCommandBuffer commands, VkPipelineStageFlagBits stage,
    VkQueryPool pool, uint32_t query)
{
  simulated.ticks[query] = simulated.now;
}

static void VKAPI_CALL
simulate_dispatch (VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
  simulated.now += simulated.command_ns + simulated.group_ns * x * y * z;
  gpu_hooks_get_driver ()->vkCmdDispatch (commands, x, y, z);
}

static void VKAPI_CALL
simulate_indirect (VkCommandBuffer commands, VkBuffer buffer,
    VkDeviceSize offset)
{
  simulated.now += simulated.command_ns;
  gpu_hooks_get_driver ()->vkCmdDispatchIndirect (commands, buffer, offset);
}

static VkResult VKAPI_CALL
get_simulated (VkDevice device, VkQueryPool pool, uint32_t first, uint32_t n,
    size_t size, void *data, VkDeviceSize stride, VkQueryResultFlags flags)
{
  memcpy (data, simulated.ticks, size);
  return VK_SUCCESS;
}

typedef struct
{
  GpuDevice *device;
  GpuStream *stream;
  GpuFrameInfo info;
  guint8 *in;
  guint64 serial;
} Fixture;

/* One slot: the newest submission is the one that is looked at. */
static void
setup (Fixture * fixture, guint width, guint height, const gchar * picture)
{
  fixture->device = gpu_fixture_open_another ();
  gpu_hooks_install (fixture->device);
  fixture->device->info.timestamp_period = 1;
  fixture->device->timestamp_mask = G_MAXUINT64;
  fixture->device->vk.vkCmdWriteTimestamp = simulate_timestamp;
  fixture->device->vk.vkCmdDispatch = simulate_dispatch;
  fixture->device->vk.vkCmdDispatchIndirect = simulate_indirect;
  fixture->device->queries_wait = FALSE;
  fixture->device->vk.vkGetQueryPoolResults = get_simulated;
  fixture->stream = OK (gpu_stream_new (fixture->device, 1, "test", &error));
  gpu_frame_info_init (&fixture->info, GPU_PIXELS_RGBA, width, height);
  fixture->in = generated_picture_new (picture, width, height, 1);
}

static void
teardown (Fixture * fixture)
{
  gpu_stream_unref (fixture->stream);
  gpu_hooks_remove (fixture->device);
  gpu_device_unref (fixture->device);
  g_free (fixture->in);
}

/* Bytes that come out; how many submissions it took. */
static guint8 *
run (Fixture * fixture, GpuFixtureRecord record, gpointer engine,
    guint * submissions)
{
  const GpuFixtureWork work = {
    record, engine, &fixture->info, &fixture->info
  };
  guint64 before = gpu_stream_get_serial (fixture->stream);
  guint8 *out =
      OK (gpu_fixture_run (fixture->stream, &work, fixture->in, &error));

  *submissions = gpu_stream_get_serial (fixture->stream) - before;
  return out;
}

/* --- the palette --- */

typedef struct
{
  GpuPalette *palette;
  GpuPaletteQuality quality;
  GpuPaletteReport report;
  guint let_through;            /* of record_cancelled(): less by each call of cancel */
} Palette;

static gboolean
record_next (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Palette *palette = data;
  const GpuPaletteSettings settings = {.quality = palette->quality,
    .making.radius = 0.1, .making.weighting = GPU_PALETTE_FREQUENCY,
    .motion.stability = 0.5};
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_palette_record (palette->palette, stream, &settings, &frames,
      &palette->report, error);
}

/* The same, and solves every time. */
static gboolean
record_palette (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Palette *palette = data;

  gpu_palette_set_transfer (palette->palette, gpu_palette_transfer_srgb, NULL);
  return record_next (stream, in, out, data, error);
}

static GpuPalette *
new_palette (GpuDevice * device, GpuPaletteQuality quality, guint width,
    guint height)
{
  const GpuPaletteFormat format = {.in = GPU_PIXELS_RGBA,
    .out = GPU_PIXELS_RGBA, .width = width, .height = height};
  GpuPalette *palette = gpu_palette_new (device);

  g_assert_true (gpu_palette_configure (palette, &format, quality, NULL));
  return palette;
}

static guint
count_entries (GpuStream * stream, const gchar * stage)
{
  GpuTimings timings;

  gpu_stream_get_timings (stream, &timings);
  for (guint i = 0; i < timings.n_stages; i++)
    if (!strcmp (timings.stages[i].name, stage))
      return timings.stages[i].count;
  return 0;
}

/* A device that comes to a standstill, more or less, gets two groups of walkers
 * a submission once that is known, four walkers each. That costs time, but bytes
 * stay; afterwards all is as before. */
TEST (palette)
{
  const guint width = 20, height = 11, rounds = 4, n_slow = 10, n_frames = 30;
  const gsize size = width * height * 4;
  g_autofree guint8 *expected = NULL;
  guint usual, later = 0, slow = 0;
  Palette palette = { 0 };
  Fixture fixture;

  setup (&fixture, width, height, "noise");
  /* Others let walkers go on to their ends where there are so few. */
  fixture.device->info.kind = GPU_DEVICE_CPU;
  palette.palette = new_palette (fixture.device, GPU_PALETTE_EXACT, width,
      height);
  gpu_palette_set_tuning (palette.palette, &(GpuPaletteTuning) {
    .walk = GPU_PALETTE_WALK_GROUPS,
  });
  simulated.group_ns = 0;
  simulated.command_ns = 0.1 * MS;
  expected = run (&fixture, record_palette, &palette, &usual);
  for (guint i = 0; i < n_frames; i++) {
    g_autofree guint8 *out = NULL;
    gboolean is_slow = i < n_slow;

    simulated.command_ns = is_slow ? 1e4 * MS : 0.1 * MS;
    out = run (&fixture, record_palette, &palette, is_slow ? &slow : &later);
    g_assert_cmpmem (out, size, expected, size);
    if (i == n_slow - 1) {
      guint walks = count_entries (fixture.stream, "palette-walk") / rounds;

      g_assert_cmpuint (slow, >, 4 * usual);
      g_assert_cmpuint (2 * 4 * walks, >=, palette.report.counted.colours);
    }
  }
  g_assert_cmpuint (later, <=, usual);
  gpu_palette_free (palette.palette);
  teardown (&fixture);
}

static gboolean
cancel_at (gpointer data)
{
  guint *left = data;

  return (*left)-- == 0;
}

static gboolean
record_cancelled (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  Palette *palette = data;
  gboolean done;

  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {
    cancel_at, .data = &palette->let_through,
  });
  done = record_next (stream, in, out, data, error);
  gpu_stream_set_hooks (stream, &(GpuStreamHooks) {NULL});
  return done;
}

/* What becomes of a frame, and how often the stream asks whether it is still wanted. */
static guint8 *
run_asked (Fixture * fixture, Palette * palette, guint8 * in, guint * n_asked)
{
  guint submissions;
  guint8 *out;

  fixture->in = in;
  palette->let_through = G_MAXUINT;
  out = run (fixture, record_cancelled, palette, &submissions);
  gpu_palette_get_report (palette->palette, &palette->report);
  *n_asked = G_MAXUINT - palette->let_through;
  return out;
}

/* A device so slow gets each slice by itself, and the stream asks before each. Writing pixels
 * is the end of a frame, and chooses the modes of pixels with quality LIVE: cancelled within
 * it, nothing is known of the frame, and the next one is as if it came alone. */
static void
check_cancel_of_pixels (GpuPaletteQuality quality)
{
  Palette palette = {.quality = quality};
  guint8 *dark, *light;
  guint n_asked;
  Fixture fixture;

  simulated.group_ns = 0;
  simulated.command_ns = 1e4 * MS;
  setup (&fixture, 160, 96, "black-white");
  fixture.stream->pacer.first_ns = 1e6;
  palette.palette = new_palette (fixture.device, quality, 160, 96);
  gpu_palette_set_tuning (palette.palette, &(GpuPaletteTuning) {.slice = 1024});
  dark = fixture.in;
  light = g_malloc (fixture.info.size);
  for (gsize i = 0; i < fixture.info.size; i++)
    light[i] = i % 4 == 3 ? 255 : dark[i] / 2 + 70;
  for (gsize i = 0; i < fixture.info.size; i++)
    dark[i] = i % 4 == 3 ? 255 : dark[i] / 2 + 60;
  for (guint back = 1; back <= 2; back++) {
    const GpuFixtureWork work = {
      record_cancelled, &palette, &fixture.info, &fixture.info
    };
    g_autofree guint8 *alone = NULL, *next = NULL;

    gpu_palette_forget (palette.palette);
    alone = run_asked (&fixture, &palette, light, &n_asked);
    g_free (run_asked (&fixture, &palette, dark, &n_asked));
    g_free (run_asked (&fixture, &palette, light, &n_asked));
    g_assert_cmpuint (count_entries (fixture.stream, "palette-apply"), >, 2);
    g_free (run_asked (&fixture, &palette, dark, &(guint) {0}));
    fixture.in = light;
    palette.let_through = n_asked - back;
    FAILS (GPU_ERROR_CANCELLED, gpu_fixture_run (fixture.stream, &work,
            fixture.in, &error));
    next = run_asked (&fixture, &palette, light, &n_asked);
    g_assert_cmpmem (next, fixture.info.size, alone, fixture.info.size);
    g_assert_true (palette.report.made.solved);
  }
  gpu_palette_free (palette.palette);
  g_free (light);
  fixture.in = dark;
  teardown (&fixture);
}

TEST (cancel_of_pixels)
{
  check_cancel_of_pixels (GPU_PALETTE_LIVE);
  check_cancel_of_pixels (GPU_PALETTE_EXACT);
}

/* --- the blur --- */

typedef struct
{
  GpuBlur *blur;
  GpuBlurSettings settings;
  GpuBlurReport report;
} Blur;

static gboolean
record_blur (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Blur *blur = data;
  const GpuFrames frames = {.in = in, .out = out};

  return gpu_blur_prepare (blur->blur, GPU_PIXELS_RGBA, 256, 256,
      &blur->settings, error)
      && gpu_blur_record (blur->blur, stream, &blur->settings, &frames,
      &blur->report, error);
}

/* On a device that takes long for a group what is recorded is soon short enough,
 * and not much shorter; a fast one gets each of the passes at once. The bytes are
 * the same. */
static void
check_blur (const GpuBlurSettings * settings, GpuBlurPyramidKind climb,
    gdouble slow_group_ns, guint n_passes)
{
  const gsize size = 256 * 256 * 4;
  g_autofree guint8 *expected = NULL;
  const GpuBlurTuning tuning = { climb };
  guint usual, submissions, dispatches = 0;
  GpuTimings timings;
  Fixture fixture;
  Blur blur = {.settings = *settings};

  setup (&fixture, 256, 256, "blobs");
  blur.blur = gpu_blur_new (fixture.device);
  gpu_blur_set_tuning (blur.blur, &tuning);
  simulated.command_ns = 0.02 * MS;     /* what is shorter tells nothing */
  simulated.group_ns = 0;
  /* First frames are cut until their times are known. */
  for (guint i = 0; i < 10; i++) {
    g_free (expected);
    expected = run (&fixture, record_blur, &blur, &usual);
  }
  g_assert_cmpuint (usual, ==, 1);
  for (guint i = 0; i < 20; i++) {
    g_autofree guint8 *out = NULL;

    simulated.group_ns = i < 10 ? slow_group_ns : 0;
    out = run (&fixture, record_blur, &blur, &submissions);
    g_assert_cmpint (blur.report.method, ==, settings->method);
    g_assert_cmpmem (out, size, expected, size);
    gpu_stream_get_timings (fixture.stream, &timings);
    if (i == 9) {
      g_assert_cmpuint (timings.longest_dispatch, <=, 50 * MS);
      g_assert_cmpuint (timings.longest_dispatch, >=, 10 * MS);
      g_assert_cmpuint (timings.longest_submission, <=, 100 * MS);
      g_assert_cmpuint (submissions, >, usual);
      g_assert_cmpuint (submissions, <=, timings.span / (25 * MS));
    }
  }
  for (guint i = 0; i < blur.report.n_stages; i++)
    dispatches += blur.report.stages[i].dispatches;
  g_assert_cmpuint (dispatches, ==, n_passes);
  g_assert_cmpuint (submissions, ==, 1);
  gpu_blur_free (blur.blur);
  teardown (&fixture);
}

TEST (blur)
{
  static const GpuBlurSettings settings = {.sigma_x = 5, .sigma_y = 5,
    .radius = 15, .method = GPU_BLUR_SEPARABLE};

  check_blur (&settings, 0, 2 * MS, 2);
}

/* Steps over levels, of few groups each. */
TEST (pyramid)
{
  static const GpuBlurSettings settings = {.sigma_x = 5, .sigma_y = 5,
    .radius = -1, .method = GPU_BLUR_PYRAMID};

  check_blur (&settings, GPU_BLUR_PYRAMID_GROUPS, 5 * MS, 2);
  check_blur (&settings, GPU_BLUR_PYRAMID_WALKS, 5 * MS, 3);
}

/* --- without a clock --- */

static void
run_both (gboolean has_clock, guint8 * outs[2])
{
  Fixture fixture;
  Palette palette = { 0 };
  Blur blur = {
    .settings = {.sigma_x = 3, .sigma_y = 3, .radius = 9,
      .method = GPU_BLUR_SEPARABLE},
  };
  guint submissions;

  setup (&fixture, 20, 11, "noise");
  if (!has_clock) {
    gpu_stream_unref (fixture.stream);
    fixture.device->info.timestamp_period = 0;
    fixture.stream = gpu_stream_new (fixture.device, 2, "test", NULL);
    g_assert_nonnull (fixture.stream);
  }
  palette.palette = new_palette (fixture.device, GPU_PALETTE_EXACT, 20, 11);
  blur.blur = gpu_blur_new (fixture.device);
  for (guint i = 0; i < 2; i++) {
    g_free (outs[0]);
    g_free (outs[1]);
    outs[0] = run (&fixture, record_palette, &palette, &submissions);
    outs[1] = run (&fixture, record_blur, &blur, &submissions);
  }
  gpu_palette_free (palette.palette);
  gpu_blur_free (blur.blur);
  teardown (&fixture);
}

/* A device without timestamps makes the same bytes. */
TEST (no_timestamps)
{
  guint8 *with[2] = { NULL }, *without[2] = { NULL };

  simulated.command_ns = 0.1 * MS;
  simulated.group_ns = 0;
  run_both (TRUE, with);
  run_both (FALSE, without);
  for (guint i = 0; i < 2; i++) {
    g_assert_cmpmem (with[i], 20 * 11 * 4, without[i], 20 * 11 * 4);
    g_free (with[i]);
    g_free (without[i]);
  }
}

GPU_FIXTURE_MAIN ("/pacing/", gpu_fixture_add_test)
