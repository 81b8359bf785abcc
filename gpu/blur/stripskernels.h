/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of strips. Some are unrolled, for a few radii; those between take
 * the next larger one, with weights of zero. They are built in the background, but
 * for the one that is needed first; meanwhile a larger one serves, or one that is
 * not unrolled, as for axes that differ. What serves radii beyond those is built
 * when one is first asked for. All give the same bytes. One that cannot be built
 * in the background is not tried again. */
#pragma once

#include "weights.h"

G_BEGIN_DECLS

typedef struct _GpuBlurStripsKernels GpuBlurStripsKernels;

/* What serves a plane: the device's. */
typedef struct
{
  GpuKernel *inside, *edges;    /* of strips by where they lie; the same where
                                   nothing is unrolled */
  guint unrolled;               /* the radius that they are for; 0: any */
} GpuBlurStripsChoice;

GpuBlurStripsKernels *gpu_blur_strips_kernels_new (GpuDevice * device);
void gpu_blur_strips_kernels_free (GpuBlurStripsKernels * all);

/* The largest radius whose row sums have room in shared memory, in any format of
 * these samples. */
guint gpu_blur_strips_kernels_max_radius (GpuDevice * device,
    GpuSample sample, gboolean half);

/* Builds what @axes, within reach, need at once on a plane of @format. */
gboolean gpu_blur_strips_kernels_prepare (GpuBlurStripsKernels * all,
    const GpuPixelFormat * format, guint plane, gboolean half,
    const GpuBlurAxes * axes, GError ** error);

/* Fills in what serves now, and has what is best built, where it is not. */
gboolean gpu_blur_strips_kernels_choose (GpuBlurStripsKernels * all,
    const GpuPixelFormat * format, guint plane, gboolean half,
    const GpuBlurAxes * axes, GpuBlurStripsChoice * choice, GError ** error);

/* Waits for all that is built in the background. */
void gpu_blur_strips_kernels_wait (GpuBlurStripsKernels * all);

G_END_DECLS
