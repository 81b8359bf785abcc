/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "brute.h"
#include "shaders.h"

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
#define WORDS_PER_SUM 7

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

gboolean
gpu_palette_brute_init (GpuPaletteBrute * brute, GpuPaletteWork * work,
    GError ** error)
{
  brute->start =
      gpu_kernel_get (work->device, &gpu_shader_palette_start, NULL, 0, error);
  if (!brute->start)
    return FALSE;
  for (guint i = 0; i < 2; i++) {
    guint32 is_weighted = i == GPU_PALETTE_FREQUENCY;

    brute->step[i] = gpu_kernel_get (work->device, &gpu_shader_palette_brute,
        &is_weighted, 1, error);
    if (!brute->step[i])
      return FALSE;
  }
  brute->sums = gpu_buffer_new (work->device, GPU_BUFFER_DEVICE,
      (gsize) MIN_WALKERS * WORDS_PER_SUM * 4, "palette sums", error);
  return brute->sums != NULL;
}

void
gpu_palette_brute_clear (GpuPaletteBrute * brute)
{
  g_clear_pointer (&brute->sums, gpu_buffer_unref);
}

static guint64
tests_per_dispatch (GpuPaletteRun * run)
{
  return gpu_device_is_slow (run->work->device) ? TESTS_CPU : TESTS_GPU;
}

/* One step of all walkers of list @list, @n_active at most, into the other
 * list. */
static gboolean
record_step (GpuPaletteBrute * brute, GpuPaletteRun * run, guint list,
    guint n_active, gboolean is_last, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuKernel *kernel = brute->step[run->settings->weighting];
  GpuBuffer *buffers[] = {
    work->points, work->weights, work->walkers, work->active[list],
    work->active[1 - list], brute->sums, work->control
  };
  guint64 tests = tests_per_dispatch (run);
  guint walkers = CLAMP (tests / run->n, MIN_WALKERS, 1u << 22) & ~255u;
  guint points = walkers > MIN_WALKERS ? run->n : tests / walkers & ~255u;
  Push push = {
    .n_points = run->n,.radius_squared = run->radius_squared,
    .reach = floor (sqrt (run->radius_squared)),.list = list,
    .is_last_step = is_last
  };
  gdouble ns_per_test = (gdouble) GPU_PALETTE_DISPATCH_NS * work->speed / tests;

  gpu_stream_fill (run->stream, work->control,
      (GPU_PALETTE_ACTIVE + 1 - list) * 4, 4, 0);
  gpu_stream_barrier (run->stream);
  for (guint w = 0; w < n_active; w += walkers)
    for (guint p = 0; p < run->n; p += points) {
      guint n_walkers = MIN (walkers, n_active - w);
      guint n_points = MIN (points, run->n - p);

      if (!gpu_palette_run_reserve (run,
              ns_per_test * n_walkers * n_points, error))
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
record_start (GpuPaletteBrute * brute, GpuPaletteRun * run, GError ** error)
{
  GpuPaletteWork *work = run->work;
  GpuBuffer *buffers[] = { work->points, work->walkers, work->active[0] };
  guint32 push[2];

  gpu_stream_barrier (run->stream);
  gpu_stream_stage (run->stream, "palette-start");
  gpu_stream_write (run->stream, work->control, GPU_PALETTE_ACTIVE * 4,
      &run->n, 4);
  return gpu_palette_run_sliced (run, brute->start, buffers,
      G_N_ELEMENTS (buffers), push, sizeof push, run->n, START_NS, error);
}

gboolean
gpu_palette_brute_solve (GpuPaletteBrute * brute, GpuPaletteRun * run,
    GError ** error)
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
    if (!gpu_palette_run_read_control (run, error))
      return FALSE;
    run->report->steps += (guint64) active *recorded;
    active = run->control[GPU_PALETTE_ACTIVE + list];
  }
  run->report->rounds = steps;
  run->report->tests = run->report->steps * run->n;
  return TRUE;
}
