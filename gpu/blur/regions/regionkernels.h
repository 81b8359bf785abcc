/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of regions. */
#pragma once

#include "gpu/core/frame/frame.h"
#include "gpu/core/kernel/kernel.h"
#include "regionblur.h"

G_BEGIN_DECLS

/* Specialization constants of a kernel that paints (shaders/blur/regions/shared.h). */
typedef struct
{
  guint action;                 /* PAINT_ACTION */
  guint mixes;                  /* PAINT_MIXES */
  gboolean has_shapes;
} GpuRegionPaint;

/* Kernels for frames of a format, by plane; owned by the device. */
typedef struct
{
  GpuDevice *device;            /* not owned */
  GpuPixels pixels;
  GpuKernel *copy[GPU_MAX_PLANES][2];   /* by COPY_INVERTS */
  GpuKernel *gather[GPU_MAX_PLANES][2]; /* by GATHER_INSIDE */
  GpuKernel *means;             /* of all planes */
  /* By GpuRegionPaint. */
  GpuKernel *paint[GPU_MAX_PLANES][PAINT_SEARCH + 1][PAINT_BY_INVERSE + 1][2];
} GpuRegionKernels;

/* Fills in @kernels and requests those for areas like @areas. Errors: as
 * gpu_kernel_request(). */
gboolean gpu_region_kernels_request (GpuRegionKernels * kernels,
    GpuDevice * device, GpuPixels pixels, const GpuAreas * areas,
    GError ** error);

/* Return a kernel, which is requested if it has not been. NULL with @error set on failure, as
 * gpu_kernel_request(). */
GpuKernel *gpu_region_kernels_get_copy (GpuRegionKernels * kernels,
    guint plane, gboolean inverts, GError ** error);
GpuKernel *gpu_region_kernels_get_means (GpuRegionKernels * kernels,
    GError ** error);
GpuKernel *gpu_region_kernels_get_gather (GpuRegionKernels * kernels,
    guint plane, gboolean is_inside, GError ** error);
GpuKernel *gpu_region_kernels_get_paint (GpuRegionKernels * kernels,
    guint plane, const GpuRegionPaint * paint, GError ** error);

/* Returns how treated samples of @areas are mixed with those of the frame: PAINT_MIXES. */
guint gpu_areas_get_mixes (const GpuAreas * areas);

/* Whether a region is an ellipse, or has a feather. */
gboolean gpu_regions_have_shapes (const GArray * regions);

/* Returns the actions in @areas: bit i for action i. */
guint gpu_areas_get_actions (const GpuAreas * areas);

/* Return the words of a row of a tile with sides of @side pixels in a plane, and its rows. */
guint gpu_region_tile_words (const GpuPixelFormat * format, guint plane,
    guint side);
guint gpu_region_tile_rows (const GpuPixelFormat * format, guint plane,
    guint side);

G_END_DECLS
