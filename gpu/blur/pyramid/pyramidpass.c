/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "pyramidpass.h"
#include "shaders.h"
#include "gpu/core/compute/slicer.h"
#include "gpu/core/rounding.h"

/* All layouts of the shader have the same push constants. */
G_STATIC_ASSERT (sizeof (GpuBlurStepPush)
    == sizeof (GpuBlurPyramidWalkColumns1Push));

guint
gpu_blur_pyramid_pass_size (const GpuBlurPyramidPass * pass,
    GpuBlurLevelsAxis axis, guint level)
{
  return pass->levels.axes[axis].sizes[level];
}

guint
gpu_blur_pyramid_pass_extent (const GpuBlurPyramidPass * pass,
    GpuBlurLevelsAxis axis, guint level)
{
  return gpu_blur_levels_extent (&pass->levels, axis, level);
}

guint
gpu_blur_pyramid_pass_components (const GpuBlurPyramidPass * pass)
{
  return gpu_pixels_get_format (pass->in->info.pixels)->components[pass->plane];
}

guint
gpu_blur_pyramid_pass_pixel_size (const GpuBlurPyramidPass * pass)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (pass->in->info.pixels);

  return gpu_pixel_format_get_size (format, pass->plane);
}

GpuBuffer *
gpu_blur_pyramid_pass_side (const GpuBlurPyramidPass * pass)
{
  return pass->sides[pass->side];
}

GpuBuffer *
gpu_blur_pyramid_pass_turn (GpuBlurPyramidPass * pass)
{
  pass->side = pass->side == GPU_BLUR_SIDE_FIRST ? GPU_BLUR_SIDE_SECOND
      : GPU_BLUR_SIDE_FIRST;
  return gpu_blur_pyramid_pass_side (pass);
}

GpuBlurStepPush
gpu_blur_pyramid_pass_make_push (const GpuBlurPyramidPass * pass,
    const GpuFrame * frame, guint finer, guint coarser)
{
  return (GpuBlurStepPush) {
    .width = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_X, finer),
    .height = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_Y, finer),
    .coarse_width = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_X,
        coarser),
    .coarse_height = gpu_blur_pyramid_pass_size (pass, GPU_BLUR_LEVELS_Y,
        coarser),
    .offset = frame->info.offset[pass->plane] / 4,
    .stride = frame->info.stride[pass->plane] / 4,
    .edge = pass->edge,
    .black = pass->black,
  };
}

void
gpu_blur_pyramid_pass_init_down (GpuBlurPyramidPass * pass, guint step,
    GpuBlurStepPush * push, GpuBlurPyramidPassWork * work)
{
  *push = gpu_blur_pyramid_pass_make_push (pass, pass->in, step, step + 1);
  work->source = step == 0 ? pass->in->buffer
      : gpu_blur_pyramid_pass_side (pass);
  work->target = gpu_blur_pyramid_pass_turn (pass);
}

void
gpu_blur_pyramid_pass_set_section (const GpuBlurPyramidPass * pass, guint step,
    guint rows, GpuBlurStepPush * push, GpuBlurPyramidPassWork * work)
{
  push->section_rows = rows;
  work->rows = DIV_UP (gpu_blur_pyramid_pass_extent (pass, GPU_BLUR_LEVELS_Y,
          step + 1), rows);
  work->row_units = (guint64) push->width * push->height * rows
      / push->coarse_height + 1;
}

void
gpu_blur_pyramid_pass_dispatch (GpuBlurPyramidPasses * passes,
    const GpuBlurPyramidPassWork * work, gconstpointer push, gint32 * first,
    guint * dispatches)
{
  GpuStream *stream = passes->stream;
  const GpuDispatch dispatch = {
    .kernel = work->kernel,
    .buffers = {
      [PYRAMID_SOURCE] = work->source,
      [PYRAMID_TARGET] = work->target,
      [PYRAMID_LIGHT] = passes->light,
    },
    .push = push,
  };
  GpuPieces rows = {
    .work = work->kernel,
    .units = work->row_units,
    .n = work->rows,
    .step = 1,
    .most = gpu_device_get_info (passes->device)->max_groups[1],
  };

  while (gpu_pieces_next (&rows, stream)) {
    *first = rows.first;
    gpu_stream_dispatch (stream, &dispatch, work->groups,
        rows.end - rows.first, 1);
    (*dispatches)++;
  }
}
