/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include "shaders/shader.h"

G_BEGIN_DECLS

/* A compute pipeline: a shader with its specialization constants. All bindings are
 * storage buffers in descriptor set 0.
 *
 * The device owns its kernels and keeps them until it is destroyed. A second request
 * for the same kernel, after new caps or from another element, returns at once. */
typedef struct _GpuKernel GpuKernel;

/* Returns a kernel, which @device owns, and builds it if necessary. Entry i of
 * @constants is specialization constant i as a 32-bit word (floats as their bit
 * pattern); @n_constants is at most GPU_MAX_CONSTANTS. A build takes milliseconds or
 * more, so do not build while frames are processed. Returns NULL with @error set on
 * failure. Thread safe. */
GpuKernel *gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error);

/* A request for a kernel. */
typedef struct
{
  GpuKernel **kernel;           /* where to store it */
  const GpuShader *shader;
  const guint32 *constants;     /* see gpu_kernel_get(); NULL: none */
  guint n_constants;
} GpuKernelWanted;

/* Gets @n kernels in order. If one cannot be built, stores NULL for it, leaves the
 * remaining ones unchanged, and returns FALSE with @error set. */
gboolean gpu_kernels_get (GpuDevice * device, const GpuKernelWanted * wanted,
    guint n, GError ** error);

/* Returns the name of the shader; static. */
const gchar *gpu_kernel_get_name (GpuKernel * kernel);

/* Returns the size of the push constants in bytes. */
gsize gpu_kernel_get_push_size (GpuKernel * kernel);

G_END_DECLS
