/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "brute.h"
#include "gpu/palette/exact/lattice.h"
#include "test_shaders.h"
#include "shaders/palette/exact/sums.h"

#include <math.h>

/* Distance tests of one dispatch. */
#define TESTS_CPU (G_GUINT64_CONSTANT (1) << 22)
#define TESTS_GPU (G_GUINT64_CONSTANT (1) << 33)
#define STEPS_PER_LOOK 12

/* Walkers of one dispatch at least; with so few of them a step may be cut in
 * parts, each over some of the points. */
#define MIN_WALKERS 1024u

typedef struct
{
  GpuPaletteSolver parent;
  GpuPaletteExactBuffers *buffers;
  GpuPaletteLattice lattice;
  GpuKernel *start;
  GpuKernel *step[2];           /* where colours weigh 1, and others */

  GpuBuffer *next;              /* list of walkers after a step */
  GpuBuffer *counts;            /* of both lists */
  GpuBuffer *sums;              /* of walkers whose step is cut in parts */
  guint64 memory;               /* bytes of these */
} Brute;

/* --- building --- */

static gboolean
make_kernels (Brute * brute, GError ** error)
{
  GpuDevice *device = brute->buffers->device;

  brute->start =
      gpu_kernel_get (device, &gpu_shader_brute_start, NULL, 0, error);
  if (!brute->start)
    return FALSE;
  for (guint32 is_weighted = 0; is_weighted < 2; is_weighted++) {

    brute->step[is_weighted] = gpu_kernel_get (device, &gpu_shader_brute_step,
        &is_weighted, 1, error);
    if (!brute->step[is_weighted])
      return FALSE;
  }
  return TRUE;
}

static gboolean
make_buffers (Brute * brute, GError ** error)
{
  const GpuPaletteArray arrays[] = {
    {&brute->next, brute->buffers->max_colours, "brute force walkers"},
    {&brute->counts, 2, "brute force counts"},
    {&brute->sums, MIN_WALKERS * WORDS_PER_TOTAL, "brute force sums"},
  };

  return gpu_palette_make_arrays (brute->buffers->device, arrays,
      G_N_ELEMENTS (arrays), &brute->memory, error);
}

static void
brute_free (GpuPaletteSolver * solver)
{
  Brute *brute = (Brute *) solver;

  gpu_palette_exact_buffers_drop_walkers (brute->buffers);
  gpu_palette_lattice_clear (&brute->lattice);
  g_clear_pointer (&brute->next, gpu_buffer_unref);
  g_clear_pointer (&brute->counts, gpu_buffer_unref);
  g_clear_pointer (&brute->sums, gpu_buffer_unref);
  g_free (brute);
}

static GpuPaletteSolver *
brute_create (GpuPaletteExactBuffers * buffers, GError ** error)
{
  Brute *brute = g_new0 (Brute, 1);

  brute->parent.type = &brute_solver;
  brute->buffers = buffers;
  if (gpu_palette_exact_buffers_take_walkers (buffers, buffers->max_colours,
          gpu_palette_exact_buffers_table_bits (buffers->max_colours), error)
      && gpu_palette_lattice_init (&brute->lattice, buffers, error)
      && make_kernels (brute, error) && make_buffers (brute, error))
    return &brute->parent;
  brute_free (&brute->parent);
  return NULL;
}

static guint64
brute_get_memory (GpuPaletteSolver * solver)
{
  Brute *brute = (Brute *) solver;

  return brute->buffers->walker_memory + brute->lattice.memory + brute->memory;
}

/* --- solving --- */

static guint64
tests_per_dispatch (GpuPaletteSolve * solve)
{
  return gpu_device_is_slow (solve->buffers->device) ? TESTS_CPU : TESTS_GPU;
}

/* One step of all walkers of list @list, 0 or 1, @n_active at most, into the
 * other list. */
static void
record_step (Brute * brute, GpuPaletteSolve * solve, guint list,
    guint n_active, gboolean is_last)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  GpuBuffer *lists[] = { buffers->active, brute->next };
  guint64 tests = tests_per_dispatch (solve);
  guint walkers = CLAMP (tests / solve->n, MIN_WALKERS, 1u << 22) & ~255u;
  guint points = walkers > MIN_WALKERS ? solve->n : tests / walkers & ~255u;
  GpuBruteStepPush push = {.n_points = solve->n,
    .radius_squared = solve->radius_squared,
    .reach = floor (sqrt (solve->radius_squared)), .list = list,
    .is_last_step = is_last};
  const GpuDispatch step = {
    .kernel = brute->step[gpu_palette_context_is_weighted (solve->context)],
    .buffers = {
      [BRUTE_STEP_POINTS] = buffers->points,
      [BRUTE_STEP_WEIGHTS] = buffers->weights,
      [BRUTE_STEP_WALKERS] = buffers->walkers,
      [BRUTE_STEP_ACTIVE] = lists[list],
      [BRUTE_STEP_NEXT] = lists[1 - list],
      [BRUTE_STEP_PARTIAL] = brute->sums,
      [BRUTE_STEP_COUNTS] = brute->counts,
    },
    .push = &push,
  };
  const guint64 units = gpu_stream_get_dispatch_units
      (solve->context->slicer.stream, NULL);

  gpu_stream_fill (solve->context->slicer.stream, brute->counts, (1 - list) * 4,
      4, 0);
  for (guint w = 0; w < n_active; w += walkers)
    for (guint p = 0; p < solve->n; p += points) {
      guint n_walkers = MIN (walkers, n_active - w);
      guint n_points = MIN (points, solve->n - p);

      gpu_stream_pace (solve->context->slicer.stream, NULL,
          (gdouble) n_walkers * n_points / tests * units);
      push.first_walker = w;
      push.first_point = p;
      push.end_point = p + n_points;
      gpu_stream_dispatch (solve->context->slicer.stream, &step,
          (n_walkers + 255) / 256, 1, 1);
    }
}

static void
record_start (Brute * brute, GpuPaletteSolve * solve)
{
  GpuPaletteExactBuffers *buffers = solve->buffers;
  const GpuDispatch start = {
    .kernel = brute->start,
    .buffers = {
      [BRUTE_START_POINTS] = buffers->points,
      [BRUTE_START_WALKERS] = buffers->walkers,
      [BRUTE_START_ACTIVE] = buffers->active,
    },
  };

  gpu_stream_stage (solve->context->slicer.stream, "palette-start");
  gpu_stream_write (solve->context->slicer.stream, brute->counts, 0, &solve->n,
      4);
  gpu_slicer_run (&solve->context->slicer, &start, solve->n);
}

/* How many walkers of a list are not done. */
static gboolean
read_count (Brute * brute, GpuPaletteSolve * solve, guint list, guint * count,
    GError ** error)
{
  gpu_stream_copy (solve->context->slicer.stream, brute->counts, list * 4,
      solve->buffers->control, CONTROL_ACTIVE * 4, 4);
  if (!gpu_palette_solve_read_control (solve, error))
    return FALSE;
  *count = solve->control[CONTROL_ACTIVE];
  return TRUE;
}

static gboolean
walk (Brute * brute, GpuPaletteSolve * solve, GError ** error)
{
  guint limit = solve->context->settings->making.iteration_limit;
  guint active = solve->n, list = 0, steps = 0;

  record_start (brute, solve);
  while (active > 0 && (limit == 0 || steps < limit)) {
    guint recorded = 0;
    guint64 serial = gpu_stream_get_serial (solve->context->slicer.stream);

    /* Each step is sized for the walkers there were at the last look. */
    while (recorded < STEPS_PER_LOOK
        && gpu_stream_get_serial (solve->context->slicer.stream) == serial
        && (limit == 0 || steps < limit)) {
      gpu_stream_stage (solve->context->slicer.stream, "palette-brute-step");
      steps++;
      recorded++;
      record_step (brute, solve, list, active, steps == limit);
      list = 1 - list;
    }
    solve->context->report->effort.steps += (guint64) active *recorded;
    if (!read_count (brute, solve, list, &active, error))
      return FALSE;
  }
  solve->context->report->effort.rounds = steps;
  solve->context->report->effort.tests =
      solve->context->report->effort.steps * solve->n;
  return TRUE;
}

static gboolean
brute_prepare (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
    gboolean always, GError ** error)
{
  Brute *brute = (Brute *) solver;

  gpu_palette_lattice_record (&brute->lattice, solve, always);
  return TRUE;
}

static gboolean
brute_solve (GpuPaletteSolver * solver, GpuPaletteSolve * solve,
    GError ** error)
{
  Brute *brute = (Brute *) solver;

  gpu_palette_lattice_read (&brute->lattice, solve);
  if (!walk (brute, solve, error))
    return FALSE;
  solve->context->report->made.solved_colours = solve->n;
  return gpu_palette_lattice_paint (&brute->lattice, solve,
      solve->buffers->walkers, solve->buffers->visited, error);
}

const GpuPaletteSolverType brute_solver = {
  .name = "brute-force",
  .create = brute_create,
  .free = brute_free,
  .get_memory = brute_get_memory,
  .prepare = brute_prepare,
  .solve = brute_solve,
};
