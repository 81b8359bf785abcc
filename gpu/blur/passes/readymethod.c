/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "readymethod.h"

#include <string.h>

static const GpuShader *
choose_shader (const GpuBlurPass * pass, gboolean exact)
{
  return exact ? pass->exact_shader : pass->shader;
}

static const GpuBlurShape *
choose_shape (const GpuBlurPass * pass, const GpuBlurShape * wanted, guint i)
{
  if (!wanted)
    return gpu_blur_pass_get_shape (pass, i);
  return i == 0 ? wanted : NULL;
}

/* Exact sums are integers and are never stored as halves. */
static void
init_pass (GpuBlurReadyPass * ready, GpuDevice * device,
    const GpuBlurPass * pass, const GpuBlurShape * wanted,
    const GpuBlurPlaneKind * kind, gboolean exact)
{
  const GpuPixelFormat *format = kind->format;
  guint components = format->components[kind->plane];
  gboolean half = kind->half && !exact;
  const GpuBlurPixel pixel = {
    .components = components,
    .bytes = gpu_pixel_format_get_size (format, kind->plane),
    .words = BLUR_WORDS_PER_SUM (components, half),
  };
  const GpuBlurReadyPass initial = {
    .pass = pass,
    .exact = exact,
    .constants = {
          [BLUR_COMPONENTS] = components,
          [BLUR_ALPHA] = format->alpha,
          [BLUR_UNUSED] = format->unused,
          [BLUR_HALF] = half,
          [BLUR_SAMPLE] = format->sample,
          [BLUR_LINEAR] = kind->linear,
        },
  };
  const GpuBlurShape *shape;

  *ready = initial;
  for (guint i = 0; choose_shader (pass, exact)
      && (shape = choose_shape (pass, wanted, i)); i++) {
    GpuBlurTile tile;

    gpu_blur_pass_get_tile (pass, shape, device, &pixel, &tile);
    if (tile.shared_words > 0)
      ready->tiles[ready->n_tiles++].tile = tile;
  }
}

void
gpu_blur_ready_method_init (GpuBlurReadyMethod * ready, GpuDevice * device,
    GpuBlurMethod method, const GpuBlurShape * shape,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  gboolean integers = gpu_blur_can_sum_integers (settings, format);
  const GpuBlurPass *pass;

  *ready = (GpuBlurReadyMethod) {
  .method = method,};
  for (guint i = 0; (pass = gpu_blur_get_pass (method, i));
      i++, ready->n_passes++)
    for (guint plane = 0; plane < format->n_planes; plane++) {
      const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, format,
          plane);

      for (gint exact = 0; exact <= integers; exact++)
        init_pass (&ready->passes[plane][exact][i], device, pass, shape, &kind,
            exact);
    }
}

/* --- kernels --- */

static void
get_constants (const GpuBlurReadyPass * pass, const GpuBlurTile * tile,
    guint32 * constants)
{
  memcpy (constants, pass->constants, sizeof pass->constants);
  constants[BLUR_GROUP_X] = tile->group_x;
  constants[BLUR_GROUP_Y] = tile->group_y;
  constants[BLUR_SHARED_WORDS] = tile->shared_words;
}

static gboolean
request_tile (const GpuBlurReadyPass * pass, GpuBlurReadyTile * tile,
    GpuDevice * device, GpuKernelUrgency urgency, GError ** error)
{
  guint32 constants[BLUR_CONSTANTS];

  get_constants (pass, &tile->tile, constants);
  tile->kernel = gpu_kernel_request (device,
      choose_shader (pass->pass, pass->exact), constants, BLUR_CONSTANTS,
      urgency, error);
  return tile->kernel != NULL;
}

/* Returns the passes that @settings need on @plane, with its @axes. */
static GpuBlurReadyPass *
get_passes (GpuBlurReadyMethod * ready, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane, GpuBlurAxes * axes)
{
  gpu_blur_axes_init (axes, settings, format, plane);
  return ready->passes[plane][gpu_blur_ready_method_is_exact (ready, axes)];
}

gboolean
gpu_blur_ready_method_request (GpuBlurReadyMethod * ready, GpuDevice * device,
    const GpuBlurSettings * settings, const GpuPixelFormat * format,
    GpuKernelUrgency urgency, GError ** error)
{
  for (guint plane = 0; plane < format->n_planes; plane++) {
    GpuBlurAxes axes;
    GpuBlurReadyPass *passes = get_passes (ready, settings, format, plane,
        &axes);

    for (guint i = 0; i < ready->n_passes; i++)
      if (!request_tile (&passes[i], gpu_blur_ready_pass_pick (&passes[i],
                  &axes), device, urgency, error))
        return FALSE;
  }
  return TRUE;
}

gboolean
gpu_blur_ready_method_is_built (GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  for (guint plane = 0; plane < format->n_planes; plane++) {
    GpuBlurAxes axes;
    GpuBlurReadyPass *passes = get_passes (ready, settings, format, plane,
        &axes);

    for (guint i = 0; i < ready->n_passes; i++) {
      GpuKernel *kernel = gpu_blur_ready_pass_pick (&passes[i], &axes)->kernel;

      if (!kernel || !gpu_kernel_is_built (kernel))
        return FALSE;
    }
  }
  return TRUE;
}

static gboolean
request_tiles (GpuBlurReadyPass * pass, GpuDevice * device,
    GpuKernelUrgency urgency, GError ** error)
{
  for (guint i = 0; i < pass->n_tiles; i++)
    if (!request_tile (pass, &pass->tiles[i], device, urgency, error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_blur_ready_method_request_all (GpuBlurReadyMethod * ready,
    GpuDevice * device, const GpuPixelFormat * format,
    GpuKernelUrgency urgency, GError ** error)
{
  for (guint plane = 0; plane < format->n_planes; plane++)
    for (guint exact = 0; exact < 2; exact++)
      for (guint i = 0; i < ready->n_passes; i++)
        if (!request_tiles (&ready->passes[plane][exact][i], device, urgency,
                error))
          return FALSE;
  return TRUE;
}

gboolean
gpu_blur_ready_method_is_exact (const GpuBlurReadyMethod * ready,
    const GpuBlurAxes * axes)
{
  return axes->exact || !gpu_blur_get_pass (ready->method, 0)->shader;
}

GpuBlurReadyTile *
gpu_blur_ready_pass_pick (GpuBlurReadyPass * ready, const GpuBlurAxes * axes)
{
  for (guint i = 0; i < ready->n_tiles; i++)
    if (gpu_blur_pass_reaches (ready->pass, &ready->tiles[i].tile, axes))
      return &ready->tiles[i];
  return NULL;
}

gboolean
gpu_blur_ready_method_reaches (GpuBlurReadyMethod * ready,
    const GpuBlurSettings * settings, const GpuPixelFormat * format)
{
  for (guint plane = 0; plane < format->n_planes; plane++) {
    GpuBlurAxes axes;
    gboolean exact;

    gpu_blur_axes_init (&axes, settings, format, plane);
    exact = gpu_blur_ready_method_is_exact (ready, &axes);
    for (guint i = 0; i < ready->n_passes; i++)
      if (!gpu_blur_ready_pass_pick (&ready->passes[plane][exact][i], &axes))
        return FALSE;
  }
  return TRUE;
}
