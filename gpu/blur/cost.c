/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a method has to do, times what it was once measured to take for each of that
 * (tests/bench/fit-costs). */
#include "cost.h"

/* Strips of a form that no grid of the benchmark had take so many times as long as usual
 * ones: those that are not unrolled though their radius is small
 * (docs/internals/benchmarks.md), and those with half the threads, as where they were
 * measured. */
#define NARROW_ROLLED 2.5
#define SLOW_NARROW_ROLLED 4
#define CROWDED 2

typedef struct
{
  GpuBlurMethod method;
  GpuBlurSums sums;
  GpuBlurForm form;
  gdouble ms[GPU_BLUR_N_WORKS]; /* for one of each */
} Costs;

#include "costs.h"

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

/* As long as usual strips; 0: none of the kind are the fastest anywhere. */
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
