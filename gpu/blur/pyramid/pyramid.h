/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The family of the pyramid. It reduces a plane in steps to a level on which the Gaussian
 * is narrow, applies the Gaussian there, and scales the level up again (levels.h,
 * shaders/blur/pyramid/pyramid_*.comp). The cost of a frame hardly depends on sigma, and
 * the Gaussian is not cut off at a radius.
 *
 * The first step down reads the frame, the step up writes it. The steps of different
 * planes run concurrently. */
#pragma once

#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* Supports Gaussians without a radius that are wide enough, on planes that are not too
 * small for the Gaussian and not too large for the device. */
extern const GpuBlurFamilyType gpu_blur_pyramid_type;

G_END_DECLS
