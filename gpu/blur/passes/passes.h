/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The blur by passes over planes (pass.h): methods that are lists of these. */
#pragma once

#include "readymethod.h"
#include "gpu/blur/family.h"

G_BEGIN_DECLS

/* A method of theirs, which is built for the settings that it is recorded with. Owned by
 * the family, or by who made it ready. */
typedef struct
{
  GpuBlurReadyMethod *method;
} GpuBlurPassesPlan;

extern const GpuBlurFamilyType gpu_blur_passes_type;

G_END_DECLS
