/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "readymethod.h"

#include <string.h>

/* NULL: there is none, or none is needed. Walks reach so few samples that a word holds their
 * sums. */
static const GpuShader *
choose_shader (const GpuBlurPass * pass, GpuBlurTotals totals)
{
  if (totals == GPU_BLUR_TOTALS_WIDE && gpu_blur_pass_walks (pass))
    return NULL;
  return totals == GPU_BLUR_TOTALS_FLOAT ? pass->shader : pass->exact_shader;
}

static const GpuBlurShape *
choose_shape (const GpuBlurPass * pass, const GpuBlurShape * wanted, guint i)
{
  if (!wanted)
    return gpu_blur_pass_get_shape (pass, i);
  return i == 0 ? wanted : NULL;
}

/* Integer sums are never stored as halves, and those of walks are not stored. */
static void
init_pass (GpuBlurReadyPass * ready, GpuDevice * device,
    const GpuBlurPass * pass, const GpuBlurShape * wanted,
    const GpuBlurPlaneKind * kind, gboolean is_in_blocks, GpuBlurTotals totals)
{
  const GpuPixelFormat *format = kind->format;
  guint components = format->components[kind->plane];
  gboolean half = kind->half && totals == GPU_BLUR_TOTALS_FLOAT
      && !gpu_blur_pass_walks (pass);
  const GpuBlurPixel pixel = {
    .components = components,
    .bytes = gpu_pixel_format_get_size (format, kind->plane),
    .words = BLUR_WORDS_PER_SUM (components, half),
    .is_in_blocks = is_in_blocks,
  };
  const GpuBlurReadyPass initial = {
    .pass = pass,
    .totals = totals,
    .constants = {
      [BLUR_COMPONENTS] = components,
      [BLUR_ALPHA] = format->alpha,
      [BLUR_UNUSED] = format->unused,
      [BLUR_HALF] = half,
      [BLUR_SAMPLE] = format->sample,
      [BLUR_LINEAR] = kind->linear,
      [BLUR_WIDE] = totals == GPU_BLUR_TOTALS_WIDE
          && pass->output == GPU_BLUR_TO_TARGET,
      [BLUR_FOURS] = is_in_blocks && gpu_blur_pass_walks (pass),
    },
  };
  const GpuBlurShape *shape;

  *ready = initial;
  for (guint i = 0; choose_shader (pass, totals)
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
    const GpuBlurSettings * settings, const GpuPixelFormat * format,
    gboolean is_in_blocks)
{
  guint n_totals = gpu_blur_can_sum_integers (settings, format) ?
      GPU_BLUR_N_TOTALS : GPU_BLUR_TOTALS_FLOAT + 1;
  const GpuBlurPass *pass;

  *ready = (GpuBlurReadyMethod) {.method = method};
  for (guint i = 0; (pass = gpu_blur_get_pass (method, i));
      i++, ready->n_passes++)
    for (guint plane = 0; plane < format->n_planes; plane++) {
      const GpuBlurPlaneKind kind = gpu_blur_plane_kind (settings, format,
          plane);

      for (guint totals = 0; totals < n_totals; totals++)
        init_pass (&ready->passes[plane][totals][i], device, pass, shape,
            &kind, is_in_blocks, totals);
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
  constants[BLUR_UNROLLED] = tile->unrolled;
  constants[BLUR_COLUMNS] = tile->columns;
}

static gboolean
request_tile (const GpuBlurReadyPass * pass, GpuBlurReadyTile * tile,
    GpuDevice * device, GpuKernelUrgency urgency, GError ** error)
{
  guint32 constants[BLUR_CONSTANTS];

  get_constants (pass, &tile->tile, constants);
  tile->kernel = gpu_kernel_request (device,
      choose_shader (pass->pass, pass->totals), constants, BLUR_CONSTANTS,
      urgency, error);
  return tile->kernel != NULL;
}

/* Returns the passes that @settings need on @plane, with its @axes. */
static GpuBlurReadyPass *
get_passes (GpuBlurReadyMethod * ready, const GpuBlurSettings * settings,
    const GpuPixelFormat * format, guint plane, GpuBlurAxes * axes)
{
  gpu_blur_axes_init (axes, settings, format, plane);
  return ready->passes[plane][gpu_blur_ready_method_get_totals (ready, axes)];
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
    for (guint totals = 0; totals < GPU_BLUR_N_TOTALS; totals++)
      for (guint i = 0; i < ready->n_passes; i++)
        if (!request_tiles (&ready->passes[plane][totals][i], device, urgency,
                error))
          return FALSE;
  return TRUE;
}

GpuBlurTotals
gpu_blur_ready_method_get_totals (const GpuBlurReadyMethod * ready,
    const GpuBlurAxes * axes)
{
  if (!axes->exact && gpu_blur_get_pass (ready->method, 0)->shader)
    return GPU_BLUR_TOTALS_FLOAT;
  return axes->fits_word ? GPU_BLUR_TOTALS_WORD : GPU_BLUR_TOTALS_WIDE;
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
    GpuBlurReadyPass *passes = get_passes (ready, settings, format, plane,
        &axes);

    for (guint i = 0; i < ready->n_passes; i++)
      if (!gpu_blur_ready_pass_pick (&passes[i], &axes))
        return FALSE;
  }
  return TRUE;
}
