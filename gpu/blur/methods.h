/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of methods: what is known of one without running it. */
#pragma once

#include "family.h"

G_BEGIN_DECLS

/* All of it static. */
typedef struct
{
  const gchar *name;            /* as users write it */
  const gchar *description;     /* for users, too: how it computes a blur, */
  const gchar *takes;           /* and, where it could not, what it needs; AUTO: NULL */
  const GpuBlurFamilyType *family;      /* what runs it; AUTO: NULL */
} GpuBlurMethodInfo;

/* Its row; never NULL. */
const GpuBlurMethodInfo *gpu_blur_method_get_info (GpuBlurMethod method);

G_END_DECLS
