/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The family of the bilateral filter (Tomasi and Manduchi, Bilateral Filtering for Gray
 * and Color Images, 1998), for frames of bytes. GPU_BLUR_DIRECT_SHARED filters the whole
 * window at once. GPU_BLUR_SEPARABLE filters rows and then columns (Pham and van Vliet,
 * Separable Bilateral Filtering for Fast Video Preprocessing, 2005).
 * docs/internals/design.md defines both. */
#pragma once

#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The largest radius for which AUTO filters the whole window on a GPU: 169 taps. */
#define GPU_BLUR_BILATERAL_AUTO_RADIUS 6

extern const GpuBlurFamilyType gpu_blur_bilateral_type;

G_END_DECLS
