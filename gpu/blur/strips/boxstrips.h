/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The shape of strips of whole boxes (shaders/blur/strips/box_strips.comp). */
#pragma once

#include "gpu/blur/weights.h"
#include "gpu/core/device/device.h"

G_BEGIN_DECLS

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

/* Returns the largest radius along rows for which groups have few threads, which are faster
 * where a strip needs few columns beyond its own. */
guint gpu_blur_box_strips_near_radius (guint components);

/* Returns the threads of a group for boxes of @radius along rows: the number that measured
 * best, or fewer if their sums do not fit into shared memory. */
guint gpu_blur_box_strips_threads (GpuDevice * device,
    const GpuBlurBoxPlane * plane, guint radius);

/* Returns the words of shared memory of a group of @threads threads. */
guint gpu_blur_box_strips_shared_words (guint threads, gboolean has_alpha);

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
