/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "climb.h"

G_STATIC_ASSERT (sizeof (GpuBlurStepPush) <= 128);

guint
gpu_blur_climb_size (const GpuBlurClimb * climb, GpuBlurLevelsAxis axis,
    guint level)
{
  return climb->levels.axes[axis].sizes[level];
}

guint
gpu_blur_climb_extent (const GpuBlurClimb * climb, GpuBlurLevelsAxis axis,
    guint level)
{
  return gpu_blur_levels_extent (&climb->levels, axis, level);
}

guint
gpu_blur_climb_components (const GpuBlurClimb * climb)
{
  return gpu_pixels_get_format (climb->in->info.pixels)->components
      [climb->plane];
}

GpuBuffer *
gpu_blur_climb_side (const GpuBlurClimb * climb)
{
  return climb->sides[climb->side];
}

GpuBuffer *
gpu_blur_climb_turn (GpuBlurClimb * climb)
{
  climb->side = climb->side == GPU_BLUR_SIDE_COLUMNS ? GPU_BLUR_SIDE_LEVELS
      : GPU_BLUR_SIDE_COLUMNS;
  return gpu_blur_climb_side (climb);
}

GpuBlurStepPush
gpu_blur_climb_make_push (const GpuBlurClimb * climb, const GpuFrame * frame,
    guint finer, guint coarser)
{
  return (GpuBlurStepPush) {
  .width = gpu_blur_climb_size (climb, GPU_BLUR_LEVELS_X, finer),.height =
        gpu_blur_climb_size (climb, GPU_BLUR_LEVELS_Y, finer),.coarse_width =
        gpu_blur_climb_size (climb, GPU_BLUR_LEVELS_X,
        coarser),.coarse_height =
        gpu_blur_climb_size (climb, GPU_BLUR_LEVELS_Y, coarser),.offset =
        frame->info.offset[climb->plane] / 4,.stride =
        frame->info.stride[climb->plane] / 4,.edge = climb->edge,.black =
        climb->black,};
}

gboolean
gpu_blur_climb_dispatch (GpuBlurClimbs * climbs,
    const GpuBlurClimbWork * work, gconstpointer push, gsize push_size,
    gint32 * first, guint * dispatches, GError ** error)
{
  GpuStream *stream = climbs->stream;
  GpuBuffer *buffers[PYRAMID_BINDINGS] = {
    [PYRAMID_SOURCE] = work->source,
    [PYRAMID_TARGET] = work->target,
    [PYRAMID_LIGHT] = climbs->light,
  };
  const GpuCost cost = { work->kernel, work->ns };
  guint64 most = gpu_stream_get_dispatch_units (stream, &cost)
      / work->row_units;
  guint max_groups = gpu_device_get_info (climbs->device)->max_groups[1];

  for (guint at = 0; at < work->rows;) {
    guint n = MIN (CLAMP (most, 1u, max_groups), work->rows - at);

    if (!gpu_stream_pace (stream, &cost, n * work->row_units, error))
      return FALSE;
    gpu_stream_measure (stream, &cost, n * work->row_units);
    *first = at;
    gpu_stream_dispatch (stream, work->kernel, buffers,
        G_N_ELEMENTS (buffers), push, push_size, work->groups, n, 1);
    (*dispatches)++;
    at += n;
  }
  return TRUE;
}
