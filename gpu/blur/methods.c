/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "methods.h"

/* Methods with this text support every kernel. They only fail if a radius needs too much
 * shared memory or too many loop rounds. */
#define SMALLER "a smaller sigma or radius"

static const GpuBlurMethodInfo methods[GPU_BLUR_N_METHODS] = {
  [GPU_BLUR_AUTO] = { "auto", "The fastest on this device", NULL, NULL },
  [GPU_BLUR_DIRECT] = { "direct", "All taps of both axes in one pass",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_DIRECT_SHARED] = { "direct-shared",
    "All taps of both axes in one pass, out of shared memory",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_SEPARABLE] = { "separable", "Rows, then columns",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_SEPARABLE_SHARED] = { "separable-shared",
    "Rows, then columns, each out of shared memory",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_INLINE_SEPARABLE] = { "inline-separable",
    "Rows into shared memory, columns out of it, in one pass",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_INLINE_SEPARABLE_SHARED] = { "inline-separable-shared",
    "Rows from shared memory into it, columns out of it, in one pass",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_SLIDING_WINDOW] = { "sliding-window",
    "Rows, then columns, each out of a ring in shared memory",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_INLINE_SLIDING_WINDOW] = { "inline-sliding-window",
    "Rows into a ring in shared memory, columns out of it, in one pass",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_INLINE_SLIDING_WINDOW_SHARED] = { "inline-sliding-window-shared",
    "Rows from shared memory into a ring, columns out of it, in one pass",
    SMALLER, &gpu_blur_passes_type },
  [GPU_BLUR_STRIPS] = { "strips",
    "As inline-sliding-window, eight outputs a thread on both axes",
    SMALLER, &gpu_blur_strips_type },
  [GPU_BLUR_PYRAMID] = { "pyramid",
    "Gaussians without a radius: over coarser levels",
    "kernel=gaussian with radius=-1, a sigma of 2.8 or more (4 where "
    "frames are interlaced) that is not too different by axis, and "
    "frames that are neither small beside it nor too large for the device",
    &gpu_blur_pyramid_type },
  [GPU_BLUR_RUNNING_SUMS] = { "running-sums",
    "Boxes: rows, then columns, each sum made of the one before",
    "kernel=box, linear-light=false, a format of 8 bits and a device with "
    "subgroup operations", &gpu_blur_passes_type },
  [GPU_BLUR_WALK] = { "walk",
    "Rows, added to columns in registers, in one pass",
    SMALLER, &gpu_blur_passes_type },
};

const GpuBlurMethodInfo *
gpu_blur_method_get_info (GpuBlurMethod method)
{
  return &methods[method];
}

const GpuBlurFamilyType *
gpu_blur_method_get_family (GpuBlurMethod method, GpuBlurKernel kernel)
{
  /* One family has all its methods. */
  return kernel == GPU_BLUR_BILATERAL ? &gpu_blur_bilateral_type
      : methods[method].family;
}

const gchar *
gpu_blur_method_get_needs (GpuBlurMethod method, GpuBlurKernel kernel)
{
  if (kernel == GPU_BLUR_BILATERAL && method != GPU_BLUR_DIRECT_SHARED)
    return "kernel=gaussian or kernel=box";
  return methods[method].takes;
}

/* --- families --- */

static const GpuBlurFamilyType *const types[GPU_BLUR_N_FAMILIES] = {
  &gpu_blur_passes_type, &gpu_blur_strips_type, &gpu_blur_pyramid_type,
  &gpu_blur_bilateral_type,
};

GpuBlurFamily *
gpu_blur_family_new (const GpuBlurFamilyType * type, GpuDevice * device)
{
  GpuBlurFamily *family = g_malloc0 (type->size);

  family->type = type;
  family->device = gpu_device_ref (device);
  return family;
}

void
gpu_blur_family_free (GpuBlurFamily * family)
{
  for (guint i = 0; i < GPU_BLUR_FAMILY_BUFFERS; i++)
    g_clear_pointer (&family->buffers[i], gpu_buffer_unref);
  gpu_device_unref (family->device);
  g_free (family);
}

void
gpu_blur_families_init (GpuBlurFamilies * families, GpuDevice * device)
{
  families->device = gpu_device_ref (device);
  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++)
    families->list[i] = gpu_blur_family_new (types[i], device);
}

void
gpu_blur_families_clear (GpuBlurFamilies * families)
{
  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++)
    gpu_blur_family_free (families->list[i]);
  gpu_device_unref (families->device);
}

gsize
gpu_blur_families_get_memory (const GpuBlurFamilies * families)
{
  gsize size = 0;

  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++)
    size += gpu_buffers_get_size (families->list[i]->buffers,
        GPU_BLUR_FAMILY_BUFFERS);
  return size;
}

GpuBlurFamily *
gpu_blur_families_get (const GpuBlurFamilies * families,
    const GpuBlurTask * task)
{
  const GpuBlurFamilyType *type = gpu_blur_method_get_family (task->method,
      task->settings->kernel);

  for (guint i = 0; i < GPU_BLUR_N_FAMILIES; i++)
    if (types[i] == type)
      return families->list[i];
  g_assert_not_reached ();
}

gboolean
gpu_blur_family_request (GpuBlurFamily * family, const GpuBlurTask * task,
    GpuBlurWhich which, GpuKernelUrgency urgency, GError ** error)
{
  g_autoptr (GArray) wanted = g_array_new (FALSE, FALSE,
      sizeof (GpuBlurWanted));

  family->type->list_kernels (family, task, which, wanted);
  for (guint i = 0; i < wanted->len; i++)
    if (!gpu_blur_wanted_request (&g_array_index (wanted, GpuBlurWanted, i),
            family->device, urgency, error))
      return FALSE;
  return TRUE;
}

gboolean
gpu_blur_families_reach (const GpuBlurFamilies * families,
    const GpuBlurTask * task)
{
  GpuBlurFamily *family = gpu_blur_families_get (families, task);

  return family->type->reaches (family, task);
}

gboolean
gpu_blur_families_are_ready (const GpuBlurFamilies * families,
    const GpuBlurTask * task)
{
  GpuBlurFamily *family = gpu_blur_families_get (families, task);
  g_autoptr (GArray) wanted = NULL;

  if (family->type->is_ready)
    return family->type->is_ready (family, task);
  wanted = g_array_new (FALSE, FALSE, sizeof (GpuBlurWanted));
  family->type->list_kernels (family, task, GPU_BLUR_NEEDED_KERNELS, wanted);
  for (guint i = 0; i < wanted->len; i++)
    if (!gpu_blur_wanted_is_built (&g_array_index (wanted, GpuBlurWanted, i),
            families->device))
      return FALSE;
  return TRUE;
}
