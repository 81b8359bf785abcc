/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The cost of a method: the sum of its counts of work, each multiplied by a measured
 * constant (tests/bench/fit-costs). */
#include "cost.h"

/* Cost factors, relative to GPU_BLUR_USUAL, of forms of strips that the benchmark's grids
 * do not contain: strips of a small radius that are not unrolled
 * (docs/internals/benchmarks.md), and strips with half the threads, with the factor
 * that other such strips were measured to have. */
#define NARROW_ROLLED 2.5
#define SLOW_NARROW_ROLLED 4
#define CROWDED 2

typedef struct
{
  GpuBlurMethod method;
  GpuBlurSums sums;
  GpuBlurForm form;
  gdouble ms[GPU_BLUR_N_WORKS]; /* for each kind of work: ms for a count of 1 */
} Costs;

#include "costs.h"

/* Discrete and integrated GPUs use one table. No integrated GPU was measured. Its lower
 * memory bandwidth slows down all methods. A wrong choice costs only time. */
static const Costs *
get_table (GpuDevice * device, guint * n)
{
  gboolean slow = gpu_device_is_slow (device);

  *n = slow ? G_N_ELEMENTS (cpu_costs) : G_N_ELEMENTS (discrete_costs);
  return slow ? cpu_costs : discrete_costs;
}

static const Costs *
find_costs (GpuDevice * device, GpuBlurMethod method, GpuBlurSums sums,
    GpuBlurForm form)
{
  guint n;
  const Costs *table = get_table (device, &n);

  for (guint i = 0; i < n; i++)
    if (table[i].method == method && table[i].sums == sums
        && table[i].form == form)
      return &table[i];
  return NULL;
}

/* The cost of @form divided by that of GPU_BLUR_USUAL. 0: @form is never the fastest. */
static gdouble
guess_times (GpuDevice * device, GpuBlurForm form)
{
  switch (form) {
    case GPU_BLUR_NARROW_ROLLED:
      return gpu_device_is_slow (device) ? SLOW_NARROW_ROLLED : NARROW_ROLLED;
    case GPU_BLUR_CROWDED:
      return CROWDED;
    default:
      return 0;
  }
}

gdouble
gpu_blur_cost (GpuDevice * device, const GpuBlurWorkload * workload)
{
  const Costs *costs =
      find_costs (device, workload->method, workload->sums, workload->form);
  gdouble ms = 0, times = 1;

  if (!costs) {
    costs =
        find_costs (device, workload->method, workload->sums, GPU_BLUR_USUAL);
    times = guess_times (device, workload->form);
  }
  if (!costs || times == 0)
    return G_MAXDOUBLE;
  for (guint i = 0; i < GPU_BLUR_N_WORKS; i++)
    ms += workload->n[i] * costs->ms[i];
  return times * ms;
}
