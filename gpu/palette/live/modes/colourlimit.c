/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "colourlimit.h"
#include "shaders.h"

#include <math.h>

/* In Oklab units: the margin by which another mode must be nearer at stability 1, and
 * the radius around a mode of the colours to whose mean it glides. */
#define MARGIN 0.1
#define BALL 0.04

gboolean
gpu_palette_colour_limit_request (GpuPaletteColourLimit * limit,
    GpuDevice * device, GpuKernelUrgency urgency, GError ** error)
{
  const GpuKernelWanted kernels[] = {
    {&limit->summits, &gpu_shader_palette_limit_summits},
    {&limit->weigh, &gpu_shader_palette_limit_weigh},
    {&limit->farthest, &gpu_shader_palette_limit_farthest},
    {&limit->centre, &gpu_shader_palette_limit_centre},
    {&limit->assign, &gpu_shader_palette_limit_assign},
    {&limit->sum, &gpu_shader_palette_limit_sum},
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

void
gpu_palette_colour_limit_begin (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch summits = {
    .kernel = limit->summits,
    .buffers = {
      [PALETTE_LIMIT_SUMMITS_STATE] = buffers->state,
      [PALETTE_LIMIT_SUMMITS_UPHILL] = bins->uphill,
      [PALETTE_LIMIT_SUMMITS_SUMMITS] = bins->summits,
    },
  };

  gpu_palette_bins_over_bins (bins, context, &summits);
}

void
gpu_palette_colour_limit_weigh (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch weigh = {
    .kernel = limit->weigh,
    .buffers = {
      [PALETTE_LIMIT_WEIGH_STATE] = buffers->state,
      [PALETTE_LIMIT_WEIGH_MODES] = buffers->modes,
      [PALETTE_LIMIT_WEIGH_SUMS] = bins->sums,
      [PALETTE_LIMIT_WEIGH_UPHILL] = bins->uphill,
      [PALETTE_LIMIT_WEIGH_WEIGHTS] = bins->summit_weights,
      [PALETTE_LIMIT_WEIGH_LIST] = bins->bin_list,
      [PALETTE_LIMIT_WEIGH_DISTANCES] = bins->distances,
    },
  };

  gpu_palette_bins_over_bins (bins, context, &weigh);
}

/* Records as many dispatches as are needed to fill all slots with the farthest
 * summits. */
static void
take_farthest (const GpuPaletteColourLimit * limit, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuPaletteModeBuffers * buffers)
{
  guint n = gpu_palette_get_limit (context->settings);
  const GpuDispatch farthest = {
    .kernel = limit->farthest,
    .buffers = {
      [PALETTE_LIMIT_FARTHEST_LIVE] = bins->state,
      [PALETTE_LIMIT_FARTHEST_STATE] = buffers->state,
      [PALETTE_LIMIT_FARTHEST_MODES] = buffers->modes,
      [PALETTE_LIMIT_FARTHEST_TABLES] = bins->tables,
      [PALETTE_LIMIT_FARTHEST_SUMS] = bins->sums,
      [PALETTE_LIMIT_FARTHEST_CARRIES] = bins->carries,
      [PALETTE_LIMIT_FARTHEST_LIST] = bins->bin_list,
      [PALETTE_LIMIT_FARTHEST_SUMMITS] = bins->summits,
      [PALETTE_LIMIT_FARTHEST_WEIGHTS] = bins->summit_weights,
      [PALETTE_LIMIT_FARTHEST_DISTANCES] = bins->distances,
    },
  };

  for (guint i = 0; i < n; i += FARTHEST_PER_DISPATCH)
    gpu_slicer_run_group (&context->slicer, &farthest,
        (guint64) bins->bound * MIN (n, FARTHEST_PER_DISPATCH));
}

/* Records @dispatch, which compares every bin with modes or with candidates. */
static void
compare_bins (GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuDispatch * dispatch)
{
  GpuSlicerItems items = bins->of_bins;

  items.work = dispatch->kernel;
  gpu_palette_bins_run (bins, context, dispatch, &items,
      GPU_PALETTE_BINS_GROUPS (bin));
}

/* Records the move of modes to the middle of their bins, if all are new. */
static void
centre_modes (const GpuPaletteColourLimit * limit, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch centre = {
    .kernel = limit->centre,
    .buffers = {
      [PALETTE_LIMIT_CENTRE_STATE] = buffers->state,
      [PALETTE_LIMIT_CENTRE_MODES] = buffers->modes,
      [PALETTE_LIMIT_CENTRE_TABLES] = bins->tables,
      [PALETTE_LIMIT_CENTRE_SUMS] = bins->sums,
      [PALETTE_LIMIT_CENTRE_CARRIES] = bins->carries,
      [PALETTE_LIMIT_CENTRE_LIST] = bins->bin_list,
      [PALETTE_LIMIT_CENTRE_SUMMED] = buffers->sums,
    },
  };

  compare_bins (context, bins, &centre);
}

static void
assign_bins (const GpuPaletteColourLimit * limit, GpuPaletteContext * context,
    GpuPaletteBins * bins, const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch assign = {
    .kernel = limit->assign,
    .buffers = {
      [PALETTE_LIMIT_ASSIGN_STATE] = buffers->state,
      [PALETTE_LIMIT_ASSIGN_MODES] = buffers->modes,
      [PALETTE_LIMIT_ASSIGN_LIST] = bins->bin_list,
      [PALETTE_LIMIT_ASSIGN_UPHILL] = bins->uphill,
      [PALETTE_LIMIT_ASSIGN_SUMS] = bins->sums,
      [PALETTE_LIMIT_ASSIGN_WEIGHTS] = bins->summit_weights,
      [PALETTE_LIMIT_ASSIGN_OWNERS] = bins->owners,
      [PALETTE_LIMIT_ASSIGN_PRODUCTS] = bins->products,
      [PALETTE_LIMIT_ASSIGN_SUMMED] = buffers->sums,
    },
  };

  compare_bins (context, bins, &assign);
}

void
gpu_palette_colour_limit_assign (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers)
{
  take_farthest (limit, context, bins, buffers);
  centre_modes (limit, context, bins, buffers);
  assign_bins (limit, context, bins, buffers);
}

void
gpu_palette_colour_limit_sum (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch sum = {
    .kernel = limit->sum,
    .buffers = {
      [PALETTE_LIMIT_SUM_STATE] = buffers->sums,
      [PALETTE_LIMIT_SUM_MODES] = buffers->modes,
      [PALETTE_LIMIT_SUM_SUMS] = bins->sums,
      [PALETTE_LIMIT_SUM_CARRIES] = bins->carries,
      [PALETTE_LIMIT_SUM_LIST] = bins->bin_list,
      [PALETTE_LIMIT_SUM_OWNERS] = bins->owners,
      [PALETTE_LIMIT_SUM_UPHILL] = bins->uphill,
    },
  };

  compare_bins (context, bins, &sum);
}

void
gpu_palette_colour_limit_renew (const GpuPaletteColourLimit * limit,
    GpuPaletteContext * context, GpuPaletteBins * bins,
    const GpuPaletteModeBuffers * buffers)
{
  const GpuDispatch renew = {
    .kernel = limit->renew,
    .buffers = {
      [PALETTE_LIMIT_RENEW_STATE] = buffers->state,
      [PALETTE_LIMIT_RENEW_MOTION_STATE] = buffers->motion,
      [PALETTE_LIMIT_RENEW_MODES] = buffers->modes,
      [PALETTE_LIMIT_RENEW_SUMS] = bins->sums,
      [PALETTE_LIMIT_RENEW_CARRIES] = bins->carries,
      [PALETTE_LIMIT_RENEW_SUMMED] = buffers->sums,
      [PALETTE_LIMIT_RENEW_IN_USE] = buffers->in_use,
    },
  };

  gpu_palette_bins_alone (bins, context, &renew);
}
