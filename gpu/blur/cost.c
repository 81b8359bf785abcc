/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a method has to do, counted, times what it was once measured to take for each of
 * that (tests/bench/fit-costs). */
#include "cost.h"
#include "method.h"
#include "shaders/blur/strips.h"

#define MILLION 1e6

/* Rows of a section of strips, besides those above and below it. */
#define STRIPS_SECTION 32

/* Strips that are not unrolled though their radius is small take so many times as long:
 * what no grid of the benchmark has, but docs/benchmarks.md. */
#define NARROW_ROLLED 2.5
#define SLOW_NARROW_ROLLED 4

typedef enum
{
  SUMS_HALF,
  SUMS_FLOAT,
  SUMS_INTEGERS,
} Sums;

/* The same as in tests/bench/fit-costs. A sample is a component, and alpha counts
 * twice: it is multiplied, and divided by. */
typedef enum
{
  DISPATCHES,                   /* one after the other */
  CHAIN,                        /* taps that one thread does after another, for
                                   frames that do not fill a device */
  PIXELS,                       /* millions, of all planes, as what follows */
  SAMPLES,
  TAPS,                         /* of all samples; of a pyramid, the samples of
                                   its levels */
  SQUARES,                      /* taps of rows that are summed once more for
                                   each group */
  N_COUNTS,
} Count;

/* Of strips. */
typedef enum
{
  USUAL,
  CROWDED,                      /* half the threads on a ring */
  ROLLED,                       /* too wide to be unrolled */
} Form;

typedef struct
{
  GpuBlurMethod method;
  Sums sums;
  Form form;
  gdouble ms[N_COUNTS];         /* for one of each */
} Costs;

#include "costs.h"

static Sums
get_sums (const GpuBlurCandidate * candidate, const GpuBlurAxes * axes)
{
  const GpuPixelFormat *format =
      gpu_pixels_get_format (candidate->info->pixels);

  if (axes->exact || candidate->method == GPU_BLUR_RUNNING_SUMS)
    return SUMS_INTEGERS;
  return gpu_blur_choose_precision (candidate->settings, format)
      == GPU_BLUR_HALF ? SUMS_HALF : SUMS_FLOAT;
}

static gboolean
is_rolled (const GpuBlurCandidate * candidate)
{
  return candidate->method == GPU_BLUR_STRIPS
      && candidate->strips[0].radius == 0;
}

static Form
get_form (const GpuBlurCandidate * candidate, const GpuBlurAxes * axes)
{
  if (candidate->method != GPU_BLUR_STRIPS)
    return USUAL;
  if (is_rolled (candidate))
    return MAX (axes->x.radius, axes->y.radius) > STRIPS_MAX_UNROLLED ? ROLLED
        : USUAL;
  return candidate->strips[0].threads < GPU_BLUR_STRIPS_THREADS ? CROWDED
      : USUAL;
}

/* --- counting --- */

static guint
count_passes (GpuBlurMethod method)
{
  guint n = 0;

  while (gpu_blur_get_pass (method, n))
    n++;
  return n;
}

static gboolean
has_squares (GpuBlurMethod method)
{
  const GpuBlurPass *pass = gpu_blur_get_pass (method, 0);

  return pass && (pass->taps == GPU_BLUR_AXIS_BY_AXIS
      || pass->taps == GPU_BLUR_BOTH_AT_ONCE);
}

/* Samples of all levels, done down columns and along both axes, for each of the
 * plane. */
static gdouble
levels_share (const GpuBlurLevels * levels)
{
  const guint *x = levels->axes[GPU_BLUR_LEVELS_X].sizes;
  const guint *y = levels->axes[GPU_BLUR_LEVELS_Y].sizes;
  gdouble samples = 0;

  for (guint i = 1; i <= levels->n_steps; i++)
    samples += ((gdouble) x[i - 1] + x[i]) * y[i];
  return samples / ((gdouble) x[0] * y[0]);
}

static void
count_plane (const GpuBlurCandidate * candidate, guint plane, gdouble * counts)
{
  const GpuBlurMethod method = candidate->method;
  const GpuFrameInfo *info = candidate->info;
  const GpuPixelFormat *format = gpu_pixels_get_format (info->pixels);
  guint components = format->components[plane] + (format->alpha >= 0)
      - (format->unused >= 0);
  gdouble pixels = (gdouble) gpu_frame_info_plane_width (info, plane)
      * gpu_frame_info_plane_height (info, plane) / MILLION;
  gdouble samples = pixels * components, x, y;
  GpuBlurAxes axes;

  counts[PIXELS] += pixels;
  counts[SAMPLES] += samples;
  if (method == GPU_BLUR_PYRAMID) {
    counts[TAPS] += samples * levels_share (&candidate->levels[plane]);
    return;
  }
  gpu_blur_axes_init (&axes, candidate->settings, format, plane);
  x = 2 * MAX (axes.x.radius, candidate->strips[plane].radius) + 1;
  y = 2 * MAX (axes.y.radius, candidate->strips[plane].radius) + 1;
  if (method == GPU_BLUR_STRIPS)
    counts[CHAIN] = MAX (counts[CHAIN], components * x * (y + STRIPS_SECTION));
  else
    counts[CHAIN] += x + y;
  counts[TAPS] += samples * (x + y);
  counts[SQUARES] += has_squares (method) ? samples * x * y : 0;
}

/* Strips and levels of all planes are done side by side. */
static guint
count_dispatches (const GpuBlurCandidate * candidate, guint n_planes)
{
  switch (candidate->method) {
    case GPU_BLUR_STRIPS:
      return 1;
    case GPU_BLUR_PYRAMID:
      return 2 * candidate->levels[0].n_steps + 2;
    default:
      return n_planes * count_passes (candidate->method);
  }
}

/* --- constants --- */

/* Cards and what is built into processors are one class: none of the latter were
 * measured, and what is known of them, less memory bandwidth, slows all methods down.
 * Nothing is lost by a wrong choice but time. */
static const Costs *
get_table (GpuDevice * device, guint * n)
{
  gboolean slow = gpu_device_is_slow (device);

  *n = slow ? G_N_ELEMENTS (cpu_costs) : G_N_ELEMENTS (discrete_costs);
  return slow ? cpu_costs : discrete_costs;
}

static const Costs *
find_costs (GpuDevice * device, GpuBlurMethod method, Sums sums, Form form)
{
  guint n;
  const Costs *table = get_table (device, &n);

  for (guint i = 0; i < n; i++)
    if (table[i].method == method && table[i].sums == sums
        && table[i].form == form)
      return &table[i];
  return NULL;
}

static gdouble
sum_costs (const Costs * costs, const GpuBlurCandidate * candidate)
{
  guint n_planes = gpu_pixels_get_format (candidate->info->pixels)->n_planes;
  gdouble counts[N_COUNTS] = { 0 }, ms = 0;

  counts[DISPATCHES] = count_dispatches (candidate, n_planes);
  for (guint i = 0; i < n_planes; i++)
    count_plane (candidate, i, counts);
  for (guint i = 0; i < N_COUNTS; i++)
    ms += counts[i] * costs->ms[i];
  return ms;
}

gdouble
gpu_blur_cost (GpuDevice * device, const GpuBlurCandidate * candidate)
{
  const Costs *costs;
  GpuBlurAxes axes;
  gdouble ms;
  Form form;

  gpu_blur_axes_init (&axes, candidate->settings,
      gpu_pixels_get_format (candidate->info->pixels), 0);
  form = get_form (candidate, &axes);
  costs = find_costs (device, candidate->method, get_sums (candidate, &axes),
      form);
  if (!costs)
    return G_MAXDOUBLE;
  ms = sum_costs (costs, candidate);
  if (is_rolled (candidate) && form == USUAL)
    ms *= gpu_device_is_slow (device) ? SLOW_NARROW_ROLLED : NARROW_ROLLED;
  return ms;
}
