/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourlimit.h"
#include "shaders.h"

#include <math.h>

/* In Oklab units: the margin by which another mode must be nearer at stability 1, and
 * the radius around a mode of the colours to whose mean it glides. */
#define MARGIN 0.1
#define BALL 0.04

/* Costs on two cores of a CPU, in ns: a bin that is compared with @n modes or candidates,
 * and a candidate in the search for the farthest summit. */
#define ASSIGN_NS(n) (300 + 20 * (n))
#define FARTHEST_NS 50

gboolean
gpu_palette_colour_limit_request (GpuPaletteColourLimit * limit,
    GpuDevice * device, GpuKernelUrgency urgency, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&limit->summits, &gpu_shader_palette_limit_summits},
    {&limit->weigh, &gpu_shader_palette_limit_weigh},
    {&limit->distances, &gpu_shader_palette_limit_distances},
    {&limit->farthest, &gpu_shader_palette_limit_farthest},
    {&limit->assign, &gpu_shader_palette_limit_assign},
    {&limit->assign_first, &gpu_shader_palette_limit_assign_first},
    {&limit->gather_first, &gpu_shader_palette_limit_gather_first},
    {&limit->centre, &gpu_shader_palette_limit_centre},
    {&limit->candidates, &gpu_shader_palette_limit_candidates},
    {&limit->save, &gpu_shader_palette_limit_save},
    {&limit->gather, &gpu_shader_palette_limit_gather},
    {&limit->renew, &gpu_shader_palette_limit_renew},
  };

  return gpu_kernels_request (device, kernels, G_N_ELEMENTS (kernels), urgency,
      error);
}

/* Returns @distance, in Oklab units, in eighths of bins. */
static gdouble
eighths_of_bins (const struct LiveState *live, gdouble distance)
{
  return ldexp (8 * distance, live->grid.shift) / live->grid.pitch;
}

void
gpu_palette_colour_limit_fill (TemporalFrame * frame,
    const struct LiveState *live, const GpuPaletteSettings * settings)
{
  guint ball = floor (eighths_of_bins (live, BALL));

  frame->limit.least_summits =
      settings->making.keeps_radius ? 0 : frame->limit.most;
  frame->limit.ball = ball * ball;
  frame->hysteresis.margin =
      floor (eighths_of_bins (live, MARGIN * settings->motion.stability) + 0.5);
}

/* --- a frame --- */

gboolean
gpu_palette_colour_limit_begin (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GError ** error)
{
  const GpuDispatch summits = {
    .kernel = limit->summits,
    .buffers = {
          [PALETTE_LIMIT_SUMMITS_STATE] = state,
          [PALETTE_LIMIT_SUMMITS_UPHILL] = bins->uphill,
          [PALETTE_LIMIT_SUMMITS_SUMMITS] = bins->summits,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &summits, error);
}

gboolean
gpu_palette_colour_limit_weigh (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GError ** error)
{
  const GpuDispatch weigh = {
    .kernel = limit->weigh,
    .buffers = {
          [PALETTE_LIMIT_WEIGH_STATE] = state,
          [PALETTE_LIMIT_WEIGH_SUMS] = bins->sums,
          [PALETTE_LIMIT_WEIGH_UPHILL] = bins->uphill,
          [PALETTE_LIMIT_WEIGH_WEIGHTS] = bins->summit_weights,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &weigh, error);
}

/* Records as many dispatches as are needed to fill all slots with the farthest
 * summits. */
static gboolean
take_farthest (const GpuPaletteColourLimit * limit, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  guint n = gpu_palette_get_limit (context->settings);
  const GpuDispatch farthest = {
    .kernel = limit->farthest,
    .buffers = {
          [PALETTE_LIMIT_FARTHEST_LIVE] = bins->state,
          [PALETTE_LIMIT_FARTHEST_STATE] = state,
          [PALETTE_LIMIT_FARTHEST_MODES] = modes,
          [PALETTE_LIMIT_FARTHEST_TABLES] = bins->tables,
          [PALETTE_LIMIT_FARTHEST_SUMS] = bins->sums,
          [PALETTE_LIMIT_FARTHEST_CARRIES] = bins->carries,
          [PALETTE_LIMIT_FARTHEST_LIST] = bins->bin_list,
          [PALETTE_LIMIT_FARTHEST_SUMMITS] = bins->summits,
          [PALETTE_LIMIT_FARTHEST_WEIGHTS] = bins->summit_weights,
          [PALETTE_LIMIT_FARTHEST_DISTANCES] = bins->distances,
        },
  };

  for (guint i = 0; i < n; i += FARTHEST_PER_DISPATCH) {
    gpu_stream_barrier (context->slicer.stream);
    if (!gpu_slicer_run_group (&context->slicer, &farthest,
            (guint64) bins->bound * MIN (n, FARTHEST_PER_DISPATCH), FARTHEST_NS,
            error))
      return FALSE;
  }
  return TRUE;
}

/* Records the assignment of bins by @kernel, one of two with the same bindings. */
static gboolean
assign_bins (GpuKernel * kernel, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  GpuSlicerItems of_assign = bins->of_bins;
  const GpuDispatch assign = {
    .kernel = kernel,
    .buffers = {
          [PALETTE_LIMIT_ASSIGN_STATE] = state,
          [PALETTE_LIMIT_ASSIGN_MODES] = modes,
          [PALETTE_LIMIT_ASSIGN_LIST] = bins->bin_list,
          [PALETTE_LIMIT_ASSIGN_UPHILL] = bins->uphill,
          [PALETTE_LIMIT_ASSIGN_SUMS] = bins->sums,
          [PALETTE_LIMIT_ASSIGN_WEIGHTS] = bins->summit_weights,
          [PALETTE_LIMIT_ASSIGN_OWNERS] = bins->owners,
          [PALETTE_LIMIT_ASSIGN_PRODUCTS] = bins->products,
        },
  };

  of_assign.key = kernel;
  of_assign.ns = ASSIGN_NS (gpu_palette_get_limit (context->settings));
  return gpu_palette_bins_run (bins, context, &assign, &of_assign,
      GPU_PALETTE_BINS_GROUPS (bin), error);
}

/* Records the sums of the bins around modes by @kernel, one of two with the same
 * bindings. */
static gboolean
gather_bins (GpuKernel * kernel, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  const GpuDispatch gather = {
    .kernel = kernel,
    .buffers = {
          [PALETTE_LIMIT_GATHER_STATE] = state,
          [PALETTE_LIMIT_GATHER_MODES] = modes,
          [PALETTE_LIMIT_GATHER_SUMS] = bins->sums,
          [PALETTE_LIMIT_GATHER_CARRIES] = bins->carries,
          [PALETTE_LIMIT_GATHER_LIST] = bins->bin_list,
          [PALETTE_LIMIT_GATHER_OWNERS] = bins->owners,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &gather, error);
}

/* Records the move of modes to the middle of their bins, if all are new. */
static gboolean
centre_modes (const GpuPaletteColourLimit * limit, GpuPaletteContext * context,
    GpuPaletteBins * bins, GpuBuffer * state, GpuBuffer * modes,
    GError ** error)
{
  const GpuDispatch centre = {
    .kernel = limit->centre,
    .buffers = {
          [PALETTE_LIMIT_CENTRE_STATE] = state,
          [PALETTE_LIMIT_CENTRE_MODES] = modes,
          [PALETTE_LIMIT_CENTRE_TABLES] = bins->tables,
        },
  };

  if (!assign_bins (limit->assign_first, context, bins, state, modes, error)
      || !gather_bins (limit->gather_first, context, bins, state, modes, error))
    return FALSE;
  gpu_palette_bins_alone (bins, context, &centre);
  return TRUE;
}

gboolean
gpu_palette_colour_limit_assign (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error)
{
  const GpuDispatch distances = {
    .kernel = limit->distances,
    .buffers = {
          [PALETTE_LIMIT_DISTANCES_STATE] = state,
          [PALETTE_LIMIT_DISTANCES_MODES] = modes,
          [PALETTE_LIMIT_DISTANCES_LIST] = bins->bin_list,
          [PALETTE_LIMIT_DISTANCES_UPHILL] = bins->uphill,
          [PALETTE_LIMIT_DISTANCES_DISTANCES] = bins->distances,
        },
  };

  return gpu_palette_bins_over_bins (bins, context, &distances, error)
      && take_farthest (limit, context, bins, state, modes, error)
      && centre_modes (limit, context, bins, state, modes, error)
      && assign_bins (limit->assign, context, bins, state, modes, error);
}

/* Records the search for the candidate of every mode, and for what it saves. */
static gboolean
try_candidates (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins, GpuBuffer * state,
    GpuBuffer * modes, GError ** error)
{
  GpuSlicerItems of_save = bins->of_bins;
  const GpuDispatch candidates = {
    .kernel = limit->candidates,
    .buffers = {
          [PALETTE_LIMIT_CANDIDATES_STATE] = state,
          [PALETTE_LIMIT_CANDIDATES_UPHILL] = bins->uphill,
          [PALETTE_LIMIT_CANDIDATES_OWNERS] = bins->owners,
          [PALETTE_LIMIT_CANDIDATES_PRODUCTS] = bins->products,
        },
  };
  const GpuDispatch save = {
    .kernel = limit->save,
    .buffers = {
          [PALETTE_LIMIT_SAVE_STATE] = state,
          [PALETTE_LIMIT_SAVE_MODES] = modes,
          [PALETTE_LIMIT_SAVE_LIST] = bins->bin_list,
          [PALETTE_LIMIT_SAVE_SUMS] = bins->sums,
          [PALETTE_LIMIT_SAVE_OWNERS] = bins->owners,
          [PALETTE_LIMIT_SAVE_UPHILL] = bins->uphill,
        },
  };

  of_save.key = limit->save;
  of_save.ns = ASSIGN_NS (gpu_palette_get_limit (context->settings));
  return gpu_palette_bins_over_bins (bins, context, &candidates, error)
      && gpu_palette_bins_run (bins, context, &save, &of_save,
      GPU_PALETTE_BINS_GROUPS (bin), error);
}

gboolean
gpu_palette_colour_limit_renew (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers, GError ** error)
{
  const GpuDispatch renew = {
    .kernel = limit->renew,
    .buffers = {
          [PALETTE_LIMIT_RENEW_STATE] = buffers->state,
          [PALETTE_LIMIT_RENEW_MOTION_STATE] = buffers->motion,
          [PALETTE_LIMIT_RENEW_MODES] = buffers->modes,
          [PALETTE_LIMIT_RENEW_SUMS] = bins->sums,
          [PALETTE_LIMIT_RENEW_CARRIES] = bins->carries,
        },
  };

  if (!try_candidates (limit, context, bins, buffers->state,
          buffers->modes, error)
      || !gather_bins (limit->gather, context, bins, buffers->state,
          buffers->modes, error))
    return FALSE;
  gpu_palette_bins_alone (bins, context, &renew);
  return TRUE;
}
