/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The family of marching strips: one dispatch, in which each group moves down a strip of
 * columns and keeps row sums in a ring in shared memory. A thread computes several outputs
 * on each axis (shaders/blur/strips/strips.comp). */
#pragma once

#include "stripskernels.h"

G_BEGIN_DECLS

/* Weighted sums, and integer sums of boxes of whole half-widths over bytes
 * (shaders/blur/strips/box_strips.comp). */
extern const GpuBlurFamilyType gpu_blur_strips_type;

/* Returns the type of sums for @plane. */
GpuBlurSums gpu_blur_strips_choose_sums (GpuDevice * device,
    const GpuBlurSettings * settings, const GpuBlurPlane * plane);

G_END_DECLS
