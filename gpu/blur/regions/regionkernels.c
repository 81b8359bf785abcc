/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "regionkernels.h"
#include "gpu/blur/family.h"
#include "gpu/core/compute/components.h"
#include "shaders.h"

/* The threads of a group on slow devices, mostly CPUs, which add to a sum one after the
 * other. */
#define SLOW_MEANS_GROUP 32

/* --- areas --- */

/* Whether a region is an ellipse, or has a feather. */
static gboolean
have_shapes (const GArray * regions)
{
  for (guint i = 0; i < regions->len; i++) {
    const GpuRegion *region = &g_array_index (regions, GpuRegion, i);

    if (region->shape != GPU_REGION_RECTANGLE || region->feather > 0)
      return TRUE;
  }
  return FALSE;
}

/* Returns how treated samples of @areas are mixed with those of the frame: PAINT_MIXES. */
static guint
get_mixes (const GpuAreas * areas)
{
  if (areas->mask != GPU_AREAS_NO_MASK)
    return areas->mask == GPU_AREAS_ALPHA ? PAINT_BY_ALPHA : PAINT_BY_INVERSE;
  return areas->amount < 1 || areas->components != GPU_AREAS_ALL_COMPONENTS
      ? PAINT_SHARED : PAINT_WHOLLY;
}

gboolean
gpu_areas_have_action (const GpuAreas * areas, GpuRegionAction action)
{
  if (areas->rest)
    return areas->rest->action == action;
  for (guint i = 0; i < areas->regions->len; i++)
    if (g_array_index (areas->regions, GpuRegion, i).action == action)
      return TRUE;
  return FALSE;
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

/* --- kernels --- */

/* Sets what the kernels for @areas depend on. */
static void
init_needs (GpuRegionKernels * self, GpuPixels pixels, const GpuAreas * areas)
{
  gboolean gathers = !areas->rest
      && gpu_areas_have_action (areas, GPU_REGION_BLUR);

  self->pixels = pixels;
  self->mixes = get_mixes (areas);
  self->has_shapes = have_shapes (areas->regions);
  self->needed = 1 << GPU_REGION_COPY
      | (areas->mask == GPU_AREAS_INVERSE_ALPHA) << GPU_REGION_COPY_INVERTED
      | gathers << GPU_REGION_GATHER | gathers << GPU_REGION_GATHER_INSIDE
      | (areas->regions->len > 0) << (GPU_REGION_PAINT + PAINT_SEARCH);
  if (gpu_areas_have_action (areas, GPU_REGION_PIXELATE))
    self->needed |= 1 << GPU_REGION_FIND_MEANS;
  for (GpuRegionAction i = 0; i < PAINT_SEARCH; i++)
    if (gpu_areas_have_action (areas, i))
      self->needed |= 1 << (GPU_REGION_PAINT + i);
}

/* Only the kernel of tiles in which regions are searched for knows shapes: all pixels of the
 * others have the same region. */
static GpuBlurWanted
get_wanted (const GpuRegionKernels * self, guint plane, GpuRegionKernel kernel)
{
  const GpuPixelFormat *format = gpu_pixels_get_format (self->pixels);
  GpuBlurWanted wanted = {.n_constants = FORMAT_CONSTANTS};
  guint32 *own = &wanted.constants[FORMAT_CONSTANTS];

  gpu_components_get_constants (self->pixels, self->pixels, plane,
      wanted.constants);
  switch (kernel) {
    case GPU_REGION_COPY:
    case GPU_REGION_COPY_INVERTED:
      wanted.shader = &gpu_shader_blur_region_copy;
      wanted.n_constants += COPY_CONSTANTS;
      own[COPY_INVERTS] = kernel == GPU_REGION_COPY_INVERTED;
      break;
    case GPU_REGION_GATHER:
    case GPU_REGION_GATHER_INSIDE:
      wanted.shader = &gpu_shader_blur_region_gather;
      wanted.n_constants += GATHER_CONSTANTS;
      own[GATHER_INSIDE] = kernel == GPU_REGION_GATHER_INSIDE;
      own[GATHER_TILE_WORDS] = gpu_region_tile_words (format, plane,
          ATLAS_TILE);
      own[GATHER_TILE_ROWS] = gpu_region_tile_rows (format, plane, ATLAS_TILE);
      break;
    case GPU_REGION_FIND_MEANS:
      wanted.shader = &gpu_shader_blur_region_means;
      wanted.n_constants += MEANS_CONSTANTS;
      own[MEANS_THREADS] = gpu_device_is_slow (self->device)
          ? SLOW_MEANS_GROUP : MEANS_ITEMS;
      break;
    default:
      wanted.shader = &gpu_shader_blur_region_paint;
      wanted.n_constants += PAINT_CONSTANTS;
      own[PAINT_ACTION] = kernel - GPU_REGION_PAINT;
      own[PAINT_MIXES] = self->mixes;
      own[PAINT_SHAPES] = kernel - GPU_REGION_PAINT == PAINT_SEARCH
          && self->has_shapes;
      own[PAINT_TILE_WORDS] = gpu_region_tile_words (format, plane,
          REGION_TILE);
      own[PAINT_TILE_ROWS] = gpu_region_tile_rows (format, plane, REGION_TILE);
  }
  return wanted;
}

static gboolean
request_plane (GpuRegionKernels * self, guint plane, GError ** error)
{
  for (GpuRegionKernel i = 0; i < GPU_REGION_N_KERNELS; i++) {
    const GpuBlurWanted wanted = get_wanted (self, plane, i);

    if (!(self->needed >> i & 1) || (i == GPU_REGION_FIND_MEANS && plane > 0))
      continue;
    self->kernels[plane][i] = gpu_blur_wanted_request (&wanted, self->device,
        GPU_KERNEL_SOON, error);
    if (!self->kernels[plane][i])
      return FALSE;
  }
  return TRUE;
}

gboolean
gpu_region_kernels_ensure (GpuRegionKernels * self, GpuPixels pixels,
    const GpuAreas * areas, GError ** error)
{
  GpuRegionKernels other = {.device = self->device};

  init_needs (&other, pixels, areas);
  if (self->pixels == other.pixels && self->mixes == other.mixes
      && self->has_shapes == other.has_shapes
      && (other.needed & ~self->needed) == 0)
    return TRUE;
  for (guint i = 0; i < gpu_pixels_get_format (pixels)->n_planes; i++)
    if (!request_plane (&other, i, error))
      return FALSE;
  *self = other;
  return TRUE;
}
