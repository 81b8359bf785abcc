/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The family of methods that are lists of passes over planes (pass.h). */
#pragma once

#include "pass.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

extern const GpuBlurFamilyType gpu_blur_passes_type;

/* Benchmarks: sets the shape of all groups of a family of this type, in place of those of
 * the passes. NULL: those of the passes. @shape must outlive its use. */
void gpu_blur_passes_set_shape (GpuBlurFamily * family,
    const GpuBlurShape * shape);

G_END_DECLS
