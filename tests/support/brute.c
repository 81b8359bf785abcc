/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "brute.h"
#include "gpu/palette/lattice.h"
#include "test_shaders.h"

#include <math.h>

/* Distance tests of one dispatch. */
#define TESTS_CPU (G_GUINT64_CONSTANT (1) << 22)
#define TESTS_GPU (G_GUINT64_CONSTANT (1) << 33)
#define STEPS_PER_LOOK 12

/* Of a walker, for gpu_palette_run_sliced(). */
#define START_NS 20

/* Walkers of one dispatch at least; with so few of them a step may be cut in
 * parts, each over some of the points. */
#define MIN_WALKERS 1024u

/* What a dispatch of so many tests is to take. */
#define DISPATCH_NS 20e6

typedef struct
{
  GpuPaletteSolver parent;
  GpuPaletteWork *work;
  GpuPaletteLattice lattice;
  GpuKernel *start;
  GpuKernel *step[2];           /* where colours weigh 1, and others */

  GpuBuffer *next;              /* list of walkers after a step */
  GpuBuffer *counts;            /* of both lists */
  GpuBuffer *sums;              /* of walkers whose step is cut in parts */
  guint64 memory;               /* bytes of these */
} Brute;

typedef struct
{
  guint32 first_walker;
  guint32 first_point, end_point;
  guint32 n_points;
  gint32 radius_squared;
  gint32 reach;
  guint32 list;
  guint32 is_last_step;
} Push;

/* --- building --- */

static gboolean
make_kernels (Brute * brute, GError ** error)
{
  GpuDevice *device = brute->work->device;

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
    {&brute->next, brute->work->max_colours, "brute force walkers"},
    {&brute->counts, 2, "brute force counts"},
    {&brute->sums, MIN_WALKERS * WORDS_PER_TOTAL, "brute force sums"},
  };

  return gpu_palette_make_arrays (brute->work->device, arrays,
      G_N_ELEMENTS (arrays), &brute->memory, error);
}

static void
brute_free (GpuPaletteSolver * solver)
{
  Brute *brute = (Brute *) solver;

  gpu_palette_work_drop_walkers (brute->work);
  gpu_palette_lattice_clear (&brute->lattice);
  g_clear_pointer (&brute->next, gpu_buffer_unref);
  g_clear_pointer (&brute->counts, gpu_buffer_unref);
  g_clear_pointer (&brute->sums, gpu_buffer_unref);
  g_free (brute);
}

static GpuPaletteSolver *
brute_create (GpuPaletteWork * work, GError ** error)
{
  Brute *brute = g_new0 (Brute, 1);

  brute->parent.type = &brute_solver;
  brute->work = work;
  if (gpu_palette_work_take_walkers (work, work->max_colours,
          gpu_palette_work_table_bits (work->max_colours), error)
      && gpu_palette_lattice_init (&brute->lattice, work, error)
      && make_kernels (brute, error) && make_buffers (brute, error))
    return &brute->parent;
  brute_free (&brute->parent);
  return NULL;
}

static guint64
brute_get_memory (GpuPaletteSolver * solver)
{
  Brute *brute = (Brute *) solver;

  return brute->work->walker_memory + brute->lattice.memory + brute->memory;
}

/* --- solving --- */

static guint64
tests_per_dispatch (GpuPaletteRun * run)
{
  return gpu_device_is_slow (run->work->device) ? TESTS_CPU : TESTS_GPU;
}

/* One step of all walkers of list @list, 0 or 1, @n_active at most, into the
 * other list. */
static gboolean
record_step (Brute * brute, GpuPaletteRun * run, guint list,
    guint n_active, gboolean is_last, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuKernel *kernel = brute->step[gpu_palette_run_is_weighted (run)];
  GpuBuffer *lists[] = { work->active, brute->next };
  GpuBuffer *buffers[] = {
    work->points, work->weights, work->walkers, lists[list],
    lists[1 - list], brute->sums, brute->counts
  };
  guint64 tests = tests_per_dispatch (run);
  guint walkers = CLAMP (tests / run->n, MIN_WALKERS, 1u << 22) & ~255u;
  guint points = walkers > MIN_WALKERS ? run->n : tests / walkers & ~255u;
  Push push = {
    .n_points = run->n,.radius_squared = run->radius_squared,
    .reach = floor (sqrt (run->radius_squared)),.list = list,
    .is_last_step = is_last
  };
  const GpuCost cost = { NULL, DISPATCH_NS / tests };

  gpu_stream_fill (run->stream, brute->counts, (1 - list) * 4, 4, 0);
  gpu_stream_barrier (run->stream);
  for (guint w = 0; w < n_active; w += walkers)
    for (guint p = 0; p < run->n; p += points) {
      guint n_walkers = MIN (walkers, n_active - w);
      guint n_points = MIN (points, run->n - p);

      if (!gpu_palette_run_pace (run, &cost, (guint64) n_walkers * n_points,
              error))
        return FALSE;
      push.first_walker = w;
      push.first_point = p;
      push.end_point = p + n_points;
      gpu_stream_dispatch (run->stream, kernel, buffers,
          G_N_ELEMENTS (buffers), &push, sizeof push,
          (n_walkers + 255) / 256, 1, 1);
      gpu_stream_barrier (run->stream);
    }
  return TRUE;
}

static gboolean
record_start (Brute * brute, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = { work->points, work->walkers, work->active };
  guint32 push[2];

  gpu_stream_barrier (run->stream);
  gpu_stream_stage (run->stream, "palette-start");
  gpu_stream_write (run->stream, brute->counts, 0, &run->n, 4);
  return gpu_palette_run_sliced (run, brute->start, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, run->n, START_NS, error);
}

/* How many walkers of a list are not done. */
static gboolean
read_count (Brute * brute, GpuPaletteRun * run, guint list, guint * count,
    GError ** error)
{
  gpu_stream_barrier (run->stream);
  gpu_stream_copy (run->stream, brute->counts, list * 4, run->work->control,
      CONTROL_ACTIVE * 4, 4);
  if (!gpu_palette_run_read_control (run, error))
    return FALSE;
  *count = run->control[CONTROL_ACTIVE];
  return TRUE;
}

static gboolean
walk (Brute * brute, GpuPaletteRun * run, GError ** error)
{
  guint limit = run->settings->iteration_limit;
  guint active = run->n, list = 0, steps = 0;

  if (!record_start (brute, run, error))
    return FALSE;
  while (active > 0 && (limit == 0 || steps < limit)) {
    guint recorded = 0;
    guint64 submissions = run->report->submissions;

    /* Each step is sized for the walkers there were at the last look. */
    while (recorded < STEPS_PER_LOOK
        && run->report->submissions == submissions
        && (limit == 0 || steps < limit)) {
      gpu_stream_barrier (run->stream);
      gpu_stream_stage (run->stream, "palette-brute-step");
      steps++;
      recorded++;
      if (!record_step (brute, run, list, active, steps == limit, error))
        return FALSE;
      list = 1 - list;
    }
    run->report->steps += (guint64) active *recorded;
    if (!read_count (brute, run, list, &active, error))
      return FALSE;
  }
  run->report->rounds = steps;
  run->report->tests = run->report->steps * run->n;
  return TRUE;
}

static gboolean
brute_prepare (GpuPaletteSolver * solver, GpuPaletteRun * run,
    gboolean always, GError ** error)
{
  Brute *brute = (Brute *) solver;

  return gpu_palette_lattice_record (&brute->lattice, run, always, error);
}

static gboolean
brute_solve (GpuPaletteSolver * solver, GpuPaletteRun * run, GError ** error)
{
  Brute *brute = (Brute *) solver;

  gpu_palette_lattice_read (&brute->lattice, run);
  if (!walk (brute, run, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  run->report->solved_colours = run->n;
  return gpu_palette_lattice_paint (&brute->lattice, run, run->work->walkers,
      run->work->visited, error);
}

const GpuPaletteSolverType brute_solver = {
  .name = "brute-force",
  .create = brute_create,
  .free = brute_free,
  .get_memory = brute_get_memory,
  .prepare = brute_prepare,
  .solve = brute_solve,
};
