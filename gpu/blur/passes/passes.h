/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The family of methods that are lists of passes over planes (pass.h). */
#pragma once

#include "readymethod.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* The family's plan. */
typedef struct
{
  GpuBlurReadyMethod *method;   /* built for the settings of the recording; owned by the
                                   family, or by the caller that made the plan */
} GpuBlurPassesPlan;

extern const GpuBlurFamilyType gpu_blur_passes_type;

G_END_DECLS
