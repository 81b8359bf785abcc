/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of the bilateral filter. */
#pragma once

#include "gpu/blur/planekind.h"
#include "gpu/blur/weights.h"
#include "gpu/core/kernel/kernel.h"
#include "shaders/blur/bilateral/shared.h"

G_BEGIN_DECLS

/* What a pass filters. */
typedef enum
{
  GPU_BLUR_BILATERAL_WINDOW,
  GPU_BLUR_BILATERAL_ROWS,
  GPU_BLUR_BILATERAL_COLUMNS,
} GpuBlurBilateralAxes;

/* A kernel with the work of its groups. */
typedef struct
{
  GpuKernel *kernel;            /* owned by the device */
  guint group_units, group_rows;        /* outputs of a group */
} GpuBlurBilateralKernel;

typedef struct _GpuBlurBilateralKernels GpuBlurBilateralKernels;

GpuBlurBilateralKernels *gpu_blur_bilateral_kernels_new (GpuDevice * device);
void gpu_blur_bilateral_kernels_free (GpuBlurBilateralKernels * kernels);

/* The largest radius of a window, along both axes, that a group's shared
 * memory can hold. */
guint gpu_blur_bilateral_kernels_max_radius (GpuDevice * device);

/* Fills in @kernel for planes of @kind and the radii of @axes, which must be within
 * reach. Requests it if necessary. Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_bilateral_kernels_get (GpuBlurBilateralKernels * kernels,
    const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    const GpuBlurAxes * axes, GpuKernelUrgency urgency,
    GpuBlurBilateralKernel * kernel, GError ** error);

/* Whether that kernel is built. */
gboolean gpu_blur_bilateral_kernels_is_built (GpuBlurBilateralKernels *
    kernels, const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    const GpuBlurAxes * axes);

/* Requests the kernels for every radius within reach. Errors: as above. */
gboolean gpu_blur_bilateral_kernels_request_all (GpuBlurBilateralKernels *
    kernels, const GpuBlurPlaneKind * kind, GpuBlurBilateralAxes which,
    GpuKernelUrgency urgency, GError ** error);

G_END_DECLS
