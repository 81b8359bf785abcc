/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The palette engine against the oracle, byte for byte. */
#include "gpu/palette/exact/exact.h"
#include "gpu/core/device/vulkan.h"
#include "brute.h"
#include "generated.h"
#include "gpu_hooks.h"
#include "palette_fixture.h"
#include "palette_tests.h"
#include "played_memory.h"

#include <string.h>

#define WIDTH 96
#define HEIGHT 54

/* Where colours walk far, all alone: as many branches of the shaders in a tenth of
 * the steps. */
#define SMALL_WIDTH 32
#define SMALL_HEIGHT 18

/* Where lists of candidates are to have some hundreds of them. */
#define MIDDLE_WIDTH 64
#define MIDDLE_HEIGHT 36

/* And where one dispatch is not to take all groups. */
#define LARGE_WIDTH 320
#define LARGE_HEIGHT 180

/* Of the test at hand; 0: what the device is best at. */
static GpuPaletteWalkKind walk;

static Engine *
with_walk (Engine * engine)
{
  engine->walk = walk;
  engine_tune (engine, &(GpuPaletteTuning) {
      0});
  return engine;
}

static Engine *
engine_new (GpuPixels in, GpuPixels out, guint width, guint height,
    gboolean is_linear)
{
  return with_walk (engine_new_for (GPU_PALETTE_EXACT, in, out, width, height,
          is_linear));
}

/* With the small dispatches and rounds that slow devices get. */
static Engine *
engine_new_slow (guint width, guint height)
{
  return with_walk (engine_new_as (GPU_DEVICE_CPU, GPU_PALETTE_EXACT, width,
          height));
}

/* --- comparing --- */

static guint8 *
oracle (Engine * engine, const GpuPaletteSettings * settings,
    const guint8 * rgba, ReferencePaletteStats * stats)
{
  ReferencePaletteSettings wanted =
      engine_reference_settings (engine, settings);
  guint8 *picture = engine_picture_in (engine, rgba);

  reference_palette (&wanted, picture, engine->in.width, engine->in.height,
      picture, stats);
  engine_make_picture_out (engine, picture);
  return picture;
}

static void
check (Engine * engine, const gchar * picture, const guint8 * rgba,
    const GpuPaletteSettings * settings)
{
  ReferencePaletteStats stats;
  g_autofree guint8 *got = engine_run (engine, settings, rgba);
  g_autofree guint8 *expected = oracle (engine, settings, rgba, &stats);
  g_autofree gchar *what = engine_describe (engine, picture);

  compare_pixels (what, got, expected, engine->in.width, engine->in.height);
  g_assert_cmpuint (engine->report.colours, ==, stats.n_colours);
  g_assert_cmpuint (engine->report.ends, ==, stats.n_ends);
  g_assert_cmpuint (engine->report.output_colours, ==, stats.n_output_colours);
}

static void
check_generated (Engine * engine, const gchar * picture, guint32 seed,
    const GpuPaletteSettings * settings)
{
  g_autofree guint8 *rgba = generated_picture_new (picture, engine->in.width,
      engine->in.height, seed);

  check (engine, picture, rgba, settings);
}

/* --- tests --- */

static const gdouble radii[] = { 0.005, 0.01, 0.015, 0.02, 0.03 };

static const gdouble corner_radii[] = { 0, 0.00001, 0.0624, 0.3,
  GPU_PALETTE_MAX_RADIUS
};
static const guint limits[] = { 1, 3, 9 };

static gboolean is_full, is_essential;

/* Each picture and radius with one weighting, each pair once. */
static void
check_pictures (const GpuPaletteSolverType * solver, guint width, guint height)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);

  engine_tune (engine, &(GpuPaletteTuning) {
      solver});
  for (guint p = 0; generated_names[p]; p++)
    for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
      for (guint w = 0; w < 2; w++)
        if (is_full || (p + r) % 2 == w)
          check_generated (engine, generated_names[p], 1, &(GpuPaletteSettings) {
              radii[r], w}
  );
}

/* As check_pictures(); brute force has the other pairs. */
static void
check_corners (const GpuPaletteSolverType * solver, guint width, guint height)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);
  const gchar *pictures[] = {
    "one-colour", "noise", "blobs", "alpha-noise", "black-white"
  };

  engine_tune (engine, &(GpuPaletteTuning) {
      solver});
  for (guint p = 0; p < G_N_ELEMENTS (pictures); p++)
    for (guint r = 0; r < G_N_ELEMENTS (corner_radii); r++)
      for (guint w = 0; w < 2; w++)
        if (is_full || (p + r + (solver == &brute_solver)) % 2 == w)
          check_generated (engine, pictures[p], 2, &(GpuPaletteSettings) {
              corner_radii[r], w}
  );
}

static void
check_limits (const GpuPaletteSolverType * solver)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      SMALL_WIDTH, SMALL_HEIGHT, FALSE);

  engine_tune (engine, &(GpuPaletteTuning) {
      solver});
  for (guint l = 0; l < G_N_ELEMENTS (limits); l++)
    for (guint w = 0; w < 2; w++) {
      check_generated (engine, "blobs", 3, &(GpuPaletteSettings) {
          0.02, w, limits[l]}
      );
      check_generated (engine, "noise", 3, &(GpuPaletteSettings) {
          0.1, w, limits[l]}
      );
    }
}

static void
test_brute_pictures (void)
{
  check_pictures (&brute_solver, SMALL_WIDTH, SMALL_HEIGHT);
}

static void
test_brute_corners (void)
{
  check_corners (&brute_solver, SMALL_WIDTH, SMALL_HEIGHT);
}

static void
test_brute_limits (void)
{
  check_limits (&brute_solver);
}

static void
test_pictures (void)
{
  check_pictures (&gpu_palette_exact, MIDDLE_WIDTH, MIDDLE_HEIGHT);
}

static void
test_corners (void)
{
  check_corners (&gpu_palette_exact, SMALL_WIDTH, SMALL_HEIGHT);
}

static void
test_limits (void)
{
  check_limits (&gpu_palette_exact);
}

/* Small frames get large cells by themselves; these have whole cells inside
 * balls. */
static void
test_small_cells (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      SMALL_WIDTH, SMALL_HEIGHT, FALSE);

  for (guint cell = 6; cell <= 10; cell++) {
    engine_tune (engine, &(GpuPaletteTuning) {
        .cell_shift = cell}
    );
    for (guint w = 0; w < 2; w++) {
      check_generated (engine, "blobs", cell, &(GpuPaletteSettings) {
          0.02, w}
      );
      check_generated (engine, "noise", cell, &(GpuPaletteSettings) {
          0.3, w}
      );
    }
  }
}

/* What Vulkan promises of shared memory. */
#define LEAST_SHARED 16384

/* With no more of it, where lists of candidates come in three parts. */
static void
test_small_shared (void)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gsize max_shared = info->max_shared;
  g_autoptr (Engine) engine = NULL;

  info->max_shared = LEAST_SHARED;
  engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, 80, 45, FALSE);
  info->max_shared = max_shared;
  engine_tune (engine, &(GpuPaletteTuning) {
      .cell_shift = 10});
  for (guint w = 0; w < 2; w++)
    check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
        0.3, w}
  );
}

static void
check_handed_over (Engine * engine, const gchar * picture, guint32 seed,
    gdouble radius, GpuPaletteWeighting weighting, gboolean is_handed_over)
{
  check_generated (engine, picture, seed, &(GpuPaletteSettings) {
      radius, weighting}
  );
  g_assert_cmpint (engine->report.handed_over, ==, is_handed_over);
}

/* That some lists of blobs take, and none of noise, whatever the size of subgroups: as
 * many as 512 entries and points take, and the four that walk.comp allows for parts of
 * a round. */
static guint
some_list_rounds (void)
{
  return 512 / gpu_device_get_info (gpu_fixture_device ())->subgroup_size + 4;
}

/* Lists that are left to the other shader: all, so that nothing else could come
 * to an end, and some. The next frame begins with it, unless the radius is
 * another. */
static void
test_long_lists (void)
{
  const guint list_rounds[] = { 1, some_list_rounds () };

  for (guint i = 0; i < G_N_ELEMENTS (list_rounds); i++) {
    g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
        MIDDLE_WIDTH, MIDDLE_HEIGHT, FALSE);

    engine_tune (engine, &(GpuPaletteTuning) {
        .list_rounds = list_rounds[i]}
    );
    check_handed_over (engine, "blobs", 5, 0.06, GPU_PALETTE_FREQUENCY, TRUE);
    check_handed_over (engine, "blobs", 4, 0.06, GPU_PALETTE_PALETTE, FALSE);
    check_handed_over (engine, "blobs", 5, 0.08, GPU_PALETTE_PALETTE, TRUE);
  }
}

static guint8 *
run_slow (GpuPaletteWalkKind kind, guint list_rounds, const guint8 * rgba)
{
  GpuPaletteWalkKind before = walk;
  g_autoptr (Engine) engine = NULL;
  guint8 *got;

  walk = kind;
  engine = engine_new_slow (LARGE_WIDTH, LARGE_HEIGHT);
  walk = before;
  engine_tune (engine, &(GpuPaletteTuning) {
      .list_rounds = list_rounds}
  );
  got = engine_run (engine, &(GpuPaletteSettings) {
      0.02, GPU_PALETTE_PALETTE}
      , rgba);
  g_assert_cmpint (engine->report.handed_over, ==, list_rounds > 0);
  return got;
}

/* Groups of more walkers than the other shader's that wait for a dispatch when that
 * takes over. */
static void
test_waiting_groups (void)
{
  g_autofree guint8 *rgba =
      generated_picture_new ("blobs", LARGE_WIDTH, LARGE_HEIGHT, 1);
  g_autofree guint8 *got = run_slow (GPU_PALETTE_WALK_LANES, 1, rgba);
  g_autofree guint8 *expected = run_slow (GPU_PALETTE_WALK_GROUPS, 0, rgba);

  compare_pixels ("waiting groups", got, expected, LARGE_WIDTH, LARGE_HEIGHT);
}

static void
check_too_long (Engine * engine, const guint8 * rgba,
    GpuPaletteWeighting weighting)
{
  const GpuPaletteSettings settings = { 0.03, weighting };
  g_autoptr (GError) error = NULL;

  g_assert_null (engine_try (engine, &settings, rgba, engine_record, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "use a smaller radius"));
}

/* Steps that a CPU device would not come to the end of are refused, whether it is
 * points that are many or only heavy ones; the next frame is right. Where steps are
 * short enough groups wait for the next round as soon as they have to. */
static void
test_long_steps (void)
{
  const guint columns = 20, rows = 20, width = columns * 24, height = rows * 48;
  g_autofree guint8 *rgba = g_malloc (width * height * 4);
  g_autoptr (Engine) engine = engine_new_slow (width, height);
  guint rounds;

  for (guint i = 0; i < width * height; i++) {
    const guint8 pixel[] =
        { 60 + i % width / 24, 60 + i / width / 48, 90, 255 };

    memcpy (rgba + i * 4, pixel, 4);
  }
  check (engine, "no long steps", rgba, &(GpuPaletteSettings) {
      0.03, GPU_PALETTE_PALETTE}
  );
  rounds = engine->report.rounds;
  engine_tune (engine, &(GpuPaletteTuning) {
      .step_rounds = 1}
  );
  check_too_long (engine, rgba, GPU_PALETTE_PALETTE);
  engine_tune (engine, &(GpuPaletteTuning) {
      .cell_shift = 10,.step_rounds = 350}
  );
  check_too_long (engine, rgba, GPU_PALETTE_FREQUENCY);
  check (engine, "short steps", rgba, &(GpuPaletteSettings) {
      0.03, GPU_PALETTE_PALETTE}
  );
  g_assert_cmpuint (engine->report.rounds, >, rounds);
  engine_tune (engine, &(GpuPaletteTuning) {
      0});
  check (engine, "heavy steps", rgba, &(GpuPaletteSettings) {
      0.03, GPU_PALETTE_FREQUENCY}
  );
}

/* Where lists are short again, the shader for these is. */
static void
test_short_lists_again (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MIDDLE_WIDTH, MIDDLE_HEIGHT, FALSE);

  engine_tune (engine, &(GpuPaletteTuning) {
      .list_rounds = some_list_rounds ()}
  );
  for (guint i = 0; i < 2; i++) {
    check_handed_over (engine, "blobs", 5, 0.06, GPU_PALETTE_FREQUENCY, TRUE);
    check_handed_over (engine, "noise", 4, 0.06, GPU_PALETTE_FREQUENCY, FALSE);
  }
}

/* Steps of the first walks without sharing, and the distances they computed:
 * neither depends on how threads race. */
static void
count_tests (const guint8 * rgba, gdouble radius, guint max_shared,
    GpuPaletteWeighting weighting, GpuPaletteReport * report)
{
  const GpuPaletteSettings settings = { radius, weighting, 4 };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gsize before = info->max_shared;
  g_autoptr (Engine) engine = NULL;
  g_autofree guint8 *out = NULL;

  info->max_shared = max_shared;
  engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA, MIDDLE_WIDTH,
      MIDDLE_HEIGHT, FALSE);
  info->max_shared = before;
  engine_tune (engine, &(GpuPaletteTuning) {
      .cell_shift = 10});
  out = engine_run (engine, &settings, rgba);
  *report = engine->report;
}

/* Whether a list comes whole or in parts, a step takes the same tests, and none
 * of a point that is no candidate. */
static void
test_counted_tests (void)
{
  g_autofree guint8 *rgba =
      generated_picture_new ("noise", MIDDLE_WIDTH, MIDDLE_HEIGHT, 5);

  for (guint w = 0; w < 2; w++) {
    GpuPaletteReport whole, parts;

    count_tests (rgba, 0.3, 32768, w, &whole);
    count_tests (rgba, 0.3, LEAST_SHARED, w, &parts);
    g_assert_cmpuint (whole.steps, >, whole.colours);
    g_assert_cmpuint (parts.steps, ==, whole.steps);
    g_assert_cmpuint (parts.tests, ==, whole.tests);
    g_assert_cmpuint (whole.tests, <, whole.steps * whole.colours);
  }
}

/* Colours of one cell, which all its lists hold, whole or in parts. */
static void
test_counted_lists (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (6);
  g_autofree guint8 *rgba = g_malloc (MIDDLE_WIDTH * MIDDLE_HEIGHT * 4);

  for (guint i = 0; i < MIDDLE_WIDTH * MIDDLE_HEIGHT * 4; i++)
    rgba[i] = i % 4 == 3 ? 255 : 110 + g_rand_int_range (random, 0, 16);
  for (guint w = 0; w < 2; w++) {
    GpuPaletteReport whole, parts;

    count_tests (rgba, 0.126, 32768, w, &whole);
    count_tests (rgba, 0.126, LEAST_SHARED, w, &parts);
    g_assert_cmpuint (whole.listed, ==, whole.lists * whole.colours);
    g_assert_cmpuint (parts.listed, ==, parts.lists * parts.colours);
  }
}

/* Weights of 1 to some thousands at all distances from each other: all
 * digits of weights, in balls and across their surfaces. */
static void
test_weights (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  g_autofree guint8 *rgba = g_malloc (WIDTH * HEIGHT * 4);

  for (guint i = 0; i < WIDTH * HEIGHT; i++) {
    guint spread = g_bit_storage (g_rand_int (random) & 0xfff);

    for (guint k = 0; k < 3; k++)
      rgba[i * 4 + k] = 100 + 4 * spread
          + (spread > 8 ? 0 : g_rand_int_range (random, 0, 12));
    rgba[i * 4 + 3] = 255;
  }
  for (guint cell = 6; cell <= 10; cell += 2) {
    engine_tune (engine, &(GpuPaletteTuning) {
        .cell_shift = cell}
    );
    for (guint r = 0; r < G_N_ELEMENTS (radii); r++)
      check (engine, "weights", rgba, &(GpuPaletteSettings) {
          radii[r] * 4, GPU_PALETTE_FREQUENCY}
    );
  }
}

/* Sums beyond 32 bits of a block of points, and more blocks than one. */
static void
test_long_sums (void)
{
  const guint width = 960, height = 300;
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);
  g_autofree guint8 *rgba = g_malloc (width * height * 4);

  for (guint y = 0; y < height; y++)
    for (guint x = 0; x < width; x++) {
      guint8 *pixel = rgba + (y * width + x) * 4;

      pixel[0] = 60 + x / 24;
      pixel[1] = 60 + y / 6;
      pixel[2] = 90;
      pixel[3] = 255;
    }
  for (guint cell = 6; cell <= 8; cell++) {
    engine_tune (engine, &(GpuPaletteTuning) {
        .cell_shift = cell}
    );
    check (engine, "long sums", rgba, &(GpuPaletteSettings) {
        0.02, GPU_PALETTE_FREQUENCY}
    );
  }
}

/* All that is cut into several dispatches in large frames. */
static void
test_slices (void)
{
  const GpuPaletteSolverType *solvers[] = { &gpu_palette_exact, &brute_solver };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      SMALL_WIDTH, SMALL_HEIGHT, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (solvers); i++) {
    engine_tune (engine, &(GpuPaletteTuning) {
        solvers[i],.slice = 256}
    );
    for (guint w = 0; w < 2; w++) {
      check_generated (engine, "noise", 9, &(GpuPaletteSettings) {
          0.1, w}
      );
      g_assert_cmpuint (engine->report.colours, >, 2 * 256);
    }
  }
}

/* Walkers that find no room for what they visit go alone, but still join
 * those that did; steps are counted without sharing then. */
static void
test_full_table (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      SMALL_WIDTH, SMALL_HEIGHT, FALSE);

  engine_tune (engine, &(GpuPaletteTuning) {
      .table_bits = 18});
  for (guint w = 0; w < 2; w++) {
    check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
        0.1, w}
    );
    check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
        0.1, w, 9}
    );
    check_generated (engine, "blobs", 5, &(GpuPaletteSettings) {
        0.02, w}
    );
  }
}

/* The same bytes on every device, whatever the size of its subgroups; the
 * oracle agrees, but takes its time. */
static void
test_digest (void)
{
  static const gchar *const digests[] = {
    "304f0f095eb19da0ad322adf2d03dcedde3834aa8251f13a1127fb89b1a0ab26",
    "704b739d59e8886cebc55d4887709b95445376519b11754a1669a677c4c8babc",
  };
  const guint width = 160, height = 90;
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", width, height, 9);

  for (guint w = 0; w < G_N_ELEMENTS (digests); w++) {
    const GpuPaletteSettings settings = { 0.01, w };
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);
    g_autofree gchar *digest = g_compute_checksum_for_data (G_CHECKSUM_SHA256,
        got, width * height * 4);

    if (is_full)
      check (engine, "blobs", rgba, &settings);
    g_assert_cmpstr (digest, ==, digests[w]);
  }
}

/* --- from frame to frame --- */

static void
swap_ends (guint8 * rgba, gsize n_pixels)
{
  for (gsize i = 0; i < n_pixels / 2; i++)
    for (guint k = 0; k < 4; k++) {
      guint8 byte = rgba[i * 4 + k];

      rgba[i * 4 + k] = rgba[(n_pixels - 1 - i) * 4 + k];
      rgba[(n_pixels - 1 - i) * 4 + k] = byte;
    }
}

static void
check_solved (Engine * engine, const guint8 * rgba,
    const GpuPaletteSettings * settings, gboolean is_solved)
{
  check (engine, "sequence", rgba, settings);
  g_assert_cmpint (engine->report.solved, ==, is_solved);
}

static void
test_reuse (void)
{
  const GpuPaletteSettings frequency = { 0.03, GPU_PALETTE_FREQUENCY };
  const GpuPaletteSettings palette = { 0.03, GPU_PALETTE_PALETTE };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", WIDTH, HEIGHT, 6);

  check_solved (engine, rgba, &frequency, TRUE);
  check_solved (engine, rgba, &frequency, FALSE);
  /* Every pixel elsewhere, the same histogram. */
  swap_ends (rgba, WIDTH * HEIGHT);
  check_solved (engine, rgba, &frequency, FALSE);
  check_solved (engine, rgba, &palette, TRUE);
  /* Another setting. */
  check_solved (engine, rgba, &(GpuPaletteSettings) {
      0.031, GPU_PALETTE_FREQUENCY}, TRUE);
}

/* The same colours in other numbers matter where these are the weights. */
static void
test_counts_change (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  gsize last = (WIDTH * HEIGHT - 1) * 4;

  for (guint w = 0; w < 2; w++) {
    const GpuPaletteSettings settings = { 1, w };
    g_autofree guint8 *rgba =
        generated_picture_new ("black-white", WIDTH, HEIGHT, 0);

    check_solved (engine, rgba, &settings, TRUE);
    for (guint i = 0; i < 200; i++)
      memcpy (rgba + last - i * 4, rgba, 4);
    check_solved (engine, rgba, &settings, w == GPU_PALETTE_FREQUENCY);
  }
}

/* Colours come and go, a few pixels at a time and all at once. */
static void
test_incremental (void)
{
  const GpuPaletteSettings settings = { 0.03, GPU_PALETTE_FREQUENCY };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  g_autofree guint8 *rgba =
      generated_picture_new ("alpha-noise", WIDTH, HEIGHT, 7);

  for (guint frame = 0; frame < (is_full ? 12 : 7); frame++) {
    check (engine, "sequence", rgba, &settings);
    /* Everything changed before frame 4. */
    g_assert_cmpint (engine->report.recounted, ==, frame == 0 || frame == 5);
    if (frame == 3) {
      g_autofree guint8 *cut =
          generated_picture_new ("gradient", WIDTH, HEIGHT, 0);

      memcpy (rgba, cut, WIDTH * HEIGHT * 4);
    }
    for (guint i = 0; i < 30; i++) {
      guint at = g_rand_int_range (random, 0, WIDTH * HEIGHT);

      rgba[at * 4 + g_rand_int_range (random, 0, 4)] =
          g_rand_int_range (random, 0, 3) * 127;
    }
  }
}

/* With radius 0 every colour stays: frames need no oracle. */
static void
test_recount (void)
{
  const GpuPaletteSettings settings = { 0, GPU_PALETTE_FREQUENCY };
  guint width = 401, height = 300;
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);
  /* What a frame changed decides about the next one. */
  gboolean expected[] = { TRUE, FALSE, TRUE, TRUE, FALSE };

  for (guint frame = 0; frame < 5; frame++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", width, height, MIN (frame, 2));
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("noise", got, rgba, width, height);
    g_assert_cmpint (engine->report.recounted, ==, expected[frame]);
    g_assert_cmpint (engine->report.solved, ==, frame < 3);
  }
}

/* --- memory --- */

static VkDeviceSize largest_buffer;

static VKAPI_ATTR VkResult VKAPI_CALL
refuse_large (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (info->size > largest_buffer)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return gpu_hooks_get_driver ()->vkCreateBuffer (device, info, allocator,
      buffer);
}

#define MANY_WIDTH 420
#define MANY_HEIGHT 320
static const GpuPaletteSettings few_neighbours = {
  0.001, GPU_PALETTE_FREQUENCY
};

/* More colours than a solver has room for at first, behind a frame with few of
 * them, where no buffer is larger than @largest. */
static void
check_growth (const guint8 * noise, const guint8 * expected,
    VkDeviceSize largest, guint64 * memory)
{
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  g_autofree guint8 *got = NULL;
  guint64 before;

  check_generated (engine, "black-white", 0, &few_neighbours);
  before = engine->report.memory;
  gpu_hooks_install (device);
  largest_buffer = largest;
  device->vk.vkCreateBuffer = refuse_large;
  got = engine_run (engine, &few_neighbours, noise);
  gpu_hooks_remove (device);
  compare_pixels ("growth", got, expected, MANY_WIDTH, MANY_HEIGHT);
  g_assert_cmpuint (engine->report.memory, >, before);
  *memory = engine->report.memory;
  check_generated (engine, "black-white", 0, &few_neighbours);
}

/* Room that is not there is an error, but not the end. */
static void
check_refused (const guint8 * noise, VkDeviceSize largest)
{
  const GpuPaletteSettings kept = { 0, GPU_PALETTE_FREQUENCY };
  g_autoptr (GError) error = NULL;
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  g_autofree guint8 *got = NULL;

  check_generated (engine, "black-white", 0, &kept);
  gpu_hooks_install (device);
  largest_buffer = largest;
  device->vk.vkCreateBuffer = refuse_large;
  got = engine_try (engine, &kept, noise, engine_record, &error);
  gpu_hooks_remove (device);
  g_assert_null (got);
  g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
  got = engine_run (engine, &kept, noise);
  compare_pixels ("refused", got, noise, MANY_WIDTH, MANY_HEIGHT);
}

static void
test_growth (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  g_autofree guint8 *noise =
      generated_picture_new ("noise", MANY_WIDTH, MANY_HEIGHT, 1);
  g_autofree guint8 *expected = engine_run (engine, &few_neighbours, noise);
  GpuDevice *device = gpu_fixture_device ();
  guint64 wanted, short_of, budgeted;

  g_assert_cmpuint (engine->report.colours, >, 1 << 17);
  check_growth (noise, expected, G_MAXUINT64, &wanted);
  g_assert_cmpuint (wanted, ==, engine->report.memory);
  /* Not for the set of visited points that is wanted. */
  check_growth (noise, expected, 1 << 24, &short_of);
  g_assert_cmpuint (short_of, <, wanted);
  /* Nor would it leave others anything. */
  played_memory_leave (device, 64 << 20);
  check_growth (noise, expected, G_MAXUINT64, &budgeted);
  g_assert_cmpuint (budgeted, ==, short_of);
  played_memory_end (device);
  /* Not for the list of colours, and not for walks. */
  check_refused (noise, 1 << 20);
  check_refused (noise, 1 << 21);
}

/* A frame of @n colours, the same of each but for the last. */
static guint8 *
colours_new (guint n)
{
  guint8 *rgba = g_malloc (MANY_WIDTH * MANY_HEIGHT * 4);

  for (guint i = 0; i < MANY_WIDTH * MANY_HEIGHT; i++) {
    /* An odd factor permutes the colours. */
    guint colour = i % n * 0x9e3779b1u & 0xffffff;

    rgba[i * 4] = colour >> 16;
    rgba[i * 4 + 1] = colour >> 8;
    rgba[i * 4 + 2] = colour;
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

static void check_samples (Engine * engine, const gchar * what,
    const guint8 * rgba, const guint8 * got, guint step);

/* As a palette has it that saw nothing before, and the oracle. */
static void
check_colours (Engine * engine, guint n, GpuPaletteWeighting weighting)
{
  const GpuPaletteSettings settings = { 0.004, weighting };
  g_autofree gchar *what = g_strdup_printf ("%u colours", n);
  g_autoptr (Engine) fresh = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  g_autofree guint8 *rgba = colours_new (n);
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);
  g_autofree guint8 *expected = engine_run (fresh, &settings, rgba);

  g_assert_cmpuint (engine->report.colours, ==, n);
  g_assert_true (engine->report.solved);
  compare_pixels (what, got, expected, MANY_WIDTH, MANY_HEIGHT);
  check_samples (engine, what, rgba, got, 9151);
  g_assert_cmpuint (engine->report.ends, ==, fresh->report.ends);
  g_assert_cmpuint (engine->report.output_colours, ==,
      fresh->report.output_colours);
}

/* As many colours as there is room to list, one more, many more, few again; in
 * turns with either weighting, which lists know nothing of. */
static void
test_room (void)
{
  static const guint numbers[] = {
    2, GPU_PALETTE_LEAST_ROOM, GPU_PALETTE_LEAST_ROOM + 1, 3,
    MANY_WIDTH * MANY_HEIGHT, 5
  };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);

  for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
    check_colours (engine, numbers[i], i % 2);
}

/* Sums of weights times coordinates beyond 32 bits, 16 million pixels. */
static void
test_neighbours (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBX, GPU_PIXELS_RGBA,
      4096, 4096, FALSE);

  check_generated (engine, "neighbours", 0, &(GpuPaletteSettings) {
      0.0624, GPU_PALETTE_FREQUENCY});
}

/* Wherever a frame is cancelled, the next one is right. */
static void
test_cancel (void)
{
  const GpuPaletteSettings settings = { 0.1, GPU_PALETTE_FREQUENCY };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);

  for (guint at = 0; at < 3; at++) {
    g_autoptr (GError) error = NULL;
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", WIDTH, HEIGHT, at + 10);

    engine->let_through = at;
    g_assert_null (engine_try (engine, &settings, rgba,
            engine_record_cancelled, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_CANCELLED);
    check_generated (engine, "noise", at + 1, &settings);
  }
}

static guint buffers_left;      /* until there is no room */
static PFN_vkCreateBuffer create_counted;

static VkResult VKAPI_CALL
create_buffer (VkDevice device, const VkBufferCreateInfo * info,
    const VkAllocationCallbacks * allocator, VkBuffer * buffer)
{
  if (buffers_left-- == 0)
    return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  return create_counted (device, info, allocator, buffer);
}

static gboolean
record_without_room (GpuStream * stream, const GpuFrame * in,
    const GpuFrame * out, gpointer data, GError ** error)
{
  struct VolkDeviceTable *vk = &gpu_stream_get_device (stream)->vk;
  gboolean done;

  create_counted = vk->vkCreateBuffer;
  vk->vkCreateBuffer = create_buffer;
  done = engine_record (stream, in, out, data, error);
  vk->vkCreateBuffer = create_counted;
  return done;
}

static void
check_interrupted (Engine * engine, GpuFixtureRecord interrupted, gint code)
{
  g_autoptr (GError) error = NULL;
  g_autofree guint8 *rgba = colours_new (MANY_WIDTH * MANY_HEIGHT);

  g_assert_null (engine_try (engine, &few_neighbours, rgba, interrupted,
          &error));
  g_assert_error (error, GPU_ERROR, code);
}

/* Wherever a frame ends that has more colours than there is room to list, the
 * next one is right, whether it has few colours, as many as that one,
 * or one more than there is room for. */
static void
test_room_cancelled (void)
{
  static const guint numbers[] = {
    MANY_WIDTH * MANY_HEIGHT, 3, GPU_PALETTE_LEAST_ROOM + 1, 3
  };

  for (guint at = 0; at < G_N_ELEMENTS (numbers); at++) {
    g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
        MANY_WIDTH, MANY_HEIGHT, FALSE);

    check_colours (engine, 2, GPU_PALETTE_FREQUENCY);
    engine->let_through = at;
    check_interrupted (engine, engine_record_cancelled, GPU_ERROR_CANCELLED);
    check_colours (engine, numbers[at], GPU_PALETTE_FREQUENCY);
  }
}

/* The same where one of the arrays finds no memory, after which those that were
 * there serve, and nothing else is left. */
static void
test_room_refused (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  GpuDevice *device = gpu_fixture_device ();
  gsize memory;

  check_colours (engine, 2, GPU_PALETTE_FREQUENCY);
  memory = gpu_palette_get_memory (engine->palette);
  for (guint refused = 0; refused < 4; refused++) {
    gint alive;

    gpu_hooks_install (device);
    buffers_left = refused;
    check_interrupted (engine, record_without_room, GPU_ERROR_OUT_OF_MEMORY);
    alive = gpu_hooks_get_alive ();
    gpu_hooks_remove (device);
    g_assert_cmpint (alive, <=, 0);
    g_assert_cmpuint (gpu_palette_get_memory (engine->palette), ==, memory);
    check_colours (engine, 3, GPU_PALETTE_FREQUENCY);
  }
  check_colours (engine, MANY_WIDTH * MANY_HEIGHT, GPU_PALETTE_FREQUENCY);
}

/* Every colour there is. */
static void
test_all_colours (void)
{
  g_autofree guint8 *rgba = g_malloc ((gsize) 4 << 24);

  for (guint i = 0; i < 1u << 24; i++) {
    /* An odd factor permutes the colours. */
    guint colour = i * 0x9e3779b1u & 0xffffff;

    rgba[i * 4] = colour >> 16;
    rgba[i * 4 + 1] = colour >> 8;
    rgba[i * 4 + 2] = colour;
    rgba[i * 4 + 3] = 255;
  }
  for (guint is_linear = 0; is_linear < (is_full ? 2 : 1); is_linear++) {
    g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
        4096, 4096, is_linear);
    g_autofree guint8 *got = engine_run (engine,
        &(GpuPaletteSettings) { 0, GPU_PALETTE_FREQUENCY }, rgba);

    compare_pixels ("all colours", got, rgba, 4096, 4096);
    g_assert_cmpuint (engine->report.colours, ==, 1u << 24);
    g_assert_cmpuint (engine->report.output_colours, ==, 1u << 24);
    g_assert_cmpuint (engine->report.ends, ==, 1u << 24);
  }
}

/* Pixels of all parts of a picture, one in @step, against the oracle, which would take
 * far too long for all of them. */
static void
check_samples (Engine * engine, const gchar * what, const guint8 * rgba,
    const guint8 * got, guint step)
{
  const ReferencePaletteSettings wanted =
      engine_reference_settings (engine, &engine->settings);
  guint n_pixels = engine->in.width * engine->in.height;
  guint n = (n_pixels + step - 1) / step;
  g_autofree guint8 *samples = g_malloc (n * 4);
  g_autofree guint8 *expected = g_malloc (n * 4);

  for (guint i = 0; i < n; i++)
    memcpy (samples + i * 4, rgba + (gsize) i * step * 4, 4);
  reference_palette_from (&wanted, rgba, n_pixels, samples, n, expected, NULL);
  for (guint i = 0; i < n; i++)
    memcpy (samples + i * 4, got + (gsize) i * step * 4, 4);
  compare_pixels (what, samples, expected, n, 1);
}

/* More than 2^17 colours, and memory for them: sets of visited points of more
 * than 2^22 words, which smaller frames never have, and, as slow devices do it,
 * more walkers than a round takes, which on GPUs are some millions. Brute force
 * has neither, but tests 3 * 10^10 points for a step of all walkers: too many
 * for a CPU. */
static void
test_many_colours (void)
{
  const guint width = 1280, height = 720;
  const GpuPaletteSettings settings = { 0.01, GPU_PALETTE_FREQUENCY };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      width, height, FALSE);
  g_autoptr (Engine) slow = engine_new_slow (width, height);
  g_autofree guint8 *rgba = generated_picture_new ("blobs", width, height, 23);
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);
  g_autofree guint8 *in_rounds = engine_run (slow, &settings, rgba);
  GpuPaletteReport report = engine->report;
  g_autofree guint8 *expected = NULL;

  g_assert_cmpuint (report.colours, >, 1 << 17);
  check_samples (engine, "many colours, samples", rgba, got, 9151);
  compare_pixels ("many colours, in rounds", in_rounds, got, width, height);
  engine_tune (engine, &(GpuPaletteTuning) {
      &brute_solver});
  expected = engine_run (engine, &settings, rgba);
  g_assert_true (engine->report.solved);
  compare_pixels ("many colours", got, expected, width, height);
  g_assert_cmpuint (report.ends, ==, engine->report.ends);
  g_assert_cmpuint (report.output_colours, ==, engine->report.output_colours);
}

/* Half the colours of a cube, at random, a pixel each: no film has as many, nor so
 * close to each other. */
static guint8 *
make_million (void)
{
  guint8 *rgba = g_malloc ((gsize) 4 << 20);

  for (guint i = 0; i < 1u << 20; i++) {
    /* Each line permutes numbers of 21 bits. */
    guint colour = i * 0x9e3779b1u & 0x1fffff;

    colour ^= colour >> 11;
    colour = colour * 0x85ebca6bu & 0x1fffff;
    colour ^= colour >> 9;
    rgba[i * 4] = 64 + (colour & 127);
    rgba[i * 4 + 1] = 64 + (colour >> 7 & 127);
    rgba[i * 4 + 2] = 64 + (colour >> 14);
    rgba[i * 4 + 3] = 255;
  }
  return rgba;
}

static void
test_million_colours (void)
{
  const GpuPaletteSettings settings = { 0.004, GPU_PALETTE_PALETTE };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      1024, 1024, FALSE);
  g_autofree guint8 *rgba = make_million ();
  g_autofree guint8 *got = engine_run (engine, &settings, rgba);

  g_assert_cmpuint (engine->report.colours, ==, 1 << 20);
  /* A prime, so that samples are of many columns. */
  check_samples (engine, "a million colours", rgba, got, 1009);
}

#define N_FORMATS (GPU_PIXELS_BGR - GPU_PIXELS_RGBA + 1)

/* Widths that leave a part of a word or of a quad, and frames smaller than anything:
 * two sizes for each pair. */
static void
check_format (GpuPixels in, GpuPixels out)
{
  static const guint sizes[][2] = {
    {1, 1}, {2, 3}, {3, 2}, {5, 4}, {17, 9}, {31, 7}, {64, 1}
  };

  for (guint i = 0; i < 2; i++) {
    const guint *size = sizes[(in + 4 * i) % G_N_ELEMENTS (sizes)];
    g_autoptr (Engine) engine = engine_new (in, out, size[0], size[1], FALSE);

    check_generated (engine, "alpha-noise", in, &(GpuPaletteSettings) {
        0.05, 0});
  }
}

/* Formats in, and those so far behind them out. */
static void
check_formats (guint behind)
{
  for (guint in = 0; in < N_FORMATS; in++)
    check_format (GPU_PIXELS_RGBA + in,
        GPU_PIXELS_RGBA + (in + behind) % N_FORMATS);
}

static void
test_formats (void)
{
  check_formats (3);
}

/* Of those whose pixels are no words. */
static void
test_three_bytes (void)
{
  check_format (GPU_PIXELS_RGB, GPU_PIXELS_BGR);
}

static void
test_all_formats (void)
{
  for (guint behind = 0; behind < N_FORMATS; behind++)
    check_formats (behind);
}

static void
test_linear (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      SMALL_WIDTH, SMALL_HEIGHT, TRUE);

  check_generated (engine, "noise", 4, &(GpuPaletteSettings) {
      0, 0});
  engine_tune (engine, &(GpuPaletteTuning) {
      &brute_solver});
  check_generated (engine, "blobs", 4, &(GpuPaletteSettings) {
      0.02, 0});
}

/* --- solvers --- */

static guint n_keepers;         /* that there are */

#define KEEPER_MEMORY 4711

static GpuPaletteSolver *keeper_create (GpuPaletteWork * work, GError ** error);

static void
keeper_free (GpuPaletteSolver * solver)
{
  n_keepers--;
  g_free (solver);
}

static guint64
keeper_get_memory (GpuPaletteSolver * solver)
{
  return KEEPER_MEMORY;
}

static gboolean
keeper_solve (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
    GError ** error)
{
  GpuPaletteWork *work = solve->work;
  GpuStream *stream = solve->run->stream;

  gpu_stream_barrier (stream);
  gpu_stream_copy (stream, work->list, 0, work->results, 0,
      gpu_buffer_get_size (work->list));
  gpu_stream_barrier (stream);
  return TRUE;
}

/* Leaves every colour as it is. */
static const GpuPaletteSolverType keeper = {
  .name = "keeper",
  .create = keeper_create,
  .free = keeper_free,
  .get_memory = keeper_get_memory,
  .solve = keeper_solve,
};

static GpuPaletteSolver *
keeper_create (GpuPaletteWork * work, GError ** error)
{
  GpuPaletteSolver *solver = g_new0 (GpuPaletteSolver, 1);

  solver->type = &keeper;
  n_keepers++;
  return solver;
}

/* A solver is made for the first frame that needs it, and goes when another one
 * is wanted. */
static void
test_solvers (void)
{
  const GpuPaletteSettings settings = { 0.1, GPU_PALETTE_FREQUENCY };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);

  engine_tune (engine, &(GpuPaletteTuning) {
      &keeper});
  g_assert_cmpuint (n_keepers, ==, 0);
  for (guint frame = 0; frame < 4; frame++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", WIDTH, HEIGHT, frame / 2);
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("kept", got, rgba, WIDTH, HEIGHT);
    g_assert_cmpuint (n_keepers, ==, 1);
    g_assert_cmpuint (engine->report.memory, ==, KEEPER_MEMORY);
    g_assert_cmpint (engine->report.solved, ==, frame % 2 == 0);
  }
  engine_tune (engine, &(GpuPaletteTuning) {
      NULL}
  );
  check_generated (engine, "noise", 1, &settings);
  g_assert_cmpuint (n_keepers, ==, 0);
  g_assert_cmpuint (engine->report.memory, >, KEEPER_MEMORY);
}

static void
check_kept (Engine * engine, guint n)
{
  g_autofree guint8 *rgba = colours_new (n);
  g_autofree guint8 *got = NULL;

  engine_tune (engine, &(GpuPaletteTuning) {
      &keeper});
  got = engine_run (engine, &few_neighbours, rgba);
  compare_pixels ("kept", got, rgba, MANY_WIDTH, MANY_HEIGHT);
}

/* Whichever solver it is, it finds room for all colours: in the first frame, and where a
 * list was made for fewer that did not change since. */
static void
test_solver_room (void)
{
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);
  g_autoptr (Engine) fresh = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      MANY_WIDTH, MANY_HEIGHT, FALSE);

  check_colours (engine, 5, GPU_PALETTE_FREQUENCY);
  check_kept (engine, 5);
  check_kept (engine, MANY_WIDTH * MANY_HEIGHT);
  check_kept (fresh, MANY_WIDTH * MANY_HEIGHT);
}

/* A frame is cut for what it may hold, whatever the one before it held. Without walks,
 * for which a GPU takes now a submission more, now less. */
static void
test_cuts (void)
{
  const GpuPaletteSettings settings = { 0, GPU_PALETTE_FREQUENCY };
  const guint width = 1280, height = 720;
  g_autoptr (Engine) engine = engine_new_slow (width, height);
  g_autofree guint8 *flat = g_malloc (width * height * 4);
  guint submissions[5];

  engine_tune (engine, &(GpuPaletteTuning) {
      &keeper});
  /* By what is stated, not by what this device took. */
  engine->info.kind = GPU_DEVICE_CPU;
  engine->info.timestamp_period = 0;
  memset (flat, 255, width * height * 4);
  for (guint frame = 0; frame < 5; frame++) {
    g_autofree guint8 *noise =
        generated_picture_new ("noise", width, height, frame);
    const guint8 *rgba = frame == 2 ? flat : noise;
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("cuts", got, rgba, width, height);
    g_assert_true (engine->report.solved);
    submissions[frame] = engine->report.submissions;
  }
  g_assert_true (engine->report.recounted);
  g_assert_cmpuint (submissions[3], ==, submissions[4]);
}

/* Frames without a colour need no solver. */
static void
test_no_solver (void)
{
  const GpuPaletteSettings settings = { 0.1, GPU_PALETTE_FREQUENCY };
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  g_autofree guint8 *rgba = g_malloc0 (WIDTH * HEIGHT * 4);

  check (engine, "transparent", rgba, &settings);
  g_assert_cmpuint (engine->report.memory, ==, 0);
  check_generated (engine, "noise", 1, &settings);
  g_assert_cmpuint (engine->report.memory, >, 0);
}

/* Where there is no room for a solver the frame fails, nothing of the solver
 * is left, and the next frame tries again. */
static void
test_no_room (void)
{
  const GpuPaletteSettings settings = { 0.1, GPU_PALETTE_FREQUENCY };
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = engine_new (GPU_PIXELS_RGBA, GPU_PIXELS_RGBA,
      WIDTH, HEIGHT, FALSE);
  g_autofree guint8 *rgba = generated_picture_new ("noise", WIDTH, HEIGHT, 1);
  gint alive = 0;

  gpu_hooks_install (device);
  for (guint room = 0; room < 24; room += 6) {
    g_autoptr (GError) error = NULL;

    buffers_left = room;
    g_assert_null (engine_try (engine, &settings, rgba, record_without_room,
            &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    if (room > 0)
      g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
    alive = gpu_hooks_get_alive ();
  }
  gpu_hooks_remove (device);
  check_generated (engine, "noise", 1, &settings);
}

typedef struct
{
  const gchar *name;
  void (*run) (void);
  gboolean is_essential;        /* a size of subgroups might break it */
} WalkTest;

static const WalkTest walk_tests[] = {
  {"corners", test_corners, TRUE},
  {"limits", test_limits, TRUE},
  {"small-cells", test_small_cells},
  {"full-table", test_full_table},
  {"weights", test_weights, TRUE},
  {"long-sums", test_long_sums, TRUE},
  {"digest", test_digest, TRUE},
};

static void
run_with_groups (gconstpointer test)
{
  walk = GPU_PALETTE_WALK_GROUPS;
  ((const WalkTest *) test)->run ();
  walk = 0;
}

static void
run_with_lanes (gconstpointer test)
{
  walk = GPU_PALETTE_WALK_LANES;
  ((const WalkTest *) test)->run ();
  walk = 0;
}

static void
add_walk (const gchar * name, const WalkTest * test, GTestDataFunc run)
{
  g_autofree gchar *path = g_strdup_printf ("/palette/%s/%s", name, test->name);

  g_test_add_data_func (path, test, run);
}

static void
add_walks (const gchar * name, GTestDataFunc run)
{
  for (guint i = 0; i < G_N_ELEMENTS (walk_tests); i++)
    if (!is_essential || walk_tests[i].is_essential)
      add_walk (name, &walk_tests[i], run);
}

static void
add_groups (void)
{
  static const WalkTest long_steps = { "long-steps", test_long_steps };

  add_walks ("groups", run_with_groups);
  add_walk ("groups", &long_steps, run_with_groups);
}

static void
add_lanes (void)
{
  static const WalkTest small_shared = {
    "small-shared", test_small_shared
  };
  static const WalkTest long_lists = { "long-lists", test_long_lists };
  static const WalkTest short_lists = {
    "short-lists-again", test_short_lists_again
  };

  add_walks ("lanes", run_with_lanes);
  add_walk ("lanes", &small_shared, run_with_lanes);
  /* How long a list may be follows from the size of subgroups; what happens then
   * does not. */
  if (is_essential)
    return;
  add_walk ("lanes", &long_lists, run_with_lanes);
  add_walk ("lanes", &short_lists, run_with_lanes);
}

/* All radii, for exactness, and what walks count; formats that differ from one among
 * the others in the order of bytes; frames that fail, are cut, or find more room; frames
 * of 4096 x 4096: nothing is read or written that others leave out. */
static void
add_sequences (void)
{
  static const WalkTest pictures = { "pictures", test_pictures };
  static const WalkTest counted_tests = {
    "counted-tests", test_counted_tests
  };
  static const WalkTest counted_lists = {
    "counted-lists", test_counted_lists
  };
  static const WalkTest waiting_groups = {
    "waiting-groups", test_waiting_groups
  };

  g_test_add_func ("/palette/brute/pictures", test_brute_pictures);
  add_walk ("groups", &pictures, run_with_groups);
  add_walk ("lanes", &pictures, run_with_lanes);
  add_walk ("lanes", &counted_tests, run_with_lanes);
  add_walk ("lanes", &counted_lists, run_with_lanes);
  add_walk ("lanes", &waiting_groups, run_with_lanes);
  g_test_add_func ("/palette/sequence/cancel", test_cancel);
  g_test_add_func ("/palette/sequence/room", test_room);
  g_test_add_func ("/palette/sequence/recount", test_recount);
  g_test_add_func ("/palette/sequence/growth", test_growth);
  g_test_add_func ("/palette/sequence/room-cancelled", test_room_cancelled);
  g_test_add_func ("/palette/sequence/room-refused", test_room_refused);
  g_test_add_func ("/palette/sequence/cuts", test_cuts);
  g_test_add_func ("/palette/formats", test_formats);
  g_test_add_func ("/palette/neighbours", test_neighbours);
  g_test_add_func ("/palette/all-colours", test_all_colours);
}

static void
add_others (void)
{
  g_test_add_func ("/palette/brute/corners", test_brute_corners);
  g_test_add_func ("/palette/brute/limits", test_brute_limits);
  g_test_add_func ("/palette/slices", test_slices);
  g_test_add_func ("/palette/sequence/reuse", test_reuse);
  g_test_add_func ("/palette/sequence/counts-change", test_counts_change);
  g_test_add_func ("/palette/sequence/incremental", test_incremental);
  g_test_add_func ("/palette/solvers/in-turn", test_solvers);
  g_test_add_func ("/palette/solvers/room", test_solver_room);
  g_test_add_func ("/palette/solvers/none", test_no_solver);
  g_test_add_func ("/palette/solvers/no-room", test_no_room);
  g_test_add_func ("/palette/three-bytes", test_three_bytes);
  g_test_add_func ("/palette/linear", test_linear);
}

static void
add_full (void)
{
  g_test_add_func ("/palette/many-colours", test_many_colours);
  g_test_add_func ("/palette/million-colours", test_million_colours);
  g_test_add_func ("/palette/all-formats", test_all_formats);
}

/* What a size of subgroups might break. */
static void
add_essential (void)
{
  add_groups ();
  add_lanes ();
  g_test_add_func ("/palette/slices", test_slices);
  g_test_add_func ("/palette/counts-change", test_counts_change);
  g_test_add_func ("/palette/incremental", test_incremental);
  g_test_add_func ("/palette/three-bytes", test_three_bytes);
}

static gboolean
has_argument (int argc, char **argv, const gchar * argument)
{
  for (gint i = 1; i < argc; i++)
    if (strcmp (argv[i], argument) == 0)
      return TRUE;
  return FALSE;
}

/* In parts that can run side by side: --walks, --sequences and --others; these three
 * without an argument. --exact-modes: the essential tests of test_exact_modes.c, too.
 * --full: the cross product of all settings. */
static void
add_tests (int argc, char **argv)
{
  gboolean is_all;

  is_full = has_argument (argc, argv, "--full");
  is_essential = has_argument (argc, argv, "--essential");
  is_all = is_full || argc < 2;
  if (is_essential)
    add_essential ();
  /* So that lists which are whole and those in parts take the same shader of each
   * walk: where every access is looked at, shaders take their time to build. It holds
   * for all tests of the process. */
  if (has_argument (argc, argv, "--walks"))
    gpu_fixture_device ()->info.max_shared = LEAST_SHARED;
  if (is_all || has_argument (argc, argv, "--walks")) {
    add_groups ();
    add_lanes ();
  }
  if (is_all || has_argument (argc, argv, "--sequences"))
    add_sequences ();
  if (is_all || has_argument (argc, argv, "--others"))
    add_others ();
  /* Through the same shaders. */
  if (has_argument (argc, argv, "--exact-modes"))
    add_exact_modes_tests (TESTS_ESSENTIAL);
  if (is_full)
    add_full ();
}

int
main (int argc, char **argv)
{
  int result;

  g_test_init (&argc, &argv, NULL);
  if (gpu_fixture_skips_all ())
    return 0;
  add_tests (argc, argv);
  result = g_test_run ();
  gpu_fixture_close ();
  return result;
}
