/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gpu/core/device/vulkan.h"
#include "kernel.h"

G_BEGIN_DECLS

/* Has kernels compiled before a frame needs them, by a driver that compiles a kernel only
 * when it is first dispatched. Mesa's CPU driver does this on the thread of the queue, one
 * kernel after the other, and the frame waits. A rehearsal builds the kernel on another
 * VkDevice and dispatches no workgroup of it. The driver stores the result in its cache on
 * disk, where the dispatch of the frame finds it. */
typedef struct _GpuRehearsal GpuRehearsal;

/* Hook for tests: FALSE: there are no rehearsals. */
extern gboolean gpu_rehearsal_is_allowed;

/* Returns NULL if the driver of @device compiles kernels when they are built. Holds no
 * reference to @device, which must outlive it. */
GpuRehearsal *gpu_rehearsal_new (GpuDevice * device);
void gpu_rehearsal_free (GpuRehearsal * rehearsal);

/* Has a kernel compiled (@shader and @constants: see gpu_kernel_request()). @urgency: that of
 * the calling thread. Each urgency has devices of its own, because a driver's threads have
 * the priority of the thread that opened their device. Returns from when on the driver finds
 * the kernel in its cache, as g_get_monotonic_time(); 0: at once. Does nothing if the driver
 * turned out to keep no cache. Failures are ignored: the frame then waits.
 * Thread safe; several threads can rehearse at once. */
gint64 gpu_rehearsal_run (GpuRehearsal * rehearsal, GpuKernelUrgency urgency,
    const GpuShader * shader, const guint32 * constants, guint n_constants);

G_END_DECLS
