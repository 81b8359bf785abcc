/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of the pyramid for a plane of frames. */
#pragma once

#include "gpu/core/builder.h"
#include "gpu/core/frame.h"

G_BEGIN_DECLS

/* The device's. */
typedef struct
{
  GpuKernel *down, *up;         /* from and to the frame */
  GpuKernel *blur;
  GpuKernel *level_down, *level_up;     /* from level to level */
} GpuBlurPyramidKernels;

/* Values that a sample of a level has, for planes of so many samples a pixel. */
guint gpu_blur_pyramid_lanes (guint components);

/* Fills in those for a plane of @format, which has bytes, and builds what is not
 * built; those from level to level only where there are @several. @half: what
 * levels keep. FALSE with @error set where one cannot be built. */
gboolean gpu_blur_pyramid_kernels_get (GpuBlurPyramidKernels * kernels,
    GpuDevice * device, const GpuPixelFormat * format, guint plane,
    gboolean half, gboolean several, GError ** error);

/* Has all of them built in the background. @kernels: empty, and kept as long as
 * the builder. */
void gpu_blur_pyramid_kernels_request (GpuBlurPyramidKernels * kernels,
    GpuBuilder * builder, const GpuPixelFormat * format, guint plane,
    gboolean half);

G_END_DECLS
