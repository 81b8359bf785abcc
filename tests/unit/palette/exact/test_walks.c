/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* How walks come to their ends: lists of candidates that are whole, in parts or too
 * long, walkers that wait or find no room, and what walks count. */
#include "gpu/core/device/vulkan.h"
#include "exact_fixture.h"
#include "generated.h"

#include <string.h>

/* Where one dispatch is not to take all groups. */
#define LARGE_WIDTH 320
#define LARGE_HEIGHT 180

/* Small frames get large cells by themselves; these have whole cells inside
 * balls. */
EXACT_TEST (TESTS_OTHERS, BOTH_WALKS, small_cells)
{
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);

  for (guint cell = 6; cell <= 10; cell++) {
    engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = cell});
    for (guint w = 0; w < 2; w++) {
      exact_check_generated (engine, "blobs", cell, &(GpuPaletteSettings) {
        .making = {.radius = 0.02, .weighting = w},
      });
      exact_check_generated (engine, "noise", cell, &(GpuPaletteSettings) {
        .making = {.radius = 0.3, .weighting = w},
      });
    }
  }
}

/* Walkers that find no room for what they visit go alone, but still join
 * those that did; steps are counted without sharing then. */
EXACT_TEST (TESTS_OTHERS | TESTS_ACCESSES, BOTH_WALKS, full_table)
{
  g_autoptr (Engine) engine = exact_engine_new (SMALL_WIDTH, SMALL_HEIGHT);

  engine_tune (engine, &(GpuPaletteTuning) {.table_bits = 18});
  for (guint w = 0; w < 2; w++) {
    exact_check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
      .making = {.radius = 0.1, .weighting = w},
    });
    exact_check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
      .making = {.radius = 0.1, .weighting = w, .iteration_limit = 9},
    });
    exact_check_generated (engine, "blobs", 5, &(GpuPaletteSettings) {
      .making = {.radius = 0.02, .weighting = w},
    });
  }
}

/* With no more shared memory than Vulkan promises, lists of candidates come in three
 * parts. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, IN_LANES, small_shared)
{
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gsize max_shared = info->max_shared;
  g_autoptr (Engine) engine = NULL;

  info->max_shared = LEAST_SHARED;
  engine = exact_engine_new (80, 45);
  info->max_shared = max_shared;
  engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = 10});
  for (guint w = 0; w < 2; w++)
    exact_check_generated (engine, "noise", 5, &(GpuPaletteSettings) {
      .making = {.radius = 0.3, .weighting = w},
    });
}

static void
check_handed_over (Engine * engine, const gchar * picture, guint32 seed,
    gdouble radius, GpuPaletteWeighting weighting, gboolean is_handed_over)
{
  exact_check_generated (engine, picture, seed, &(GpuPaletteSettings) {
    .making = {.radius = radius, .weighting = weighting},
  });
  g_assert_cmpint (engine->report.effort.handed_over, ==, is_handed_over);
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
 * to an end, and some. The next frame begins with it. This is not
 * essential: what happens then does not depend on the size of subgroups. */
EXACT_TEST (TESTS_OTHERS, IN_LANES, long_lists)
{
  const guint list_rounds[] = { 1, some_list_rounds () };

  for (guint i = 0; i < G_N_ELEMENTS (list_rounds); i++) {
    g_autoptr (Engine) engine = exact_engine_new (MIDDLE_WIDTH, MIDDLE_HEIGHT);

    engine_tune (engine, &(GpuPaletteTuning) {.list_rounds = list_rounds[i]});
    check_handed_over (engine, "blobs", 5, 0.06, GPU_PALETTE_FREQUENCY, TRUE);
    check_handed_over (engine, "blobs", 4, 0.06, GPU_PALETTE_PALETTE, FALSE);
  }
}

/* Where lists are short again, the shader for these is. */
EXACT_TEST (TESTS_OTHERS, IN_LANES, short_lists_again)
{
  g_autoptr (Engine) engine = exact_engine_new (MIDDLE_WIDTH, MIDDLE_HEIGHT);

  engine_tune (engine, &(GpuPaletteTuning) {
    .list_rounds = some_list_rounds (),
  });
  for (guint i = 0; i < 2; i++) {
    check_handed_over (engine, "blobs", 5, 0.06, GPU_PALETTE_FREQUENCY, TRUE);
    check_handed_over (engine, "noise", 4, 0.06, GPU_PALETTE_FREQUENCY, FALSE);
  }
}

static guint8 *
run_slow (GpuPaletteWalkKind kind, guint list_rounds, const guint8 * rgba)
{
  g_autoptr (Engine) engine = exact_engine_new_slow (LARGE_WIDTH, LARGE_HEIGHT);
  guint8 *got;

  engine->walk = kind;
  engine_tune (engine, &(GpuPaletteTuning) {.list_rounds = list_rounds});
  got = engine_run (engine, &(GpuPaletteSettings) {
    .making = {.radius = 0.02, .weighting = GPU_PALETTE_PALETTE},
  }, rgba);
  g_assert_cmpint (engine->report.effort.handed_over, ==, list_rounds > 0);
  return got;
}

/* Groups of more walkers than the other shader's that wait for a dispatch when that
 * takes over. */
EXACT_TEST (TESTS_FULL, IN_LANES, waiting_groups)
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
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.03, .weighting = weighting},
  };
  g_autoptr (GError) error = NULL;

  g_assert_null (engine_try (engine, &settings, rgba, engine_record, &error));
  g_assert_error (error, GPU_ERROR, GPU_ERROR_TOO_LARGE);
  g_assert_nonnull (strstr (error->message, "use a smaller radius"));
}

/* Steps that a CPU device would not come to the end of are refused, whether it is
 * points that are many or only heavy ones; the next frame is right. Where steps are
 * short enough groups wait for the next round as soon as they have to. */
EXACT_TEST (TESTS_OTHERS | TESTS_ESSENTIAL, IN_GROUPS, long_steps)
{
  const guint columns = 20, rows = 20, width = columns * 24, height = rows * 48;
  g_autofree guint8 *rgba = g_malloc (width * height * 4);
  g_autoptr (Engine) engine = exact_engine_new_slow (width, height);
  guint rounds;

  for (guint i = 0; i < width * height; i++) {
    const guint8 pixel[] =
        { 60 + i % width / 24, 60 + i / width / 48, 90, 255 };

    memcpy (rgba + i * 4, pixel, 4);
  }
  exact_check (engine, "no long steps", rgba, &(GpuPaletteSettings) {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_PALETTE},
  });
  rounds = engine->report.effort.rounds;
  engine_tune (engine, &(GpuPaletteTuning) {.step_rounds = 1});
  check_too_long (engine, rgba, GPU_PALETTE_PALETTE);
  engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = 10,
    .step_rounds = 350});
  check_too_long (engine, rgba, GPU_PALETTE_FREQUENCY);
  exact_check (engine, "short steps", rgba, &(GpuPaletteSettings) {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_PALETTE},
  });
  g_assert_cmpuint (engine->report.effort.rounds, >, rounds);
  engine_tune (engine, &(GpuPaletteTuning) {0});
  exact_check (engine, "heavy steps", rgba, &(GpuPaletteSettings) {
    .making = {.radius = 0.03, .weighting = GPU_PALETTE_FREQUENCY},
  });
}

/* Steps of the first walks without sharing, and the distances they computed:
 * neither depends on how threads race. */
static void
count_tests (const guint8 * rgba, gdouble radius, guint max_shared,
    GpuPaletteWeighting weighting, GpuPaletteReport * report)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = radius, .weighting = weighting, .iteration_limit = 4},
  };
  GpuDeviceInfo *info = &gpu_fixture_device ()->info;
  gsize before = info->max_shared;
  g_autoptr (Engine) engine = NULL;
  g_autofree guint8 *out = NULL;

  info->max_shared = max_shared;
  engine = exact_engine_new (MIDDLE_WIDTH, MIDDLE_HEIGHT);
  info->max_shared = before;
  engine_tune (engine, &(GpuPaletteTuning) {.cell_shift = 10});
  out = engine_run (engine, &settings, rgba);
  *report = engine->report;
}

/* Whether a list comes whole or in parts, a step takes the same tests, and none
 * of a point that is no candidate. */
EXACT_TEST (TESTS_OTHERS, IN_LANES, counted_tests)
{
  g_autofree guint8 *rgba =
      generated_picture_new ("noise", MIDDLE_WIDTH, MIDDLE_HEIGHT, 5);

  for (guint w = 0; w < 2; w++) {
    GpuPaletteReport whole, parts;

    count_tests (rgba, 0.3, 32768, w, &whole);
    count_tests (rgba, 0.3, LEAST_SHARED, w, &parts);
    g_assert_cmpuint (whole.effort.steps, >, whole.counted.colours);
    g_assert_cmpuint (parts.effort.steps, ==, whole.effort.steps);
    g_assert_cmpuint (parts.effort.tests, ==, whole.effort.tests);
    g_assert_cmpuint (whole.effort.tests, <,
        whole.effort.steps * whole.counted.colours);
  }
}
