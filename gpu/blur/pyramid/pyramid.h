/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur over coarser levels: down to a level on which the Gaussian is narrow,
 * that Gaussian, and up again (levels.h, shaders/blur/pyramid/pyramid_*.comp). What a
 * frame costs hardly depends on sigma, and no Gaussian is cut.
 *
 * The first step down reads the frame, the last one up writes it. Planes are done
 * side by side. */
#pragma once

#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* Gaussians that no radius cuts and that are wide enough, on planes that are neither too
 * small for them nor too large for the device. */
extern const GpuBlurFamilyType gpu_blur_pyramid_type;

G_END_DECLS
