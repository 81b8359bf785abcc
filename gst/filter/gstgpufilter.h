/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "gstgpufilterclass.h"

G_BEGIN_DECLS

/* What every video filter on the GPU does: the device and how it is shared,
 * buffers, transfers, errors and statistics. A subclass says what is recorded
 * between one frame and the next.
 *
 * Output n is pushed for input n, while the device still works on it; whoever
 * maps the output waits. */
#define GST_TYPE_GPU_FILTER (gst_gpu_filter_get_type ())
#define GST_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_CAST ((object), GST_TYPE_GPU_FILTER, GstGpuFilter))
#define GST_GPU_FILTER_CLASS(klass) \
    (G_TYPE_CHECK_CLASS_CAST ((klass), GST_TYPE_GPU_FILTER, GstGpuFilterClass))
#define GST_IS_GPU_FILTER(object) \
    (G_TYPE_CHECK_INSTANCE_TYPE ((object), GST_TYPE_GPU_FILTER))

GType gst_gpu_filter_get_type (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstGpuFilter, gst_object_unref)

G_END_DECLS
