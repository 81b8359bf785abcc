/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of strips. Unrolled kernels exist for some radii; other radii use
 * the next larger one with weights of 0 at the ends. Rolled kernels do any radius; they
 * are also used if the axes differ. While the best kernels for a radius are being built,
 * others that are built run instead: unrolled for a larger radius, or rolled.
 * All kernels give the same bytes, except if sums are halves, as compilers round some of
 * them in different ways. Whole boxes have two kernels, for small and large radii,
 * whose sums are integers. */
#pragma once

#include "gpu/blur/planekind.h"
#include "gpu/blur/weights.h"
#include "gpu/core/kernel/kernel.h"

G_BEGIN_DECLS

/* The type of sums. */
typedef enum
{
  GPU_BLUR_SUMS_HALF,           /* stored as halves, computed as floats */
  GPU_BLUR_SUMS_IN_HALVES,      /* stored and computed as halves */
  GPU_BLUR_SUMS_FLOAT,
  GPU_BLUR_SUMS_INTEGERS,
} GpuBlurSums;

typedef struct _GpuBlurStripsKernels GpuBlurStripsKernels;

/* The kernels chosen for a plane. They are owned by the device. */
typedef struct
{
  GpuKernel *inside, *edges;    /* for strips inside the plane and at its edges; if
                                   rolled, both are the same */
  guint unrolled;               /* the radius they are unrolled for; 0: rolled */
  GpuBlurSums sums;             /* if computed in halves, weights must be, too */
  gboolean reads_weights;       /* reads weights from the buffer: rolled kernels, except
                                   of whole boxes, and all at periodic edges */
} GpuBlurStripsChoice;

/* Never returns NULL. */
GpuBlurStripsKernels *gpu_blur_strips_kernels_new (GpuDevice * device);
void gpu_blur_strips_kernels_free (GpuBlurStripsKernels * all);

/* Returns the largest radius whose row sums fit into shared memory, for every format whose
 * columns have @column_words words (STRIPS_COLUMN_WORDS()). @half: whether row sums are
 * stored as halves. */
guint gpu_blur_strips_kernels_max_radius (GpuDevice * device,
    guint column_words, gboolean half);

/* The kernels for one kind of plane. */
typedef struct _GpuBlurStripsSet GpuBlurStripsSet;

/* Returns the set for @kind, the same one at each call. Owned by @all. @sums: how row sums
 * are stored (kind->half), or, only for bytes, IN_HALVES or INTEGERS. */
GpuBlurStripsSet *gpu_blur_strips_kernels_get_set (GpuBlurStripsKernels *
    all, const GpuBlurPlaneKind * kind, GpuBlurSums sums);

/* Requests the best kernels for @axes, which must be within reach. @periodic: whether
 * edges are mirrored or wrapped. Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_strips_kernels_request (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, gboolean periodic,
    GpuKernelUrgency urgency, GError ** error);

/* Requests the rolled kernels, which run for any radius. Errors: as above. */
gboolean gpu_blur_strips_kernels_request_rolled (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, GpuKernelUrgency urgency, GError ** error);

/* Whether kernels are built that run for @axes, the best or others. */
gboolean gpu_blur_strips_kernels_are_ready (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, gboolean periodic);

/* Fills in the best kernels that are built, or if none are, the best ones. If these are
 * not built, requests them. @periodic, errors: as above. */
gboolean gpu_blur_strips_kernels_choose (GpuBlurStripsKernels * all,
    GpuBlurStripsSet * set, const GpuBlurAxes * axes, gboolean periodic,
    GpuBlurStripsChoice * choice, GError ** error);

/* --- whole boxes (shaders/blur/strips/box_strips.comp) --- */

/* A plane as these functions see it. */
typedef struct
{
  guint components;
  gboolean has_alpha;           /* colours are multiplied by it */
  guint columns;                /* of four samples each; not read for the threads of
                                   a group */
} GpuBlurBoxPlane;

/* The least rows of a section. */
#define GPU_BLUR_BOX_STRIPS_MIN_SECTION 16

/* Returns the threads of a group for boxes of @radius along rows: the number that measured
 * best, or fewer if their sums do not fit into shared memory. */
guint gpu_blur_box_strips_threads (GpuDevice * device,
    const GpuBlurBoxPlane * plane, guint radius);

/* Whether the radii of @axes are small enough, and the strips few enough for a dispatch. */
gboolean gpu_blur_box_strips_reach (GpuDevice * device,
    const GpuBlurBoxPlane * plane, const GpuBlurAxes * axes);

/* Returns the columns of a strip, for @axes within reach. All strips of the plane have as
 * many, but for the last, which may end beyond the plane. */
guint gpu_blur_box_strips_columns (GpuDevice * device,
    const GpuBlurBoxPlane * plane, const GpuBlurAxes * axes);

/* Computes how sums below 2^31 are divided by @n, which is more than 1, and rounded down:
 * the product of the sum and @reciprocal is shifted right by 32 + @shift bits. */
void gpu_blur_box_strips_get_reciprocal (guint n, guint32 * reciprocal,
    guint32 * shift);

G_END_DECLS
