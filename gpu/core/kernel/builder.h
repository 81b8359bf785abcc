/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "kernel.h"

G_BEGIN_DECLS

/* Builds kernels one after the other on a background thread. The caller uses another
 * kernel until the requested one is ready. */
typedef struct _GpuBuilder GpuBuilder;

/* Returns a new builder, which holds a reference to @device. */
GpuBuilder *gpu_builder_new (GpuDevice * device);
/* Drops requests that have not begun, and waits for the one in progress. This and the
 * functions below do nothing once gpu_process_is_over() (process.h). */
void gpu_builder_free (GpuBuilder * builder);

/* Requests a kernel (@shader and @constants: see gpu_kernel_get()) and returns at once.
 * The builder later stores the kernel in *@slot, or leaves it NULL if the build fails.
 * *@slot must be NULL now and outlive the builder. Read it with
 * g_atomic_pointer_get(). */
void gpu_builder_request (GpuBuilder * builder, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GpuKernel ** slot);

/* Waits until all requests are finished. */
void gpu_builder_wait (GpuBuilder * builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBuilder, gpu_builder_free)

G_END_DECLS
