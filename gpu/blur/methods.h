/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of methods: names, descriptions and families. */
#pragma once

#include "family.h"

G_BEGIN_DECLS

/* All members are static data. */
typedef struct
{
  const gchar *name;            /* the value of the element's property */
  const gchar *description;     /* for users: how the method computes a blur */
  const gchar *takes;           /* for users: the settings and frames that the method
                                   needs, shown if it could not run; AUTO: NULL */
  const GpuBlurFamilyType *family;      /* runs the method; AUTO: NULL */
} GpuBlurMethodInfo;

/* Never returns NULL. */
const GpuBlurMethodInfo *gpu_blur_method_get_info (GpuBlurMethod method);

G_END_DECLS
