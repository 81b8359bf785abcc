/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include "shaders/shader.h"

G_BEGIN_DECLS

/* A compute pipeline: one shader with its specialization constants. All its
 * bindings are storage buffers of set 0.
 *
 * The device owns every kernel for as long as it lives: whoever asks for the
 * same one again, after new caps or in another element, gets it at once. */
typedef struct _GpuKernel GpuKernel;

/* @constants: value i is specialization constant i, as 32-bit words (floats
 * by their bits). Building takes milliseconds or more: never while frames
 * flow. Returns NULL with @error set on failure. */
GpuKernel *gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error);

/* A kernel that is wanted, and where it goes. */
typedef struct
{
  GpuKernel **kernel;
  const GpuShader *shader;
  const guint32 *constants;     /* as above; NULL: none */
  guint n_constants;
} GpuKernelWanted;

/* Gets @n kernels, one after the other. FALSE with @error set where one cannot be
 * built; those behind it are not touched. */
gboolean gpu_kernels_get (GpuDevice * device, const GpuKernelWanted * wanted,
    guint n, GError ** error);

const gchar *gpu_kernel_get_name (GpuKernel * kernel);

/* Bytes of its push constants. */
gsize gpu_kernel_get_push_size (GpuKernel * kernel);

G_END_DECLS
