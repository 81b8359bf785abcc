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
                                   needs for a Gaussian or a box; AUTO: NULL */
  const GpuBlurFamilyType *family;      /* runs the method for these kernels; AUTO:
                                           NULL */
} GpuBlurMethodInfo;

/* Never returns NULL. */
const GpuBlurMethodInfo *gpu_blur_method_get_info (GpuBlurMethod method);

/* Returns the family that runs @method for @kernel; static data. NULL: @method is AUTO, and
 * methods of several families can run. */
const GpuBlurFamilyType *gpu_blur_method_get_family (GpuBlurMethod method,
    GpuBlurKernel kernel);

/* For users: returns what @method needs, shown if it could not run with @kernel; static
 * data. @method is not AUTO. */
const gchar *gpu_blur_method_get_needs (GpuBlurMethod method,
    GpuBlurKernel kernel);

G_END_DECLS
