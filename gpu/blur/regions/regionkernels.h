/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of regions. */
#pragma once

#include "regionlist.h"
#include "gpu/core/frame/frame.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

/* The kernels of a plane. Those of means are of the first plane only. */
typedef enum
{
  GPU_REGION_COPY,
  GPU_REGION_COPY_INVERTED,     /* with inverted alpha */
  GPU_REGION_GATHER,            /* cells, some of which cross edges of the frame */
  GPU_REGION_GATHER_INSIDE,
  GPU_REGION_FIND_MEANS,
  GPU_REGION_PAINT,             /* PAINT + i: for PAINT_ACTION i */
  GPU_REGION_N_KERNELS = GPU_REGION_PAINT + PAINT_SEARCH + 1
} GpuRegionKernel;

typedef struct
{
  GpuDevice *device;            /* not owned */
  GpuPixels pixels;             /* of the frames */
  /* What the kernels are for. */
  guint needed;                 /* bit i: kernel i */
  guint mixes;                  /* PAINT_MIXES */
  gboolean has_shapes;          /* a region is an ellipse, or has a feather */
  GpuKernel *kernels[GPU_MAX_PLANES][GPU_REGION_N_KERNELS];     /* owned by the device; NULL:
                                                           not needed */
} GpuRegionKernels;

/* Requests the kernels for frames of @pixels and areas like @areas, if those for the frames and
 * areas before do not include them. Errors: those of gpu_kernel_request(). */
gboolean gpu_region_kernels_ensure (GpuRegionKernels * kernels,
    GpuPixels pixels, const GpuAreas * areas, GError ** error);

/* Whether a region of @areas has @action. */
gboolean gpu_areas_have_action (const GpuAreas * areas, GpuRegionAction action);

/* Return the words of a row of a tile with sides of @side pixels in a plane, and its rows. */
guint gpu_region_tile_words (const GpuPixelFormat * format, guint plane,
    guint side);
guint gpu_region_tile_rows (const GpuPixelFormat * format, guint plane,
    guint side);

G_END_DECLS
