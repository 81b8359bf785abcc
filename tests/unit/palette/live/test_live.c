/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine of quality=live against the oracle, byte for byte. */
#include "generated.h"
#include "gpu/core/device/vulkan.h"
#include "live_fixture.h"
#include "palette_tests.h"
#include "reference_integer.h"

#include <string.h>

#define WIDTH 64
#define HEIGHT 40

static const gdouble radii[] = {
  0, 0.001, 0.005, 0.01, 0.02, 0.03, 0.05, 0.0625, 0.3, GPU_PALETTE_MAX_RADIUS
};

/* --- one frame --- */

PALETTE_TEST (TESTS_OTHERS, "/live/", pictures)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);

  /* The first radii are those of the smallest bins, of which there are most;
   * others look at them. */
  for (guint p = 0; generated_names[p]; p++)
    for (guint r = palette_is_full ? 0 : 3; r < G_N_ELEMENTS (radii); r++)
      for (guint w = 0; w < 2; w++)
        /* Each picture and radius with one weighting, each pair once. */
        if (palette_is_full || (p + r) % 2 == w)
          live_check_generated (engine, generated_names[p], 1, radii[r], w);
}

PALETTE_TEST (TESTS_OTHERS, "/live/", sizes)
{
  static const guint sizes[][2] = { {1, 1}, {3, 5}, {97, 53}, {64, 1} };

  for (guint s = 0; s < G_N_ELEMENTS (sizes); s++) {
    g_autoptr (Engine) engine =
        engine_new (GPU_PALETTE_LIVE, sizes[s][0], sizes[s][1]);

    for (guint w = 0; w < 2; w++)
      live_check_generated (engine, "alpha-noise", s, 0.03, w);
  }
}

/* Formats in and out, of widths that leave a part of a word or of a quad. */
PALETTE_TEST (TESTS_OTHERS, "/live/", formats)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 3}, {3, 2}, {5, 4}, {17, 9}, {31, 7}, {64, 1}
  };
  guint i = 0;

  for (guint in = GPU_PIXELS_RGBA; in <= GPU_PIXELS_BGR; in++)
    for (guint out = GPU_PIXELS_RGBA; out <= GPU_PIXELS_BGR; out++) {
      if (!palette_is_full && in != out && out != (in + 3) % 10)
        continue;
      const guint *size = sizes[i++ % G_N_ELEMENTS (sizes)];
      g_autoptr (Engine) engine = engine_new_for (GPU_PALETTE_LIVE, in, out,
          size[0], size[1], FALSE);

      live_check_generated (engine, "alpha-noise", in, 0.05, i % 2);
    }
}

PALETTE_TEST (TESTS_OTHERS, "/live/", linear)
{
  g_autoptr (Engine) engine = engine_new_for (GPU_PALETTE_LIVE,
      GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, WIDTH, HEIGHT, TRUE);

  for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
    live_check_generated (engine, r % 2 ? "noise" : "blobs", 4, radii[r],
        r / 2 % 2);
}

/* All colours with two components of 0 or 255: those along the edges of the
 * cube, whose bins are the outermost ones. */
#define N_EDGES 12

static guint8 *
edges_new (void)
{
  guint8 *rgba = g_malloc (256 * N_EDGES * 4);

  for (guint i = 0; i < 256 * N_EDGES; i++) {
    guint edge = i / 256, along = edge / 4;
    guint8 *pixel = rgba + i * 4;

    pixel[along] = i % 256;
    pixel[(along + 1) % 3] = edge & 1 ? 255 : 0;
    pixel[(along + 2) % 3] = edge & 2 ? 255 : 0;
    pixel[3] = 255;
  }
  return rgba;
}

static gsize
count_cells (Engine * engine, const guint8 * rgba, gdouble radius,
    gsize capacity)
{
  const GpuPaletteSettings settings =
      live_settings (radius, GPU_PALETTE_FREQUENCY);
  ReferenceLiveStats stats;

  engine->tuning.bin_capacity = capacity;
  g_free (live_oracle (engine, &settings, rgba, &stats));
  return stats.n_bins;
}

/* With room for as many bins as there are after so many merges, to the last. */
static void
tune_for_merges (Engine * engine, const guint8 * rgba, gdouble radius,
    guint n_merges)
{
  gsize n = count_cells (engine, rgba, radius, 0);

  while (n_merges-- > 0)
    n = count_cells (engine, rgba, radius, n - 1);
  engine_tune (engine, &(GpuPaletteTuning) {.bin_capacity = n,
    .slice = engine->tuning.slice});
}

/* With bins of all sides there are: neighbours beyond the last bins. */
PALETTE_TEST (TESTS_OTHERS, "/live/", edges)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, 256, N_EDGES);
  g_autofree guint8 *rgba = edges_new ();

  for (guint r = 1; radii[r] < 1; r++)
    for (guint n_merges = 0; n_merges < 3; n_merges++) {
      tune_for_merges (engine, rgba, radii[r], n_merges);
      g_assert_cmpuint (live_check (engine, "edges", rgba, radii[r],
              (r + n_merges) % 2), ==, n_merges);
    }
}

/* Colours in pairs of neighbours that occur as often: who is first decides. */
PALETTE_TEST (TESTS_OTHERS, "/live/", ties)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (3);
  g_autofree guint8 *rgba = g_malloc (WIDTH * HEIGHT * 4);

  for (guint i = 0; i < WIDTH * HEIGHT * 4; i += 8)
    for (guint k = 0; k < 4; k++) {
      gint code = g_rand_int_range (random, 1, 7) * 32;

      rgba[i + k] = k == 3 ? 255 : code;
      rgba[i + 4 + k] = k == 3 ? 255 : code + g_rand_int_range (random, -4, 5);
    }
  for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
    for (guint w = 0; w < 2; w++)
      live_check (engine, "ties", rgba, radii[r], w);
}

static void
check_weighing (GpuDeviceKind kind, guint width, guint height)
{
  static const gchar *const pictures[] =
      { "one-colour", "noise", "alpha-noise" };
  g_autoptr (Engine) engine = engine_new_as (kind, GPU_PALETTE_LIVE, width,
      height);

  for (guint p = 0; p < G_N_ELEMENTS (pictures); p++)
    for (guint w = 0; w < 2; w++)
      live_check_generated (engine, pictures[p], 5, 0.02, w);
}

/* A place for each of a workgroup's bins before they go to memory, and pixels by fours, which
 * is not what a CPU device does: many pixels at one place, and more bins than places. With sums
 * of 64 bits, if the device has them, and without; with rows of a frame that are whole vectors,
 * and with others. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live/", weighing)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  const gboolean has_atomic_int64 = info->has_atomic_int64;

  check_weighing (GPU_DEVICE_CPU, 160, 90);
  check_weighing (GPU_DEVICE_DISCRETE, 160, 90);
  check_weighing (GPU_DEVICE_DISCRETE, 161, 91);
  info->has_atomic_int64 = FALSE;
  check_weighing (GPU_DEVICE_CPU, 160, 90);
  check_weighing (GPU_DEVICE_DISCRETE, 160, 91);
  info->has_atomic_int64 = has_atomic_int64;
}

/* As many bins as there are with so many merges, and one less than that. Threads of cards
 * and of CPU devices take different numbers of words of the bitmap of bins. */
static void
check_merging (const gchar * picture, gdouble radius,
    GpuPaletteWeighting weighting)
{
  g_autoptr (Engine) engine = engine_new_as (weighting == GPU_PALETTE_PALETTE
      ? GPU_DEVICE_DISCRETE : GPU_DEVICE_CPU, GPU_PALETTE_LIVE, WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new (picture, WIDTH, HEIGHT, 6);

  for (guint n_merges = 0; n_merges < 3; n_merges++) {
    tune_for_merges (engine, rgba, radius, n_merges);
    g_assert_cmpuint (live_check (engine, picture, rgba, radius, weighting), ==,
        n_merges);
  }
}

PALETTE_TEST (TESTS_OTHERS, "/live/", merging)
{
  for (guint w = 0; w < 2; w++) {
    check_merging ("noise", 0.02, w);
    check_merging ("noise", 0.3, w);
    check_merging ("alpha-noise", 0.001, w);
    check_merging ("blobs", 0.01, w);
  }
}

/* What large frames are cut into several dispatches for. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live/", slices)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, 240, 100);
  g_autofree guint8 *rgba = generated_picture_new ("alpha-noise", 240, 100, 9);

  engine_tune (engine, &(GpuPaletteTuning) {.slice = 256});
  for (guint n_merges = 0; n_merges < 3; n_merges++) {
    tune_for_merges (engine, rgba, 0.01, n_merges);
    g_assert_cmpuint (live_check (engine, "slices", rgba, 0.01, n_merges % 2),
        ==, n_merges);
  }
}

/* Sums beyond a word, but for component @low. What becomes of two neighbours depends
 * on their shares alone, so that the oracle needs no more than four pixels. */
static void
check_wide_sums (Engine * engine, guint low)
{
  const GpuPaletteSettings settings =
      live_settings (0.1, GPU_PALETTE_FREQUENCY);
  const guint width = engine->in.width, height = engine->in.height;
  const gsize size = (gsize) width * height * 4;
  ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &settings);
  g_autofree guint8 *rgba = g_malloc (size);
  g_autofree guint8 *got = NULL;
  guint8 shares[16];

  memset (shares, 255, sizeof shares);
  for (guint i = 0; i < 4; i++)
    shares[i * 4 + low] = 100 + (i == 0);
  for (gsize i = 0; i < size; i += sizeof shares)
    memcpy (rgba + i, shares, sizeof shares);
  got = engine_run (engine, &settings, rgba);
  reference_live (&wanted, shares, 4, 1, shares, NULL);
  for (gsize i = 0; i < size; i += sizeof shares)
    memcpy (rgba + i, shares, sizeof shares);
  compare_pixels ("wide sums", got, rgba, width, height);
  g_assert_cmpuint (engine->report.counted.bins, ==, 1);
}

PALETTE_TEST (TESTS_OTHERS, "/live/", wide_sums)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, 4128, 4096);

  check_wide_sums (engine, 1);
  if (palette_is_full)
    check_wide_sums (engine, 0);
}

/* --- from frame to frame --- */

#define FILM_WIDTH 48
#define FILM_HEIGHT 30

static void
check_solved (Engine * engine, const guint8 * rgba, gdouble radius,
    GpuPaletteWeighting weighting, gboolean is_solved)
{
  live_check (engine, "sequence", rgba, radius, weighting);
  g_assert_cmpint (engine->report.made.solved, ==, is_solved);
}

/* A frame that is as the one before is not solved. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", unchanged)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);
  g_autofree guint8 *rgba =
      generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 6);

  for (guint w = 0; w < 2; w++)
    for (guint frame = 0; frame < 3; frame++)
      check_solved (engine, rgba, 0.03, w, frame == 0);
}

/* What a bin is, what it weighs, and where it lies in memory: with each the
 * same picture is solved anew, once. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", changed_settings)
{
  g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new ("noise", WIDTH, HEIGHT, 6);

  for (guint i = 0; i < 2 * G_N_ELEMENTS (radii); i++) {
    /* Up and down again, so that one of the two changes at a time. */
    guint w = i / G_N_ELEMENTS (radii);
    guint r = w ? 2 * G_N_ELEMENTS (radii) - 1 - i : i;

    check_solved (engine, rgba, radii[r], w, TRUE);
    check_solved (engine, rgba, radii[r], w, FALSE);
  }
  for (guint i = 0; i < 2; i++) {
    gpu_palette_set_transfer (engine->palette, i ? gpu_palette_transfer_srgb
        : gpu_palette_transfer_linear, NULL);
    engine->is_linear = !i;
    check_solved (engine, rgba, 0.05, GPU_PALETTE_FREQUENCY, TRUE);
    check_solved (engine, rgba, 0.05, GPU_PALETTE_FREQUENCY, FALSE);
  }
  for (guint capacity = 400; capacity < 4000; capacity += 900) {
    engine_tune (engine, &(GpuPaletteTuning) {.bin_capacity = capacity});
    check_solved (engine, rgba, 0.05, GPU_PALETTE_FREQUENCY, TRUE);
    check_solved (engine, rgba, 0.05, GPU_PALETTE_FREQUENCY, FALSE);
  }
}

/* Some bytes of some pixels, alphas among them. */
static void
edit (guint8 * rgba, guint n_pixels, GRand * random, guint n)
{
  for (guint i = 0; i < n; i++) {
    guint at = g_rand_int_range (random, 0, n_pixels);

    rgba[at * 4 + g_rand_int_range (random, 0, 4)] =
        g_rand_int_range (random, 0, 6) * 51;
  }
}

/* No pixel, a few, many: bins are merged here and there, once and twice. */
PALETTE_TEST (TESTS_ESSENTIAL, "/live/sequence/", edits)
{
  static const guint numbers[] = { 1, 7, 0, 60, 0, 3, 2000 };
  g_autoptr (GRand) random = g_rand_new_with_seed (7);

  for (guint w = 0; w < 2; w++) {
    guint merges = 0;           /* bit n: there were n */
    g_autoptr (Engine) engine =
        engine_new (GPU_PALETTE_LIVE, FILM_WIDTH, FILM_HEIGHT);
    g_autofree guint8 *rgba =
        generated_picture_new ("blobs", FILM_WIDTH, FILM_HEIGHT, 7);

    engine_tune (engine, &(GpuPaletteTuning) {.bin_capacity = 600});
    for (guint frame = 0; frame < 60; frame++) {
      merges |= 1 << live_check (engine, "edits", rgba, 0.03, w);
      edit (rgba, FILM_WIDTH * FILM_HEIGHT, random,
          numbers[frame % G_N_ELEMENTS (numbers)]);
    }
    g_assert_cmpuint (merges, ==, 7);
  }
}

/* Pixels that are not counted for a while. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", transparent)
{
  const gsize half = FILM_WIDTH * FILM_HEIGHT / 2;

  for (guint w = 0; w < 2; w++) {
    g_autoptr (Engine) engine =
        engine_new (GPU_PALETTE_LIVE, FILM_WIDTH, FILM_HEIGHT);
    g_autofree guint8 *rgba =
        generated_picture_new ("blobs", FILM_WIDTH, FILM_HEIGHT, 8);
    /* Pixels before this one are transparent. */
    const gsize ends[] = { 2 * half, 2 * half, half, 0, half, 2 * half, 0 };

    for (guint frame = 0; frame < G_N_ELEMENTS (ends); frame++) {
      for (gsize i = 0; i < 2 * half; i++)
        rgba[i * 4 + 3] = i < ends[frame] ? 0 : 255;
      check_solved (engine, rgba, 0.02, w, frame != 1);
    }
  }
}

/* An engine whose memory is that of one before it, which had the same frame of
 * pixels that are not counted. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", transparent_again)
{
  g_autofree guint8 *rgba = g_malloc0 (WIDTH * HEIGHT * 4);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (Engine) engine = engine_new (GPU_PALETTE_LIVE, WIDTH, HEIGHT);

    check_solved (engine, rgba, 0.02, GPU_PALETTE_FREQUENCY, TRUE);
    live_check_generated (engine, "noise", 1, 0.02, GPU_PALETTE_FREQUENCY);
    check_solved (engine, rgba, 0.02, GPU_PALETTE_FREQUENCY, TRUE);
  }
}

static void
check_exact (Engine * engine, const guint8 * rgba)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_FREQUENCY},
  };
  ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &settings);
  gsize size = FILM_WIDTH * FILM_HEIGHT * 4;
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);
  g_autofree guint8 *expected = g_malloc (size);

  reference_palette (&wanted, rgba, FILM_WIDTH, FILM_HEIGHT, expected, NULL);
  compare_pixels ("exact", got, expected, FILM_WIDTH, FILM_HEIGHT);
  g_assert_cmpuint (engine->report.counted.bins, ==, 0);
}

/* Each quality finds what it knew of an earlier frame. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", qualities)
{
  g_autoptr (Engine) engine =
      engine_new (GPU_PALETTE_LIVE, FILM_WIDTH, FILM_HEIGHT);
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  g_autofree guint8 *rgba =
      generated_picture_new ("blobs", FILM_WIDTH, FILM_HEIGHT, 9);

  for (guint frame = 0; frame < 6; frame++) {
    gboolean is_edited = frame % 2;

    check_solved (engine, rgba, 0.03, GPU_PALETTE_FREQUENCY,
        frame == 0 || !is_edited);
    check_exact (engine, rgba);
    if (is_edited)
      edit (rgba, FILM_WIDTH * FILM_HEIGHT, random, 40);
  }
}

/* Wherever a frame ends, the next one is right: the same one, and the same with
 * other settings. By the times of its class, a frame as large takes a slow device
 * several submissions. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", cancel)
{
  const GpuPaletteSettings settings = live_settings (0.02, GPU_PALETTE_PALETTE);
  const GpuPaletteSettings tried[] = {
    settings, live_settings (0.05, GPU_PALETTE_FREQUENCY)
  };
  const guint width = 960, height = 540;
  g_autoptr (Engine) engine = engine_new_as (GPU_DEVICE_CPU, GPU_PALETTE_LIVE,
      width, height);
  guint8 *pictures[2], *expected[2];
  guint n_ended = 0;

  engine->info.timestamp_period = 0;
  for (guint i = 0; i < 2; i++) {
    pictures[i] = generated_picture_new ("blobs", width, height, i);
    expected[i] = live_oracle (engine, &settings, pictures[i], NULL);
  }
  for (guint i = 0;; i = !i) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *ended = NULL, *got = NULL;

    engine->let_through = n_ended / 2;
    ended = engine_try (engine, &tried[i], pictures[i],
        engine_record_cancelled, &error);
    if (ended)
      break;
    n_ended++;
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    got = engine_run (engine, &settings, pictures[i]);
    compare_pixels ("after the end", got, expected[i], width, height);
    g_assert_true (engine->report.made.solved);
  }
  g_assert_cmpuint (n_ended, >=, 4);
  for (guint i = 0; i < 2; i++) {
    g_free (pictures[i]);
    g_free (expected[i]);
  }
}

/* Frames that were recorded, and that nobody submits, are not known of. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", not_submitted)
{
  g_autoptr (Engine) engine =
      engine_new (GPU_PALETTE_LIVE, FILM_WIDTH, FILM_HEIGHT);
  g_autofree guint8 *rgba =
      generated_picture_new ("blobs", FILM_WIDTH, FILM_HEIGHT, 1);

  for (guint i = 0; i < 2; i++) {
    const gdouble radius = i ? 0.05 : 0.02;
    const GpuPaletteSettings settings =
        live_settings (radius, GPU_PALETTE_FREQUENCY);

    FAILS (GPU_ERROR_OUT_OF_MEMORY, engine_try (engine, &settings, rgba,
            engine_record_and_fail, &error));
    check_solved (engine, rgba, radius, GPU_PALETTE_FREQUENCY, TRUE);
    check_solved (engine, rgba, radius, GPU_PALETTE_FREQUENCY, FALSE);
  }
}

static guint cells_before;      /* as the report has it of a frame at work */

static gboolean
record_and_look (GpuStream * stream, const GpuFrame * in, const GpuFrame * out,
    gpointer data, GError ** error)
{
  Engine *engine = data;
  gboolean done = engine_record (stream, in, out, data, error);

  cells_before = engine->report.counted.bins;
  gpu_palette_get_report (engine->palette, &engine->report);
  g_assert_cmpuint (engine->report.counted.bins, ==, cells_before);
  return done;
}

/* Of a frame that is not done, it is that of the one before. */
PALETTE_TEST (TESTS_OTHERS, "/live/sequence/", report)
{
  const GpuPaletteSettings settings =
      live_settings (0.02, GPU_PALETTE_FREQUENCY);
  g_autoptr (Engine) engine =
      engine_new (GPU_PALETTE_LIVE, FILM_WIDTH, FILM_HEIGHT);
  guint n = 0;

  for (guint i = 0; generated_names[i]; i++) {
    g_autofree guint8 *rgba = generated_picture_new (generated_names[i],
        FILM_WIDTH, FILM_HEIGHT, 1);
    ReferenceLiveStats stats;

    g_free (live_oracle (engine, &settings, rgba, &stats));
    g_free (engine_try (engine, &settings, rgba, record_and_look, NULL));
    g_assert_cmpuint (cells_before, ==, n);
    n = stats.n_bins;
    g_assert_cmpuint (engine->report.counted.bins, ==, n);
  }
}
