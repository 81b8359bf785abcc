/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* When a solver is made, how much room it gets, and which frames need none. */
#include "gpu/core/device/vulkan.h"
#include "gpu/palette/exact/solver.h"
#include "exact_fixture.h"
#include "exact_tests.h"
#include "generated.h"
#include "gpu_hooks.h"

#include <string.h>

static guint n_keepers;         /* that there are */

#define KEEPER_MEMORY 4711

static GpuPaletteSolver *keeper_create (GpuPaletteExactBuffers * buffers,
    GError ** error);

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
  GpuPaletteExactBuffers *buffers = solve->buffers;
  GpuStream *stream = solve->context->slicer.stream;

  gpu_stream_copy (stream, buffers->list, 0, buffers->results, 0,
      gpu_buffer_get_size (buffers->list));
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
keeper_create (GpuPaletteExactBuffers * buffers, GError ** error)
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
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);

  engine_tune (engine, &(GpuPaletteTuning) {&keeper});
  g_assert_cmpuint (n_keepers, ==, 0);
  for (guint frame = 0; frame < 4; frame++) {
    g_autofree guint8 *rgba =
        generated_picture_new ("noise", WIDTH, HEIGHT, frame / 2);
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("kept", got, rgba, WIDTH, HEIGHT);
    g_assert_cmpuint (n_keepers, ==, 1);
    g_assert_cmpuint (engine->report.effort.memory, ==, KEEPER_MEMORY);
    g_assert_cmpint (engine->report.made.solved, ==, frame % 2 == 0);
  }
  engine_tune (engine, &(GpuPaletteTuning) {NULL});
  exact_check_generated (engine, "noise", 1, &settings);
  g_assert_cmpuint (n_keepers, ==, 0);
  g_assert_cmpuint (engine->report.effort.memory, >, KEEPER_MEMORY);
}

static void
check_kept (Engine * engine, guint n)
{
  g_autofree guint8 *rgba = exact_colours_new (MANY_WIDTH * MANY_HEIGHT, n);
  g_autofree guint8 *got = NULL;

  engine_tune (engine, &(GpuPaletteTuning) {&keeper});
  got = engine_run (engine, &exact_few_neighbours, rgba);
  compare_pixels ("kept", got, rgba, MANY_WIDTH, MANY_HEIGHT);
}

/* Whichever solver it is, it finds room for all colours: in the first frame, and where a
 * list was made for fewer that did not change since. */
static void
test_solver_room (void)
{
  g_autoptr (Engine) engine = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);
  g_autoptr (Engine) fresh = exact_engine_new (MANY_WIDTH, MANY_HEIGHT);

  exact_check_colours (engine, 5, GPU_PALETTE_FREQUENCY);
  check_kept (engine, 5);
  check_kept (engine, MANY_WIDTH * MANY_HEIGHT);
  check_kept (fresh, MANY_WIDTH * MANY_HEIGHT);
}

/* A frame is cut for what it may hold, whatever the one before it held. Without walks,
 * for which a GPU takes now a submission more, now less. */
static void
test_cuts (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0, .weighting = GPU_PALETTE_FREQUENCY},
  };
  const guint width = 1280, height = 720;
  g_autoptr (Engine) engine = exact_engine_new_slow (width, height);
  g_autofree guint8 *flat = g_malloc (width * height * 4);
  guint submissions[5];

  engine_tune (engine, &(GpuPaletteTuning) {&keeper});
  /* By the times of its class, not by what this device took. */
  engine->info.kind = GPU_DEVICE_CPU;
  engine->info.timestamp_period = 0;
  memset (flat, 255, width * height * 4);
  for (guint frame = 0; frame < 5; frame++) {
    g_autofree guint8 *noise =
        generated_picture_new ("noise", width, height, frame);
    const guint8 *rgba = frame == 2 ? flat : noise;
    g_autofree guint8 *got = engine_run (engine, &settings, rgba);

    compare_pixels ("cuts", got, rgba, width, height);
    g_assert_true (engine->report.made.solved);
    submissions[frame] = engine->report.submissions;
  }
  g_assert_true (engine->report.counted.recounted);
  g_assert_cmpuint (submissions[3], ==, submissions[4]);
}

/* Frames without a colour need no solver. */
static void
test_no_solver (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autofree guint8 *rgba = g_malloc0 (WIDTH * HEIGHT * 4);

  exact_check (engine, "transparent", rgba, &settings);
  g_assert_cmpuint (engine->report.effort.memory, ==, 0);
  exact_check_generated (engine, "noise", 1, &settings);
  g_assert_cmpuint (engine->report.effort.memory, >, 0);
}

/* Where there is no room for a solver the frame fails, nothing of the solver
 * is left, and the next frame tries again. */
static void
test_no_room (void)
{
  const GpuPaletteSettings settings = {
    .making = {.radius = 0.1, .weighting = GPU_PALETTE_FREQUENCY},
  };
  GpuDevice *device = gpu_fixture_device ();
  g_autoptr (Engine) engine = exact_engine_new (WIDTH, HEIGHT);
  g_autofree guint8 *rgba = generated_picture_new ("noise", WIDTH, HEIGHT, 1);
  gint alive = 0;

  gpu_hooks_install (device);
  for (guint room = 0; room < 24; room += 6) {
    g_autoptr (GError) error = NULL;

    exact_buffers_left = room;
    g_assert_null (engine_try (engine, &settings, rgba,
            exact_record_without_room, &error));
    g_assert_error (error, GPU_ERROR, GPU_ERROR_OUT_OF_MEMORY);
    if (room > 0)
      g_assert_cmpint (gpu_hooks_get_alive (), ==, alive);
    alive = gpu_hooks_get_alive ();
  }
  gpu_hooks_remove (device);
  exact_check_generated (engine, "noise", 1, &settings);
}

void
add_solvers_tests (PaletteTests tests)
{
  if (tests & TESTS_OTHERS) {
    g_test_add_func ("/palette/solvers/in-turn", test_solvers);
    g_test_add_func ("/palette/solvers/room", test_solver_room);
    g_test_add_func ("/palette/solvers/none", test_no_solver);
    g_test_add_func ("/palette/solvers/no-room", test_no_room);
    g_test_add_func ("/palette/sequence/cuts", test_cuts);
  }
}
