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
  guint columns;                /* of four samples each */
} GpuBlurBoxPlane;

/* Returns the threads of a group: the most, up to a number that measured best, whose sums
 * fit into shared memory. */
guint gpu_blur_box_strips_threads (GpuDevice * device, gboolean has_alpha);

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
