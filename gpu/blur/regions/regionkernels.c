/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionkernels.h"
#include "gpu/core/compute/components.h"
#include "shaders.h"

/* Threads that sum a block. Those of slow devices, mostly CPUs, add to a sum one after the
 * other. */
#define MEANS_GROUP 256
#define SLOW_MEANS_GROUP 32

/* --- areas --- */

gboolean
gpu_regions_have_shapes (const GArray * regions)
{
  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (region->shape != GPU_REGION_RECTANGLE || region->feather > 0)
      return TRUE;
  }
  return FALSE;
}

guint
gpu_areas_get_mixes (const GpuAreas * areas)
{
  if (areas->mask != GPU_AREAS_NO_MASK)
    return areas->mask == GPU_AREAS_ALPHA ? PAINT_BY_ALPHA : PAINT_BY_INVERSE;
  return areas->amount < 1 || areas->components != GPU_AREAS_ALL_COMPONENTS
      ? PAINT_SHARED : PAINT_WHOLLY;
}

guint
gpu_areas_get_actions (const GpuAreas * areas)
{
  guint actions = 0;

  if (areas->rest)
    return 1 << areas->rest->action;
  for (guint i = 0; i < areas->regions->len; i++)
    actions |= 1 << g_array_index (areas->regions, GpuRegion, i).action;
  return actions;
}

/* --- tiles --- */

guint
gpu_region_tile_words (const GpuPixelFormat * format, guint plane, guint side)
{
  return (side >> format->shift_x[plane])
      * gpu_pixel_format_get_size (format, plane) / 4;
}

guint
gpu_region_tile_rows (const GpuPixelFormat * format, guint plane, guint side)
{
  return side >> format->shift_y[plane];
}

/* --- requests --- */

/* @own: the constants behind those of the format. */
static GpuKernel *
request (const GpuRegionKernels * self, const GpuShader * shader, guint plane,
    const guint32 * own, guint n_own, GError ** error)
{
  guint32 constants[FORMAT_CONSTANTS + PAINT_CONSTANTS];

  gpu_components_get_constants (self->pixels, self->pixels, plane, constants);
  for (guint i = 0; i < n_own; i++)
    constants[FORMAT_CONSTANTS + i] = own[i];
  return gpu_kernel_request (self->device, shader, constants,
      FORMAT_CONSTANTS + n_own, GPU_KERNEL_SOON, error);
}

GpuKernel *
gpu_region_kernels_get_paint (GpuRegionKernels * self, guint plane,
    const GpuRegionPaint * paint, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (self->pixels);
  GpuKernel **kernel = &self->paint[plane][paint->action]
      [paint->mixes][paint->has_shapes];
  const guint32 constants[PAINT_CONSTANTS] = {
    [PAINT_ACTION] = paint->action,
    [PAINT_MIXES] = paint->mixes,
    [PAINT_SHAPES] = paint->has_shapes,
    [PAINT_TILE_WORDS] = gpu_region_tile_words (format, plane, REGION_TILE),
    [PAINT_TILE_ROWS] = gpu_region_tile_rows (format, plane, REGION_TILE),
  };

  if (!*kernel)
    *kernel = request (self, &gpu_shader_blur_region_paint, plane, constants,
        PAINT_CONSTANTS, error);
  return *kernel;
}

/* Those of the tiles that a region has as a whole know no shapes. */
static gboolean
request_paint (GpuRegionKernels * self, guint plane, const GpuAreas * areas,
    GError ** error)
{
  guint actions = gpu_areas_get_actions (areas);
  GpuRegionPaint paint = {.mixes = gpu_areas_get_mixes (areas)};

  for (; paint.action < PAINT_SEARCH; paint.action++)
    if ((actions >> paint.action & 1) != 0
        && !gpu_region_kernels_get_paint (self, plane, &paint, error))
      return FALSE;
  paint.has_shapes = gpu_regions_have_shapes (areas->regions);
  return areas->regions->len == 0
      || gpu_region_kernels_get_paint (self, plane, &paint, error);
}

GpuKernel *
gpu_region_kernels_get_copy (GpuRegionKernels * self, guint plane,
    gboolean inverts, GError ** error)
{
  GpuKernel **kernel = &self->copy[plane][inverts];
  const guint32 constants[COPY_CONSTANTS] = {
    [COPY_INVERTS] = inverts,
  };

  if (!*kernel)
    *kernel = request (self, &gpu_shader_blur_region_copy, plane, constants,
        COPY_CONSTANTS, error);
  return *kernel;
}

GpuKernel *
gpu_region_kernels_get_gather (GpuRegionKernels * self, guint plane,
    gboolean is_inside, GError ** error)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (self->pixels);
  GpuKernel **kernel = &self->gather[plane][is_inside];
  const guint32 constants[GATHER_CONSTANTS] = {
    [GATHER_INSIDE] = is_inside,
    [GATHER_TILE_WORDS] = gpu_region_tile_words (format, plane, ATLAS_TILE),
    [GATHER_TILE_ROWS] = gpu_region_tile_rows (format, plane, ATLAS_TILE),
  };

  if (!*kernel)
    *kernel = request (self, &gpu_shader_blur_region_gather, plane, constants,
        GATHER_CONSTANTS, error);
  return *kernel;
}

GpuKernel *
gpu_region_kernels_get_means (GpuRegionKernels * self, GError ** error)
{
  const guint32 constants[MEANS_CONSTANTS] = {
    [MEANS_THREADS] = gpu_device_is_slow (self->device) ? SLOW_MEANS_GROUP
        : MEANS_GROUP,
  };

  if (!self->means)
    self->means = request (self, &gpu_shader_blur_region_means, 0, constants,
        MEANS_CONSTANTS, error);
  return self->means;
}

static gboolean
request_plane (GpuRegionKernels * self, guint plane, const GpuAreas * areas,
    GError ** error)
{
  gboolean gathers = !areas->rest
      && (gpu_areas_get_actions (areas) >> GPU_REGION_BLUR & 1) != 0;

  return gpu_region_kernels_get_copy (self, plane, FALSE, error)
      && (areas->mask != GPU_AREAS_INVERSE_ALPHA
      || gpu_region_kernels_get_copy (self, plane, TRUE, error))
      && request_paint (self, plane, areas, error)
      && (!gathers || (gpu_region_kernels_get_gather (self, plane, FALSE, error)
          && gpu_region_kernels_get_gather (self, plane, TRUE, error)));
}

gboolean
gpu_region_kernels_request (GpuRegionKernels * self, GpuDevice * device,
    GpuPixels pixels, const GpuAreas * areas, GError ** error)
{
  *self = (GpuRegionKernels) {.device = device, .pixels = pixels};
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++)
    if (!request_plane (self, i, areas, error))
      return FALSE;
  return (gpu_areas_get_actions (areas) >> GPU_REGION_PIXELATE & 1) == 0
      || gpu_region_kernels_get_means (self, error);
}
