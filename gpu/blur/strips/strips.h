/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by marching strips: one dispatch, in which a group marches down a
 * strip of columns, a few outputs a thread along either axis, row sums in a
 * ring in shared memory (shaders/blur/strips/strips.comp). */
#pragma once

#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* Weighted sums: whole boxes of bytes are not, which are summed in integers. */
extern const GpuBlurFamilyType gpu_blur_strips_type;

G_END_DECLS
