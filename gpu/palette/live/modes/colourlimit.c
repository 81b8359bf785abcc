/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourlimit.h"
#include "shaders.h"

#include <math.h>

/* Distances in Oklab: how much nearer a mode has to be at stability 1, and how far
 * around a mode the colours are that it glides to. */
#define MARGIN 0.1
#define BALL 0.04

/* On two cores of a CPU: of a summit that looks at all modes, and of a bin that
 * may be a summit to pick. */
#define ASSIGN_NS 5000
#define FARTHEST_NS 50

gboolean
gpu_palette_colour_limit_init (GpuPaletteColourLimit * limit,
    GpuDevice * device, GError ** error)
{
  const struct
  {
    GpuKernel **kernel;
    const GpuShader *shader;
  } list[] = {
    {&limit->summits, &gpu_shader_palette_limit_summits},
    {&limit->weigh, &gpu_shader_palette_limit_weigh},
    {&limit->distances, &gpu_shader_palette_limit_distances},
    {&limit->farthest, &gpu_shader_palette_limit_farthest},
    {&limit->assign, &gpu_shader_palette_limit_assign},
    {&limit->gather, &gpu_shader_palette_limit_gather},
    {&limit->renew, &gpu_shader_palette_limit_renew},
  };

  for (guint i = 0; i < G_N_ELEMENTS (list); i++) {
    if (!*list[i].kernel)
      *list[i].kernel = gpu_kernel_get (device, list[i].shader, NULL, 0, error);
    if (!*list[i].kernel)
      return FALSE;
  }
  return TRUE;
}

/* Of a distance in Oklab. */
static gdouble
eighths_of_bins (const struct LiveState *live, gdouble distance)
{
  return ldexp (8 * distance, live->shift) / live->pitch;
}

void
gpu_palette_colour_limit_fill (TemporalFrame * frame,
    const struct LiveState *live, const GpuPaletteSettings * settings)
{
  guint ball = floor (eighths_of_bins (live, BALL));

  frame->least_summits = settings->keeps_radius ? 0 : frame->limit;
  frame->ball = ball * ball;
  frame->margin =
      floor (eighths_of_bins (live, MARGIN * settings->stability) + 0.5);
}

/* --- a frame --- */

static gboolean
weigh_summits (const GpuPaletteColourLimit * limit, GpuPaletteRun * run,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GpuBuffer * weights, GError ** error)
{
  GpuPaletteBinsOthers summits = {
    state, modes, bins->ahead, bins->summits
  };
  GpuPaletteBinsOthers weigh = {
    state, modes, bins->sums, bins->ahead, weights
  };

  return gpu_palette_run_clear (run, weights,
      bins->most * sizeof (guint32), error)
      && gpu_palette_bins_over_bins (bins, run, limit->summits, summits, error)
      && gpu_palette_bins_over_bins (bins, run, limit->weigh, weigh, error);
}

static gboolean
farthest (const GpuPaletteColourLimit * limit, GpuPaletteRun * run,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GpuBuffer * weights, guint n, GError ** error)
{
  GpuBuffer *buffers[] = {
    bins->state, bins->occupied, bins->ranks, state, modes, bins->tables,
    bins->sums, bins->carries, bins->bin_list, bins->summits, weights,
    bins->distances
  };

  for (guint i = 0; i < n; i += FARTHEST_PER_DISPATCH) {
    gpu_stream_barrier (run->stream);
    if (!gpu_palette_run_alone (run, limit->farthest, buffers,
            G_N_ELEMENTS (buffers),
            (guint64) bins->bound * FARTHEST_PER_DISPATCH, FARTHEST_NS, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_palette_colour_limit_assign (const GpuPaletteColourLimit * limit,
    GpuPaletteRun * run, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error)
{
  GpuBuffer *weights = bins->summit_weights;
  GpuPaletteBinsOthers distances = {
    state, modes, bins->bin_list, bins->ahead, bins->distances
  };
  GpuPaletteBinsOthers assign = {
    state, modes, bins->bin_list, bins->ahead, weights, bins->owners
  };
  GpuPaletteItems of_assign = bins->of_bins;

  of_assign.key = limit->assign;
  of_assign.ns = ASSIGN_NS;
  return weigh_summits (limit, run, bins, state, modes, weights, error)
      && gpu_palette_bins_over_bins (bins, run, limit->distances, distances,
      error)
      && farthest (limit, run, bins, state, modes, weights,
      gpu_palette_get_limit (run->settings), error)
      && gpu_palette_bins_run (bins, run, limit->assign, assign, &of_assign,
      bins->bound, GPU_PALETTE_BINS_GROUPS (bin), 0, error);
}

gboolean
gpu_palette_colour_limit_renew (const GpuPaletteColourLimit * limit,
    GpuPaletteRun * run, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error)
{
  GpuPaletteBinsOthers gather = {
    state, modes, bins->sums, bins->carries, bins->bin_list,
    bins->owners
  };
  GpuBuffer *buffers[] = {
    bins->state, bins->occupied, bins->ranks, state, modes, bins->sums,
    bins->carries
  };

  if (!gpu_palette_bins_over_bins (bins, run, limit->gather, gather, error))
    return FALSE;
  gpu_stream_barrier (run->stream);
  gpu_stream_dispatch (run->stream, limit->renew, buffers,
      G_N_ELEMENTS (buffers), NULL, 0, 1, 1, 1);
  return TRUE;
}
