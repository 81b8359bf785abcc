/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/device.h"
#include "shaders/shader.h"

G_BEGIN_DECLS

/* A compute pipeline: a shader with its specialization constants. All bindings are
 * storage buffers in descriptor set 0.
 *
 * Kernels are built on threads of the device, several at once. A dispatch waits until its
 * kernel is built (gpu_stream_dispatch()), so request kernels early, those that a frame
 * needs first first.
 *
 * The device owns its kernels and keeps them until it is destroyed. A second request
 * for the same kernel, after new caps or from another element, returns the first one. */
typedef struct _GpuKernel GpuKernel;

/* When a kernel is built. */
typedef enum
{
  GPU_KERNEL_SOON,              /* the next frame needs it */
  GPU_KERNEL_LATER,             /* a later frame may need it: built once nothing has been
                                   urgent for half a second, so that a program that makes
                                   a picture does not wait for it at its end; and by few
                                   threads of lower priority, so that frames hardly become
                                   slower */
} GpuKernelUrgency;

/* Requests a kernel and returns it at once. Entry i of @constants is specialization
 * constant i as a 32-bit word (floats as their bit pattern); @n_constants is at most
 * GPU_MAX_CONSTANTS. Returns NULL with @error set if the device is lost, or as
 * gpu_process_enter(). If a build fails, waiting for the kernel reports it. Thread safe,
 * as are all functions here. */
GpuKernel *gpu_kernel_request (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GpuKernelUrgency urgency,
    GError ** error);

/* A request for a kernel. */
typedef struct
{
  GpuKernel **kernel;           /* where to store it */
  const GpuShader *shader;
  const guint32 *constants;     /* see gpu_kernel_request(); NULL: none */
  guint n_constants;
} GpuKernelWanted;

/* Requests @n kernels, which are built in this order. Errors: as gpu_kernel_request(); nothing
 * is then stored for that kernel and the remaining ones. */
gboolean gpu_kernels_request (GpuDevice * device,
    const GpuKernelWanted * wanted, guint n, GpuKernelUrgency urgency,
    GError ** error);

/* Returns whether @kernel is built, so that a dispatch does not wait for it. */
gboolean gpu_kernel_is_built (GpuKernel * kernel);

/* Returns whether a kernel has been requested and built. */
gboolean gpu_kernels_have (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants);

/* Waits until @kernel is built; it is built before others that are waiting. If an earlier
 * build failed, tries again. @keep_waiting: called when the wait begins and about ten times a
 * second; returns FALSE to give up (CANCELLED). NULL: never. Returns FALSE with @error set on
 * failure (OUT_OF_MEMORY, LOST, FAILED, CANCELLED). */
gboolean gpu_kernel_wait (GpuKernel * kernel,
    gboolean (*keep_waiting) (gpointer data), gpointer data, GError ** error);

/* Requests a kernel and waits for it. Errors: as both. */
GpuKernel *gpu_kernel_get (GpuDevice * device, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GError ** error);

/* Waits until no build is requested or in progress on @device, whether or not they succeed. */
void gpu_kernels_wait (GpuDevice * device);

/* The half second, in microseconds. Set by tests, which do not build what they never wait
 * for. */
extern gint64 gpu_kernels_later_delay;

/* Returns how many kernels of @device were requested to be built soon, or were waited for,
 * since none was to be built, and sets *@built to the number of those that are built or
 * failed. */
guint gpu_kernels_count (GpuDevice * device, guint * built);

/* Returns the size of the push constants in bytes. */
gsize gpu_kernel_get_push_size (GpuKernel * kernel);

G_END_DECLS
