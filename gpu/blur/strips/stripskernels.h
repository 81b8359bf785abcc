/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The kernels of strips. Some are unrolled, for a few radii; those between take
 * the next larger one, with weights of zero. They are built in the background, but
 * for the one that is needed first; meanwhile a larger one serves, or one that is
 * not unrolled, as for axes that differ. All give the same bytes, but where sums are
 * halves, of which compilers round some another way. One that cannot be built in the
 * background is not tried again. */
#pragma once

#include "gpu/blur/planekind.h"
#include "gpu/blur/weights.h"
#include "gpu/core/kernel/builder.h"

G_BEGIN_DECLS

typedef struct _GpuBlurStripsKernels GpuBlurStripsKernels;

/* What serves a plane: the device's. */
typedef struct
{
  GpuKernel *inside, *edges;    /* of strips by where they lie; the same where
                                   nothing is unrolled */
  guint unrolled;               /* the radius that they are for; 0: any */
  gboolean in_halves;           /* weights are to be halves, too */
  gboolean reads_weights;       /* from memory: at periodic edges, or where nothing
                                   is unrolled */
} GpuBlurStripsChoice;

/* @builder is freed first. */
GpuBlurStripsKernels *gpu_blur_strips_kernels_new (GpuDevice * device,
    GpuBuilder * builder);
void gpu_blur_strips_kernels_free (GpuBlurStripsKernels * all);

/* The largest radius whose row sums have room in shared memory, in any format whose
 * columns have so many words (STRIPS_COLUMN_WORDS()). */
guint gpu_blur_strips_kernels_max_radius (GpuDevice * device,
    guint column_words, gboolean half);

/* Those of planes that are alike to shaders. */
typedef struct _GpuBlurStripsSet GpuBlurStripsSet;

/* The same at each call. @in_halves: whether all sums are halves, not only those of rows,
 * which @kind tells. Owned by @all. */
GpuBlurStripsSet *gpu_blur_strips_kernels_get_set (GpuBlurStripsKernels *
    all, const GpuBlurPlaneKind * kind, gboolean in_halves);

/* Threads on a ring that has the room. */
#define GPU_BLUR_STRIPS_THREADS 128

typedef struct
{
  guint radius;                 /* that it is unrolled for; 0: it is not */
  guint threads;                /* on a ring */
  gboolean in_halves;           /* whether all sums are halves */
} GpuBlurStripsShape;

/* What is best for @axes. */
GpuBlurStripsShape gpu_blur_strips_kernels_get_shape (GpuBlurStripsKernels *
    all, const GpuBlurStripsSet * set, const GpuBlurAxes * axes);

/* Builds what @axes, within reach, need at once. @periodic: whether edges are mirrored
 * or wrapped. */
gboolean gpu_blur_strips_kernels_build (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, gboolean periodic,
    GError ** error);

/* Builds what is not unrolled and serves @axes, and others of the set that reach
 * no further. */
gboolean gpu_blur_strips_kernels_build_rolled (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, GError ** error);

/* Has that built in the background. */
void gpu_blur_strips_kernels_expect (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes);

/* Fills in what serves now, and has what is best built, where it is not. @periodic: as
 * above. */
gboolean gpu_blur_strips_kernels_choose (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, gboolean periodic,
    GpuBlurStripsChoice * choice, GError ** error);

G_END_DECLS
