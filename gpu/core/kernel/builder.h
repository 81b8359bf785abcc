/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "kernel.h"

G_BEGIN_DECLS

/* Builds kernels on a thread of its own, one after the other, for those who
 * have something that serves meanwhile. */
typedef struct _GpuBuilder GpuBuilder;

GpuBuilder *gpu_builder_new (GpuDevice * device);
/* Drops what was not begun, and waits for what was. In a process that is over
 * (process.h) it does nothing, and nor do the functions below. */
void gpu_builder_free (GpuBuilder * builder);

/* Has a kernel built (see gpu_kernel_get() for @shader and @constants) and
 * written to @slot, which is NULL, is read with g_atomic_pointer_get(), and
 * outlives the builder. Where it cannot be built, @slot stays NULL. Does not
 * wait. */
void gpu_builder_request (GpuBuilder * builder, const GpuShader * shader,
    const guint32 * constants, guint n_constants, GpuKernel ** slot);

/* Waits until all that was requested is built. */
void gpu_builder_wait (GpuBuilder * builder);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GpuBuilder, gpu_builder_free)

G_END_DECLS
