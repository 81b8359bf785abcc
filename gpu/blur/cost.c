/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What a method has to do, times what it was once measured to take for each of that
 * (tests/bench/fit-costs). */
#include "cost.h"

/* Strips that are not unrolled though their radius is small take so many times as long
 * as if they were (docs/benchmarks.md), where no grid of the benchmark had any. */
#define NARROW_ROLLED 2.5
#define SLOW_NARROW_ROLLED 4

typedef struct
{
  GpuBlurMethod method;
  GpuBlurSums sums;
  GpuBlurForm form;
  gdouble ms[GPU_BLUR_N_COUNTS];        /* for one of each */
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

gdouble
gpu_blur_cost (GpuDevice * device, const GpuBlurCounts * counts)
{
  const Costs *costs =
      find_costs (device, counts->method, counts->sums, counts->form);
  gdouble ms = 0, times = 1;

  if (!costs && counts->form == GPU_BLUR_NARROW_ROLLED) {
    costs = find_costs (device, counts->method, counts->sums, GPU_BLUR_USUAL);
    times = gpu_device_is_slow (device) ? SLOW_NARROW_ROLLED : NARROW_ROLLED;
  }
  if (!costs)
    return G_MAXDOUBLE;
  for (guint i = 0; i < GPU_BLUR_N_COUNTS; i++)
    ms += counts->n[i] * costs->ms[i];
  return times * ms;
}
