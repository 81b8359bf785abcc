/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The compute kernels of strips. Unrolled kernels exist for some radii; other radii use
 * the next larger one with weights of 0 at the ends. Rolled kernels do any radius; they
 * are also used if the axes differ. While the best kernels for a radius are being built,
 * others that are built run instead: unrolled for a larger radius, or rolled.
 * All kernels give the same bytes, except if sums are halves, as compilers round some of
 * them in different ways. Whole boxes have two kernels, for small and large radii,
 * whose sums are integers. */
#pragma once

#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The type of sums. */
typedef enum
{
  GPU_BLUR_SUMS_HALF,           /* stored as halves, computed as floats */
  GPU_BLUR_SUMS_IN_HALVES,      /* stored and computed as halves */
  GPU_BLUR_SUMS_FLOAT,
  GPU_BLUR_SUMS_INTEGERS,       /* of whole boxes */
} GpuBlurSums;

/* A plane that strips go over. */
typedef struct
{
  GpuBlurPlane plane;
  GpuBlurSums sums;
  gboolean is_periodic;         /* edges are mirrored or wrapped */
  guint columns;                /* of four samples each; not read for kernels */
} GpuBlurStripsPlane;

/* Returns the type of sums for @plane. */
GpuBlurSums gpu_blur_strips_choose_sums (GpuDevice * device,
    const GpuBlurSettings * settings, const GpuBlurPlane * plane);

/* Whether the radii are within reach: row sums fit into shared memory; and, for whole boxes, the
 * strips are few enough for a dispatch. */
gboolean gpu_blur_strips_reach (GpuDevice * device,
    const GpuBlurStripsPlane * plane);

/* Appends the best kernels for @plane, which is within reach, to @wanted, an array of
 * GpuBlurWanted. */
void gpu_blur_strips_list (GpuDevice * device,
    const GpuBlurStripsPlane * plane, GArray * wanted);

/* Appends the rolled kernels, which run for any radius. */
void gpu_blur_strips_list_rolled (GpuDevice * device,
    const GpuBlurStripsPlane * plane, GArray * wanted);

/* Whether kernels are built that run for @plane, the best or others. */
gboolean gpu_blur_strips_are_ready (GpuDevice * device,
    const GpuBlurStripsPlane * plane);

/* The kernels chosen for a plane. They are owned by the device. */
typedef struct
{
  GpuKernel *inside, *edges;    /* for strips inside the plane and at its edges; if
                                   rolled, both are the same */
  guint unrolled;               /* the radius they are unrolled for; 0: rolled */
  gboolean reads_weights;       /* reads weights from the buffer: rolled kernels, except
                                   of whole boxes, and all at periodic edges */
  gboolean is_best;             /* none that are being built would be better */
} GpuBlurStripsChoice;

/* Fills in the best kernels that are built, or if none are, the best ones. If these are
 * not built, requests them. Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_strips_choose (GpuDevice * device,
    const GpuBlurStripsPlane * plane, GpuBlurStripsChoice * choice,
    GError ** error);

/* --- whole boxes (shaders/blur/strips/box_strips.comp) --- */

/* The least rows of a section. */
#define GPU_BLUR_BOX_STRIPS_MIN_SECTION 16

/* Returns the threads of a group: the number that measured best, or fewer if their sums do not
 * fit into shared memory. */
guint gpu_blur_box_strips_threads (GpuDevice * device,
    const GpuBlurStripsPlane * plane);

/* Returns the columns of a strip, for a plane within reach. All strips have as many, but for the
 * last, which may end beyond the plane. */
guint gpu_blur_box_strips_columns (GpuDevice * device,
    const GpuBlurStripsPlane * plane);

/* Computes how sums below 2^31 are divided by @n, which is more than 1, and rounded down:
 * the product of the sum and @reciprocal is shifted right by 32 + @shift bits. */
void gpu_blur_box_strips_get_reciprocal (guint n, guint32 * reciprocal,
    guint32 * shift);

G_END_DECLS
