/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The table of methods: names, descriptions and families; and the families of a device. */
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

/* Returns the type of family that runs @method, which is not AUTO, for @kernel; static
 * data. */
const GpuBlurFamilyType *gpu_blur_method_get_family (GpuBlurMethod method,
    GpuBlurKernel kernel);

/* Never returns NULL. Keeps a reference to @device. Free it with gpu_blur_family_free(). */
GpuBlurFamily *gpu_blur_family_new (const GpuBlurFamilyType * type,
    GpuDevice * device);
void gpu_blur_family_free (GpuBlurFamily * family);

#define GPU_BLUR_N_FAMILIES 4

/* One family of each type, on one device. */
typedef struct
{
  GpuDevice *device;
  GpuBlurFamily *list[GPU_BLUR_N_FAMILIES];
} GpuBlurFamilies;

/* Creates all families. Free them with gpu_blur_families_clear(). */
void gpu_blur_families_init (GpuBlurFamilies * families, GpuDevice * device);
void gpu_blur_families_clear (GpuBlurFamilies * families);

/* The size of all their buffers, in bytes. */
gsize gpu_blur_families_get_memory (const GpuBlurFamilies * families);

/* Returns the family that runs @task. */
GpuBlurFamily *gpu_blur_families_get (const GpuBlurFamilies * families,
    const GpuBlurTask * task);

/* Requests kernels of the method of @task, which can do it, from the family that runs it.
 * Errors: those of gpu_kernel_request(). */
gboolean gpu_blur_family_request (GpuBlurFamily * family,
    const GpuBlurTask * task, GpuBlurWhich which, GpuKernelUrgency urgency,
    GError ** error);

/* Whether the method of @task can do it. */
gboolean gpu_blur_families_reach (const GpuBlurFamilies * families,
    const GpuBlurTask * task);

/* Whether kernels are built that run @task, which its method can do. */
gboolean gpu_blur_families_are_ready (const GpuBlurFamilies * families,
    const GpuBlurTask * task);

/* For users: returns what @method needs, shown if it could not run with @kernel; static
 * data. @method is not AUTO. */
const gchar *gpu_blur_method_get_needs (GpuBlurMethod method,
    GpuBlurKernel kernel);

G_END_DECLS
