/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "method.h"

GpuBlurPrecision
gpu_blur_choose_precision (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  if (settings->precision != GPU_BLUR_PRECISION_AUTO)
    return settings->precision;
  /* Halves hold 8-bit samples exactly. Of values, narrow kernels would miss by
   * more than 1e-3, and alphas above 1 be more than halves hold. */
  return format->sample == GPU_SAMPLE_BYTE ? GPU_BLUR_HALF : GPU_BLUR_FLOAT;
}

gboolean
gpu_blur_can_sum_integers (const GpuBlurSettings * settings,
    const GpuPixelFormat * format)
{
  return settings->kernel == GPU_BLUR_BOX && format->sample == GPU_SAMPLE_BYTE;
}

guint
gpu_blur_black_sample (const GpuPixelFormat * format, guint plane,
    gboolean full_range)
{
  if (!format->is_yuv)
    return 0;
  if (plane > 0)
    return 128;
  return full_range ? 0 : 16;
}

static const GpuShader *
choose_shader (const GpuBlurPass * pass, gboolean exact)
{
  return exact ? pass->exact_shader : pass->shader;
}

static GpuKernel *
get_kernel (GpuDevice * device, const GpuBlurPass * pass,
    const GpuBlurTile * tile, const GpuPixelFormat * format, guint plane,
    gboolean exact, gboolean half, GError ** error)
{
  const guint32 constants[BLUR_CONSTANTS] = {
    [BLUR_GROUP_X] = tile->group_x,
    [BLUR_GROUP_Y] = tile->group_y,
    [BLUR_COMPONENTS] = format->components[plane],
    [BLUR_ALPHA] = format->alpha,
    [BLUR_UNUSED] = format->unused,
    [BLUR_HALF] = half,
    [BLUR_SHARED_WORDS] = tile->shared_words,
    [BLUR_SAMPLE] = format->sample,
  };

  return gpu_kernel_get (device, choose_shader (pass, exact), constants,
      BLUR_CONSTANTS, error);
}

static gboolean
init_pass (GpuBlurReadyPass * ready, GpuDevice * device,
    const GpuBlurPass * pass, const GpuPixelFormat * format, guint plane,
    gboolean exact, gboolean half, GError ** error)
{
  guint components = format->components[plane];
  guint words = BLUR_WORDS_PER_SUM (components, half);
  GpuBlurTile tile;

  ready->pass = pass;
  ready->words = words;
  for (guint i = 0; choose_shader (pass, exact)
      && gpu_blur_pass_get_tile (pass, i, device, components, words, &tile);
      i++) {
    GpuBlurReadyTile *fitting = &ready->tiles[ready->n_tiles];

    if (tile.shared_words == 0)
      continue;
    fitting->tile = tile;
    fitting->kernel = get_kernel (device, pass, &tile, format, plane, exact,
        half, error);
    if (!fitting->kernel)
      return FALSE;
    ready->n_tiles++;
  }
  return TRUE;
}

static gboolean
init_plane (GpuBlurReadyMethod * ready, GpuDevice * device,
    const GpuPixelFormat * format, guint plane, gboolean exact, gboolean half,
    GError ** error)
{
  for (guint i = 0; i < ready->n_passes; i++)
    if (!init_pass (&ready->passes[plane][exact][i], device,
            gpu_blur_get_pass (ready->method, i), format, plane, exact, half,
            error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_blur_ready_method_init (GpuBlurReadyMethod * ready, GpuDevice * device,
    GpuBlurMethod method, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, GError ** error)
{
  gboolean half = gpu_blur_choose_precision (settings, format) == GPU_BLUR_HALF;
  gboolean exact = gpu_blur_can_sum_integers (settings, format);

  *ready = (GpuBlurReadyMethod) {
  .method = method,};
  while (gpu_blur_get_pass (method, ready->n_passes))
    ready->n_passes++;
  for (guint plane = 0; plane < format->n_planes; plane++)
    if (!init_plane (ready, device, format, plane, FALSE, half, error)
        || (exact && !init_plane (ready, device, format, plane, TRUE, FALSE,
                error)))
      return FALSE;
  return TRUE;
}

gboolean
gpu_blur_ready_method_is_exact (const GpuBlurReadyMethod * ready,
    const GpuBlurAxes * axes)
{
  return axes->exact || !gpu_blur_get_pass (ready->method, 0)->shader;
}

const GpuBlurReadyTile *
gpu_blur_ready_pass_pick (const GpuBlurReadyPass * ready, guint components,
    const GpuBlurAxes * axes)
{
  for (guint i = 0; i < ready->n_tiles; i++)
    if (gpu_blur_pass_reaches (ready->pass, &ready->tiles[i].tile, components,
            axes))
      return &ready->tiles[i];
  return NULL;
}

gboolean
gpu_blur_ready_method_reaches (const GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  for (guint plane = 0; plane < format->n_planes; plane++) {
    GpuBlurAxes axes;
    gboolean exact;

    gpu_blur_axes_init (&axes, settings, format, plane);
    exact = gpu_blur_ready_method_is_exact (ready, &axes);
    for (guint i = 0; i < ready->n_passes; i++)
      if (!gpu_blur_ready_pass_pick (&ready->passes[plane][exact][i],
              format->components[plane], &axes))
        return FALSE;
  }
  return TRUE;
}
